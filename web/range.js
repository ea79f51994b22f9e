// The range: what part of the run the timeline and the plots show. Each control
// sends a command, and shows what the program then tells.
'use strict';
strandscope.range = (() => {
  const { send, on, onStart, view } = strandscope;
  const { $, text } = view;
  const key = (k) => send('input', { kind: 'key', key: k });

  // ---- what is typed: "10–12.5", "10 s – 1:00", "last 20 ms" -------------------------
  const UNITS = { ns: 1n, µs: 1000n, us: 1000n, ms: 1000000n, s: 1000000000n, min: 60000000000n, h: 3600000000000n };
  const decimal = (digits, unit) => {
    const [whole, part = ''] = digits.split('.');
    return (BigInt(whole + part) * unit) / 10n ** BigInt(part.length);
  };
  // time reads a point of time or a length; null: it is none.
  const time = (words, unit) => {
    const w = words.trim();
    const clock = /^(?:(\d+):)?(\d{1,3}):(\d{1,2}(?:\.\d{1,9})?)$/.exec(w);
    if (clock) return BigInt(clock[1] ?? 0) * UNITS.h + BigInt(clock[2]) * UNITS.min + decimal(clock[3], UNITS.s);
    const m = /^(\d{1,9}(?:\.\d{1,12})?)\s*(ns|µs|us|ms|s|min|h)?$/.exec(w);
    return m ? decimal(m[1], UNITS[m[2] ?? unit ?? 's']) : null;
  };
  const unitOf = (words) => /(ns|µs|us|ms|s|min|h)\s*$/.exec(words)?.[1];
  // read gives the command and its parts, or a sentence that says what is wrong.
  const read = (typed) => {
    const w = typed.trim().toLowerCase();
    if (w === 'all' || w === 'whole run' || w === 'the whole run') return ['follow', { lastNs: '0' }];
    const last = /^(?:the )?last (.+)$/.exec(w);
    if (last) {
      const length = time(last[1]);
      return length ? ['follow', { lastNs: String(length) }] : `“${last[1]}” is no length of time: want for example “last 10 s”.`;
    }
    const ends = w.split(/\s*(?:–|—|-|\bto\b)\s*/);
    if (ends.length !== 2) return `“${typed}” is no range: want for example “10.0–12.5 s”, “1:00:00–1:00:10”, “last 10 s” or “all”.`;
    const from = time(ends[0], unitOf(ends[1])), to = time(ends[1]);
    if (from === null || to === null) return `“${ends[from === null ? 0 : 1]}” is no time: want for example “12.5 s”, “300 ms” or “1:02:03”.`;
    if (to <= from) return `The range ends at “${ends[1]}”, which is not after “${ends[0]}”.`;
    return ['zoom', { fromNs: String(from), toNs: String(to) }];
  };

  const field = $('range-text');
  let shown = null;
  $('range').addEventListener('submit', (e) => {
    e.preventDefault();
    const command = read(field.value);
    const wrong = typeof command === 'string' ? command : '';
    text($('range-wrong'), wrong);
    field.setAttribute('aria-invalid', String(wrong !== ''));
    if (!wrong) { send(...command); shown = null; }
  });
  for (const [id, k] of [['range-in', '+'], ['range-out', '-'], ['range-all', '0']]) $(id).addEventListener('click', () => key(k));
  $('range-follow').addEventListener('click', () => send('follow', { lastNs: '10000000000' }));
  let frozen = false;
  $('range-freeze').addEventListener('click', () => send('freeze', { on: !frozen }));
  $('range-plots').addEventListener('change', (e) => send('plots', e.target.value === 'same' ? { same: true } : { lastNs: e.target.value }));

  // ---- what is shown ----------------------------------------------------------------
  // A stage that starts again knows nothing of it: say it once more.
  // At its start, so that a recording that is handed over then is not told it.
  let wanted = [], again = false;
  on('started', () => { again = true; });
  onStart(() => { if (again) wanted.forEach((c) => send(...c)); again = false; });
  on('state', (s) => {
    const r = s.range;
    const plots = r.plotsSame ? 'same' : r.plotsLastNs;
    wanted = [r.kind === 'fixed' ? ['zoom', { fromNs: r.fromNs, toNs: r.toNs }] : ['follow', { lastNs: r.lastNs }],
      ['plots', r.plotsSame ? { same: true } : { lastNs: r.plotsLastNs }]];
    frozen = r.frozen;
    $('range-freeze').setAttribute('aria-pressed', String(frozen));
    $('range-follow').setAttribute('aria-pressed', String(r.kind === 'latest'));
    $('range-all').setAttribute('aria-pressed', String(r.kind === 'whole'));
    if ($('range-plots').value !== plots) $('range-plots').value = plots;
    // What someone is typing is left alone.
    if (shown !== r.text && document.activeElement !== field) { shown = r.text; field.value = r.text; text($('range-wrong'), ''); field.removeAttribute('aria-invalid'); }
  });
  return { read };
})();
