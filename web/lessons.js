// Lessons: a prediction first, then the run that answers it. Scores stay here.
'use strict';
strandscope.lessons = (() => {
  const { send, on } = strandscope;
  const { file, lang } = strandscope.words;
  const { $, text, shown, make } = strandscope.view;
  const { read, nanoseconds, holds } = strandscopeLesson;
  const bar = $('lesson');
  let lesson = null, id = '', at = 0;
  let given = []; // by step: the choice made, or null
  let claims = []; // to be checked when the run is there

  // ---- what a step does to the run --------------------------------------------------
  const acts = {
    load: (v) => send('load', { scenario: v }),
    document: (v) => strandscope.loadText('lesson.json', v),
    set: (v) => { const [key, ...value] = v.split(' '); send('set', { key, value: value.join(' ') }); },
    at: (v) => send('seek', { atNs: String(nanoseconds(v)) }),
    play: () => send('play'),
    pause: () => send('pause'),
    speed: (v) => send('speed', { permille: Math.round(Number(v) * 1000) }),
    select: (v) => { const [kind, n] = v.split(' '); send('select', { [kind]: Number(n) }); },
    type: (v) => send('do', { line: v }),
    tool: (v) => document.querySelector(`#tools [data-tool="${v}"]`)?.click(),
    range: (v) => { const [a, b] = v.split(' '); send('zoom', { fromNs: String(nanoseconds(a)), toNs: String(nanoseconds(b)) }); },
    runto: (v) => send('runTo', { to: v }),
    check: (v) => claims.push(v),
  };
  const run = (commands) => {
    if (!commands.length) return;
    claims = [];
    if (!commands.some(([verb]) => verb === 'play')) send('pause');
    const tools = commands.filter(([verb]) => verb === 'tool');
    for (const [verb, rest] of commands) if (verb !== 'tool') acts[verb](rest);
    pending = tools; // the tools of a scenario are there when it is
  };
  let pending = [];
  on('state', (s) => {
    if (!lesson || !strandscope.settled) return;
    for (const [verb, rest] of pending.splice(0)) acts[verb](rest);
    if (claims.length) text($('lesson-checks'), claims.map((c) => `${holds(c, s) ? '✓' : '✗'} ${c}`).join('   '));
  });

  // ---- how a step looks -----------------------------------------------------------
  // inline sets `code` and **bold**; nothing is read as HTML.
  const inline = (s) => s.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((p) => (p.startsWith('`') ? make('code', {}, p.slice(1, -1))
    : p.startsWith('**') ? make('b', {}, p.slice(2, -2)) : p));
  const score = () => {
    const asked = lesson.steps.filter((s) => s.predict).length;
    const right = lesson.steps.filter((s, i) => s.predict && given[i] === s.answer).length;
    text($('lesson-score'), `${right} of ${asked} predicted`);
  };
  const verdict = () => {
    const s = lesson.steps[at], done = given[at] !== null;
    [...$('lesson-choices').children].forEach((label, i) => {
      label.querySelector('input').disabled = done;
      text(label.querySelector('small'), !done ? '' : i === s.answer ? '✓ right' : i === given[at] ? '✗ your choice' : '');
      label.classList.toggle('right', done && i === s.answer);
      label.classList.toggle('wrong', done && i === given[at] && i !== s.answer);
    });
    shown($('lesson-because'), done && s.predict !== '');
    shown($('lesson-check'), !done && s.predict !== '');
    $('lesson-check').disabled = !$('lesson-choices').querySelector('input:checked');
    score();
  };
  const paint = () => {
    const s = lesson.steps[at];
    text($('lesson-title'), lesson.title);
    text($('lesson-count'), `${at + 1} of ${lesson.steps.length}`);
    text($('lesson-step'), s.title);
    $('lesson-text').replaceChildren(...s.text.map((p) => make('p', {}, ...inline(p))));
    text($('lesson-ask'), s.predict);
    shown($('lesson-question'), s.predict !== '');
    $('lesson-choices').replaceChildren(...s.choices.map((c, i) => {
      const input = make('input', { type: 'radio', name: 'lesson-choice', value: i });
      input.checked = given[at] === i;
      return make('label', {}, input, make('span', { translate: said }, ...inline(c)), make('small', {}));
    }));
    $('lesson-because').replaceChildren(...inline(s.because));
    $('lesson-teacher').replaceChildren(...(s.minutes ? [make('b', {}, `${s.minutes} min. `)] : []), ...inline(s.teacher));
    shown($('lesson-teacher'), $('lesson-notes').getAttribute('aria-pressed') === 'true');
    text($('lesson-checks'), '');
    $('lesson-back').disabled = at === 0;
    $('lesson-next').disabled = at === lesson.steps.length - 1;
    verdict();
  };
  const isRun = ([verb]) => verb === 'load' || verb === 'document';
  let loaded = ''; // the command that began the present run
  const go = (n, still) => {
    if (!lesson || n < 0 || n >= lesson.steps.length) return;
    at = n;
    paint();
    if (still) return; // whoever asks has the run already
    const s = lesson.steps[n];
    // A step goes on from the run of those before it, also for who comes from elsewhere.
    const before = lesson.steps.slice(0, n).flatMap((b) => [...b.scope, ...b.reveal]).filter(isRun).at(-1);
    if (before && String(before) !== loaded && !s.scope.some(isRun)) acts[before[0]](before[1]);
    run(s.scope);
    loaded = String([...(before ? [before] : []), ...s.scope].filter(isRun).at(-1) ?? '');
    if (given[n] !== null) { run(s.reveal); loaded = String(s.reveal.filter(isRun).at(-1) ?? loaded); }
    $('lesson-step').focus();
  };
  const reveal = () => {
    const choice = $('lesson-choices').querySelector('input:checked');
    if (!choice || given[at] !== null) return;
    given[at] = Number(choice.value);
    verdict();
    const { reveal: after } = lesson.steps[at];
    run(after);
    loaded = String(after.filter(isRun).at(-1) ?? loaded);
    $('lesson-because').focus();
  };

  // What a lesson in the reader's language says itself is not to be put into it again.
  const OWN = ['lesson-title', 'lesson-step', 'lesson-text', 'lesson-ask', 'lesson-because', 'lesson-teacher', 'handout'];
  let said = 'yes';

  // ---- coming and going ----------------------------------------------------------------
  const open = async (name, step = 0, still = false) => {
    try {
      const own = lang === 'en' ? null : await file(`web/lessons/${lang}/${name}.md`).catch(() => null);
      said = own ? 'no' : 'yes';
      lesson = read(own ?? await file(`web/lessons/${name}.md`));
    } catch (e) {
      strandscope.view.notice(`The lesson “${name}” cannot be shown: ${e.message}`);
      return;
    }
    for (const part of OWN) $(part).translate = said !== 'no';
    id = name;
    loaded = '';
    given = lesson.steps.map(() => null);
    shown(bar, true);
    go(Math.min(Math.max(0, step), lesson.steps.length - 1), still);
  };
  // A link holds the lesson and its step; the run comes with the link.
  strandscope.address?.part('n', {
    take: () => (lesson ? `${id}.${at + 1}` : undefined),
    open: (n) => {
      const m = /^([a-z0-9-]+)\.(\d+)$/.exec(n ?? '');
      if (m) open(m[1], Number(m[2]) - 1, true);
      else if (lesson) leave();
    },
  });
  const leave = () => {
    lesson = null;
    id = '';
    shown(bar, false);
    black(false);
  };
  const close = () => {
    leave();
    $('lessons').focus();
  };
  const black = (on_) => { shown($('black'), on_); if (on_) $('black').focus(); };
  const next = () => { if (lesson && !$('lesson-next').disabled) go(at + 1); };
  const back = () => { if (lesson && !$('lesson-back').disabled) go(at - 1); };
  // Presenters' keys, as clickers send them; in the picture, too.
  const keys = { PageDown: next, PageUp: back, b: () => black($('black').hidden) };
  const key = (e) => {
    if (!lesson || !keys[e.key] || e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === 'b' && (!$('keys-on').checked || e.target.matches?.('select, textarea, input:not([type=radio])'))) return;
    e.preventDefault();
    keys[e.key]();
  };
  addEventListener('keydown', key);
  on('started', () => { try { $('stage').contentDocument.addEventListener('keydown', key); } catch { /* a frame of another origin keeps its keys */ } });
  $('lesson-next').addEventListener('click', next);
  $('lesson-back').addEventListener('click', back);
  $('lesson-close').addEventListener('click', close);
  $('lesson-check').addEventListener('click', reveal);
  $('lesson-choices').addEventListener('change', () => { $('lesson-check').disabled = false; });
  $('black').addEventListener('click', () => black(false));
  $('black').addEventListener('keydown', (e) => { if (e.key === 'Tab' || e.key === 'b') return; e.preventDefault(); e.stopPropagation(); black(false); });
  const toggle = (button, fn) => $(button).addEventListener('click', (e) => {
    const pressed = e.currentTarget.getAttribute('aria-pressed') !== 'true';
    e.currentTarget.setAttribute('aria-pressed', String(pressed));
    fn(pressed);
  });
  toggle('lesson-notes', (yes) => shown($('lesson-teacher'), yes));
  toggle('lesson-large', (yes) => document.documentElement.classList.toggle('large', yes));

  // ---- the handout: the whole lesson on paper, with or without its answers -----------------
  const sheet = (answers) => lesson.steps.map((s, i) => make('section', {}, make('h2', {}, `${i + 1}. ${s.title}`),
    ...s.text.map((p) => make('p', {}, ...inline(p))), make('p', {}, make('b', {}, s.predict)),
    make('ul', {}, ...s.choices.map((c, k) => make('li', {}, `${answers && k === s.answer ? '☒' : '☐'} `, ...inline(c)))),
    ...(answers ? [make('p', {}, ...inline(s.because)), make('p', { class: 'teacher' }, `${s.minutes} min. `, ...inline(s.teacher))] : [make('div', { class: 'lines' })])));
  const handout = (answers) => {
    $('handout').replaceChildren(make('h1', {}, lesson.title), make('p', {}, lesson.goal), ...sheet(answers), make('p', { class: 'source' }, lesson.source));
    document.documentElement.dataset.print = 'handout';
    print();
    delete document.documentElement.dataset.print;
  };
  $('lesson-print').addEventListener('click', () => handout($('lesson-notes').getAttribute('aria-pressed') === 'true'));

  // ---- the list --------------------------------------------------------------------------
  const list = $('lessons');
  file('web/lessons/index.json').then((t) => {
    list.append(...JSON.parse(t).map((l) => make('option', { value: l.id }, `${l.title} (${l.minutes} min)`)));
  }).catch((e) => console.warn(`There is no list of lessons: ${e.message}`));
  list.addEventListener('change', () => { const { value } = list; list.value = ''; if (value) open(value); });
  const wanted = /^([a-z0-9-]+)(?:\.(\d+))?$/.exec(new URLSearchParams(location.search).get('lesson') ?? '');
  if (wanted) open(wanted[1], Number(wanted[2] ?? 1) - 1);

  return { open, close, go, get at() { return lesson ? { id, step: at } : null; }, get steps() { return lesson?.steps.length ?? 0; } };
})();
