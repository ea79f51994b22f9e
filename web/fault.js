// A run that broke: beside the words that say what broke, a link that makes it again.
'use strict';
(() => {
  const { on, address, view, restart } = strandscope;
  const { $, text, shown } = view;
  // The digest is left out: it may be that of half an instant.
  const offer = async (s, more) => {
    const { g, p, ...parts } = address.take(s);
    const body = await address.encode({ ...parts, ...more });
    const fits = body.length <= address.MOST;
    $('fault-link').href = fits ? `#${body}` : '';
    shown($('fault-link'), fits);
    text($('fault-text'), fits ? 'The same run is made again by' : 'The run is too long for a link that makes it again: Share saves it as a file.');
    shown($('fault'), true);
  };
  let about = '';
  const tell = (what, s, more) => {
    if (what === about) return;
    about = what;
    if (what === '') shown($('fault'), false); else offer(s, more).catch(() => {});
  };
  on('state', (s) => tell(s.fault, s));
  // A program that ended told of an earlier time: from there the run goes on.
  on('failed', (m) => {
    if (!strandscope.state.scenario) return;
    text($('notice'), m.reason);
    shown($('notice'), true);
    tell(m.reason, strandscope.state, { p: 1 });
  });
  $('fault-link').addEventListener('click', () => { if (!strandscope.ready) addEventListener('popstate', () => setTimeout(restart, 50), { once: true }); });
})();
