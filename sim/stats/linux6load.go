package stats

import (
	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// When Linux 6 samples (include/linux/sched/loadavg.h: LOAD_FREQ; timer.c): each
// 5 seconds and a tick, counted ten ticks before the averages move.
const (
	load6Every = 1251 // ticks of 4 ms
	load6Later = 10
)

// Linux6Load is the load average of Linux 4.7 and later, verified to the last bit
// against 6.1, 6.12 and 6.18 (shared/reference/real/README.md, section 2): it rounds up
// while it rises, so that it reaches the number of tasks. What counts is each CPU's
// number of queued tasks, so a sleeper whose dequeue is delayed counts too.
type Linux6Load struct {
	LinuxLoad
	tick                 clock.Duration
	delayed              int
	counted              uint32
	taken                bool // the count, but not yet the averages
	stays, awake, leaves uint16
}

// NewLinux6Load returns a load average that samples by itself. The codes are those of
// the policy's notes that a sleeper stays queued, that it is awake there, and that it
// has left.
func NewLinux6Load(tick clock.Duration, stays, awake, leaves uint16) *Linux6Load {
	l := &Linux6Load{tick: tick, stays: stays, awake: awake, leaves: leaves}
	l.next = clock.Time(load6Every * tick)
	return l
}

// Observe implements trace.Observer.
func (l *Linux6Load) Observe(e *trace.Event) {
	l.CatchUp(e.At)
	switch {
	case e.Kind == trace.Woke:
		l.active++
	case e.Kind == trace.Off && (e.Cause == sched.Blocked || e.Cause == sched.Exited):
		l.active--
	case e.Kind == trace.Note && e.Why.Code == l.stays:
		l.delayed++
	case e.Kind == trace.Note && (e.Why.Code == l.awake || e.Why.Code == l.leaves):
		l.delayed--
	}
}

// CatchUp takes the samples that are due by now.
func (l *Linux6Load) CatchUp(now clock.Time) {
	for {
		switch {
		case !l.taken && now >= l.next:
			l.counted, l.taken = uint32(l.active+l.delayed), true
		case l.taken && now >= l.next.Add(load6Later*l.tick):
			l.Filter(l.counted)
			l.next, l.taken = l.next.Add(load6Every*l.tick), false
		default:
			return
		}
	}
}

// Filter takes a number of active tasks.
func (l *Linux6Load) Filter(active uint32) {
	for i, f := range loadFactors {
		l.raw[i] = uint64(CalcLoad6(uint32(l.raw[i]), f, active))
	}
}

// CalcLoad6 is an average after an update with a number of active tasks
// (include/linux/sched/loadavg.h: calc_load). Averages and factors are in 1/2048.
func CalcLoad6(old, factor, active uint32) uint32 {
	a := uint64(active) * fixedOne
	v := uint64(old)*uint64(factor) + a*uint64(fixedOne-factor)
	if a >= uint64(old) {
		v += fixedOne - 1
	}
	return uint32(v >> fixedShift)
}

// Active is the number of tasks that count.
func (l *Linux6Load) Active() int { return l.active + l.delayed }

// Resume sets the averages, in 1/2048, and when the next count is taken; 0: as it is.
func (l *Linux6Load) Resume(raw [3]uint64, next clock.Time) {
	l.raw = raw
	if next > 0 {
		l.next = next
	}
}
