package linuxeevdf

import fair "strandscope/sim/policy/linuxfair"

// Tick is the clock interrupt of Curr.
func (q *Queue) Tick() { q.Charge() }

// Preempt asks whether an entity that was just queued, or woken where it is, displaces
// Curr (check_preempt_wakeup_fair).
func (q *Queue) Preempt(e *fair.Entity) {
	c := q.Curr
	if q.Need {
		return
	}
	if c.Idle && !e.Idle {
		q.Need = true
		return
	}
	if e.Mild {
		return
	}
	q.Charge()
	short := e.Slice < c.Slice
	if q.Version == V612 {
		if short && q.Eligible(e) && (e.D-c.D < 0 || !q.Eligible(c)) {
			c.Protect = c.D + 1
		}
		if q.choose(true) == e {
			q.Need = true
		}
		return
	}
	if q.choose(!short) == e {
		q.Need = true
		if short {
			c.Protect = c.V
		}
		return
	}
	if short {
		least := c.Slice
		if m, ok := q.Tree.MinSlice(); ok {
			least = min(least, m)
		}
		q.shorten(c, c.V+c.Virtual(least))
	}
}

// choose is pick_eevdf: the eligible entity with the earliest deadline; a protected
// runner that is eligible stays, unless protection is not to count.
func (q *Queue) choose(protection bool) *fair.Entity {
	c := q.running()
	if q.N == 1 {
		q.Why = fair.Alone
		if c != nil {
			return c
		}
		return q.Tree.First()
	}
	if c != nil && !q.Eligible(c) {
		c = nil
	}
	if c != nil && protection && q.Protected(c) {
		q.Why = fair.Protected
		return c
	}
	best := q.Tree.FirstWithin(q.Mean())
	if best == nil || c != nil && c.D-best.D < 0 {
		q.Why = fair.Continuing
		return c
	}
	q.Why = fair.Earliest
	return best
}

// Restore puts an entity in as it is, from a recording.
func (q *Queue) Restore(e *fair.Entity) {
	q.insert(e)
	e.OnRQ = true
	q.N++
}

// Chosen is what choose answers, for recorded vectors.
func (q *Queue) Chosen() *fair.Entity { return q.choose(true) }

// Pick chooses who runs next, nil if nobody is queued. A delayed entity that comes up
// leaves the queue at last (pick_task_fair).
func (q *Queue) Pick() *fair.Entity {
	for q.N > 0 {
		if q.running() != nil {
			q.Charge()
		}
		e := q.choose(true)
		if e == nil || !e.Delayed {
			return e
		}
		q.finish(e)
	}
	return nil
}

// Put takes Curr off the CPU (put_prev_entity).
func (q *Queue) Put() {
	c := q.Curr
	if c.OnRQ {
		q.Charge()
		q.insert(c)
	}
	q.Curr = nil
}

// Set puts an entity on the CPU (set_next_entity).
func (q *Queue) Set(e *fair.Entity) {
	if e.OnRQ {
		q.remove(e)
		q.protect(e)
	}
	e.ExecStart = q.Clock
	q.Curr = e
}

// Yield gives up the rest of a request (yield_task_fair); the caller picks again. n is
// how many tasks of all classes the CPU has.
func (q *Queue) Yield(n int) {
	if n == 1 {
		return
	}
	q.Charge()
	c := q.Curr
	if !q.Eligible(c) {
		return
	}
	c.V = c.D
	if q.Version == V612 {
		q.UpdateDeadline(c)
		return
	}
	c.D += c.Virtual(c.Slice)
}

// VirtualTime is where the queue stands: the weighted mean.
func (q *Queue) VirtualTime() int64 { return q.Mean() }

// TotalWeight is the weight of all that are queued.
func (q *Queue) TotalWeight() int64 {
	_, w := q.sums()
	return w
}
