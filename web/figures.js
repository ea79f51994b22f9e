// What two runs are compared by: the figures of both as rows with their difference,
// and a sentence about what differs. Figures are whole numbers (BigInt), so values are
// whole numbers of the last digit shown, differences are exactly those of what one
// reads, and swapping the sides negates each. sim/compare and sim/facts.go say the
// same on the command line; web/e2e compares every word of both.
'use strict';
strandscope.figures = (() => {
  // In the order of web/proto/compare.go; times in nanoseconds.
  const NAMES = ['now', 'strands', 'busy', 'waiting', 'slots', 'load1', 'load5', 'load15', 'online', 'busyTime', 'user', 'system',
    'cores', 'busyCores', 'waited', 'idle', 'work', 'switches', 'involuntary', 'moves', 'wakes', 'p50', 'p99'];
  const read = (text, names) => {
    const numbers = text.trim().split(' ').map(BigInt);
    return Object.fromEntries(names.map((name, i) => [name, numbers[i]]));
  };
  // Values that are not known are null.
  const ratio = (part, whole, scale) => {
    if (whole <= 0n || part < 0n) return null;
    const q = (part * scale + whole / 2n) / whole;
    return q < 1n << 64n ? q : null;
  };
  const inUnits = (t, unit) => (t + unit / 2n) / unit;
  const MS = 1000000n, US = 1000n;
  const latency = (f, t) => (f.wakes > 0n ? inUnits(t, US) : null);
  // [id, name, unit, decimal places, value, what it means]
  const KINDS = [
    ['busy', 'strands busy now', '', 0, (f) => f.busy, 'Strands that run a thread at this moment.'],
    ['r', 'waiting now (r)', '', 0, (f) => f.waiting, 'Threads that could run at this moment and have no strand: what vmstat counts as r.'],
    ['strands', 'strand utilisation', '%', 1, (f) => ratio(f.busyTime, f.online, 1000n), "Part of all strands' time that they were busy, since boot: what vmstat sees."],
    ['us', 'user time (us)', '%', 1, (f) => ratio(f.user, f.online, 1000n), "Part of all strands' time spent in programs, since boot."],
    ['sy', 'system time (sy)', '%', 1, (f) => ratio(f.system, f.online, 1000n), "Part of all strands' time spent in the kernel, since boot."],
    ['cores', 'core utilisation', '%', 1, (f) => ratio(f.busyCores, f.cores, 1000n), "Part of all cores' time in which at least one strand of the core was busy, since boot."],
    ['slots', 'issue slots used now (model)', '%', 1, (f) => f.slots, "Part of the pipelines' issue slots that are used at this moment, by the model of how strands share a pipeline."],
    ['queue', 'run queue, mean', 'threads', 2, (f) => ratio(f.waited, f.now, 100n), 'Threads that waited for a strand, averaged over time since boot.'],
    ['load1', 'load average, 1 min', '', 2, (f) => f.load1, 'As uptime prints it.'],
    ['load5', 'load average, 5 min', '', 2, (f) => f.load5, 'As uptime prints it.'],
    ['load15', 'load average, 15 min', '', 2, (f) => f.load15, 'As uptime prints it.'],
    ['wakes', 'wake-ups served', '', 0, (f) => f.wakes, 'Times that a thread was made runnable, by a wake-up or a fork, and then got a strand.'],
    ['p50', 'wake-up latency, p50', 'ms', 3, (f) => latency(f, f.p50), 'Half of the wake-ups got a strand within this time.'],
    ['p99', 'wake-up latency, p99', 'ms', 3, (f) => latency(f, f.p99), '99 of 100 wake-ups got a strand within this time.'],
    ['switches', 'context switches', '', 0, (f) => f.switches, 'Times that a thread came onto a strand, since boot.'],
    ['involuntary', 'involuntary switches', '', 0, (f) => f.involuntary, 'Times that a thread was taken off its strand though it wanted to go on.'],
    ['moves', 'migrations', '', 0, (f) => f.moves, 'Times that a thread came onto another strand than its last one.'],
    ['waited', 'time waited, all threads', 's', 3, (f) => inUnits(f.waited, MS), 'Time in which threads could run and had no strand, added up.'],
    ['idle', 'idle while work waits', 'strand s', 3, (f) => inUnits(f.idle, MS), 'Time in which strands idled while some thread waited, added up over strands.'],
    ['work', 'work done (model)', 'CPU s', 3, (f) => inUnits(f.work, MS), 'Progress of all threads, in seconds of a thread that has its pipeline to itself.'],
    ['rate', 'work done per second (model)', 'CPU s', 2, (f) => ratio(f.work, f.now, 100n), 'Work done divided by the time since boot.'],
  ];
  // Of each project that both have.
  const PROJECT = ['id', 'fair', 'shares', 'entitled', 'received'];
  const OF_PROJECTS = [
    ['shares', '', 0, (f, p) => (p.fair ? p.shares : null), 'Shares of the project; they count in the class FSS only.'],
    ['entitled', '%', 2, (f, p) => (p.fair ? ratio(p.entitled, f.online, 10000n) : null), 'Part of the machine that its shares entitled the project to while its threads could run; only the class FSS knows shares.'],
    ['received', '%', 2, (f, p) => ratio(p.received, f.online, 10000n), "Part of the machine that the project's threads had."],
  ];

  const decimal = (n, places) => {
    if (n === null) return '–';
    const digits = String(n < 0n ? -n : n).padStart(places + 1, '0'), cut = digits.length - places;
    return (n < 0n ? '−' : '') + digits.slice(0, cut) + (places ? `.${digits.slice(cut)}` : '');
  };
  const row = (id, name, unit, help, places, a, b) => {
    const d = a === null || b === null ? null : b - a;
    return { id, label: unit ? `${name}, ${unit}` : name, help, values: [decimal(a, places), decimal(b, places), (d > 0n ? '+' : '') + decimal(d, places)] };
  };

  // table are the rows of two sides as the program tells them.
  const table = (left, right) => {
    const l = read(left.figures, NAMES), r = read(right.figures, NAMES);
    const rows = KINDS.map(([id, name, unit, places, of, help]) => row(id, name, unit, help, places, of(l), of(r)));
    for (const x of left.projects) {
      const p = read(x.figures, PROJECT);
      const q = right.projects.map((y) => read(y.figures, PROJECT)).find((y) => y.id === p.id);
      if (q) rows.push(...OF_PROJECTS.map(([id, unit, places, of, help]) => row(`project-${x.name}-${id}`, `project ${x.name}: ${id}`, unit, help, places, of(l, p), of(r, q))));
    }
    return rows;
  };

  // ---- several kernels --------------------------------------------------------------
  const TIMES = ['usual', 'longest'], TASK = ['threads', 'least', 'most'];
  const S10 = 10000000n; // hundredths of a second
  // kernels are the rows of a scenario on several kernels, a value for each; sim/kernels.go
  // has the same for the command line.
  const kernels = (list) => {
    const out = [], own = (label, help, unit, of) => out.push({ label, help, values: list.map((k) => decimal(inUnits(of(k), unit), 2)) });
    if (list[0].probe) {
      const waits = (k) => read(k.waits, TIMES);
      own(`${list[0].probe}: usual wait, ms`, 'Half of its last wake-ups, up to 120, got a CPU within this time.', MS / 100n, (k) => waits(k).usual);
      own(`${list[0].probe}: longest wait, ms`, 'The longest time from a wake-up to a CPU.', MS / 100n, (k) => waits(k).longest);
    }
    list[0].tasks.forEach((t, i) => {
      const time = (k) => read(k.tasks[i].figures, TASK);
      if (time(list[0]).threads === 1n) { own(`${t.name}: CPU time, s`, 'CPU time of the thread, since boot.', S10, (k) => time(k).least); return; }
      own(`${t.name}: least CPU time, s`, 'Of the task’s threads the one that got least, since boot.', S10, (k) => time(k).least);
      own(`${t.name}: most CPU time, s`, 'Of the task’s threads the one that got most, since boot.', S10, (k) => time(k).most);
    });
    const all = list.map((k) => read(k.figures, NAMES));
    for (const [, name, unit, places, of, help] of KINDS) out.push({ label: unit ? `${name}, ${unit}` : name, help, values: all.map((f) => decimal(of(f), places)) });
    return out;
  };

  // ---- what differs ---------------------------------------------------------------
  const typed = (side) => {
    const said = side.typed.filter((t) => !t.key.startsWith('remark@')).map((t) => `“${t.line}” at ${t.at}`);
    return said.length > 2 ? `${said.length} lines, last ${said.at(-1)}` : said.join(', ');
  };
  const className = (c) => (c === 'unset' ? 'not set' : c);
  // differs says it in a sentence.
  const differs = (left, right) => {
    const [title, machine, kernel, cls, explanation] = left.facts, r = right.facts;
    const said = [];
    const say = (what, a, b) => { if (a !== b) said.push(`${what} (A ${a || 'none'}, B ${b || 'none'})`); };
    say('machine', machine, r[1]);
    say('kernel', kernel, r[2]);
    say('default class', className(cls), className(r[3]));
    if (cls === r[3]) say('explanation of “not set”', explanation, r[4]);
    say('what was typed', typed(left), typed(right));
    // Scenarios of one workload that differ in their class say it twice.
    if (title !== r[0] && (said.length !== 1 || !said[0].startsWith('default class'))) said.unshift(`scenario (A “${title}”, B “${r[0]}”)`);
    if (!said.length) return 'Nothing differs between the sides yet.';
    const all = `${said.join('; ')}.`;
    return all[0].toUpperCase() + all.slice(1);
  };
  return { table, kernels, differs };
})();
