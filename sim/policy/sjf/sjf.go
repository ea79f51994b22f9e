// Package sjf is shortest job first, not preemptive: of those that wait, the job
// with the shortest next burst runs until it stops by itself. Equal lengths go by
// arrival, then by number.
//
// What it is good for: the mean turnaround of jobs that arrive together is the
// least possible. Where it is bad: long jobs starve while short ones keep coming,
// and it must know the future, which it asks of sched.Oracle; no real kernel can.
//
// Source: shared/reference/textbook/FACTS.md §1 and §7; OSTEP, chapter 7.
//
// Where it differs: the book has one CPU and no I/O. Here several CPUs share the
// queue, and a job that comes back from I/O is ranked by its next burst.
package sjf

import (
	"fmt"

	"strandscope/sim/policy/textbook"
	"strandscope/sim/sched"
)

// Policy is the scheduler.
type Policy struct{ textbook.Sorted }

// Enqueue implements sched.Policy.
func (p *Policy) Enqueue(t *sched.Thread, why sched.Cause) {
	p.Put(t, textbook.Key{A: int64(p.Oracle.Left(t)), B: p.Came(t, why)}, why)
	p.WakeIdle(t)
}

// Pick implements sched.Policy.
func (p *Policy) Pick(c *sched.CPU) (*sched.Thread, sched.Reason) { return p.Choose(c, true) }

// Explain implements sched.Policy.
func (p *Policy) Explain(r sched.Reason) string {
	switch r.Code {
	case textbook.WhyChosen, textbook.WhyDisplaced:
		return fmt.Sprintf("Its burst of %s is the shortest of all that wait.", textbook.InUnits(r.A))
	}
	return textbook.Common(r)
}
