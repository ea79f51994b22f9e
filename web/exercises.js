// Exercises on job lists: drawn from a seed, checked here, printed as sheets.
'use strict';
strandscope.exercises = (() => {
  const { send, on } = strandscope;
  const { $, text, shown, make } = strandscope.view;
  const { table, book, order } = strandscope.jobs;
  const dialog = $('exercises');

  // value reads 37/4, 9.25 or 9 1/4 as an exact fraction, null if it is none.
  const value = (s) => {
    const m = /^\s*(?:(\d+)\s+)?(\d+)(?:\/(\d+)|\.(\d+))?\s*$/.exec(s.replace(',', '.'));
    if (!m) return null;
    const [, whole, a, den, places] = m;
    if (places !== undefined) return whole ? null : [BigInt(a + places), 10n ** BigInt(places.length)];
    const d = BigInt(den ?? 1);
    if (d === 0n || (whole && !den)) return null;
    return [BigInt(whole ?? 0) * d + BigInt(a), d];
  };
  // same accepts the exact value, and a mean rounded to two places.
  const same = (given, want) => {
    const g = value(given);
    const is = (w) => { const x = value(w); return g !== null && x !== null && g[0] * x[1] === x[0] * g[1]; };
    return is(want.exact ?? want) || (want.decimal !== undefined && is(want.decimal));
  };
  const plain = (s) => s.replace(/[\s,;]/g, '').toUpperCase();

  const field = (label, want, check) => {
    const input = make('input', { type: 'text', size: 6, 'aria-label': label, autocomplete: 'off' });
    const mark = make('small', {});
    return {
      input, mark,
      check: () => {
        const ok = input.value.trim() !== '' && check(input.value, want);
        text(mark, ok ? '✓' : input.value.trim() === '' ? '· missing' : '✗');
        mark.className = ok ? 'right' : 'wrong';
        return ok;
      },
    };
  };
  const one = (e, i) => {
    const priorities = e.jobs.some((j) => j[3] !== '');
    const rows = e.jobs.map((j) => (priorities ? j : j.slice(0, 3)));
    const fields = [];
    const put = (label, want, check) => { const f = field(label, want, check); fields.push(f); return make('span', {}, f.input, f.mark); };
    const answers = make('table', { class: 'figures' },
      make('thead', {}, make('tr', {}, ...['job', 'turnaround', 'waiting'].map((h) => make('th', { scope: 'col' }, h)))),
      make('tbody', {}, ...e.answer.rows.map((r) => make('tr', {}, make('th', { scope: 'row' }, r[0]),
        make('td', {}, put(`turnaround of ${r[0]}`, r[6], same)), make('td', {}, put(`waiting of ${r[0]}`, r[7], same)))),
      make('tr', {}, make('th', { scope: 'row' }, 'mean'), make('td', {}, put('mean turnaround', e.answer.means[1], same)),
        make('td', {}, put('mean waiting', e.answer.means[2], same)))));
    const who = put('order, a letter for each unit, - for an idle one', e.answer.order[0], (g, w) => plain(g) === plain(w));
    who.firstChild.size = 28;
    const score = make('span', { role: 'status' });
    const solution = make('div', { class: 'solution' }, ...order(e.answer), ...book(e.answer));
    const check = make('button', { type: 'button', class: 'main' }, 'Check');
    check.addEventListener('click', () => {
      const right = fields.filter((f) => f.check()).length;
      text(score, ` ${right} of ${fields.length} right`);
    });
    const reveal = make('button', { type: 'button', 'aria-expanded': 'false' }, 'Answer');
    reveal.addEventListener('click', () => {
      const open = solution.classList.toggle('open');
      reveal.setAttribute('aria-expanded', String(open));
    });
    const run = make('button', { type: 'button' }, 'Run it');
    run.addEventListener('click', () => { strandscope.loadText(`exercise-${i + 1}.json`, e.document); dialog.close(); });
    return make('section', { 'aria-label': `Exercise ${i + 1}` }, make('h3', {}, `${i + 1}. ${e.rule}`),
      table(priorities ? ['job', 'arrival', 'burst', 'priority'] : ['job', 'arrival', 'burst'], rows, 'The jobs'),
      make('p', {}, e.asks), make('div', { class: 'answers' }, make('p', {}, make('label', {}, 'order '), who), answers,
        make('div', { class: 'buttons' }, check, reveal, run, score)), make('div', { class: 'lines', 'aria-hidden': 'true' }), solution);
  };

  const draw = () => send('exercises', { seed: Number($('exercises-seed').value), count: Number($('exercises-n').value) });
  on('exercises', (m) => {
    text($('exercises-wrong'), m.error);
    $('exercises-list').replaceChildren(...m.list.map(one));
  });
  $('exercises-open').addEventListener('click', () => { dialog.showModal(); if (!$('exercises-list').children.length) draw(); });
  $('exercises-form').addEventListener('submit', (e) => { e.preventDefault(); draw(); });
  $('exercises-close').addEventListener('click', () => dialog.close());
  for (const [id, what] of [['print-questions', 'questions'], ['print-answers', 'answers']]) {
    $(id).addEventListener('click', () => {
      document.documentElement.dataset.print = what;
      print();
      delete document.documentElement.dataset.print;
    });
  }
  return { value, same };
})();
