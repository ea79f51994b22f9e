// Recordings of real schedulers: a file is chosen or dropped, read by the fuller program
// without leaving the browser, and shown as a run is; and what another kernel would have
// made of it.
'use strict';
strandscope.recording = (() => {
  const { send, on, hand, view } = strandscope;
  const { $, text, shown, make, once } = view;
  const dialog = $('recording'), ifs = $('what-if');
  const whole = (n) => n.toLocaleString('en');
  const megabytes = (n) => (n / 1e6).toFixed(1);
  const sentence = (s) => { const t = s[0].toUpperCase() + s.slice(1); return /[.?!]$/.test(t) ? t : `${t}.`; };
  let reading = null; // what is being read: { file, kernel }
  let facts = null;   // of what was read last

  // ---- a file is read ----------------------------------------------------------------
  $('recording-kernel').append(...[...strandscopeLater.kernels].reverse().map((k) => make('option', { value: k, translate: 'no' }, k)));
  const face = (busy) => {
    shown($('recording-ask'), !busy);
    shown($('recording-busy'), busy);
    if (busy) $('recording-cancel').focus();
  };
  const wrong = (words) => { text($('recording-wrong'), words); shown($('recording-wrong'), words !== ''); };
  const ask = () => {
    wrong('');
    face(reading !== null);
    if (!dialog.open) dialog.showModal();
  };
  const open = (file) => {
    wrong('');
    const m = { file, kernel: $('recording-kernel').value };
    if (!hand(m)) return;
    reading = m;
    $('recording-bar').removeAttribute('value');
    text($('recording-name'), file.name);
    text($('recording-said'), 'The file is being opened.');
    if (!dialog.open) dialog.showModal();
    face(true);
  };
  const cancel = () => {
    if (!reading) return;
    reading = null;
    hand({ file: null });
    face(false);
    $('recording-choose').focus();
    wrong('Cancelled. What was shown before is as it was.');
  };
  // The dialog was opened from another one, which is closed: its button is where one was.
  const home = () => $('share-open').focus();
  on('reading', (m) => {
    if (!reading) return;
    if (m.error !== undefined) {
      const name = reading.file.name;
      reading = null;
      face(false);
      $('recording-choose').focus();
      wrong(`${name} cannot be read: ${sentence(m.error)}`);
      return;
    }
    if (m.done) {
      strandscope.wanted.recording = reading;
      reading = null;
      dialog.close();
      home();
      return;
    }
    const bar = $('recording-bar');
    bar.max = m.total;
    bar.value = m.loaded;
    text($('recording-said'), m.closing ? `All was read; ${whole(m.records)} records are put in order.`
      : `${megabytes(m.loaded)} of ${megabytes(m.total)} MB, ${whole(m.records)} records.`);
  });
  $('recording-open').addEventListener('click', () => { $('share').close(); ask(); });
  $('recording-choose').addEventListener('click', () => $('recording-file').click());
  $('recording-file').addEventListener('change', (e) => {
    const file = e.target.files[0];
    e.target.value = '';
    if (file) open(file);
  });
  $('recording-cancel').addEventListener('click', cancel);
  const close = () => { cancel(); wrong(''); dialog.close(); home(); };
  $('recording-close').addEventListener('click', close);
  dialog.addEventListener('cancel', (e) => { e.preventDefault(); if (reading) cancel(); else close(); });

  // ---- what a file is -------------------------------------------------------------------
  // A scenario or a state is JSON, which may begin with a comment; so is a Chrome trace,
  // which names its events. All else is tried as a recording.
  const take = async (file) => {
    const head = (await file.slice(0, 1 << 16).text()).trimStart();
    const events = /"(?:traceEvents|systemTraceEvents)"\s*:/;
    const most = strandscope.share.LARGEST;
    if (!/^(?:\{|\/[/*])/.test(head) || events.test(head)) { open(file); return; }
    if (file.size <= most) {
      const all = await file.text();
      if (!events.test(all)) { strandscope.share.openText(file.name, all); return; }
    }
    open(file);
  };
  const files = (e) => e.dataTransfer?.types.includes('Files');
  // Over the picture its frame would get the events: it is made transparent to them.
  const over = (yes) => document.body.classList.toggle('dropping', yes);
  on('dragged', () => over(true));
  addEventListener('dragenter', (e) => { if (files(e)) over(true); });
  addEventListener('dragover', (e) => { if (files(e)) { e.preventDefault(); e.dataTransfer.dropEffect = 'copy'; } });
  addEventListener('dragleave', (e) => { if (!e.relatedTarget) over(false); });
  addEventListener('drop', (e) => {
    over(false);
    const file = e.dataTransfer?.files[0];
    if (!file) return;
    e.preventDefault();
    for (const d of document.querySelectorAll('dialog[open]')) d.close();
    take(file);
  });

  // ---- what is shown of it ----------------------------------------------------------------
  on('recording', (m) => {
    facts = m.facts;
    $('recorded-kernel').replaceChildren(...facts.kernels.map((k) => make('option', { value: k.value }, k.label)));
    $('recorded-kernel').value = facts.kernel;
    $('what-if-kernel').replaceChildren(...facts.kernels.map((k) => make('option', { value: k.value }, k.label)));
    $('what-if-kernel').value = facts.kernels.find((k) => k.value !== facts.kernel && k.value.startsWith('linux-6'))?.value ?? facts.kernel;
    $('what-if-machine').replaceChildren(...facts.machines.map((k) => make('option', { value: k.value }, k.label)));
    text($('recorded-facts'), `${facts.format}: ${whole(facts.records)} records of ${whole(facts.threads)} threads.`);
    text($('recorded-amiss'), facts.amiss ? `${whole(facts.amiss)} places were left out or read otherwise; the notes say which.` : '');
    if (strandscope.wanted.recording) strandscope.wanted.recording.kernel = facts.kernel;
  });
  $('recorded-kernel').addEventListener('change', (e) => send('recording', { do: 'kernel', kernel: e.target.value }));
  const show = (s) => {
    const is = s.scenario.recorded === true;
    document.body.classList.toggle('recorded', is);
    shown($('recorded'), is);
    // Lines of a file are as they are in any language.
    if (is) $('read-notes').setAttribute('translate', 'no'); else $('read-notes').removeAttribute('translate');
    once('recorded', [is, s.scenario.title], () => { if (is) $('read-notes').open = false; });
  };

  // ---- what if -----------------------------------------------------------------------------
  const list = (el, lines) => el.replaceChildren(...lines.map((l) => make('li', {}, sentence(l))));
  const tellIf = ({ what: w }) => {
    text($('what-if-said'), w.error ? sentence(w.error) : w.doing);
    shown($('what-if-said'), Boolean(w.error || w.doing));
    shown($('what-if-bar'), !w.error && w.doing !== '');
    list($('what-if-derived'), w.derived);
    shown($('what-if-derivation'), w.derived.length > 0);
    text($('what-if-of'), `Fidelity: the model of ${w.kernel} and the recording`);
    list($('what-if-fidelity'), [...w.driven, ...w.own]);
    shown($('what-if-trust'), w.driven.length + w.own.length > 0);
    shown($('what-if-form'), !w.error && w.own.length > 0);
  };
  on('whatIf', (m) => {
    if (!ifs.open) return;
    tellIf(m);
    if (!m.what.document) return;
    ifs.close();
    strandscope.loadText(`${facts.name}.json`.slice(-200), m.what.document);
    if (BigInt(facts.endNs) >= 1000n) send('zoom', { fromNs: '0', toNs: facts.endNs });
    send('seek', { atNs: facts.endNs }); // as far as the recording went
    home();
  });
  $('what-if-open').addEventListener('click', () => {
    tellIf({ what: { doing: 'The work begins.', derived: [], driven: [], own: [], kernel: facts.kernel, error: '' } });
    ifs.showModal();
    send('recording', { do: 'derive' });
  });
  const closeIf = () => {
    if (!$('what-if-bar').hidden) send('recording', { do: 'stop' });
    ifs.close();
    $('what-if-open').focus();
  };
  $('what-if-close').addEventListener('click', closeIf);
  ifs.addEventListener('cancel', (e) => { e.preventDefault(); closeIf(); });
  $('what-if-form').addEventListener('submit', (e) => {
    e.preventDefault();
    send('recording', { do: 'document', kernel: $('what-if-kernel').value, machine: $('what-if-machine').value });
  });
  return { open, take, show, get reading() { return reading !== null; } };
})();
