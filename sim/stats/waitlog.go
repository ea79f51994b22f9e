package stats

import (
	"sort"

	"strandscope/sim/clock"
)

// A wait log has at most maxWaits entries, 3 MB.
const (
	waitBlock = 128
	maxWaits  = 1 << 17
)

// wait says that from at on threads waited, or none did. Before is how long
// threads had waited up to at.
type wait struct {
	at     clock.Time
	before clock.Duration
	on     bool
}

// waitLog keeps when threads waited on the machine; the oldest entries go.
type waitLog struct {
	blocks[wait, [waitBlock]wait]
	last wait // of open
	lost bool
}

func (l *waitLog) push(w wait) {
	if l.blocks.push(w) && len(l.sealed) > maxWaits/waitBlock {
		l.forget()
		l.lost = true
	}
	l.last = w
}

// set notes that threads wait from now on, or none does.
func (l *waitLog) set(at clock.Time, on bool) {
	if l.n() > 0 && l.last.at == at {
		l.open = l.open[:len(l.open)-1]
		if n := l.n(); n > 0 {
			l.last = *l.get(n - 1)
		}
	}
	if l.n() > 0 && l.last.on == on {
		return
	}
	l.push(wait{at, l.total(at), on})
}

// total is how long threads waited up to a time that is not before the last
// entry.
func (l *waitLog) total(at clock.Time) clock.Duration {
	if l.n() == 0 {
		return 0
	}
	return l.last.upTo(at)
}

func (w *wait) upTo(at clock.Time) clock.Duration {
	if w.on {
		return w.before + at.Sub(w.at)
	}
	return w.before
}

// since is the time from which on all entries are there.
func (l *waitLog) since() clock.Time {
	if !l.lost {
		return 0
	}
	return l.get(0).at
}

// upTo is how long threads waited up to a time, since at the earliest.
func (l *waitLog) upTo(at clock.Time) clock.Duration {
	if at >= l.last.at {
		return l.last.upTo(at)
	}
	b := sort.Search(len(l.sealed), func(i int) bool { return l.sealed[i][waitBlock-1].at > at })
	lo, hi := b*waitBlock, min((b+1)*waitBlock, l.n())
	for lo < hi {
		if mid := (lo + hi) / 2; l.get(mid).at <= at {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == 0 {
		return 0
	}
	return l.get(lo - 1).upTo(at)
}
