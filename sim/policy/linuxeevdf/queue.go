package linuxeevdf

import (
	"math/bits"

	fair "strandscope/sim/policy/linuxfair"
)

// Version is whose rules apply where kernels differ.
type Version uint8

// The versions: 6.12.95 and 6.18.15.
const (
	V612 Version = iota
	V618
)

// BaseSlice is the default slice for a factor, 1 + log2 of the CPUs, at most 4, in ns.
func BaseSlice(factor int64) int64 { return 700_000 * factor }

// A custom slice is cut to these, in ns (syscalls.c: __setscheduler_params).
const (
	MinSlice = 100_000
	MaxSlice = 100_000_000
)

// Start is where virtual time begins; tickNS is the tick, which bounds lags from below.
const (
	Start  = -1 << 20
	tickNS = 4_000_000
)

// Queue is the fair queue of one CPU.
type Queue struct {
	fair.State
	Version Version
	Base0   int64 // base_slice in ns
	Zero    int64 // zero_vruntime: what keys are relative to
	SumKey  int64 // Σ (V − Zero)·weight over the tree
	SumW    int64 // Σ weight over the tree
}

// New returns an empty queue.
func New(v Version, baseSlice int64) *Queue { return &Queue{Version: v, Base0: baseSlice, Zero: Start} }

// Base is what both fair queues have.
func (q *Queue) Base() *fair.State { return &q.State }

// running is Curr as long as it is queued.
func (q *Queue) running() *fair.Entity {
	if q.Curr != nil && q.Curr.OnRQ {
		return q.Curr
	}
	return nil
}

// sums are Σ key·weight and Σ weight over the tree and Curr.
func (q *Queue) sums() (key, weight int64) {
	key, weight = q.SumKey, q.SumW
	if c := q.running(); c != nil {
		key += (c.V - q.Zero) * c.Weight
		weight += c.Weight
	}
	return key, weight
}

// Mean is V, the weighted mean of virtual times, rounded down.
func (q *Queue) Mean() int64 {
	key, weight := q.sums()
	if weight == 0 {
		return q.Zero
	}
	d := key / weight
	if key%weight < 0 {
		d--
	}
	return q.Zero + d
}

// mean is Mean where the kernel asks for it; 6.12 then counts from there.
func (q *Queue) mean() int64 {
	v := q.Mean()
	if q.Version == V612 {
		q.rebase(v)
	}
	return v
}

func (q *Queue) rebase(v int64) {
	q.SumKey -= q.SumW * (v - q.Zero)
	q.Zero = v
}

// Eligible reports whether an entity has had no more than its share
// (vruntime_eligible).
func (q *Queue) Eligible(e *fair.Entity) bool {
	key, weight := q.sums()
	return key >= (e.V-q.Zero)*weight
}

// LagOf is what an entity is owed, within bounds (entity_lag).
func (q *Queue) LagOf(e *fair.Entity) int64 {
	limit := e.Virtual(max(2*e.Slice, tickNS))
	return min(max(q.mean()-e.V, -limit), limit)
}

func (q *Queue) insert(e *fair.Entity) {
	q.SumKey += (e.V - q.Zero) * e.Weight
	q.SumW += e.Weight
	q.Tree.Insert(e, e.D)
	q.moved()
}

func (q *Queue) remove(e *fair.Entity) {
	q.Tree.Remove(e)
	q.SumKey -= (e.V - q.Zero) * e.Weight
	q.SumW -= e.Weight
	q.moved()
}

// moved is where 6.18 counts from after the tree has changed.
func (q *Queue) moved() {
	if q.Version == V618 {
		q.rebase(q.Mean())
	}
}

// UpdateDeadline gives an entity that used up its request a new one
// (update_deadline).
func (q *Queue) UpdateDeadline(e *fair.Entity) (expired bool) {
	if e.V-e.D < 0 {
		return false
	}
	q.renew(e)
	e.D = e.V + e.Virtual(e.Slice)
	q.mean()
	return true
}

func (q *Queue) renew(e *fair.Entity) {
	if !e.Custom {
		e.Slice = q.Base0
	}
}

// Charge brings Curr's account up to date (update_curr).
func (q *Queue) Charge() {
	d := q.Charged()
	if d == 0 {
		return
	}
	c := q.Curr
	c.V += c.Virtual(d)
	expired := q.UpdateDeadline(c)
	if q.N == 1 {
		return
	}
	if expired || !q.Protected(c) && (q.Version == V618 || !q.Eligible(c)) {
		q.Need = true
	}
}

// Protected reports whether a running entity may finish its request
// (protect_slice).
func (q *Queue) Protected(e *fair.Entity) bool {
	if q.Version == V612 {
		return e.Protect == e.D
	}
	return e.V-e.Protect < 0
}

// protect begins slice protection (set_protect_slice).
func (q *Queue) protect(e *fair.Entity) {
	e.Protect = e.D
	if q.Version == V612 {
		return
	}
	if m, ok := q.Tree.MinSlice(); ok && m < e.Slice {
		q.shorten(e, e.V+e.Virtual(m))
	}
}

