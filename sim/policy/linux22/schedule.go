package linux22

import (
	"strandscope/sim/clock"
	"strandscope/sim/sched"
)

// Pick implements sched.Policy: schedule() on a CPU (FACTS §5).
func (p *Policy) Pick(c *sched.CPU) (*sched.Thread, sched.Reason) {
	prev := p.cur[c.ID]
	d := &p.decision
	*d = Decision{CPU: c.ID, Context: p.k.Context(), Cause: p.cause[c.ID], Prev: prev}
	p.cause[c.ID] = sched.NoCause
	if prev != sched.None {
		p.rotate(prev)
	}
	next, value := p.choose(c.ID, prev, d)
	d.Next, d.Value = next, value
	p.Stats.EvalsSelect += int64(d.EvalsSelect)
	if next != prev {
		p.switchTo(c.ID, prev, next)
		d.EvalsTail = p.pushAway(c.ID, prev)
		p.Stats.EvalsTail += int64(d.EvalsTail)
		p.Stats.Switches++
	}
	p.finish(c, d)
	if next == sched.None {
		return nil, sched.Reason{Code: whyIdle}
	}
	return p.k.Thread(next), p.reason(d)
}

// rotate gives a round-robin task that used its slice a new one, and the tail.
func (p *Policy) rotate(id sched.ThreadID) {
	x := p.th.At(id)
	if x.policy != rr || x.counter != 0 {
		return
	}
	x.counter = x.priority // also when it is about to sleep
	if x.at > 0 {
		p.unlink(id)
		p.pushTail(id)
	}
}

// choose finds the greatest goodness. The outgoing task is compared first and an
// equal value does not replace it; then the list is walked from its head.
func (p *Policy) choose(cpu int, prev sched.ThreadID, d *Decision) (sched.ThreadID, int32) {
	for {
		best, value := p.scan(cpu, prev, d)
		if value != 0 {
			return best, value
		}
		p.recalculate()
		d.Recalculations++
		if p.opt.Old {
			return best, value // 2.2.7 does not compare again
		}
	}
}

func (p *Policy) scan(cpu int, prev sched.ThreadID, d *Decision) (sched.ThreadID, int32) {
	best, value := sched.None, int32(-1000)
	mm := p.mmOf(prev)
	switch {
	case prev == sched.None: // the idle task wants to run too
		d.EvalsSelect++
		value = p.idleGoodness(idleMM)
	case p.th.At(prev).at > 0:
		v, evaluated := p.prevGoodness(p.th.At(prev), cpu)
		if evaluated {
			d.EvalsSelect++
		}
		best, value = prev, v
	}
	if !p.opt.UP && !p.opt.Old {
		d.EvalsSelect += p.queue.n - p.running()
		return p.best(int32(cpu), best, value)
	}
	for id := range p.queue.all {
		x := p.th.At(id)
		if p.opt.UP || !x.hasCPU {
			d.EvalsSelect++
			if v := p.goodness(x, cpu, mm); v > value {
				best, value = id, v
			}
		}
	}
	return best, value
}

// cyclesPerNS turns time into the cycles of the reference's 400 MHz machine, for
// avg_slice: 2 cycles in 5 ns.
func cycles(d clock.Duration) uint32 { return uint32(int64(d) * 2 / 5) }

// switchTo makes next the CPU's current task. The outgoing one keeps its CPU
// until it has been pushed.
func (p *Policy) switchTo(cpu int, prev, next sched.ThreadID) {
	now := p.k.Now()
	if prev != sched.None && !p.opt.UP {
		x := p.th.At(prev)
		x.avgSlice = (cycles(now.Sub(p.stamp[cpu])) + x.avgSlice) / 2
	}
	p.stamp[cpu] = now
	p.cur[cpu] = next
	if next != sched.None {
		x := p.th.At(next)
		x.hasCPU, x.cpu = true, int32(cpu)
		p.judge(next)
	}
}

// pushAway offers the outgoing task, if it still wants to run, to the other CPUs
// (2.2.8), and lets it go.
func (p *Policy) pushAway(cpu int, prev sched.ThreadID) int {
	if prev == sched.None {
		return 0
	}
	x := p.th.At(prev)
	n := 0
	if x.at > 0 && !p.opt.UP && !p.opt.Old {
		n = int(p.rescheduleIdle(prev, cpu))
	}
	x.hasCPU = false
	p.judge(prev)
	return n
}

