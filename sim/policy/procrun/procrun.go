// Package procrun is the scheduler of OSTEP's chapter 4, which shows process states:
// processes compute and do I/O, and there are two questions. When one begins an I/O,
// does another get the CPU (SwitchOnEnd false), or does the CPU wait for it? When its
// I/O is complete, does it get the CPU at once (Immediate), or in its turn?
//
// The next one is searched upward by number from the present one, round. Of several
// that complete at one instant under Immediate, the highest number wins. One whose
// I/O is complete just as the CPU becomes free is not considered yet, unless nobody
// else is ready.
//
// What it is good for: seeing states. Where it is bad: it takes turns only at I/O.
//
// Source: shared/reference/textbook/FACTS.md §6; OSTEP, chapter 4.
//
// Where it differs: one CPU takes part; others stay idle.
package procrun

import (
	"strandscope/sim/clock"
	"strandscope/sim/policy/textbook"
	"strandscope/sim/sched"
)

// Policy is the scheduler.
type Policy struct {
	textbook.Base
	SwitchOnEnd bool
	Immediate   bool

	procs   []sched.ThreadID // by number
	ready   sched.Table[proc]
	current int // index in procs; −1: nobody yet
	forced  bool
}

type proc struct {
	waits, blocked bool
	since          clock.Time // when it became ready
	woken          bool       // by the end of its I/O
}

// Boot implements sched.Policy.
func (p *Policy) Boot(k sched.Kernel) error {
	p.current = -1
	return p.Base.Boot(k)
}

// Admit implements sched.Policy.
func (p *Policy) Admit(t *sched.Thread, _ *sched.Params) error {
	p.procs = append(p.procs, t.ID)
	return nil
}

func (p *Policy) cpu() *sched.CPU { return p.K.CPUs()[0] }

// Enqueue implements sched.Policy.
func (p *Policy) Enqueue(t *sched.Thread, why sched.Cause) {
	ends := why == sched.Woken || why == sched.Yielded // a yield is an I/O that takes no time
	code := textbook.WhyArrived
	if why == sched.Preempted {
		code = textbook.WhyQueuedAgain
	}
	*p.ready.At(t.ID) = proc{waits: true, since: p.K.Now(), woken: ends}
	p.K.Place(t, nil, sched.Reason{Code: code})
	if ends && (p.Immediate || p.SwitchOnEnd) {
		for i, id := range p.procs {
			if id == t.ID {
				p.current, p.forced = i, true
			}
		}
		p.K.Kick(p.cpu())
		return
	}
	if c := p.cpu(); c.Free() {
		p.K.Kick(c)
	}
}

// Dequeue implements sched.Policy.
func (p *Policy) Dequeue(t *sched.Thread, why sched.Cause) {
	p.ready.At(t.ID).blocked = why == sched.Blocked
}

// Pick implements sched.Policy.
func (p *Policy) Pick(c *sched.CPU) (*sched.Thread, sched.Reason) {
	if c != p.cpu() || len(p.procs) == 0 {
		return nil, sched.Reason{Code: textbook.WhyNothing}
	}
	if p.forced {
		p.forced = false
		return p.take(p.current)
	}
	if p.SwitchOnEnd && p.current >= 0 && p.ready.At(p.procs[p.current]).blocked {
		return nil, sched.Reason{Code: textbook.WhyIO}
	}
	first, next := -1, -1
	n := len(p.procs)
	for i := range n {
		at := (p.current + 1 + i + n) % n
		x := p.ready.At(p.procs[at])
		switch {
		case !x.waits:
		case x.woken && x.since == p.K.Now():
			if first < 0 || at < first {
				first = at
			}
		case next < 0:
			next = at
		}
	}
	if next < 0 {
		next = first
	}
	if next < 0 {
		return nil, sched.Reason{Code: textbook.WhyNothing}
	}
	return p.take(next)
}

func (p *Policy) take(at int) (*sched.Thread, sched.Reason) {
	x := p.ready.At(p.procs[at])
	why := sched.Reason{Code: textbook.WhyTurn}
	if x.woken && x.since == p.K.Now() {
		why.Code = textbook.WhyChosen
	}
	*x = proc{}
	p.current = at
	return p.K.Thread(p.procs[at]), why
}

// Explain implements sched.Policy.
func (p *Policy) Explain(r sched.Reason) string {
	switch r.Code {
	case textbook.WhyTurn:
		return "It is the next ready one, searched upward from the last one."
	case textbook.WhyChosen:
		return "Its I/O is complete, and it gets the CPU now."
	case textbook.WhyIO:
		return "The CPU waits for the I/O of the process that has it (SWITCH_ON_END)."
	}
	return textbook.Common(r)
}
