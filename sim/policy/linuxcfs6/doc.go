// Package linuxcfs6 is the run queue of Linux 6.1's completely fair scheduler: tasks
// in order of the virtual time they have used, a slice each out of a period, buddies,
// and credit for those who slept.
//
// What it does well: a task that sleeps more than its share preempts at once, however
// many hogs there are. Where it is bad: slices depend on how many tasks there are,
// rounded up to a tick, and nothing says how soon a task wants to be served.
//
// Source of rules and numbers: shared/reference/linux6/FACTS.md, sections 1, 2, 6 and
// 7, from reading and running kernel/sched/fair.c of 6.1.176. No text or code of it is
// here. The recorded data are replayed by sim/golden/linux6; sim/policy/linux6 makes a
// policy of it.
//
// It imports sim/policy/linuxfair only.
//
// Where it differs: no groups, no bandwidth limits, no core scheduling.
package linuxcfs6
