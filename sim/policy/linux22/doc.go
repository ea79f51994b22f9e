// Package linux22 is the scheduler of Linux 2.2.8-pre5, and that of 2.2.7 as a
// variant of the same code: one run queue for all CPUs, searched whole at every
// decision for the task with the greatest goodness.
//
// What it does well: it is simple, and a task that slept keeps a large counter,
// so that a shell or a ping beats hundreds of hogs. Where it is bad: each
// decision costs a walk over everything runnable, and the wake-up's choice of a
// CPU can disagree with that CPU's own choice (FACTS §6), so that a sleeper that
// used ticks may wait for seconds.
//
// Source of rules and numbers: shared/reference/linux22/FACTS.md, written from
// reading kernel/sched.c, arch/i386/kernel/smp.c, kernel/fork.c, kernel/sys.c
// and fs/proc/array.c of 2.2.8-pre5 and 2.2.7 and from running those files. No
// text or code of them is here. The recorded data that come with it are replayed
// row by row by package sim/golden/linux22.
//
// It imports sim/clock and sim/sched only.
//
// Where it differs from the kernel: signals, the big kernel lock (except in
// RescheduleIdle, which replays recorded cases), zombies, and timers of 256
// ticks and more, which the kernel re-files in another order.
package linux22

import "strandscope/sim/clock"

// IdleBeside is how long, at most, a CPU of 2.2.8 idles beside a task that waits,
// as long as no real-time task runs. An idle CPU looks for work only when it is
// told to, and two wakes in a row may both choose the same idle CPU, since the
// first has not yet filled it; it takes one of the two. The other waits until some
// CPU decides anew: at the end of the longest slice, 80 ticks, or of a second one,
// if a recalculation lets the same task go on.
//
// Under 2.2.7 there is no bound: a task with three ticks more than the current
// one is sent to the CPU that does the waking, however many others idle, and
// whom it displaces is offered to nobody. Nor is there one behind real-time tasks,
// which never use up their right to the CPU.
const IdleBeside = 2 * 80 * clock.Second / HZ
