package linux6

import "strandscope/sim/sched"

// Withdraw implements sched.Mover.
func (p *Policy) Withdraw(t *sched.Thread) {
	x := p.tasks[t.ID]
	c := p.at(int(x.cpu))
	if x.rt {
		p.unqueueRT(c, x)
		return
	}
	p.leave(c, x)
	p.detach(c, x)
}

// Moved implements sched.Mover. A sleeper whose dequeue is delayed where it may not run
// any longer leaves that queue now.
func (p *Policy) Moved(t *sched.Thread) error {
	x := p.tasks[t.ID]
	if x.e.Delayed && !p.may(x, int(x.cpu)) {
		p.leave(p.at(int(x.cpu)), x)
	}
	return nil
}

// WaitingAt implements sched.Mover.
func (p *Policy) WaitingAt(k *sched.CPU) []sched.ThreadID {
	c := &p.cpus[k.ID]
	return p.waiting(c, false, k.ID, p.waiting(c, true, k.ID, p.buf[:0]))
}

// waiting adds the tasks that wait in one of a CPU's queues, those left out that are
// bound to it.
func (p *Policy) waiting(c *cpu, rt bool, bound int, list []sched.ThreadID) []sched.ThreadID {
	add := func(x *task) {
		if x != c.curr && !x.e.Delayed && (bound < 0 || x.t.Bound != bound) {
			list = append(list, x.t.ID)
		}
	}
	if rt {
		for _, x := range c.rt {
			add(x)
		}
	} else {
		for e := c.s.Tree.First(); e != nil; e = c.s.Tree.Next(e) {
			add(p.tasks[e.ID])
		}
	}
	p.buf = list
	return list
}

// Reshape implements sched.Mover.
func (p *Policy) Reshape() {
	for i := range p.cpus {
		c := p.at(i)
		for e := c.s.Tree.First(); e != nil; {
			next := c.s.Tree.Next(e)
			if x := p.tasks[e.ID]; e.Delayed && !p.may(x, i) {
				p.leave(c, x)
			}
			e = next
		}
	}
}

// moved puts in a task whose CPU, set or binding has changed: one that was withdrawn, or
// that ran where it may not stay.
func (p *Policy) moved(x *task) {
	if c := p.at(int(x.cpu)); c.curr == x {
		if x.rt {
			p.chargeRT(x)
			p.unqueueRT(c, x)
		} else {
			p.leave(c, x)
			p.detach(c, x)
		}
		c.curr = nil
	}
	from := int(x.cpu)
	to, _ := p.selectWake(x, p.k.Here().ID)
	c := p.at(to)
	x.cpu = int32(to)
	if x.class.realtime() {
		p.queueRT(c, x)
		p.place(x, whyMoved, int32(from), int32(to))
	} else {
		c.bal.from = from
		p.join(c, x)
	}
	p.preempt(c, x)
	p.pushRT(c)
}
