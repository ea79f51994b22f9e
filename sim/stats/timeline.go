package stats

import (
	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// OffLine stands for a thread in the marks of a CPU that is off-line.
const OffLine sched.ThreadID = -2

// Mark says what a CPU turned to: a thread, sched.None for its idle loop, or
// OffLine. It holds until the CPU's next mark.
type Mark struct {
	At     clock.Time
	Thread sched.ThreadID
}

// Wait says that from At on threads waited, or none did. Before is how long
// threads had waited up to At, since the first of these that is known.
type Wait struct {
	At      clock.Time
	Before  clock.Duration
	Waiting bool
}

// Strip is a part of a timeline, copied.
type Strip struct {
	From, To clock.Time
	// Marks are those of all CPUs; CPU gives one's own.
	Marks []Mark
	first []int32
	Waits []Wait
	// Whole is the time from which on every CPU's marks are there. Where it is
	// later than From, older ones were dropped for lack of room.
	Whole clock.Time
}

// CPUs is the number of CPUs in the strip.
func (s *Strip) CPUs() int { return max(0, len(s.first)-1) }

// CPU returns the marks of a CPU in order of time. The first one is in force at
// From, or is the oldest that was kept.
func (s *Strip) CPU(id int) []Mark { return s.Marks[s.first[id]:s.first[id+1]] }

// Waited is how long threads waited between two times of the strip.
func (s *Strip) Waited(from, to clock.Time) clock.Duration {
	if to <= from {
		return 0
	}
	return s.waited(to) - s.waited(from)
}

func (s *Strip) waited(t clock.Time) clock.Duration {
	lo, hi := 0, len(s.Waits)
	for lo < hi {
		if mid := (lo + hi) / 2; s.Waits[mid].At <= t {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == 0 {
		return 0
	}
	w := &s.Waits[lo-1]
	if w.Waiting {
		return w.Before + t.Sub(w.At)
	}
	return w.Before
}

// The room of a timeline: marks of all CPUs together, and of one at least and
// at most. A T2000 whose strands switch 130 times a second fits.
const (
	timelineMarks = 1 << 18
	timelineLeast = 64
	timelineMost  = 1 << 14
	// timelineKeep is how long marks are kept at least while there is room.
	timelineKeep = clock.Minute
)

// Timeline keeps what each CPU ran during the last minute. Its memory is
// bounded; where that is not enough the oldest marks go.
type Timeline struct {
	cpus    []ring[Mark]
	offline []bool
	waits   ring[Wait]
	waiting int
}

// NewTimeline returns the timeline of so many CPUs, all idle.
func NewTimeline(cpus int) *Timeline {
	t := &Timeline{cpus: make([]ring[Mark], cpus), offline: make([]bool, cpus)}
	most := max(timelineLeast, min(timelineMarks/max(1, cpus), timelineMost))
	for i := range t.cpus {
		t.cpus[i] = ring[Mark]{most: most}
		t.cpus[i].push(Mark{Thread: sched.None})
	}
	t.waits = ring[Wait]{most: timelineMost}
	t.waits.push(Wait{})
	return t
}

// Observe implements trace.Observer.
func (t *Timeline) Observe(e *trace.Event) {
	switch e.Kind {
	case trace.Woke:
		t.wait(e.At, 1)
	case trace.On:
		t.wait(e.At, -1)
		t.mark(int(e.CPU), e.At, e.Thread)
	case trace.Off:
		if e.Cause != sched.Blocked && e.Cause != sched.Exited {
			t.wait(e.At, 1)
		}
	case trace.Idle:
		t.mark(int(e.CPU), e.At, sched.None)
	case trace.Changed:
		t.changed(int(e.CPU), e.A < 0, e.At)
	default:
	}
}

func (t *Timeline) changed(cpu int, offline bool, at clock.Time) {
	t.offline[cpu] = offline
	last := t.cpus[cpu].last().Thread
	if offline && last == sched.None || !offline && last == OffLine {
		t.mark(cpu, at, sched.None)
	}
}

func (t *Timeline) mark(cpu int, at clock.Time, th sched.ThreadID) {
	if th == sched.None && t.offline[cpu] {
		th = OffLine
	}
	r := &t.cpus[cpu]
	if r.last().At == at { // what took no time is not kept
		r.drop()
	}
	if r.n > 0 && r.last().Thread == th {
		return
	}
	r.push(Mark{at, th})
}

// wait keeps when threads waited; what took no time is left out.
func (t *Timeline) wait(at clock.Time, n int) {
	t.waiting += n
	r, on := &t.waits, t.waiting > 0
	if r.last().At == at {
		r.drop()
	}
	w := Wait{At: at, Waiting: on}
	if r.n > 0 {
		last := r.last()
		if last.Waiting == on {
			return
		}
		if w.Before = last.Before; last.Waiting {
			w.Before += at.Sub(last.At)
		}
	}
	r.push(w)
}

// Window copies the part of a timeline since from into the storage of a strip.
func (t *Timeline) Window(into *Strip, from, to clock.Time) {
	into.From, into.To, into.Whole = from, to, 0
	into.Marks, into.first = into.Marks[:0], into.first[:0]
	for i := range t.cpus {
		r := &t.cpus[i]
		into.first = append(into.first, int32(len(into.Marks)))
		into.Whole = max(into.Whole, r.lost)
		into.Marks = r.since(into.Marks, from)
	}
	into.first = append(into.first, int32(len(into.Marks)))
	into.Whole = max(into.Whole, t.waits.lost)
	into.Waits = t.waits.since(into.Waits[:0], from)
}

// timed is an entry of a ring.
type timed interface{ at() clock.Time }

func (m Mark) at() clock.Time { return m.At }
func (w Wait) at() clock.Time { return w.At }

// ring keeps the latest entries in order of time. It grows up to most of them
// only while what it holds is younger than a minute.
type ring[T timed] struct {
	buf  []T
	head int // the oldest
	n    int
	most int
	lost clock.Time // entries before that are incomplete
}

func (r *ring[T]) get(i int) *T { return &r.buf[(r.head+i)%len(r.buf)] }
func (r *ring[T]) last() *T     { return r.get(r.n - 1) }

// drop takes the newest entry away.
func (r *ring[T]) drop() { r.n-- }

func (r *ring[T]) push(x T) {
	if r.n == len(r.buf) {
		r.room(x.at())
	}
	r.n++
	*r.last() = x
}

// room makes room for one more entry of the given time.
func (r *ring[T]) room(now clock.Time) {
	aged := r.n > 1 && (*r.get(1)).at() < now.Add(-timelineKeep)
	switch {
	case !aged && r.n < r.most:
		buf := make([]T, max(8, min(2*r.n, r.most)))
		copy(buf, r.buf[r.head:])
		copy(buf[len(r.buf)-r.head:], r.buf[:r.head])
		r.buf, r.head = buf, 0
	default:
		r.head = (r.head + 1) % len(r.buf)
		r.n--
		if !aged {
			r.lost = (*r.get(0)).at()
		}
	}
}

// since appends the entries from the one that is in force at a time on.
func (r *ring[T]) since(dst []T, from clock.Time) []T {
	lo, hi := 0, r.n
	for lo < hi {
		if mid := (lo + hi) / 2; (*r.get(mid)).at() <= from {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	for i := max(0, lo-1); i < r.n; i++ {
		dst = append(dst, *r.get(i))
	}
	return dst
}
