package linuxcfs

import (
	"strandscope/sim/policy/linux26"
	"strandscope/sim/sched"
)

// Rule is how this kernel weighs.
var Rule = linux26.Rule{Scale: scale, Fuzz: scale, Small: true}

// BalanceDue reports whether the tick of a CPU raises the balancing interrupt.
func (c *Core) BalanceDue(cpu int) bool { return !c.UP && c.Jiffies >= c.CPUs[cpu].Next }

// Balance is that interrupt (rebalance_domains).
func (c *Core) Balance(cpu int) {
	d := &c.CPUs[cpu]
	kind := linux26.Busy
	if c.rq[cpu].idleNow {
		kind = linux26.Idle
	}
	interval, due := d.Due(c.Jiffies, c.HZ, kind == linux26.Busy)
	if due {
		c.balance(cpu, kind)
		d.Last = c.Jiffies
	}
	d.Next = min(c.Jiffies+60*c.HZ, d.Last+interval)
}

// balance takes tasks from the busiest CPU (load_balance, load_balance_newidle).
// Where all of its tasks seem tied to it, the search is made again without it.
func (c *Core) balance(cpu, kind int) (moved bool) {
	d := &c.CPUs[cpu]
	d.Calls[kind]++
	for i := range c.out {
		c.out[i] = false
	}
	pinned := false
	for {
		from, imbalance := Rule.Busiest(c.CPUs, cpu, kind, c.out)
		if from < 0 {
			if kind == linux26.NewlyIdle {
				d.InBalanceNewlyIdle()
			} else {
				d.InBalance(kind, pinned)
			}
			return false
		}
		d.Imbalance[kind] += imbalance
		moved, pinned = c.move(cpu, from, kind, imbalance)
		if !pinned {
			break
		}
		c.out[from] = true
	}
	if kind == linux26.NewlyIdle {
		d.FoundNewlyIdle(moved)
	} else {
		d.Found(kind, moved)
	}
	return moved
}

// idleBalance pulls tasks to a CPU that is about to idle (idle_balance). Its
// current task is still the one that leaves.
func (c *Core) idleBalance(cpu int) {
	d := &c.CPUs[cpu]
	moved := c.balance(cpu, linux26.NewlyIdle)
	if next := min(c.Jiffies+c.HZ, d.SoonIdle(c.HZ)); moved || c.Jiffies > d.Next {
		d.Next = next
	}
}

// mover takes tasks from a busy CPU (move_tasks, balance_tasks).
type mover struct {
	c         *Core
	cpu, from int
	kind      int
	rest      int64 // load still to be moved
	left      int   // tasks that may still be looked at
	best      int32 // best priority of the CPU that takes
	pinned    bool
	gained    int64
}

// move takes real-time tasks first, best list first and each from its tail, then
// fair ones from the left. pinned is what the last class looked at has found: each
// task was too heavy, or there was none.
func (c *Core) move(cpu, from, kind int, imbalance uint64) (moved, pinned bool) {
	m := mover{c: c, cpu: cpu, from: from, kind: kind, rest: int64(imbalance), best: c.current(cpu).Prio}
	m.realtime()
	if m.rest > 0 {
		m.fair()
	}
	c.CPUs[cpu].Gained[kind] += m.gained
	return int64(imbalance) != m.rest, m.pinned
}

// class begins a class; false: there is nothing to move.
func (m *mover) class() bool {
	m.left, m.pinned = m.c.NrMigrate+1, m.rest > 0
	return m.rest > 0
}

func (m *mover) realtime() {
	if !m.class() {
		return
	}
	q := &m.c.rq[m.from]
	for p := q.firstRT(0); p < rtPrios; p = q.firstRT(p + 1) {
		for id := q.rt[p].tail; id != none; {
			prev := m.c.tasks[id].prev
			if _, more := m.consider(id); !more {
				return
			}
			id = prev
		}
	}
}

func (m *mover) fair() {
	if !m.class() {
		return
	}
	q := &m.c.rq[m.from]
	for i := 0; i < len(q.tree); {
		took, more := m.consider(q.tree[i])
		if !more {
			return
		}
		if !took {
			i++
		}
	}
}

// consider looks at one task; more is false when the walk is over.
func (m *mover) consider(id sched.ThreadID) (took, more bool) {
	if m.left == 0 {
		return false, false
	}
	m.left--
	t := &m.c.tasks[id]
	heavy := int64(t.Weight>>1) > m.rest+scale
	if heavy && t.Prio >= m.best || !m.mayMove(id, t) {
		return false, true
	}
	m.c.pull(id, m.cpu, m.kind)
	m.gained++
	if m.rest -= int64(t.Weight); m.rest <= 0 {
		return true, false
	}
	m.best = min(m.best, t.Prio)
	return true, true
}

// mayMove is can_migrate_task: the task is not tied to its CPU, does not run, and
// is not hot in its cache, unless balancing failed too often.
func (m *mover) mayMove(id sched.ThreadID, t *Task) bool {
	if t.Bound >= 0 && int(t.Bound) != m.cpu {
		return false
	}
	m.pinned = false
	if m.c.rq[m.from].cur == id {
		return false
	}
	return !m.c.hot(t) || m.c.CPUs[m.cpu].Failed > linux26.CacheNiceTries
}

// pull moves a waiting task to a CPU (pull_task).
func (c *Core) pull(id sched.ThreadID, cpu, kind int) {
	t := &c.tasks[id]
	c.Env.Pulled("LLN"[kind], int(t.CPU), cpu, id)
	c.deactivate(id)
	c.setCPU(t, cpu)
	c.activate(id, false)
	c.preempts(t, cpu)
}
