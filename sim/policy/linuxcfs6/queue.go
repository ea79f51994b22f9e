package linuxcfs6

import fair "strandscope/sim/policy/linuxfair"

// Tunables in ns (fair.c, scaled by get_update_sysctl_factor).
type Tunables struct {
	Latency, MinGranularity, WakeupGranularity int64
	NrLatency                                  int
}

// idleMinGranularity is the shortest slice of SCHED_IDLE; it is not scaled.
const idleMinGranularity = 750_000

// Defaults are the tunables for a factor, 1 + log2 of the CPUs, at most 4.
func Defaults(factor int64) Tunables {
	return Tunables{Latency: 6_000_000 * factor, MinGranularity: 750_000 * factor, WakeupGranularity: 1_000_000 * factor, NrLatency: 8}
}

// Start is where virtual time begins.
const Start = -1 << 20

// longSleep is a sleep after which virtual times cannot be compared: 2⁵³ ns, 104 days
// (entity_is_long_sleeper).
const longSleep = 1 << 53

// Queue is the fair queue of one CPU.
type Queue struct {
	fair.State
	Tunables
	Min              int64 // min_vruntime
	Load             int64 // the sum of weights
	Next, Last, Skip *fair.Entity
}

// New returns an empty queue.
func New(t Tunables) *Queue { return &Queue{Tunables: t, Min: Start} }

// Base is what both fair queues have.
func (q *Queue) Base() *fair.State { return &q.State }

// running is Curr as long as it is queued.
func (q *Queue) running() *fair.Entity {
	if q.Curr != nil && q.Curr.OnRQ {
		return q.Curr
	}
	return nil
}

// updateMin moves the queue's virtual time on (update_min_vruntime).
func (q *Queue) updateMin() {
	x, c := q.Min, q.running()
	if c != nil {
		x = c.V
	}
	if l := q.Tree.First(); l != nil && (c == nil || l.V-x < 0) {
		x = l.V
	}
	if x-q.Min > 0 {
		q.Min = x
	}
}

// Charge brings Curr's account up to date (update_curr).
func (q *Queue) Charge() {
	if d := q.Charged(); d > 0 {
		q.Curr.V += q.Curr.Virtual(d)
		q.updateMin()
	}
}

// SliceOf is how long an entity may run, in real time (sched_slice).
func (q *Queue) SliceOf(e *fair.Entity) int64 {
	n, load := int64(q.N), q.Load
	if !e.OnRQ {
		n++
		load += e.Weight
	}
	period := q.Latency
	if n > int64(q.NrLatency) {
		period = n * q.MinGranularity
	}
	least := q.MinGranularity
	if e.Idle {
		least = idleMinGranularity
	}
	return max(fair.Scale(period, e.Weight, uint32(fair.MaxWeight/load)), least)
}

// VirtualSlice is SliceOf in virtual time (sched_vslice).
func (q *Queue) VirtualSlice(e *fair.Entity) int64 { return e.Virtual(q.SliceOf(e)) }

// Place gives an entity its virtual time (place_entity): a new one starts a slice
// late, one that slept gets at most half the latency as credit.
func (q *Queue) Place(e *fair.Entity, initial bool) {
	x := q.Min
	switch {
	case initial:
		x += q.VirtualSlice(e)
	case e.Idle:
		x -= q.MinGranularity / 2
	default:
		x -= q.Latency / 2
	}
	long := e.ExecStart != 0 && q.Clock-e.ExecStart > longSleep
	if long || x-e.V > 0 {
		e.V = x
	}
}

// Fork prepares a new entity (task_fork_fair); Curr is its parent, or nil.
func (q *Queue) Fork(e *fair.Entity) {
	q.Charge()
	if q.Curr != nil {
		e.V = q.Curr.V
	}
	q.Place(e, true)
	e.V -= q.Min
}

// Join puts an entity in that is no sleeper: a new, moved or changed one.
func (q *Queue) Join(e *fair.Entity) {
	q.Charge()
	e.V += q.Min
	q.enter(e)
}

// Start puts a new entity in, after Fork.
func (q *Queue) Start(e *fair.Entity) { q.Join(e) }

// Wake puts a sleeper in (enqueue_entity).
func (q *Queue) Wake(e *fair.Entity) {
	q.Charge()
	q.Place(e, false)
	q.enter(e)
}

func (q *Queue) enter(e *fair.Entity) {
	if q.Curr != e {
		q.Tree.Insert(e, e.V)
	}
	e.OnRQ = true
	q.N++
	q.Load += e.Weight
}

// Restore puts an entity in as it is, from a recording.
func (q *Queue) Restore(e *fair.Entity) { q.enter(e) }

// Sleep takes Curr out as it blocks or exits (dequeue_entity).
func (q *Queue) Sleep(_ bool) {
	q.exit(q.Curr)
	q.updateMin()
}

func (q *Queue) exit(e *fair.Entity) {
	q.Charge()
	q.forget(e)
	if q.Curr != e {
		q.Tree.Remove(e)
	}
	e.OnRQ = false
	q.N--
	q.Load -= e.Weight
}

// Leave takes an entity out that goes on elsewhere, or in another class.
func (q *Queue) Leave(e *fair.Entity) {
	q.exit(e)
	e.V -= q.Min
	e.ExecStart = 0
	q.updateMin()
}

