package engine

import (
	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
	"strandscope/sim/workload"
)

// sync is what threads wait for each other with, by name; never walked.
type sync struct {
	mutexes    map[string]*mutex
	conditions map[string]*waitQueue
	barriers   map[string]*waitQueue
	timers     map[string]clock.Time // shared: when each was last released
}

// mutex is held by one thread. Whoever frees it wakes the first that waits, which
// tries again; another may have taken it by then, as with a futex.
type mutex struct {
	owner sched.ThreadID
	waitQueue
}

func (s *sync) mutex(name string) *mutex {
	if s.mutexes == nil {
		s.mutexes = map[string]*mutex{}
	}
	m := s.mutexes[name]
	if m == nil {
		m = &mutex{owner: sched.None}
		s.mutexes[name] = m
	}
	return m
}

func named(queues *map[string]*waitQueue, name string) *waitQueue {
	if *queues == nil {
		*queues = map[string]*waitQueue{}
	}
	q := (*queues)[name]
	if q == nil {
		q = &waitQueue{}
		(*queues)[name] = q
	}
	return q
}

// syncWait lets the running t take a mutex, wait for a condition or come to a
// barrier. It reports whether the thread does not go on at once.
func (e *Engine) syncWait(c *sched.CPU, t *sched.Thread, in *workload.Instr) bool {
	tk := &e.tasks[t.ID]
	me := waiter{t.ID, tk.sleepGen}
	switch in.Op {
	case workload.Lock:
		m := e.sync.mutex(in.Name)
		if m.owner == sched.None || m.owner == t.ID {
			m.owner = t.ID
			return false
		}
		tk.pc-- // it tries again when it is woken
		m.waiters = append(m.waiters, me)
	case workload.Await:
		if m := e.sync.mutex(in.Other); m.owner == t.ID {
			m.owner = sched.None
			e.wakeFirst(c, t, &m.waitQueue)
		}
		q := named(&e.sync.conditions, in.Name)
		q.waiters = append(q.waiters, me)
	default:
		q := named(&e.sync.barriers, in.Name)
		if q.posts++; q.posts == in.Count {
			q.posts = 0
			e.wakeAll(c, t, q)
			tk.phase = exiting
			e.pending.add(c.ID)
			return true
		}
		q.waiters = append(q.waiters, me)
	}
	e.block(c, t)
	return true
}

// syncWake frees a mutex or signals a condition, and reports whether anybody woke.
func (e *Engine) syncWake(c *sched.CPU, t *sched.Thread, in *workload.Instr) bool {
	if in.Op == workload.Unlock {
		m := e.sync.mutex(in.Name)
		if m.owner != t.ID {
			return false // not its own
		}
		m.owner = sched.None
		return e.wakeFirst(c, t, &m.waitQueue)
	}
	q := named(&e.sync.conditions, in.Name)
	if in.Op == workload.Broadcast {
		return e.wakeAll(c, t, q)
	}
	return e.wakeFirst(c, t, q)
}

// wakeFirst lets the running t wake the first of a queue who still waits.
func (e *Engine) wakeFirst(c *sched.CPU, t *sched.Thread, q *waitQueue) bool {
	for len(q.waiters) > 0 {
		w := q.waiters[0]
		q.waiters = q.waiters[1:]
		if other := e.threads[w.thread]; other.State == sched.Sleeping && e.tasks[w.thread].sleepGen == w.gen {
			e.setMode(c, trace.SystemMode)
			e.wakeBy(other, t.ID)
			return true
		}
	}
	return false
}

// wakeAll is wakeFirst for all of them.
func (e *Engine) wakeAll(c *sched.CPU, t *sched.Thread, q *waitQueue) (woken bool) {
	for more := true; more; woken = woken || more {
		more = e.wakeFirst(c, t, q)
	}
	return woken
}

// release starts a thread's timers.
func (tk *task) release(now clock.Time) {
	tk.due = now
	for i := range tk.timers {
		tk.timers[i] = now
	}
}

// period sleeps until a timer's next release, and reports whether there is one to
// wait for.
func (e *Engine) period(c *sched.CPU, t *sched.Thread, in *workload.Instr) bool {
	tk := &e.tasks[t.ID]
	next := tk.due // the thread's start
	if in.Name == "" {
		next = tk.timers[in.Slot]
	} else if at, ok := e.sync.timers[in.Name]; ok {
		next = at
	}
	next = next.Add(in.D)
	late := next <= e.now
	if late && !in.Grid {
		next = e.now
	}
	if in.Name == "" {
		tk.timers[in.Slot] = next
	} else {
		if e.sync.timers == nil {
			e.sync.timers = map[string]clock.Time{}
		}
		e.sync.timers[in.Name] = next
	}
	if late {
		return false
	}
	e.push(next, evWake, int32(t.ID), tk.sleepGen)
	e.block(c, t)
	return true
}

// become changes what the running t asks of the scheduler, and reports whether the
// CPU has to be served before it goes on. A CPU that it may not use is no binding.
func (e *Engine) become(c *sched.CPU, t *sched.Thread, in *workload.Instr) bool {
	as, asked := in.As.(*sched.Params)
	if asked {
		p := *as
		if err := e.pol.Set(t, &p); err != nil {
			e.fail("thread %d (%s): %v", t.ID, t.Name, err)
			return true
		}
		if n, ok := e.pol.(sched.Nicer); ok && !p.Keep {
			// A class of parameters of its own keeps the nice value beside them; one
			// that has none refuses, and then there is nothing to change.
			if nice, err := n.Nice(t, 0); err == nil && nice != p.Nice {
				_, _ = n.Nice(t, p.Nice-nice)
			}
		}
	}
	mover, ok := e.pol.(sched.Mover)
	if in.Bind && ok && int(in.To) != t.Bound {
		bound := sched.NoCPU
		if cpu := int(in.To); cpu >= 0 && cpu < len(e.cpus) && e.cpus[cpu].Online && e.cpus[cpu].Set == t.Set {
			bound = cpu
		}
		before := t.Bound
		t.Bound = bound
		if err := mover.Moved(t); err != nil {
			t.Bound = before
		}
		if !t.May(c) {
			e.evict(c)
			return true
		}
	}
	if !asked {
		return false
	}
	e.tasks[t.ID].phase = exiting
	e.pending.add(c.ID)
	return true
}
