package multi

import (
	"slices"

	"strandscope/sim/clock"
	"strandscope/sim/policy/textbook"
	"strandscope/sim/sched"
)

// uniter is the policy as a job for the kernel's timer.
type uniter Policy

// Do implements sched.Job.
func (u *uniter) Do() { (*Policy)(u).unit() }

// unit is the end of a unit. Nobody decides before all that stop have stopped.
func (p *Policy) unit() {
	p.units++
	p.peeks, p.order, p.stops, p.looked = nil, nil, 0, false
	over := p.units%int64(p.o.Quantum) == 0
	for i, c := range p.K.CPUs() {
		t := c.Thread
		if t == nil {
			continue
		}
		x := &p.cpus[i]
		j := p.job(t.ID)
		j.ran++
		if x.cache.count(t.ID).warm {
			j.warm++
		}
		p.ran(&x.cache, t.ID)
		if ends := p.Oracle.Left(t) == 0; ends || over {
			p.stops++
			if !ends {
				p.K.Note(t, sched.Reason{Code: textbook.WhyQuantum})
			}
			p.K.Kick(c)
		}
	}
	if p.stops == 0 {
		p.settle()
	}
}

// settle decides at an instant, once all have stopped that do.
func (p *Policy) settle() {
	for i := range p.cpus {
		if id := p.cpus[i].stopped; id != sched.None {
			p.cpus[i].stopped = sched.None
			q := p.queueOf(i)
			*q = append(*q, id)
		}
	}
	if p.o.PerCPU && p.o.Peek > 0 && p.units > 0 && p.units%int64(p.o.Peek) == 0 && !p.looked {
		p.looked = true
		p.peek()
	}
	p.assign()
}

func (p *Policy) queueOf(cpu int) *[]sched.ThreadID {
	if p.o.PerCPU {
		return &p.queues[cpu]
	}
	return &p.queues[0]
}

// peek lets each CPU that has nobody waiting look at another's queue.
func (p *Policy) peek() {
	n := len(p.cpus)
	if n == 1 {
		return // nobody to look at
	}
	for c := range n {
		if len(p.queues[c]) > 0 {
			continue
		}
		other := p.drawOther(c, n)
		look := Peeked{CPU: c, Other: other, Job: sched.None}
		i := slices.IndexFunc(p.queues[other], func(id sched.ThreadID) bool {
			return len(p.job(id).may) == 0 && p.K.Thread(id).May(p.K.CPUs()[c])
		})
		if i >= 0 {
			look.Job = p.queues[other][i]
			p.queues[other] = slices.Delete(p.queues[other], i, i+1)
			p.queues[c] = append(p.queues[c], look.Job)
			p.K.Place(p.K.Thread(look.Job), p.K.CPUs()[c], sched.Reason{Code: textbook.WhyMoved, A: int32(c)})
		}
		p.peeks = append(p.peeks, look)
	}
}

func (p *Policy) drawOther(c, n int) int {
	if len(p.o.Peeks) > 0 {
		other := p.o.Peeks[0]
		p.o.Peeks = p.o.Peeks[1:]
		if other >= 0 && other < n {
			return other
		}
	}
	other := int(p.K.Rand().Int63n(int64(n - 1)))
	if other >= c {
		other++
	}
	return other
}

// deal gives jobs that became ready to the queues, in turn.
func (p *Policy) deal() {
	if !p.o.PerCPU {
		p.queues[0] = append(p.queues[0], p.fresh...)
		p.fresh = nil
		return
	}
	for passed := 0; len(p.fresh) > 0 && passed < len(p.cpus); {
		c := p.K.CPUs()[p.dealTo]
		p.dealTo = (p.dealTo + 1) % len(p.cpus)
		i := slices.IndexFunc(p.fresh, func(id sched.ThreadID) bool { return p.may(id, c) })
		if i < 0 {
			passed++
			continue
		}
		passed = 0
		id := p.fresh[i]
		p.fresh = slices.Delete(p.fresh, i, i+1)
		p.queues[c.ID] = append(p.queues[c.ID], id)
		p.K.Place(p.K.Thread(id), c, sched.Reason{Code: textbook.WhyArrived})
	}
}

// assign fills idle CPUs.
func (p *Policy) assign() {
	p.deal()
	if !p.canAssign() {
		return
	}
	for _, i := range p.drawOrder() {
		c, x := p.K.CPUs()[i], &p.cpus[i]
		if x.on != sched.None || x.plan != sched.None {
			continue
		}
		q := p.queueOf(i)
		at := slices.IndexFunc(*q, func(id sched.ThreadID) bool { return p.may(id, c) })
		if at < 0 {
			continue
		}
		x.plan = (*q)[at]
		*q = slices.Delete(*q, at, at+1)
		p.begin(&x.cache, x.plan)
		if i != p.picking { // that one takes it at once
			p.K.Kick(c)
		}
	}
}

func (p *Policy) canAssign() bool {
	for i, c := range p.K.CPUs() {
		x := &p.cpus[i]
		if x.on == sched.None && x.plan == sched.None &&
			slices.ContainsFunc(*p.queueOf(i), func(id sched.ThreadID) bool { return p.may(id, c) }) {
			return true
		}
	}
	return false
}

// drawOrder is the order in which idle CPUs are served.
func (p *Policy) drawOrder() []int {
	order := make([]int, len(p.cpus))
	for i := range order {
		order[i] = i
	}
	if !p.o.RandomOrder {
		return order
	}
	if len(p.o.Orders) > 0 {
		order = p.o.Orders[0]
		p.o.Orders = p.o.Orders[1:]
	} else {
		for i := len(order) - 1; i > 0; i-- {
			j := p.K.Rand().Int63n(int64(i + 1))
			order[i], order[j] = order[j], order[i]
		}
	}
	p.order = order
	return order
}

// whole reports whether a unit begins now.
func (p *Policy) whole() bool { return clock.Duration(p.K.Now())%p.o.Unit == 0 }

// Enqueue implements sched.Policy.
func (p *Policy) Enqueue(t *sched.Thread, why sched.Cause) {
	if why == sched.Preempted || why == sched.Yielded {
		p.K.Place(t, nil, sched.Reason{Code: textbook.WhyQueuedAgain})
		p.cpus[t.CPU].stopped = t.ID
		p.stop(t.CPU)
		return
	}
	p.fresh = append(p.fresh, t.ID)
	p.K.Place(t, nil, sched.Reason{Code: textbook.WhyArrived})
	if p.whole() {
		p.WakeIdle(t)
	}
}

// Dequeue implements sched.Policy.
func (p *Policy) Dequeue(t *sched.Thread, _ sched.Cause) { p.stop(t.CPU) }

func (p *Policy) stop(cpu int) {
	p.cpus[cpu].on = sched.None
	if p.stops > 0 {
		p.stops--
	}
	if p.stops == 0 {
		p.settle()
	}
}

// Pick implements sched.Policy.
func (p *Policy) Pick(c *sched.CPU) (*sched.Thread, sched.Reason) {
	x := &p.cpus[c.ID]
	if x.plan == sched.None && p.stops == 0 && len(p.fresh) > 0 && p.whole() {
		p.picking = c.ID
		p.assign()
		p.picking = sched.NoCPU
	}
	if x.plan == sched.None {
		return nil, sched.Reason{Code: textbook.WhyNothing}
	}
	x.on, x.plan = x.plan, sched.None
	return p.K.Thread(x.on), sched.Reason{Code: textbook.WhyTurn}
}
