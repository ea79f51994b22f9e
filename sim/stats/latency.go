package stats

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"strandscope/sim/clock"
	"strandscope/sim/order"
	"strandscope/sim/trace"
)

// Distribution counts durations in buckets less than a 128th of their value
// wide; each knows its smallest and largest sample. A quantile is exact where
// its bucket holds one value only, as it does when everything happens on clock
// ticks, and otherwise too large by less than a 128th. The zero value is empty.
type Distribution struct {
	Count   int64
	Max     clock.Duration
	Sum     clock.Duration
	buckets []bucket // those in use, in order
}

type bucket struct {
	index    int32
	n        int64
	min, max clock.Duration
}

// bucketOf is linear below 256 ns and has 128 buckets to each doubling above.
func bucketOf(d clock.Duration) int32 {
	e := max(0, bits.Len64(uint64(d))-8)
	return int32(e<<7) + int32(d>>e)
}

// Add counts a duration; one below zero counts as zero.
func (x *Distribution) Add(d clock.Duration) {
	d = max(d, 0)
	x.Count++
	x.Sum += d
	x.Max = max(x.Max, d)
	i, found := slices.BinarySearchFunc(x.buckets, bucketOf(d), func(b bucket, index int32) int {
		return int(b.index) - int(index)
	})
	if !found {
		x.buckets = order.Insert(x.buckets, i, bucket{index: bucketOf(d), min: d, max: d})
	}
	b := &x.buckets[i]
	b.n++
	b.min, b.max = min(b.min, d), max(b.max, d)
}

// Quantile is the smallest sample that so many per cent of all samples do not
// exceed; exact says whether it is that or a bound just above it.
func (x *Distribution) Quantile(percent int64) (d clock.Duration, exact bool) {
	need := (x.Count*percent + 99) / 100
	for _, b := range x.buckets {
		if need -= b.n; need <= 0 {
			return b.max, b.min == b.max
		}
	}
	return x.Max, true
}

// Octave is a range of durations, each end twice the one below.
type Octave struct {
	From, Below clock.Duration
	Count       int64
}

// Octaves are the counts on a logarithmic scale, from the first to the last that
// is not empty. Below a microsecond there is one, [0, 1 µs).
func (x *Distribution) Octaves() []Octave {
	var out []Octave
	for _, b := range x.buckets {
		for len(out) == 0 || b.min >= out[len(out)-1].Below {
			next := Octave{From: 0, Below: clock.Microsecond}
			if n := len(out); n > 0 {
				next = Octave{From: out[n-1].Below, Below: 2 * out[n-1].Below}
			}
			for len(out) == 0 && b.min >= next.Below {
				next = Octave{From: next.Below, Below: 2 * next.Below}
			}
			out = append(out, next)
		}
		// A bucket that lies across the border of two octaves counts where it
		// begins.
		out[len(out)-1].Count += b.n
	}
	return out
}

// Latency is the time from being made runnable, by a wake-up or a fork, to a
// CPU, for each name of threads and for all user threads together.
type Latency struct {
	naming
	woke   []clock.Time // by thread; −1: it does not wait after a wake-up
	byName []Distribution
	All    Distribution // user threads
}

// NewLatency returns an empty account.
func NewLatency(r Roster) *Latency { return &Latency{naming: newNaming(r)} }

// Observe implements trace.Observer.
func (l *Latency) Observe(e *trace.Event) {
	switch e.Kind {
	case trace.Woke:
		l.woke = grown(l.woke, e.Thread, -1)
		l.woke[e.Thread] = e.At
	case trace.On:
		l.woke = grown(l.woke, e.Thread, -1)
		woke := l.woke[e.Thread]
		if woke < 0 {
			return
		}
		l.woke[e.Thread] = -1
		l.add(l.name(e.Thread), e.At.Sub(woke))
	default:
	}
}

func (l *Latency) add(name int, d clock.Duration) {
	for name >= len(l.byName) {
		l.byName = append(l.byName, Distribution{})
	}
	l.byName[name].Add(d)
	if !l.kernel[name] {
		l.All.Add(d)
	}
}

// Of is the account of a name; nil where no thread of that name woke.
func (l *Latency) Of(name string) *Distribution {
	if i, known := l.index[name]; known && int(i) < len(l.byName) {
		return &l.byName[i]
	}
	return nil
}

// Report prints the accounts.
func (l *Latency) Report(to *Listing) {
	w := width(l.list, "all user threads")
	to.printf("wake-up latency: from runnable to a CPU")
	to.printf("%-*s  %9s  %12s  %12s  %12s  %12s", w, "task", "wake-ups", "mean ms", "p50 ms", "p99 ms", "max ms")
	for i := range l.byName {
		l.byName[i].row(to, l.list[i], w)
	}
	l.All.row(to, "all user threads", w)
	to.printf("")
	to.printf("all user threads, each range twice the one before; empty ranges are left out")
	var most int64
	octaves := l.All.Octaves()
	for _, o := range octaves {
		most = max(most, o.Count)
	}
	for _, o := range octaves {
		if o.Count == 0 {
			continue
		}
		to.printf("%12s to %12s ms  %9d  %s", millis(o.From), millis(o.Below), o.Count,
			strings.Repeat("#", int((40*o.Count+most-1)/most)))
	}
}

func (x *Distribution) row(to *Listing, name string, width int) {
	quantile := func(p int64) string {
		d, exact := x.Quantile(p)
		if !exact {
			return "≤ " + millis(d)
		}
		return millis(d)
	}
	mean := "-"
	if x.Count > 0 {
		mean = Ratio(int64(x.Sum)/int64(clock.Microsecond), 1000*x.Count, 3)
	}
	to.printf("%-*s  %9d  %12s  %12s  %12s  %12s", width, name, x.Count, mean, quantile(50), quantile(99), millis(x.Max))
}

// millis writes milliseconds with three decimals.
func millis(d clock.Duration) string {
	us := int64(d / clock.Microsecond)
	return fmt.Sprintf("%d.%03d", us/1000, us%1000)
}
