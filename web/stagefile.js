// Files: the page hands one over, and it goes into the program piece by piece, so that
// neither has all of it in memory. Only the fuller program reads recordings.
'use strict';
(() => {
  const VERSION = 1;
  const AT_ONCE = 30; // ms of reading before the browser may do something else
  const home = /^https?:/.test(location.origin) ? location.origin : '*';
  const tell = (m) => parent.postMessage(JSON.stringify({ v: VERSION, type: 'reading', ...m }), home);
  const pause = (ms = 0) => new Promise((done) => { setTimeout(done, ms); });
  let job = 0, reader = null;

  // put calls the program; what it answers in words is wrong.
  const put = (...args) => {
    const answer = window.strandscopeHost.file(...args);
    if (typeof answer === 'string') throw new Error(answer);
    return answer;
  };
  const read = async (file, kernel) => {
    const mine = ++job;
    let loaded = 0, records = 0;
    const count = new TransformStream({ transform: (chunk, to) => { loaded += chunk.length; to.enqueue(chunk); } });
    put('begin', file.name, kernel);
    const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
    const packed = head[0] === 0x1f && head[1] === 0x8b;
    let stream = file.stream().pipeThrough(count);
    if (packed) stream = stream.pipeThrough(new DecompressionStream('gzip'));
    reader = stream.getReader();
    for (let began = performance.now(), told = 0; ;) {
      let piece;
      try { piece = await reader.read(); } catch (e) {
        // Of a file that is cut within its compression the first part can be read.
        if (!packed || loaded < file.size) throw e;
        put('cut');
        break;
      }
      if (mine !== job) return;
      if (piece.done) break;
      records = put('feed', piece.value);
      const now = performance.now();
      if (now - told > 100) { told = now; tell({ loaded, total: file.size, records }); }
      if (now - began < AT_ONCE) continue;
      await pause();
      if (mine !== job) return;
      began = performance.now();
    }
    tell({ loaded: file.size, total: file.size, records, closing: true });
    await pause(50); // so that the page says so
    if (mine !== job) return;
    tell({ records: put('close'), done: true });
  };
  const drop = () => { job++; reader?.cancel().catch(() => {}); reader = null; };

  addEventListener('message', async (e) => {
    if (e.source !== parent || (home !== '*' && e.origin !== location.origin) || e.data?.v !== VERSION || e.data.type !== 'file') return;
    drop();
    if (!(e.data.file instanceof Blob)) { put('drop'); return; }
    const mine = job + 1;
    try { await read(e.data.file, String(e.data.kernel ?? '')); } catch (err) {
      if (mine !== job) return;
      drop();
      put('drop');
      tell({ error: err.message || String(err) });
    }
  });
})();
