package linuxcfs

import (
	"math/bits"

	"strandscope/sim/policy/linux26"
	"strandscope/sim/sched"
)

// Policies.
const (
	Normal = linux26.Normal
	FIFO   = linux26.FIFO
	RR     = linux26.RR
)

// What a task that leaves the CPU becomes.
const (
	Runnable = iota
	Interruptible
	Uninterruptible
	Dead
)

const (
	second    = 1_000_000_000 // ns
	scale     = 1024          // weight of nice 0
	rtPrios   = 100
	idlePrio  = 140
	nicePrio  = 120
	rtWeight  = 2 * 88761
	rtInverse = 24194
	none      = sched.None
)

// weights by nice from −20 on; each is about 1.25 times the next.
var weights = [40]uint64{
	88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916,
	9548, 7620, 6100, 4904, 3906, 3121, 2501, 1991, 1586, 1277,
	1024, 820, 655, 526, 423, 335, 272, 215, 172, 137,
	110, 87, 70, 56, 45, 36, 29, 23, 18, 15,
}

// Task is what the scheduler keeps of a task. Times are in ns.
type Task struct {
	Vruntime, SumExec, PrevSum, ExecStart int64
	Weight, Inverse                       uint64
	Static, Prio                          int32
	RTPrio                                int32
	Slice                                 int32 // ticks left; of round-robin tasks
	CPU                                   int32
	Bound                                 int32
	Policy                                uint8
	State                                 uint8
	OnRQ                                  bool
	Need                                  bool // need_resched
	Parent                                sched.ThreadID
	Ticks                                 int64  // charged so far
	seq                                   uint64 // when it was put into the tree
	next, prev                            sched.ThreadID
}

func (t *Task) realtime() bool { return t.Prio < rtPrios }

type list struct{ head, tail sched.ThreadID }

// rq is a CPU's run queue.
type rq struct {
	cur     sched.ThreadID // none: the idle task
	idle    Task
	fair    sched.ThreadID   // the fair class's current task; none: not a fair one
	tree    []sched.ThreadID // waiting fair tasks in order of vruntime, then of insertion
	minV    int64
	load    uint64 // of fair tasks, the running one included
	nr      int    // … and how many
	rt      [rtPrios]list
	rtBits  [2]uint64
	clock   int64
	raw     int64 // sched_clock at the last update
	tickAt  int64 // clock at the last tick
	idleNow bool  // idle at its last tick
}

// Tunables are the kernel's, after they were scaled by the number of CPUs. ns.
type Tunables struct {
	Latency, WakeGran, Migration int64
	NrLatency                    int64
	NrMigrate                    int
}

// Factor is by how much a machine of so many CPUs stretches time: 1 + log2.
func Factor(cpus int) int64 { return int64(bits.Len(uint(cpus))) }

// Scaled are the tunables of a machine (sched_init_granularity).
func Scaled(cpus int) Tunables {
	f := Factor(cpus)
	return Tunables{Latency: min(20*f, 200) * 1e6, WakeGran: 10 * f * 1e6, Migration: 500_000, NrLatency: 5, NrMigrate: 32}
}

// MinGranularity is sched_min_granularity, in ns. Nothing but its ratio to the
// latency is used, which is NrLatency.
func MinGranularity(cpus int) int64 { return min(4*Factor(cpus), 200) * 1e6 }

// Core is the scheduler without a machine: its owner sets the time and calls it.
type Core struct {
	Tunables
	HZ      int64
	Now     int64 // ns: sched_clock
	Jiffies int64
	UP      bool
	Env     linux26.Env
	CPUs    []linux26.CPU

	tick  int64 // ns
	tasks []Task
	rq    []rq
	out   []bool // scratch of balancing
	seq   uint64
}

// firstMin is min_vruntime at boot.
const firstMin = -1 << 20

// NewCore makes the scheduler of n CPUs that all idle.
func NewCore(n int, hz int64, up bool, tun Tunables, jiffy int64, env linux26.Env) *Core {
	c := &Core{Tunables: tun, HZ: hz, UP: up, Env: env, Jiffies: jiffy, tick: second / hz}
	c.Now = jiffy * c.tick
	c.CPUs, c.rq, c.out = make([]linux26.CPU, n), make([]rq, n), make([]bool, n)
	for i := range c.rq {
		q := &c.rq[i]
		q.cur, q.fair, q.minV = none, none, firstMin
		q.clock, q.raw, q.tickAt = 1+c.Now, c.Now, c.Now
		q.idle = Task{Prio: idlePrio, Static: nicePrio, CPU: int32(i)}
		for p := range q.rt {
			q.rt[p] = list{none, none}
		}
		c.CPUs[i].Start(jiffy)
	}
	return c
}

