package linux6

import (
	fair "strandscope/sim/policy/linuxfair"
	"strandscope/sim/sched"
)

// preempt asks whether a task that was put in at c displaces whom c runs
// (wakeup_preempt): a better class does at once, within one the class decides.
func (p *Policy) preempt(c *cpu, x *task) {
	r := p.running(c)
	switch {
	case r == nil:
		if !p.kicked(c) {
			p.kick(c)
		}
	case x.class.realtime():
		if !r.class.realtime() || x.prio > r.prio {
			p.kick(c)
		}
	case !r.class.realtime() && c.s.Curr != nil:
		c.s.Need = c.s.Need || p.kicked(c)
		c.fair.Preempt(x.e)
		p.settle(c)
	}
}

// Enqueue implements sched.Policy.
func (p *Policy) Enqueue(t *sched.Thread, why sched.Cause) {
	x := p.th.At(t.ID)
	switch why {
	case sched.Preempted, sched.GaveWay:
		p.k.Place(t, p.k.CPUs()[x.cpu], sched.Reason{Code: whyPreempted, A: micros(x.e.Sum)})
	case sched.Yielded:
		p.yield(t, x)
	case sched.Moved:
		p.moved(t, x)
	case sched.Forked:
		p.forked(t, x)
	default:
		p.woken(t, x)
	}
}

// forked is wake_up_new_task.
func (p *Policy) forked(t *sched.Thread, x *task) {
	here := p.at(p.k.Here().ID)
	if !x.class.realtime() {
		here.fair.Fork(x.e)
		p.settle(here)
	}
	to, how := p.selectFork(t, x, here.id)
	c := p.at(to)
	x.cpu = int32(to)
	if x.class.realtime() {
		p.queueRT(c, t.ID)
	} else {
		p.begin(c, x)
		c.fair.Start(x.e)
		p.settle(c)
	}
	p.touch(x)
	p.k.Place(t, p.k.CPUs()[to], sched.Reason{Code: whyForked, B: int32(how)})
	p.preempt(c, x)
	p.pushRT(c)
}

// woken is try_to_wake_up.
func (p *Policy) woken(t *sched.Thread, x *task) {
	w := p.k.Here().ID
	p.flip(t)
	if x.e.Delayed {
		c := p.at(int(x.cpu))
		p.sync(c, x)
		lag := p.lag(c, x.e)
		c.fair.Wake(x.e)
		p.settle(c)
		p.k.Note(t, sched.Reason{Code: noteAwake})
		p.k.Place(t, p.k.CPUs()[c.id], sched.Reason{Code: whyStillQueued, A: lag})
		p.preempt(c, x)
		return
	}
	to, how := p.selectWake(t, x, w)
	from := int(x.cpu)
	c := p.at(to)
	p.sync(c, x)
	switch {
	case x.class.realtime():
		x.cpu = int32(to)
		p.queueRT(c, t.ID)
	case to != from:
		old := p.at(from)
		old.fair.Depart(x.e)
		p.detach(old, x)
		x.cpu = int32(to)
		p.attach(c, x)
		c.fair.Arrive(x.e)
	default:
		c.fair.Wake(x.e)
	}
	p.settle(c)
	p.touch(x)
	p.k.Place(t, p.k.CPUs()[to], sched.Reason{Code: whyWoken, A: p.lag(c, x.e), B: int32(how)})
	p.preempt(c, x)
	p.pushRT(c)
}

// lag is how far a task is behind its CPU's virtual time in µs, for explanations.
func (p *Policy) lag(c *cpu, e *fair.Entity) int32 { return micros(p.virtualNow(c) - e.V) }

// yield is sched_yield.
func (p *Policy) yield(t *sched.Thread, x *task) {
	c := p.at(int(x.cpu))
	if x.rt {
		p.unqueueRT(c, t.ID)
		p.queueRT(c, t.ID)
	} else {
		c.fair.Yield(c.n())
		c.s.Need = false // it picks at once
	}
	p.k.Place(t, p.k.CPUs()[c.id], sched.Reason{Code: whyYielded})
}

// Dequeue implements sched.Policy: the running t blocks or exits. The fair class of
// 6.12 may leave one that blocks in its queue.
func (p *Policy) Dequeue(t *sched.Thread, why sched.Cause) {
	x := p.th.At(t.ID)
	c := p.at(int(x.cpu))
	p.sync(c, x)
	x.gone = why == sched.Exited
	if x.rt {
		p.unqueueRT(c, t.ID)
		return
	}
	c.fair.Sleep(x.gone)
	c.s.Need = false // it picks at once
	if x.e.Delayed {
		p.k.Note(t, sched.Reason{Code: noteDelayed, A: micros(-p.deficit(c, x.e))})
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
	if next == sched.None && p.newlyIdle(c) {
		next, why = p.choose(c)
		if why.Code != whyIdle {
			why = sched.Reason{Code: whyPulled, A: int32(c.bal.from)}
		}
	}
	c.s.Need = false
	if next != prev {
		p.switchTo(c, next)
	}
	if next == sched.None {
		return nil, why
	}
	p.pushRT(c)
	return p.k.Thread(next), why
}

// choose goes through the chain of classes.
func (p *Policy) choose(c *cpu) (sched.ThreadID, sched.Reason) {
	if len(c.rt) > 0 {
		id := c.rt[0]
		return id, sched.Reason{Code: whyRealtime, A: p.th.At(id).prio}
	}
	e := c.fair.Pick()
	p.ended(c)
	if e == nil {
		return sched.None, sched.Reason{Code: whyIdle}
	}
	id := sched.ThreadID(e.ID)
	r := sched.Reason{Code: whyFair + uint16(c.s.Why), A: int32(c.s.N)}
	switch c.s.Why {
	case fair.Earliest, fair.Continuing, fair.Protected:
		r.B = micros(e.D - e.V)
	default:
		r.B = p.lag(c, e)
	}
	return id, r
}

// ended tells observers whose delayed dequeue ended.
func (p *Policy) ended(c *cpu) {
	for _, id := range c.s.Ended {
		p.k.Note(p.k.Thread(sched.ThreadID(id)), sched.Reason{Code: noteDequeued})
	}
	c.s.Ended = c.s.Ended[:0]
}

// switchTo puts the outgoing task back and the next one on the CPU.
func (p *Policy) switchTo(c *cpu, next sched.ThreadID) {
	if r := p.running(c); r != nil {
		p.sync(c, r)
		p.chargeRT(r)
	}
	if c.s.Curr != nil {
		c.fair.Put()
	}
	c.curr = next
	if next == sched.None {
		return
	}
	x := p.th.At(next)
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
	switch x := p.running(c); {
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
