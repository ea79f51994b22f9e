package linux22

import "strandscope/sim/sched"

// runQueue is the kernel's one list: new tasks at the head, running ones stay in it
// (FACTS §3). schedule() looks at each of them, so they lie one behind the other in
// memory, from the tail up to the head, with gaps where tasks have left.
type runQueue struct {
	line []stand
	low  int // of line: the tail; below it there is room for others
	n    int // tasks in it
}

// stand is what schedule() of an SMP kernel compares of a task in the run queue.
type stand struct {
	id    sched.ThreadID // None: a gap
	worth int32          // goodness without the bonus for a CPU
	cpu   int32          // where it gets that bonus; nowhere: a real-time task, or nothing left
}

const (
	taken   = -1 << 20 // worth of a gap, and of a task that has a CPU: not compared
	nowhere = -1
)

// all visits the tasks from head to tail.
func (q *runQueue) all(visit func(id sched.ThreadID) bool) {
	for i := len(q.line) - 1; i >= q.low; i-- {
		if id := q.line[i].id; id != sched.None && !visit(id) {
			return
		}
	}
}

func (p *Policy) push(id sched.ThreadID) {
	q := &p.queue
	if len(q.line)-q.low > 2*q.n+minGaps {
		p.closeUp(q.low)
	}
	q.line = append(q.line, stand{id: id})
	p.place(id, len(q.line)-1)
}

func (p *Policy) pushTail(id sched.ThreadID) {
	q := &p.queue
	if q.low == 0 {
		p.closeUp(q.n/2 + minGaps)
	}
	q.low--
	q.line[q.low] = stand{id: id}
	p.place(id, q.low)
}

// minGaps is how many gaps are of no account.
const minGaps = 32

func (p *Policy) place(id sched.ThreadID, i int) {
	p.queue.n++
	p.th.At(id).at = int32(i) + 1
	p.judge(id)
}

func (p *Policy) unlink(id sched.ThreadID) {
	x := p.th.At(id)
	if x.at == 0 {
		return
	}
	p.queue.line[x.at-1] = stand{sched.None, taken, nowhere}
	p.queue.n--
	x.at = 0
}

// closeUp leaves no gaps, and room for so many tasks behind the tail.
func (p *Policy) closeUp(room int) {
	q := &p.queue
	kept := q.line[:0]
	for _, s := range q.line[q.low:] {
		if s.id != sched.None {
			kept = append(kept, s)
		}
	}
	n := len(kept)
	for len(q.line) < room+n {
		q.line = append(q.line, stand{})
	}
	q.line = q.line[:room+n]
	copy(q.line[room:], q.line[:n])
	q.low = room
	for i := room; i < len(q.line); i++ {
		p.th.At(q.line[i].id).at = int32(i) + 1
	}
}

// judge brings a task's stand up to date. Whatever changes what a waiting task is worth
// calls it: ticks only change tasks that have a CPU.
func (p *Policy) judge(id sched.ThreadID) {
	x := p.th.At(id)
	if x.at == 0 {
		return
	}
	s := &p.queue.line[x.at-1]
	s.cpu = nowhere
	switch {
	case x.hasCPU:
		s.worth = taken
	case x.policy != other:
		s.worth = realtimeBase + x.rtPri
	case x.counter == 0:
		s.worth = 0
	default:
		s.worth, s.cpu = x.counter+x.priority, x.cpu
	}
}

// best is the first task of the run queue that is worth more to a CPU than value, and
// than any before it. Another task's address space is never the outgoing one's, so
// there is no bonus for that.
func (p *Policy) best(cpu int32, best sched.ThreadID, value int32) (sched.ThreadID, int32) {
	line := p.queue.line[p.queue.low:]
	for i := len(line) - 1; i >= 0; i-- {
		s := &line[i]
		v := s.worth
		if s.cpu == cpu {
			v += affinity
		}
		if v > value {
			best, value = s.id, v
		}
	}
	return best, value
}

// running is the number of tasks in the run queue that have a CPU.
func (p *Policy) running() int {
	n := 0
	for _, id := range p.cur {
		if id != sched.None && p.th.At(id).at > 0 {
			n++
		}
	}
	return n
}
