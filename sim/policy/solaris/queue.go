package solaris

import (
	"math/bits"

	"strandscope/sim/sched"
)

// Global priorities (FACTS §2). The dispatcher keeps one queue for each.
const (
	levels    = 170
	idlePri   = -1
	rtBase    = 100
	kpqPri    = 100 // unbound threads from here on wait partition-wide
	updatePri = 99  // of the kernel thread that runs the once-a-second updates
)

// link chains a waiting thread into its queue.
type link struct {
	next, prev sched.ThreadID
	pri        int32 // level it is queued at; −1 when in no queue
	bound      bool
	queue      *dispQueue
}

type level struct {
	head, tail sched.ThreadID
	n          int32
}

// dispQueue is the dispatch queue of one CPU, or the kernel-preemption queue of
// a processor set: a FIFO for each global priority.
type dispQueue struct {
	cpu        int // −1: a kernel-preemption queue
	levels     [levels]level
	bitmap     [(levels + 63) / 64]uint64
	n          int // threads waiting
	maxRun     int // best priority waiting, −1 if none
	maxUnbound int // best priority of an unbound thread; may be too high
	links      *sched.Table[link]
}

func newDispQueue(cpu int, links *sched.Table[link]) *dispQueue {
	q := &dispQueue{cpu: cpu, maxRun: idlePri, maxUnbound: idlePri, links: links}
	for i := range q.levels {
		q.levels[i] = level{sched.None, sched.None, 0}
	}
	return q
}

func (q *dispQueue) push(id sched.ThreadID, pri int, front, bound bool) {
	l := q.links.At(id)
	lv := &q.levels[pri]
	*l = link{next: sched.None, prev: sched.None, pri: int32(pri), bound: bound, queue: q}
	switch {
	case lv.n == 0:
		lv.head, lv.tail = id, id
		q.bitmap[pri/64] |= 1 << (pri % 64)
	case front:
		l.next = lv.head
		q.links.At(lv.head).prev = id
		lv.head = id
	default:
		l.prev = lv.tail
		q.links.At(lv.tail).next = id
		lv.tail = id
	}
	lv.n++
	q.n++
}

// remove takes a thread out. When its level empties, the best priority waiting
// falls to the next level that is not empty, and that of unbound threads at
// least as far.
func (q *dispQueue) remove(id sched.ThreadID) {
	l := q.links.At(id)
	pri := int(l.pri)
	lv := &q.levels[pri]
	if l.prev != sched.None {
		q.links.At(l.prev).next = l.next
	} else {
		lv.head = l.next
	}
	if l.next != sched.None {
		q.links.At(l.next).prev = l.prev
	} else {
		lv.tail = l.prev
	}
	l.pri, l.queue = -1, nil
	lv.n--
	q.n--
	if lv.n > 0 {
		return
	}
	q.bitmap[pri/64] &^= 1 << (pri % 64)
	if q.n == 0 {
		q.maxRun, q.maxUnbound = idlePri, idlePri
		return
	}
	if pri == q.maxRun {
		q.maxRun = q.highest(levels - 1)
		q.maxUnbound = min(q.maxUnbound, q.maxRun)
	}
}

// highest is the best non-empty level at or below pri, or −1.
func (q *dispQueue) highest(pri int) int {
	if pri < 0 {
		return idlePri
	}
	for w := pri / 64; w >= 0; w-- {
		b := q.bitmap[w]
		if w == pri/64 {
			b &= ^uint64(0) >> (63 - pri%64)
		}
		if b != 0 {
			return w*64 + 63 - bits.LeadingZeros64(b)
		}
	}
	return idlePri
}

// first is the head of the best level.
func (q *dispQueue) first() sched.ThreadID { return q.levels[q.maxRun].head }

// bestUnbound is the first unbound thread at maxUnbound. When all there are
// bound, maxUnbound falls to the next level that has an unbound thread, and the
// answer is None, so that the caller looks at other CPUs.
func (q *dispQueue) bestUnbound() sched.ThreadID {
	if q.maxUnbound < 0 {
		return sched.None
	}
	if id := q.unboundAt(q.maxUnbound); id != sched.None {
		return id
	}
	pri := q.highest(q.maxUnbound - 1)
	for pri >= 0 && q.unboundAt(pri) == sched.None {
		pri = q.highest(pri - 1)
	}
	q.maxUnbound = pri
	return sched.None
}

func (q *dispQueue) unboundAt(pri int) sched.ThreadID {
	for id := q.levels[pri].head; id != sched.None; id = q.links.At(id).next {
		if !q.links.At(id).bound {
			return id
		}
	}
	return sched.None
}

// visit calls f for the waiting threads of each level, best first.
func (q *dispQueue) visit(buf []sched.ThreadID, f func(pri int, ids []sched.ThreadID)) []sched.ThreadID {
	for pri := q.maxRun; pri >= 0; pri = q.highest(pri - 1) {
		buf = buf[:0]
		for id := q.levels[pri].head; id != sched.None; id = q.links.At(id).next {
			buf = append(buf, id)
		}
		f(pri, buf)
	}
	return buf
}
