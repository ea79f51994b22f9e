// Package prio is scheduling by fixed priorities: the smallest number is the
// highest. Three kinds:
//
//   - Plain: the job chosen runs until it stops by itself.
//   - Preemptive: an arrival with a strictly smaller number takes the CPU. The job
//     that lost it resumes before later ones of its level.
//   - RoundRobin: as Preemptive, with round robin inside each level. A preempted job
//     goes to the head of its level with the rest of its quantum. If its quantum
//     ends at the very instant of a higher arrival, to the tail.
//
// Ties go by arrival, then by number; in RoundRobin by order in the queue, where
// RequeueFirst is the convention of package rr.
//
// What it is good for: importance counts. Where it is bad: low levels starve.
//
// Source: shared/reference/textbook/FACTS.md §7; Silberschatz, Galvin, Gagne, on
// priority scheduling. POSIX and Solaris take the largest number as the highest.
//
// Where it differs: the book has one CPU and no I/O. Here several CPUs share the
// queue; a job that comes back from I/O counts as a newcomer.
package prio

import (
	"fmt"

	"strandscope/sim/clock"
	"strandscope/sim/policy/textbook"
	"strandscope/sim/sched"
)

// Kind is one of the three policies.
type Kind uint8

// The kinds.
const (
	Plain Kind = iota
	Preemptive
	RoundRobin
)

// Policy is the scheduler. Quantum is RoundRobin's, and must be positive there.
type Policy struct {
	textbook.Sorted
	Kind         Kind
	Quantum      clock.Duration
	RequeueFirst bool
	th           sched.Table[job]
}

type job struct {
	priority int64
	left     clock.Duration // of its quantum
	from     clock.Time     // when it began to run
	expired  bool
}

// Boot implements sched.Policy.
func (p *Policy) Boot(k sched.Kernel) error {
	if p.Kind == RoundRobin && p.Quantum <= 0 {
		return fmt.Errorf("quantum: %d ns, want at least one", p.Quantum)
	}
	return p.Sorted.Boot(k)
}

// Admit implements sched.Policy.
func (p *Policy) Admit(t *sched.Thread, as *sched.Params) error {
	priority := int64(0)
	switch {
	case as != nil && as.Priority != 0:
		priority = int64(as.Priority)
	case as != nil:
		priority = int64(as.Nice) // a number too: the smaller, the higher
	case t.Parent != sched.None:
		priority = p.th.At(t.Parent).priority
	}
	p.th.At(t.ID).priority = priority
	return nil
}

// Enqueue implements sched.Policy.
func (p *Policy) Enqueue(t *sched.Thread, why sched.Cause) {
	j := p.th.At(t.ID)
	p.Put(t, textbook.Key{A: j.priority, B: p.place(t, j, why)}, why)
	switch {
	case p.Kind == Plain:
		p.WakeIdle(t)
	case why != sched.Preempted:
		p.Displace(t, true)
	}
}

// place is where t goes inside its level.
func (p *Policy) place(t *sched.Thread, j *job, why sched.Cause) int64 {
	if p.Kind != RoundRobin {
		return p.Came(t, why)
	}
	switch {
	case why == sched.Preempted && !j.expired:
		j.left -= p.K.Now().Sub(j.from)
		return p.Head()
	case why == sched.Preempted && p.RequeueFirst:
		j.expired, j.left = false, p.Quantum
		return p.Key(t).B
	}
	j.expired, j.left = false, p.Quantum
	return p.Tail()
}

// Expire implements sched.Expirer: the quantum is over.
func (p *Policy) Expire(c *sched.CPU) {
	j := p.th.At(c.Thread.ID)
	j.expired = true
	if p.RequeueFirst {
		p.SetKey(c.Thread, textbook.Key{A: j.priority, B: p.Tail()})
	}
	p.K.Note(c.Thread, sched.Reason{Code: textbook.WhyQuantum})
	p.K.Kick(c)
}

// Pick implements sched.Policy.
func (p *Policy) Pick(c *sched.CPU) (*sched.Thread, sched.Reason) {
	t, why := p.Choose(c, false)
	if t != nil && p.Kind == RoundRobin {
		j := p.th.At(t.ID)
		j.from = p.K.Now()
		p.K.Slice(c, j.left)
	}
	return t, why
}

// Priority implements sched.Prioritizer.
func (p *Policy) Priority(t *sched.Thread) int { return int(p.th.At(t.ID).priority) }

// Explain implements sched.Policy.
func (p *Policy) Explain(r sched.Reason) string {
	switch r.Code {
	case textbook.WhyChosen:
		return fmt.Sprintf("Its number %d is the smallest of all that wait, so it has the highest priority.", r.A)
	case textbook.WhyDisplaced:
		if r.A == r.B {
			return fmt.Sprintf("It has the number %d, as the job whose quantum ended; it stood before it in the queue.", r.A)
		}
		return fmt.Sprintf("Its number %d is smaller than %d, so it has the higher priority and takes the CPU.", r.A, r.B)
	}
	return textbook.Common(r)
}
