// The worker of the site: keeps the page for use without a network. `make site`
// fills the next line in. A version keeps all its files together; files with their
// content in their names come from there, all others from the network while there is one.
'use strict';
const VERSION = '', FILES = [], PROGRAM = '', FULL = '';
const MINE = `strandscope ${registration.scope} `; // other pages of this host have caches, too
const CACHE = MINE + VERSION;
const HASHED = /\.[0-9a-f]{10}\.[a-z0-9]+(\.gz|\.br)?$/;

const keep = async (cache, name, mode) => {
  const response = await fetch(name, { cache: mode, mode: 'same-origin' });
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  // A page may not be answered with what was redirected, as hosts with short names do.
  await cache.put(name, response.redirected ? new Response(response.body, { headers: response.headers }) : response);
};
// The stage has asked for the first of these forms that it can unpack, of one of the two
// programs: that is in the browser's own cache, and the other is not fetched for this.
const unpacks = (how) => { try { return Boolean(new DecompressionStream(how)); } catch { return false; } };
const program = async (cache) => {
  const forms = [unpacks('brotli') && '.br', unpacks('gzip') && '.gz', ''].filter((form) => form !== false);
  for (const [name, mode] of [[PROGRAM, 'only-if-cached'], [FULL, 'only-if-cached'], [PROGRAM, 'force-cache']]) {
    for (const form of forms) {
      try { await keep(cache, name + form, mode); return; } catch { /* it is not there: the next */ }
    }
  }
  throw new Error('no form of the program could be kept');
};

addEventListener('install', (e) => e.waitUntil((async () => {
  const cache = await caches.open(CACHE);
  await keep(cache, './', 'no-cache');
  for (const file of FILES) {
    const [name, changes] = file.split('#');
    await keep(cache, name, changes ? 'no-cache' : 'force-cache');
  }
  await program(cache);
})().catch(async (error) => { await caches.delete(CACHE); throw error; })));

addEventListener('activate', (e) => e.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith(MINE) && name !== CACHE) await caches.delete(name);
})()));

// A page that is of this version has no use for the worker before; one of another
// version is told, and keeps its own.
addEventListener('message', (e) => {
  if (e.data?.version === VERSION) skipWaiting();
  else e.source.postMessage({ newer: VERSION });
});

const place = (url) => {
  const path = url.origin + url.pathname;
  return path === `${registration.scope}index.html` ? registration.scope : path;
};
const answer = async (request, path) => {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(path);
  if (kept && HASHED.test(path)) return kept;
  try {
    const response = await fetch(request);
    if (response.ok && path.includes(FULL)) await cache.put(path, response.clone()); // asked for once, and again perhaps
    return response.status >= 500 && kept ? kept : response;
  } catch (error) {
    // The fuller program can do all that the first can.
    const instead = kept ?? await cache.match(path.replace(PROGRAM, FULL));
    if (instead) return instead;
    throw error;
  }
};
addEventListener('fetch', (e) => {
  const url = new URL(e.request.url);
  if (e.request.method !== 'GET' || !url.href.startsWith(registration.scope) || e.request.headers.has('range')) return;
  e.respondWith(answer(e.request, place(url)));
});
