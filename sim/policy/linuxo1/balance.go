package linuxo1

import (
	"strandscope/sim/policy/linux26"
	"strandscope/sim/sched"
)

// Rule is how this kernel weighs.
var Rule = linux26.Rule{Scale: scale}

// BalanceDue reports whether the tick of a CPU raises the balancing interrupt.
func (c *Core) BalanceDue(cpu int) bool { return !c.UP && c.Jiffies >= c.CPUs[cpu].Next }

// Balance is that interrupt (rebalance_domains).
func (c *Core) Balance(cpu int) {
	d := &c.CPUs[cpu]
	kind := linux26.Busy
	if c.rq[cpu].idleAtTick {
		kind = linux26.Idle
	}
	interval, due := d.Due(c.Jiffies, c.HZ, kind == linux26.Busy)
	if due {
		c.balance(cpu, kind)
		d.Last = c.Jiffies
	}
	d.Next = min(c.Jiffies+60*c.HZ, d.Last+interval)
}

// balance takes tasks from the busiest CPU (load_balance). Where all of its tasks
// are tied to it, the search is made again without it.
func (c *Core) balance(cpu, kind int) {
	d := &c.CPUs[cpu]
	d.Calls[kind]++
	c.none()
	pinned := false
	for {
		from, imbalance := Rule.Busiest(c.CPUs, cpu, kind, c.out)
		if from < 0 {
			d.InBalance(kind, pinned)
			return
		}
		d.Imbalance[kind] += imbalance
		var moved int
		moved, pinned = c.move(cpu, from, kind, imbalance)
		if !pinned {
			d.Found(kind, moved > 0)
			return
		}
		c.out[from] = true
	}
}

// idleBalance pulls tasks to a CPU that is about to idle (idle_balance). Its
// current task is still the one that leaves.
func (c *Core) idleBalance(cpu int) {
	d := &c.CPUs[cpu]
	moved := c.newlyIdle(cpu)
	if !moved {
		d.Next = min(c.Jiffies+60*c.HZ, d.SoonIdle(c.HZ))
	}
}

func (c *Core) newlyIdle(cpu int) bool {
	d := &c.CPUs[cpu]
	d.Calls[linux26.NewlyIdle]++
	c.none()
	for {
		from, imbalance := Rule.Busiest(c.CPUs, cpu, linux26.NewlyIdle, c.out)
		if from < 0 {
			d.InBalanceNewlyIdle()
			return false
		}
		d.Imbalance[linux26.NewlyIdle] += imbalance
		if moved, _ := c.move(cpu, from, linux26.NewlyIdle, imbalance); moved > 0 {
			d.FoundNewlyIdle(true)
			return true
		}
		c.out[from] = true
	}
}

// none: no CPU is left out.
func (c *Core) none() {
	for i := range c.out {
		c.out[i] = false
	}
}

// mover is a walk over a busy CPU's tasks (move_tasks).
type mover struct {
	c              *Core
	cpu, from      int
	kind           int
	rest           int64 // load still to be moved
	moved, limit   int
	best, bestFrom int32 // best priorities of the two CPUs
	seen           bool  // the busy CPU's best one was
	pinned         bool
}

// move takes tasks of so much load at most, expired ones first, each array from the
// best priority to the worst, each list from its tail.
func (c *Core) move(cpu, from, kind int, imbalance uint64) (moved int, pinned bool) {
	m := mover{c: c, cpu: cpu, from: from, kind: kind, rest: int64(imbalance), limit: c.CPUs[from].NR - 1}
	if m.limit <= 0 || m.rest == 0 {
		return 0, false
	}
	m.pinned = true
	m.best, m.bestFrom = c.bestPrio(cpu), c.bestPrio(from)
	m.seen = m.bestFrom == c.current(from).Prio
	q := &c.rq[from]
	if m.array(1-q.active, 1-c.rq[cpu].active) {
		m.array(q.active, c.rq[cpu].active)
	}
	c.CPUs[cpu].Gained[kind] += int64(m.moved)
	return m.moved, m.pinned
}

// bestPrio is rq_best_prio.
func (c *Core) bestPrio(cpu int) int32 { return min(c.current(cpu).Prio, c.rq[cpu].bestExpired) }

// array walks one array; false: enough was moved.
func (m *mover) array(src, dst int8) bool {
	arr := &m.c.rq[m.from].arr[src]
	for p := arr.first(0); p < prios; p = arr.first(p + 1) {
		for id := arr.q[p].tail; id != none; {
			prev := m.c.tasks[id].prev
			if m.takes(id, int32(p)) {
				m.c.pull(id, m.cpu, dst, m.kind)
				m.moved++
				m.rest -= int64(m.c.tasks[id].Weight)
				if m.moved >= m.limit || m.rest <= 0 {
					return false
				}
				m.best = min(m.best, int32(p))
			} else {
				m.seen = m.seen || int32(p) == m.bestFrom
			}
			id = prev
		}
	}
	return true
}

// takes decides on one task. One that would be the best of its new CPU may be
// heavier than what is left to move.
func (m *mover) takes(id sched.ThreadID, prio int32) bool {
	t := &m.c.tasks[id]
	heavy := int64(t.Weight) > m.rest
	if heavy && prio < m.best {
		heavy = !m.seen && prio == m.bestFrom
	}
	return !heavy && m.mayMove(id, t)
}

// mayMove is can_migrate_task: the task is not tied to its CPU, does not run, and
// is not hot in its cache, unless balancing failed too often.
func (m *mover) mayMove(id sched.ThreadID, t *Task) bool {
	if t.Bound >= 0 && int(t.Bound) != m.cpu {
		return false
	}
	m.pinned = false
	q := &m.c.rq[m.from]
	if q.cur == id {
		return false
	}
	return m.c.CPUs[m.cpu].Failed > linux26.CacheNiceTries || q.recent-t.LastRan >= m.c.Hot
}

// pull moves a waiting task to a CPU (pull_task).
func (c *Core) pull(id sched.ThreadID, cpu int, to int8, kind int) {
	t := &c.tasks[id]
	from := int(t.CPU)
	c.dequeue(id)
	c.count(t, -1)
	t.CPU = int32(cpu)
	c.count(t, 1)
	c.enqueue(id, to)
	t.Stamp += c.rq[cpu].recent - c.rq[from].recent
	c.Env.Pulled("LLN"[kind], from, cpu, id)
	c.preempts(t, cpu)
}
