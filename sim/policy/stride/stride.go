// Package stride is stride scheduling: shares without chance. A job's stride is
// Stride1 / tickets, rounded down; the job with the smallest pass runs for a
// quantum, and its pass grows by its stride when it is chosen. Ties go by number.
// A newcomer begins with the pass of the latest choice, so that it owes nothing
// and is owed nothing.
//
// What it is good for: shares are exact to within a quantum. Where it is bad: it
// keeps a figure for each job, and rounding strides down bends shares (7, 3 and 11
// tickets give 1428, 3333 and 909).
//
// Source: shared/reference/textbook/FACTS.md §7; OSTEP, chapter 9, whose example is
// 100, 50 and 250 tickets.
//
// Where it differs: Waldspurger's paper starts at the stride and keeps a global
// pass. A job that comes back from I/O takes the latest choice's pass if that is
// greater than its own, so that it cannot save up; the book is silent.
package stride

import (
	"fmt"

	"strandscope/sim/clock"
	"strandscope/sim/policy/textbook"
	"strandscope/sim/sched"
)

// MaxStride1 bounds the constant that tickets divide, so that passes, which are
// 64 bits wide, last for billions of choices.
const MaxStride1 = 1_000_000_000

// Policy is the scheduler.
type Policy struct {
	textbook.Sorted
	Quantum clock.Duration
	Stride1 int64
	latest  int64 // pass of the latest choice, before it grew
	jobs    sched.Table[job]
}

type job struct {
	tickets, stride, pass int64
}

// Boot implements sched.Policy.
func (p *Policy) Boot(k sched.Kernel) error {
	if p.Quantum <= 0 {
		return fmt.Errorf("quantum: %d ns, want at least one", p.Quantum)
	}
	if p.Stride1 < 1 || p.Stride1 > MaxStride1 {
		return fmt.Errorf("stride1: %d, want 1 to %d", p.Stride1, MaxStride1)
	}
	return p.Sorted.Boot(k)
}

// Admit implements sched.Policy.
func (p *Policy) Admit(t *sched.Thread, as *sched.Params) error {
	tickets := int64(1)
	switch {
	case as != nil && as.Tickets != 0:
		tickets = int64(as.Tickets)
	case as == nil && t.Parent != sched.None:
		tickets = p.jobs.At(t.Parent).tickets
	}
	if tickets < 1 || tickets > p.Stride1 {
		return fmt.Errorf("tickets: %d, want 1 to %d, which is stride1", tickets, p.Stride1)
	}
	*p.jobs.At(t.ID) = job{tickets: tickets, stride: p.Stride1 / tickets}
	return nil
}

// Enqueue implements sched.Policy.
func (p *Policy) Enqueue(t *sched.Thread, why sched.Cause) {
	j := p.jobs.At(t.ID)
	if why != sched.Preempted {
		j.pass = max(j.pass, p.latest)
	}
	p.Put(t, textbook.Key{A: j.pass}, why)
	p.WakeIdle(t)
}

// Expire implements sched.Expirer: the quantum is over.
func (p *Policy) Expire(c *sched.CPU) {
	p.K.Note(c.Thread, sched.Reason{Code: textbook.WhyQuantum})
	p.K.Kick(c)
}

// Pick implements sched.Policy.
func (p *Policy) Pick(c *sched.CPU) (*sched.Thread, sched.Reason) {
	t := p.Take(c)
	if t == nil {
		return nil, sched.Reason{Code: textbook.WhyNothing}
	}
	j := p.jobs.At(t.ID)
	why := sched.Reason{Code: textbook.WhyChosen, A: textbook.Clip(j.pass), B: textbook.Clip(j.stride)}
	p.latest = j.pass
	j.pass += j.stride
	p.K.Slice(c, p.Quantum)
	return t, why
}

// Pass is t's pass, and its stride.
func (p *Policy) Pass(t *sched.Thread) (pass, stride int64) {
	j := p.jobs.At(t.ID)
	return j.pass, j.stride
}

// Fields implements sched.Inspector.
func (p *Policy) Fields() []sched.Field {
	return []sched.Field{
		{Name: "tickets", Help: "its share, in proportion to the others'"},
		{Name: "stride", Help: "how far its pass moves with each quantum: stride1 / tickets"},
		{Name: "pass", Help: "the smallest runs next"},
	}
}

// Values implements sched.Inspector.
func (p *Policy) Values(t *sched.Thread, row []int64) {
	j := p.jobs.At(t.ID)
	row[0], row[1], row[2] = j.tickets, j.stride, j.pass
}

// Explain implements sched.Policy.
func (p *Policy) Explain(r sched.Reason) string {
	switch r.Code {
	case textbook.WhyChosen:
		return fmt.Sprintf("Its pass %d is the smallest; it grows by its stride of %d.", r.A, r.B)
	case textbook.WhyQuantum:
		return "Its quantum is over; it waits at its new pass."
	}
	return textbook.Common(r)
}
