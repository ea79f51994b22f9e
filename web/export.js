// Export: the moment that is shown as a picture (SVG, PNG) or a plot's figures (CSV),
// as files. The program writes SVG and CSV, the browser makes PNG of the SVG.
'use strict';
(() => {
  const { send, view } = strandscope;
  const { $, text } = view;
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
  const name = (end) => {
    const s = strandscope.state;
    const base = (s.scenario.id || s.scenario.title || 'run').replace(/[^A-Za-z0-9-]+/g, '-').slice(0, 80);
    return [base, what.value, `${Number(s.nowNs) / 1e9}s`].filter(Boolean).join('-') + end;
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
