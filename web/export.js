// Export: the moment that is shown as a picture (SVG, PNG) or a plot's figures (CSV),
// and all events until then, as files. The program writes SVG and CSV, the browser makes
// PNG of the SVG, and tool.js has another program for events.
'use strict';
(() => {
  const { send, view, tool } = strandscope;
  const { $, text, shown } = view;
  const PLOTS = ['loadavg', 'utilisation', 'rqlen']; // panels that have a table
  const dialog = $('export'), what = $('export-what');
  const buttons = [...dialog.querySelectorAll('[data-kind]')];

  // ---- answers: by the number of the question -----------------------------------------
  const waiting = new Map();
  addEventListener('message', (e) => {
    if (e.source !== $('stage').contentWindow || typeof e.data !== 'string' || !e.data.startsWith('{"v":1,"type":"exported"')) return;
    const m = JSON.parse(e.data);
    waiting.get(m.seq)?.(m);
    waiting.delete(m.seq);
  });
  const ask = (kind, panels) => new Promise((resolve, reject) => {
    const rest = kind === 'csv' ? {} : { caption: $('export-caption').value.trim(), link: location.href.slice(0, 600) };
    const n = send('export', { kind, panels, ...rest });
    waiting.set(n, (m) => (m.error ? reject(new Error(m.error)) : resolve(m.text)));
  });

  // ---- files --------------------------------------------------------------------------
  const save = (blob, name) => {
    const a = document.createElement('a');
    a.href = URL.createObjectURL(blob);
    a.download = name;
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 60000); // some browsers read it later
  };
  const png = async (svg, scale) => {
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth * scale;
    canvas.height = image.naturalHeight * scale;
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((resolve, reject) => {
      canvas.toBlob((b) => (b ? resolve(b) : reject(new Error('The browser could not make a PNG of this size; SVG has none.'))), 'image/png');
    });
  };
  const name = (end, panel = what.value, s = strandscope.state) => {
    const base = (s.scenario.id || s.scenario.title || 'run').replace(/[^A-Za-z0-9-]+/g, '-').slice(0, 80);
    return [base, panel, `${Number(s.nowNs) / 1e9}s`].filter(Boolean).join('-') + end;
  };
  const make = async (kind) => {
    const panels = what.value ? [what.value] : [];
    if (kind === 'csv') return [new Blob([await ask('csv', panels)], { type: 'text/csv' }), name('.csv')];
    const svg = await ask('svg', panels);
    if (kind === 'svg') return [new Blob([svg], { type: 'image/svg+xml' }), name('.svg')];
    return kind === 'png2' ? [await png(svg, 2), name('@2x.png')] : [await png(svg, 1), name('.png')];
  };
  for (const b of buttons) {
    b.addEventListener('click', async () => {
      text($('export-said'), 'Being made…');
      try {
        const [blob, file] = await make(b.dataset.kind);
        save(blob, file);
        text($('export-said'), `${file}: ${blob.size} bytes.`);
      } catch (e) {
        text($('export-said'), e.message);
      }
    });
  }

  // ---- events -------------------------------------------------------------------------
  const FILES = {
    events: ['.jsonl', 'application/x-ndjson'], perfetto: ['.perfetto.json', 'application/json'], ftrace: ['.ftrace.txt', 'text/plain'],
  };
  const settled = (signal) => new Promise((done, fail) => {
    const look = () => {
      if (signal.aborted) fail(signal.reason);
      else if (strandscope.settled && !strandscope.state.seeking) done();
      else setTimeout(look, 30);
    };
    look();
  });
  // request is what the tool has to write: the run that has the focus, as links have it.
  const request = (s, format) => {
    const { wanted, typed } = strandscope;
    const run = s.scenario.id ? { scenario: s.scenario.id } : { name: wanted.text.name, document: wanted.text.text };
    return { ...run, settings: [...s.settings, ...typed(s)].map(({ key, value }) => ({ key, value })), untilNs: s.nowNs, format };
  };
  const bar = $('export-bar'), cancel = $('export-cancel');
  const far = (s) => (m) => {
    if (m.type === 'progress') text($('export-said'), 'Being written…');
    const [value, max] = m.type === 'loading' ? [m.loaded, m.total] : [Number(m.nowNs), Number(s.nowNs)];
    if (max) { bar.max = max; bar.value = Math.min(value, max); } else bar.removeAttribute('value');
  };
  let writing = null; // the file that is being written: of older ones nothing is said
  const stop = () => writing?.abort(new Error('Cancelled: no file was written.'));
  const record = async (button) => {
    stop();
    const mine = writing = new AbortController(), format = button.dataset.events;
    const say = (words) => { if (mine === writing) text($('export-said'), words); };
    say('Being fetched and written…');
    bar.removeAttribute('value');
    shown(bar, true);
    shown(cancel, true);
    try {
      send('pause'); // events until now: it must stay now
      await settled(mine.signal);
      const s = strandscope.state, [end, type] = FILES[format];
      const { parts, digest } = await tool.write(request(s, format), far(s), mine.signal);
      if (digest !== s.digest) throw new Error(`The file is not saved: its run has another digest than the page’s (${digest} ≠ ${s.digest}). Please report it with a link to this run.`);
      const blob = new Blob(parts, { type }), file = name(end, '', s);
      save(blob, file);
      say(`${file}: ${blob.size} bytes.`);
    } catch (e) {
      say(e.message);
    }
    if (mine !== writing) return;
    writing = null;
    if (document.activeElement === cancel) button.focus();
    shown(bar, false);
    shown(cancel, false);
  };
  for (const b of dialog.querySelectorAll('[data-events]')) b.addEventListener('click', () => record(b));
  cancel.addEventListener('click', stop);
  dialog.addEventListener('close', stop);
  if (!tool.there) {
    shown($('export-formats'), false);
    text($('export-how'), 'This page is one file, and cannot fetch the program that writes them. The site does, and the command line: as JSON Lines, for Perfetto with -o perfetto, as ftrace text with -o ftrace:');
  }

  // ---- the dialog ---------------------------------------------------------------------
  const tables = () => { buttons.find((b) => b.dataset.kind === 'csv').disabled = !PLOTS.includes(what.value); };
  what.addEventListener('change', tables);
  const quoted = (s) => (/^[\w=.,-]+$/.test(s) ? s : `'${s.replaceAll("'", "'\\''")}'`);
  const line = (s) => ['strandsim run', ...[...s.settings, ...strandscope.typed(s)].map((v) => `-set ${quoted(`${v.key}=${v.value}`)}`),
    `-for ${Number(s.nowNs) / 1e9}s`, '-o events', s.scenario.id || 'FILE.json'].join(' ');
  $('export-open').addEventListener('click', () => {
    const s = strandscope.state;
    if (!s.panels) return; // the program is not there yet
    const before = what.value;
    what.replaceChildren(what.options[0], ...s.panels.list.map((p) => new Option(p.title, p.id)));
    what.value = s.panels.list.some((p) => p.id === before) ? before : '';
    tables();
    text($('export-line'), line(s));
    text($('export-said'), '');
    dialog.showModal();
  });
  $('export-close').addEventListener('click', () => dialog.close());
})();
