package engine

import (
	"math"
	"slices"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/workload"
)

// oracle is what the engine tells a policy that must know the future.
type oracle struct{ e *Engine }

// Left implements sched.Oracle.
func (o oracle) Left(t *sched.Thread) clock.Duration {
	e := o.e
	tk := &e.tasks[t.ID]
	if tk.stepDue {
		return tk.ahead()
	}
	if tk.remaining == forever {
		return math.MaxInt64
	}
	left := tk.remaining
	if e.cpus[t.CPU].Thread == t { // also while it is being preempted
		left -= e.progress(e.cpus[t.CPU])
	}
	return clock.Duration((left + 999) / 1000)
}

// ahead is the length of the burst with which the thread's program goes on; 0
// where it stops first.
func (tk *task) ahead() clock.Duration {
	loops := tk.loops
	copied := false
	pc := tk.pc
	for range maxSteps {
		if tk.killed || int(pc) >= len(tk.prog.Steps) {
			return 0
		}
		in := &tk.prog.Steps[pc]
		pc++
		switch {
		case in.Op == workload.Loop:
			if !copied {
				loops, copied = slices.Clone(loops), true
			}
			if loops[in.Slot]++; in.Count < 0 || loops[in.Slot] < in.Count {
				pc = in.To
			} else {
				loops[in.Slot] = 0
			}
		case in.Op == workload.Spin, in.Op == workload.Run && in.Ticks > 0:
			return math.MaxInt64
		case in.Op == workload.Run && in.D == 0, in.Op == workload.Post, in.Op == workload.Resume:
		case in.Op == workload.Run:
			return in.D
		default:
			return 0
		}
	}
	return 0
}

// stopping reports, in unison, whether c's thread has come to the end of its
// computing at this very instant and will leave by itself.
func (e *Engine) stopping(c *sched.CPU) bool {
	return e.cfg.Timing == Unison && c.Thread != nil && e.tasks[c.Thread.ID].stepDue && e.tasks[c.Thread.ID].ahead() == 0
}
