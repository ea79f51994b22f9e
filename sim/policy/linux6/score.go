package linux6

import (
	"fmt"

	"strandscope/sim/sched"
)

// classStep is what a class, or being eligible, counts in a score: more than any
// virtual time in µs that is compared.
const classStep = 1_000_000_000

// Scored implements sched.Scorer.
func (p *Policy) Scored() string {
	if p.opt.Version == V61 {
		return "vruntime behind the queue's, in µs"
	}
	return "nearness of the virtual deadline, in µs"
}

// Score implements sched.Scorer: what makes a task the next one, as a sum. Of several
// eligible ones under EEVDF that is the nearest deadline; under CFS the least vruntime.
func (p *Policy) Score(t *sched.Thread, _ *sched.CPU) (value int, sum string) {
	x := p.th.At(t.ID)
	if x.class.realtime() {
		return classStep + int(x.prio), fmt.Sprintf("%d for real time + priority %d", classStep, x.prio)
	}
	c := &p.cpus[x.cpu]
	now := p.virtualNow(c)
	if p.opt.Version == V61 {
		return int((now - x.e.V) / 1000), fmt.Sprintf("%d − vruntime %d", now/1000, x.e.V/1000)
	}
	near := int((now - x.e.D) / 1000)
	sum = fmt.Sprintf("%d − deadline %d", now/1000, x.e.D/1000)
	if lag := (now - x.e.V) / 1000; x.e.V > now {
		return near - classStep, fmt.Sprintf("%s − %d: not eligible, lag %d", sum, classStep, lag)
	}
	return near, sum
}
