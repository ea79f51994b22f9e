package stats

import (
	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// CPUTime keeps what each CPU's time was counted as, and the run-queue wait of
// the threads that each CPU ran.
type CPUTime struct {
	cpus []cpuTime
	// waitFrom is when a thread's wait in a run queue began; −1 outside.
	waitFrom []clock.Time
	shared   []bool // it waits in a queue that is no CPU's
}

type cpuTime struct {
	mode   trace.CPUMode
	since  clock.Time
	closed [3]clock.Duration // by mode, up to the last change of mode
	due    clock.Duration    // kernel work that was charged and is still to be done
	wait   clock.Duration
	thread sched.ThreadID
}

// NewCPUTime returns accounts for so many CPUs, all idle.
func NewCPUTime(cpus int) *CPUTime {
	c := &CPUTime{cpus: make([]cpuTime, cpus)}
	for i := range c.cpus {
		c.cpus[i].thread = sched.None
	}
	return c
}

// Kinds implements trace.Chooser.
func (*CPUTime) Kinds() trace.Kinds {
	return trace.Of(trace.Created, trace.Mode, trace.Charged, trace.Queued, trace.On, trace.Off)
}

// Observe implements trace.Observer.
func (c *CPUTime) Observe(e *trace.Event) {
	switch e.Kind {
	case trace.Created:
		for int(e.Thread) >= len(c.waitFrom) {
			c.waitFrom = append(c.waitFrom, -1)
			c.shared = append(c.shared, false)
		}
	case trace.Mode:
		x := &c.cpus[e.CPU]
		x.closed = x.until(e.At)
		x.due -= min(x.due, e.At.Sub(x.since))
		x.mode, x.since = trace.CPUMode(e.A), e.At
	case trace.Charged:
		c.cpus[e.CPU].due += clock.Duration(e.A)
	case trace.Queued:
		c.queued(e)
	case trace.On:
		x := &c.cpus[e.CPU]
		x.thread = e.Thread
		if from := c.waitFrom[e.Thread]; from >= 0 {
			if !c.shared[e.Thread] {
				x.wait += e.At.Sub(from)
			}
			c.waitFrom[e.Thread] = -1
		}
	case trace.Off:
		c.cpus[e.CPU].thread = sched.None
		if waits(e.Cause) && c.waitFrom[e.Thread] < 0 {
			c.waitFrom[e.Thread] = e.At
		}
	default:
	}
}

// queued starts a wait when somebody else queued the thread. The thread of
// this very CPU starts its wait when the CPU switches away from it.
func (c *CPUTime) queued(e *trace.Event) {
	c.shared[e.Thread] = e.CPU == sched.NoCPU
	if e.CPU != sched.NoCPU && c.cpus[e.CPU].thread == e.Thread {
		return
	}
	if c.waitFrom[e.Thread] < 0 {
		c.waitFrom[e.Thread] = e.At
	}
}

func waits(c sched.Cause) bool {
	return c == sched.Preempted || c == sched.Yielded || c == sched.GaveWay || c == sched.Moved
}

// Closed is the time of a CPU in a mode up to its last change of mode.
func (c *CPUTime) Closed(cpu int, m trace.CPUMode) clock.Duration { return c.cpus[cpu].closed[m] }

// Time is the time of a CPU in a mode up to now.
func (c *CPUTime) Time(cpu int, m trace.CPUMode, now clock.Time) clock.Duration {
	return c.cpus[cpu].until(now)[m]
}

// until is the time in each mode up to now. Charged work delays whatever the CPU
// runs next: it is system time, and comes first.
func (x *cpuTime) until(now clock.Time) [3]clock.Duration {
	closed, elapsed := x.closed, now.Sub(x.since)
	kernel := min(x.due, elapsed)
	closed[x.mode] += elapsed - kernel
	closed[trace.SystemMode] += kernel
	return closed
}

// Wait is the run-queue wait of threads that were switched onto a CPU.
func (c *CPUTime) Wait(cpu int) clock.Duration { return c.cpus[cpu].wait }

// Mode is what a CPU's time is counted as now.
func (c *CPUTime) Mode(cpu int) trace.CPUMode { return c.cpus[cpu].mode }
