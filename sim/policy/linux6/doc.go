// Package linux6 is the scheduler of Linux 6.1, 6.12 and 6.18: per CPU a chain of two
// classes, real time before fair, and between CPUs the choice of one at wake-up and
// fork, and balancing. The fair class is sim/policy/linuxcfs6 (6.1) or
// sim/policy/linuxeevdf (6.12, 6.18): the same queues that replay the recorded data.
//
// Source of rules and numbers: shared/reference/linux6/FACTS.md, from reading and
// running kernel/sched/{core,fair,pelt,features}.c and .h of 6.1.176, 6.12.95 and
// 6.18.15. No text or code of them is here. Its sections 2 to 8, on one CPU, were
// checked by running that code, and so is this model.
//
// It imports sim/clock, sim/sched and the three packages named.
//
// # Where it differs
//
// Several CPUs: FACTS §11 states rules that were read and not run, and so are these: one
// cache domain of all CPUs, no SMT, loads by the geometric series of pelt.c. Searching
// an idle CPU costs nothing, so that newly idle balancing is never left out for its
// cost; an idle CPU balances at its own tick and is not told to by others; delayed tasks
// are never moved; wake-ups are never synchronous. Compare shares and latencies of
// several CPUs statistically.
//
// Real time: SCHED_FIFO and SCHED_RR by priority, RR with slices of 100 ms; on several
// CPUs a task that cannot run is pushed to the CPU with the least urgent one, and a CPU
// with nothing as urgent pulls. These rules are the kernel's, but nothing recorded
// checks them. Real-time throttling (6.1), the deadline server (6.12, 6.18) and
// SCHED_DEADLINE are not modelled: a FIFO hog keeps its CPU.
//
// SCHED_IDLE and SCHED_BATCH have their weight and their part in wake-up preemption,
// without recorded data either. No groups, no autogroups, no bandwidth limits, no core
// scheduling. Scheduling takes no time; timers have no slack (real ones of ordinary
// tasks are up to 50 µs late).
package linux6
