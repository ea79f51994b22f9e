// The task editor: adds tasks, changes all, those of a name, or one, ends them, and
// takes changes back. Each control types a line into the machine's console.
'use strict';
strandscope.editor = (() => {
  const { send } = strandscope;
  const { $, text, shown, make, once } = strandscope.view;
  const { put, word, setClass, setNice, classesOf } = strandscope.tasks;
  let latest = null;

  // ---- undo, redo ------------------------------------------------------------------
  const travel = (id, line, verb) => {
    const b = $(id);
    if (!line && document.activeElement === b) $('editor').querySelector('summary').focus();
    b.disabled = !line;
    const said = line ? `${verb}: ${line} (${id === 'undo' ? 'U' : 'Shift+U'})` : `Nothing to ${id}`;
    if (b.title !== said) b.title = said;
  };
  $('undo').addEventListener('click', () => send('undo'));
  $('redo').addEventListener('click', () => send('redo'));
  addEventListener('keydown', (e) => {
    if (!(e.ctrlKey || e.metaKey) || e.altKey || !/^[zy]$/i.test(e.key)) return;
    if (e.target.matches('select, textarea, input:not([type=radio], [type=range]), [contenteditable]')) return;
    e.preventDefault();
    send(/y/i.test(e.key) || e.shiftKey ? 'redo' : 'undo');
  });

  // ---- adding ----------------------------------------------------------------------
  const KINDS = { spin: 'spinner', sleep: 'sleeper', ping: 'ping' };
  const kind = () => {
    const k = $('add-kind').value;
    for (const el of $('add-form').querySelectorAll('.times')) shown(el, k !== 'spin');
    $('add-name').placeholder = KINDS[k];
    if (k !== 'spin') [$('add-run').value, $('add-sleep').value] = k === 'ping' ? ['100us', '990ms'] : ['5ms', '20ms'];
  };
  $('add-kind').addEventListener('change', kind);
  $('add-form').addEventListener('submit', (e) => {
    e.preventDefault();
    const value = (id) => $(id).value.trim();
    const k = value('add-kind');
    const line = ['run'];
    const option = (letter, v) => { if (v) line.push(`-${letter}`, word(v)); };
    if (value('add-count') !== '1') option('n', value('add-count') || '0');
    option('t', value('add-name') || (k === 'ping' ? 'ping' : ''));
    if (!$('add-class').closest('label').hidden) option('c', value('add-class'));
    if (value('add-nice') !== '0') option('i', value('add-nice'));
    if (!$('add-project').closest('label').hidden) option('j', value('add-project'));
    option('s', value('add-set'));
    option('b', value('add-cpu'));
    line.push(k === 'spin' ? 'spin' : word(`run ${value('add-run')}; sleep ${value('add-sleep')}`));
    send('do', { line: line.join(' ') });
  });

  // ---- changing --------------------------------------------------------------------
  // Whom: everyone, all of a name, or the task that is asked about.
  const whom = $('change-whom');
  const chosen = () => {
    const s = latest, [sort, name] = [whom.value.slice(0, 1), whom.value.slice(2)];
    if (sort === 't') return { pids: [s.selected.pid], ids: `-i pid ${s.selected.pid}`, class: s.selected.class, nice: s.selected.nice };
    const rows = [...s.scenario.groups.map((g, i) => ({ name: g.name, ...s.tasks[i] })), ...s.started];
    if (sort === 'n') {
      const g = rows.find((r) => r.name === name) ?? { pids: [] };
      return { pids: g.pids, ids: `-i name ${word(name)}`, class: g.class, nice: g.nice, kill: `pkill -x ${word(name)}` };
    }
    const of = (key) => { const all = rows.filter((r) => r.alive).map((r) => r[key]); return all.every((v) => v === all[0]) ? all[0] : undefined; };
    return { pids: rows.flatMap((r) => r.pids), ids: '-i all', class: of('class'), nice: of('nice') };
  };
  $('change-class').addEventListener('change', (e) => setClass(e.target, chosen().ids));
  $('change-nice').addEventListener('change', (e) => setNice(e.target, () => chosen().pids));
  $('change-kill').addEventListener('click', () => {
    const c = chosen();
    send('do', { line: c.kill ?? `kill ${c.pids.join(' ')}` });
  });
  whom.addEventListener('change', () => { if (latest) show(latest); });

  const started = (s) => once('started', s.started, () => {
    const focused = document.activeElement?.closest?.('#started button')?.dataset.name;
    $('started').replaceChildren(...s.started.map((t) => make('li', {},
      make('span', {}, make('b', {}, t.alive > 1 ? `${t.name} × ${t.alive}` : t.name), ` ${t.class ?? 'mixed'}${t.nice ? `, nice ${t.nice}` : ''}`),
      make('button', { type: 'button', 'data-name': t.name, 'aria-label': `End ${t.name}` }, 'End'))));
    if (focused) ($('started').querySelector(`[data-name="${CSS.escape(focused)}"]`) ?? $('undo')).focus();
  });
  $('started').addEventListener('click', (e) => {
    const b = e.target.closest('button');
    if (b) send('do', { line: `pkill -x ${word(b.dataset.name)}` });
  });

  const options = (select, list, first) => select.replaceChildren(make('option', { value: '' }, first), ...list.map((c) => make('option', { value: c.value }, c.label)));
  const show = (s) => {
    latest = s;
    travel('undo', s.undo, 'Undo');
    travel('redo', s.redo, 'Do again');
    started(s);
    const classes = classesOf(s), names = [...s.scenario.groups.map((g) => g.name), ...s.started.map((t) => t.name)];
    once('editor', [classes, s.projects.map((p) => p.name), s.strands], () => {
      for (const el of $('editor').querySelectorAll('.classes')) shown(el, classes.length > 0);
      options($('add-class'), classes, 'default');
      options($('change-class'), classes, '—');
      $('change-class').options[0].disabled = true;
      shown($('add-form').querySelector('.projects'), s.projects.length > 0);
      options($('add-project'), s.projects.map((p) => ({ value: p.name, label: p.name })), "the shell's");
      $('add-cpu').max = s.strands - 1;
    });
    const one = s.selected.alive ? [{ value: 't', label: `${s.selected.name} ${s.selected.pid}` }] : [];
    once('whom', [names, one], () => {
      const before = whom.value;
      whom.replaceChildren(make('option', { value: 'a' }, 'everyone'), ...names.map((n) => make('option', { value: `n ${n}` }, `all ${n}`)),
        ...one.map((o) => make('option', { value: o.value }, `only ${o.label}`)));
      whom.value = [...whom.options].some((o) => o.value === before) ? before : one.length && before === 't' ? 't' : 'a';
    });
    const c = chosen();
    put($('change-class'), c.class ?? '', s.seq);
    put($('change-nice'), c.nice === undefined ? '' : String(c.nice), s.seq);
    for (const id of ['change-class', 'change-nice', 'change-kill']) $(id).disabled = c.pids.length === 0;
    text($('change-kill'), c.pids.length > 1 ? `End all ${c.pids.length}` : 'End it');
  };
  kind();
  return { show };
})();
