// Package linuxcfs is the scheduler of Linux 2.6.24, the first generation of CFS
// ("completely fair"): each CPU keeps its waiting tasks in order of a virtual time,
// which passes faster the lower a task's weight is, and runs the one that is furthest
// behind.
//
// What it does well: shares follow nice values closely, and a sleeper that comes back
// is behind everybody, so it runs at once. Where it is bad: a wake-up is held against
// the running task's weight, so that beside hogs of nice 19 it waits for the end of a
// turn; a balance of one surplus task never comes to rest, and very heavy tasks are
// never moved at all (FACTS-CFS §9, §11).
//
// Core is the scheduler without a machine. Two things drive it: Policy for the
// engine, and the replay of recorded data in sim/golden/linux26, row by row.
//
// Source of rules and numbers: shared/reference/linux26/FACTS-CFS.md, written from
// reading kernel/sched.c, kernel/sched_fair.c and kernel/sched_rt.c of 2.6.24 and
// from running them. No text or code of them is here. How CPUs share work is in
// package linux26.
//
// Where it differs from the kernel: signals, groups of tasks, SCHED_BATCH and
// SCHED_IDLE, SMT and NUMA levels, kernel preemption, and active balancing by the
// migration thread, which no recorded load reached. The tree is a sorted slice.
package linuxcfs
