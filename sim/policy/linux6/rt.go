package linux6

// The real-time class (kernel/sched/rt.c): a list for each priority, of which the
// first task runs. One slice keeps them all, in order of priority.

// queueRT puts a task behind those of its priority.
func (p *Policy) queueRT(c *cpu, x *task) {
	i := len(c.rt)
	c.rt = append(c.rt, x)
	for ; i > 0 && c.rt[i-1].prio < x.prio; i-- {
		c.rt[i] = c.rt[i-1]
	}
	c.rt[i] = x
	x.rt = true
	x.cpu = int32(c.id)
}

func (p *Policy) unqueueRT(c *cpu, x *task) {
	for i, o := range c.rt {
		if o == x {
			c.rt = append(c.rt[:i], c.rt[i+1:]...)
			break
		}
	}
	x.rt = false
}

// chargeRT accounts what a running real-time task has used.
func (p *Policy) chargeRT(x *task) {
	if x.class.realtime() {
		now := int64(p.k.Now())
		x.e.Sum += now - x.e.ExecStart
		x.e.ExecStart = now
	}
}

// tickRR counts a slice down. At its end the task goes behind those of its priority,
// if there are any (task_tick_rt).
func (p *Policy) tickRR(c *cpu, x *task) {
	if x.left--; x.left > 0 {
		return
	}
	x.left = rrSlice
	for _, o := range c.rt {
		if o != x && o.prio == x.prio {
			p.unqueueRT(c, x)
			p.queueRT(c, x)
			p.k.Kick(c.hw)
			return
		}
	}
}

// level is how urgent the most urgent work of a CPU is: −1 idle, 0 fair, else a
// real-time priority.
func (p *Policy) level(c *cpu) int32 {
	l := int32(-1)
	if c.n() > 0 {
		l = 0
	}
	if r := c.curr; r != nil && r.class.realtime() {
		l = r.prio
	}
	if len(c.rt) > 0 {
		l = max(l, c.rt[0].prio)
	}
	return l
}

// lowest is the CPU with the least urgent work below a task's priority, −1 if there is
// none; its own comes first among equals (find_lowest_rq).
func (p *Policy) lowest(x *task) int {
	best, least := -1, x.prio
	for i := range p.cpus {
		l := p.level(&p.cpus[i])
		if p.may(x, i) && (l < least || l == least && best >= 0 && i == int(x.cpu)) {
			best, least = i, l
		}
	}
	return best
}

// selectRT is select_task_rq_rt: elsewhere only if its CPU runs something as urgent.
func (p *Policy) selectRT(x *task, prev int) (int, chosen) {
	if r := p.cpus[prev].curr; r != nil && r.class.realtime() && r.prio >= x.prio {
		if to := p.lowest(x); to >= 0 && to != prev {
			return to, byUrgency
		}
	}
	return prev, byUrgency
}

// pushRT sends real-time tasks that cannot run on c to where they can
// (push_rt_tasks).
func (p *Policy) pushRT(c *cpu) {
	if !p.smp {
		return
	}
	for i := 1; i < len(c.rt); i++ {
		x := c.rt[i]
		if x == c.curr {
			continue
		}
		if to := p.lowest(x); to >= 0 && to != c.id {
			p.unqueueRT(c, x)
			p.sendRT(to, x)
			i--
		}
	}
}

func (p *Policy) sendRT(to int, x *task) {
	from := x.cpu
	d := p.at(to)
	p.queueRT(d, x)
	p.place(x, whyMoved, from, int32(to))
	p.preempt(d, x)
}

// pullRT takes the most urgent real-time task that waits elsewhere, if c has nothing
// as urgent (pull_rt_task).
func (p *Policy) pullRT(c *cpu) {
	if !p.smp {
		return
	}
	least := int32(0)
	if len(c.rt) > 0 {
		least = c.rt[0].prio
	}
	var from *cpu
	var best *task
	for i := range p.cpus {
		o := &p.cpus[i]
		for n, x := range o.rt {
			if i == c.id || x == o.curr || n == 0 || x.prio <= least || !p.may(x, c.id) {
				continue
			}
			from, best, least = o, x, x.prio
		}
	}
	if best == nil {
		return
	}
	p.unqueueRT(from, best)
	p.queueRT(c, best)
	p.place(best, whyMoved, int32(from.id), int32(c.id))
}
