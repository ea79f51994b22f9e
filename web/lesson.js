// A lesson, read from its Markdown: see docs/lessons.md for the form.
'use strict';
const strandscopeLesson = (() => {
  const LEADS = ['Minutes', 'Goal', 'Source', 'Predict', 'Because', 'Teacher'];
  const COMMANDS = ['load', 'document', 'set', 'at', 'play', 'pause', 'speed', 'select', 'type', 'tool', 'range', 'runto', 'check'];

  // read gives { title, minutes, goal, source, steps: [{ title, minutes, text,
  // predict, choices, answer, because, teacher, scope, reveal }] }, or throws an Error
  // that names the line.
  const read = (markdown) => {
    const lesson = { title: '', minutes: 0, goal: '', source: '', steps: [] };
    let step = null, block = null, lines = markdown.replaceAll('\r', '').split('\n');
    const wrong = (i, what) => { throw new Error(`line ${i + 1}: ${what}`); };
    lines.forEach((line, i) => {
      if (block) {
        if (line === '```') { block = null; return; }
        const [, verb, rest] = /^(\S+)\s*(.*)$/.exec(line) ?? [];
        if (!COMMANDS.includes(verb)) wrong(i, `“${line}” is no command; there are ${COMMANDS.join(', ')}`);
        block.push([verb, rest]);
        return;
      }
      const fence = /^```(scope|reveal)$/.exec(line);
      if (fence) { if (!step) wrong(i, 'a block before the first step'); block = step[fence[1]]; return; }
      if (line.startsWith('# ')) { lesson.title = line.slice(2); return; }
      const head = /^## (.*?)(?: \((\d+) min\))?$/.exec(line);
      if (head) {
        step = { title: head[1], minutes: Number(head[2] ?? 0), text: [], predict: '', choices: [], answer: -1, because: '', teacher: '', scope: [], reveal: [] };
        lesson.steps.push(step);
        return;
      }
      const choice = /^- \[([ x])\] (.*)$/.exec(line);
      if (choice) {
        if (!step) wrong(i, 'a choice before the first step');
        if (choice[1] === 'x') step.answer = step.choices.length;
        step.choices.push(choice[2]);
        return;
      }
      if (line.trim() === '') return;
      const [, lead, rest] = /^(\w+): (.*)$/.exec(line) ?? [];
      if (lead === 'Minutes') lesson.minutes = Number(rest);
      else if (lead === 'Goal') lesson.goal = rest;
      else if (lead === 'Source') lesson.source = rest;
      else if (LEADS.includes(lead)) {
        if (!step) wrong(i, `${lead} before the first step`);
        step[lead.toLowerCase()] = rest;
      } else if (step) step.text.push(line);
      else wrong(i, 'text before the first step');
    });
    if (block) wrong(lines.length - 1, 'a block has no end');
    if (!lesson.title || !lesson.steps.length) throw new Error('a lesson needs a title and a step');
    for (const s of lesson.steps) {
      if (s.predict && (s.choices.length < 2 || s.answer < 0 || !s.because)) throw new Error(`“${s.title}”: a question needs choices, the right one marked, and a reason`);
    }
    return lesson;
  };

  // nanoseconds of 10s, 1.5s, 20ms, 2min.
  const UNITS = { ms: 1e6, s: 1e9, min: 60e9, h: 3600e9 };
  const nanoseconds = (text) => {
    const m = /^(\d+(?:\.\d+)?)(ms|s|min|h)$/.exec(text);
    if (!m) throw new Error(`“${text}” is no time; write 10s, 20ms or 2min`);
    return BigInt(Math.round(Number(m[1]) * UNITS[m[2]]));
  };

  // holds tells whether “load.0 > 31” is true of a state.
  const holds = (claim, state) => {
    const m = /^([\w.]+) (=|>|<) (.+)$/.exec(claim);
    if (!m) throw new Error(`“${claim}” is no check; write vmstat.r = 20`);
    const value = m[1].split('.').reduce((v, key) => v?.[key], state);
    if (m[2] === '=') return String(value) === m[3];
    return m[2] === '>' ? Number(value) > Number(m[3]) : Number(value) < Number(m[3]);
  };
  return { read, nanoseconds, holds };
})();
