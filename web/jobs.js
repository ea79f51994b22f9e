// Job lists, as textbooks have them: the table, every policy on one list, and a list
// of one's own.
'use strict';
strandscope.jobs = (() => {
  const { send, on } = strandscope;
  const { $, text, shown, make, once } = strandscope.view;
  const HEADS = ['job', 'arrival', 'ran', 'start', 'finish', 'response', 'turnaround', 'waiting'];
  const TASKS = ['task', 'released', 'finished', 'missed', 'worst response'];

  const cells = (tag, row) => row.map((c, i) => make(i === 0 ? 'th' : tag, i === 0 ? { scope: 'row' } : i === row.length - 1 && /^[A-Z-]{8,}$/.test(c) ? { class: 'order' } : {}, c));
  const table = (heads, rows, label) => make('table', { class: 'figures', 'aria-label': label },
    make('thead', {}, make('tr', {}, ...heads.map((h) => make('th', { scope: 'col' }, h)))),
    make('tbody', {}, ...rows.map((r) => make('tr', {}, ...cells('td', r)))));
  const mean = (m) => (m.exact === '' ? '–' : m.exact === m.decimal || !m.exact.includes('/') ? m.exact : `${m.exact} = ${m.decimal}`);

  // book is the table of a list that runs, or of an exercise's answer.
  const book = (b) => {
    if (b.tasks.length) return [table(TASKS, b.tasks, 'Periodic tasks')];
    const rows = b.rows.map((r) => r.map((c) => c || '–'));
    const t = table(HEADS, rows, 'Jobs, in units of time');
    t.append(make('tfoot', {}, make('tr', {}, make('th', { scope: 'row', colspan: 5 }, 'mean'), ...b.means.map((m) => make('td', {}, mean(m))))));
    const out = [t];
    if (b.more) out.push(make('p', { class: 'source' }, `… and ${b.more} more`));
    if (b.left) out.push(make('p', { class: 'source' }, `${b.left} of ${b.rows.length + b.more} jobs have not ended; they are in no mean.`));
    return out;
  };
  const order = (b) => b.order.map((line, i) => make('p', { class: 'order' }, `${b.order.length > 1 ? `cpu${i}` : 'order'}: `, make('code', {}, line)));

  // ---- every policy ---------------------------------------------------------------
  const policies = $('policies');
  $('all-policies').addEventListener('click', () => { send('policies', { quantum: $('policies-quantum').value.trim() }); });
  on('policies', (m) => {
    if (m.error) { policies.replaceChildren(make('p', { class: 'wrong' }, m.error)); return; }
    const periodic = m.rows.some((r) => r.released > 0);
    const star = (s, best) => (best ? `${s} ★` : s);
    const least = Math.min(...m.rows.map((r) => r.missed));
    const rows = m.rows.map((r) => (periodic ? [r.name, String(r.released), star(String(r.missed), r.missed === least)]
      : [r.name, ...r.means.map((x, i) => star(mean(x), r.best[i])), r.order.length <= 60 ? r.order : '']));
    policies.replaceChildren(table(periodic ? ['policy', 'released', 'missed'] : ['policy', 'mean response', 'mean turnaround', 'mean waiting', 'order'], rows, 'Every policy on this list'),
      make('p', { class: 'source' }, '★: no policy here has less.'));
    policies.focus();
  });

  // ---- a list of one's own -----------------------------------------------------------
  const KEYS = { rr: ['quantum', 'tie'], 'prio-rr': ['quantum', 'tie'], mlfq: ['quantum'], lottery: ['quantum'], stride: ['quantum'], multi: ['quantum'] };
  const kernel = $('list-policy');
  const keys = () => {
    const has = KEYS[kernel.value.replace('textbook-', '')] ?? [];
    shown($('list-quantum').parentElement, has.includes('quantum'));
    shown($('list-tie').parentElement, has.includes('tie'));
    shown($('list-unit').parentElement, !kernel.value.startsWith('textbook-'));
  };
  kernel.addEventListener('change', keys);
  keys();
  // figure is a number, a list of them, or a word: what the program refuses it names.
  const figure = (s) => {
    const parts = s.split(',').map((p) => p.trim());
    const all = parts.map((p) => (p !== '' && !Number.isNaN(Number(p)) ? Number(p) : p));
    return all.length > 1 ? all : all[0];
  };
  const document_ = () => {
    const scheduler = { kernel: kernel.value };
    for (const [id, key] of [['list-quantum', 'quantum'], ['list-tie', 'tie']]) {
      if (!$(id).parentElement.hidden && $(id).value.trim() !== '') scheduler[key] = figure($(id).value);
    }
    if (!$('list-unit').parentElement.hidden) scheduler.unit = Number($('list-unit').value) * 1000;
    const cpus = Number($('list-cpus').value);
    return {
      title: `A list of one's own · ${kernel.selectedOptions[0].label}`, scheduler, jobs: $('list-text').value,
      ...(cpus === 1 ? {} : { machine: { chips: 1, cores: cpus, strands: 1 } }),
    };
  };
  $('list').addEventListener('submit', (e) => {
    e.preventDefault();
    strandscope.loadText('jobs.json', JSON.stringify(document_()));
  });
  $('list-draw').addEventListener('click', () => {
    // The program draws: equal seeds are equal lists here and on the command line.
    const doc = { ...document_(), jobs: { random: Number($('list-n').value), seed: Number($('list-seed').value) } };
    strandscope.loadText('jobs.json', JSON.stringify(doc));
  });
  $('list-file').addEventListener('change', async (e) => {
    const [file] = e.target.files;
    if (!file) return;
    if (file.size > 4 << 20) { text($('list-wrong'), `${file.name} has ${file.size} bytes; a list may have 4 MB.`); return; }
    text($('list-wrong'), '');
    $('list-text').value = await file.text();
    e.target.value = '';
  });

  const show = (s) => {
    if (!s.jobs) { once('book', null, () => $('book').replaceChildren()); return; }
    once('book', s.book, () => $('book').replaceChildren(...book(s.book), ...order(s.book)));
    once('list', [s.scenario.id, s.scenario.title, s.scenario.list], () => {
      policies.replaceChildren();
      if (s.scenario.list) $('list-text').value = s.scenario.list;
      if ([...kernel.options].some((o) => o.value === s.scenario.kernel)) { kernel.value = s.scenario.kernel; keys(); }
    });
  };
  return { show, table, book, order, mean };
})();
