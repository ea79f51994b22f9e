// The page's controls: each one sends a command, none changes anything itself.
'use strict';
(() => {
  const { send, on, wanted, typed, restart, view } = strandscope;
  const { $, text, shown, times } = view;
  const root = document.documentElement;

  // ---- time ----------------------------------------------------------------------
  wanted.playing = !matchMedia('(prefers-reduced-motion: reduce)').matches;
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  wanted.quiet = still.matches;
  still.addEventListener('change', () => { wanted.quiet = still.matches; send('quiet', { on: still.matches }); });
  let playing = wanted.playing; // as shown; before the program is there, as wanted
  const toggle = () => send(playing ? 'pause' : 'play');
  const reset = () => send('reset');
  const step = () => send('step');
  $('play').addEventListener('click', toggle);
  $('reset').addEventListener('click', reset);
  $('step').addEventListener('click', step);
  // A tenth of a decade a notch, rounded to two figures: 1, 1.3, 1.6, 2, 2.5 …
  const permille = (notch) => {
    const v = 10 ** (notch / 10 + 3);
    return Math.round(Number(v.toPrecision(2)));
  };
  $('speed').addEventListener('input', (e) => {
    const p = permille(Number(e.target.value));
    text($('speed-value'), `×${times(p)}`);
    e.target.setAttribute('aria-valuetext', `${times(p)} times real time`);
    send('speed', { permille: p });
  });

  // ---- what is run -----------------------------------------------------------------
  $('scenario').addEventListener('change', (e) => { if (e.target.value) send('load', { scenario: e.target.value }); });
  for (const key of ['class', 'explanation', 'kernel']) {
    $(key).addEventListener('change', (e) => send('set', { key, value: e.target.value }));
  }
  $('ask').addEventListener('change', (e) => {
    const [kind, number] = e.target.value.split(' ');
    send('select', kind ? { [kind]: Number(number) } : {});
  });

  Object.assign(strandscope.shortcuts.acts, { toggle, step, reset }, strandscope.transport.acts);

  // ---- being seen ----------------------------------------------------------------------
  let within = true;
  const seen = () => send('show', { visible: within && !document.hidden });
  document.addEventListener('visibilitychange', seen);
  new IntersectionObserver((entries) => {
    const now = entries.at(-1).isIntersecting;
    if (now !== within) { within = now; seen(); }
  }).observe(document.body);

  // ---- narrow pages: the aside folds ---------------------------------------------------
  const narrow = matchMedia('(max-width: 899px)');
  const fold = () => { $('settings').open = !narrow.matches; };
  narrow.addEventListener('change', fold);
  fold();

  // ---- loading, and what can go wrong ---------------------------------------------------
  const megabytes = (n) => `${(n / 1e6).toFixed(1)} MB`;
  const cover = (words, figures, again) => {
    shown($('cover'), true);
    text($('cover-text'), words);
    text($('cover-figures'), figures);
    shown($('restart'), again);
    shown($('progress'), !again);
  };
  $('restart').addEventListener('click', () => { cover('Starting again.', '', false); restart(); });
  on('loading', (m) => {
    const bar = $('progress');
    if (m.total) { bar.max = m.total; bar.value = m.loaded; } else bar.removeAttribute('value');
    text($('cover-figures'), m.total ? `${megabytes(m.loaded)} of ${megabytes(m.total)}` : megabytes(m.loaded));
  });
  on('started', () => { $('progress').removeAttribute('value'); text($('cover-figures'), 'Starting…'); });
  on('lost', (m) => {
    if (m.again) cover('The browser took the picture away. It is being brought back, at the same time of the same run.', '', false);
    else cover('The browser takes the picture away again and again. Close other pages with pictures, then start again; the run is kept.', '', true);
  });
  on('turning', (words) => cover(words, '', false));
  on('failed', (m) => {
    root.classList.add('failed');
    const s = strandscope.state;
    const where = s.scenario ? `It ran ${[`scenario ${s.scenario.id || s.scenario.title}`,
      ...[...s.settings, ...typed(s)].map((v) => `${v.key}=${v.value}`), `time ${s.now}`, `event ${s.events}`].join(', ')}.` : '';
    cover(m.reason, where, true);
    text($('twin'), `The simulator does not run. ${m.reason}`);
  });
  on('state', (s) => {
    playing = s.playing;
    root.classList.remove('failed');
    if (s.picture) shown($('cover'), false);
    else cover('There is no picture: this browser gives the page no WebGL 2. The simulation runs all the same, and its figures are in words and tables below.', '', false);
    if (!s.picture) { shown($('progress'), false); view.plain(s); }
    shown($('plain'), !s.picture);
    shown($('poster'), s.picture);
    view.show(s);
    strandscope.display.show(s);
    strandscope.tasks.show(s);
    strandscope.transport.show(s);
    strandscope.why.show(s);
    strandscope.editor.show(s);
    strandscope.questions.show(s);
    strandscope.console.show(s);
    strandscope.replay.show(s);
    strandscope.jobs.show(s);
    strandscope.kernels.show(s);
    strandscope.recording.show(s);
    document.body.classList.toggle('book', view.ofBook(s));
  });
})();
