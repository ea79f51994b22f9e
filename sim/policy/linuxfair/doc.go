// Package linuxfair is what the fair schedulers of Linux 6 share: weights and the
// division by them, the entity that is scheduled, and the red-black tree in which
// it waits. The rules themselves are in linuxcfs6 (6.1) and linuxeevdf (6.12, 6.18);
// linux6 makes a policy of either.
//
// Source of tables and rules: shared/reference/linux6/FACTS.md, written from reading
// kernel/sched/core.c, kernel/sched/fair.c and lib/rbtree.c. No text or code of them
// is here. Times are nanoseconds in int64, compared by signed difference as in the
// kernel.
//
// It imports nothing of ours.
package linuxfair
