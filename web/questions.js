// Questions about a scenario: a prediction first, then the answer and its reason.
'use strict';
strandscope.questions = (() => {
  const { $, text, shown, make, once } = strandscope.view;
  const narrow = matchMedia('(max-width: 899px)');
  let list = [], at = 0;
  let given = []; // by question: the choice checked, or null

  const picked = () => $('choices').querySelector('input:checked');
  const verdict = () => {
    const q = list[at], answer = given[at];
    const done = answer !== null;
    [...$('choices').children].forEach((label, i) => {
      const mark = label.querySelector('small');
      label.querySelector('input').disabled = done;
      text(mark, !done ? '' : i === q.answer ? '✓ right' : i === answer ? '✗ your choice' : '');
      label.classList.toggle('right', done && i === q.answer);
      label.classList.toggle('wrong', done && i === answer && i !== q.answer);
    });
    $('verdict').replaceChildren(...(done
      ? [make('b', {}, answer === q.answer ? '✓ Right. ' : `✗ Not so: ${q.choices[q.answer]}. `), q.why] : []));
    shown($('verdict'), done);
    shown($('check'), !done);
    $('check').disabled = !picked();
    shown($('another'), list.length > 1);
    text($('another'), at + 1 < list.length ? 'Next question' : 'First question');
  };
  const ask = () => {
    const q = list[at];
    text($('questions-count'), list.length > 1 ? `· ${at + 1} of ${list.length}` : '');
    text($('ask-text'), q.ask);
    $('choices').replaceChildren(...q.choices.map((c, i) => {
      const input = make('input', { type: 'radio', name: 'choice', value: i });
      input.checked = given[at] === i;
      return make('label', {}, input, make('span', {}, c), make('small', {}));
    }));
    verdict();
  };

  $('choices').addEventListener('change', () => { $('check').disabled = false; });
  $('check').addEventListener('click', () => {
    if (!picked()) return;
    given[at] = Number(picked().value);
    verdict();
    $('verdict').focus(); // the button is gone; readers go on from here
  });
  $('another').addEventListener('click', () => { at = (at + 1) % list.length; ask(); });

  const show = (s) => once('questions', [s.scenario.id, s.scenario.title, s.scenario.questions], () => {
    list = s.scenario.questions;
    at = 0;
    given = list.map(() => null);
    shown($('questions'), list.length > 0);
    $('questions').open = list.length > 0 && !narrow.matches;
    if (list.length > 0) ask();
  });
  return { show };
})();
