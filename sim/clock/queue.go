package clock

// Order ranks events of one instant. What runs first within an instant is part
// of a kernel's rules, so an engine maps its events to orders by its timing.
type Order uint8

// Key is the place of an event in time. Keys are totally ordered.
type Key struct {
	At    Time
	Order Order
	Tie   int32  // chosen by the caller: thread id, CPU id, timer number
	Seq   uint64 // insertion order, the last resort
}

// Less reports whether k comes before o.
func (k *Key) Less(o *Key) bool {
	switch {
	case k.At != o.At:
		return k.At < o.At
	case k.Order != o.Order:
		return k.Order < o.Order
	case k.Tie != o.Tie:
		return k.Tie < o.Tie
	}
	return k.Seq < o.Seq
}

type entry[T any] struct {
	key Key
	val T
}

// Queue is a priority queue of events, a binary heap in one flat slice. It
// allocates only while it grows. The zero value is ready to use.
type Queue[T any] struct {
	heap []entry[T]
	seq  uint64
}

// Len returns the number of events waiting.
func (q *Queue[T]) Len() int { return len(q.heap) }

// Push adds an event.
func (q *Queue[T]) Push(at Time, order Order, tie int32, val T) {
	q.seq++
	q.heap = append(q.heap, entry[T]{Key{at, order, tie, q.seq}, val})
	q.up(len(q.heap) - 1)
}

// up and down move one entry to its place; those in its way move on by one.
func (q *Queue[T]) up(i int) {
	x := q.heap[i]
	for i > 0 {
		up := (i - 1) / 2
		if !x.key.Less(&q.heap[up].key) {
			break
		}
		q.heap[i] = q.heap[up]
		i = up
	}
	q.heap[i] = x
}

// Peek returns the key of the next event; ok is false when there is none.
func (q *Queue[T]) Peek() (key Key, ok bool) {
	if len(q.heap) == 0 {
		return Key{At: Never}, false
	}
	return q.heap[0].key, true
}

// Pop removes and returns the next event. It panics on an empty queue.
func (q *Queue[T]) Pop() (Key, T) {
	top := q.heap[0]
	last := len(q.heap) - 1
	q.heap[0] = q.heap[last]
	var zero entry[T]
	q.heap[last] = zero
	q.heap = q.heap[:last]
	q.down(0)
	return top.key, top.val
}

func (q *Queue[T]) down(i int) {
	h := q.heap
	if i >= len(h) {
		return
	}
	x := h[i]
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && h[child+1].key.Less(&h[child].key) {
			child++
		}
		if !h[child].key.Less(&x.key) {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = x
}

// Prune drops the events that keep does not want. The others come in the same
// order as before.
func (q *Queue[T]) Prune(keep func(val T) bool) {
	kept := q.heap[:0]
	for _, e := range q.heap {
		if keep(e.val) {
			kept = append(kept, e)
		}
	}
	clear(q.heap[len(kept):])
	q.heap = kept
	for i := len(kept)/2 - 1; i >= 0; i-- {
		q.down(i)
	}
}
