package linuxcfs

import (
	"strandscope/sim/policy/linux26"
	"strandscope/sim/sched"
)

// Begin makes a task new.
func (c *Core) Begin(id sched.ThreadID, nice int32, policy uint8, rtPrio int32, vruntime int64, cpu int) {
	t := c.At(id)
	*t = Task{
		Static: nicePrio + nice, Policy: policy, RTPrio: rtPrio, Vruntime: vruntime, CPU: int32(cpu), next: none, prev: none,
		Parent: none, Bound: -1, Slice: c.rrSlice(),
	}
	t.Prio = t.effective()
	t.weigh()
}

// rrSlice is 100 ms, whatever the nice value.
func (c *Core) rrSlice() int32 { return int32(100 * c.HZ / 1000) }

// Tick is the clock interrupt on a CPU (scheduler_tick).
func (c *Core) Tick(cpu int) {
	q := &c.rq[cpu]
	next := q.tickAt + c.tick
	c.clock(cpu)
	q.clock = max(q.clock, next)
	q.tickAt = q.clock
	c.CPUs[cpu].Smoothed(5)
	if q.cur != none {
		c.tasks[q.cur].Ticks++
		c.runningTick(cpu, q.cur)
	}
	q.idleNow = q.cur == none
}

func (c *Core) runningTick(cpu int, id sched.ThreadID) {
	q, t := &c.rq[cpu], &c.tasks[id]
	if !t.realtime() {
		c.charge(cpu)
		if q.nr > 1 && t.SumExec-t.PrevSum > c.SliceOf(q.nr, t.Weight, q.load) {
			c.resched(cpu, cpu)
		}
		return
	}
	c.chargeRT(cpu)
	if t.Policy != RR {
		return
	}
	if t.Slice--; t.Slice > 0 {
		return
	}
	t.Slice = c.rrSlice()
	if l := &q.rt[t.Prio]; l.head != l.tail {
		c.unlink(q, id)
		c.append(q, id)
		c.resched(cpu, cpu)
	}
}

// Schedule chooses what a CPU runs next (schedule). The task that ran has its State
// set if it sleeps or exits.
func (c *Core) Schedule(cpu int) (next sched.ThreadID, swapped bool) {
	q := &c.rq[cpu]
	c.clock(cpu)
	prev := c.current(cpu)
	prev.Need = false
	if q.cur != none && prev.State != Runnable {
		if prev.State == Uninterruptible {
			c.CPUs[cpu].Uninterruptible++
		}
		c.deactivate(q.cur)
	}
	if c.CPUs[cpu].NR == 0 && !c.UP {
		c.idleBalance(cpu)
	}
	c.put(cpu)
	q.cur = c.pick(cpu)
	return q.cur, false
}

// Wake makes a sleeping task runnable, by code that runs on CPU this
// (try_to_wake_up). sync: the waker is about to sleep; whether an interrupt wakes it
// does not matter. It returns the CPU chosen.
func (c *Core) Wake(id sched.ThreadID, this int, _, sync bool) int {
	t := &c.tasks[id]
	if t.State == Runnable {
		return int(t.CPU)
	}
	if cpu := int(t.CPU); cpu != this {
		c.CPUs[this].WakeRemote++
		if c.draws(t, this, sync) {
			c.Env.Pulled('W', cpu, this, id)
			c.setCPU(t, this)
		}
	}
	cpu := int(t.CPU)
	if t.State == Uninterruptible {
		c.CPUs[cpu].Uninterruptible--
	}
	t.State = Runnable
	c.clockFrom(cpu, this)
	c.activate(id, true)
	c.preempts(t, this)
	return cpu
}

// draws reports whether a wake-up moves a task to the CPU that wakes it. One that
// is cold in its cache follows a synchronous wake-up in any case.
func (c *Core) draws(t *Task, this int, sync bool) bool {
	if t.Bound >= 0 && int(t.Bound) != this {
		return false
	}
	waker := uint64(0)
	if sync {
		if !c.hot(t) {
			return true
		}
		waker = c.current(this).Weight
	}
	affine := linux26.Affine(&c.CPUs[this], &c.CPUs[t.CPU], t.Weight, waker, scale)
	if affine {
		c.CPUs[this].WakeAffine++
	}
	return affine
}

// hot reports whether a task ran a moment ago by its CPU's clock (task_hot).
func (c *Core) hot(t *Task) bool {
	return !t.realtime() && c.rq[t.CPU].clock-t.ExecStart < c.Migration
}

// setCPU moves a task that is in no queue; what it is ahead or behind goes with it.
func (c *Core) setCPU(t *Task, cpu int) {
	t.Vruntime += c.rq[cpu].minV - c.rq[t.CPU].minV
	t.CPU = int32(cpu)
}

