// Shortcuts: does what the table of keys says, and shows it as a sheet.
'use strict';
strandscope.shortcuts = (() => {
  const { on } = strandscope;
  const { $, make } = strandscope.view;
  const acts = {}; // by the table's names; whoever can do it puts it in

  // Keys of one character can be switched off, for those who speak to their computer.
  const KEY = 'strandscope.keys';
  const box = $('keys-on');
  try { box.checked = localStorage.getItem(KEY) !== 'off'; } catch { /* private window */ }
  box.addEventListener('change', () => { try { localStorage.setItem(KEY, box.checked ? 'on' : 'off'); } catch { /* for this visit only */ } });

  // Space belongs to a control that has the focus, letters to one that takes text.
  const takesText = (el) => el.matches('select, textarea, input:not([type=radio], [type=checkbox], [type=range]), [contenteditable]');
  const takesSpace = (el) => takesText(el) || el.matches('button, input, summary, a, [tabindex="0"]');
  addEventListener('keydown', (e) => {
    const k = e.ctrlKey || e.metaKey || e.altKey || !box.checked || document.querySelector('dialog[open]') ? null : strandscopeKeys.inPage(e);
    if (!k || !acts[k.act]) return;
    if (e.key === ' ' ? takesSpace(e.target) : takesText(e.target)) return;
    e.preventDefault();
    acts[k.act]();
  });
  // From the picture, which has the focus, they come as messages.
  on('key', (m) => { acts[m.act]?.(); });

  // ---- the sheet ---------------------------------------------------------------------
  const sheet = $('sheet');
  const HEADS = { page: 'Anywhere but in a text field', picture: 'In the picture', lesson: 'In a lesson', console: 'In the console' };
  $('sheet-rows').replaceChildren(...Object.entries(HEADS).map(([where, head]) => make('section', {}, make('h3', {}, head),
    make('dl', {}, ...strandscopeKeys.list.filter((k) => k.where === where && k.show)
      .map((k) => make('div', {}, make('dt', {}, make('kbd', {}, k.show)), make('dd', {}, k.does)))))));
  acts.sheet = () => sheet.showModal();
  $('keys').addEventListener('click', acts.sheet);
  $('sheet-close').addEventListener('click', () => sheet.close());
  sheet.addEventListener('click', (e) => { if (e.target === sheet) sheet.close(); }); // beside it

  // The page in one file holds what the link is to.
  $('licences').addEventListener('click', (e) => {
    const held = globalThis.strandscopeFiles?.['web/licences.txt'];
    if (held === undefined) return;
    e.preventDefault();
    open(URL.createObjectURL(new Blob([held], { type: 'text/plain;charset=utf-8' })));
  });

  // ---- past everything to one place ----------------------------------------------------
  for (const a of document.querySelectorAll('.skip')) {
    a.addEventListener('click', (e) => { e.preventDefault(); document.querySelector(a.hash).focus(); });
  }
  return { acts };
})();
