package linuxcfs

import "strandscope/sim/sched"

// round shifts right by n bits and rounds to the nearest.
func round(x uint64, n uint) uint64 { return (x + 1<<(n-1)) >> n }

// CalcDelta is d·weight divided by the weight whose inverse is given
// (calc_delta_mine), in one of two roundings.
func CalcDelta(d, weight, inverse uint64) uint64 {
	t := d * weight
	if t > 1<<32 {
		return round(round(t, 16)*inverse, 16)
	}
	return round(t*inverse, 32)
}

// Invert is the inverse of a weight that has no entry in the table.
func Invert(weight uint64) uint64 { return (1<<32-weight/2)/weight + 1 }

// virtual is so many ns as time of a task: more for a lighter one.
func virtual(d int64, t *Task) int64 {
	if t.Weight == scale {
		return d
	}
	return int64(CalcDelta(uint64(d), scale, t.Inverse))
}

// clock advances a CPU's own clock, by code that runs there (__update_rq_clock).
func (c *Core) clock(cpu int) {
	q := &c.rq[cpu]
	d := c.Now - q.raw
	q.raw = c.Now
	limit := q.tickAt + c.tick
	switch {
	case d < 0:
		q.clock++
	case q.clock+d <= limit:
		q.clock += d
	case q.clock < limit:
		q.clock = limit
	default:
		q.clock++
	}
}

// clockFrom is the same by code that runs on CPU from: another CPU's stands still.
func (c *Core) clockFrom(cpu, from int) {
	if cpu == from {
		c.clock(cpu)
	}
}

// charge gives the fair task that runs on a CPU the time since the last call, and
// moves min_vruntime (update_curr).
func (c *Core) charge(cpu int) {
	q := &c.rq[cpu]
	if q.fair == none {
		return
	}
	t := &c.tasks[q.fair]
	d := q.clock - t.ExecStart
	t.SumExec += d
	t.Vruntime += virtual(d, t)
	t.ExecStart = q.clock
	v := t.Vruntime
	if len(q.tree) > 0 {
		if left := c.tasks[q.tree[0]].Vruntime; left-v < 0 {
			v = left
		}
	}
	if v-q.minV > 0 {
		q.minV = v
	}
}

// chargeRT is the same for a real-time task (update_curr_rt).
func (c *Core) chargeRT(cpu int) {
	q := &c.rq[cpu]
	if q.cur == none || c.tasks[q.cur].Policy == Normal {
		return
	}
	t := &c.tasks[q.cur]
	t.SumExec += max(q.clock-t.ExecStart, 0)
	t.ExecStart = q.clock
}

// Period is how long it takes until each of so many tasks has run.
func (u *Tunables) Period(nr int) int64 {
	if int64(nr) > u.NrLatency {
		return u.Latency * int64(nr) / u.NrLatency
	}
	return u.Latency
}

// SliceOf is a task's share of the period.
func (u *Tunables) SliceOf(nr int, weight, load uint64) int64 {
	return int64(uint64(u.Period(nr)) * weight / load)
}

// Debit is how far behind a new task begins.
func (u *Tunables) Debit(nr int, weight, load uint64) int64 {
	return int64(uint64(u.Period(nr+1)) * scale / (load + weight))
}

// Placed is the vruntime at which a sleeper comes back: at most a latency of credit,
// and never a gain.
func (u *Tunables) Placed(minV, own int64) int64 {
	if v := minV - u.Latency; v-own > 0 {
		return v
	}
	return own
}

// Ahead reports whether a woken task displaces a current one (check_preempt_wakeup).
// The comparison is unsigned, as the kernel's is.
func (u *Tunables) Ahead(woken int64, cur *Task) bool {
	return uint64(woken)+uint64(virtual(u.WakeGran, cur)) < uint64(cur.Vruntime)
}

// enqueue puts a task into its CPU's queue of its class. wakeup: it slept.
func (c *Core) enqueue(id sched.ThreadID, wakeup bool) {
	t := &c.tasks[id]
	cpu := int(t.CPU)
	q := &c.rq[cpu]
	if t.realtime() {
		c.append(q, id)
		t.OnRQ = true
		return
	}
	c.charge(cpu)
	if wakeup {
		t.Vruntime = c.Placed(q.minV, t.Vruntime)
	}
	if q.fair != id {
		c.insert(q, id)
	}
	q.load += t.Weight
	q.nr++
	t.OnRQ = true
}

func (c *Core) dequeue(id sched.ThreadID) {
	t := &c.tasks[id]
	cpu := int(t.CPU)
	q := &c.rq[cpu]
	t.OnRQ = false
	if t.realtime() {
		c.chargeRT(cpu)
		c.unlink(q, id)
		return
	}
	c.charge(cpu)
	if q.fair != id {
		c.remove(q, id)
	}
	q.load -= t.Weight
	q.nr--
}

// activate and deactivate count the task, too.
func (c *Core) activate(id sched.ThreadID, wakeup bool) {
	c.enqueue(id, wakeup)
	t := &c.tasks[id]
	s := &c.CPUs[t.CPU]
	s.NR++
	s.Raw += t.Weight
}

func (c *Core) deactivate(id sched.ThreadID) {
	c.dequeue(id)
	t := &c.tasks[id]
	s := &c.CPUs[t.CPU]
	s.NR--
	s.Raw -= t.Weight
}

// put takes the current task out of its class's hands (put_prev_task); a fair one
// that goes on waits in the tree.
func (c *Core) put(cpu int) {
	q := &c.rq[cpu]
	if q.cur == none {
		return
	}
	t := &c.tasks[q.cur]
	if t.realtime() {
		c.chargeRT(cpu)
		t.ExecStart = 0
		return
	}
	if t.OnRQ {
		c.charge(cpu)
		c.insert(q, q.cur)
	}
	q.fair = none
}

// pick chooses: real-time tasks first, then the leftmost; it begins a turn.
func (c *Core) pick(cpu int) sched.ThreadID {
	q := &c.rq[cpu]
	if p := q.firstRT(0); p < rtPrios {
		id := q.rt[p].head
		c.tasks[id].ExecStart = q.clock
		return id
	}
	if len(q.tree) == 0 {
		return none
	}
	id := q.tree[0]
	q.tree = append(q.tree[:0], q.tree[1:]...)
	c.begins(cpu, id)
	return id
}

// begins makes a fair task the one that runs (set_next_entity).
func (c *Core) begins(cpu int, id sched.ThreadID) {
	q, t := &c.rq[cpu], &c.tasks[id]
	t.ExecStart, t.PrevSum = q.clock, t.SumExec
	q.fair = id
}
