// Package fcfs is first come, first served: the job that became ready first runs
// until it stops by itself. Equal arrivals go by number.
//
// What it is good for: nothing is simpler, and nobody starves. Where it is bad: one
// long job makes all behind it wait (the convoy).
//
// Source: shared/reference/textbook/FACTS.md §1 and §7; OSTEP, chapter 7 (FIFO).
//
// Where it differs: the book has one CPU and no I/O. Here several CPUs share the
// queue, and a job that comes back from I/O goes to its tail.
package fcfs

import (
	"fmt"

	"strandscope/sim/policy/textbook"
	"strandscope/sim/sched"
)

// Policy is the scheduler.
type Policy struct{ textbook.Sorted }

// Enqueue implements sched.Policy.
func (p *Policy) Enqueue(t *sched.Thread, why sched.Cause) {
	p.Put(t, textbook.Key{A: p.Came(t, why)}, why)
	p.WakeIdle(t)
}

// Pick implements sched.Policy.
func (p *Policy) Pick(c *sched.CPU) (*sched.Thread, sched.Reason) { return p.Choose(c, true) }

// Explain implements sched.Policy.
func (p *Policy) Explain(r sched.Reason) string {
	switch r.Code {
	case textbook.WhyChosen, textbook.WhyDisplaced:
		return fmt.Sprintf("It came first of all that wait, at %s.", textbook.InUnits(r.A))
	}
	return textbook.Common(r)
}
