// The process list with its controls, the projects' shares, what was typed, and
// the strand that is asked about. Each control types a line into the console of
// the simulated machine, as an administrator would; the machine answers.
'use strict';
strandscope.tasks = (() => {
  const { send } = strandscope;
  const { $, text, shown, make, once } = strandscope.view;

  // ---- controls that wait for the machine's answer -----------------------------------
  // A control in use is left alone, until the machine has answered its line:
  // then it shows what the machine says, also where the line was refused.
  const asked = new Map(); // control → number of the message
  const type = (el, line) => asked.set(el, send('do', { line }));
  const put = (el, value, seq) => {
    const due = asked.get(el);
    if (due !== undefined ? seq < due : document.activeElement === el) return;
    asked.delete(el);
    if (el.value !== value) el.value = value;
  };
  const word = (s) => (/^[\w.+][\w.+-]*$/.test(s) ? s : `'${s.replaceAll("'", "'\\''")}'`);

  // later waits until a control has rested: arrows on a number change it often.
  const later = (el, fn) => {
    clearTimeout(el.timer);
    asked.set(el, Infinity);
    el.timer = setTimeout(() => { if (el.isConnected) fn(); }, 350); // else it belonged to another scenario
  };

  // What a control of classes or of nice values types, for the ids or processes that
  // are asked for when it does.
  const setClass = (select, ids) => type(select, `priocntl -s -c ${select.value} ${ids}`);
  const setNice = (input, pids) => later(input, () => type(input, `renice ${Math.trunc(Number(input.value || '0'))} -p ${pids().join(' ')}`));

  // ---- groups of equal processes ---------------------------------------------------
  const field = (label, control) => make('label', {}, make('span', {}, label), control);
  const row = (g, i, classes) => {
    const name = g.count > 1 ? `${g.name} × ${g.count}` : g.name;
    const li = make('li', {}, make('div', { class: 'name' }, make('b', {}, name),
      make('span', {}, g.project ? `${g.text} · project ${g.project}` : g.text)));
    const knobs = make('div', { class: 'knobs' });
    if (classes.length) {
      const select = make('select', { 'aria-label': `Class of ${g.name}`, title: 'Scheduling class, changed while the run goes on' }, make('option', { value: '', disabled: '' }, '—'),
        ...classes.map((c) => make('option', { value: c.value }, c.label)));
      select.addEventListener('change', () => setClass(select, `-i name ${word(g.name)}`));
      knobs.append(select);
    }
    const nice = make('input', { type: 'number', min: -20, max: 19, step: 1, 'aria-label': `Nice value of ${g.name}` });
    nice.addEventListener('change', () => setNice(nice, () => strandscope.state.tasks[i].pids));
    knobs.append(field('nice', nice));
    li.append(knobs);
    return li;
  };
  // The classes that processes can be given: "not set" is none of them.
  const classesOf = (s) => {
    if (!/^solaris/.test(s.scenario.kernel)) return []; // no priocntl there
    const standard = s.scenario.class === 'unset' ? 'TS' : s.scenario.class;
    return s.choices.classes.filter((c) => c.value !== 'unset')
      .map((c) => ({ value: c.value, label: c.value === standard ? `${c.value} (default)` : c.value }));
  };
  const groups = (s) => {
    const classes = classesOf(s);
    once('groups', [s.scenario.id, s.scenario.title, s.scenario.groups, classes],
      () => $('groups').replaceChildren(...s.scenario.groups.map((g, i) => row(g, i, classes)),
        ...(s.scenario.groups.length ? [] : [make('li', { class: 'none' }, 'Nothing was started by the scenario. Start something in the console: ', make('code', {}, './loop &'))])));
    s.scenario.groups.forEach((g, i) => {
      const t = s.tasks[i], li = $('groups').children[i];
      const select = li.querySelector('select'), nice = li.querySelector('input');
      const some = t.alive > 0;
      if (select) {
        text(select.options[0], some ? 'mixed' : 'none left');
        put(select, t.class ?? '', s.seq);
        select.disabled = !some;
      }
      put(nice, t.nice === undefined ? '' : String(t.nice), s.seq);
      nice.placeholder = some ? 'mixed' : '';
      nice.disabled = !some || t.alive > t.pids.length;
      nice.title = t.alive > t.pids.length ? 'More processes than one renice line can name' : '';
    });
  };

  // ---- shares of projects ------------------------------------------------------------
  const MOST = 65535;
  const share = (p) => {
    const name = make('b', {}, p.name);
    const slider = make('input', { type: 'range', min: 0, max: 10, step: 1, 'aria-label': `Shares of project ${p.name}` });
    const figure = make('input', { type: 'number', min: 0, max: MOST, step: 1, 'aria-label': `Shares of project ${p.name}, as a number` });
    const line = (el) => later(el, () => type(el, `prctl -n project.cpu-shares -v ${Math.trunc(Number(el.value || '0'))} -r -i project ${word(p.name)}`));
    slider.addEventListener('input', () => { figure.value = slider.value; });
    slider.addEventListener('change', () => line(slider));
    figure.addEventListener('change', () => line(figure));
    return make('li', { class: 'knobs' }, name, slider, figure, make('span', { class: 'of' }));
  };
  const projects = (s) => {
    shown($('projects'), s.projects.length > 0);
    once('projects', [s.scenario.id, s.projects.map((p) => p.name)], () => $('shares').replaceChildren(...s.projects.map(share)));
    const all = s.projects.reduce((sum, p) => sum + p.shares, 0);
    s.projects.forEach((p, i) => {
      const [, slider, figure, of] = $('shares').children[i].children;
      const value = String(p.shares);
      if (Number(slider.max) < p.shares) slider.max = 2 * p.shares;
      put(slider, value, s.seq);
      put(figure, value, s.seq);
      text(of, `of ${all}`);
    });
    const unused = s.projects.length > 0 && !s.tasks.some((t) => t.class === 'FSS' || (t.alive && !t.class));
    shown($('shares-note'), unused);
  };

  // ---- what was typed ------------------------------------------------------------------
  // Beside it stands what the scenario types by itself, now or later.
  const said = (t) => (t.key === 'reboot' ? `booted, default class ${t.line}` : t.line === '\x03' ? '^C' : t.line === '' ? 'Enter' : t.line);
  const typed = (s) => once('typed', [s.typed, s.scenario.commands], () => {
    const mine = s.typed.filter((t) => !t.key.startsWith('remark@')).map((t) => ({ ...t, by: 'you', said: said(t) }));
    const own = s.scenario.commands.filter((c) => !mine.some((t) => t.at === c.at && t.line === c.line));
    const all = [...own, ...mine].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)); // hours have two digits at least
    shown($('typed'), all.length > 0);
    shown($('typed-note'), mine.length > 0);
    $('typed-lines').replaceChildren(...all.map((t) => make('li', {}, make('time', {}, t.at), ' ',
      make('code', {}, t.said ?? t.line), ...(own.length ? [make('small', {}, t.by ? ' you' : ' scenario')] : []))));
  });

  // ---- the strand asked about ------------------------------------------------------------
  const strand = (s) => {
    const cpu = s.selected.strand;
    shown($('online'), cpu >= 0);
    if (cpu < 0) return;
    text($('online'), s.selected.online ? 'Take off-line' : 'Bring back');
    const said = s.selected.online ? `Take cpu${cpu} off-line` : `Bring cpu${cpu} back on line`;
    if ($('online').title !== said) { $('online').title = said; $('online').setAttribute('aria-label', said); }
  };
  $('online').addEventListener('click', () => {
    const { strand: cpu, online } = strandscope.state.selected;
    if (cpu >= 0) send('do', { line: `psradm ${online ? '-f' : '-n'} ${cpu}` });
  });

  return { show: (s) => { groups(s); projects(s); typed(s); strand(s); }, put, word, setClass, setNice, classesOf };
})();
