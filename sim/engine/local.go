package engine

import (
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// Under Local timing there are two kinds of clock interrupts: the timer chip's,
// which goes to one CPU and brings load sampling, timers and wakes, and each
// CPU's own, which charges what runs there (Linux on SMP). They have the same
// rate and phases of their own.

// localTick is the local clock interrupt of a CPU.
func (e *Engine) localTick(c *sched.CPU) {
	e.here = c
	e.pol.Tick(c)
	e.chargeTick(c)
	if e.state[c.ID].doneAt == e.now {
		e.burstDone(c)
	}
}

// grouped reports whether an event waits for the others of its interrupt before
// CPUs are served. Under Clock timing all of an instant is one interrupt; under
// Local timing the timer chip's is.
func (e *Engine) grouped(k eventKind) bool {
	switch e.cfg.Timing {
	case Clock:
		return k != evStart // threads that start are settled one by one
	case Local:
		return k == evTick || k == evTimer || k == evWake && !e.cfg.OwnTimers
	case Unison:
		return true
	case Hires:
		return k != evDone // what ends at an instant ends before its interrupt
	default:
		return false
	}
}

// tickGoesOn reports whether the clock interrupt of a CPU still has sleeps to end,
// where each CPU has timers of its own. Behind the last one, the policy balances.
func (e *Engine) tickGoesOn(ev event) bool {
	if !e.cfg.OwnTimers || ev.kind != evLocal && e.inTick == nil {
		return false
	}
	if ev.kind == evLocal {
		e.inTick = e.cpus[ev.id]
	}
	key, ok := e.events.Peek()
	if ok && key.At == e.now && key.Order == e.orders[evLocal] && key.Tie == 2*e.clocks.localOrder[e.inTick.ID]+1 {
		return true
	}
	e.here, e.inTick = e.inTick, nil
	if e.balan != nil {
		e.balan.Balance(e.here)
	}
	return false
}

// settleInterrupt serves CPUs after an interrupt on c. Under Local timing c comes
// first, then those it kicked, in the order kicked.
func (e *Engine) settleInterrupt(c *sched.CPU, ctx sched.Context) {
	e.context = ctx
	if e.cfg.Timing == Local {
		e.pending.remove(c.ID)
		e.here = c
		e.serve(c)
		e.context = sched.InPoke
	}
	e.serveAll()
	e.context = sched.InCommand
}

// StartTogether makes threads runnable at once, by code that runs on a CPU,
// without letting the machine settle in between; then each CPU picks once, by
// id. SettleStart lets it settle. This is how recorded Linux runs begin.
func (e *Engine) StartTogether(ts []*sched.Thread, cpu int) error {
	return e.StartOn(ts, func(*sched.Thread) int { return cpu })
}

// StartOn is StartTogether by code that runs on a CPU for each thread.
func (e *Engine) StartOn(ts []*sched.Thread, cpu func(t *sched.Thread) int) error {
	e.context = sched.InBoot
	for _, t := range ts {
		e.startOn(t, e.cpus[cpu(t)])
	}
	e.pending.clear()
	for _, c := range e.cpus {
		e.here = c
		e.runIdleLoop(c, &e.state[c.ID])
	}
	e.pending.clear()
	return e.err
}

// SettleStart serves each CPU by id, and those that it kicked.
func (e *Engine) SettleStart() error {
	for _, c := range e.cpus {
		e.context, e.here = sched.InBoot, c
		e.serve(c)
		e.context = sched.InPoke
		e.serveAll()
	}
	e.context = sched.InCommand
	return e.err
}

// chargeTick counts a clock tick against a burst that is measured in ticks.
func (e *Engine) chargeTick(c *sched.CPU) {
	if c.Thread == nil {
		return
	}
	tk := &e.tasks[c.Thread.ID]
	if tk.ticksLeft == 0 {
		return
	}
	if tk.ticksLeft--; tk.ticksLeft == 0 {
		tk.stepDue = true
		e.pending.add(c.ID)
	}
}

// second tells observers that a whole second begins.
func (e *Engine) second() {
	if e.ticks%int64(e.cfg.HZ) == 0 {
		e.emit(trace.Event{Kind: trace.Second, CPU: sched.NoCPU, Thread: sched.None, Other: sched.None})
	}
}
