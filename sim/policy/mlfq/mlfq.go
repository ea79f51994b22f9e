// Package mlfq is the multi-level feedback queue as OSTEP's chapter 8 has it. A job
// starts at the top. The head of the highest queue that is not empty runs. Who uses
// up its allotment of quanta at a level goes one down; a boost now and then puts all
// back on top. Level 0 is the bottom.
//
// What it is good for: short and interactive jobs come first without anybody knowing
// lengths. Where it is bad: four knobs that nobody knows how to set, and a job that
// gives the CPU up just before its quantum ends stays on top (Stay).
//
// Within one instant: quanta end and I/O begins, then the boost, then arrivals by
// number, then those whose I/O is complete. A preempted job keeps its place and the
// rest of its quantum. When a job begins an I/O it keeps the rest of both quantum
// and allotment, or with Stay gets both anew. A yield is an I/O that takes no time.
//
// Quirks of OSTEP's simulator that are kept: the boost empties the levels from the
// lowest up, behind the jobs already on top; a job whose I/O begins just as its
// quantum ends pays for the quantum even with Stay, out of the allotment just reset.
//
// Source: shared/reference/textbook/FACTS.md §3; OSTEP, chapter 8.
//
// Where it differs: several CPUs share the queues; an arrival takes the CPU of the
// job furthest back. An allotment may be Unlimited.
package mlfq

import (
	"fmt"

	"strandscope/sim/clock"
	"strandscope/sim/policy/textbook"
	"strandscope/sim/sched"
)

// Unlimited is an allotment that is never used up.
const Unlimited = -1

// MaxLevels is the most levels accepted.
const MaxLevels = 64

// Options are the knobs, by level; 0 is the bottom.
type Options struct {
	Quantum   []clock.Duration
	Allotment []int          // quanta
	Boost     clock.Duration // period; 0: none
	Stay      bool           // I/O resets quantum and allotment
	Bump      bool           // who completes an I/O goes to the head of its queue
}

// Policy is the scheduler.
type Policy struct {
	textbook.Sorted
	o    Options
	jobs sched.Table[job]
	ids  []sched.ThreadID // unfinished jobs, and some that are
	n    int64            // boosts so far
}

type job struct {
	level, allot int
	left         clock.Duration // of its quantum
	from         clock.Time     // since when it has not been charged
	running      bool
	gone         bool
}

// job is a job's row. (Inlined, the growing of the table would be there at each use.)
//
//go:noinline
func (p *Policy) job(id sched.ThreadID) *job { return p.jobs.At(id) }

// New returns a policy with the given knobs.
func New(o Options) (*Policy, error) {
	switch {
	case len(o.Quantum) < 1 || len(o.Quantum) > MaxLevels:
		return nil, fmt.Errorf("levels: %d, want 1 to %d", len(o.Quantum), MaxLevels)
	case len(o.Quantum) != len(o.Allotment):
		return nil, fmt.Errorf("quantum names %d levels, allotment %d; want as many", len(o.Quantum), len(o.Allotment))
	case o.Boost < 0:
		return nil, fmt.Errorf("boost: %d ns, want 0 (none) or more", o.Boost)
	}
	for level := range o.Quantum {
		if o.Quantum[level] < 1 {
			return nil, fmt.Errorf("quantum of level %d: %d ns, want at least one", level, o.Quantum[level])
		}
		if a := o.Allotment[level]; a < 1 && a != Unlimited {
			return nil, fmt.Errorf("allotment of level %d: %d, want at least 1", level, a)
		}
	}
	return &Policy{o: o}, nil
}

// Boot implements sched.Policy.
func (p *Policy) Boot(k sched.Kernel) error {
	if err := p.Sorted.Boot(k); err != nil || p.o.Boost == 0 {
		return err
	}
	return k.Every(p.o.Boost, p.o.Boost, "boost", nil, (*booster)(p))
}

func (p *Policy) top() int { return len(p.o.Quantum) - 1 }

// enter gives a job a whole quantum and allotment at a level.
func (p *Policy) enter(j *job, level int) {
	j.level, j.left, j.allot = level, p.o.Quantum[level], p.o.Allotment[level]
}

// Admit implements sched.Policy.
func (p *Policy) Admit(t *sched.Thread, _ *sched.Params) error {
	p.enter(p.job(t.ID), p.top())
	p.ids = append(p.ids, t.ID)
	return nil
}

// place is a place in the queue of the job's level.
func (p *Policy) place(j *job, seq int64) textbook.Key {
	return textbook.Key{A: int64(p.top() - j.level), B: seq}
}

