// Sharing: the address keeps up with the page, back and forward go through what was
// shown, and a dialog gives the link, the code for a page of one's own, and a file.
'use strict';
strandscope.share = (() => {
  const { on, send, hold, release, address, view } = strandscope;
  const { $, text, shown } = view;
  const here = () => location.href.replace(/#.*/, '');
  const say = (words) => { text($('linked-text'), words); shown($('linked'), words !== ''); };
  on('lacking', say);
  $('linked-close').addEventListener('click', () => say(''));

  // ---- what the address says is opened -----------------------------------------------
  let first = '';  // the scenario that a page without a link shows
  let asked = 0;   // the number of the link opened last: only that one counts
  let lastHash = ''; // as written or read last
  const follow = async () => {
    const mine = ++asked, hash = lastHash = location.hash;
    if (!address.isLink(hash)) return;
    try {
      const parts = await address.decode(hash);
      if (mine === asked) address.open(parts, say);
    } catch (e) {
      if (mine !== asked) return;
      say(`The link cannot be opened: ${e.message}. This is the first scene instead.`);
      if (first) address.open({ s: first });
    }
  };
  if (address.isLink(location.hash)) {
    hold();
    // When all scripts are there, so that each finds its part.
    addEventListener('DOMContentLoaded', () => follow().finally(release));
  }
  addEventListener('popstate', () => {
    if (location.hash === lastHash) return;
    say('');
    if (location.hash) follow();
    else { lastHash = ''; asked++; address.open({ s: first }); }
  });

  // ---- the address keeps up ----------------------------------------------------------
  // What changes by itself while a run goes on (time and digest) is written when it
  // stops. Another scenario, class or explanation is another entry of the history.
  let told = null, last = null, timer = 0, bare = false;
  const key = (p) => JSON.stringify({ ...p, d: p.d?.[1].length, ...(p.p && { t: 0, g: '' }) });
  const entry = (p) => JSON.stringify([p.s, p.d?.[1].length, (p.c ?? []).filter(([k]) => k === 'class' || k === 'explanation' || k === 'kernel')]);
  const write = async (how, parts) => {
    const body = await address.encode(parts);
    const hash = `#${body}`;
    history[how](null, '', body.length > address.MOST ? here() : hash);
    lastHash = location.hash;
  };
  let writing = Promise.resolve();
  const keep = () => {
    timer = 0;
    if (address.opening || !last) return;
    const parts = last, before = told;
    if (key(parts) === key(before.parts)) return;
    told = { parts, asked: before.asked };
    writing = writing.then(() => write('replaceState', parts)).catch(() => {}); // too often: the next one does
  };
  on('state', (s) => {
    if (!first) first = s.choices.scenarios[0].value;
    if (address.opening || s.seeking) return;
    // A recording is in no address; back goes to what was there before it.
    if (s.scenario.recorded) {
      if (!bare) writing = writing.then(() => { history.pushState(null, '', here()); lastHash = ''; });
      bare = true;
      return;
    }
    bare = false;
    const parts = address.take(s, true);
    if (!told) { told = { parts, asked }; last = parts; return; }
    if (entry(parts) !== entry(last) && asked === told.asked) {
      const before = last;
      writing = writing.then(async () => { await write('replaceState', before); await write('pushState', parts); }).catch(() => {});
      told = { parts, asked };
    }
    told.asked = asked;
    last = parts;
    if (key(parts) !== key(told.parts) && !timer) timer = setTimeout(keep, 400);
  });

  // ---- the dialog --------------------------------------------------------------------
  const dialog = $('share');
  const escape = (s) => s.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  // code is an iframe that shows a state; its height is what the picture asks for.
  const code = (s, body) => {
    const url = new URL('web/embed.html', here());
    const theme = address.take(s).h;
    if (theme) url.searchParams.set('theme', theme);
    if (ran) url.searchParams.set('autoplay', '1');
    return `<iframe src="${escape(`${url.href}#${body}`)}" title="${escape(`Strandscope: ${s.scenario.title}`)}" ` +
      'loading="lazy" width="100%" height="560" style="border:0"></iframe>';
  };
  const words = (n) => (n > address.MOST ? `This state takes ${n.toLocaleString('en')} characters: too many for a link. Save it as a file.`
    : n > address.SAFE ? `The link has ${n.toLocaleString('en')} characters; some mail programs cut what is longer than ${address.SAFE.toLocaleString('en')}. A file is safer.` : '');
  // make writes a state into the dialog's fields and gives the link.
  const make = async (parts) => {
    const s = strandscope.state, body = await address.encode(parts), { recorded } = s.scenario;
    const link = `${here()}#${body}`, fits = body.length <= address.MOST && !recorded;
    $('share-link').value = fits ? link : '';
    $('share-embed').value = fits ? code(s, body) : '';
    for (const id of ['copy-link', 'copy-moment', 'copy-embed']) $(id).disabled = !fits;
    $('share-save').disabled = recorded;
    text($('share-said'), recorded ? 'A recording is in no link: it stays on this computer.' : words(link.length));
    return link;
  };
  const now = () => address.take(strandscope.state);
  // moment is the link to what the timeline's cursor is at, in the middle of what is shown.
  const moment = () => {
    const p = now(), { fromNs, toNs } = strandscope.state.range;
    const span = Math.max(1000, Number(toNs) - Number(fromNs));
    const from = Math.max(0, Math.round(p.m[1] - span / 2));
    return { ...p, r: ['fixed', from, from + span] };
  };
  const copy = async (field, what) => {
    field.select();
    try { await navigator.clipboard.writeText(field.value); text($('share-said'), `${what} is copied.`); } catch { text($('share-said'), `${what} is selected: copy it with Ctrl C.`); }
  };
  let ran = false; // when the dialog was opened: then the figure starts by itself
  $('share-open').addEventListener('click', async () => {
    if (!strandscope.state.scenario) return;
    ran = strandscope.state.playing;
    send('pause'); // a link is to a time, and one should see to which
    dialog.showModal();
    shown($('copy-moment'), Boolean(strandscope.state.why.atNs));
    await settled();
    await make(now());
  });
  const settled = () => new Promise((done) => {
    const look = () => { if (strandscope.settled) done(); else setTimeout(look, 30); };
    look();
  });
  $('share-close').addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', (e) => { if (e.target === dialog) dialog.close(); }); // beside it
  $('copy-link').addEventListener('click', async () => { await make(now()); copy($('share-link'), 'The link'); });
  $('copy-moment').addEventListener('click', async () => { await make(moment()); copy($('share-link'), 'The link'); });
  $('copy-embed').addEventListener('click', () => copy($('share-embed'), 'The embed code'));

  // ---- files -------------------------------------------------------------------------
  // A file of a state is its parts as JSON; whatever else is taken for a scenario.
  $('share-save').addEventListener('click', () => {
    const url = URL.createObjectURL(new Blob([`${JSON.stringify({ strandscope: 1, state: now() }, null, 1)}\n`], { type: 'application/json' }));
    const a = view.make('a', { href: url, download: `strandscope-${strandscope.state.scenario.id || 'scenario'}.json` });
    a.click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  });
  $('share-load').addEventListener('click', () => $('share-file').click());
  const stateOf = (content) => {
    try { const o = JSON.parse(content); return o?.strandscope === undefined ? null : o; } catch { return null; } // a scenario may have comments
  };
  $('share-file').addEventListener('change', (e) => {
    const file = e.target.files[0];
    e.target.value = '';
    if (!file) return;
    dialog.close();
    say('');
    strandscope.recording.take(file);
  });
  const openText = (name, content) => {
    say('');
    const o = stateOf(content);
    try {
      if (o && o.strandscope !== 1) throw new Error(`strandscope is ${JSON.stringify(o.strandscope)}, want 1`);
      if (o) address.judge(o.state);
      address.open(o ? o.state : { d: [name, content] }, say);
    } catch (err) { say(`The file ${name} cannot be opened: ${err.message}.`); }
  };
  // kept: the address says what is shown. Tests wait for it.
  return { openText, LARGEST: 8 << 20, get kept() { return told !== null && !timer && key(last) === key(told.parts); } };
})();
