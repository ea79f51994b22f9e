package linux6

import "strandscope/sim/sched"

// Withdraw implements sched.Mover.
func (p *Policy) Withdraw(t *sched.Thread) {
	x := p.th.At(t.ID)
	c := p.at(int(x.cpu))
	if x.rt {
		p.unqueueRT(c, t.ID)
		return
	}
	p.leave(c, x)
	p.detach(c, x)
}

// Moved implements sched.Mover. A sleeper whose dequeue is delayed where it may not run
// any longer leaves that queue now.
func (p *Policy) Moved(t *sched.Thread) error {
	x := p.th.At(t.ID)
	if x.e.Delayed && !p.may(t, int(x.cpu)) {
		p.leave(p.at(int(x.cpu)), x)
	}
	return nil
}

// WaitingAt implements sched.Mover.
func (p *Policy) WaitingAt(k *sched.CPU) []sched.ThreadID {
	c := &p.cpus[k.ID]
	p.buf = p.buf[:0]
	for _, id := range c.rt {
		if id != c.curr && p.k.Thread(id).Bound != k.ID {
			p.buf = append(p.buf, id)
		}
	}
	for e := c.s.Tree.First(); e != nil; e = c.s.Tree.Next(e) {
		if t := p.k.Thread(sched.ThreadID(e.ID)); !e.Delayed && t.Bound != k.ID {
			p.buf = append(p.buf, t.ID)
		}
	}
	return p.buf
}

// Reshape implements sched.Mover.
func (p *Policy) Reshape() {
	for i := range p.cpus {
		c := p.at(i)
		for e := c.s.Tree.First(); e != nil; {
			next := c.s.Tree.Next(e)
			if t := p.k.Thread(sched.ThreadID(e.ID)); e.Delayed && !p.may(t, i) {
				p.leave(c, p.th.At(t.ID))
			}
			e = next
		}
	}
}

// moved puts in a task whose CPU, set or binding has changed: one that was withdrawn, or
// that ran where it may not stay.
func (p *Policy) moved(t *sched.Thread, x *task) {
	if c := p.at(int(x.cpu)); c.curr == t.ID {
		if x.rt {
			p.chargeRT(x)
			p.unqueueRT(c, t.ID)
		} else {
			p.leave(c, x)
			p.detach(c, x)
		}
		c.curr = sched.None
	}
	from := int(x.cpu)
	to, _ := p.selectWake(t, x, p.k.Here().ID)
	c := p.at(to)
	x.cpu = int32(to)
	if x.class.realtime() {
		p.queueRT(c, t.ID)
		p.k.Place(t, p.k.CPUs()[to], sched.Reason{Code: whyMoved, A: int32(from), B: int32(to)})
	} else {
		c.bal.from = from
		p.join(c, t, x)
	}
	p.preempt(c, x)
	p.pushRT(c)
}
