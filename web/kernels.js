// The scenario on every kernel that it offers, side by side: the program runs one after
// the other, a minute each, and tells after each.
'use strict';
strandscope.kernels = (() => {
  const { send, on, view, figures } = strandscope;
  const { $, text, shown, make, once } = view;
  let of = ''; // the run that the table is of

  $('kernels-open').addEventListener('click', () => {
    $('kernels').showModal();
    text($('kernels-said'), 'The kernels are being run.');
    shown($('kernels-scroll'), false);
    send('kernels');
  });
  $('kernels-close').addEventListener('click', () => $('kernels').close());
  $('kernels').addEventListener('click', (e) => { if (e.target === $('kernels')) $('kernels').close(); }); // beside it
  on('kernels', (m) => {
    text($('kernels-said'), m.error || (m.left ? `The kernels are being run; ${m.left} to go.` : 'Each ran for a minute from boot on, without what was typed here.'));
    shown($('kernels-scroll'), m.rows.length > 0);
    if (!m.rows.length) return;
    $('kernels-columns').replaceChildren(make('th', { scope: 'col' }, 'figure'), ...m.rows.map((k) => make('th', { scope: 'col' }, k.title)));
    $('kernels-rows').replaceChildren(...figures.kernels(m.rows).map((r) => make('tr', r.values.every((v) => v === r.values[0]) ? { class: 'same' } : {},
      make('th', { scope: 'row', title: r.help }, r.label), ...r.values.map((v) => make('td', {}, v)))));
  });
  const show = (s) => {
    shown($('kernels-open'), s.choices.kernels.length > 0);
    once('kernels-of', s.scenario.id || s.scenario.title, (id) => { if (of && of !== id && $('kernels').open) $('kernels').close(); of = id; });
  };
  return { show };
})();
