// Package solaris is the scheduler of Solaris 10: one dispatcher (disp.go,
// cmt.go, queue.go) with per-CPU dispatch queues, placement, balance between
// cores, stealing and halting, and the scheduling classes that share its scale
// of global priorities: TS and IA (ts.go), FSS (fss.go, shares.go), FX, RT, SYS.
//
// What it does well: each strand picks from its own queue, so decisions stay
// cheap on 32 strands; whoever has nothing steals at once, so hogs that fill their
// processor set leave no strand idle in it. Where it is bad: fairness is per
// queue, so FSS shares are only approximate on many CPUs; a processor set is a
// wall; and work is conserved only within IdleBeside.
//
// Source of rules and numbers: shared/reference/solaris/FACTS.md, written from
// reading OpenSolaris sources of October 2006 and March 2008 and from running
// that code. No text or code of those sources is here. The recorded data that
// come with it are replayed row by row by package sim/golden/solaris.
//
// It imports sim/clock, sim/machine and sim/sched only.
//
// Where it differs from the kernel: no locality groups beyond one, no CPU caps,
// no preemption-control requests (schedctl), no priority inheritance. Threads
// enter the kernel only to sleep, fork and exit, so a kernel-priority request
// occurs in replayed operations only. The two interrupt costs of Options are
// models. In one clock interrupt the thread of the once-a-second updates is
// woken before sleepers that are due: recorded data (rt3_2cpu) have it so.
package solaris

import "strandscope/sim/clock"

// IdleBeside is how long, at most, a strand idles beside a thread that waits and
// may run there. Two threads woken in one interrupt may both be sent to one idle
// strand, since a thread stays with the CPU that it left a moment ago (FACTS
// §7.2) and the balance between cores does not ask what is on its way (§8.3); a
// thread preempted at its own CPU is not to be stolen and wakes no halted strand
// (§7.3, §8.2). What waits is queued anew by the next quantum's end or update;
// the longest quantum is RT's second. There is no bound behind a thread that is
// bound to its CPU or whose quantum is infinite.
const IdleBeside = 1100 * clock.Millisecond
