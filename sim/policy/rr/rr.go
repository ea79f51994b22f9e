// Package rr is round robin: one queue; its head runs for a quantum or until it
// stops by itself, then it goes to the tail. A job with exactly a quantum left
// finishes in it. An arrival never cuts a quantum short.
//
// Books differ in one point: a quantum ends at t and another job arrives at t.
// With ArrivalsFirst the newcomer stands before the requeued job (Stallings' table
// and most exercises); with RequeueFirst behind it (simulators that close a tick
// before they open the next, such as OSTEP's mlfq.py).
//
// What it is good for: response. Where it is bad: turnaround, and with a short
// quantum the switches, which books count as free.
//
// Source: shared/reference/textbook/FACTS.md §1 and §2; OSTEP, chapter 7.
//
// Where it differs: several CPUs share the queue. A job that comes back from I/O
// goes to the tail with a whole quantum, as newcomers do.
package rr

import (
	"fmt"

	"strandscope/sim/clock"
	"strandscope/sim/policy/textbook"
	"strandscope/sim/sched"
)

// Policy is the scheduler. Quantum must be positive.
type Policy struct {
	textbook.Sorted
	Quantum      clock.Duration
	RequeueFirst bool
}

// Boot implements sched.Policy.
func (p *Policy) Boot(k sched.Kernel) error {
	if p.Quantum <= 0 {
		return fmt.Errorf("quantum: %d ns, want at least one", p.Quantum)
	}
	return p.Sorted.Boot(k)
}

// Enqueue implements sched.Policy.
func (p *Policy) Enqueue(t *sched.Thread, why sched.Cause) {
	place := p.Key(t)
	if why != sched.Preempted || !p.RequeueFirst {
		place = textbook.Key{A: p.Tail()}
	}
	p.Put(t, place, why)
	p.WakeIdle(t)
}

// Expire implements sched.Expirer: the quantum is over.
func (p *Policy) Expire(c *sched.CPU) {
	if p.RequeueFirst {
		// The place is taken now, before this instant's arrivals take theirs.
		p.SetKey(c.Thread, textbook.Key{A: p.Tail()})
	}
	p.K.Note(c.Thread, sched.Reason{Code: textbook.WhyQuantum})
	p.K.Kick(c)
}

// Pick implements sched.Policy.
func (p *Policy) Pick(c *sched.CPU) (*sched.Thread, sched.Reason) {
	t := p.Take(c)
	if t == nil {
		return nil, sched.Reason{Code: textbook.WhyNothing}
	}
	p.K.Slice(c, p.Quantum)
	return t, sched.Reason{Code: textbook.WhyTurn, A: p.Units(p.Quantum)}
}

// Explain implements sched.Policy.
func (p *Policy) Explain(r sched.Reason) string {
	if r.Code == textbook.WhyTurn {
		return fmt.Sprintf("It was first in the queue, and gets a quantum of %s.", textbook.InUnits(r.A))
	}
	return textbook.Common(r)
}
