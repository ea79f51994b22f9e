package linuxo1

import (
	"strandscope/sim/policy/linux26"
	"strandscope/sim/sched"
)

// Begin makes a task new: nice, policy, sleep_avg in ns, and a full slice.
func (c *Core) Begin(id sched.ThreadID, nice int32, policy uint8, rtPrio int32, sleepAvg int64, cpu int) {
	t := c.At(id)
	*t = Task{
		Static: nicePrio + nice, Policy: policy, RTPrio: rtPrio, SleepAvg: sleepAvg, CPU: int32(cpu), Array: -1,
		next: none, prev: none, Parent: none, Stamp: c.Now, Bound: -1,
	}
	t.Prio, t.Slice = c.effective(t), c.slice(t)
	c.weigh(t)
}

// Tick is the clock interrupt on a CPU (scheduler_tick).
func (c *Core) Tick(cpu int) {
	q := &c.rq[cpu]
	t := c.current(cpu)
	t.LastRan, q.recent = c.Now, c.Now
	if q.cur != none {
		t.Ticks++
		c.runningTick(cpu, q.cur)
	}
	if !c.UP {
		c.CPUs[cpu].Smoothed(3)
		q.idleAtTick = q.cur == none
	}
}

// runningTick takes a tick from the slice of a CPU's current task
// (task_running_tick).
func (c *Core) runningTick(cpu int, id sched.ThreadID) {
	q, t := &c.rq[cpu], &c.tasks[id]
	if t.Array != q.active {
		c.resched(cpu, cpu)
		return
	}
	if t.Policy == FIFO {
		return
	}
	t.Slice--
	switch {
	case t.Policy == RR:
		if t.Slice == 0 {
			t.Slice, t.FirstSlice = c.slice(t), false
			c.resched(cpu, cpu)
			c.requeue(id)
		}
	case t.Slice == 0:
		c.expire(cpu, id)
	case Interactive(t):
		g := c.Granularity(t)
		if int64(c.slice(t)-t.Slice)%g == 0 && int64(t.Slice) >= g {
			c.requeue(id)
			c.resched(cpu, cpu)
		}
	}
}

// expire ends a slice: to the expired array, or back to the tail of active.
func (c *Core) expire(cpu int, id sched.ThreadID) {
	q, t := &c.rq[cpu], &c.tasks[id]
	c.dequeue(id)
	c.resched(cpu, cpu)
	t.Prio = c.effective(t)
	t.Slice, t.FirstSlice = c.slice(t), false
	if q.expiredAt == 0 {
		q.expiredAt = c.Jiffies
	}
	if Interactive(t) && !c.starving(cpu) {
		c.enqueue(id, q.active)
		return
	}
	c.enqueue(id, 1-q.active)
	q.bestExpired = min(q.bestExpired, t.Static)
}

// Schedule chooses what a CPU runs next (schedule). The task that ran has its State
// set if it sleeps or exits. swapped: the arrays changed places.
func (c *Core) Schedule(cpu int) (next sched.ThreadID, swapped bool) {
	q := &c.rq[cpu]
	prevID := q.cur
	prev := c.current(cpu)
	run := c.ran(prev, c.Now-prev.Stamp)
	if prevID != none && prev.State != Runnable {
		if prev.State == Uninterruptible {
			c.CPUs[cpu].Uninterruptible++
		}
		c.dequeue(prevID)
		c.count(prev, -1)
	}
	if c.CPUs[cpu].NR == 0 && !c.UP {
		c.idleBalance(cpu)
	}
	if c.CPUs[cpu].NR == 0 {
		next, q.expiredAt = none, 0
	} else {
		next, swapped = c.choose(cpu)
	}
	prev.Need = false
	prev.LastRan, q.recent = c.Now, c.Now
	prev.SleepAvg = max(prev.SleepAvg-run, 0)
	prev.Stamp = c.Now
	if next != prevID {
		q.cur = next
		t := c.current(cpu)
		t.Stamp, t.LastRan = c.Now, c.Now
	}
	return next, swapped
}

