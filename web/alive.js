// When an embedded figure runs: from when it is seen or asked for, and while it is
// seen. A browser has only so many pictures, so at most four figures of all on a
// page are alive; the one that was unseen longest goes back to its still. The
// figures find each other by a channel that all documents of this origin hear.
'use strict';
strandscope.alive = (() => {
  const MOST = 4;
  const ANSWER = 60; // ms for the others to answer
  const TRIES = 50;  // on a busy machine they answer late
  const { wanted, send, start, stop } = strandscope;
  const id = Math.random().toString(36).slice(2).padEnd(12, '0');
  const channel = new BroadcastChannel('strandscope.alive');
  let phase = 'still';             // or 'asking', 'alive'
  let seen = false, since = Date.now(); // seen, or unseen, from then on
  let wants = false;               // it would run, were there room
  let resume = false;              // it ran when it went out of sight
  const others = new Map();        // those not still, by id
  const listeners = [];
  const tellMine = () => channel.postMessage({ id, phase, seen, since });
  const changed = () => { tellMine(); listeners.forEach((fn) => fn(phase, wants)); };
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));

  const sleep = () => {
    if (phase !== 'alive') return;
    resume = resume || wanted.playing;
    stop();
    phase = 'still';
    wants = false;
    leave();
    changed();
  };
  channel.addEventListener('message', ({ data: m }) => {
    if (m.who) { if (phase !== 'still') tellMine(); return; }
    if (m.sleep) { if (m.sleep === id) sleep(); return; }
    if (m.phase === 'still') others.delete(m.id); else others.set(m.id, m);
    if (wants && phase === 'still' && seen && (m.phase === 'still' || !m.seen)) ask(false);
  });

  // Each that is alive holds one of four locks, which the browser gives to one document
  // at a time, however late that one answers. Where there are none (they need https),
  // what the others answered in time has to do; of those that ask as well, who comes
  // first in the alphabet goes first.
  let leave = () => {};
  const lock = (n) => new Promise((done) => {
    navigator.locks.request(`strandscope.alive.${n}`, { ifAvailable: true },
      (held) => (held ? new Promise((free) => done(free)) : done(null))).catch(() => done(null));
  });
  const room = async () => {
    if (!navigator.locks) return [...others.values()].filter((o) => o.phase === 'alive' || o.id < id).length < MOST ? () => {} : null;
    for (let n = 0; n < MOST; n++) {
      const free = await lock(n);
      if (free) return free;
    }
    return null;
  };

  // ask starts the figure if there is room, or if another one can give way; one that
  // a reader clicked (forced) takes the place even of a figure that is seen.
  const ask = async (forced) => {
    wants = true;
    if (phase !== 'still') return;
    phase = 'asking';
    others.clear();
    channel.postMessage({ who: id });
    changed();
    for (let tries = 0; tries < TRIES && (seen || forced); tries++) {
      await pause(ANSWER);
      const free = await room();
      if (free) { leave = free; return begin(forced); }
      const alive = [...others.values()].filter((o) => o.phase === 'alive').sort((a, b) => a.since - b.since);
      const gives = alive.find((o) => !o.seen) ?? (forced ? alive[0] : undefined);
      if (gives) channel.postMessage({ sleep: gives.id });
      else if (alive.length >= MOST) break; // all answered, and all are seen
    }
    phase = 'still';
    changed();
  };
  const begin = (forced) => {
    if (!seen && !forced) { leave(); phase = 'still'; wants = false; changed(); return; }
    phase = 'alive';
    wanted.playing = resume && seen && !strandscope.address.opening; // else on arrival
    changed();
    start();
    if (!seen) send('show', { visible: false });
  };

  const look = (now) => {
    if (now === seen) return;
    seen = now;
    since = Date.now();
    if (phase === 'alive') {
      if (!seen) { resume = resume || wanted.playing; send('pause'); }
      send('show', { visible: seen });
      if (seen && resume) send('play');
    } else if (!seen) wants = false;
    changed();
  };
  // Only once the program says that it plays: a figure that is scrolled to and fro may
  // be out of sight again before it does.
  strandscope.on('state', (s) => { if (seen && s.playing && strandscope.obeyed) resume = false; });
  let inside = false;
  const see = () => look(inside && !document.hidden);
  const watch = (whenSeen) => {
    new IntersectionObserver((entries) => {
      inside = entries.at(-1).isIntersecting;
      see();
      if (seen) whenSeen();
    }, { threshold: 0.01 }).observe(document.body);
    document.addEventListener('visibilitychange', () => { see(); if (seen) whenSeen(); });
  };
  addEventListener('pagehide', () => { phase = 'still'; tellMine(); });

  return {
    ask, watch, on: (fn) => listeners.push(fn),
    // play lets the run go on now, or when it is seen.
    play: () => { if (phase === 'alive' && seen) send('play'); else resume = true; },
    // rest takes that back.
    rest: () => { resume = false; },
    get phase() { return phase; },
    get resumes() { return resume; },
    get seen() { return seen; },
  };
})();
