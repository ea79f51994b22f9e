package stats

import (
	"strandscope/sim/clock"
	"strandscope/sim/sched"
)

// upTo is what a CPU did up to a time that has passed.
func (t *Timeline) upTo(cpu int, at clock.Time) Sums {
	return t.upToFrom(cpu, t.cpus[cpu].marks.at(at), at)
}

// upToFrom is upTo where the index of the mark in force is known.
func (t *Timeline) upToFrom(cpu, i int, at clock.Time) Sums {
	x := &t.cpus[cpu]
	if i >= 0 {
		m := x.marks.get(i)
		var waited clock.Duration
		if m.thread == sched.None {
			waited = t.besideIn(x, i, at)
		}
		p := m.upTo(at, waited)
		return Sums{p.user, p.system, p.beside, x.marks.offUpTo(at), int64(m.switches)}
	}
	m := x.marks.get(0)
	p := m.done
	return x.sums.upTo(at, m.at, Sums{p.user, p.system, p.beside, x.marks.offUpTo(m.at), int64(m.switches)})
}

// besideIn is how long threads waited from an idle CPU's mark to a time for
// which the mark is in force.
func (t *Timeline) besideIn(x *laneMarks, i int, at clock.Time) clock.Duration {
	l, m, since := &x.marks, x.marks.get(i), t.waits.since()
	if m.at >= since {
		return t.waits.upTo(at) - t.waits.upTo(m.at)
	}
	// What happened before since is forgotten, but not how much it was.
	until := since
	upTo := func(at clock.Time) clock.Duration { return t.waits.upTo(at) - x.waited }
	if i+1 < l.n {
		next := l.get(i + 1)
		all := next.done.beside - m.done.beside
		until = min(since, next.at)
		upTo = func(at clock.Time) clock.Duration { return all - (t.waits.upTo(next.at) - t.waits.upTo(at)) }
		if next.at <= since {
			upTo = func(clock.Time) clock.Duration { return all }
		}
	}
	if at >= until {
		return upTo(at)
	}
	return share(upTo(until), at.Sub(m.at), until.Sub(m.at))
}

// Span is a stay of a thread on a CPU, or of none.
type Span struct {
	CPU    int
	Thread sched.ThreadID // or None, OffLine
	From   clock.Time
	To     clock.Time // when it ended, or now
	Open   bool       // it goes on
	// Known is false where only sums are left of the time: then From and To are
	// those of the bucket.
	Known bool
	Why   sched.Reason // of the pick
	Came  sched.Cause  // why the thread was runnable
	Left  sched.Cause  // why it left
	Pri   int          // global priority when it came; −1 without one
	Next  sched.ThreadID
	Sums  Sums
}

// SpanAt is what a CPU did at a time, which is kept within the run.
func (t *Timeline) SpanAt(cpu int, at, now clock.Time) Span {
	t.flush(cpu)
	at = max(0, min(at, now))
	x := &t.cpus[cpu]
	l := &x.marks
	s := Span{CPU: cpu, Thread: sched.None, Pri: -1, Next: sched.None}
	i := l.at(at)
	if i < 0 {
		k := clock.Time(int64(at) / int64(x.sums.step))
		s.From, s.To = k*clock.Time(x.sums.step), min((k+1)*clock.Time(x.sums.step), l.whole())
		s.Thread, _ = x.sums.longest(s.From, s.To)
		s.Sums = t.upTo(cpu, s.To-1).Minus(t.upTo(cpu, s.From))
		return s
	}
	first, end := i, i+1
	for first > 0 && l.get(first).same {
		first--
	}
	for end < l.n && l.get(end).same {
		end++
	}
	m := l.get(first)
	s.Known, s.Thread, s.From, s.To, s.Open = true, m.thread, m.at, now, end == l.n
	s.Why, s.Came, s.Pri = m.why, m.came, int(m.pri)
	if !s.Open {
		next := l.get(end)
		s.To, s.Left, s.Next = next.at, next.left, next.thread
	}
	s.Sums = t.upTo(cpu, s.To).Minus(t.upTo(cpu, s.From))
	return s
}
