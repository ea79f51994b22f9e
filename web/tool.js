// Files of all events: a second program writes them, for which the page's own has no
// room. Nothing of it is fetched before somebody asks. It runs in a worker, one for each
// file: what it took is free again, and to cancel is to end the worker.
'use strict';
strandscope.tool = (() => {
  const { wasm, glue, worker: script, br, gz, plain } = document.currentScript.dataset; // the site says sizes, too
  const address = (name) => new URL(name, document.baseURI).href;
  // The page in one file names no program, and a page from disk may not fetch any.
  const there = Boolean(wasm) && /^https?:$/.test(location.protocol);
  // The forms in which it is there, smallest first, with their sizes.
  const forms = plain ? [['.br', br], ['.gz', gz], ['', plain]] : [['', 0]];

  let module = null; // the program, compiled, for the next file
  // write gives the parts of a file and the digest of its run. tell hears of what is
  // fetched ('loading') and how far the run is ('progress'). It ends with the signal.
  const write = (request, tell, signal) => new Promise((resolve, reject) => {
    const worker = new Worker(address(script));
    const parts = [];
    const end = (then, value) => { worker.terminate(); then(value); };
    signal.addEventListener('abort', () => end(reject, signal.reason));
    worker.addEventListener('error', (e) => {
      e.preventDefault();
      end(reject, new Error(`What writes events could not be started${e.message ? ` (${e.message})` : ''}. Check the connection and try again.`));
    });
    worker.addEventListener('message', ({ data: m }) => {
      if (m.type === 'chunk') parts.push(new Blob([m.bytes])); // a browser may put it on a disk
      else if (m.type === 'compiled') module = m.module;
      else if (m.type === 'done') end(resolve, { parts, digest: m.digest });
      else if (m.type === 'refused') end(reject, new Error(m.reason));
      else tell(m);
    });
    worker.postMessage({ request: JSON.stringify(request), module, glue: address(glue), wasm: address(wasm), forms });
  });
  return { there, write };
})();
