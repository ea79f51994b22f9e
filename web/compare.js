// The comparison: two runs on one clock, and a table of what differs. Each control
// sends a command, and shows what the program then tells.
'use strict';
strandscope.compare = (() => {
  const { send, on, view, figures, shortcuts } = strandscope;
  const { $, text, shown, make, once } = view;
  let state = null;   // the last one
  let rows = [];      // of the table
  let comparing = false;

  // ---- the table ------------------------------------------------------------------
  const columns = (c) => [['A', c.left.title], ['B', c.right.title]];
  const table = (c) => {
    rows = figures.table(c.left, c.right);
    const body = $('compare-rows');
    once('compare-heads', rows.map((r) => r.label), () => body.replaceChildren(...rows.map((r) => make('tr', { 'data-id': r.id },
      make('th', { scope: 'row', title: r.help }, r.label), make('td', {}), make('td', {}), make('td', {})))));
    rows.forEach((row, i) => {
      const tr = body.children[i];
      row.values.forEach((value, j) => text(tr.children[j + 1], value));
      tr.classList.toggle('same', !/[1-9]/.test(row.values[2]));
    });
    columns(c).forEach(([name, title], i) => text($('compare-columns').children[i + 1], `${name} ${title}`));
  };
  const copied = () => [['figure', ...columns(state.compare).map((c) => c.join(' ')), 'B − A'],
    ...rows.map((r) => [r.label, ...r.values])].map((cells) => cells.join('\t')).join('\n');
  $('compare-copy').addEventListener('click', async () => {
    let said = 'The table was copied, with tabs between its columns.';
    try { await navigator.clipboard.writeText(copied()); } catch { said = 'The browser does not let the page copy: mark the table and copy it.'; }
    text($('compare-said'), said);
  });

  // ---- the sides --------------------------------------------------------------------
  for (const side of ['left', 'right']) $(`compare-${side}`).addEventListener('change', () => send('focus', { side }));
  const swap = () => { if (comparing) send('swap'); };
  $('compare-swap').addEventListener('click', swap);
  $('compare-end').addEventListener('click', () => { send('uncompare'); });
  $('compare-settings').addEventListener('click', () => {
    const open = document.body.classList.toggle('with-settings');
    $('compare-settings').setAttribute('aria-expanded', String(open));
  });

  // ---- the forms --------------------------------------------------------------------
  const options = (select, choices, value) => {
    select.replaceChildren(...choices.map((c) => make('option', { value: c.value }, c.label)));
    select.value = value;
  };
  // other is the first choice that is not in force.
  const other = (choices, value) => choices.find((c) => c.value !== value && c.value === 'FSS')?.value
    ?? choices.find((c) => c.value !== value)?.value ?? value;
  const same = () => $('compare-with').value === '';
  const unset = (id) => $(`${id}-class`).value === 'unset';
  const fitted = () => {
    const { classes, explanations, kernels } = state.choices;
    shown($('compare-kernel-field'), same() && kernels.length > 0);
    shown($('compare-class-field'), same() && classes.length > 0);
    shown($('compare-explanation-field'), same() && explanations.length > 0 && unset('compare'));
    const what = $('fork-form').elements.what.value;
    shown($('fork-line-field'), what === 'line');
    shown($('fork-class-field'), what === 'class');
    shown($('fork-explanation-field'), what === 'class' && explanations.length > 0 && unset('fork'));
  };
  const fill = (id) => {
    const { classes, explanations } = state.choices;
    options($(`${id}-class`), classes, other(classes, state.scenario.class));
    options($(`${id}-explanation`), explanations, state.scenario.explanation);
  };
  const open = () => {
    if (!state || comparing) return;
    const { scenarios } = state.choices;
    options($('compare-with'), [{ value: '', label: 'the same scenario, with another setting' }, ...scenarios], '');
    fill('compare');
    const { kernels, classes } = state.choices, now = state.scenario.kernel;
    if (kernels.length) { // another kernel is what such a scenario is about
      options($('compare-kernel'), kernels, kernels.at(-1).value === now ? kernels[0].value : kernels.at(-1).value);
      options($('compare-class'), classes, state.scenario.class);
    }
    fitted();
    $('compare-dialog').showModal();
  };
  $('compare-open').addEventListener('click', open);
  const fork = () => {
    if (!state) return;
    fill('fork');
    // Something that the machine knows, to begin with.
    $('fork-line').value = state.scenario.kernel === 'solaris10' ? 'psradm -f 0' : '';
    shown($('fork-form').querySelector('[value="class"]').parentElement, state.choices.classes.length > 0);
    fitted();
    $('fork-dialog').showModal();
  };
  for (const b of document.querySelectorAll('[data-fork]')) b.addEventListener('click', fork);
  for (const f of ['compare-form', 'fork-form']) $(f).addEventListener('change', fitted);
  for (const b of document.querySelectorAll('[data-close]')) b.addEventListener('click', () => b.closest('dialog').close());

  $('compare-form').addEventListener('submit', () => {
    if (!same()) { send('compare', { scenario: $('compare-with').value, settings: [] }); return; }
    const settings = [{ key: 'class', value: $('compare-class').value }];
    if (state.choices.kernels.length) {
      if (settings[0].value === state.scenario.class) settings.pop();
      settings.unshift({ key: 'kernel', value: $('compare-kernel').value });
    }
    if (!$('compare-explanation-field').hidden) settings.push({ key: 'explanation', value: $('compare-explanation').value });
    send('compare', { settings: state.choices.classes.length ? settings : [] });
  });
  $('fork-form').addEventListener('submit', () => {
    const what = $('fork-form').elements.what.value;
    if (what === 'line' && $('fork-line').value.trim()) send('fork', { line: $('fork-line').value.trim() });
    else if (what === 'class') {
      send('fork', { key: 'class', value: $('fork-class').value });
      if (!$('fork-explanation-field').hidden) send('set', { key: 'explanation', value: $('fork-explanation').value });
    } else send('fork');
  });

  // ---- what the program tells ---------------------------------------------------------
  const show = (s) => {
    state = s;
    const c = s.compare;
    shown($('compare'), c !== null);
    shown($('compare-start'), c === null);
    document.body.classList.toggle('comparing', c !== null);
    if (comparing !== (c !== null)) {
      comparing = c !== null;
      // What had the focus may be gone: it goes to what stands for it now.
      if (document.activeElement === document.body || document.activeElement?.closest('#compare')?.hidden) {
        $(comparing ? 'compare-swap' : 'compare-open').focus({ preventScroll: true });
      }
    }
    if (!c) return;
    text($('compare-differs'), figures.differs(c.left, c.right) + (c.level ? '' : ' One side is catching up with the other.'));
    const focused = c.focus === 'left' ? 'A' : 'B';
    for (const side of ['left', 'right']) {
      $(`compare-${side}`).checked = c.focus === side;
      text($(`compare-${side}-title`), `${side === 'left' ? 'A' : 'B'} · ${c[side].title}`);
    }
    text($('compare-settings'), `Settings of ${focused}`);
    table(c);
  };
  on('state', show);
  Object.assign(shortcuts.acts, { compare: open, fork, swap });
  return { show };
})();
