// Package periodic is scheduling of periodic tasks, preemptive: rate monotonic (RM:
// the shortest period first), deadline monotonic (DM: the shortest relative
// deadline), and earliest deadline first (EDF). Each release of a task is a job. A
// job that misses its deadline runs on, and the next job of its task waits for it.
//
// Ties: EDF prefers the job that runs, then the lower task number; RM and DM the
// lower task number, also against the job that runs.
//
// What it is good for: with deadlines equal to periods EDF misses nothing exactly if
// the load is at most 1; RM's worst response at offsets 0 is the least fixed point of
// R = C + Σ⌈R/Tᵢ⌉Cᵢ over higher tasks. Where it is bad: under overload EDF's misses
// spread to all tasks.
//
// Source: shared/reference/textbook/FACTS.md §7; Liu and Layland, 1973; Stallings.
//
// Where it differs: several CPUs share the queue (global EDF, global RM), and the
// bounds above are for one CPU.
package periodic

import (
	"errors"
	"fmt"

	"strandscope/sim/clock"
	"strandscope/sim/policy/textbook"
	"strandscope/sim/sched"
)

// Rule is what makes a job urgent.
type Rule uint8

// The rules.
const (
	RM Rule = iota
	DM
	EDF
)

// Policy is the scheduler.
type Policy struct {
	textbook.Sorted
	Rule  Rule
	tasks sched.Table[task]
}

type task struct {
	period, deadline clock.Duration
	release          clock.Time // of its present job
	k                int        // number of that job, from 0
	begun            bool
}

// Admit implements sched.Policy.
func (p *Policy) Admit(t *sched.Thread, as *sched.Params) error {
	x := task{}
	switch {
	case as != nil:
		x.period, x.deadline = as.Period, as.Deadline
	case t.Parent != sched.None:
		x = *p.tasks.At(t.Parent)
		x.begun, x.k = false, 0
	}
	if x.period <= 0 {
		return errors.New("period: missing; RM, DM and EDF need periodic tasks, such as T1 C=2 T=5")
	}
	if x.deadline == 0 {
		x.deadline = x.period
	}
	if x.deadline < 0 {
		return errors.New("deadline: want more than 0")
	}
	*p.tasks.At(t.ID) = x
	return nil
}

// Enqueue implements sched.Policy.
func (p *Policy) Enqueue(t *sched.Thread, why sched.Cause) {
	x := p.tasks.At(t.ID)
	switch why {
	case sched.Preempted:
		p.Put(t, p.Key(t), why)
		return
	case sched.Yielded: // it is late: the next job was released long ago
		x.release = x.release.Add(x.period)
		x.k++
		p.K.Note(t, sched.Reason{Code: textbook.WhyNextJob, A: int32(x.k)})
	default:
		x.release = p.K.Now()
		if x.begun {
			x.k++
		}
		x.begun = true
	}
	p.Put(t, textbook.Key{A: p.urgency(x), B: int64(t.ID)}, why)
	p.Displace(t, p.Rule == EDF)
}

func (p *Policy) urgency(x *task) int64 {
	switch p.Rule {
	case RM:
		return int64(x.period)
	case DM:
		return int64(x.deadline)
	default:
		return int64(x.release.Add(x.deadline))
	}
}

// Pick implements sched.Policy.
func (p *Policy) Pick(c *sched.CPU) (*sched.Thread, sched.Reason) { return p.Choose(c, true) }

// Job is the number of t's present or latest job, when it was released, and its
// absolute deadline.
func (p *Policy) Job(t *sched.Thread) (k int, release, deadline clock.Time) {
	x := p.tasks.At(t.ID)
	return x.k, x.release, x.release.Add(x.deadline)
}

// Fields implements sched.Inspector.
func (p *Policy) Fields() []sched.Field {
	return []sched.Field{
		{Name: "period", Unit: "‰", Help: "in thousandths of a unit"},
		{Name: "deadline", Unit: "‰", Help: "of its present job, in thousandths of a unit of the run"},
		{Name: "job", Help: "number of its present or latest job, from 0"},
	}
}

// Values implements sched.Inspector.
func (p *Policy) Values(t *sched.Thread, row []int64) {
	x := p.tasks.At(t.ID)
	row[0], row[1], row[2] = int64(p.Units(x.period)), int64(p.Units(clock.Duration(x.release.Add(x.deadline)))), int64(x.k)
}

// Explain implements sched.Policy.
func (p *Policy) Explain(r sched.Reason) string {
	what := [...]string{"period", "relative deadline", "deadline"}[p.Rule]
	switch r.Code {
	case textbook.WhyChosen:
		return fmt.Sprintf("Its %s of %s is the first of all that wait.", what, textbook.InUnits(r.A))
	case textbook.WhyDisplaced:
		return fmt.Sprintf("Its %s of %s comes before %s, so it takes the CPU.", what, textbook.InUnits(r.A), textbook.InUnits(r.B))
	case textbook.WhyNextJob:
		return fmt.Sprintf("Its job %d begins late: the one before it overran its release.", r.A)
	}
	return textbook.Common(r)
}
