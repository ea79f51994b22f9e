// The address: the whole state of the page as the text behind its #, and back.
//
// "1", then "z" for packed (deflate) or "j" for plain JSON, then that in base64 for
// addresses, then eight hexadecimal digits that check all before them. Nothing in it
// is cut off or changed by mail or Markdown. A later "1" may add fields; a page that
// does not know them leaves them out and says so. Another first digit is another
// language.
'use strict';
strandscope.address = (() => {
  const VERSION = '1';
  const SAFE = 2000; // characters that every mail program leaves whole
  const MOST = 8000; // of a link; more belongs into a file
  const LARGEST = 16 << 20; // bytes, unpacked: no document may have more
  const LATEST = 30 * 24 * 3600 * 1e9; // ns; the latest time that the program goes to

  // ---- bytes and text ----------------------------------------------------------------
  // Few packed bytes may stand for very many: so many are enough.
  const through = async (bytes, stream) => {
    let n = 0;
    const count = new TransformStream({
      transform: (chunk, to) => { n += chunk.length; if (n > LARGEST) to.error(new RangeError('too long')); else to.enqueue(chunk); },
    });
    return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream).pipeThrough(count)).arrayBuffer());
  };
  const base64 = (bytes) => btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  const bytesOf = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
  // FNV-1a, of 32 bits.
  const check = (text) => {
    let h = 0x811c9dc5;
    for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
    return (h >>> 0).toString(16).padStart(8, '0');
  };
  const encode = async (parts) => {
    const bytes = new TextEncoder().encode(JSON.stringify(parts));
    let body = `${VERSION}j${base64(bytes)}`;
    if (typeof CompressionStream === 'function') {
      const packed = `${VERSION}z${base64(await through(bytes, new CompressionStream('deflate-raw')))}`;
      if (packed.length < body.length) body = packed;
    }
    return body + check(body);
  };

  // isLink reports whether what stands behind the # is meant for us.
  const isLink = (hash) => /^#\d/.test(hash);
  const decode = async (hash) => {
    const m = /^#(\d)(?:([a-z])([\w-]*)([0-9a-f]{8}))?$/.exec(hash);
    if (m && m[1] !== VERSION) throw new Error(`it is of version ${m[1]}, and this page reads version ${VERSION}`);
    if (hash.length > 64 * MOST) throw new Error(`it is ${hash.length} characters long`);
    if (!m?.[2] || check(hash.slice(1, -8)) !== m[4]) throw new Error('it was cut off or changed on its way');
    if (m[2] !== 'z' && m[2] !== 'j') throw new Error(`it is packed in the way “${m[2]}”, and this page knows j and z`);
    if (m[2] === 'z' && typeof DecompressionStream !== 'function') throw new Error('it is packed, and this browser cannot unpack it');
    let parts;
    try {
      const bytes = bytesOf(m[3]);
      parts = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(m[2] === 'z' ? await through(bytes, new DecompressionStream('deflate-raw')) : bytes));
    } catch (e) { throw new Error(e instanceof RangeError ? `its content has more than ${LARGEST} bytes` : 'its content cannot be read'); }
    judge(parts);
    return parts;
  };

  // ---- what is in it -----------------------------------------------------------------
  const text = (most) => [(v) => typeof v === 'string' && v.length <= most, `text of at most ${most} characters`];
  const whole = (low, high) => [(v) => Number.isSafeInteger(v) && v >= low && v <= high, `a whole number from ${low} to ${high}`];
  const pairs = [(v) => Array.isArray(v) && v.length <= 5000 && v.every((p) => Array.isArray(p) && p.length === 2 && p.every((s) => typeof s === 'string')), 'a list of pairs of texts'];
  const FIELDS = {
    s: text(256),                  // scenario
    d: [(v) => Array.isArray(v) && v.length === 2 && v.every((x) => typeof x === 'string'), 'the name and the text of a document'],
    c: pairs,                      // settings changed, what was typed among them
    t: whole(0, LATEST),           // simulated time in ns
    g: text(16),                   // digest of the run at that time
    x: whole(10, 10_000_000),      // speed in thousandths
    p: whole(0, 1),                // 1: it runs on
    e: [(v) => Array.isArray(v) && v.length === 2 && (v[0] === 'strand' || v[0] === 'thread') && Number.isSafeInteger(v[1]), 'a strand or a thread and its number'],
    m: [(v) => Array.isArray(v) && v.length === 2 && v.every((n) => Number.isSafeInteger(n) && n >= 0), 'a strand and a time'], // the timeline's cursor
  };
  // parts are fields that other scripts of the page take and open: { take(state, brief), open(value) };
  // take gives undefined for what need not be told, and open gets that again.
  const others = new Map();
  const part = (key, how) => others.set(key, how);
  const openPart = (key, value) => others.get(key)?.open(value);
  const judge = (parts) => {
    if (typeof parts !== 'object' || parts === null || Array.isArray(parts)) throw new Error('its content is not an object');
    for (const [key, [good, want]] of Object.entries(FIELDS)) {
      if (key in parts && !good(parts[key])) throw new Error(`its field ${key} is ${JSON.stringify(parts[key]).slice(0, 60)}, want ${want}`);
    }
    if (!('s' in parts) && !('d' in parts)) throw new Error('it names no scenario');
  };
  const unknown = (parts) => Object.keys(parts).filter((key) => !(key in FIELDS) && !others.has(key));

  // take puts a state into parts; brief leaves out what is for the moment only.
  const take = (s, brief = false) => {
    const { wanted, typed } = strandscope;
    // While two runs are compared, the first one is the run, whichever has the focus.
    const id = s.compare ? s.compare.left.scenario : s.scenario.id;
    const p = id || !wanted.text ? { s: id } : { d: [wanted.text.name, wanted.text.text] };
    const changes = (s.compare ? wanted.settings : [...s.settings, ...typed(s)]).map((c) => [c.key, c.value]);
    if (changes.length) p.c = changes;
    p.t = Number(s.nowNs);
    if (!s.compare) p.g = s.digest;
    if (s.speed !== 10000) p.x = s.speed;
    if (s.playing) p.p = 1;
    if (s.selected.strand >= 0) p.e = ['strand', s.selected.strand];
    else if (s.selected.thread >= 0) p.e = ['thread', s.selected.thread];
    if (s.why.atNs) p.m = [s.why.strand, Number(s.why.atNs)];
    for (const [key, how] of others) {
      const v = how.take(s, brief);
      if (v !== undefined) p[key] = v;
    }
    return p;
  };

  // ---- opening -----------------------------------------------------------------------
  // A run is on its way to the link's time; what can be said of it then is asked of
  // arrived, which gives a sentence, or nothing.
  let coming = null;
  const open = (parts, then = () => {}) => {
    coming = { parts, then };
    strandscope.renew({
      scenario: parts.s ?? '', text: parts.d ? { name: parts.d[0], text: parts.d[1] } : null,
      settings: (parts.c ?? []).map(([key, value]) => ({ key, value })),
      speed: parts.x ?? 10000, nowNs: String(parts.t ?? 0), playing: false,
    });
    for (const [key, how] of others) how.open(parts[key]);
  };
  const differs = (s, { s: id, c = [], t = 0, g }) => {
    if (id !== undefined && id !== s.scenario.id) return `The link is to the scenario “${id}”, which this page does not have.`;
    const has = [...s.settings, ...strandscope.typed(s)];
    const lost = c.find(([key, value]) => !has.some((x) => x.key === key && x.value === value));
    if (lost) return `The link changes “${lost[0]}” to “${lost[1]}”, which this page refuses.`;
    if (g !== undefined && String(t) === s.nowNs && g !== s.digest) return `The link was made where this run had another result at ${s.now}: its digest is ${g}, here it is ${s.digest}.`;
    return '';
  };
  strandscope.on('state', (s) => {
    if (!coming || s.seeking || !strandscope.obeyed) return;
    const { parts, then } = coming;
    coming = null;
    const words = [differs(s, parts), ...(unknown(parts).length ? [`The link also holds ${unknown(parts).map((k) => `“${k}”`).join(', ')}, which this page does not know and leaves out.`] : [])];
    if (parts.e) strandscope.send('select', { [parts.e[0]]: parts.e[1] });
    if (parts.m) strandscope.send('point', { strand: parts.m[0], atNs: String(parts.m[1]) });
    if (parts.p) strandscope.send('play');
    then(words.filter(Boolean).join(' '));
  });

  // What time is shown, where that is not as at first.
  const within = (n) => Number.isSafeInteger(n) && n >= 0 && n <= LATEST;
  part('r', {
    take: ({ range: r }) => (r.kind === 'fixed' ? ['fixed', Number(r.fromNs), Number(r.toNs)] : r.kind === 'whole' ? ['last', 0]
      : r.lastNs === '10000000000' ? undefined : ['last', Number(r.lastNs)]),
    open: (r) => {
      const [kind, a, b] = Array.isArray(r) ? r : [];
      if (kind === 'fixed' && within(a) && within(b)) strandscope.send('zoom', { fromNs: String(a), toNs: String(b) });
      else strandscope.send('follow', { lastNs: kind === 'last' && within(a) ? String(a) : '10000000000' });
    },
  });
  part('o', {
    take: ({ range: r }) => (r.plotsSame ? 'same' : r.plotsLastNs === '0' ? undefined : Number(r.plotsLastNs)),
    open: (o) => strandscope.send('plots', o === 'same' ? { same: true } : { lastNs: within(o) ? String(o) : '0' }),
  });

  // The second run of a comparison.
  part('k', {
    take: ({ compare: c }) => (c && strandscope.wanted.compare ? strandscope.wanted.compare.right : undefined),
    open: (k) => {
      if (k && typeof k === 'object') strandscope.send('compare', k);
      else if (strandscope.state.compare) strandscope.send('uncompare');
    },
  });

  return { encode, decode, judge, isLink, part, openPart, take, open, SAFE, MOST, get opening() { return coming !== null; } };
})();