// finish counts the call and charges what it cost.
func (p *Policy) finish(c *sched.CPU, d *Decision) {
	if p.opt.UP && d.Prev == sched.None && d.Next == sched.None {
		return // an idle kernel without SMP calls schedule after every interrupt
	}
	p.Stats.Calls++
	cost := clock.Duration(d.EvalsSelect+d.EvalsTail) * p.opt.EvaluationCost
	cost += clock.Duration(d.Recalculations*len(p.all)) * p.opt.RecalculationCost
	p.Stats.Cost += cost
	p.k.Charge(c, cost)
	if p.Watch == nil {
		return
	}
	d.Running = p.queue.n
	d.PrevCounter, d.NextCounter = p.counterOf(d.Prev), p.counterOf(d.Next)
	p.Watch(d)
}

func (p *Policy) counterOf(id sched.ThreadID) int32 {
	if id == sched.None {
		return idleCounter
	}
	return p.th.At(id).counter
}

// --- waking (FACTS §6) ---

// wakeUp decides whom a task that became runnable on CPU w displaces. It returns
// the number of goodness evaluations.
func (p *Policy) wakeUp(id sched.ThreadID, w int) int64 {
	switch {
	case p.opt.Old:
		p.wakeUpOld(id, w)
		return 0
	case p.opt.UP:
		if p.gain(p.th.At(id), w) > 0 {
			p.flag(w, w)
		}
		return 2
	}
	return p.rescheduleIdle(id, w)
}

// rescheduleIdle finds the CPU on which a task gains most. Its own CPU comes
// first if that is idle; other idle CPUs are not special, only very bad.
func (p *Policy) rescheduleIdle(id sched.ThreadID, w int) int64 {
	target, evals := p.target(id, w)
	if target >= 0 {
		p.flag(target, w)
	}
	return evals
}

// target is the CPU that reschedule_idle() chooses, −1 for none, and how many
// goodness evaluations that took. It gives up at the first related task: one
// that holds the big kernel lock as the woken one does, and runs briefly.
func (p *Policy) target(id sched.ThreadID, w int) (int, int64) {
	x := p.th.At(id)
	if x.cpu == int32(w) && p.related(p.cur[w], x) {
		return -1, 0
	}
	if x.cpu != noProcessor && p.cur[x.cpu] == sched.None {
		return int(x.cpu), 0
	}
	target, most, evals := -1, int32(0), int64(0)
	for cpu := range p.cur {
		if p.related(p.cur[cpu], x) {
			return -1, evals
		}
		evals += 2
		if g := p.gain(x, cpu); g > most {
			target, most = cpu, g
		}
	}
	return target, evals
}

// related is true only while both hold the big kernel lock, which tasks in user
// mode never do.
func (p *Policy) related(id sched.ThreadID, x *task) bool {
	if id == sched.None || x.lock < 0 {
		return false
	}
	t := p.th.At(id)
	return t.lock >= 0 && x.policy == other && t.avgSlice < p.cacheFlush
}

// wakeUpOld is the rule of 2.2.7: a real-time task, or one with more than three
// ticks more than the current one, displaces the current task of the CPU that
// does the waking; else an idle CPU is looked for, its own first.
func (p *Policy) wakeUpOld(id sched.ThreadID, w int) {
	x := p.th.At(id)
	current := int32(idleCounter)
	if p.cur[w] != sched.None {
		current = p.th.At(p.cur[w]).counter
	}
	if x.policy != other || x.counter > current+3 {
		p.flag(w, w)
		return
	}
	if p.opt.UP {
		return
	}
	target := -1
	for cpu, t := range p.cur {
		if t != sched.None {
			continue
		}
		target = cpu
		if int32(cpu) == x.cpu {
			break
		}
	}
	if target >= 0 {
		p.flag(target, w)
	}
}

// flag sets need_resched of a CPU's current task; another CPU is told by an
// interrupt.
func (p *Policy) flag(cpu, w int) {
	if cpu != w {
		p.Stats.Interrupts++
	}
	p.told = cpu
	p.kick(p.k.CPUs()[cpu])
}

// kick sets need_resched of c's current task.
func (p *Policy) kick(c *sched.CPU) {
	if p.WatchKick != nil {
		p.WatchKick(c.ID)
	}
	p.k.Kick(c)
}