// Enqueue implements sched.Policy.
func (p *Policy) Enqueue(t *sched.Thread, why sched.Cause) {
	j := p.job(t.ID)
	if why == sched.Preempted {
		p.charge(j)
		j.running = false
		p.Put(t, p.Key(t), why)
		return
	}
	if why == sched.Yielded {
		p.beginIO(t, j)
	}
	seq := int64(0)
	if p.o.Bump && why != sched.Forked {
		seq = p.Head()
	} else {
		seq = p.Tail()
	}
	p.Put(t, p.place(j, seq), why)
	p.Displace(t, false)
}

// Dequeue implements sched.Policy.
func (p *Policy) Dequeue(t *sched.Thread, why sched.Cause) {
	j := p.job(t.ID)
	if why == sched.Blocked {
		p.beginIO(t, j)
		return
	}
	p.charge(j)
	j.running, j.gone = false, true
}

// charge counts what the job has run against its quantum.
func (p *Policy) charge(j *job) {
	if j.running {
		j.left = max(0, j.left-p.K.Now().Sub(j.from))
		j.from = p.K.Now()
	}
}

// beginIO is a job's giving the CPU up for an I/O.
func (p *Policy) beginIO(t *sched.Thread, j *job) {
	p.charge(j)
	j.running = false
	p.K.Note(t, sched.Reason{Code: textbook.WhyIO})
	p.endBurst(t, j)
}

// endBurst settles quantum and allotment of a job whose I/O begins.
func (p *Policy) endBurst(t *sched.Thread, j *job) {
	over := j.left == 0
	if p.o.Stay {
		p.enter(j, j.level)
	}
	if over {
		p.quantumOver(t, j)
	}
}

// quantumOver takes one quantum off the allotment, and the job down if that was
// the last one.
func (p *Policy) quantumOver(t *sched.Thread, j *job) {
	if j.allot != Unlimited {
		j.allot--
	}
	code := textbook.WhyQuantum
	switch {
	case j.allot == 0 && j.level > 0:
		code = textbook.WhyDemoted
		p.enter(j, j.level-1)
	case j.allot == 0:
		p.enter(j, 0)
	default:
		j.left = p.o.Quantum[j.level]
	}
	p.K.Note(t, sched.Reason{Code: code, A: int32(j.level)})
}

// Expire implements sched.Expirer: the quantum is over.
func (p *Policy) Expire(c *sched.CPU) {
	j := p.job(c.Thread.ID)
	p.charge(j)
	p.quantumOver(c.Thread, j)
	p.SetKey(c.Thread, p.place(j, p.Tail()))
	p.K.Kick(c)
}

// Pick implements sched.Policy.
func (p *Policy) Pick(c *sched.CPU) (*sched.Thread, sched.Reason) {
	t, why := p.Choose(c, false)
	if t != nil {
		j := p.job(t.ID)
		j.from, j.running = p.K.Now(), true
		p.K.Slice(c, j.left)
	}
	return t, why
}

// booster is the policy as a job for the kernel's timer.
type booster Policy

// Do implements sched.Job.
func (b *booster) Do() { (*Policy)(b).boost() }

// boost puts all on top: levels from the lowest up, each in its order.
func (p *Policy) boost() {
	p.n++
	var list textbook.Heap
	add := func(t *sched.Thread) {
		if j := p.job(t.ID); j.level < p.top() {
			list.Push(textbook.Key{A: int64(j.level), B: p.Key(t).B}, t.ID)
		}
	}
	for _, c := range p.K.CPUs() {
		if t := c.Thread; t != nil {
			j := p.job(t.ID)
			if p.charge(j); j.left == 0 && p.Oracle.Left(t) == 0 {
				p.endBurst(t, j) // its burst ended first
			}
			add(t)
		}
	}
	for _, id := range p.Waiting() {
		add(p.K.Thread(id))
	}
	for _, id := range list.Drain() {
		p.SetKey(p.K.Thread(id), textbook.Key{B: p.Tail()})
	}
	live := p.ids[:0]
	for _, id := range p.ids {
		if j := p.job(id); !j.gone {
			p.enter(j, p.top())
			live = append(live, id)
		}
	}
	p.ids = live
	p.Reorder()
	for _, c := range p.K.CPUs() {
		if c.Thread != nil {
			p.K.Note(c.Thread, sched.Reason{Code: textbook.WhyBoost})
			p.K.Kick(c)
		}
	}
}
