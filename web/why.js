// Why: the answer about a strand, a task, or a moment at the timeline's cursor: the
// rule, whom it compared with what figures, and who ran meanwhile.
'use strict';
strandscope.why = (() => {
  const { send } = strandscope;
  const { $, text, shown, make, once } = strandscope.view;
  const HINT = 'Choose a strand or a process, in the picture or here, and the rule that put it where it is appears. In the timeline a click on a switch or a gap asks about that moment.';

  const cell = (row, i, words) => {
    const td = make('td', { role: 'cell' });
    if (i > 0) { td.append(words); return td; }
    if (row.winner) td.append(make('span', { title: 'has the CPU', role: 'img', 'aria-label': 'has the CPU' }, '✓ '));
    if (row.thread < 0) td.append(words);
    else td.append(make('button', { type: 'button', class: 'link', 'data-thread': row.thread, title: `Ask about ${words}` }, words));
    return td;
  };
  const table = (t) => {
    const body = make('tbody', { role: 'rowgroup' }, ...t.rows.map((row) => make('tr', row.winner ? { class: 'winner', role: 'row' } : { role: 'row' }, ...row.cells.map((c, i) => cell(row, i, c)))));
    if (t.more) body.append(make('tr', { role: 'row' }, make('td', { role: 'cell', colspan: t.columns.length }, t.more)));
    // Roles, since narrow panels lay rows out as lines.
    return make('table', { role: 'table' }, make('caption', {}, t.title),
      make('thead', { role: 'rowgroup' }, make('tr', { role: 'row' }, ...t.columns.map((c) => make('th', { scope: 'col', role: 'columnheader' }, c)))), body);
  };
  let moment = null;
  const show = (s) => once('why', [s.why, s.selected.strand, s.selected.thread], () => {
    const w = s.why;
    text($('why-head'), w.title || 'Why?');
    const box = $('why-lines');
    // A table that is drawn again must not take the focus away.
    const focused = document.activeElement?.closest?.('#why-lines .link')?.dataset.thread;
    const [first, ...rest] = w.lines.length ? w.lines : [HINT];
    box.replaceChildren(make('p', {}, first),
      ...(w.source ? [make('p', { class: 'rule' }, 'Rule: ', make('code', {}, w.source))] : []),
      ...rest.map((l) => make('p', {}, l)), ...w.tables.map(table), ...(w.unknown ? [make('p', {}, w.unknown)] : []));
    if (focused !== undefined) (box.querySelector(`.link[data-thread="${focused}"]`) ?? box).focus();
    moment = w.atNs ? { at: w.atNs, strand: w.strand } : null;
    const go = $('why-go');
    if (!moment && document.activeElement === go) box.focus();
    shown(go, moment !== null);
  });
  $('why-lines').addEventListener('click', (e) => {
    const b = e.target.closest('.link');
    if (b) send('select', { thread: Number(b.dataset.thread) });
  });
  $('why-go').addEventListener('click', () => {
    if (!moment) return;
    const { at, strand } = moment;
    send('pause');
    send('seek', { atNs: at });
    send('select', { strand });
  });
  $('why-large').addEventListener('click', (e) => {
    const on = document.body.classList.toggle('why-large');
    e.currentTarget.setAttribute('aria-pressed', String(on));
    e.currentTarget.scrollIntoView({ block: 'nearest' });
  });
  return { show };
})();
