// Package lottery is lottery scheduling: one draw for each quantum. The winner is
// the first job, by number, whose tickets and those before it add up to more than
// the ticket drawn. Jobs that do not wait have no tickets in play.
//
// What it is good for: shares need no account of the past; over N draws a share p
// is off by √(p(1−p)/N). Where it is bad: in the short run, chance.
//
// With Whole the whole quantum is charged even if a job needs less, so that every
// finish is a multiple of it: a quirk of OSTEP's simulator, kept under this name.
// Without it the next draw follows at once.
//
// Source: shared/reference/textbook/FACTS.md §4; OSTEP, chapter 9.
//
// Where it differs: tickets are drawn from their full range by the policy's own
// seeded stream, so that none is beyond it, where OSTEP takes a number below
// 1,000,001 modulo the tickets; Draws feeds in such numbers. A draw costs the
// logarithm of the number of jobs, unless some may not use every CPU.
package lottery

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"strandscope/sim/clock"
	"strandscope/sim/policy/textbook"
	"strandscope/sim/sched"
)

// Policy is the scheduler.
type Policy struct {
	textbook.Base
	Quantum clock.Duration
	Whole   bool
	// Draws are taken first, modulo the tickets in play; then the stream.
	Draws []int64

	jobs    []job  // by thread
	play    ledger // tickets in play
	limited bool   // some job may not use every CPU
	sum     int64  // of all tickets ever given out
	last    Draw
}

type job struct {
	tickets int64
	waits   bool
}

// Draw is the outcome of one draw.
type Draw struct{ Drawn, Ticket, Total int64 }

// Boot implements sched.Policy.
func (p *Policy) Boot(k sched.Kernel) error {
	if p.Quantum <= 0 {
		return fmt.Errorf("quantum: %d ns, want at least one", p.Quantum)
	}
	return p.Base.Boot(k)
}

// Grain implements sched.Grainer.
func (p *Policy) Grain() clock.Duration {
	if p.Whole {
		return p.Quantum
	}
	return 0
}

// Admit implements sched.Policy.
func (p *Policy) Admit(t *sched.Thread, as *sched.Params) error {
	tickets := int64(1)
	switch {
	case as != nil && as.Tickets != 0:
		tickets = int64(as.Tickets)
	case as == nil && t.Parent != sched.None:
		tickets = p.jobs[t.Parent].tickets
	}
	if tickets < 1 {
		return fmt.Errorf("tickets: %d, want at least 1", tickets)
	}
	if tickets > math.MaxInt32-p.sum {
		return errors.New("tickets: more than 2147483647 in all")
	}
	p.sum += tickets
	for int(t.ID) >= len(p.jobs) {
		p.jobs = append(p.jobs, job{})
		p.play.grow()
	}
	p.jobs[t.ID].tickets = tickets
	p.limited = p.limited || t.Bound != sched.NoCPU || t.Set != 0 || slices.ContainsFunc(p.K.CPUs(), func(c *sched.CPU) bool { return c.Set != 0 })
	return nil
}

// Enqueue implements sched.Policy.
func (p *Policy) Enqueue(t *sched.Thread, why sched.Cause) {
	p.put(t.ID, true)
	code := textbook.WhyArrived
	if why == sched.Preempted || why == sched.Moved {
		code = textbook.WhyQueuedAgain
	}
	p.K.Place(t, nil, sched.Reason{Code: code})
	p.WakeIdle(t)
}

// put puts a job's tickets into play, or takes them out.
func (p *Policy) put(id sched.ThreadID, in bool) {
	j := &p.jobs[id]
	j.waits = in
	if in {
		p.play.add(int(id), j.tickets)
	} else {
		p.play.add(int(id), -j.tickets)
	}
}

// Expire implements sched.Expirer: the quantum is over.
func (p *Policy) Expire(c *sched.CPU) {
	p.K.Note(c.Thread, sched.Reason{Code: textbook.WhyQuantum})
	p.K.Kick(c)
}

// Pick implements sched.Policy.
func (p *Policy) Pick(c *sched.CPU) (*sched.Thread, sched.Reason) {
	total := p.play.total()
	if p.limited {
		total = 0
		for id := range p.jobs {
			total += p.onlyHere(sched.ThreadID(id), c)
		}
	}
	if total == 0 {
		return nil, sched.Reason{Code: textbook.WhyNothing}
	}
	p.last = p.draw(total)
	p.K.Slice(c, p.Quantum)
	winner := sched.ThreadID(0)
	if p.limited {
		for ahead := p.last.Ticket - p.onlyHere(winner, c); ahead >= 0; ahead -= p.onlyHere(winner, c) {
			winner++
		}
	} else {
		winner = sched.ThreadID(p.play.holder(p.last.Ticket))
	}
	p.put(winner, false)
	return p.K.Thread(winner), sched.Reason{Code: textbook.WhyDraw, A: int32(p.last.Ticket), B: int32(total)}
}

// onlyHere is a job's tickets in play for one CPU.
func (p *Policy) onlyHere(id sched.ThreadID, c *sched.CPU) int64 {
	if j := p.jobs[id]; j.waits && p.K.Thread(id).May(c) {
		return j.tickets
	}
	return 0
}

func (p *Policy) draw(total int64) Draw {
	if len(p.Draws) > 0 {
		r := p.Draws[0]
		p.Draws = p.Draws[1:]
		return Draw{r, r % total, total}
	}
	r := p.K.Rand().Int63n(total)
	return Draw{r, r, total}
}

// Last is the latest draw.
func (p *Policy) Last() Draw { return p.last }

// Fields implements sched.Inspector.
func (p *Policy) Fields() []sched.Field {
	return []sched.Field{{Name: "tickets", Help: "its chance at each draw, in proportion to the others'"}}
}

// Values implements sched.Inspector.
func (p *Policy) Values(t *sched.Thread, row []int64) { row[0] = p.jobs[t.ID].tickets }

// Queues implements sched.Inspector.
func (p *Policy) Queues(visit func(q sched.Queue, waiting []sched.ThreadID)) {
	var ids []sched.ThreadID
	for id, j := range p.jobs {
		if j.waits {
			ids = append(ids, sched.ThreadID(id))
		}
	}
	if len(ids) > 0 {
		visit(sched.Queue{CPU: sched.NoCPU, Priority: -1, Name: "tickets in play"}, ids)
	}
}

// Explain implements sched.Policy.
func (p *Policy) Explain(r sched.Reason) string {
	switch r.Code {
	case textbook.WhyDraw:
		return fmt.Sprintf("It holds ticket %d, which was drawn of %d.", r.A, r.B)
	case textbook.WhyQuantum:
		return "Its quantum is over; its tickets are in play again."
	}
	return textbook.Common(r)
}
