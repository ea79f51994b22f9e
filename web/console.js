// The console: a shell on the simulated machine. What it shows comes from the
// program and goes into the page as text only; what is typed goes to the program.
'use strict';
strandscope.console = (() => {
  const { send, on } = strandscope;
  const { $, text, shown, make, once } = strandscope.view;
  const log = $('log'), typing = $('typing');
  const MOST = 2000;     // lines in the page
  const LONG = 4000;     // characters of a line that are shown
  const HUGE = 4 << 20;  // characters of a line that are sent
  const DECO = 'decoration: the model has no figure for this';

  // ---- the log ---------------------------------------------------------------------
  let epoch = null, first = 0; // first: number of the oldest line that is kept
  let lines = [];              // { number, kind, text, deco, marks, el }
  let next = 0;
  let follow = true;           // the reader has not scrolled up
  let now = null;              // the console as told last

  const KINDS = { error: 'error: ', remark: 'remark: ' };
  // parts cuts a line at decoration and marks. Nothing is ever read as HTML.
  const parts = (l) => {
    const shownText = l.text.length > LONG ? l.text.slice(0, LONG) : l.text;
    const cuts = [];
    for (let i = 0; i + 1 < (l.deco ?? []).length; i += 2) cuts.push({ from: l.deco[i], to: l.deco[i + 1] });
    for (const m of l.marks ?? []) cuts.push(m);
    cuts.sort((a, b) => a.from - b.from);
    const out = [];
    let at = 0;
    for (const c of cuts) {
      const to = Math.min(c.to, shownText.length);
      if (c.from < at || c.from >= to) continue;
      out.push(shownText.slice(at, c.from));
      const what = shownText.slice(c.from, to);
      if (c.printed === undefined) out.push(make('span', { class: 'deco', title: DECO }, what));
      else {
        out.push(make('mark', { title: `the document printed ${c.printed}` }, what),
          make('span', { class: 'unseen' }, ` (differs: the document printed ${c.printed})`));
      }
      at = to;
    }
    out.push(shownText.slice(at));
    if (l.text.length > LONG) out.push(make('span', { class: 'deco' }, ` … and ${l.text.length - LONG} more characters`));
    return out;
  };
  const element = (l) => {
    const el = make('div', { class: l.kind, title: l.at ?? '' });
    if (KINDS[l.kind]) el.append(make('span', { class: 'unseen' }, KINDS[l.kind]));
    el.append(...parts(l));
    return el;
  };
  const quietly = (fn) => { // not to be read aloud: it is no news
    log.setAttribute('aria-live', 'off');
    fn();
    setTimeout(() => log.setAttribute('aria-live', 'polite'), 300);
  };
  const toEnd = () => { if (follow) log.scrollTop = log.scrollHeight; };
  const forget = (n) => { // the lines before number n
    let i = 0;
    while (i < lines.length && lines[i].number < n) lines[i++].el.remove();
    lines.splice(0, i);
  };
  const empty = () => { for (const l of lines) l.el.remove(); lines = []; log.replaceChildren(); };
  const append = (added) => {
    const all = document.createDocumentFragment();
    for (const l of added) { l.el = element(l); all.append(l.el); }
    log.append(all);
    lines.push(...added);
    while (lines.length > MOST) lines.shift().el.remove();
  };
  const marked = new Set();
  const mark = (found) => {
    for (const f of found) {
      if (marked.has(f.step)) continue;
      marked.add(f.step);
      for (const m of f.marks) {
        const l = lines.find((x) => x.number === f.first + m.line);
        if (!l) continue;
        l.marks = [...(l.marks ?? []), m];
        const el = element(l);
        l.el.replaceWith(el);
        l.el = el;
      }
    }
  };
  // take is called with each message, also while a run is brought back: no line
  // may be missed.
  const take = (c) => {
    const anew = c.epoch !== epoch || c.from < next;
    const add = () => {
      if (anew) { empty(); marked.clear(); follow = true; heard = ''; }
      if (c.first > first || anew) { first = c.first; forget(first); }
      if (c.lines.length) append(c.lines.map((l, i) => ({ ...l, number: c.from + i })));
      mark(c.told.found);
    };
    if (anew || c.lines.length > 30) quietly(add); else if (c.lines.length || c.first > first || c.told.found.length) add();
    epoch = c.epoch;
    next = c.from + c.lines.length;
    for (const l of c.lines) if (l.kind === 'input' && ahead[0] !== undefined && l.text.endsWith(ahead[0])) ahead.shift();
    now = c;
    toEnd();
  };
  on('console', take);
  log.addEventListener('scroll', () => { follow = log.scrollTop + log.clientHeight >= log.scrollHeight - 8; });
  new ResizeObserver(toEnd).observe(log);

  // say puts a line of the page's own into the log; it is gone when the log is.
  const say = (s) => { log.append(make('div', { class: 'page' }, s)); toEnd(); };
  const clear = () => { empty(); follow = true; };

  // ---- the line that is typed --------------------------------------------------------
  const KEY = 'strandscope.history';
  let history = [];
  try { history = JSON.parse(sessionStorage.getItem(KEY) ?? '[]').filter((x) => typeof x === 'string'); } catch { /* none is kept */ }
  let place = history.length, draft = '';
  let ahead = []; // typed while a command was in front, and not begun yet
  const remember = (line) => {
    if (line.trim() && line.length <= LONG && line !== history.at(-1)) history.push(line);
    history = history.slice(-200);
    place = history.length;
    draft = '';
    try { sessionStorage.setItem(KEY, JSON.stringify(history)); } catch { /* for this visit only */ }
  };
  const put = (s) => { typing.value = s; typing.setSelectionRange(s.length, s.length); };
  const recall = (by) => {
    if (place === history.length) draft = typing.value;
    const to = Math.min(history.length, Math.max(0, place + by));
    if (to === place) return;
    place = to;
    put(to === history.length ? draft : history[to]);
  };
  const enter = (line) => {
    if (line.length > HUGE) { say(`This line has ${line.length} characters; the page sends at most ${HUGE}.`); return; }
    follow = true;
    remember(line);
    if (now?.busy && !now.screen && line.length <= LONG) ahead.push(line);
    send('type', { line });
  };
  $('line').addEventListener('submit', (e) => {
    e.preventDefault();
    if (now?.screen) { send('type', { line: typing.value || ' ' }); put(''); return; }
    enter(typing.value);
    put('');
  });
  // To a program that fills the screen each key goes at once.
  typing.addEventListener('input', () => {
    leave = false;
    if (!now?.screen || typing.value === '') return;
    send('type', { line: [...typing.value].slice(0, 100).join('') });
    put('');
  });
  // Several lines that are pasted are several lines.
  typing.addEventListener('paste', (e) => {
    const pasted = e.clipboardData?.getData('text/plain') ?? '';
    if (!/[\r\n]/.test(pasted.trimEnd()) && !/[\r\n]$/.test(pasted)) return;
    e.preventDefault();
    const [from, to] = [typing.selectionStart, typing.selectionEnd];
    const all = (typing.value.slice(0, from) + pasted + typing.value.slice(to)).split(/\r\n|\r|\n/);
    const last = all.pop();
    const most = 1000;
    for (const l of all.slice(0, most)) enter(l);
    if (all.length > most) say(`${all.length} lines were pasted; the first ${most} were typed.`);
    put(last);
  });

  // ---- completion ----------------------------------------------------------------------
  let leave = false;  // the next Tab goes on through the page
  let asked = 0;      // number of the question
  let rest = '';      // what stood behind the cursor
  const complete = () => {
    const at = typing.selectionEnd;
    rest = typing.value.slice(at);
    asked = send('complete', { text: typing.value.slice(0, at).slice(-LONG) });
  };
  const common = (words) => words.reduce((a, b) => {
    let i = 0;
    while (i < a.length && a[i] === b[i]) i++;
    return a.slice(0, i);
  });
  on('offers', (m) => {
    const left = typing.value.slice(0, typing.value.length - rest.length);
    if (m.n !== asked || !left.endsWith(m.text) || typing.value.slice(left.length) !== rest) return;
    if (m.words.length === 0) { text($('shell-said'), 'Nothing to complete; Tab again leaves the line.'); leave = true; return; }
    const word = /[^\s;|&(`]*$/.exec(m.text)[0];
    const known = common(m.words);
    const grown = left.slice(0, left.length - word.length) + (known.startsWith(word) ? known : word);
    const done = m.words.length === 1 && !known.endsWith('/') ? ' ' : '';
    typing.value = grown + done + (done ? rest.replace(/^ /, '') : rest);
    typing.setSelectionRange(grown.length + done.length, grown.length + done.length);
    rest = typing.value.slice(grown.length + done.length);
    text($('shell-said'), m.words.length === 1 ? m.words[0] : `${m.words.length + m.more} completions are in the log.`);
    if (m.words.length > 1) { follow = true; say(m.words.join('  ') + (m.more ? ` … and ${m.more} more` : '')); }
  });

  // ---- keys ------------------------------------------------------------------------------
  const selecting = () => typing.selectionStart !== typing.selectionEnd && document.activeElement === typing
    || !document.getSelection().isCollapsed;
  const interrupt = () => { ahead = []; put(''); send('interrupt'); };
  $('shell').addEventListener('keydown', (e) => {
    if (!e.ctrlKey || e.metaKey || e.altKey || e.shiftKey) return;
    if (e.key === 'c' && !selecting()) { e.preventDefault(); interrupt(); }
    if (e.key === 'l') { e.preventDefault(); clear(); }
  });
  typing.addEventListener('keydown', (e) => {
    if (e.isComposing || e.ctrlKey || e.metaKey || e.altKey) return;
    switch (e.key) {
      case 'Escape': leave = true; text($('shell-said'), 'Tab leaves the line now.'); return;
      case 'Tab':
        // An empty line completes nothing: Tab passes through.
        if (e.shiftKey || leave || typing.value === '' || now?.screen) { leave = false; return; }
        e.preventDefault();
        complete();
        return;
      case 'ArrowUp': case 'ArrowDown':
        if (e.shiftKey || now?.screen) return;
        e.preventDefault();
        recall(e.key === 'ArrowUp' ? -1 : 1);
    }
  });
  typing.addEventListener('blur', () => { leave = false; });

  // ---- buttons -----------------------------------------------------------------------------
  $('interrupt').addEventListener('click', interrupt);
  $('finish').addEventListener('click', () => send('finish'));
  $('waits-play').addEventListener('click', () => send('play'));
  const asText = () => [...lines.map((l) => l.text), ...(now?.screen ?? []).map((l) => l.text)].join('\n') + '\n';
  const byHand = (s) => { // without the permission to write to the clipboard
    const area = make('textarea', { class: 'unseen', readonly: '', 'aria-hidden': 'true' });
    area.value = s;
    const focused = document.activeElement;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    focused?.focus();
    return done;
  };
  $('copy-log').addEventListener('click', async () => {
    const s = asText();
    let done = true;
    try { await navigator.clipboard.writeText(s); } catch { done = byHand(s); }
    text($('shell-said'), done ? `Copied ${lines.length} lines.` : 'The browser did not let the page copy.');
    text($('copy-log'), done ? 'Copied' : 'Not copied');
    setTimeout(() => text($('copy-log'), 'Copy all'), 2000);
  });
  $('larger').addEventListener('click', () => {
    const large = $('larger').getAttribute('aria-pressed') !== 'true';
    $('larger').setAttribute('aria-pressed', String(large));
    $('shell').classList.toggle('large', large);
    toEnd();
  });

  // ---- how things stand -------------------------------------------------------------------
  let heard = '';
  const show = (s) => {
    const c = s.console, full = c.screen !== null;
    shown(log, !full);
    shown($('screen'), full);
    if (full) once('screen', c.screen, () => $('screen').replaceChildren(...c.screen.map(element)));
    text($('prompt'), full ? 'key' : c.busy ? '…' : c.prompt.trimEnd());
    $('prompt').classList.toggle('busy', c.busy);
    const hint = full ? 'q leaves the program' : c.busy ? 'typed ahead, or Ctrl-C' : 'help lists the commands';
    if (typing.placeholder !== hint) typing.placeholder = hint;
    shown($('interrupt'), c.busy);
    shown($('finish'), c.busy && !full && !s.seeking);
    if (!c.busy) ahead = [];
    const name = c.front.length > 40 ? `${c.front.slice(0, 40)}…` : c.front;
    const still = c.busy && !s.playing && !s.seeking && !s.fault;
    const waits = [still ? `“${name}” waits for simulated time: press Play.` : '',
      ahead.length ? `Typed ahead: ${ahead.map((l) => `“${l.slice(0, 40)}”`).slice(0, 3).join(', ')}${ahead.length > 3 ? ` and ${ahead.length - 3} more` : ''}.` : ''].filter((x) => x).join(' ');
    if (waits !== heard) { heard = waits; text($('waits-text'), waits); shown($('waits'), waits !== ''); toEnd(); }
    shown($('waits-play'), still);
    toEnd();
  };
  return { show, clear };
})();
