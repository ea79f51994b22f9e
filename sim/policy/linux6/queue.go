package linux6

import (
	fair "strandscope/sim/policy/linuxfair"
	"strandscope/sim/sched"
)

// preempt asks whether a task that was put in at c displaces whom c runs
// (wakeup_preempt): a better class does at once, within one the class decides.
func (p *Policy) preempt(c *cpu, x *task) {
	r := c.curr
	switch {
	case r == nil:
		if !c.hw.Kicked {
			p.k.Kick(c.hw)
		}
	case x.class.realtime():
		if !r.class.realtime() || x.prio > r.prio {
			p.k.Kick(c.hw)
		}
	case !r.class.realtime() && c.s.Curr != nil:
		c.s.Need = c.s.Need || c.hw.Kicked
		c.fair.Preempt(x.e)
		p.settle(c)
	}
}

// Enqueue implements sched.Policy.
func (p *Policy) Enqueue(t *sched.Thread, why sched.Cause) {
	x := p.tasks[t.ID]
	switch why {
	case sched.Preempted, sched.GaveWay:
		p.place(x, whyPreempted, micros(x.e.Sum), 0)
	case sched.Yielded:
		p.yield(x)
	case sched.Moved:
		p.moved(x)
	case sched.Forked:
		p.forked(x)
	default:
		p.woken(x)
	}
}

// forked is wake_up_new_task.
func (p *Policy) forked(x *task) {
	here := p.at(p.k.Here().ID)
	if !x.class.realtime() {
		here.fair.Fork(x.e)
		p.settle(here)
	}
	to, how := p.selectFork(x, here.id)
	c := p.at(to)
	x.cpu = int32(to)
	if x.class.realtime() {
		p.queueRT(c, x)
	} else {
		p.begin(c, x)
		if x.owed != 0 {
			p.enter(c, x)
		} else {
			c.fair.Start(x.e)
		}
		p.settle(c)
	}
	p.touch(x)
	p.place(x, whyForked, 0, int32(how))
	p.preempt(c, x)
	p.pushRT(c)
}

// woken is try_to_wake_up.
func (p *Policy) woken(x *task) {
	w := p.k.Here().ID
	p.flip(x)
	if x.e.Delayed {
		c := p.at(int(x.cpu))
		p.sync(c, x)
		lag := p.lag(c, x.e)
		c.fair.Wake(x.e)
		p.settle(c)
		p.note(x, noteAwake, 0)
		p.place(x, whyStillQueued, lag, 0)
		p.preempt(c, x)
		return
	}
	to, how := p.selectWake(x, w)
	from := int(x.cpu)
	c := p.at(to)
	p.sync(c, x)
	switch {
	case x.class.realtime():
		x.cpu = int32(to)
		p.queueRT(c, x)
	case to != from:
		old := p.at(from)
		old.fair.Depart(x.e)
		p.detach(old, x)
		x.cpu = int32(to)
		p.attach(c, x)
		c.fair.Arrive(x.e)
	default:
		p.enter(c, x)
	}
	p.settle(c)
	p.touch(x)
	p.place(x, whyWoken, p.lag(c, x.e), int32(how))
	p.preempt(c, x)
	p.pushRT(c)
}

// lag is how far a task is behind its CPU's virtual time in µs, for explanations.
func (p *Policy) lag(c *cpu, e *fair.Entity) int32 { return micros(p.virtualNow(c) - e.V) }

// yield is sched_yield.
func (p *Policy) yield(x *task) {
	c := p.at(int(x.cpu))
	if x.rt {
		p.unqueueRT(c, x)
		p.queueRT(c, x)
	} else {
		c.fair.Yield(c.n())
		c.s.Need = false // it picks at once
	}
	p.place(x, whyYielded, 0, 0)
}

// Dequeue implements sched.Policy: the running t blocks or exits. The fair class of
// 6.12 may leave one that blocks in its queue.
func (p *Policy) Dequeue(t *sched.Thread, why sched.Cause) {
	x := p.tasks[t.ID]
	c := p.at(int(x.cpu))
	p.sync(c, x)
	x.gone = why == sched.Exited
	if x.rt {
		p.unqueueRT(c, x)
		return
	}
	c.fair.Sleep(x.gone)
	c.s.Need = false // it picks at once
	if x.e.Delayed {
		p.note(x, noteDelayed, micros(-p.deficit(c, x.e)))
	}
	if x.gone {
		p.detach(c, x)
	}
}

// Pick implements sched.Policy: schedule() on c.
func (p *Policy) Pick(k *sched.CPU) (*sched.Thread, sched.Reason) {
	c := p.at(k.ID)
	prev := c.curr
	p.pushRunning(c)
	p.pullRT(c)
	next, why := p.choose(c)
	if next == nil && p.newlyIdle(c) {
		next, why = p.choose(c)
		if why.Code != whyIdle {
			why = sched.Reason{Code: whyPulled, A: int32(c.bal.from)}
		}
	}
	c.s.Need = false
	if next != prev {
		p.switchTo(c, next)
	}
	if next == nil {
		return nil, why
	}
	p.pushRT(c)
	return next.t, why
}

// choose goes through the chain of classes.
func (p *Policy) choose(c *cpu) (*task, sched.Reason) {
	if len(c.rt) > 0 {
		return c.rt[0], sched.Reason{Code: whyRealtime, A: c.rt[0].prio}
	}
	e := c.fair.Pick()
	p.ended(c)
	if e == nil {
		return nil, sched.Reason{Code: whyIdle}
	}
	r := sched.Reason{Code: whyFair + uint16(c.s.Why), A: int32(c.s.N)}
	switch c.s.Why {
	case fair.Earliest, fair.Continuing, fair.Protected:
		r.B = micros(e.D - e.V)
	default:
		r.B = p.lag(c, e)
	}
	return p.tasks[e.ID], r
}

// ended tells observers whose delayed dequeue ended.
func (p *Policy) ended(c *cpu) {
	for _, id := range c.s.Ended {
		p.note(p.tasks[id], noteDequeued, 0)
	}
	c.s.Ended = c.s.Ended[:0]
}

// switchTo puts the outgoing task back and the next one on the CPU.
func (p *Policy) switchTo(c *cpu, x *task) {
	if r := c.curr; r != nil {
		p.sync(c, r)
		p.chargeRT(r)
	}
	if c.s.Curr != nil {
		c.fair.Put()
	}
	c.curr = x
	if x == nil {
		return
	}
	p.sync(c, x)
	if x.class.realtime() {
		x.e.ExecStart = c.s.Clock
	} else {
		c.fair.Set(x.e)
	}
	p.touch(x)
}

// Tick implements sched.Policy.
func (p *Policy) Tick(k *sched.CPU) {
	c := p.at(k.ID)
	switch x := c.curr; {
	case x == nil:
	case x.class == rr:
		p.tickRR(c, x)
	case !x.class.realtime():
		p.sync(c, x)
		c.s.Need = k.Kicked
		c.fair.Tick()
		p.settle(c)
	}
	if p.smp {
		p.balanceTick(c)
	}
}

// micros turns ns into µs that fit a reason.
func micros(ns int64) int32 { return int32(min(max(ns/1000, -1<<31), 1<<31-1)) }

// touch notes that a task was queued or ran, for balancing.
func (p *Policy) touch(x *task) {
	p.seq++
	x.seq = p.seq
}