// choose takes the first task of the best list of active, after a swap if that is
// empty. One that was woken has its wait counted as sleep; it runs in any case.
func (c *Core) choose(cpu int) (id sched.ThreadID, swapped bool) {
	q := &c.rq[cpu]
	if q.arr[q.active].n == 0 {
		q.active = 1 - q.active
		q.expiredAt, q.bestExpired = 0, prios
		swapped = true
		c.Swaps++
	}
	arr := &q.arr[q.active]
	id = arr.q[arr.first(0)].head
	t := &c.tasks[id]
	if !t.realtime() && t.Sleep >= sleepInteractive {
		wait := max(c.Now-t.Stamp, 0)
		if t.Sleep == sleepInteractive {
			wait = wait * waitPart / 128
		}
		if prio := c.credit(t, t.Stamp+wait); prio != t.Prio {
			c.dequeue(id)
			t.Prio = prio
			c.enqueue(id, q.active)
		}
	}
	t.Sleep = sleepNormal
	return id, swapped
}

// Wake makes a sleeping task runnable, by code that runs on CPU this
// (try_to_wake_up). interrupt: in interrupt context; sync: the waker is about to
// sleep. It returns the CPU chosen.
func (c *Core) Wake(id sched.ThreadID, this int, interrupt, sync bool) int {
	t := &c.tasks[id]
	if t.State == Runnable {
		return int(t.CPU)
	}
	if cpu := int(t.CPU); cpu != this {
		c.CPUs[this].WakeRemote++
		if c.draws(t, this, sync) {
			c.CPUs[this].WakeAffine++
			t.CPU = int32(this)
			c.Env.Pulled('W', cpu, this, id)
		}
	}
	cpu := int(t.CPU)
	if t.State == Uninterruptible {
		c.CPUs[cpu].Uninterruptible--
		t.Sleep = sleepNoninteractive
	}
	t.State = Runnable
	c.activate(id, this, interrupt)
	if !sync || cpu != this {
		c.preempts(t, this)
	}
	return cpu
}

// draws reports whether a wake-up moves a task to the CPU that wakes it.
func (c *Core) draws(t *Task, this int, sync bool) bool {
	if t.Bound >= 0 && int(t.Bound) != this {
		return false
	}
	waker := uint64(0)
	if sync {
		waker = uint64(c.current(this).Weight)
	}
	return linux26.Affine(&c.CPUs[this], &c.CPUs[t.CPU], uint64(t.Weight), waker, scale)
}

// activate counts the sleep and queues the task (activate_task). Another CPU's
// time is this one's, moved by the difference of what each last saw.
func (c *Core) activate(id sched.ThreadID, this int, interrupt bool) {
	t := &c.tasks[id]
	if !t.realtime() {
		now := c.Now
		if int(t.CPU) != this {
			now += c.rq[t.CPU].recent - c.rq[this].recent
		}
		t.Prio = c.credit(t, now)
		if t.Sleep == sleepNormal {
			t.Sleep = sleepInteractive
			if interrupt {
				t.Sleep = sleepInterrupted
			}
		}
		t.Stamp = now
	}
	c.enqueue(id, c.rq[t.CPU].active)
	c.count(t, 1)
}

// preempts asks for a reschedule where t is better than what runs on its CPU.
func (c *Core) preempts(t *Task, from int) {
	if t.Prio < c.current(int(t.CPU)).Prio {
		c.resched(int(t.CPU), from)
	}
}

// Fork shares what is left of a slice between a parent and its new child, which
// is a copy of it (sched_fork). A parent that has nothing left ends its slice.
func (c *Core) Fork(id, parent sched.ThreadID) {
	c.At(id)
	t, p := &c.tasks[id], &c.tasks[parent]
	*t = *p
	t.Parent, t.Array, t.next, t.prev, t.Need, t.State = parent, -1, none, none, false, Runnable
	t.Slice, t.FirstSlice, t.Stamp, t.Ticks = (p.Slice+1)/2, true, c.Now, 0
	if p.Slice /= 2; p.Slice > 0 {
		return
	}
	if p.Slice = 1; c.rq[p.CPU].cur == parent {
		c.runningTick(int(p.CPU), parent)
	} else { // whom somebody else has fork
		p.Slice, p.FirstSlice = c.slice(p), false
	}
}

