package textbook

import (
	"slices"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
)

// Key is a place in the queue: the smallest runs next.
type Key struct{ A, B, C int64 }

// Less compares two places.
func (k Key) Less(o Key) bool {
	switch {
	case k.A != o.A:
		return k.A < o.A
	case k.B != o.B:
		return k.B < o.B
	}
	return k.C < o.C
}

// Sorted is one queue for all CPUs, in order of keys; equal keys go by thread
// number. Choosing costs the logarithm of its length.
type Sorted struct {
	Base
	heap Heap
	keys sched.Table[Key]
	at   sched.Table[clock.Time] // when a thread arrived or woke
	next int64                   // place at the tail, of queues that are in order of coming
	head int64                   // place at the head
}

// Tail is a place behind all, for keys that go by order of coming.
func (s *Sorted) Tail() int64 { s.next++; return s.next }

// Head is a place before all.
func (s *Sorted) Head() int64 { s.head--; return s.head }

// key is a thread's; not inlined for its size.
//
//go:noinline
func (s *Sorted) key(id sched.ThreadID) *Key { return s.keys.At(id) }

// Key is the thread's latest key.
func (s *Sorted) Key(t *sched.Thread) Key { return *s.key(t.ID) }

// SetKey changes the key of a thread that does not wait.
func (s *Sorted) SetKey(t *sched.Thread, k Key) { *s.key(t.ID) = k }

// Came notes that t is ready now, and says since when it is: a preempted thread
// came when it did before.
func (s *Sorted) Came(t *sched.Thread, why sched.Cause) int64 {
	if why != sched.Preempted && why != sched.Moved {
		*s.at.At(t.ID) = s.K.Now()
	}
	return int64(*s.at.At(t.ID))
}

// Put queues t. It tells observers, but no CPU.
func (s *Sorted) Put(t *sched.Thread, k Key, why sched.Cause) {
	*s.key(t.ID) = k
	s.heap.Push(k, t.ID)
	code := WhyArrived
	if why == sched.Preempted || why == sched.Moved {
		code = WhyQueuedAgain
	}
	s.K.Place(t, nil, sched.Reason{Code: code})
}

// Displace finds the CPU on which t takes the place of another: a free one, one
// that stops by itself, else the one whose thread's key is the greatest, if t's is
// less; with strict, if even its first part is.
func (s *Sorted) Displace(t *sched.Thread, strict bool) {
	if s.WakeIdle(t) {
		return
	}
	var worst *sched.CPU
	for _, c := range s.K.CPUs() {
		if c.Thread == nil || c.Kicked || !t.May(c) {
			continue
		}
		if s.Ending(c) {
			s.K.Kick(c)
			return
		}
		if worst == nil || s.Key(worst.Thread).Less(s.Key(c.Thread)) {
			worst = c
		}
	}
	if worst == nil {
		return
	}
	mine, its := s.Key(t), s.Key(worst.Thread)
	if mine.A < its.A || !strict && mine.Less(its) {
		s.K.Kick(worst)
	}
}

// Choose takes the first thread that may run on c. The figures of its reason are
// the first parts of the keys of the chosen and, where it took the CPU from
// another, of that; times says that they are spans.
func (s *Sorted) Choose(c *sched.CPU, times bool) (*sched.Thread, sched.Reason) {
	lost := Lost(c)
	t := s.Take(c)
	if t == nil {
		return nil, sched.Reason{Code: WhyNothing}
	}
	if lost == nil || lost == t {
		return t, sched.Reason{Code: WhyChosen, A: s.score(t, times)}
	}
	return t, sched.Reason{Code: WhyDisplaced, A: s.score(t, times), B: s.score(lost, times)}
}

func (s *Sorted) score(t *sched.Thread, times bool) int32 {
	if times {
		return s.Units(clock.Duration(s.Key(t).A))
	}
	return Clip(s.Key(t).A)
}

// Lost is the thread that c is about to lose by preemption; nil: none.
func Lost(c *sched.CPU) *sched.Thread {
	if c.Thread != nil && c.Thread.State == sched.Waiting {
		return c.Thread
	}
	return nil
}

// Take takes the first thread that may run on c out of the queue; nil: none.
func (s *Sorted) Take(c *sched.CPU) *sched.Thread {
	var aside []waiter
	var found *sched.Thread
	for found == nil && len(s.heap.list) > 0 {
		w := s.heap.pop()
		if t := s.K.Thread(w.id); t.May(c) {
			found = t
		} else {
			aside = append(aside, w)
		}
	}
	for _, w := range aside {
		s.heap.Push(w.key, w.id)
	}
	return found
}

// Waiting lists who waits, in order.
func (s *Sorted) Waiting() []sched.ThreadID {
	return (&Heap{slices.Clone(s.heap.list)}).Drain()
}

// Fields implements sched.Inspector.
func (s *Sorted) Fields() []sched.Field { return nil }

// Values implements sched.Inspector.
func (s *Sorted) Values(_ *sched.Thread, _ []int64) {}

// Queues implements sched.Inspector.
func (s *Sorted) Queues(visit func(q sched.Queue, waiting []sched.ThreadID)) {
	if ids := s.Waiting(); len(ids) > 0 {
		visit(sched.Queue{CPU: sched.NoCPU, Priority: -1, Name: "ready queue"}, ids)
	}
}

// Reorder puts the queue in the order of keys that SetKey has changed.
func (s *Sorted) Reorder() {
	old := s.heap.list
	s.heap.list = nil
	for _, w := range old {
		s.heap.Push(*s.key(w.id), w.id)
	}
}
