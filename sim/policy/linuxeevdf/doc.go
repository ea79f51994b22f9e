// Package linuxeevdf is the fair run queue of Linux 6.12 and 6.18: earliest eligible
// virtual deadline first. A task is eligible while it has had no more than its share;
// of those the one whose request ends first runs. A task that sleeps while it is not
// eligible stays queued until it is: its dequeue is delayed.
//
// What it does well: a task may ask for short slices, and is then served sooner, for
// the same share. Where it is bad: nothing but ticks, wake-ups and sleeps looks at
// deadlines, and a sleeper with an ordinary slice waits for a tick.
//
// Source of rules and numbers: shared/reference/linux6/FACTS.md, sections 1 to 5 and 9,
// from reading and running kernel/sched/fair.c of 6.12.95 and 6.18.15. No text or code
// of it is here. The recorded data are replayed by sim/golden/linux6; sim/policy/linux6
// makes a policy of it.
//
// It imports sim/policy/linuxfair only.
//
// Where it differs: no groups, no bandwidth limits, no core scheduling.
package linuxeevdf
