// Only in the site that `make site` writes: has a worker keep the page for use
// without a network, and says when a newer version is there.
'use strict';
(() => {
  const version = document.currentScript.dataset.version;
  if (!('serviceWorker' in navigator) || !/^https?:$/.test(location.protocol) || parent !== window) return;
  const workers = navigator.serviceWorker;

  const tell = () => {
    if (document.getElementById('update')) return;
    const line = document.createElement('p');
    line.id = 'update';
    line.setAttribute('role', 'status');
    document.querySelector('header').append(line);
    const button = (label, act) => {
      const b = document.createElement('button');
      b.type = 'button';
      b.textContent = label;
      b.addEventListener('click', act);
      return b;
    };
    line.append('A newer version of this page is ready; loading the page again brings it, and starts the run anew.',
      button('Load it', () => location.reload()), button('Later', () => line.remove()));
  };
  workers.addEventListener('message', (e) => { if (e.data?.newer && e.data.newer !== version) tell(); });

  const register = async () => {
    try {
      const all = await workers.register('sw.js');
      // A worker that no page has under it does not wait: it answers all the same.
      const ask = (worker) => worker?.postMessage({ version });
      all.addEventListener('updatefound', () => {
        const next = all.installing;
        next.addEventListener('statechange', () => { if (next.state === 'installed') ask(next); });
      });
      ask(all.waiting);
    } catch { /* without a worker the page is as good, while there is a network */ }
  };
  // Not before the program is there: nothing may compete with the first load.
  let asked = false;
  strandscope.on('state', () => { if (!asked) { asked = true; register(); } });
})();
