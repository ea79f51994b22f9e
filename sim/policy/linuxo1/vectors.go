package linuxo1

import "strandscope/sim/sched"

// This file runs single functions of the scheduler on states given from outside,
// for the recorded vectors.

// Lone is the core of idle CPUs with one task of a nice value in it.
func Lone(cpus int, hz int64, nice int32, sleepAvg int64) (*Core, *Task) {
	c := NewCore(cpus, hz, cpus == 1, 0, 0, quiet{})
	c.Begin(0, nice, Normal, 0, sleepAvg, 0)
	return c, c.At(0)
}

type quiet struct{}

func (quiet) Interrupt(int, int)                    {}
func (quiet) Pulled(byte, int, int, sched.ThreadID) {}

// CreditSleep is recalc_task_prio for a sleep of so many ns.
func (c *Core) CreditSleep(t *Task, slept int64) { t.Prio = c.credit(t, t.Stamp+slept) }

// RunCharge is the sleep_avg that a run of so many ns leaves.
func (c *Core) RunCharge(t *Task, run int64) int64 { return max(t.SleepAvg-c.ran(t, run), 0) }

// Starving is expired_starving for CPU 0 that runs a task.
func (c *Core) Starving(id sched.ThreadID, best int32, expiredAt, jiffies int64, running int) bool {
	q := &c.rq[0]
	q.cur, q.bestExpired, q.expiredAt = id, best, expiredAt
	c.Jiffies, c.CPUs[0].NR = jiffies, running
	return c.starving(0)
}

// Occupy makes a task the current one of its CPU.
func (c *Core) Occupy(id sched.ThreadID) {
	t := c.At(id)
	c.enqueue(id, c.rq[t.CPU].active)
	c.count(t, 1)
	c.rq[t.CPU].cur = id
}
