package stats

import (
	"fmt"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// Fixed point and factors of the Linux 2.2 load average (include/linux/sched.h,
// kernel/sched.c: calc_load; shared/reference/linux22/FACTS.md §13).
const (
	fixedShift = 11
	fixedOne   = 1 << fixedShift
	loadEvery  = 500 // ticks between samples
)

var loadFactors = [3]uint32{1884, 2014, 2037}

// LinuxLoad is the load average of Linux 2.2 and, Wide, of 2.6 (kernel/timer.c:
// calc_load): about every five seconds the number of tasks that are running or
// runnable, filtered in words of 32 or 64 bits. It truncates, so that from below it
// never reaches the number. Tasks in an uninterruptible sleep would count; none of the
// engine's sleeps is one.
type LinuxLoad struct {
	Wide   bool
	active int
	raw    [3]uint64
	every  clock.Duration // 0: samples are asked for
	next   clock.Time
}

// NewLinuxLoad returns that of 2.2, which samples by itself each 500 ticks, from tick
// 501 on.
func NewLinuxLoad(tick clock.Duration) *LinuxLoad { return sampled(tick, loadEvery) }

// NewLinux26Load returns that of 2.6, which samples by itself, the first time one tick
// after so many ticks.
func NewLinux26Load(tick clock.Duration, ticks int64) *LinuxLoad {
	l := sampled(tick, ticks)
	l.Wide = true
	return l
}

func sampled(tick clock.Duration, ticks int64) *LinuxLoad {
	every := clock.Duration(ticks) * tick
	return &LinuxLoad{every: every, next: clock.Time(every + tick)}
}

// Observe implements trace.Observer. A sample is taken before anything that
// happens at its tick.
func (l *LinuxLoad) Observe(e *trace.Event) {
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
func (l *LinuxLoad) CatchUp(now clock.Time) {
	for l.every > 0 && now >= l.next {
		l.Sample()
		l.next = l.next.Add(l.every)
	}
}

// Sample filters the present number of active tasks.
func (l *LinuxLoad) Sample() { l.Filter(uint64(l.active)) }

// Filter takes a number of active tasks.
func (l *LinuxLoad) Filter(active uint64) {
	for i, f := range loadFactors {
		v := l.raw[i]*uint64(f) + active*fixedOne*uint64(fixedOne-f)
		if !l.Wide {
			v = uint64(uint32(v)) // what overflows is lost
		}
		l.raw[i] = v >> fixedShift
	}
}

// Active is the number of tasks running or runnable.
func (l *LinuxLoad) Active() int { return l.active }

// Raw are the averages with 11 fraction bits.
func (l *LinuxLoad) Raw() [3]uint64 { return l.raw }

// Avenrun implements LoadAverage: 1/256 threads, cut.
func (l *LinuxLoad) Avenrun() [3]int64 {
	var a [3]int64
	for i, v := range l.raw {
		a[i] = int64(v >> 3)
	}
	return a
}

// Texts are the averages as /proc/loadavg prints them: half a hundredth is
// added, then the rest is cut.
func (l *LinuxLoad) Texts() [3]string {
	var t [3]string
	for i, v := range l.raw {
		v += fixedOne / 200
		t[i] = fmt.Sprintf("%d.%02d", v>>fixedShift, ((v&(fixedOne-1))*100)>>fixedShift)
	}
	return t
}

// String is the first three fields of /proc/loadavg.
func (l *LinuxLoad) String() string {
	t := l.Texts()
	return t[0] + " " + t[1] + " " + t[2]
}
