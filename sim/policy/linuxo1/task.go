package linuxo1

import (
	"math/bits"

	"strandscope/sim/policy/linux26"
	"strandscope/sim/sched"
)

// Numbers of the kernel (FACTS-O1 §1); ns and ticks are given where they are used.
const (
	second    = 1_000_000_000 // ns; also NS_MAX_SLEEP_AVG
	scale     = 128           // load weight of nice 0
	maxBonus  = 10
	delta     = 2   // INTERACTIVE_DELTA
	waitPart  = 38  // of 128: ON_RUNQUEUE_WEIGHT of 30 %
	childPart = 95  // %
	firstPrio = 100 // of normal tasks
	prios     = 140 // and the idle task's
	nicePrio  = 120
)

// Policies.
const (
	Normal = linux26.Normal
	FIFO   = linux26.FIFO
	RR     = linux26.RR
)

// Sleep types.
const (
	sleepNormal = iota
	sleepNoninteractive
	sleepInteractive
	sleepInterrupted
)

// What a task that leaves the CPU becomes.
const (
	Runnable = iota
	Interruptible
	Uninterruptible
	Dead
)

const none = sched.None

// Task is what the scheduler keeps of a task.
type Task struct {
	Static, Prio int32 // 100…139; Prio also below
	Slice        int32 // ticks left
	Weight       int32
	RTPrio       int32
	CPU          int32
	Policy       uint8
	Sleep        uint8
	State        uint8
	FirstSlice   bool
	Need         bool // need_resched
	Array        int8 // which of its CPU's two arrays, −1: none
	Kernel       bool // without an address space
	Bound        int32
	SleepAvg     int64 // ns
	Stamp        int64 // ns, last switch, wake-up
	LastRan      int64 // ns
	Ticks        int64 // charged so far
	Parent       sched.ThreadID
	next, prev   sched.ThreadID
}

func (t *Task) realtime() bool { return t.Prio < firstPrio }

type list struct{ head, tail sched.ThreadID }

// array is one of a CPU's two sets of queues, one for each priority.
type array struct {
	n    int
	bits [3]uint64
	q    [prios]list
}

// first is the best priority at or behind from that has tasks; prios if none has.
func (a *array) first(from int) int {
	for w := from / 64; w < len(a.bits); w++ {
		b := a.bits[w]
		if w == from/64 {
			b &= ^uint64(0) << (from % 64)
		}
		if b != 0 {
			return w*64 + bits.TrailingZeros64(b)
		}
	}
	return prios
}

// rq is a CPU's run queue.
type rq struct {
	cur         sched.ThreadID // none: the idle task
	idle        Task
	arr         [2]array
	active      int8
	expiredAt   int64 // jiffy of the first expiry since the swap; 0: none
	bestExpired int32 // best static priority that has expired; prios: none
	recent      int64 // most_recent_timestamp, ns
	idleAtTick  bool
}

// Core is the scheduler without a machine: its owner sets the time and calls it.
type Core struct {
	HZ      int64
	Now     int64 // ns: sched_clock
	Jiffies int64
	UP      bool
	Hot     int64 // ns in which a task counts as hot in its cache
	Env     linux26.Env
	Swaps   int64
	CPUs    []linux26.CPU
	Spread  int // TIMESLICE_GRANULARITY's factor: CPUs on-line

	tick  int64 // ns
	tasks []Task
	rq    []rq
	out   []bool // scratch of balancing
}

// NewCore makes the scheduler of n CPUs that all idle.
func NewCore(n int, hz int64, up bool, hot, jiffy int64, env linux26.Env) *Core {
	c := &Core{HZ: hz, UP: up, Hot: hot, Env: env, Jiffies: jiffy, tick: second / hz, Spread: n}
	c.Now = jiffy * c.tick
	c.CPUs, c.rq, c.out = make([]linux26.CPU, n), make([]rq, n), make([]bool, n)
	for i := range c.rq {
		q := &c.rq[i]
		q.cur, q.bestExpired = none, prios
		q.idle = Task{Prio: prios, Static: nicePrio, Array: -1, CPU: int32(i), Weight: 0}
		for a := range q.arr {
			for p := range q.arr[a].q {
				q.arr[a].q[p] = list{none, none}
			}
		}
		c.CPUs[i].Start(jiffy)
	}
	return c
}

// At is what the scheduler keeps of a task, which is made if there is none. The
// pointer is valid until the next call with a greater id.
func (c *Core) At(id sched.ThreadID) *Task {
	for int(id) >= len(c.tasks) {
		c.tasks = append(c.tasks, Task{Array: -1, next: none, prev: none, Parent: none, Bound: -1})
	}
	return &c.tasks[id]
}

// Cur is the task that a CPU runs, none for its idle task.
func (c *Core) Cur(cpu int) sched.ThreadID { return c.rq[cpu].cur }

// current is the same as a Task.
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

// --- queues ---

func (c *Core) enqueue(id sched.ThreadID, a int8) {
	t := &c.tasks[id]
	arr := &c.rq[t.CPU].arr[a]
	l := &arr.q[t.Prio]
	t.Array, t.next, t.prev = a, none, l.tail
	if l.tail != none {
		c.tasks[l.tail].next = id
	} else {
		l.head = id
		arr.bits[t.Prio/64] |= 1 << (t.Prio % 64)
	}
	l.tail = id
	arr.n++
}

// before puts a child directly before its parent, in the parent's list.
func (c *Core) before(id, parent sched.ThreadID) {
	t, p := &c.tasks[id], &c.tasks[parent]
	t.Prio, t.Array, t.next, t.prev = p.Prio, p.Array, parent, p.prev
	arr := &c.rq[p.CPU].arr[p.Array]
	if p.prev != none {
		c.tasks[p.prev].next = id
	} else {
		arr.q[p.Prio].head = id
	}
	p.prev = id
	arr.n++
}

func (c *Core) dequeue(id sched.ThreadID) {
	t := &c.tasks[id]
	arr := &c.rq[t.CPU].arr[t.Array]
	l := &arr.q[t.Prio]
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
		arr.bits[t.Prio/64] &^= 1 << (t.Prio % 64)
	}
	arr.n--
	t.Array = -1
}

// requeue puts a task to the tail of its list.
func (c *Core) requeue(id sched.ThreadID) {
	a := c.tasks[id].Array
	c.dequeue(id)
	c.enqueue(id, a)
}

// count adds a task to its CPU's numbers, or takes it away.
func (c *Core) count(t *Task, by int) {
	s := &c.CPUs[t.CPU]
	s.NR += by
	s.Raw += uint64(int64(by) * int64(t.Weight))
}

// Queue visits the tasks of an array of a CPU in the order of its queues.
func (c *Core) Queue(cpu int, expired bool, visit func(prio int32, id sched.ThreadID)) {
	q := &c.rq[cpu]
	a := q.active
	if expired {
		a = 1 - a
	}
	arr := &q.arr[a]
	for p := arr.first(0); p < prios; p = arr.first(p + 1) {
		for id := arr.q[p].head; id != none; id = c.tasks[id].next {
			visit(int32(p), id)
		}
	}
}

// Expired reports whether a task is in its CPU's expired array.
func (c *Core) Expired(id sched.ThreadID) bool { return c.expired(&c.tasks[id]) }

func (c *Core) expired(t *Task) bool { return t.Array >= 0 && t.Array != c.rq[t.CPU].active }

// Counts are how many tasks a CPU's two arrays hold.
func (c *Core) Counts(cpu int) (active, expired int) {
	q := &c.rq[cpu]
	return q.arr[q.active].n, q.arr[1-q.active].n
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
