package stats

import (
	"fmt"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// Linux26Load is the load average of Linux 2.6.22 and 2.6.24 (kernel/timer.c:
// calc_load): the arithmetic of 2.2 in 64-bit words, about every five seconds. Tasks
// in an uninterruptible sleep count as active; none of the engine's sleeps is one.
type Linux26Load struct {
	active int
	raw    [3]uint64
	every  clock.Duration // 0: samples are asked for
	next   clock.Time
}

// NewLinux26Load samples by itself, the first time one tick after so many ticks.
func NewLinux26Load(tick clock.Duration, ticks int64) *Linux26Load {
	every := clock.Duration(ticks) * tick
	return &Linux26Load{every: every, next: clock.Time(every + tick)}
}

// Observe implements trace.Observer. A sample is taken before anything that
// happens at its tick.
func (l *Linux26Load) Observe(e *trace.Event) {
	l.CatchUp(e.At)
	switch e.Kind {
	case trace.Woke:
		l.active++
	case trace.Off:
		if e.Cause == sched.Blocked || e.Cause == sched.Exited {
			l.active--
		}
	default:
	}
}

// CatchUp takes the samples that are due by now.
func (l *Linux26Load) CatchUp(now clock.Time) {
	for l.every > 0 && now >= l.next {
		l.Filter(int64(l.active))
		l.next = l.next.Add(l.every)
	}
}

// Filter takes a number of active tasks.
func (l *Linux26Load) Filter(active int64) {
	for i, f := range loadFactors {
		l.raw[i] = (l.raw[i]*uint64(f) + uint64(active)*fixedOne*uint64(fixedOne-f)) >> fixedShift
	}
}

// Raw are the averages with 11 fraction bits.
func (l *Linux26Load) Raw() [3]uint64 { return l.raw }

// Avenrun implements LoadAverage: 1/256 threads, cut.
func (l *Linux26Load) Avenrun() [3]int64 {
	var a [3]int64
	for i, v := range l.raw {
		a[i] = int64(v >> 3)
	}
	return a
}

// Texts are the averages as /proc/loadavg prints them: half a hundredth is
// added, then the rest is cut.
func (l *Linux26Load) Texts() [3]string {
	var t [3]string
	for i, v := range l.raw {
		v += fixedOne / 200
		t[i] = fmt.Sprintf("%d.%02d", v>>fixedShift, ((v&(fixedOne-1))*100)>>fixedShift)
	}
	return t
}

// String is the first three fields of /proc/loadavg.
func (l *Linux26Load) String() string {
	t := l.Texts()
	return t[0] + " " + t[1] + " " + t[2]
}
