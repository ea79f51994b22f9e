package mlfq

import (
	"fmt"

	"strandscope/sim/clock"
	"strandscope/sim/policy/textbook"
	"strandscope/sim/sched"
)

// Standing is where a job stands.
type Standing struct {
	Level, Allot int
	Left         clock.Duration // of its quantum, now
}

// Standing returns where t stands.
func (p *Policy) Standing(t *sched.Thread) Standing {
	j := p.job(t.ID)
	s := Standing{j.level, j.allot, j.left}
	if j.running {
		s.Left -= p.K.Now().Sub(j.from)
	}
	return s
}

// Boosts is the number of boosts so far.
func (p *Policy) Boosts() int64 { return p.n }

// Priority implements sched.Prioritizer.
func (p *Policy) Priority(t *sched.Thread) int { return p.job(t.ID).level }

// Fields implements sched.Inspector.
func (p *Policy) Fields() []sched.Field {
	return []sched.Field{
		{Name: "level", Help: "0 is the bottom"},
		{Name: "allot", Unit: "quanta", Help: "quanta left at this level; −1: no limit"},
		{Name: "left", Unit: "‰", Help: "of the present quantum, in thousandths of a unit"},
	}
}

// Values implements sched.Inspector.
func (p *Policy) Values(t *sched.Thread, row []int64) {
	s := p.Standing(t)
	row[0], row[1], row[2] = int64(s.Level), int64(s.Allot), int64(p.Units(s.Left))
}

// Queues implements sched.Inspector.
func (p *Policy) Queues(visit func(q sched.Queue, waiting []sched.ThreadID)) {
	ids := p.Waiting()
	for len(ids) > 0 {
		level := p.job(ids[0]).level
		n := 1
		for n < len(ids) && p.job(ids[n]).level == level {
			n++
		}
		visit(sched.Queue{CPU: sched.NoCPU, Priority: level, Name: fmt.Sprintf("level %d", level)}, ids[:n])
		ids = ids[n:]
	}
}

// Explain implements sched.Policy.
func (p *Policy) Explain(r sched.Reason) string {
	level := int32(p.top()) - r.A
	switch r.Code {
	case textbook.WhyChosen:
		return fmt.Sprintf("It was the head of level %d, the highest with anybody in it.", level)
	case textbook.WhyDisplaced:
		if r.A == r.B {
			return fmt.Sprintf("It came before the other in the queue of level %d.", level)
		}
		return fmt.Sprintf("It is on level %d and takes the CPU from a job on level %d.", level, int32(p.top())-r.B)
	case textbook.WhyDemoted:
		return fmt.Sprintf("Its allotment is used up: down to level %d.", r.A)
	case textbook.WhyQuantum:
		return fmt.Sprintf("Its quantum is over; to the tail of level %d.", r.A)
	case textbook.WhyBoost:
		return "The boost: all go to the top with a whole quantum and allotment."
	}
	return textbook.Common(r)
}
