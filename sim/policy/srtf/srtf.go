// Package srtf is shortest remaining time first, the preemptive kin of shortest
// job first: a job that arrives takes the CPU if it is strictly shorter than what
// remains of the running one. Ties go by arrival, then by number.
//
// What it is good for: the mean turnaround is the least possible, whenever jobs
// arrive. Where it is bad: as sjf; and it must know the future, which it asks of
// sched.Oracle.
//
// Source: shared/reference/textbook/FACTS.md §7; OSTEP, chapter 7 (STCF).
//
// Where it differs: the book has one CPU and no I/O. Here several CPUs share the
// queue; an arrival takes the CPU whose job has most left. A job that comes back
// from I/O is ranked by its next burst.
package srtf

import (
	"fmt"

	"strandscope/sim/policy/textbook"
	"strandscope/sim/sched"
)

// Policy is the scheduler.
type Policy struct{ textbook.Sorted }

// Enqueue implements sched.Policy.
func (p *Policy) Enqueue(t *sched.Thread, why sched.Cause) {
	p.Put(t, p.rank(t, p.Came(t, why)), why)
	for _, c := range p.K.CPUs() {
		if c.Thread != nil && c.Thread.State == sched.Running {
			p.SetKey(c.Thread, p.rank(c.Thread, p.Key(c.Thread).B))
		}
	}
	if why != sched.Preempted {
		p.Displace(t, true)
	}
}

func (p *Policy) rank(t *sched.Thread, came int64) textbook.Key {
	return textbook.Key{A: int64(p.Oracle.Left(t)), B: came}
}

// Pick implements sched.Policy.
func (p *Policy) Pick(c *sched.CPU) (*sched.Thread, sched.Reason) { return p.Choose(c, true) }

// Explain implements sched.Policy.
func (p *Policy) Explain(r sched.Reason) string {
	switch r.Code {
	case textbook.WhyChosen:
		return fmt.Sprintf("It has least left of all that wait: %s.", textbook.InUnits(r.A))
	case textbook.WhyDisplaced:
		return fmt.Sprintf("It has %s left and takes the CPU from a job with %s left.", textbook.InUnits(r.A), textbook.InUnits(r.B))
	}
	return textbook.Common(r)
}
