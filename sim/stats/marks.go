package stats

import (
	"sort"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// Sums are times that a CPU, or several, spent up to a moment or within a span.
// User and System are the time with a thread on the CPU, Beside the idle time
// while threads waited somewhere on the machine. What is left of the time is
// other idle time, or off-line.
type Sums struct {
	User, System, Beside, Off clock.Duration
	Switches                  int64 // times a CPU turned to another thread or to none
}

// Busy is the time with a thread on the CPU.
func (s *Sums) Busy() clock.Duration { return s.User + s.System }

// Add adds another sum.
func (s *Sums) Add(o Sums) {
	s.User += o.User
	s.System += o.System
	s.Beside += o.Beside
	s.Off += o.Off
	s.Switches += o.Switches
}

// Minus is what s has more than o.
func (s Sums) Minus(o Sums) Sums {
	return Sums{s.User - o.User, s.System - o.System, s.Beside - o.Beside, s.Off - o.Off, s.Switches - o.Switches}
}

// mark says what a CPU turned to, until its next mark.
type mark struct {
	at       clock.Time
	done     prefix
	why      sched.Reason // of the pick
	thread   sched.ThreadID
	switches uint32 // so far, this one included
	due      uint32 // ns of kernel work that come first, 4.29 s at most
	pri      int16
	mode     trace.CPUMode
	came     sched.Cause // why the thread was runnable
	left     sched.Cause // why the thread before left
	same     bool        // it goes on with the thread of the mark before
}

// prefix is a CPU's times up to a mark. Off-line time is not part of it: it is
// what the others and idle leave, and is found in offs.
type prefix struct{ user, system, beside clock.Duration }

// rest is how much kernel work is still due at a time.
func (m *mark) rest(at clock.Time) uint32 {
	return m.due - uint32(min(clock.Duration(m.due), at.Sub(m.at)))
}

// upTo is a CPU's times up to a moment for which the mark is in force; waited is
// how long threads waited from the mark to then.
func (m *mark) upTo(at clock.Time, waited clock.Duration) prefix {
	s, d := m.done, at.Sub(m.at)
	switch {
	case m.thread >= 0:
		kernel := min(clock.Duration(m.due), d)
		if m.mode == trace.SystemMode {
			kernel = d
		}
		s.system += kernel
		s.user += d - kernel
	case m.thread == sched.None:
		s.beside += waited
	}
	return s
}

// markSeal is a full block of marks. It is never changed.
type markSeal struct {
	m      [markBlock]mark
	end    clock.Time     // where the next block begins
	thread sched.ThreadID // that has the longest stay within the block
	best   clock.Duration
}

// markLog is a CPU's marks: full blocks, then the open one.
type markLog struct {
	sealed []*markSeal
	open   []mark
	n      int
	lost   bool // some were dropped
	offs   []offMark
}

// offMark is a moment at which a CPU went off-line or came back. They are as
// rare as the commands that do that.
type offMark struct {
	at     clock.Time
	before clock.Duration
	off    bool
}

func (l *markLog) get(i int) *mark {
	if b := i / markBlock; b < len(l.sealed) {
		return &l.sealed[b].m[i%markBlock]
	}
	return &l.open[i-len(l.sealed)*markBlock]
}

func (l *markLog) last() *mark { return l.get(l.n - 1) }

// drop takes the newest mark away. A block is closed only when there is one
// more mark, so the newest is never in a closed one unless that was dropped.
func (l *markLog) drop() {
	l.open = l.open[:len(l.open)-1]
	l.n--
	if k := len(l.offs); k > 0 && (l.n == 0 || l.offs[k-1].at > l.last().at) {
		l.offs = l.offs[:k-1]
	}
}

// reopen takes back that a block was closed for a mark that took no time: the
// last mark of the block goes on.
func (l *markLog) reopen() bool {
	if len(l.open) > 0 || len(l.sealed) == 0 {
		return false
	}
	k := len(l.sealed) - 1
	l.open = append(l.open, l.sealed[k].m[:]...)
	l.sealed[k] = nil
	l.sealed = l.sealed[:k]
	return true
}

// push adds a mark and reports whether a block was closed for it.
func (l *markLog) push(m mark) (closed bool) {
	if len(l.open) == markBlock {
		s := &markSeal{end: m.at}
		copy(s.m[:], l.open)
		s.thread, s.best = longestStay(s.m[:], s.m[0].at, m.at, m.at)
		l.sealed = append(l.sealed, s)
		l.open = l.open[:0]
		closed = true
	}
	l.open = append(l.open, m)
	l.n++
	l.off(m.at, m.thread == OffLine)
	return closed
}

func (l *markLog) off(at clock.Time, off bool) {
	k := len(l.offs)
	if k == 0 && !off || k > 0 && l.offs[k-1].off == off {
		return
	}
	o := offMark{at: at, off: off}
	if k > 0 {
		if o.before = l.offs[k-1].before; l.offs[k-1].off {
			o.before += at.Sub(l.offs[k-1].at)
		}
	}
	l.offs = append(l.offs, o)
}

// offUpTo is how long the CPU was off-line up to a time.
func (l *markLog) offUpTo(at clock.Time) clock.Duration {
	i := sort.Search(len(l.offs), func(i int) bool { return l.offs[i].at > at }) - 1
	if i < 0 {
		return 0
	}
	if o := l.offs[i]; o.off {
		return o.before + at.Sub(o.at)
	}
	return l.offs[i].before
}

// thin drops the oldest block.
func (l *markLog) thin() {
	l.sealed[0] = nil
	l.sealed = l.sealed[1:]
	l.n -= markBlock
	l.lost = true
}

// whole is the time from which on no mark was dropped.
func (l *markLog) whole() clock.Time {
	if !l.lost {
		return 0
	}
	return l.get(0).at
}

// at is the index of the mark in force at a time; −1: it was dropped.
func (l *markLog) at(t clock.Time) int {
	b := sort.Search(len(l.sealed), func(i int) bool { return l.sealed[i].end > t })
	lo, hi := b*markBlock, min((b+1)*markBlock, l.n)
	for lo < hi {
		if mid := (lo + hi) / 2; l.get(mid).at <= t {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo - 1
}

// from is at for a time that is not before the mark of an index, or any if that
// is −1: mostly it is that one or one of the next.
func (l *markLog) from(i int, t clock.Time) int {
	if i < 0 {
		return l.at(t)
	}
	step := 1
	for i+step < l.n && l.get(i+step).at <= t {
		i, step = i+step, 2*step
	}
	lo, hi := i+1, min(i+step, l.n)
	for lo < hi {
		if mid := (lo + hi) / 2; l.get(mid).at <= t {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo - 1
}

// until is when the mark of an index ends.
func (l *markLog) until(i int, now clock.Time) clock.Time {
	if i+1 < l.n {
		return l.get(i + 1).at
	}
	return now
}

// longest is the thread with the longest stay on the CPU within a span, and how
// long that is; stays are cut at the span's ends and between blocks.
func (l *markLog) longest(from, to clock.Time) (sched.ThreadID, clock.Duration) {
	return l.longestFrom(l.at(from), from, to)
}

// longestFrom is longest where the index of the mark in force at from is known.
func (l *markLog) longestFrom(i int, from, to clock.Time) (sched.ThreadID, clock.Duration) {
	th, best := sched.None, clock.Duration(0)
	take := func(t sched.ThreadID, d clock.Duration) {
		if d > best {
			th, best = t, d
		}
	}
	i = max(0, i)
	for b := i / markBlock; b <= len(l.sealed); b++ {
		if b == len(l.sealed) {
			first := max(i, b*markBlock) - b*markBlock
			take(longestStay(l.open[min(first, len(l.open)):], from, to, to))
			break
		}
		s := l.sealed[b]
		switch {
		case s.m[0].at >= to:
			return th, best
		case s.m[0].at >= from && s.end <= to:
			take(s.thread, s.best)
		default:
			take(longestStay(s.m[max(i, b*markBlock)-b*markBlock:], from, to, s.end))
		}
	}
	return th, best
}

// longestStay looks through marks, the last of which ends at end.
func longestStay(ms []mark, from, to, end clock.Time) (th sched.ThreadID, best clock.Duration) {
	th = sched.None
	var begun clock.Time
	for i := range ms {
		m := &ms[i]
		if m.at >= to {
			break
		}
		if i == 0 || !m.same {
			begun = max(m.at, from)
		}
		until := end
		if i+1 < len(ms) {
			until = ms[i+1].at
		}
		if d := min(until, to).Sub(begun); m.thread >= 0 && d > best {
			th, best = m.thread, d
		}
	}
	return th, best
}
