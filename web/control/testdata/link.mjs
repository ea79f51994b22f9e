// Reads links, one JSON text a line, with the page's own scripts, and writes for each
// what the page would say of it, {"error"}, or what it would tell the program,
// {"messages"}.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import vm from 'node:vm';

const page = () => {
  const posted = [], hear = [];
  const stage = { postMessage: (m) => posted.push(m) };
  const world = {
    document: { getElementById: () => ({ contentWindow: stage, hasAttribute: () => true, dataset: {} }), hidden: false }, location: { origin: 'null' }, performance,
    addEventListener: (type, fn) => hear.push(fn), atob, btoa, Blob, Response, TextDecoder, TextEncoder, CompressionStream, DecompressionStream, TransformStream,
    Uint8Array, RangeError, // so that instances from here and there are the same
  };
  world.window = world;
  vm.createContext(world);
  for (const name of ['later', 'link', 'address']) vm.runInContext(readFileSync(new URL(`../../${name}.js`, import.meta.url), 'utf8'), world);
  for (const fn of hear) fn({ source: stage, data: '{"v":1,"type":"state","seq":0}' }); // the program is there
  posted.length = 0;
  const tell = (s) => hear.forEach((fn) => fn({ source: stage, data: JSON.stringify({ v: 1, type: 'state', settings: [], selected: {}, ...s }) }));
  return { posted, tell, address: world.strandscope.address, page: world.strandscope };
};

for await (const line of createInterface({ input: process.stdin })) {
  let said;
  try {
    const { posted, tell, address, page: { loadText, wanted } } = page(), hash = JSON.parse(line);
    if (hash === 'late') { // a state of the run that a document is about to replace comes late
      const n = loadText('mine', '{}'), had = [];
      for (const [seq, id] of [[n - 1, 't2000'], [n, ''], [n + 1, 't2000']]) {
        tell({ seq, scenario: { id } });
        had.push(wanted.text?.name ?? 'none');
      }
      said = { messages: had };
    } else if (!address.isLink(hash)) said = { error: 'It is no link.' };
    else {
      address.open(await address.decode(hash));
      said = { messages: posted };
    }
  } catch (e) {
    said = { error: e.message, name: e.constructor.name };
  }
  process.stdout.write(`${JSON.stringify(said)}\n`);
}