// At is what the scheduler keeps of a task, which is made if there is none. The
// pointer is valid until the next call with a greater id.
func (c *Core) At(id sched.ThreadID) *Task {
	for int(id) >= len(c.tasks) {
		c.tasks = append(c.tasks, Task{next: none, prev: none, Parent: none, Bound: -1})
	}
	return &c.tasks[id]
}

// Cur is the task that a CPU runs, none for its idle task.
func (c *Core) Cur(cpu int) sched.ThreadID { return c.rq[cpu].cur }

func (c *Core) current(cpu int) *Task {
	q := &c.rq[cpu]
	if q.cur == none {
		return &q.idle
	}
	return &c.tasks[q.cur]
}

// NeedResched reports whether a CPU's current task is to call schedule.
func (c *Core) NeedResched(cpu int) bool { return c.current(cpu).Need }

func (c *Core) resched(cpu, from int) {
	if t := c.current(cpu); !t.Need {
		t.Need = true
		c.Env.Interrupt(cpu, from)
	}
}

// weigh sets the load weight (set_load_weight).
func (t *Task) weigh() {
	if t.Policy != Normal {
		t.Weight, t.Inverse = rtWeight, rtInverse
		return
	}
	t.Weight = weights[t.Static-100]
	t.Inverse = 1 << 32 / t.Weight
	if t.Weight > 60 { // the kernel's table is rounded up to nice 12 and cut from there on
		t.Inverse = (1<<32 + t.Weight/2) / t.Weight
	}
}

func (t *Task) effective() int32 {
	if t.Policy != Normal {
		return rtPrios - 1 - t.RTPrio
	}
	return t.Static
}

// --- the tree of waiting fair tasks ---

// place is where a task of a vruntime and sequence stands, or would.
func (c *Core) place(q *rq, v int64, seq uint64) int {
	lo, hi := 0, len(q.tree)
	for lo < hi {
		mid := (lo + hi) / 2
		t := &c.tasks[q.tree[mid]]
		if d := t.Vruntime - v; d < 0 || d == 0 && t.seq < seq {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

func (c *Core) insert(q *rq, id sched.ThreadID) {
	t := &c.tasks[id]
	c.seq++
	t.seq = c.seq
	i := c.place(q, t.Vruntime, t.seq)
	q.tree = append(q.tree, none)
	copy(q.tree[i+1:], q.tree[i:])
	q.tree[i] = id
}

func (c *Core) remove(q *rq, id sched.ThreadID) {
	t := &c.tasks[id]
	i := c.place(q, t.Vruntime, t.seq)
	q.tree = append(q.tree[:i], q.tree[i+1:]...)
}

// --- the lists of real-time tasks ---

func (q *rq) firstRT(from int) int {
	for w := from / 64; w < len(q.rtBits); w++ {
		b := q.rtBits[w]
		if w == from/64 {
			b &= ^uint64(0) << (from % 64)
		}
		if b != 0 {
			return w*64 + bits.TrailingZeros64(b)
		}
	}
	return rtPrios
}

func (c *Core) append(q *rq, id sched.ThreadID) {
	t := &c.tasks[id]
	l := &q.rt[t.Prio]
	t.next, t.prev = none, l.tail
	if l.tail != none {
		c.tasks[l.tail].next = id
	} else {
		l.head = id
		q.rtBits[t.Prio/64] |= 1 << (t.Prio % 64)
	}
	l.tail = id
}

func (c *Core) unlink(q *rq, id sched.ThreadID) {
	t := &c.tasks[id]
	l := &q.rt[t.Prio]
	if t.prev != none {
		c.tasks[t.prev].next = t.next
	} else {
		l.head = t.next
	}
	if t.next != none {
		c.tasks[t.next].prev = t.prev
	} else {
		l.tail = t.prev
	}
	if l.head == none {
		q.rtBits[t.Prio/64] &^= 1 << (t.Prio % 64)
	}
}

// Tree lists a CPU's waiting fair tasks from the left.
func (c *Core) Tree(cpu int) []sched.ThreadID { return c.rq[cpu].tree }

// Realtime visits a CPU's real-time tasks in the order of their lists.
func (c *Core) Realtime(cpu int, visit func(prio int32, id sched.ThreadID)) {
	q := &c.rq[cpu]
	for p := q.firstRT(0); p < rtPrios; p = q.firstRT(p + 1) {
		for id := q.rt[p].head; id != none; id = c.tasks[id].next {
			visit(int32(p), id)
		}
	}
}

// Fair are a CPU's figures of the fair class.
func (c *Core) Fair(cpu int) (nr int, load uint64, minVruntime, clock int64) {
	q := &c.rq[cpu]
	return q.nr, q.load, q.minV, q.clock
}

// Active is the number that the load average samples: tasks that are runnable or in
// an uninterruptible sleep.
func (c *Core) Active() int64 {
	n := int64(0)
	for i := range c.CPUs {
		n += int64(c.CPUs[i].NR) + c.CPUs[i].Uninterruptible
	}
	return max(n, 0)
}
