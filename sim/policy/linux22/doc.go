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
