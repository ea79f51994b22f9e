package stats_test

import (
	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

const second = clock.Time(clock.Second)

// history feeds events to observers and keeps what a machine would know.
type history struct {
	obs     []trace.Observer
	threads sched.ThreadID
	now     clock.Time
}

func (h *history) emit(e trace.Event) {
	e.At = h.now
	for _, o := range h.obs {
		o.Observe(&e)
	}
}

func (h *history) event(k trace.Kind, cpu int, th sched.ThreadID) {
	h.emit(trace.Event{Kind: k, CPU: int16(cpu), Thread: th, Other: sched.None})
}

// create makes a thread that waits at a CPU; NoCPU: at a shared queue.
func (h *history) create(cpu int) sched.ThreadID {
	th := h.threads
	h.threads++
	h.event(trace.Created, sched.NoCPU, th)
	h.wake(th, cpu)
	return th
}

func (h *history) wake(th sched.ThreadID, cpu int) {
	h.event(trace.Woke, 0, th)
	h.event(trace.Queued, cpu, th)
}

func (h *history) mode(cpu int, m trace.CPUMode) {
	h.emit(trace.Event{Kind: trace.Mode, CPU: int16(cpu), Thread: sched.None, A: int64(m)})
}

// run puts a waiting thread on a CPU, from which says where it was last.
func (h *history) run(th sched.ThreadID, cpu, from int) {
	h.mode(cpu, trace.SystemMode)
	h.emit(trace.Event{Kind: trace.On, CPU: int16(cpu), Thread: th, A: int64(from)})
	h.mode(cpu, trace.UserMode)
}

// stop takes a thread off its CPU, which idles then.
func (h *history) stop(th sched.ThreadID, cpu int, why sched.Cause) {
	h.mode(cpu, trace.SystemMode)
	h.emit(trace.Event{Kind: trace.Off, CPU: int16(cpu), Thread: th, Cause: why})
	h.mode(cpu, trace.IdleMode)
	h.event(trace.Idle, cpu, sched.None)
}

// charge takes kernel work from what a CPU's time counts as.
func (h *history) charge(cpu int, d clock.Duration) {
	h.emit(trace.Event{Kind: trace.Charged, CPU: int16(cpu), Thread: sched.None, A: int64(d)})
}

// seconds lets so many whole seconds begin.
func (h *history) seconds(n int) {
	for range n {
		h.now = h.now/second*second + second
		h.event(trace.Second, sched.NoCPU, sched.None)
	}
}
