// Package linuxo1 is the O(1) scheduler of Linux 2.6.22: each CPU has two arrays of
// lists, one list for each of 140 priorities. A task runs out its slice, goes from
// the active array to the expired one, and when active is empty the two change
// places. Priority moves by up to five with how much a task sleeps.
//
// What it does well: a decision takes the same time whatever runs, and a task that
// sleeps is told from a hog and goes before it. Where it is bad: that guess can be
// wrong. Tasks that count as interactive return to the active array and may starve
// the rest for seconds; and whoever forks or yields pays with a whole round (FACTS-O1
// §7, §11, §13).
//
// Core is the scheduler without a machine. Two things drive it: Policy for the
// engine, and the replay of recorded data in sim/golden/linux26, row by row.
//
// Source of rules and numbers: shared/reference/linux26/FACTS-O1.md, written from
// reading kernel/sched.c of 2.6.22.6 and from running it. No text or code of it is
// here. How CPUs share work is in package linux26.
//
// Where it differs from the kernel: signals, SCHED_BATCH, SMT and NUMA levels, kernel
// preemption, and active balancing by the migration thread, which no recorded load
// reached.
package linuxo1
