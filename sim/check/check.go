// Package check holds the observer that rejects impossible histories: a thread
// in two places, a switch that no run queue explains, time that runs backwards,
// time that gets lost. It runs in every test.
//
// It imports sim/clock, sim/sched and sim/trace, so it can check a recorded
// trace as well as a run.
package check

import (
	"fmt"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// History checks events as they come. Err is the first thing that cannot be.
type History struct {
	now     clock.Time
	threads []thread
	cpus    []cpu
	odd     int // CPUs whose mode does not fit what they run
	n       int64
	err     error
}

type thread struct {
	state sched.State
	cpu   int16
}

type cpu struct {
	thread sched.ThreadID
	mode   trace.CPUMode
	since  clock.Time
	spent  [3]clock.Duration
	odd    bool
}

// refit is called when a CPU's thread or mode changed. Within one instant the
// two need not fit; while time passes they must.
func (h *History) refit(c *cpu) {
	odd := (c.thread != sched.None && c.mode == trace.IdleMode) || (c.thread == sched.None && c.mode == trace.UserMode)
	if odd == c.odd {
		return
	}
	c.odd = odd
	if odd {
		h.odd++
	} else {
		h.odd--
	}
}

// New returns a checker for a machine of so many CPUs, all idle.
func New(cpus int) *History {
	h := &History{cpus: make([]cpu, cpus)}
	for i := range h.cpus {
		h.cpus[i].thread = sched.None
	}
	return h
}

// Err is the first impossible event, or nil.
func (h *History) Err() error { return h.err }

// Observe implements trace.Observer.
func (h *History) Observe(e *trace.Event) {
	h.n++
	if h.err != nil {
		return
	}
	if e.At < h.now {
		h.fail(e, "time runs backwards from %v", h.now)
		return
	}
	if e.At > h.now && h.odd > 0 {
		h.fail(e, "until now %d CPUs ran a thread and counted as idle, or the other way round", h.odd)
		return
	}
	h.now = e.At
	if e.CPU != sched.NoCPU && (e.CPU < 0 || int(e.CPU) >= len(h.cpus)) {
		h.fail(e, "no such CPU")
		return
	}
	if e.CPU == sched.NoCPU && needsCPU(e.Kind) {
		h.fail(e, "it names no CPU")
		return
	}
	if e.Kind == trace.Created {
		if int(e.Thread) != len(h.threads) {
			h.fail(e, "thread ids must be dense, the next is %d", len(h.threads))
			return
		}
		if e.Other < sched.None || e.Other >= e.Thread {
			h.fail(e, "thread %d cannot be its parent", e.Other)
			return
		}
		h.threads = append(h.threads, thread{state: sched.Sleeping, cpu: sched.NoCPU})
		return
	}
	if e.Thread != sched.None && (e.Thread < 0 || int(e.Thread) >= len(h.threads)) {
		h.fail(e, "no such thread")
		return
	}
	if e.Thread == sched.None && needsThread(e.Kind) {
		h.fail(e, "it names no thread")
		return
	}
	h.step(e)
}

// needsCPU and needsThread tell which kinds of events are about one.
func needsCPU(k trace.Kind) bool {
	switch k {
	case trace.On, trace.Off, trace.Idle, trace.Preempt, trace.Mode, trace.Charged:
		return true
	default:
		return false
	}
}

func needsThread(k trace.Kind) bool {
	switch k {
	case trace.Woke, trace.Queued, trace.On, trace.Off, trace.Preempt:
		return true
	default:
		return false
	}
}

func (h *History) step(e *trace.Event) {
	switch e.Kind {
	case trace.Woke:
		h.want(e, sched.Sleeping)
		h.threads[e.Thread].state = sched.Waiting
	case trace.Queued:
		// The running thread is queued just before it leaves its CPU.
		if s := h.threads[e.Thread].state; s != sched.Waiting && s != sched.Running {
			h.fail(e, "a thread that is %v cannot be queued", s)
		}
	case trace.On:
		h.want(e, sched.Waiting)
		c := &h.cpus[e.CPU]
		if c.thread != sched.None {
			h.fail(e, "the CPU runs thread %d", c.thread)
		}
		c.thread = e.Thread
		h.refit(c)
		h.threads[e.Thread] = thread{sched.Running, e.CPU}
	case trace.Off:
		h.want(e, sched.Running)
		if h.cpus[e.CPU].thread != e.Thread {
			h.fail(e, "the CPU runs thread %d", h.cpus[e.CPU].thread)
		}
		if e.Cause < sched.Preempted || e.Cause > sched.Exited {
			h.fail(e, "a thread does not leave a CPU because it was %v", e.Cause)
		}
		h.cpus[e.CPU].thread = sched.None
		h.refit(&h.cpus[e.CPU])
		h.threads[e.Thread].state = after(e.Cause)
	case trace.Preempt:
		h.want(e, sched.Running)
		if h.cpus[e.CPU].thread != e.Thread {
			h.fail(e, "the CPU runs thread %d", h.cpus[e.CPU].thread)
		}
	case trace.Idle:
		if h.cpus[e.CPU].thread != sched.None {
			h.fail(e, "the CPU runs thread %d", h.cpus[e.CPU].thread)
		}
	case trace.Mode:
		c := &h.cpus[e.CPU]
		if e.A < 0 || e.A >= int64(len(c.spent)) {
			h.fail(e, "mode %d is unknown", e.A)
			return
		}
		c.spent[c.mode] += e.At.Sub(c.since)
		c.mode, c.since = trace.CPUMode(e.A), e.At
		h.refit(c)
		if c.mode == trace.UserMode && c.thread == sched.None {
			h.fail(e, "user mode without a thread")
		}
	case trace.Charged:
		if e.A <= 0 {
			h.fail(e, "%d ns charged", e.A)
		}
	case trace.Created, trace.Second, trace.Note, trace.Changed:
	default:
		h.fail(e, "unknown kind")
	}
}

func after(c sched.Cause) sched.State {
	switch c {
	case sched.Blocked:
		return sched.Sleeping
	case sched.Exited:
		return sched.Gone
	default:
		return sched.Waiting
	}
}

func (h *History) want(e *trace.Event, s sched.State) {
	if got := h.threads[e.Thread].state; got != s {
		h.fail(e, "the thread is %v, want %v", got, s)
	}
}

func (h *History) fail(e *trace.Event, format string, args ...any) {
	if h.err == nil {
		h.err = fmt.Errorf("event %d at %v, %v of thread %d on CPU %d: %s",
			h.n, e.At, e.Kind, e.Thread, e.CPU, fmt.Sprintf(format, args...))
	}
}

// Finish checks what must hold when a run stops at now: every CPU's time adds
// up to the whole, and what runs is in user or system mode.
func (h *History) Finish(now clock.Time) error {
	if h.err == nil && now < h.now {
		h.err = fmt.Errorf("the run ends at %v, before its last event at %v", now, h.now)
	}
	for i := range h.cpus {
		c := &h.cpus[i]
		sum := now.Sub(c.since)
		for _, d := range c.spent {
			sum += d
		}
		if h.err == nil && sum != clock.Duration(now) {
			h.err = fmt.Errorf("CPU %d: %d ns accounted for, the run took %d", i, sum, now)
		}
		if h.err == nil && c.thread != sched.None && c.mode == trace.IdleMode {
			h.err = fmt.Errorf("CPU %d runs thread %d and counts as idle", i, c.thread)
		}
	}
	return h.err
}
