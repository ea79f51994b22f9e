// The replay of a scenario's document: its lines are typed one after the other at
// a reader's pace, with remarks between. What the machine prints is compared by the
// program.
'use strict';
strandscope.replay = (() => {
  const { send } = strandscope;
  const { $, text, shown, once } = strandscope.view;
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  const PATIENCE = 6000; // ms that a command may take before the replay goes to its end

  let steps = [];   // of the scenario
  let key = '';     // whose they are
  let at = -1;      // step that was told last; −1: none
  let running = false;
  let byHand = false;
  let asked = 0;    // number of the last message
  let latest = null;
  let due = 0;      // real time at which to go on; 0: not known yet
  let since = 0;    // real time at which the step was told
  let shownAt = null; // simulated time at which a program filled the screen
  let timer = 0;

  // How long reading takes, in ms.
  const reading = (step) => (step.remark ? Math.min(12000, 1500 + 45 * step.remark.length)
    : Math.min(9000, 2000 + 150 * (step.prints ?? []).length));

  const stop = () => {
    running = false;
    clearInterval(timer);
    timer = 0;
    if (latest) show(latest);
  };
  const tell = () => {
    if (at + 1 >= steps.length) { stop(); return; }
    at++;
    due = 0;
    shownAt = null;
    since = performance.now();
    asked = send('tell', { step: at });
    if (!byHand) return;
    // Time stands still for one who goes on by hand: it passes while a remark is
    // read, as it does for everybody else, and until a command has ended.
    if (steps[at].type) send('finish');
    else send('seek', { atNs: String((at > 0 ? BigInt(latest.nowNs) : 0n) + BigInt(steps[at].watchNs)) });
  };
  const start = () => {
    byHand = still.matches;
    at = -1;
    running = true;
    strandscope.view.console();
    asked = send('reset');
    if (!byHand) { send('play'); timer = setInterval(step, 100); }
    tell();
    show(latest);
  };
  // done reports whether the step has ended, as far as it ends by itself.
  const full = () => latest.console.screen !== null;
  const settled = () => latest.seq >= asked && latest.console.told.step === at;
  const done = () => settled() && (full() || (!latest.console.told.pending && !latest.console.busy));
  const watched = () => shownAt !== null && BigInt(latest.nowNs) - shownAt >= BigInt(steps[at].watchNs);

  const watch = () => {
    if (!full() || !settled()) return;
    if (shownAt === null) {
      shownAt = BigInt(latest.nowNs);
      // Time stands still for one who goes on by hand.
      if (byHand) send('seek', { atNs: String(shownAt + BigInt(steps[at].watchNs)) });
    }
  };
  const step = () => {
    if (!running || byHand || !latest) return;
    watch();
    const clock = performance.now();
    if (!done()) {
      due = 0;
      if (settled() && latest.playing && !latest.seeking && clock - since > PATIENCE) { since = clock; send('finish'); }
      return;
    }
    if (!latest.playing || latest.seeking) { due = 0; return; } // Pause holds the replay, too
    if (due === 0) due = clock + reading(steps[at]);
    if (clock >= due && (!full() || watched())) tell();
  };
  const skip = () => {
    if (!running || !latest || !settled()) return;
    watch();
    if (!done()) send('finish');
    else if (full() && !watched()) {
      if (!latest.seeking) send('seek', { atNs: String(shownAt + BigInt(steps[at].watchNs)) });
    } else tell();
  };

  $('replay').addEventListener('click', () => {
    start();
    $('replay-next').focus(); // the button is gone; readers go on from here
  });
  $('replay-next').addEventListener('click', skip);
  $('replay-pause').addEventListener('click', () => send(latest?.playing ? 'pause' : 'play'));
  $('replay-stop').addEventListener('click', () => { stop(); $('replay').focus(); });

  const show = (s) => {
    latest = s;
    // Another scenario, or the run begun anew by somebody else.
    const told = s.console.told.step;
    if (running && s.seq >= asked && told !== at) stop();
    once('document', [s.scenario.id, s.scenario.title, s.scenario.document], () => {
      if (key !== '') stop();
      key = s.scenario.id || s.scenario.title;
      steps = s.scenario.document;
      at = -1;
    });
    if (running) watch();
    shown($('replay'), !running && steps.length > 0);
    shown($('replaying'), running);
    if (!running) return;
    const over = at + 1 >= steps.length && done();
    text($('replay-step'), over ? 'The end of the document' : `Step ${at + 1} of ${steps.length}`);
    text($('replay-pause'), s.playing ? 'Pause' : 'Play');
    text($('replay-next'), byHand || done() ? 'Next' : 'Skip to its end');
    const here = document.activeElement;
    if (over && (here === $('replay-next') || here === $('replay-pause'))) $('replay-stop').focus(); // they go
    shown($('replay-next'), !over);
    shown($('replay-pause'), !byHand && !over);
    const coming = steps[at + 1];
    text($('replay-coming'), over || !coming ? '' : coming.type ? `Next: ${coming.type}` : 'Next: a remark');
  };
  return { show };
})();
