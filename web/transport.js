// Going through time: steps forward and back, a slider over the run so far, and
// running to something that happens.
'use strict';
strandscope.transport = (() => {
  const { send } = strandscope;
  const { $, text, shown } = strandscope.view;
  let latest = null;

  // ---- steps --------------------------------------------------------------------
  // While a step back is under way another waits: held keys must not pile them up.
  let due = 0;
  const step = (cmd) => () => {
    if (latest && latest.seq < due) return;
    due = send(cmd);
  };
  const steps = { 'back-decision': step('stepDecisionBack'), 'back-tick': step('stepBack'), 'on-tick': () => send('step'), 'on-decision': step('stepDecision') };
  for (const [id, fn] of Object.entries(steps)) $(id).addEventListener('click', fn);

  // ---- the slider -----------------------------------------------------------------
  // A drag changes it far more often than a run can go back: the newest place is
  // sought when the one before was reached, or after PATIENCE.
  const PATIENCE = 200;
  const slider = $('scrub');
  let goal = null, asked = 0, sent = -Infinity, timer = 0, held = false;
  const said = (ns) => {
    const s = Number(ns) / 1e9;
    const rest = (s % 60).toFixed(2).padStart(5, '0');
    return s < 60 ? `${s.toFixed(2)} s` : `${s >= 3600 ? `${Math.floor(s / 3600)}:${String(Math.floor(s / 60) % 60).padStart(2, '0')}` : Math.floor(s / 60)}:${rest}`;
  };
  const label = (at, end) => {
    text($('scrub-value'), said(at));
    const words = `${said(at)} of ${said(end)}`;
    if (slider.getAttribute('aria-valuetext') !== words) slider.setAttribute('aria-valuetext', words);
  };
  const seek = () => {
    clearTimeout(timer);
    if (goal === null) return;
    const wait = PATIENCE - (performance.now() - sent);
    const busy = latest && (latest.seq < asked || latest.seeking);
    if (busy && wait > 0) { timer = setTimeout(seek, wait); return; }
    sent = performance.now();
    asked = send('seek', { atNs: String(goal) });
    goal = null;
  };
  slider.addEventListener('input', () => {
    const end = latest ? BigInt(latest.furthestNs) : 0n;
    const last = Number(slider.value) + Number(slider.step) > Number(slider.max);
    goal = last ? end : BigInt(slider.value) * 1000000n;
    label(goal, end);
    seek();
  });
  slider.addEventListener('pointerdown', () => { held = true; });
  for (const type of ['pointerup', 'pointercancel', 'change']) slider.addEventListener(type, () => { held = false; });
  const scrub = (s) => {
    const end = Math.ceil(Number(s.furthestNs) / 1e6), tick = Math.max(1, Math.round(Number(s.tickNs) / 1e6));
    const fine = String(Math.max(tick, Math.ceil(end / 400 / tick) * tick));
    if (slider.max !== String(end)) slider.max = end;
    if (slider.step !== fine) slider.step = fine;
    if (goal !== null) { if (s.seq >= asked && !s.seeking) seek(); return; }
    if (held || s.seq < asked || s.seeking) return;
    slider.value = Math.round(Number(s.nowNs) / 1e6);
    label(s.nowNs, s.furthestNs);
  };

  // ---- run to -----------------------------------------------------------------------
  const what = $('run-to-what'), operand = $('run-to-operand');
  const kept = new Map(); // operand by kind
  let kind = '';
  const form = () => {
    const o = what.selectedOptions[0];
    if (kind) kept.set(kind, operand.value);
    kind = o.dataset.operand ?? '';
    shown($('run-to-with'), kind !== '');
    text($('run-to-say'), o.dataset.say ?? '');
    operand.placeholder = o.dataset.hint ?? '';
    const pid = latest?.selected.pid;
    operand.value = kept.get(kind) || (kind === 'process' && pid ? String(pid) : '');
  };
  what.addEventListener('change', form);
  form();
  $('run-to').addEventListener('submit', (e) => {
    e.preventDefault();
    let value = (operand.value.trim() || operand.placeholder).replace(',', '.');
    if (kind === 'time') value = value.replace(/\s+/g, '').replace(/^([\d.]+)$/, '$1s');
    if (kind && !operand.value.trim()) operand.value = value;
    send('runTo', { to: kind ? `${what.value} ${value}` : what.value, forNs: $('run-to-limit').value });
  });
  $('run-to-stop').addEventListener('click', () => { send('stop'); $('run-to-go').focus(); });

  const show = (s) => {
    latest = s;
    scrub(s);
    const stop = $('run-to-stop');
    if (!s.seeking && document.activeElement === stop) $('run-to-go').focus(); // it goes
    shown(stop, s.seeking);
    text($('found'), s.found);
  };
  // By the names of the table of keys.
  const acts = {
    stepBack: steps['back-tick'], decisionBack: steps['back-decision'], decision: steps['on-decision'],
    undo: () => send('undo'), redo: () => send('redo'), runTo: () => what.focus(),
  };
  return { show, acts };
})();
