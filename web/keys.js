// The keys, in one table: the page acts on it, the stage passes on what it names
// (it loads this file too), and the sheet of shortcuts lists it.
'use strict';
const strandscopeKeys = (() => {
  const ARROWS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'];
  // where: 'page' anywhere but in a text field; 'picture' while the picture has the
  // focus; 'console' in its line, which deals with them itself. shift: held, or else
  // not, unless it is 'any': on some keyboards a sign needs it.
  const list = [
    { where: 'page', keys: [' '], show: 'Space', does: 'play or pause', act: 'toggle' },
    { where: 'page', keys: ['.'], show: '.', does: 'one clock tick on', act: 'step', repeat: true },
    { where: 'page', keys: [','], show: ',', does: 'one clock tick back', act: 'stepBack', repeat: true },
    { where: 'page', keys: ['>'], show: '>', does: 'to the next decision', act: 'decision', repeat: true, shift: 'any' },
    { where: 'page', keys: ['<'], show: '<', does: 'to the decision before', act: 'decisionBack', repeat: true, shift: 'any' },
    { where: 'page', keys: ['g'], show: 'G', does: 'run to a condition', act: 'runTo' },
    { where: 'page', keys: ['u'], show: 'U', does: 'undo the last change', act: 'undo' },
    { where: 'page', keys: ['U'], show: 'Shift U', does: 'do it again', act: 'redo', shift: true },
    { where: 'page', keys: ['c'], show: 'C', does: 'compare with another run', act: 'compare' },
    { where: 'page', keys: ['f'], show: 'F', does: 'fork here and change one thing', act: 'fork' },
    { where: 'page', keys: ['x'], show: 'X', does: 'swap the sides that are compared', act: 'swap' },
    { where: 'page', keys: ['r'], show: 'R', does: 'start the scenario again', act: 'reset' },
    { where: 'page', keys: ['?'], show: '?', does: 'this list', act: 'sheet', shift: 'any' },
    { where: 'picture', keys: [...ARROWS, 'Home', 'End'], show: '← → ↑ ↓ Home End', does: 'choose a strand; or move the timeline’s cursor' },
    { where: 'picture', keys: ARROWS, shift: true, show: 'Shift ← →', does: 'move the cursor to the next change' },
    { where: 'picture', keys: ['t'], show: 'T', does: 'put a cursor into the timeline' },
    { where: 'picture', keys: ['T'], shift: true },
    { where: 'picture', keys: ['o'], show: 'O', does: 'take the chosen strand off-line, or back' },
    { where: 'picture', keys: ['Enter'], show: 'Enter', does: 'ask about the thread at the cursor' },
    { where: 'picture', keys: ['+', '='], show: '+', does: 'show less time, closer' },
    { where: 'picture', keys: ['-'], show: '−', does: 'show more time' },
    { where: 'picture', keys: ['+', '_', '='], shift: true },
    { where: 'picture', keys: ['0'], show: '0', does: 'show the whole run' },
    { where: 'picture', keys: ['Escape'], show: 'Esc', does: 'take cursor or choice away; from a large panel back to all' },
    { where: 'lesson', keys: ['PageDown'], show: 'Page Down', does: 'next step' },
    { where: 'lesson', keys: ['PageUp'], show: 'Page Up', does: 'step before' },
    { where: 'lesson', keys: ['b'], show: 'B', does: 'black screen, and back' },
    { where: 'console', show: 'Enter', does: 'run the line' },
    { where: 'console', show: '↑ ↓', does: 'recall lines' },
    { where: 'console', show: 'Tab', does: 'complete; after Esc, or on an empty line, leave' },
    { where: 'console', show: 'Ctrl C', does: 'interrupt the command' },
    { where: 'console', show: 'Ctrl L', does: 'clear the log' },
  ];
  const find = (where, key, shift) => list.find((k) => k.where === where && k.keys?.includes(key) && (k.shift === 'any' || Boolean(k.shift) === shift));
  return {
    list,
    // inPicture reports whether the program wants a key.
    inPicture: (e) => Boolean(find('picture', e.key, e.shiftKey)),
    // inPage is the entry that a key event stands for, if any.
    inPage: (e) => {
      const k = find('page', e.key, e.shiftKey);
      return k && (!e.repeat || k.repeat) ? k : null;
    },
  };
})();
