package engine

import (
	"strandscope/sim/clock"
	"strandscope/sim/machine"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// phase is where a thread stands between user and kernel.
type phase uint8

const (
	inUser   phase = iota
	exiting        // fresh, woken, or back from fork: kernel-exit work is due
	resuming       // back from a preemption: straight to user mode
)

type cpuState struct {
	pipe     int
	mode     trace.CPUMode
	cpi      machine.CPI // of what runs there; 0: it is idle
	idleDue  bool        // it must run its idle loop, kicked or not
	since    clock.Time
	stall    clock.Duration   // charged kernel work that delays whatever runs
	rate     machine.Permille // base times pace
	base     machine.Permille // what the pipeline leaves it
	pace     machine.Permille // what a policy with a model of caches makes of that
	gen      uint32           // of the burst's end
	sliceGen uint32
	doneAt   clock.Time
}

// serveAll serves CPUs until none has anything left to do.
func (e *Engine) serveAll() {
	for n := 0; e.err == nil; n++ {
		id := e.pending.take()
		if id < 0 {
			return
		}
		if n == maxServe {
			e.fail("the policy never settles: CPU %d was served %d times in one instant", id, n)
			return
		}
		e.here = e.cpus[id]
		e.serve(e.cpus[id])
	}
}

// serve does what one CPU has to do, first match first, until nothing is left.
func (e *Engine) serve(c *sched.CPU) {
	s := &e.state[c.ID]
	for n := 0; e.err == nil; n++ {
		if n == maxServe {
			e.fail("CPU %d finds no rest in one instant", c.ID)
			return
		}
		if c.Thread == nil {
			if !s.idleDue && !c.Kicked {
				return
			}
			e.runIdleLoop(c, s)
			if c.Thread == nil && c.Kicked {
				// It stays awake without a thread: the others go first.
				e.pending.add(c.ID)
				return
			}
			continue
		}
		if !e.serveThread(c) {
			return
		}
	}
}

// runIdleLoop looks for work once.
func (e *Engine) runIdleLoop(c *sched.CPU, s *cpuState) {
	s.idleDue, c.Kicked = false, false
	armed := s.sliceGen
	var t *sched.Thread
	var why sched.Reason
	if e.idler != nil {
		t, why = e.idler.Idle(c)
	} else {
		t, why = e.choose(c)
	}
	if t != nil {
		e.dropSlice(c, armed)
		e.setMode(c, trace.SystemMode)
		e.switchTo(c, t, why)
	}
}

// dropSlice forgets the slice that was armed for c before it picked. One that
// the pick itself armed is for the thread that was picked, and stays.
func (e *Engine) dropSlice(c *sched.CPU, armed uint32) {
	if s := &e.state[c.ID]; s.sliceGen == armed {
		s.sliceGen++
	}
}

// serveThread does one thing for the thread on c; false: nothing is left.
func (e *Engine) serveThread(c *sched.CPU) bool {
	t := c.Thread
	tk := &e.tasks[t.ID]
	switch {
	case t.Kernel:
		e.runKernelThread(c, t)
	case c.Kicked && e.retur == nil && (e.cfg.Timing != Unison || !tk.stepDue):
		// Without a return-to-user stage a kick is taken before anything else. In
		// unison, a burst that ended at this instant ended before that.
		e.preempt(c)
	case tk.phase == exiting:
		tk.phase = inUser
		e.trap(c)
	case tk.phase == resuming:
		tk.phase = inUser
		e.setMode(c, trace.UserMode)
	case tk.stepDue:
		e.step(c, t)
	case tk.ast:
		e.trap(c)
	default:
		return false
	}
	return true
}

// trap is kernel-exit work: the policy's return to user mode, then a preemption
// if one was asked for, else user mode.
func (e *Engine) trap(c *sched.CPU) {
	e.tasks[c.Thread.ID].ast = false
	e.setMode(c, trace.SystemMode)
	if e.retur != nil {
		e.retur.ReturnToUser(c)
	}
	if c.Kicked {
		e.preempt(c)
		return
	}
	e.setMode(c, trace.UserMode)
}

// preempt makes c's thread wait and picks again; it may pick the same thread.
func (e *Engine) preempt(c *sched.CPU) {
	t := c.Thread
	e.emit(trace.Event{Kind: trace.Preempt, Cause: sched.Preempted, CPU: int16(c.ID), Thread: t.ID, Other: sched.None})
	e.release(c, sched.Preempted)
}

// release hands c's runnable thread to the policy and picks again.
func (e *Engine) release(c *sched.CPU, why sched.Cause) {
	t := c.Thread
	e.tasks[t.ID].phase = resuming
	if why == sched.GaveWay {
		e.tasks[t.ID].phase = exiting
	}
	t.State = sched.Waiting
	e.pol.Enqueue(t, why)
	e.pick(c, why)
}

// choose asks the policy for c's next thread. With a return-to-user stage (the
// Solaris dispatcher ratifies its choice) kicks of c during its own choice are
// absorbed; without one a kick during the choice asks for another (Linux clears
// need_resched before it chooses).
func (e *Engine) choose(c *sched.CPU) (*sched.Thread, sched.Reason) {
	if e.retur == nil {
		c.Kicked = false
	}
	t, why := e.pol.Pick(c)
	if e.retur != nil {
		c.Kicked = false
	}
	return t, why
}

// pick asks the policy for c's next thread and switches if it is another one.
func (e *Engine) pick(c *sched.CPU, left sched.Cause) {
	prev := c.Thread
	armed := e.state[c.ID].sliceGen
	next, why := e.choose(c)
	if next == prev && prev.State == sched.Waiting {
		prev.State = sched.Running
		e.pending.add(c.ID)
		return
	}
	e.leave(c, prev, left)
	e.dropSlice(c, armed)
	if next != nil {
		e.switchTo(c, next, why)
		return
	}
	if left != sched.GaveWay {
		// After a fork the switch does not pass through the accounting of the
		// idle loop: the CPU keeps counting as system (README convention 10).
		e.setMode(c, trace.IdleMode)
	}
	e.emit(trace.Event{Kind: trace.Idle, Cause: left, CPU: int16(c.ID), Thread: sched.None, Other: prev.ID, Why: why})
	e.setBusy(c, false)
	if e.idler != nil {
		e.wakeIdle(c)
	}
}

// leave takes the thread off its CPU.
func (e *Engine) leave(c *sched.CPU, t *sched.Thread, why sched.Cause) {
	e.settle(c)
	s := &e.state[c.ID]
	s.gen++
	s.doneAt = clock.Never
	t.LeftCPU = e.now
	c.Thread = nil
	e.emit(trace.Event{Kind: trace.Off, Cause: why, CPU: int16(c.ID), Thread: t.ID, Other: sched.None})
}

// switchTo puts a thread on an empty CPU.
func (e *Engine) switchTo(c *sched.CPU, t *sched.Thread, why sched.Reason) {
	if t.State != sched.Waiting {
		e.fail("thread %d (%s) was picked for CPU %d while %v", t.ID, t.Name, c.ID, t.State)
		return
	}
	if !t.May(c) {
		e.fail("thread %d (%s) may not run on CPU %d", t.ID, t.Name, c.ID)
		return
	}
	e.settle(c) // kernel work that was charged to the idle CPU goes on
	from := t.CPU
	t.State, t.CPU, c.Thread = sched.Running, c.ID, t
	e.setBusy(c, true)
	e.setPace(c)
	e.emit(trace.Event{Kind: trace.On, CPU: int16(c.ID), Thread: t.ID, Other: sched.None, Why: why, A: int64(from)})
	e.armBurst(c)
	e.pending.add(c.ID)
}

func (e *Engine) setMode(c *sched.CPU, m trace.CPUMode) {
	s := &e.state[c.ID]
	if s.mode == m {
		return
	}
	s.mode = m
	e.emit(trace.Event{Kind: trace.Mode, CPU: int16(c.ID), Thread: sched.None, Other: sched.None, A: int64(m)})
}

func (e *Engine) wakeIdle(c *sched.CPU) {
	e.state[c.ID].idleDue = true
	e.pending.add(c.ID)
}
