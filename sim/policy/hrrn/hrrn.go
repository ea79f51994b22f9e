// Package hrrn is highest response ratio next, not preemptive: of those that wait,
// the job with the largest (waited + length) / length runs until it stops by
// itself. Ratios are compared exactly, by multiplying crosswise. Ties go by
// arrival, then by number.
//
// What it is good for: as shortest job first, but nobody starves, since waiting
// counts the more the shorter the job. Where it is bad: it must know lengths, which
// it asks of sched.Oracle, and looks at all that wait at each decision.
//
// Source: shared/reference/textbook/FACTS.md §7; Stallings, on uniprocessor
// scheduling.
//
// Where it differs: the book has one CPU and no I/O. Here several CPUs share the
// queue; a job that comes back from I/O begins to wait anew, with its next burst.
package hrrn

import (
	"fmt"
	"math/bits"
	"slices"
	"sort"

	"strandscope/sim/clock"
	"strandscope/sim/policy/textbook"
	"strandscope/sim/sched"
)

// Policy is the scheduler.
type Policy struct {
	textbook.Base
	waiting []sched.ThreadID // in order of coming
	jobs    sched.Table[job]
}

type job struct {
	length clock.Duration
	since  clock.Time
	waited clock.Duration // when it was chosen last
}

// Enqueue implements sched.Policy.
func (p *Policy) Enqueue(t *sched.Thread, why sched.Cause) {
	j := p.jobs.At(t.ID)
	j.length, j.since = p.Oracle.Left(t), p.K.Now()
	p.waiting = append(p.waiting, t.ID)
	code := textbook.WhyArrived
	if why == sched.Preempted || why == sched.Moved {
		code = textbook.WhyQueuedAgain
	}
	p.K.Place(t, nil, sched.Reason{Code: code})
	p.WakeIdle(t)
}

// better reports whether a's ratio is larger than b's, or as large and it came
// before. Since (w + l) / l is 1 + w/l, waited and length suffice.
func (p *Policy) better(a, b sched.ThreadID) bool {
	now := p.K.Now()
	x, y := *p.jobs.At(a), *p.jobs.At(b)
	xhi, xlo := bits.Mul64(uint64(now.Sub(x.since)), uint64(y.length))
	yhi, ylo := bits.Mul64(uint64(now.Sub(y.since)), uint64(x.length))
	if xhi != yhi {
		return xhi > yhi
	}
	if xlo != ylo {
		return xlo > ylo
	}
	return x.since < y.since || x.since == y.since && a < b
}

// Pick implements sched.Policy.
func (p *Policy) Pick(c *sched.CPU) (*sched.Thread, sched.Reason) {
	best := -1
	for i, id := range p.waiting {
		if p.K.Thread(id).May(c) && (best < 0 || p.better(id, p.waiting[best])) {
			best = i
		}
	}
	if best < 0 {
		return nil, sched.Reason{Code: textbook.WhyNothing}
	}
	id := p.waiting[best]
	p.waiting = slices.Delete(p.waiting, best, best+1)
	j := p.jobs.At(id)
	j.waited = p.K.Now().Sub(j.since)
	return p.K.Thread(id), sched.Reason{Code: textbook.WhyChosen, A: p.Units(j.waited), B: p.Units(j.length)}
}

// Chosen is how long t had waited when it was chosen last, and its length then.
func (p *Policy) Chosen(t *sched.Thread) (waited, length clock.Duration) {
	j := p.jobs.At(t.ID)
	return j.waited, j.length
}

// Fields implements sched.Inspector.
func (p *Policy) Fields() []sched.Field {
	return []sched.Field{{Name: "ratio", Unit: "‰", Help: "the response ratio if it were chosen now: (waited + length) / length"}}
}

// Values implements sched.Inspector.
func (p *Policy) Values(t *sched.Thread, row []int64) {
	j := p.jobs.At(t.ID)
	row[0] = 0
	if t.State == sched.Waiting && j.length > 0 {
		hi, lo := bits.Mul64(uint64(p.K.Now().Sub(j.since)), 1000)
		if hi < uint64(j.length) { // else it is too long to be shown
			ratio, _ := bits.Div64(hi, lo, uint64(j.length))
			row[0] = 1000 + int64(ratio)
		}
	}
}

// Queues implements sched.Inspector.
func (p *Policy) Queues(visit func(q sched.Queue, waiting []sched.ThreadID)) {
	if len(p.waiting) == 0 {
		return
	}
	ids := slices.Clone(p.waiting)
	sort.SliceStable(ids, func(i, j int) bool { return p.better(ids[i], ids[j]) })
	visit(sched.Queue{CPU: sched.NoCPU, Priority: -1, Name: "ready queue"}, ids)
}

// Explain implements sched.Policy.
func (p *Policy) Explain(r sched.Reason) string {
	if r.Code == textbook.WhyChosen {
		return fmt.Sprintf("Its response ratio is the largest of all that wait: it waited %s for a burst of %s.", textbook.InUnits(r.A), textbook.InUnits(r.B))
	}
	return textbook.Common(r)
}
