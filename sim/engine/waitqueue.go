package engine

import (
	"strandscope/sim/sched"
	"strandscope/sim/trace"
	"strandscope/sim/workload"
)

// waiter is a thread that waits for another; gen tells whether it still does.
type waiter struct {
	thread sched.ThreadID
	gen    uint32
}

// waitQueue holds those that wait under one name, first come first, and how
// often the semaphore of that name was posted while nobody waited. Threads that
// were killed meanwhile are passed over when their turn comes.
type waitQueue struct {
	waiters []waiter
	posts   int64
}

// queueOf finds or makes the wait queue of a step. Suspended tasks and
// semaphores do not share names.
func (e *Engine) queueOf(in *workload.Instr) *waitQueue {
	queues := &e.semaphores
	if in.Op == workload.Suspend || in.Op == workload.Resume {
		queues = &e.suspended
	}
	if *queues == nil {
		*queues = map[string]*waitQueue{}
	}
	q := (*queues)[in.Name]
	if q == nil {
		q = &waitQueue{}
		(*queues)[in.Name] = q
	}
	return q
}

// waitFor lets the running t wait; false: a post was left, it need not.
func (e *Engine) waitFor(c *sched.CPU, t *sched.Thread, in *workload.Instr) bool {
	q := e.queueOf(in)
	if in.Op == workload.Acquire && q.posts > 0 {
		q.posts--
		return false
	}
	q.waiters = append(q.waiters, waiter{t.ID, e.tasks[t.ID].sleepGen})
	e.block(c, t)
	return true
}

// wakeFor lets the running t wake one or all who wait for it. It reports
// whether anybody woke. A resume that nobody waits for is lost, a post is kept.
func (e *Engine) wakeFor(c *sched.CPU, t *sched.Thread, in *workload.Instr) bool {
	q := e.queueOf(in)
	woken := 0
	for len(q.waiters) > 0 && (in.Op == workload.Resume || woken == 0) {
		w := q.waiters[0]
		q.waiters = q.waiters[1:]
		other := e.threads[w.thread]
		if other.State != sched.Sleeping || e.tasks[w.thread].sleepGen != w.gen {
			continue
		}
		if woken == 0 {
			e.setMode(c, trace.SystemMode)
		}
		woken++
		e.wakeBy(other, t.ID)
	}
	if woken == 0 && in.Op == workload.Post {
		q.posts++
	}
	return woken > 0
}
