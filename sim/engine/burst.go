package engine

import (
	"strandscope/sim/clock"
	"strandscope/sim/machine"
	"strandscope/sim/sched"
)

// forever marks a burst that never ends.
const forever = -1

// settle brings the burst on c up to now. Work is counted in nanoseconds times
// thousandths of full speed, so that it stays exact.
func (e *Engine) settle(c *sched.CPU) {
	s := &e.state[c.ID]
	done := e.progress(c)
	s.stall -= min(s.stall, e.now.Sub(s.since))
	s.since = e.now
	if done == 0 || c.Thread == nil {
		return
	}
	tk := &e.tasks[c.Thread.ID]
	tk.rest += done
	tk.work += clock.Duration(tk.rest / 1000)
	tk.rest %= 1000
	if tk.remaining != forever {
		tk.remaining = max(0, tk.remaining-done)
	}
}

// progress is the work done on c since it was last settled.
func (e *Engine) progress(c *sched.CPU) int64 {
	s := &e.state[c.ID]
	if c.Thread == nil || c.Thread.Kernel {
		return 0
	}
	elapsed := e.now.Sub(s.since)
	elapsed -= min(s.stall, elapsed)
	done := int64(elapsed) * int64(s.rate)
	if tk := &e.tasks[c.Thread.ID]; e.grain > 0 && tk.remaining != forever {
		done = min(done, tk.remaining) // the rest of the grain is wasted
	}
	return done
}

// Work is what a thread has computed so far, in time at full speed.
func (e *Engine) Work(t *sched.Thread) clock.Duration {
	rest := e.tasks[t.ID].rest
	if t.State == sched.Running {
		rest += e.progress(e.cpus[t.CPU])
	}
	return e.tasks[t.ID].work + clock.Duration(rest/1000)
}

// Speed is the present speed of c relative to a strand alone on its pipeline.
func (e *Engine) Speed(c *sched.CPU) machine.Permille { return e.state[c.ID].rate }

// armBurst schedules the end of the burst on c, if it has one.
func (e *Engine) armBurst(c *sched.CPU) {
	s := &e.state[c.ID]
	s.gen++
	s.doneAt = clock.Never
	if c.Thread == nil || c.Thread.Kernel {
		return
	}
	tk := &e.tasks[c.Thread.ID]
	if tk.stepDue || tk.remaining == forever && tk.until == 0 {
		return
	}
	if tk.until > 0 {
		s.doneAt = max(e.now, tk.until)
		e.push(s.doneAt, evDone, int32(c.ID), s.gen)
		return
	}
	rate := int64(s.rate)
	left := clock.Duration((tk.remaining + rate - 1) / rate)
	s.doneAt = e.now.Add(s.stall + left)
	if g := clock.Time(e.grain); g > 0 {
		s.doneAt = (s.doneAt + g - 1) / g * g
	}
	e.push(s.doneAt, evDone, int32(c.ID), s.gen)
}

// burstDone notes that the thread on c has nothing more to compute; it goes on
// with its program when c is served.
func (e *Engine) burstDone(c *sched.CPU) {
	e.settle(c)
	e.state[c.ID].gen++
	e.state[c.ID].doneAt = clock.Never
	e.tasks[c.Thread.ID].stepDue = true
	e.pending.add(c.ID)
}

// setBusy counts c among the busy strands of its pipeline, or no longer.
func (e *Engine) setBusy(c *sched.CPU, busy bool) {
	s := &e.state[c.ID]
	var cpi machine.CPI
	if busy {
		cpi = e.tasks[c.Thread.ID].cpi
	}
	if s.cpi != cpi {
		s.cpi = cpi
		e.retime(s.pipe)
	}
}

// retime gives every busy strand of a pipeline the speed that is left to it,
// and its burst the end that follows from that.
func (e *Engine) retime(pipe int) {
	ids := e.m.Pipelines[pipe]
	e.cpis = e.cpis[:0]
	for _, id := range ids {
		if cpi := e.state[id].cpi; cpi != 0 {
			e.cpis = append(e.cpis, cpi)
		}
	}
	n := len(e.cpis)
	for len(e.speeds) < n {
		e.speeds = append(e.speeds, 0)
	}
	e.slots[pipe] = e.m.Speeds(pipe, e.cpis, e.speeds)
	busy := 0
	for _, id := range ids {
		s := &e.state[id]
		if s.cpi == 0 {
			continue
		}
		s.base = e.speeds[busy]
		busy++
		e.setRate(e.cpus[id])
	}
}

// setRate brings c's speed in line with its base and its pace.
func (e *Engine) setRate(c *sched.CPU) {
	s := &e.state[c.ID]
	rate := s.base * s.pace / 1000
	if s.rate == rate {
		return
	}
	e.settle(c)
	s.rate = rate
	if s.doneAt != clock.Never {
		e.armBurst(c)
	}
}

// setPace asks a policy that models caches how fast c's thread computes.
func (e *Engine) setPace(c *sched.CPU) {
	if e.pacer == nil || c.Thread == nil {
		return
	}
	e.state[c.ID].pace = max(1, e.pacer.Pace(c))
	e.setRate(c)
}

// IssueSlots is the share of a pipeline's issue slots in use (model).
func (e *Engine) IssueSlots(pipe int) machine.Permille { return e.slots[pipe] }

// charge makes c spend d in the kernel, which delays what it runs, or will run
// before that time is over.
func (e *Engine) charge(c *sched.CPU, d clock.Duration) {
	e.settle(c)
	e.state[c.ID].stall += d
	if e.state[c.ID].doneAt != clock.Never {
		e.armBurst(c)
	}
}
