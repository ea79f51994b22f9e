package linuxcfs

// This file runs single functions of the scheduler on states given from outside,
// for the recorded vectors.

// NewWeight is the weight and its inverse of a policy and a nice value.
func NewWeight(policy uint8, nice, rtPrio int32) *Task {
	t := &Task{Static: nicePrio + nice, Policy: policy, RTPrio: rtPrio}
	t.Prio = t.effective()
	t.weigh()
	return t
}

// Clock is what an update, or a tick, makes of a CPU's clock.
func Clock(raw, clock, tickAt, now int64, tick bool) (after, tickAfter int64) {
	c := NewCore(1, 1000, true, Scaled(1), 0, nil)
	q := &c.rq[0]
	q.raw, q.clock, q.tickAt, c.Now = raw, clock, tickAt, now
	if tick {
		c.Tick(0)
	} else {
		c.clock(0)
	}
	return q.clock, q.tickAt
}