// Launch is the first wake-up of a task on a CPU, by nobody who runs: WakeNew by an
// idle task, except that what runs on that CPU is only displaced by a better one.
func (c *Core) Launch(id sched.ThreadID, cpu, this int) {
	t := &c.tasks[id]
	t.CPU, t.Stamp = int32(cpu), c.Now
	t.SleepAvg = c.steps(c.Bonus(t) * childPart / 100)
	t.Prio = c.effective(t)
	c.enqueue(id, c.rq[t.CPU].active)
	c.count(t, 1)
	c.preempts(t, this)
}

// WakeNew is the first wake-up of a task, by the current task of CPU this
// (wake_up_new_task). A child goes directly before its parent.
func (c *Core) WakeNew(id sched.ThreadID, this int) {
	t := &c.tasks[id]
	cur := c.current(this)
	t.SleepAvg = c.steps(c.Bonus(t) * childPart / 100)
	t.Prio = c.effective(t)
	switch {
	case int(t.CPU) != this:
		t.Stamp += c.rq[t.CPU].recent - c.rq[this].recent
		c.enqueue(id, c.rq[t.CPU].active)
		c.count(t, 1)
		c.preempts(t, this)
	case cur.Array < 0:
		c.enqueue(id, c.rq[this].active)
		c.count(t, 1)
		c.resched(this, this)
	default:
		c.before(id, c.rq[this].cur)
		c.count(t, 1)
		c.resched(this, this)
	}
	cur.SleepAvg = c.steps(c.Bonus(cur))
}

// Exit gives what a child left of its first slice back to its parent, and makes
// the parent less of a sleeper than it was, if the child was (sched_exit).
func (c *Core) Exit(id sched.ThreadID) {
	t := &c.tasks[id]
	t.State = Dead
	if t.Parent == none {
		return
	}
	p := &c.tasks[t.Parent]
	if p.State == Dead {
		return
	}
	if t.FirstSlice && t.CPU == p.CPU {
		p.Slice = min(p.Slice+t.Slice, c.slice(t))
	}
	if t.SleepAvg < p.SleepAvg {
		p.SleepAvg = p.SleepAvg/4*3 + t.SleepAvg/4
	}
}

// Yield puts the current task into the expired array, a real-time one to the tail
// of its list (sched_yield). Schedule is to be called next.
func (c *Core) Yield(cpu int) {
	id := c.rq[cpu].cur
	t := &c.tasks[id]
	to := 1 - c.rq[cpu].active
	if t.realtime() {
		to = c.rq[cpu].active
	}
	c.dequeue(id)
	c.enqueue(id, to)
}

// Renice changes the nice value (set_user_nice).
func (c *Core) Renice(id sched.ThreadID, nice int32, from int) {
	t := &c.tasks[id]
	if t.Static == nicePrio+nice {
		return
	}
	if t.Policy != Normal {
		t.Static = nicePrio + nice
		return
	}
	a, was := t.Array, t.Prio
	if a >= 0 {
		c.dequeue(id)
		c.CPUs[t.CPU].Raw -= uint64(t.Weight)
	}
	t.Static = nicePrio + nice
	c.weigh(t)
	t.Prio = c.effective(t)
	if a < 0 {
		return
	}
	c.enqueue(id, a)
	c.CPUs[t.CPU].Raw += uint64(t.Weight)
	if cpu := int(t.CPU); t.Prio < was || t.Prio > was && c.rq[cpu].cur == id {
		c.resched(cpu, from)
	}
}

// SetPolicy changes the policy (sched_setscheduler). A queued task goes into the
// active array.
func (c *Core) SetPolicy(id sched.ThreadID, policy uint8, rtPrio int32, from int) {
	t := &c.tasks[id]
	queued, was := t.Array >= 0, t.Prio
	if queued {
		c.dequeue(id)
		c.count(t, -1)
	}
	t.Policy, t.RTPrio = policy, rtPrio
	t.Prio = c.effective(t)
	c.weigh(t)
	if !queued {
		return
	}
	cpu := int(t.CPU)
	c.enqueue(id, c.rq[cpu].active)
	c.count(t, 1)
	if c.rq[cpu].cur != id {
		c.preempts(t, from)
	} else if t.Prio > was {
		c.resched(cpu, from)
	}
}
