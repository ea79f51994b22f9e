// The stage: an inner frame that holds nothing but the canvas and the Go
// program. It gives Ebitengine exact device pixels, keeps events from it that
// belong to the page, and carries messages between page and program.
'use strict';
(() => {
  const VERSION = 1;
  const MOST = 16 << 20; // characters of one message; the program counts bytes
  const { wasm, br, gz, plain } = document.currentScript.dataset; // the site says sizes, too
  const home = /^https?:/.test(location.origin) ? location.origin : '*';
  // In an embedded figure nothing is done to the machine: no strand goes off-line.
  const viewOnly = window.name === 'view-only';
  const tell = (m) => parent.postMessage(JSON.stringify({ v: VERSION, ...m }), home);
  tell({ type: 'born', full: /strandfull/.test(wasm) }); // which of the programs comes

  // ---- exact pixels -------------------------------------------------------
  // Ebitengine sizes its canvas by body.clientWidth in whole CSS pixels. We
  // answer in device pixels, as measured, and switch its own scaling off.
  let width = 1, height = 1;
  const measure = (entry) => {
    const size = entry?.devicePixelContentBoxSize?.[0];
    width = Math.max(1, size ? size.inlineSize : Math.round(innerWidth * devicePixelRatio));
    height = Math.max(1, size ? size.blockSize : Math.round(innerHeight * devicePixelRatio));
  };
  measure();
  Object.defineProperty(document.body, 'clientWidth', { get: () => width, configurable: true });
  Object.defineProperty(document.body, 'clientHeight', { get: () => height, configurable: true });

  // ---- messages -----------------------------------------------------------
  let program = null; // the program's listener
  const early = [];   // messages from before it listened
  const give = (text) => { if (program) program(text); else early.push(text); };
  const command = (cmd, rest) => give(JSON.stringify({ v: VERSION, cmd, ...rest }));
  const resized = () => command('resize', { width, height, scale: Math.round(devicePixelRatio * 1000) });

  window.strandscopeHost = {
    send: (text) => parent.postMessage(text, home),
    subscribe: (fn) => {
      program = fn;
      resized();
      early.splice(0).forEach(fn);
    },
  };
  addEventListener('message', (e) => {
    // What does not begin as our messages do is another's: of a tool that audits pages, say.
    if (e.source !== parent || typeof e.data !== 'string' || e.data.length > MOST || !e.data.startsWith('{"v":')) return;
    dress(e.data);
    give(e.data);
  });
  // The ground around the canvas follows the theme even before Go is there.
  const dress = (text) => {
    const m = text.length < 200 ? /"cmd":"theme","name":"(dark|light|projector)"/.exec(text) : null;
    if (m) document.documentElement.dataset.theme = m[1];
  };

  // ---- events that must not reach Ebitengine -------------------------------
  // Its listeners prevent the default of all of them: the wheel would no longer
  // scroll the page, Tab would never leave the canvas.
  const stop = (e) => e.stopImmediatePropagation();
  // With Ctrl or Cmd the wheel is ours, and a pinch on a touch pad comes as that.
  let turned = 0;
  addEventListener('wheel', (e) => {
    if (!(e.ctrlKey || e.metaKey) || e.target.tagName !== 'CANVAS') return;
    e.preventDefault();
    turned -= e.deltaY * (e.deltaMode === 0 ? 1 : 40) / 40;
    const notches = Math.max(-100, Math.min(100, Math.trunc(turned)));
    turned -= notches;
    if (notches) command('input', { kind: 'turn', notches, ...spot(e, e.target) });
  }, { capture: true, passive: false });
  const spot = (e, canvas) => ({
    x: Math.min(width, Math.max(0, Math.round(e.offsetX * width / canvas.clientWidth))),
    y: Math.min(height, Math.max(0, Math.round(e.offsetY * height / canvas.clientHeight))),
  });
  for (const type of ['wheel', 'touchstart', 'touchmove', 'touchend', 'contextmenu', 'dragover', 'drop',
    'mousedown', 'mouseup', 'mousemove', 'keyup']) {
    addEventListener(type, stop, { capture: true, passive: true });
  }
  // The page takes what is dragged over the picture, once it knows.
  addEventListener('dragenter', (e) => { if (e.dataTransfer?.types.includes('Files')) tell({ type: 'dragged' }); });
  addEventListener('keydown', (e) => {
    stop(e);
    if (e.target.tagName !== 'CANVAS' || e.ctrlKey || e.metaKey || e.altKey) return;
    const page = strandscopeKeys.inPage(e);
    if (strandscopeKeys.inPicture(e) && !(viewOnly && e.key === 'o')) command('input', { kind: 'key', key: e.key, shift: e.shiftKey });
    else if (page) tell({ type: 'key', act: page.act });
    else if (e.key !== ' ') return; // held: it must not scroll the page either
    e.preventDefault();
  }, { capture: true });

  // A press that stays where it is is a tap; with a mouse or a pen one that moves
  // is a drag. A finger that moves scrolls the page.
  const pointers = (canvas) => {
    const at = (e) => spot(e, canvas);
    let down = null, hovering = 0, dragging = 0;
    const drag = (p, done, shift) => {
      if (viewOnly) return;
      command('input', { kind: 'drag', fromX: down.from.x, fromY: down.from.y, ...p, dx: p.x - down.last.x, shift, done });
      down.last = p;
    };
    canvas.addEventListener('pointerdown', (e) => {
      if (e.button !== 0) return;
      down = { id: e.pointerId, x: e.offsetX, y: e.offsetY, from: at(e), last: at(e), moved: false };
      if (e.pointerType !== 'touch') canvas.setPointerCapture(e.pointerId);
    });
    canvas.addEventListener('pointercancel', () => { down = null; });
    canvas.addEventListener('pointerup', (e) => {
      const d = down;
      if (d && d.id === e.pointerId && d.moved) drag(at(e), true, e.shiftKey);
      down = null;
      if (d && d.id === e.pointerId && !d.moved && Math.hypot(e.offsetX - d.x, e.offsetY - d.y) < 10) command('input', { kind: 'tap', ...at(e) });
    });
    canvas.addEventListener('pointermove', (e) => {
      if (e.pointerType === 'touch') return;
      const p = at(e), shift = e.shiftKey;
      if (down && (down.moved || Math.hypot(e.offsetX - down.x, e.offsetY - down.y) > 4)) {
        down.moved = true;
        if (!dragging) dragging = requestAnimationFrame(() => { dragging = 0; if (down) drag(p, false, shift); });
        return;
      }
      if (hovering) return; // at most one a frame
      hovering = requestAnimationFrame(() => { hovering = 0; command('input', { kind: 'hover', ...p }); });
    });
    canvas.addEventListener('pointerleave', (e) => { if (e.pointerType !== 'touch') command('input', { kind: 'leave' }); });
  };

  // ---- a lost picture -------------------------------------------------------
  // Ebitengine would reload this frame and forget everything. The page reloads
  // it and brings scenario, settings and time back.
  addEventListener('webglcontextlost', (e) => { stop(e); e.preventDefault(); tell({ type: 'lost' }); }, { capture: true });

  const adopt = (canvas) => {
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', 'Picture of the machine: strands by core, run queue, timeline and plots. ' +
      'The same facts are in words below it. Arrow keys choose a strand. ' +
      'T puts a cursor into the timeline, which arrows then move, with Shift from switch to switch; plus and minus zoom, nought shows the whole run. ' +
      (viewOnly ? '' : 'O takes the chosen strand off-line and back.'));
    canvas.style.outline = '';
    pointers(canvas);
    // One pass for both: Ebitengine clears its canvas at each resize event, and
    // the program has to paint it again.
    addEventListener('resize', resized);
    const watch = new ResizeObserver((entries) => { measure(entries.at(-1)); dispatchEvent(new Event('resize')); });
    try { watch.observe(canvas, { box: 'device-pixel-content-box' }); } catch { watch.observe(canvas); }
    // A little ahead of being seen, so that scrolling meets a painted canvas.
    new IntersectionObserver((entries) => command('input', { kind: 'view', on: entries.at(-1).isIntersecting }),
      { rootMargin: '300px' }).observe(canvas);
  };

  // ---- loading --------------------------------------------------------------
  const unpacks = (how) => { try { return Boolean(new DecompressionStream(how)); } catch { return false; } };
  // The forms in which the program is there, smallest first. We unpack it ourselves:
  // so it is small on hosts that set no headers, too.
  const forms = plain
    ? [[br, '.br', unpacks('brotli')], [gz, '.gz', unpacks('gzip')], [plain, '', true]].filter(([, , can]) => can)
    : [[0, '', true]];
  const ask = async () => {
    let response;
    for (const [size, ending] of forms) {
      try {
        response = await fetch(wasm + ending);
      } catch (e) {
        throw new Error(location.protocol === 'file:'
          ? 'Browsers do not let a page opened from a file read the program beside it. Start a web server in this folder (for example "strandsim serve") and open its address.'
          : `The program could not be fetched (${e.message}). Check the connection and load the page again.`);
      }
      if (response.ok) return { response, size, ending };
    }
    throw new Error(`The program was not found: ${response.status} ${response.statusText} for ${wasm}. "make wasm" builds it.`);
  };
  // held is the program where the page brought it along, in one file with it.
  const held = async () => {
    const bytes = Uint8Array.from(atob(parent.document.getElementById('held-program').textContent), (c) => c.charCodeAt(0));
    tell({ type: 'loading', loaded: bytes.length, total: bytes.length });
    return unpack(bytes, new Blob([bytes]).stream());
  };
  const download = async () => {
    const { response, size, ending } = await ask();
    // With a content encoding the length is that of other bytes than we count.
    let total = Number(size) || (response.headers.get('Content-Encoding') ? 0 : Number(response.headers.get('Content-Length')) || 0);
    let loaded = 0, told = 0;
    const reader = response.body.getReader();
    const count = (chunk) => {
      if (!loaded && chunk[0] === 0x00 && plain) total = Number(plain); // the host unpacked it
      loaded += chunk.length;
      if (performance.now() - told > 50 || loaded === total) { told = performance.now(); tell({ type: 'loading', loaded, total }); }
      return chunk;
    };
    let first = new Uint8Array();
    while (first.length < 4) { // peek: some hosts decode .gz on their own
      const { done, value } = await reader.read();
      if (done) throw new Error(`The program is only ${first.length} bytes long.`);
      const both = new Uint8Array(first.length + value.length);
      both.set(first);
      both.set(count(value), first.length);
      first = both;
    }
    const rest = new ReadableStream({
      start: (to) => to.enqueue(first),
      pull: async (to) => { const { done, value } = await reader.read(); if (done) to.close(); else to.enqueue(count(value)); },
    });
    return unpack(first, rest, ending);
  };
  const unpack = (first, stream, ending) => {
    if (first[0] === 0x1f && first[1] === 0x8b) {
      if (!unpacks('gzip')) throw new Error('This browser cannot unpack the program: it has no DecompressionStream. Use a newer one.');
      return stream.pipeThrough(new DecompressionStream('gzip'));
    }
    if (first[0] === 0x00 && first[1] === 0x61 && first[2] === 0x73 && first[3] === 0x6d) return stream;
    if (ending === '.br') return stream.pipeThrough(new DecompressionStream('brotli')); // has no first bytes of its own
    throw new Error('What came instead of the program is neither WebAssembly nor gzip.');
  };

  const hasWebGL = () => {
    const gl = document.createElement('canvas').getContext('webgl2');
    gl?.getExtension('WEBGL_lose_context')?.loseContext(); // browsers keep only so many
    return gl !== null;
  };

  let said = ''; // the program's last words, should it die: a panic's come in very many pieces
  const hear = (words) => {
    said += words;
    const at = said.search(/panic: |fatal error: /);
    said = at < 0 ? said.slice(-200) : said.slice(at, at + 2000);
  };
  // In a language other than English the picture's texts pass through the page's catalogue.
  const language = async () => {
    const words = parent.strandscope?.words;
    if (!words || words.lang === 'en') return;
    await words.ready;
    window.strandscopeHost.say = (s) => words.say(s);
  };
  const start = async () => {
    if (typeof WebAssembly !== 'object') throw new Error('This browser has no WebAssembly.');
    if (typeof Go !== 'function') throw new Error('wasm_exec.js is missing beside index.html: "make wasm" puts it there.');
    const body = wasm ? await download() : await held();
    const go = new Go();
    go.argv = hasWebGL() ? ['strandscope'] : ['strandscope', 'blind'];
    const answer = new Response(body, { headers: { 'Content-Type': 'application/wasm' } }); // whatever the host said
    const { instance } = WebAssembly.instantiateStreaming ? await WebAssembly.instantiateStreaming(answer, go.importObject)
      : await WebAssembly.instantiate(await answer.arrayBuffer(), go.importObject);
    await language().catch(() => {}); // where the page is out of reach it stays English
    tell({ type: 'started' });
    const write = globalThis.fs.writeSync;
    globalThis.fs.writeSync = (fd, bytes) => { hear(new TextDecoder().decode(bytes)); return write(fd, bytes); };
    const over = go.run(instance).finally(() => { program = () => {}; }); // a dead program hears nothing
    const canvas = document.querySelector('canvas');
    if (canvas) adopt(canvas);
    await over;
    const words = /(?:panic|fatal error): (.*)/.exec(said)?.[1] ?? '';
    throw new Error('The program ended' + (words ? `: ${words}` : '.'));
  };
  let failed = false;
  const fail = (e) => { if (!failed) { failed = true; tell({ type: 'failed', reason: e.message || String(e) }); } };
  addEventListener('error', (e) => {
    // Without an error it is a notice, as of ResizeObserver; that the program is
    // gone already is only the echo of its end, which says why.
    if (e.error && !/already exited/.test(e.error.message)) fail(e.error);
  });
  start().catch(fail);
})();
