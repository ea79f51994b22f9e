// What the page around an embedded figure may do with it: a few commands, each with
// its fields, in messages of which docs/embed.md is the description. Who may send
// which is in the address (hosts=…); a page of our own origin may send all.
'use strict';
(() => {
  const { send, wanted, address, alive, embedded } = strandscope;
  const VERSION = 1;

  // ---- who may what ----------------------------------------------------------------------
  // "https://a.example" grants all, "https://b.example;play;pause" two commands, "*" stands
  // for any origin, "null" for pages that have none (files, sandboxes).
  const grants = new Map();
  for (const entry of (new URLSearchParams(location.search).get('hosts') ?? '').split(',')) {
    const [origin, ...cmds] = entry.trim().split(';');
    if (origin) grants.set(origin.replace(/\/$/, ''), cmds.length ? cmds : null);
  }
  const granted = (origin) => {
    if (origin === location.origin && origin !== 'null') return null; // all
    for (const key of [origin, '*']) if (grants.has(key)) return grants.get(key);
    return [];
  };

  // ---- commands ----------------------------------------------------------------------------
  const textField = (most) => [(v) => typeof v === 'string' && v.length > 0 && v.length <= most, `text of 1 to ${most} characters`];
  const seconds = [(v) => typeof v === 'number' && v >= 0 && v <= 30 * 24 * 3600, 'a number of seconds from 0 to 2592000'];
  // until waits for something of the program, for as long as the figure is alive.
  const until = (yes) => new Promise((done, failed) => {
    const look = () => {
      if (alive.phase !== 'alive') failed(new Error('the figure was put back to its still meanwhile'));
      else if (strandscope.ready && yes(strandscope.state)) done();
      else setTimeout(look, 20);
    };
    look();
  });
  // awake starts the figure where it stands still.
  const awake = async () => {
    if (alive.phase !== 'alive') {
      await alive.ask(true);
      if (alive.phase !== 'alive') throw new Error('the figure cannot be started: too many others run');
    }
    await until(() => strandscope.settled && !address.opening);
  };
  const obey = async (cmd, rest) => {
    await awake();
    const n = send(cmd, rest);
    await until((s) => s.seq >= n);
    const { error, fault } = strandscope.state;
    if (fault || error) throw new Error(fault || error);
  };
  const SETS = {
    speed: (v) => {
      const permille = embedded.READ.speed[0](v);
      if (permille === null) throw new Error(`value is “${v.slice(0, 60)}”, want ${embedded.READ.speed[1]}`);
      return obey('speed', { permille });
    },
    theme: (v) => {
      if (!embedded.THEMES.includes(v)) throw new Error(`value is “${v.slice(0, 60)}”, want one of ${embedded.THEMES.join(', ')}`);
      embedded.setTheme(v);
    },
    panels: (v) => {
      const ids = embedded.READ.panels[0](v);
      if (!ids) throw new Error(`value is “${v.slice(0, 60)}”, want ${embedded.READ.panels[1]}`);
      embedded.setPanels(ids);
    },
  };
  const told = () => strandscope.state;
  const COMMANDS = {
    load: { scenario: textField(256), run: (m) => obey('load', { scenario: m.scenario }) },
    set: { key: textField(256), value: textField(4096), run: (m) => (Object.hasOwn(SETS, m.key) ? SETS[m.key](m.value) : obey('set', { key: m.key, value: m.value })) },
    // Out of sight a figure only notes that it is to run.
    play: { run: async () => { await awake(); if (alive.seen) await obey('play'); else alive.play(); } },
    pause: { run: async () => { alive.rest(); if (alive.seen) await obey('pause'); } },
    seek: { seconds, run: async (m) => {
      await obey('seek', { atNs: String(Math.round(m.seconds * 1e9)) });
      await until((s) => !s.seeking);
    } },
    state: { run: async () => {
      const s = told();
      if (!s.scenario) return { alive: alive.phase === 'alive', scenario: wanted.scenario };
      return { alive: alive.phase === 'alive', scenario: s.scenario.id, title: s.scenario.title, class: s.scenario.class, playing: s.playing && alive.seen,
        seconds: Number(s.nowNs) / 1e9, speed: s.speed / 1000, events: s.events, digest: s.digest, link: await address.encode(address.take(s)) };
    } },
    metrics: { run: () => {
      const s = told();
      if (!s.scenario) throw new Error('the figure has not run yet');
      const { totals: t, vmstat: v } = s;
      return { seconds: Number(s.nowNs) / 1e9, strands: t.strands, busy: t.busy, waiting: t.waiting, sleeping: t.sleeping,
        idleBesideWork: t.idleBesideWork, r: v.r, us: v.us, sy: v.sy, id: v.id, load: s.load.map(Number) };
    } },
  };
  // judge gives the command of a message, or throws the sentence that refuses it.
  const judge = (m, origin) => {
    if (m.strandscope !== VERSION) throw new Error(`strandscope is ${JSON.stringify(m.strandscope)}, want ${VERSION}`);
    if (typeof m.cmd !== 'string' || !Object.hasOwn(COMMANDS, m.cmd)) throw new Error(`cmd is ${JSON.stringify(m.cmd)?.slice(0, 60)}, want one of ${Object.keys(COMMANDS).join(', ')}`);
    const may = granted(origin);
    if (may && !may.includes(m.cmd)) throw new Error(`${origin} may not “${m.cmd}” here; granted: ${may.join(', ') || 'nothing'}`);
    const { run, ...fields } = COMMANDS[m.cmd];
    for (const [key, [good, want]] of Object.entries(fields)) {
      if (!good(m[key])) throw new Error(`${m.cmd}: ${key} is ${JSON.stringify(m[key])?.slice(0, 60)}, want ${want}`);
    }
    const more = Object.keys(m).find((key) => !['strandscope', 'cmd', 'id'].includes(key) && !(key in fields));
    if (more) throw new Error(`${m.cmd}: the field “${more.slice(0, 60)}” is not known`);
    return run;
  };

  // One after the other, so that each error is that of its command.
  let line = Promise.resolve();
  addEventListener('message', (e) => {
    const m = e.data;
    if (typeof m !== 'object' || m === null || !('strandscope' in m) || !('cmd' in m) || !e.source) return; // another's
    const reply = (rest) => e.source.postMessage({ strandscope: VERSION, type: 'reply', id: m.id, cmd: m.cmd, ...rest }, e.origin === 'null' ? '*' : e.origin);
    const refuse = (err) => reply({ ok: false, error: err.message.replace(/\.$/, '') });
    let run;
    try { run = judge(m, e.origin); } catch (err) { refuse(err); return; }
    line = line.then(async () => reply({ ok: true, result: (await run(m)) ?? {} })).catch(refuse);
  });
  embedded.tell({ type: 'ready' });
})();