// Depart makes a sleeper's virtual time relative, as it is to wake on another CPU
// (migrate_task_rq_fair).
func (q *Queue) Depart(e *fair.Entity) {
	e.V -= q.Min
	e.ExecStart = 0
}

// Return makes it absolute again.
func (q *Queue) Return(e *fair.Entity) { e.V += q.Min }

// Arrive is Return and Wake.
func (q *Queue) Arrive(e *fair.Entity) {
	q.Charge()
	e.V += q.Min
	q.Place(e, false)
	q.enter(e)
}

// forget drops the marks of an entity (clear_buddies).
func (q *Queue) forget(e *fair.Entity) {
	if q.Next == e {
		q.Next = nil
	}
	if q.Last == e {
		q.Last = nil
	}
	if q.Skip == e {
		q.Skip = nil
	}
}

// Reweigh changes an entity's nice value (set_user_nice, reweight_entity).
func (q *Queue) Reweigh(e *fair.Entity, nice int, idle bool) {
	curr := q.Curr == e
	if !e.OnRQ {
		e.SetNice(nice, idle)
		return
	}
	q.exit(e)
	e.V -= q.Min
	if curr {
		q.Curr = nil
	}
	e.SetNice(nice, idle)
	q.Join(e)
	if curr {
		q.Set(e)
	}
}

// Tick is the clock interrupt of Curr (task_tick_fair, check_preempt_tick).
func (q *Queue) Tick() {
	q.Charge()
	if q.N < 2 {
		return
	}
	c := q.Curr
	ideal, ran := q.SliceOf(c), c.Sum-c.PrevSum
	if ran > ideal {
		q.Need = true
		q.forget(c)
		return
	}
	if ran < q.MinGranularity {
		return
	}
	// The tree is not empty: someone else is queued.
	if c.V-q.Tree.First().V > ideal {
		q.Need = true
	}
}

// Ahead compares a runner with one who would take its place (wakeup_preempt_entity):
// 1 if it is ahead by more than the granularity, −1 if it is not ahead at all.
func (q *Queue) Ahead(a, b *fair.Entity) int {
	switch d := a.V - b.V; {
	case d <= 0:
		return -1
	case d > b.Virtual(q.WakeupGranularity):
		return 1
	}
	return 0
}

// Preempt asks whether an entity that was just queued displaces Curr
// (check_preempt_wakeup).
func (q *Queue) Preempt(e *fair.Entity) {
	c := q.Curr
	if q.Need {
		return
	}
	if c.Idle && !e.Idle {
		q.Need = true
		return
	}
	if e.Mild {
		return
	}
	q.Charge()
	if q.Ahead(c, e) != 1 {
		return
	}
	q.Next = e
	q.Need = true
	if q.N >= q.NrLatency && c.OnRQ {
		q.Last = c
	}
}

// Pick chooses who runs next, nil if nobody is queued (pick_next_entity).
func (q *Queue) Pick() *fair.Entity {
	c := q.running()
	if c != nil {
		q.Charge()
	}
	left := q.Tree.First()
	if c != nil && (left == nil || c.V-left.V < 0) {
		left = c
	}
	if left == nil {
		return nil
	}
	e := left
	q.Why = fair.Leftmost
	if q.N == 1 {
		q.Why = fair.Alone
	}
	if q.Skip == e {
		if second := q.second(e, c); second != nil && q.Ahead(second, left) < 1 {
			e = second
			q.Why = fair.Skipped
		}
	}
	if q.Next != nil && q.Ahead(q.Next, left) < 1 {
		q.Why = fair.NextBuddy
		return q.Next
	}
	if q.Last != nil && q.Ahead(q.Last, left) < 1 {
		q.Why = fair.LastBuddy
		return q.Last
	}
	return e
}

// second is who comes after e, which is to be skipped; c is the running one or nil.
func (q *Queue) second(e, c *fair.Entity) *fair.Entity {
	if e == c {
		return q.Tree.First()
	}
	s := q.Tree.Next(e)
	if c != nil && (s == nil || c.V-s.V < 0) {
		return c
	}
	return s
}

// Put takes Curr off the CPU (put_prev_entity).
func (q *Queue) Put() {
	c := q.Curr
	if c.OnRQ {
		q.Charge()
		q.Tree.Insert(c, c.V)
	}
	q.Curr = nil
}

// Set puts an entity on the CPU (set_next_entity).
func (q *Queue) Set(e *fair.Entity) {
	q.forget(e)
	if e.OnRQ {
		q.Tree.Remove(e)
	}
	e.ExecStart = q.Clock
	q.Curr = e
	e.PrevSum = e.Sum
}

// Yield gives the CPU up (yield_task_fair); the caller picks again. n is how many tasks
// of all classes the CPU has.
func (q *Queue) Yield(n int) {
	if n == 1 {
		return
	}
	q.forget(q.Curr)
	q.Charge()
	q.Skip = q.Curr
}

// VirtualTime is where the queue stands: min_vruntime.
func (q *Queue) VirtualTime() int64 { return q.Min }

// TotalWeight is the weight of all that are queued.
func (q *Queue) TotalWeight() int64 { return q.Load }
