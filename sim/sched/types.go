package sched

import "strandscope/sim/clock"

// ThreadID is dense: the first thread created is 0.
type ThreadID int32

// None is no thread, as the thread of an idle CPU.
const None ThreadID = -1

// NoCPU is no CPU, as the binding of an unbound thread.
const NoCPU = -1

// GroupID names a project or a control group.
type GroupID int32

// State is what a thread is doing.
type State uint8

// The states of a thread.
const (
	Embryo   State = iota // created, not started
	Waiting               // runnable, not on a CPU
	Running               // on a CPU
	Sleeping              // blocked
	Gone                  // exited
)

func (s State) String() string {
	return [...]string{"new", "waiting", "running", "sleeping", "exited"}[s]
}

// Thread is a schedulable entity. Only the engine writes its fields.
type Thread struct {
	ID     ThreadID
	Parent ThreadID // None unless forked
	PID    int32    // the process id shown to people
	Name   string
	Kernel bool // a kernel thread: it has no user mode and is never charged
	State  State
	CPU    int // the CPU it runs on, or ran on last
	Bound  int // the only CPU it may use, or NoCPU
	Set    int // its processor set; 0 is the default set
	Group  GroupID
	// LeftCPU is when it last left a CPU; negative if it never ran.
	LeftCPU clock.Time
}

// May reports whether t is allowed on c: its binding and its processor set.
func (t *Thread) May(c *CPU) bool {
	if t.Bound != NoCPU {
		return t.Bound == c.ID
	}
	return t.Set == c.Set && c.Online
}

// CPU is one strand as a policy sees it. Only the engine writes its fields.
type CPU struct {
	ID     int
	Core   int
	Thread *Thread // nil when idle
	Set    int     // processor set; 0 is the default set
	Online bool
	// Kicked is set from Kick until c has picked again.
	Kicked bool
}

// Idle reports whether c runs nothing.
func (c *CPU) Idle() bool { return c.Thread == nil }

// Free reports whether c is idle and not yet kicked: choosing an idle CPU for
// a thread means choosing a free one.
func (c *CPU) Free() bool { return c.Thread == nil && !c.Kicked }

// Reason is why a policy decided as it did: a code and two figures. The policy
// that made it owns the sentence (Policy.Explain).
type Reason struct {
	Code uint16
	A, B int32
}

// Params is what a scenario, a command or a file says about how a thread is
// to be scheduled. Zero values mean the policy's default.
type Params struct {
	Class    string // TS, FSS, …; empty: the default class
	Nice     int    // −20…19
	Priority int    // the class's user priority: upri, fxpri, rtpri
	Limit    int    // the highest user priority allowed
	Boost    int    // interactive boost, −10, 0 or +10
	Quantum  int    // ticks; 0: the class's own, −2: infinite
	// Keep says that Priority and Limit are set as they are and do not
	// follow from Nice.
	Keep bool
	// Start is a class's starting level where that is not its default; nil
	// leaves the default.
	Start *int
	// Slice is how long a task's requests are, in ns, where the kernel lets it say so
	// (sched_setattr of Linux 6.12 and later); 0: the kernel's own.
	Slice clock.Duration
	// Owed is how far a task is behind its fair share when it first becomes runnable, in ns
	// of virtual time, where the kernel counts so (Linux 6); 0: as the kernel places a new
	// one. Workloads derived from recordings have it.
	Owed int64
	// What textbook policies want: tickets of a lottery or of strides; the period
	// and relative deadline of a periodic task; the working set in units of the
	// cache's size; the CPUs allowed, none: all.
	Tickets          int
	Period, Deadline clock.Duration
	WorkingSet       int
	CPUs             []int
}

// Table holds a policy's private data, one T per thread id.
type Table[T any] struct{ rows []T }

// At returns the row of a thread, growing the table if need be. The pointer is
// valid until the next call with a larger id.
func (t *Table[T]) At(id ThreadID) *T {
	if int(id) >= len(t.rows) {
		t.grow(int(id) + 1)
	}
	return &t.rows[id]
}

// grow is apart from At, and not inlined, so that it is not there at each use.
//
//go:noinline
func (t *Table[T]) grow(n int) {
	for len(t.rows) < n {
		var zero T
		t.rows = append(t.rows, zero)
	}
}
