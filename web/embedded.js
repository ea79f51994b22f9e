// The embedded figure: what its address asks for, its few controls, and the way back
// to the whole page.
'use strict';
strandscope.embedded = (() => {
  const { send, on, wanted, address, alive } = strandscope;
  const $ = (id) => document.getElementById(id);
  const { write: text } = strandscope.words;
  const shown = (el, yes) => { if (el.hidden === yes) el.hidden = !yes; };
  const root = document.documentElement;

  // ---- the keys of the address ---------------------------------------------------------
  const PANELS = ['strands', 'runqueue', 'timeline', 'loadavg', 'utilisation', 'rqlen', 'ladder', 'wakes', 'cost'];
  const PARTS = ['play', 'class', 'speed', 'keys', 'picture'];
  const THEMES = ['auto', 'dark', 'light', 'projector'];
  const UNITS = { '': 1e9, s: 1e9, ms: 1e6, us: 1e3, min: 60e9, h: 3600e9 };
  const notes = []; // one sentence each, of what could not be obeyed
  const wrong = (key, value, want) => { notes.push(`${key} is “${value.slice(0, 60)}”, want ${want}.`); };
  const list = (all) => (v) => {
    const names = v.split(',').map((s) => s.trim()).filter(Boolean);
    return names.length && names.every((n) => all.includes(n)) ? [...new Set(names)] : null;
  };
  const oneOf = (...all) => (v) => (all.includes(v) ? v : null);
  const READ = {
    speed: [(v) => (/^\d{1,5}(\.\d{1,3})?$/.test(v) && v >= 0.01 && v <= 10000 ? Math.round(v * 1000) : null), 'a number from 0.01 to 10000'],
    panels: [list(PANELS), `some of ${PANELS.join(', ')}`],
    theme: [oneOf(...THEMES), `one of ${THEMES.join(', ')}`],
    start: [(v) => {
      const m = /^(\d{1,9}(?:\.\d{1,9})?)\s*(s|ms|us|min|h)?$/.exec(v);
      const ns = m ? Math.round(m[1] * UNITS[m[2] ?? '']) : -1;
      return ns >= 0 && ns <= 30 * 24 * 3600e9 ? ns : null;
    }, 'a time such as 10s, 300ms or 1.5min, of 720h at most'],
    autoplay: [oneOf('0', '1'), '0 or 1'],
    locked: [list(PARTS), `some of ${PARTS.join(', ')}`],
    load: [oneOf('seen', 'click'), 'seen or click'],
    lang: [(v) => (/^(en|de)\b/i.test(v) ? v : null), 'en or de'], // web/words.js
    scenario: [(v) => v || null, 'the name of a scenario'],
    class: [(v) => v || null, 'the name of a class'],
  };
  const query = new URLSearchParams(location.search);
  const get = (key) => {
    const v = query.get(key);
    if (v === null) return null;
    const [read, want] = READ[key];
    const value = read(v);
    if (value === null) wrong(key, v, want);
    return value;
  };
  const keys = Object.fromEntries(Object.keys(READ).map((k) => [k, get(k)]));
  const locked = new Set(keys.locked ?? []);

  // ---- theme: the host's word, else the address's, else the system's ---------------------
  const light = matchMedia('(prefers-color-scheme: light)');
  let theme = keys.theme ?? 'auto';
  const dress = () => {
    const name = theme === 'auto' ? (light.matches ? 'light' : 'dark') : theme;
    root.dataset.theme = name;
    wanted.theme = name;
    if (strandscope.ready) send('theme', { name });
  };
  light.addEventListener('change', dress);
  const setTheme = (name) => { theme = name; dress(); };

  // ---- panels ------------------------------------------------------------------------------
  // Few of them, unless the address or the link names others.
  const FEW = ['strands', 'runqueue', 'loadavg'];
  let panels = { order: [], hidden: PANELS.filter((id) => !FEW.includes(id)), large: '' }, cores = false;
  const setPanels = (ids) => { panels = { order: ids, hidden: PANELS.filter((id) => !ids.includes(id)), large: '' }; arrange(); };
  const arrange = () => { if (strandscope.ready) { send('panels', { ...panels, compact: true }); send('cores', { on: cores }); } };
  const carried = {}; // what the link held of the whole page's look
  const valid = (ids) => (Array.isArray(ids) ? [...new Set(ids)].filter((id) => PANELS.includes(id)) : []);
  address.part('a', {
    take: () => carried.a,
    open: (a) => {
      carried.a = a;
      if (!a || typeof a !== 'object') return;
      cores = a.c === true;
      const hidden = valid(a.h);
      if (!keys.panels && (hidden.length || a.l) && hidden.length < PANELS.length) panels = { order: valid(a.o), hidden, large: valid([a.l])[0] ?? '' };
      arrange();
    },
  });
  address.part('h', {
    take: () => (theme === 'auto' ? undefined : theme),
    open: (h) => { if (!keys.theme && THEMES.includes(h)) setTheme(h); },
  });
  dress();
  if (keys.panels) setPanels(keys.panels);
  // A stage that starts anew knows nothing of it, nor of the time that was shown.
  let range = null;
  alive.on((phase) => { if (phase === 'still' && strandscope.state.range) range = address.take(strandscope.state); });
  strandscope.onStart(() => {
    arrange();
    if (range) { address.openPart('r', range.r); address.openPart('o', range.o); }
  });

  // ---- what is run -------------------------------------------------------------------------
  let word = ''; // of the link
  const open = async () => {
    let parts = { s: keys.scenario ?? '' };
    if (address.isLink(location.hash)) {
      try {
        const linked = await address.decode(location.hash);
        if (!keys.scenario || keys.scenario === linked.s) parts = linked;
      } catch (e) { notes.push(`The link cannot be opened: ${e.message}.`); }
    }
    if (keys.class) { parts.c = [['class', keys.class], ...(parts.c ?? []).filter(([k]) => k !== 'class')]; delete parts.g; }
    if (keys.speed) parts.x = keys.speed;
    if (keys.start !== null) { parts.t = keys.start; delete parts.g; }
    const plays = keys.autoplay ? keys.autoplay === '1' : parts.p === 1;
    const { p, ...still } = parts;
    if (still.s === '') delete still.s;
    address.open(still, (said) => {
      word = said;
      if (alive.resumes || (plays && !matchMedia('(prefers-reduced-motion: reduce)').matches)) alive.play();
    });
  };

  // ---- controls ------------------------------------------------------------------------------
  let playing = false;
  const may = (part) => !locked.has(part);
  const run = () => { if (alive.phase === 'alive') { alive.rest(); send(playing ? 'pause' : 'play'); } else { alive.play(); alive.ask(true); } };
  const acts = {
    toggle: run, step: () => send('step'), stepBack: () => send('stepBack'), reset: () => send('reset'),
    decision: () => send('stepDecision'), decisionBack: () => send('stepDecisionBack'),
  };
  const act = (name) => { if (acts[name] && may('keys') && may('play') && (alive.phase === 'alive' || name === 'toggle')) acts[name](); };
  $('play').addEventListener('click', run);
  $('run').addEventListener('click', () => {
    if (alive.phase === 'alive') { strandscope.restart(); return; } // its picture was lost
    alive.ask(true); if (keys.autoplay !== '0' && may('play')) alive.play();
  });
  $('step').addEventListener('click', () => acts.step());
  $('class').addEventListener('change', (e) => send('set', { key: 'class', value: e.target.value }));
  $('speed').addEventListener('change', (e) => send('speed', { permille: Number(e.target.value) }));
  addEventListener('keydown', (e) => {
    const k = e.ctrlKey || e.metaKey || e.altKey ? null : strandscopeKeys.inPage(e);
    if (!k || !acts[k.act] || !may('keys')) return;
    if (e.target.matches('select') || (e.key === ' ' && e.target.matches('button, a'))) return;
    e.preventDefault();
    act(k.act);
  });
  on('key', (m) => act(m.act)); // from the picture
  if (!may('picture')) $('stage').inert = true;
  if (!may('play')) { $('play').disabled = true; $('step').disabled = true; }

  // ---- what is shown -------------------------------------------------------------------------
  const times = (p) => `×${String(Number((p / 1000).toPrecision(3)))}`;
  const options = (select, all, value) => {
    const now = JSON.stringify(all);
    if (select.dataset.has !== now) {
      select.dataset.has = now;
      select.replaceChildren(...all.map(([v, label]) => new Option(label, v)));
    }
    if (select.value !== value && document.activeElement !== select) select.value = value;
  };
  const SPEEDS = [100, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 1000000];
  const speeds = (permille) => options($('speed'), [...new Set([...SPEEDS, permille])].sort((a, b) => a - b).map((p) => [String(p), times(p)]), String(permille));
  const words = (s) => {
    const t = s.totals, el = $('words');
    const note = [s.fault || s.error, ...notes, word].filter(Boolean).join(' ');
    const sure = t.idleBesideWork > 0 ? [`${t.waiting} wait`, ` while ${t.idleBesideWork} strands idle`]
      : ['', `${t.busy} of ${t.strands} strand${t.strands === 1 ? '' : 's'} busy, ${t.waiting} wait`];
    const now = JSON.stringify([sure, note]);
    if (el.dataset.has === now) return;
    el.dataset.has = now;
    const b = document.createElement('b'), extra = document.createElement('span');
    b.textContent = sure[0];
    extra.className = 'note';
    extra.textContent = note ? ` · ${note}` : '';
    el.replaceChildren(b, sure[1], extra);
  };
  const rare = (ms, fn) => { // at most so often, and once more at the end
    let timer = 0, due = 0;
    return () => {
      const now = performance.now();
      if (timer) return;
      timer = setTimeout(() => { timer = 0; due = performance.now() + ms; fn(); }, Math.max(0, due - now));
    };
  };
  const speak = rare(1000, () => words(strandscope.state));
  const back = rare(1000, async () => {
    const s = strandscope.state;
    const to = async (parts) => `${new URL('../', document.baseURI).href}${location.search.includes('lang=') ? `?lang=${strandscope.words.lang}` : ''}#${await address.encode(parts)}`;
    const parts = address.take(s);
    $('whole').href = await to(parts);
    // Why: of the last strand where some idle beside waiting work, since kernels fill from the first.
    $('why').href = await to(parts.e ? parts : { ...parts, e: ['strand', s.totals.idleBesideWork > 0 ? s.totals.strands - 1 : 0] });
    shown($('why'), true);
  });
  let height = 0;
  const tell = (m) => { if (parent !== window) parent.postMessage({ strandscope: 1, ...m }, '*'); };
  const measure = () => {
    const h = Math.ceil($('play').closest('header').offsetHeight + strandscope.state.height + $('words').closest('footer').offsetHeight);
    if (h !== height && strandscope.state.height) { height = h; tell({ type: 'height', height }); }
  };
  on('state', (s) => {
    playing = s.playing;
    shown($('still'), !s.picture);
    if (!s.picture) text($('still-text'), `There is no picture: this browser gives the page no WebGL 2. ${s.text}`);
    text($('clock'), s.now.replace(/\.\d+$/, ''));
    text($('play').firstElementChild, playing ? '❚❚' : '▶');
    text($('play-word'), playing ? 'Pause' : 'Play');
    options($('class'), s.choices.classes.map((c) => [c.value, c.label]), s.scenario.class);
    shown($('class-field'), s.choices.classes.length > 0);
    $('class').disabled = !may('class');
    $('speed').disabled = !may('speed');
    speeds(s.speed);
    document.title = `Strandscope: ${s.scenario.title}`;
    root.style.setProperty('--stage-height', `${s.height}px`);
    measure(); speak(); back();
  });
  addEventListener('resize', measure);

  // ---- the still -----------------------------------------------------------------------------
  // It is drawn of each scenario as it is built in; of what is changed there is none.
  if (keys.scenario && !keys.class && keys.start === null && !location.hash) {
    const drawn = new Image();
    drawn.addEventListener('load', () => { $('poster').src = drawn.src; });
    drawn.src = `../build/stills/${encodeURIComponent(keys.scenario)}-${root.dataset.theme === 'light' ? 'light' : 'dark'}.svg`;
  }
  const still = (words, button) => {
    text($('still-text'), words);
    shown($('run'), button);
  };
  alive.on((phase, wants) => {
    tell({ type: 'alive', alive: phase === 'alive' });
    if (phase === 'alive') return;
    shown($('still'), true);
    shown($('progress'), false);
    playing = false;
    text($('play').firstElementChild, '▶');
    still(wants && phase === 'still' ? 'Four figures run on this page already. Run this one, and the oldest of them stops.' : '', phase === 'still');
  });
  on('loading', (m) => {
    shown($('progress'), true);
    if (m.total) { $('progress').max = m.total; $('progress').value = m.loaded; } else $('progress').removeAttribute('value');
    still(m.total ? `${(m.loaded / 1e6).toFixed(1)} of ${(m.total / 1e6).toFixed(1)} MB` : '', false);
  });
  on('started', () => { shown($('progress'), false); still('Starting…', false); });
  on('turning', () => { shown($('still'), true); still('The kernels after Linux 2.2 are in a larger program, which is being fetched.', false); });
  on('failed', (m) => { shown($('still'), true); shown($('progress'), false); still(m.reason, false); text($('words'), 'The simulator does not run.'); });
  on('lost', (m) => { shown($('still'), true); still(m.again ? 'The browser took the picture away; it is being brought back.' : 'The browser takes the picture away again and again.', !m.again); });
  speeds(keys.speed ?? 10000);
  still('', true);
  if (notes.length) text($('words'), notes.join(' '));
  open().then(() => alive.watch(() => { if (keys.load !== 'click') alive.ask(false); }));

  return { run, setTheme, setPanels, PANELS, THEMES, READ, tell };
})();
