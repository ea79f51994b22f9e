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
	x := p.tasks[t.ID]
	if x.class.realtime() {
		return classStep + int(x.prio), fmt.Sprintf("%d for real time + priority %d", classStep, x.prio)
	}
	now := p.virtualNow(&p.cpus[x.cpu])
	of, name, more := x.e.D, "deadline", ""
	if p.opt.Version == V61 {
		of, name = x.e.V, "vruntime"
	} else if x.e.V > now {
		value, more = -classStep, fmt.Sprintf(" − %d: not eligible, lag %d", classStep, (now-x.e.V)/1000)
	}
	return value + int(now/1000-of/1000), fmt.Sprintf("%d − %s %d%s", now/1000, name, of/1000, more)
}
