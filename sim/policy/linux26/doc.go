// Package linux26 is what the schedulers of Linux 2.6.22 and 2.6.24 share: how either
// is driven by the engine (Driver), and their rules about several CPUs: how a CPU's
// load is smoothed, which CPU is the busiest and how much to take from it, when to
// look, and whether a wake-up draws a task to the CPU that wakes it. Both kernels have
// these rules in kernel/sched.c, with another scale.
//
// Source of rules and numbers: shared/reference/linux26/FACTS-O1.md §10 and §12,
// FACTS-CFS.md §9, written from reading kernel/sched.c and include/linux/topology.h
// (SD_CPU_INIT) and from running them. One domain over all CPUs, one group for each.
//
// Loads are unsigned 64-bit numbers that wrap, as the kernels' unsigned long does.
// It imports sim/clock and sim/sched only.
//
// Where it differs from the kernels: their clock is the engine's, in ns, as the time
// stamp counter of an x86 gives it; the recorded data have whole ticks. A thread that
// a scenario or a prompt starts is forked and begins its program at once, on the CPU
// that sched_exec chooses; one that a program forks begins beside its parent. Wake-ups
// by other threads are not synchronous. No sleep is uninterruptible. HZ is 1000.
package linux26

// Kinds of CPU that balance; the order is that of the recorded arrays.
const (
	Idle = iota
	Busy
	NewlyIdle
)

// Numbers of SD_CPU_INIT.
const (
	minInterval  = 1 // ms
	maxInterval  = 4
	maxPinned    = 512 // ms; while all tasks were found pinned
	busyFactor   = 64
	imbalancePct = 125
	// CacheNiceTries is how many balancings in a row must fail before tasks that
	// are hot in a cache are taken too.
	CacheNiceTries = 1
)

// loadIndex is which of a CPU's smoothed loads each kind of balancing compares.
var loadIndex = [...]int{Idle: 1, Busy: 2, NewlyIdle: 2}
