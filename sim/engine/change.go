package engine

import (
	"fmt"

	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// The machine is changed in mid-run between two instants: the change is made,
// threads that may not stay where they are move, and the machine settles. An
// error means that nothing was changed.

// Bind binds a thread to one CPU, or frees it with NoCPU.
func (e *Engine) Bind(t *sched.Thread, cpu int) error {
	if cpu != sched.NoCPU {
		if cpu < 0 || cpu >= len(e.cpus) {
			return fmt.Errorf("engine: CPU %d, the machine has 0 to %d", cpu, len(e.cpus)-1)
		}
		c := e.cpus[cpu]
		if !c.Online {
			return fmt.Errorf("engine: CPU %d is off-line", cpu)
		}
		if c.Set != t.Set {
			return fmt.Errorf("engine: CPU %d is in processor set %d, the thread in %d", cpu, c.Set, t.Set)
		}
	}
	return e.move(t, func() { t.Bound = cpu })
}

// Join moves a thread into a processor set. A binding does not survive it.
func (e *Engine) Join(t *sched.Thread, set int) error {
	if _, ok := e.firstCPU(set); !ok {
		return fmt.Errorf("engine: processor set %d has no CPU", set)
	}
	return e.move(t, func() { t.Set, t.Bound = set, sched.NoCPU })
}

// Regroup moves a thread into another project or control group.
func (e *Engine) Regroup(t *sched.Thread, g sched.GroupID) error {
	return e.move(t, func() { t.Group = g })
}

// move changes where a thread may run, and lets it go there.
func (e *Engine) move(t *sched.Thread, change func()) error {
	if t.State == sched.Gone {
		return fmt.Errorf("engine: thread %d (%s) is gone", t.ID, t.Name)
	}
	mover, ok := e.pol.(sched.Mover)
	if !ok {
		return fmt.Errorf("engine: this kernel cannot move threads")
	}
	e.here = e.cpus[e.cfg.ClockCPU]
	waiting := t.State == sched.Waiting
	if waiting {
		mover.Withdraw(t)
	}
	before := *t
	change()
	err := mover.Moved(t)
	if err != nil {
		t.Set, t.Bound, t.Group = before.Set, before.Bound, before.Group
	}
	switch {
	case waiting:
		e.pol.Enqueue(t, sched.Moved)
	case t.State == sched.Running && !t.May(e.cpus[t.CPU]):
		e.evict(e.cpus[t.CPU])
	}
	e.serveAll()
	if err != nil {
		return err
	}
	return e.err
}

// evict takes the running thread off a CPU that it may not use any longer.
func (e *Engine) evict(c *sched.CPU) {
	e.here = c
	e.setMode(c, trace.SystemMode)
	e.release(c, sched.Moved)
}

// Assign puts a CPU into a processor set; 0 is the default set. The CPU's
// threads move unless they are bound to it.
func (e *Engine) Assign(cpu, set int) error {
	c, err := e.changeable(cpu)
	if err != nil {
		return err
	}
	if set < 0 {
		return fmt.Errorf("engine: processor set %d, ids begin at 1", set)
	}
	if c.Set == set {
		return nil
	}
	if err := e.mayLeave(c, set); err != nil {
		return err
	}
	return e.reshape(c, func() { c.Set = set })
}

// SetOnline takes a CPU off-line or back.
func (e *Engine) SetOnline(cpu int, online bool) error {
	c, err := e.changeable(cpu)
	if err != nil || c.Online == online {
		return err
	}
	if !online {
		if err := e.mayLeave(c, -1); err != nil {
			return err
		}
	}
	return e.reshape(c, func() { c.Online = online })
}

func (e *Engine) changeable(cpu int) (*sched.CPU, error) {
	if cpu < 0 || cpu >= len(e.cpus) {
		return nil, fmt.Errorf("engine: CPU %d, the machine has 0 to %d", cpu, len(e.cpus)-1)
	}
	return e.cpus[cpu], nil
}

// mayLeave refuses to take from a set its last CPU while threads need it, or a
// CPU to which threads are bound. to is the set it goes to, −1 for off-line.
func (e *Engine) mayLeave(c *sched.CPU, to int) error {
	others := 0
	for _, o := range e.cpus {
		if o != c && o.Set == c.Set && o.Online {
			others++
		}
	}
	if others == 0 && c.Set == 0 {
		return fmt.Errorf("engine: CPU %d is the last one of the default set, which must keep one", c.ID)
	}
	for _, t := range e.threads {
		if t.State == sched.Gone {
			continue
		}
		if t.Bound == c.ID {
			return fmt.Errorf("engine: thread %d (%s) is bound to CPU %d", t.ID, t.Name, c.ID)
		}
		if others == 0 && t.Set == c.Set && t.Set != to {
			return fmt.Errorf("engine: CPU %d is the last one of processor set %d, which still has threads", c.ID, c.Set)
		}
	}
	return nil
}

// reshape changes a CPU's set or state. What waited there is queued again, and
// what ran there goes elsewhere if it may not stay.
func (e *Engine) reshape(c *sched.CPU, change func()) error {
	mover, ok := e.pol.(sched.Mover)
	if !ok {
		return fmt.Errorf("engine: this kernel cannot change its CPUs")
	}
	e.here = e.cpus[e.cfg.ClockCPU]
	var waiting []*sched.Thread
	for _, id := range mover.WaitingAt(c) {
		t := e.threads[id]
		mover.Withdraw(t)
		waiting = append(waiting, t)
	}
	change()
	mover.Reshape()
	e.emit(trace.Event{Kind: trace.Changed, CPU: int16(c.ID), Thread: sched.None, Other: sched.None, A: cpuState64(c)})
	for _, t := range waiting {
		e.here = e.cpus[e.cfg.ClockCPU]
		e.pol.Enqueue(t, sched.Moved)
	}
	if t := c.Thread; t != nil && !t.May(c) {
		e.evict(c)
	}
	if c.Online && c.Thread == nil {
		e.wakeIdle(c)
	}
	e.serveAll()
	return e.err
}

// cpuState64 is what a Changed event carries: the CPU's set, or −1 off-line.
func cpuState64(c *sched.CPU) int64 {
	if !c.Online {
		return -1
	}
	return int64(c.Set)
}

// Kill ends a thread. It still has to run to do so: a sleeper is woken, a waiter
// exits when it gets a CPU.
func (e *Engine) Kill(t *sched.Thread) error {
	if t.Kernel {
		return fmt.Errorf("engine: thread %d (%s) belongs to the kernel", t.ID, t.Name)
	}
	if t.State == sched.Gone {
		return fmt.Errorf("engine: thread %d (%s) is gone", t.ID, t.Name)
	}
	e.here = e.cpus[e.cfg.ClockCPU]
	tk := &e.tasks[t.ID]
	tk.killed, tk.stepDue = true, true
	switch t.State {
	case sched.Sleeping:
		e.wake(t)
	case sched.Running:
		e.settle(e.cpus[t.CPU])
		e.state[t.CPU].gen++
		e.pending.add(t.CPU)
	default:
	}
	e.serveAll()
	return e.err
}

// SetShares changes the shares of a project or control group.
func (e *Engine) SetShares(g sched.GroupID, shares int) error {
	r, ok := e.pol.(sched.Regrouper)
	if !ok {
		return fmt.Errorf("engine: this kernel has no shares")
	}
	return r.Regroup(g, shares)
}

// Nice adds to a thread's nice value and returns the new one, −20…19.
func (e *Engine) Nice(t *sched.Thread, incr int) (int, error) {
	n, ok := e.pol.(sched.Nicer)
	if !ok {
		return 0, fmt.Errorf("engine: this kernel has no nice values")
	}
	e.here = e.cpus[e.cfg.ClockCPU]
	nice, err := n.Nice(t, incr)
	if err == nil {
		e.serveAll()
		err = e.err
	}
	return nice, err
}