// shorten ends an entity's protection at a virtual time, at the latest.
func (q *Queue) shorten(e *fair.Entity, at int64) {
	if at-e.Protect < 0 {
		e.Protect = at
	}
}

// Place gives an entity its virtual time and deadline (place_entity).
func (q *Queue) Place(e *fair.Entity, initial bool) {
	v := q.mean()
	q.renew(e)
	vs := e.Virtual(e.Slice)
	e.V = v
	if q.N > 0 {
		if _, w := q.sums(); w > 0 {
			e.V -= mulDiv(e.Lag, w+e.Weight, w)
		}
	}
	if e.Rel {
		e.D += e.V
		e.Rel = false
		return
	}
	if initial {
		vs /= 2
	}
	e.D = e.V + vs
}

// mulDiv is a·b/c, cut towards zero; b and c are positive.
func mulDiv(a, b, c int64) int64 {
	u := uint64(a)
	if a < 0 {
		u = -u
	}
	hi, lo := bits.Mul64(u, uint64(b))
	r, _ := bits.Div64(hi%uint64(c), lo, uint64(c))
	if a < 0 {
		return -int64(r)
	}
	return int64(r)
}

// Fork prepares a new entity: it has nothing yet.
func (q *Queue) Fork(e *fair.Entity) { e.V, e.Lag, e.Rel = 0, 0, false }

// Join puts an entity in that is no sleeper: one that moved or changed.
func (q *Queue) Join(e *fair.Entity) { q.enter(e, false) }

// Start puts a new entity in, after Fork.
func (q *Queue) Start(e *fair.Entity) { q.enter(e, true) }

// enter is enqueue_entity.
func (q *Queue) enter(e *fair.Entity, initial bool) {
	q.Charge()
	q.Place(e, initial)
	q.N++
	if q.Curr != e {
		q.insert(e)
	}
	e.OnRQ = true
}

// Wake makes a sleeper runnable: it is put in, or, if its dequeue was delayed, is
// awake where it is (requeue_delayed_entity). Then Curr has not been charged yet.
func (q *Queue) Wake(e *fair.Entity) {
	if !e.Delayed {
		q.enter(e, false)
		return
	}
	if e.Lag = q.LagOf(e); e.Lag > 0 {
		q.N--
		q.remove(e)
		e.Lag = 0
		q.Place(e, false)
		q.insert(e)
		q.N++
	}
	e.Delayed = false
	q.Delayed--
}

// Sleep takes Curr out as it blocks, or leaves it queued until it is eligible; one
// that exits goes at once (dequeue_entity).
func (q *Queue) Sleep(exits bool) {
	c := q.Curr
	q.Charge()
	if !exits && !q.Eligible(c) {
		c.Delayed = true
		q.Delayed++
		return
	}
	q.exit(c)
}

// exit takes an entity out and notes what it is owed.
func (q *Queue) exit(e *fair.Entity) {
	e.Lag = q.LagOf(e)
	if q.Curr != e {
		q.remove(e)
	}
	e.OnRQ = false
	q.N--
}

// Leave takes an entity out that goes on elsewhere, or in another class; it keeps
// what is left of its request.
func (q *Queue) Leave(e *fair.Entity) {
	q.Charge()
	if e.Delayed {
		q.finish(e)
		return
	}
	q.exit(e)
	e.D -= e.V
	e.Rel = true
	e.ExecStart = 0
}

// finish ends a delayed dequeue: nothing is owed to one that waited for it.
func (q *Queue) finish(e *fair.Entity) {
	q.exit(e)
	e.Delayed = false
	q.Delayed--
	e.Lag = min(e.Lag, 0)
	q.Ended = append(q.Ended, e.ID)
}

// Depart and Arrive take a sleeper to another CPU as it wakes: its lag goes along.
func (q *Queue) Depart(e *fair.Entity) { e.ExecStart = 0 }

// Return has nothing to do: a lag is the same everywhere.
func (q *Queue) Return(*fair.Entity) {}

// Arrive is Wake after Depart.
func (q *Queue) Arrive(e *fair.Entity) { q.enter(e, false) }

// Reweigh changes an entity's nice value (set_user_nice, reweight_entity).
func (q *Queue) Reweigh(e *fair.Entity, nice int, idle bool) {
	queued, curr := e.OnRQ, q.Curr == e
	if queued {
		q.Charge()
		q.exit(e)
		e.D -= e.V
		e.Rel = true
		if curr {
			q.Curr = nil
		}
	}
	old := e.Weight
	e.SetNice(nice, idle)
	e.Lag = mulDiv(e.Lag, old, e.Weight)
	if q.Version == V618 && e.Rel {
		e.D = mulDiv(e.D, old, e.Weight)
	}
	if queued {
		q.enter(e, false)
		if curr {
			q.Set(e)
		}
	}
}
