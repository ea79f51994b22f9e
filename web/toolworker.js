// The worker of tool.js: gets a request, runs the program once, and passes on what it
// says.
'use strict';
(() => {
  const unpacks = (how) => { try { return Boolean(new DecompressionStream(how)); } catch { return false; } };
  const ask = async (wasm, forms) => {
    let response;
    for (const [ending, size] of forms) {
      if (ending && !unpacks(ending === '.br' ? 'brotli' : 'gzip')) continue;
      try {
        response = await fetch(wasm + ending);
      } catch (e) {
        throw new Error(`The program that writes events could not be fetched (${e.message}). Check the connection and try again.`);
      }
      if (response.ok) return { response, ending, total: Number(size) };
    }
    throw new Error(`The program that writes events was not found (${response.status} ${response.statusText}, ${wasm}). "make wasm" builds it.`);
  };
  const compile = async ({ wasm, forms }) => {
    const { response, ending, total } = await ask(wasm, forms);
    const parts = [];
    let loaded = 0;
    for (const reader = response.body.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      loaded += value.length;
      postMessage({ type: 'loading', loaded, total });
    }
    const all = new Blob(parts);
    // Some hosts unpack by themselves.
    const first = new Uint8Array(await all.slice(0, 4).arrayBuffer());
    const how = first[0] === 0x1f && first[1] === 0x8b ? 'gzip' : String(first) === '0,97,115,109' ? '' : ending === '.br' ? 'brotli' : null;
    if (how === null || (how && !unpacks(how))) throw new Error('What came instead of the program that writes events cannot be unpacked here.');
    const body = how ? all.stream().pipeThrough(new DecompressionStream(how)) : all;
    return WebAssembly.compile(await new Response(body).arrayBuffer());
  };

  onmessage = async ({ data: job }) => {
    let answered = false;
    const said = []; // the program's last words, should it die
    const answer = (m) => { answered = true; postMessage(m); };
    try {
      importScripts(job.glue);
      const module = job.module ?? await compile(job);
      if (!job.module) postMessage({ type: 'compiled', module });
      globalThis.strandtoolHost = {
        request: job.request,
        chunk: (bytes) => postMessage({ type: 'chunk', bytes }, [bytes.buffer]),
        progress: (nowNs, size) => postMessage({ type: 'progress', nowNs, size }),
        done: (digest) => answer({ type: 'done', digest }),
        refuse: (reason) => answer({ type: 'refused', reason }),
      };
      globalThis.fs.writeSync = (fd, bytes) => { said.push(new TextDecoder().decode(bytes)); said.splice(0, said.length - 20); return bytes.length; };
      const go = new Go();
      await go.run(await WebAssembly.instantiate(module, go.importObject));
      const words = /(?:panic|fatal error): .*/.exec(said.join(''))?.[0] ?? 'it said nothing';
      if (!answered) throw new Error(`The program that writes events ended early: ${words}.`);
    } catch (e) {
      if (!answered) answer({ type: 'refused', reason: e.message });
    }
  };
})();
