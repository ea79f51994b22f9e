package stats

import (
	"sort"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
)

// Ran is how long a thread was on CPUs within a span, and in how many stays. The
// threads None and OffLine stand for idle and for off-line time.
type Ran struct {
	Thread sched.ThreadID
	For    clock.Duration
	Stays  int64
}

// mostSummed is how many marks are looked at to tell who ran: some ten thousand
// take well under a millisecond.
const mostSummed = 8192

// Ran sums up what ran within a span on the CPUs for which on is true, the longest
// first. Where the span has too many marks, or some were dropped, its beginning is
// left out: since says from when on the sums are, exactly. It never exceeds to.
func (t *Timeline) Ran(on []bool, from, to clock.Time) (list []Ran, since clock.Time) {
	t.flushAll()
	n := 0
	for i := range t.cpus {
		if on[i] {
			n++
		}
	}
	since = from
	for i := range t.cpus {
		if !on[i] {
			continue
		}
		l := &t.cpus[i].marks
		since = max(since, l.whole())
		if last, room := l.at(to), max(1, mostSummed/n); last-l.at(from) > room {
			since = max(since, l.get(last-room).at)
		}
	}
	since = min(since, to)
	for i := range t.cpus {
		if on[i] && since < to {
			list = t.cpus[i].marks.ran(list, since, to)
		}
	}
	return ranked(list), since
}

// ran adds a row for each stay of a CPU within a span.
func (l *markLog) ran(list []Ran, from, to clock.Time) []Ran {
	for i := max(0, l.at(from)); i < l.n; i++ {
		m := l.get(i)
		a, b := max(m.at, from), min(l.until(i, to), to)
		if m.at >= to {
			break
		}
		if a >= b {
			continue
		}
		if k := len(list); m.same && m.at > from && k > 0 && list[k-1].Thread == m.thread {
			list[k-1].For += b.Sub(a)
			continue
		}
		list = append(list, Ran{m.thread, b.Sub(a), 1})
	}
	return list
}

// ranked adds the rows of each thread up, the longest first.
func ranked(list []Ran) []Ran {
	sort.SliceStable(list, func(i, j int) bool { return list[i].Thread < list[j].Thread })
	n := 0
	for i, r := range list {
		if i > 0 && list[n-1].Thread == r.Thread {
			list[n-1].For += r.For
			list[n-1].Stays += r.Stays
			continue
		}
		list[n] = r
		n++
	}
	list = list[:n]
	sort.SliceStable(list, func(i, j int) bool {
		if a, b := &list[i], &list[j]; a.For != b.For {
			return a.For > b.For
		}
		return list[i].Thread < list[j].Thread
	})
	return list
}