// preempts asks for a reschedule where a task that has become runnable displaces
// what runs on its CPU (check_preempt_curr).
func (c *Core) preempts(t *Task, from int) {
	cpu := int(t.CPU)
	cur := c.current(cpu)
	switch {
	case c.rq[cpu].cur == none:
		c.resched(cpu, from)
	case cur.realtime():
		if t.Prio < cur.Prio {
			c.resched(cpu, from)
		}
	case t.realtime():
		c.clockFrom(cpu, from)
		c.charge(cpu)
		c.resched(cpu, from)
	case c.Ahead(t.Vruntime, cur):
		c.resched(cpu, from)
	}
}

// Fork makes a new task of its parent (sched_fork).
func (c *Core) Fork(id, parent sched.ThreadID) {
	c.At(id)
	t, p := &c.tasks[id], &c.tasks[parent]
	*t = *p
	t.Parent, t.next, t.prev, t.Need, t.OnRQ, t.State = parent, none, none, false, false, Runnable
	t.SumExec, t.PrevSum, t.ExecStart, t.Ticks = 0, 0, 0, 0
}

// WakeNew is the first wake-up of a task, by the current task of CPU this
// (wake_up_new_task). A fair child begins about a round behind; if its parent would
// be ahead of it, the two change places.
func (c *Core) WakeNew(id sched.ThreadID, this int) {
	t := &c.tasks[id]
	cpu := int(t.CPU)
	c.clockFrom(cpu, this)
	if t.realtime() || c.rq[this].cur == none || !c.current(this).OnRQ {
		c.activate(id, false)
		c.preempts(t, this)
		return
	}
	q := &c.rq[cpu]
	c.charge(cpu)
	t.Vruntime = q.minV + c.Debit(q.nr, t.Weight, q.load)
	if cpu == this && q.fair != none {
		if p := &c.tasks[q.fair]; uint64(p.Vruntime) < uint64(t.Vruntime) {
			p.Vruntime, t.Vruntime = t.Vruntime, p.Vruntime
		}
	}
	c.activate(id, false)
	c.resched(cpu, this)
	c.preempts(t, this)
}

// Launch is the first wake-up of a task on a CPU, by nobody who runs. On a busy one
// it begins about a round behind.
func (c *Core) Launch(id sched.ThreadID, cpu, this int) {
	t, q := &c.tasks[id], &c.rq[cpu]
	t.CPU = int32(cpu)
	c.clockFrom(cpu, this)
	c.charge(cpu)
	t.Vruntime = q.minV - firstMin // where the first task of all begins
	if q.cur != none && !t.realtime() {
		t.Vruntime = q.minV + c.Debit(q.nr, t.Weight, q.load)
	}
	c.activate(id, false)
	c.preempts(t, this)
}

// Yield charges the current task; a real-time one goes to the tail of its list
// (sched_yield). Schedule is to be called next.
func (c *Core) Yield(cpu int) {
	q := &c.rq[cpu]
	if t := c.current(cpu); t.realtime() {
		c.unlink(q, q.cur)
		c.append(q, q.cur)
		return
	}
	if q.nr > 1 {
		c.clock(cpu)
		c.charge(cpu)
	}
}

// Renice changes the nice value (set_user_nice).
func (c *Core) Renice(id sched.ThreadID, nice int32, from int) {
	t := &c.tasks[id]
	if t.Static == nicePrio+nice {
		return
	}
	cpu := int(t.CPU)
	c.clockFrom(cpu, from)
	if t.Policy != Normal {
		t.Static = nicePrio + nice
		return
	}
	queued, was := t.OnRQ, t.Prio
	if queued {
		c.deactivate(id)
	}
	t.Static = nicePrio + nice
	t.weigh()
	t.Prio = t.effective()
	if !queued {
		return
	}
	c.activate(id, false)
	if t.Prio < was || t.Prio > was && c.rq[cpu].cur == id {
		c.resched(cpu, from)
	}
}

// SetPolicy changes the policy (sched_setscheduler).
func (c *Core) SetPolicy(id sched.ThreadID, policy uint8, rtPrio int32, from int) {
	t := &c.tasks[id]
	cpu := int(t.CPU)
	q := &c.rq[cpu]
	c.clockFrom(cpu, from)
	queued, running, was := t.OnRQ, q.cur == id, t.Prio
	if queued {
		c.deactivate(id)
		if running {
			c.put(cpu)
		}
	}
	t.Policy, t.RTPrio = policy, rtPrio
	t.Prio = t.effective()
	t.weigh()
	if !queued {
		return
	}
	if running {
		t.ExecStart = q.clock
		if !t.realtime() {
			c.begins(cpu, id)
		}
	}
	c.activate(id, false)
	if !running {
		c.preempts(t, from)
	} else if t.Prio > was {
		c.resched(cpu, from)
	}
}
