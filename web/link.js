// The link: sends commands to the program in the stage, keeps what it told us
// last, and brings a run back after the stage was lost.
'use strict';
window.strandscope = (() => {
  const VERSION = 1;
  const LACKING = 'The page in one file has no room for the kernels after Linux 2.2. The page on a web server has them.';
  const frame = document.getElementById('stage');
  const home = /^https?:/.test(location.origin) ? location.origin : '*';
  const listeners = { state: [], loading: [], started: [], failed: [], lost: [], key: [], cells: [], offers: [], policies: [], exercises: [], console: [], kernels: [], turning: [], lacking: [], reading: [], recording: [], whatIf: [], dragged: [] };
  const on = (type, fn) => listeners[type].push(fn);
  const emit = (type, m) => listeners[type].forEach((fn) => fn(m));

  let number = 0;      // of the last message
  let ready = false;   // the program listens
  let waiting = [];    // commands from before that
  let textAt = 0;      // number of the message with the document that was loaded last
  let caughtUp = 0;    // number of the last message of a start
  const atStart = [];  // what else a new run has to be told at once
  let held = false, due = false; // a start waits for what the address says
  let state = {};      // all we were told, merged
  const losses = [];   // when the picture was lost

  // wanted is the run as the user left it: enough to start it again.
  const wanted = { scenario: '', text: null, settings: [], theme: '', speed: 10000, playing: true, quiet: false, nowNs: '0', selected: null, compare: null, recording: null };

  // ---- the two programs ------------------------------------------------------------
  // What only the fuller one has is in later.js. It takes the other's place when
  // something needs it, with all that is wanted, and stays: it can do what the other can.
  const later = strandscopeLater;
  let full = false;    // it is the fuller one that is wanted
  let born = false;    // it is the fuller one that the stage runs, or fetches
  let begun = frame.hasAttribute('src') || !frame.dataset.src; // the stage has a document
  const isLater = (id) => later.scenarios.some((s) => s.value === id);
  const needs = (m) => isLater(m?.scenario) || (typeof m?.text === 'string' && later.kernels.some((k) => m.text.includes(`"${k}"`)));
  // lacks reports whether something needs the fuller program and it is not here.
  const lacks = (...all) => !full && all.some(needs);
  const turn = (why = 'The kernels after Linux 2.2 are in a larger program, which is being fetched.') => {
    full = true;
    if (!begun) return;
    emit('turning', why);
    start();
  };
  // The first program does not know of the others' scenarios.
  const offered = (list) => {
    if (list.some((s) => isLater(s.value))) return list;
    const at = list.findIndex((s) => s.value.startsWith('textbook-'));
    return [...list.slice(0, at), ...later.scenarios, ...list.slice(at)];
  };

  const post = (m) => frame.contentWindow.postMessage(JSON.stringify(m), home);
  const send = (cmd, rest) => {
    if (lacks(rest)) {
      if (!frame.dataset.full) { emit('lacking', LACKING); return number; }
      turn();
    }
    const m = { v: VERSION, n: ++number, cmd, ...rest };
    if (ready) post(m); else waiting.push(m);
    return m.n;
  };

  // hand gives the program a file, or takes it away again: { file, kernel }. Only the
  // fuller program reads files. It reports whether the file can be read at all.
  let handed = null;
  const hand = (m) => {
    if (!full) {
      if (!m.file) return true;
      if (!frame.dataset.full) { emit('lacking', 'The page in one file has no room for what reads recordings. The page on a web server has it.'); return false; }
      turn('What reads recordings is in a larger program, which is being fetched.');
    }
    if (ready) frame.contentWindow.postMessage({ v: VERSION, type: 'file', ...m }, home);
    else handed = m.file ? m : null;
    return true;
  };

  const begin = () => {
    if (held) { due = true; return; }
    ready = true;
    const queued = waiting, file = handed ?? wanted.recording;
    waiting = [];
    handed = null;
    again();
    for (const m of queued) send(m.cmd, (({ v, n, cmd, ...rest }) => rest)(m));
    if (file) hand(file);
  };
  // again tells the program all that is wanted.
  const again = () => {
    if (wanted.text) send('loadText', wanted.text);
    else if (wanted.scenario) send('load', { scenario: wanted.scenario });
    for (const s of wanted.settings) send('set', s);
    if (wanted.compare) {
      send('compare', wanted.compare.right);
      send('focus', { side: wanted.compare.focus });
    }
    if (wanted.theme) send('theme', { name: wanted.theme });
    if (wanted.quiet) send('quiet', { on: true });
    send('speed', { permille: wanted.speed });
    if (wanted.nowNs !== '0') send('seek', { atNs: wanted.nowNs });
    if (wanted.selected) send('select', wanted.selected);
    send('show', { visible: !document.hidden });
    send(wanted.playing ? 'play' : 'pause');
    atStart.forEach((fn) => fn());
    caughtUp = number;
  };
  // renew goes to another run, as wanted.
  const renew = (w) => {
    Object.assign(wanted, { scenario: '', text: null, settings: [], nowNs: '0', selected: null, recording: null }, w);
    if (lacks(wanted, wanted.text)) {
      if (frame.dataset.full) { turn(); return; }
      emit('lacking', LACKING);
    }
    if (ready) again();
  };
  const hold = () => { held = true; };
  const release = () => {
    held = false;
    if (!begun) start();
    else if (due) { due = false; begin(); }
  };

  // What was typed comes back as settings that type it at its time.
  const typed = (s) => (s.typed ?? []).map((t) => ({ key: t.key, value: t.line }));

  const remember = (s) => {
    // Of a comparison the left run is the page's own.
    const c = s.compare, id = c ? c.left.scenario : s.scenario.id;
    wanted.scenario = id;
    // Before that it is the run that the text replaces.
    if ((id || s.scenario.recorded) && s.seq >= textAt) wanted.text = null;
    if (!s.scenario.recorded) wanted.recording = null;
    wanted.settings = c ? [...c.left.settings, ...typed(c.left)] : [...s.settings, ...typed(s)];
    wanted.compare = c && { focus: c.focus, right: { ...(c.right.scenario ? { scenario: c.right.scenario } : {}), alone: true, settings: [...c.right.settings, ...typed(c.right)] } };
    wanted.theme = s.theme;
    wanted.speed = s.speed;
    wanted.playing = s.playing;
    if (!s.seeking) wanted.nowNs = s.nowNs;
    wanted.selected = s.selected.strand >= 0 ? { strand: s.selected.strand }
      : s.selected.thread >= 0 ? { thread: s.selected.thread } : null;
  };

  // restart loads the stage anew. A picture that is lost again and again (too
  // many of them in one browser) must not make us reload for ever.
  const restart = () => {
    ready = false;
    frame.contentWindow.location.reload();
  };
  // A stage that names no document waits for start; stop takes it away again and
  // with it the canvas. Neither may leave anything in the history.
  const go = (address) => { ready = due = false; frame.contentWindow.location.replace(address); };
  const start = () => { begun = true; go(new URL(full ? frame.dataset.full : frame.dataset.src, document.baseURI).href); };
  const stop = () => { begun = false; go('about:blank'); };
  const lost = () => {
    if (!ready) return;
    const now = performance.now();
    losses.push(now);
    while (losses[0] < now - 30000) losses.shift();
    ready = false;
    emit('lost', { again: losses.length <= 3 });
    if (losses.length <= 3) restart();
  };

  addEventListener('message', (e) => {
    if (e.source !== frame.contentWindow || typeof e.data !== 'string') return;
    const m = JSON.parse(e.data);
    if (m.v !== VERSION) return;
    if (m.type === 'born') { born = m.full; return; }
    if (born !== full) return; // of the program that goes
    if (m.type === 'lost') { lost(); return; }
    if (m.type === 'failed') ready = false;
    if (m.type !== 'state') { if (listeners[m.type]) emit(m.type, m); return; }
    if (m.seq === 0 && !ready) begin();
    if (!ready && !due) return; // the old program's last words
    if (m.choices) m.choices.scenarios = offered(m.choices.scenarios);
    state = { ...state, ...m };
    emit('console', m.console); // only what is new: none may be missed
    if (!ready || m.seq < caughtUp) return; // still on its way to where the user was
    remember(state);
    emit('state', state);
  });

  const fits = () => {
    if (!state.picture) return true;
    const wanted = [frame.clientWidth, frame.clientHeight];
    return state.pixels.every((n, i) => Math.abs(n - wanted[i] * devicePixelRatio) <= devicePixelRatio);
  };

  const obeyed = () => ready && state.idle === true && state.seq >= number;

  // The stage may have been faster than this script, and its first state gone.
  post({ v: VERSION, n: 0, cmd: 'hello' });

  return {
    on, send, hand, restart, wanted, typed, renew, hold, release, start, stop, onStart: (fn) => atStart.push(fn),
    get ready() { return ready; },
    loadText: (name, text) => { wanted.text = { name, text }; return (textAt = send('loadText', { name, text })); },
    get state() { return state; },
    // settled: every command so far was obeyed and is drawn, at the size that
    // the frame has now. Tests wait for it.
    get settled() { return obeyed() && fits(); },
    // obeyed: the same without the size. A state message tells when it becomes true.
    get obeyed() { return obeyed(); },
    // For tests: the canvas, where the browser lets us reach it.
    canvas: () => frame.contentDocument.querySelector('canvas'),
  };
})();
