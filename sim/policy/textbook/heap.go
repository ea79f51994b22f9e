package textbook

import "strandscope/sim/sched"

// Heap gives threads back in the order of their keys; equal keys go by number. (The
// sorting of package slices would be linked once more for each kind of entry.)
type Heap struct{ list []waiter }

type waiter struct {
	key Key
	id  sched.ThreadID
}

func (w waiter) less(o waiter) bool {
	if w.key != o.key {
		return w.key.Less(o.key)
	}
	return w.id < o.id
}

// Push adds a thread.
func (h *Heap) Push(k Key, id sched.ThreadID) {
	h.list = append(h.list, waiter{k, id})
	for i := len(h.list) - 1; i > 0; {
		up := (i - 1) / 2
		if !h.list[i].less(h.list[up]) {
			return
		}
		h.list[i], h.list[up] = h.list[up], h.list[i]
		i = up
	}
}

func (h *Heap) pop() waiter {
	top := h.list[0]
	last := len(h.list) - 1
	h.list[0] = h.list[last]
	h.list = h.list[:last]
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < last; child++ {
			if h.list[child].less(h.list[least]) {
				least = child
			}
		}
		if least == i {
			return top
		}
		h.list[i], h.list[least] = h.list[least], h.list[i]
		i = least
	}
}

// Drain empties it and lists the threads in order.
func (h *Heap) Drain() []sched.ThreadID {
	ids := make([]sched.ThreadID, 0, len(h.list))
	for len(h.list) > 0 {
		ids = append(ids, h.pop().id)
	}
	return ids
}
