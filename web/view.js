// The view: writes what the program told us into the page, touching only what
// changed, so that focus, selections and screen readers are left alone.
'use strict';
strandscope.view = (() => {
  const $ = (id) => document.getElementById(id);
  const { write: text, say } = strandscope.words;
  const shown = (el, yes) => { if (el.hidden === yes) el.hidden = !yes; };
  const make = (tag, attributes, ...children) => {
    const el = document.createElement(tag);
    for (const [k, v] of Object.entries(attributes)) el.setAttribute(k, v);
    el.append(...children);
    return el;
  };
  // once runs fn only when the value differs from the last time.
  const last = new Map();
  const once = (key, value, fn) => {
    const now = JSON.stringify(value);
    if (last.get(key) !== now) { last.set(key, now); fn(value); }
  };

  // ---- selectors --------------------------------------------------------------
  // Scenarios stand in groups: those of the first one's document, then by what
  // stands before the dot of their title.
  const scenarios = (select, choices, { id: value, title: own }) => {
    once('scenarios', [choices, value ? '' : own], () => {
      const groups = new Map();
      for (const c of choices) {
        const [before, after] = c.label.split(' · ');
        const label = c.help === choices[0].help ? 'The technical tip of 2008' : after ? before : 'Others';
        const title = after ? after[0].toUpperCase() + after.slice(1) : c.label;
        if (!groups.has(label)) groups.set(label, make('optgroup', { label }));
        const o = make('option', { value: c.value }, title);
        if (c.help) o.title = c.help;
        groups.get(label).append(o);
      }
      // A document of one's own is in no group.
      select.replaceChildren(...(value ? [] : [make('option', { value: '' }, own)]), ...groups.values());
    });
    if (select.value !== value) select.value = value;
    const whole = choices.find((c) => c.value === value)?.label ?? own;
    if (select.title !== whole) select.title = whole;
  };
  const radios = (fieldset, name, choices, value) => {
    const rows = fieldset.querySelector('.rows');
    once(name, choices.map((c) => [c.value, c.label, c.help]), () => rows.replaceChildren(...choices.map((c) => {
      const label = make('label', { 'data-value': c.value },
        make('input', { type: 'radio', name, value: c.value }), make('span', {}, c.label), make('small', {}));
      if (c.help) label.title = c.help;
      return label;
    })));
    choices.forEach((c, i) => {
      const [input, , hint] = rows.children[i].children;
      if (input.checked !== (c.value === value)) input.checked = c.value === value;
      text(hint, c.hint ?? '');
    });
  };

  // ---- vmstat -------------------------------------------------------------------
  // A figure's column is known by its place in the line: names and figures are
  // equally many, but not always in the same columns of text.
  const words = (line) => [...line.matchAll(/\S+/g)];
  const columns = (header) => {
    const found = {};
    words(header).forEach((m, i) => { found[m[0]] = i; }); // the last sy is that of cpu
    return found;
  };
  const NAMES = [[/\br\b/, 'r'], [/\b(us|user)\b/i, 'us'], [/\b(sy|system)\b/i, 'sy'], [/\b(id|idle)\b/i, 'id']];
  const marks = (printed) => {
    const found = {};
    for (const p of printed) {
      const name = NAMES.find(([pattern]) => pattern.test(p.label))?.[1];
      if (name && !p.pending) found[name] = p;
    }
    return found;
  };
  const vmstat = (s) => once('vmstat', [s.vmstat.table, s.printed], () => {
    const table = s.vmstat.table;
    const pre = $('vmstat');
    if (table.length === 0) { text(pre, 'The first line comes after three simulated seconds.'); shown($('vmstat-legend'), false); return; }
    // vmstat repeats its two header lines now and then; here they stay on top.
    const heads = table.filter((line) => /[a-z]/.test(line)).slice(0, 2);
    const rows = table.filter((line) => !/[a-z]/.test(line));
    const places = columns(heads.at(-1) ?? '');
    const marked = marks(s.printed);
    const lines = rows.map((line, i) => (i === rows.length - 1 ? spans(line, places, marked) : [line]));
    const newest = pre.scrollTop + pre.clientHeight >= pre.scrollHeight - 4; // else the reader scrolled back
    pre.replaceChildren(make('span', { class: 'heads' }, heads.join('\n')), ...lines.flatMap((l, i) => (i ? ['\n', ...l] : l)));
    if (newest) pre.scrollTop = pre.scrollHeight;
    legend(pre);
  });
  const spans = (line, places, marked) => {
    const out = [];
    const figures = words(line);
    let from = 0;
    const order = Object.entries(marked).map(([name, p]) => [figures[places[name]], p]).filter(([f]) => f);
    for (const [figure, p] of order.sort((a, b) => a[0].index - b[0].index)) {
      // Compare the line's own figure: the table beside it may show another
      // moment's.
      const tag = (p.printed.match(/\d+/g) ?? []).includes(figure[0]) ? 'em' : 'mark';
      out.push(line.slice(from, figure.index), make(tag, { title: `printed: ${p.printed}` }, figure[0]));
      from = figure.index + figure[0].length;
    }
    return [...out, line.slice(from)];
  };
  const legend = (pre) => {
    const el = $('vmstat-legend');
    const agree = pre.querySelector('em') !== null, differ = pre.querySelector('mark') !== null;
    shown(el, agree || differ);
    el.replaceChildren(...(agree ? [make('em', {}, 'marked so'), ': as the document printed it'] : []),
      ...(agree && differ ? ['; '] : []),
      ...(differ ? [make('mark', {}, 'marked so'), ': the document printed another figure'] : []), '.');
  };

  // ofBook reports whether a textbook's policy runs, not a kernel.
  const ofBook = (s) => s.scenario.kernel.startsWith('textbook-');

  // Where the kernel has top, it is what one looks at first.
  // On a machine on which nothing was started one types.
  let tool = null, latest = null;
  const terminal = (s) => {
    const has = s.top.lines.length > 0;
    once('tool', [s.scenario.id, s.scenario.title], () => { tool = null; });
    const bare = s.scenario.prompt;
    document.body.classList.toggle('bare', bare);
    const book = s.jobs;
    const only = ofBook(s); // books have no vmstat
    const first = bare ? 'console' : book ? 'jobs' : has ? 'top' : 'vmstat';
    const gone = { top: !has, jobs: !book, vmstat: only };
    const now = gone[tool] ? first : tool ?? first;
    for (const b of $('tools').children) shown(b, !gone[b.dataset.tool]);
    shown($('jobs'), now === 'jobs');
    shown($('shell'), now === 'console');
    shown($('shell-tools'), now === 'console');
    shown($('top'), now === 'top');
    shown($('vmstat'), now === 'vmstat');
    text($('console-head'), now === 'console' ? 'Console' : now === 'jobs' ? 'Jobs, in units of time' : now === 'top' ? `top, over ${s.top.span}` : s.scenario.recorded ? 'vmstat 3, of the recording' : 'vmstat 3, on the simulated machine');
    vmstat(s);
    if (now !== 'vmstat') shown($('vmstat-legend'), false);
    once('top', s.top.lines, () => text($('top'), s.top.lines.join('\n')));
    for (const b of $('tools').children) b.setAttribute('aria-pressed', String(b.dataset.tool === now));
    latest = s;
  };
  $('tools').addEventListener('click', (e) => {
    const b = e.target.closest('button');
    if (!b) return;
    tool = b.dataset.tool;
    last.delete('vmstat'); // its legend comes back with it
    if (latest) terminal(latest);
  });
  const toConsole = () => { tool = 'console'; last.delete('vmstat'); if (latest) terminal(latest); };
  const work = (s) => { shown($('work'), s.work !== ''); text($('work-text'), s.work); };

  // ---- the rest -------------------------------------------------------------------
  const figures = (printed, note) => once('printed', [printed, note], () => {
    shown($('printed'), printed.length > 0 || note !== '');
    shown($('printed').querySelector('table'), printed.length > 0);
    $('figures').replaceChildren(...printed.map((p) => {
      const [cls, sign, word] = p.pending ? ['pending', '…', 'not yet'] : p.agrees ? ['agrees', '=', 'same'] : ['differs', '≠', 'differs'];
      return make('tr', { class: cls }, make('th', { scope: 'row' }, p.label), make('td', {}, p.printed),
        make('td', {}, p.pending ? '…' : p.simulated), make('td', {}, make('span', { 'aria-hidden': 'true' }, sign), ` ${word}`));
    }));
  });
  const ask = (s) => {
    const select = $('ask');
    once('ask', [s.strands, s.threads], () => {
      const group = (label, list) => {
        const g = make('optgroup', { label });
        g.append(...list.map(([value, text]) => make('option', { value }, text)));
        return g;
      };
      select.replaceChildren(make('option', { value: '' }, 'ask…'),
        group('Strands', Array.from({ length: s.strands }, (_, i) => [`strand ${i}`, `cpu${i}`])),
        group('Processes', s.threads.map((t) => [`thread ${t.id}`, t.label])));
    });
    const value = s.selected.strand >= 0 ? `strand ${s.selected.strand}` : s.selected.thread >= 0 ? `thread ${s.selected.thread}` : '';
    if (select.value !== value) select.value = value;
  };
  const times = (permille) => {
    const v = permille / 1000;
    return v >= 1000 ? Math.round(v).toLocaleString('en') : String(Number(v.toPrecision(v >= 100 ? 3 : 2)));
  };
  const speed = (s) => {
    const slider = $('speed');
    const value = Math.round(10 * Math.log10(s.speed / 1000));
    if (document.activeElement !== slider && Number(slider.value) !== value) slider.value = value;
    const behind = s.playing && s.effectiveSpeed < 0.97 * s.speed;
    text($('speed-value'), behind ? `×${times(s.effectiveSpeed)} of ${times(s.speed)}` : `×${times(s.speed)}`);
    $('speed-value').classList.toggle('behind', behind);
    const said = `${times(s.speed)} times real time${behind ? `; this computer reaches ${times(s.effectiveSpeed)}` : ''}`;
    if (slider.getAttribute('aria-valuetext') !== said) slider.setAttribute('aria-valuetext', said);
  };

  // Where the window is low the words take two lines, and all of them on demand.
  const clip = () => {
    const open = $('twin-all').getAttribute('aria-expanded') === 'true';
    shown($('twin-all'), open || $('twin').scrollHeight > $('twin').clientHeight + 2);
  };
  $('twin-all').addEventListener('click', () => {
    const open = $('twin-all').getAttribute('aria-expanded') !== 'true';
    $('twin-all').setAttribute('aria-expanded', open);
    text($('twin-all'), open ? 'Less' : 'All');
    $('twin').classList.toggle('all', open);
    clip();
  });
  addEventListener('resize', clip);

  // A live region must not speak more often than every two seconds; while only
  // figures after the first sentence drift, five are soon enough.
  const twin = (() => {
    let next = '', spoken = -Infinity, timer = 0, at = 0, of = '';
    const tell = () => { timer = 0; spoken = performance.now(); text($('twin'), next); clip(); };
    const first = (s) => s.slice(0, s.indexOf('.') + 1);
    return (english, playing, run) => {
      const s = say(english);
      next = s;
      if (of !== run) { of = run; spoken = -Infinity; } // of another scenario every word is wrong
      if ($('twin').textContent === s) return;
      const pause = playing && first(s) === first($('twin').textContent) ? 5000 : 2000;
      const due = Math.max(performance.now(), spoken + pause);
      if (timer && at <= due) return;
      clearTimeout(timer);
      at = due;
      timer = setTimeout(tell, due - performance.now());
    };
  })();

  // plain is the picture where the browser can draw none: a block for each
  // strand, by core. The words below say the same, so readers skip it.
  const plain = (s) => once('plain', [s.map, s.cores], () => {
    const kinds = { b: 'busy', i: 'idle', w: 'idle beside', x: 'off' };
    let cpu = 0;
    $('plain').replaceChildren(...s.cores.map((n, core) => make('div', { class: 'core' }, make('b', {}, `core ${core}`),
      ...Array.from({ length: n }, () => make('span', { class: kinds[s.map[cpu]] }, `cpu${cpu++}`)))));
  });

  const notice = (s) => { text($('notice'), s); shown($('notice'), s !== ''); };

  const show = (s) => {
    scenarios($('scenario'), s.choices.scenarios, s.scenario);
    text($('machine'), s.machine);
    text($('summary-class'), `· ${s.choices.classes.find((c) => c.value === s.scenario.class)?.label ?? s.scenario.class}`);
    radios($('kernel'), 'kernel', s.choices.kernels, s.scenario.kernel);
    shown($('kernel'), s.choices.kernels.length > 0);
    text($('class').querySelector('legend'), ofBook(s) ? 'Policy' : 'Default scheduling class');
    radios($('class'), 'class', s.choices.classes, s.scenario.class);
    shown($('class'), s.choices.classes.length > 0);
    radios($('explanation'), 'explanation', s.choices.explanations, s.scenario.explanation);
    // It explains "not set" only: with a class chosen there is nothing to choose.
    shown($('explanation'), s.choices.explanations.length > 0 && s.scenario.class === 'unset');
    text($('note'), s.scenario.note);
    shown($('note'), s.scenario.note !== '');
    shown($('read-notes'), s.scenario.notes.length > 0);
    once('notes', s.scenario.notes, () => $('read-notes').querySelector('ul').replaceChildren(...s.scenario.notes.map((n) => make('li', {}, n))));
    text($('source'), s.scenario.sourceTitle ? `Source: ${s.scenario.sourceTitle}${s.scenario.sourceNote ? `. ${s.scenario.sourceNote}` : ''}` : '');
    text($('printed-note'), s.scenario.printedNote);
    shown($('printed-note'), s.scenario.printedNote !== '');
    text($('clock'), s.now);
    text($('play').querySelector('.word'), s.playing ? 'Pause' : 'Play');
    text($('play').querySelector('.sign'), s.playing ? '❚❚' : '▶');
    speed(s); terminal(s); work(s); figures(s.printed, s.scenario.printedNote); ask(s); twin(s.text, s.playing, s.scenario.id + s.scenario.title);
    notice(s.fault || s.error);
    document.documentElement.style.setProperty('--stage-height', `${s.height}px`);
  };

  return { show, ofBook, console: toConsole, notice, plain, times, $, text, shown, make, once };
})();
