package check_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/check"
	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// Builders of events. None of them names what the kind does not need.
func event(at clock.Time, k trace.Kind, cpu int16, th sched.ThreadID) trace.Event {
	return trace.Event{At: at, Kind: k, CPU: cpu, Thread: th, Other: sched.None, Pri: -1}
}

func created(at clock.Time, th, parent sched.ThreadID) trace.Event {
	e := event(at, trace.Created, sched.NoCPU, th)
	e.Other = parent
	return e
}
func woke(at clock.Time, th sched.ThreadID) trace.Event { return event(at, trace.Woke, 0, th) }
func queued(at clock.Time, cpu int16, th sched.ThreadID) trace.Event {
	return event(at, trace.Queued, cpu, th)
}

func on(at clock.Time, cpu int16, th sched.ThreadID) trace.Event { return event(at, trace.On, cpu, th) }

func off(at clock.Time, cpu int16, th sched.ThreadID, why sched.Cause) trace.Event {
	e := event(at, trace.Off, cpu, th)
	e.Cause = why
	return e
}
func idle(at clock.Time, cpu int16) trace.Event { return event(at, trace.Idle, cpu, sched.None) }
func preempt(at clock.Time, cpu int16, th sched.ThreadID) trace.Event {
	return event(at, trace.Preempt, cpu, th)
}

func mode(at clock.Time, cpu int16, m int64) trace.Event {
	e := event(at, trace.Mode, cpu, sched.None)
	e.A = m
	return e
}

func charged(at clock.Time, cpu int16, ns int64) trace.Event {
	e := event(at, trace.Charged, cpu, sched.None)
	e.A = ns
	return e
}

const (
	idleMode = int64(trace.IdleMode)
	user     = int64(trace.UserMode)
	system   = int64(trace.SystemMode)
)

// running is a history in which thread 0 runs on CPU 0 since time 10.
func running() []trace.Event {
	return []trace.Event{
		created(0, 0, sched.None), woke(10, 0), queued(10, 0, 0), mode(10, 0, system), on(10, 0, 0), mode(10, 0, user),
	}
}

func observe(events ...trace.Event) *check.History {
	h := check.New(2)
	for i := range events {
		h.Observe(&events[i])
	}
	return h
}

func TestAPossibleHistoryIsAccepted(t *testing.T) {
	events := append(running(),
		event(20, trace.Second, sched.NoCPU, sched.None),
		charged(20, 0, 5),
		event(20, trace.Note, 0, 0),
		mode(30, 0, system), preempt(30, 0, 0), queued(30, 0, 0), mode(30, 0, user), // picked again
		mode(40, 0, system), created(40, 1, 0), woke(40, 1), queued(40, 1, 1),
		off(40, 0, 0, sched.GaveWay), idle(40, 0), // counts as system until it next leaves idle
		mode(40, 1, system), on(40, 1, 1), mode(40, 1, user),
		on(50, 0, 0), mode(50, 0, user),
		mode(60, 0, system), off(60, 0, 0, sched.Blocked), mode(60, 0, idleMode), idle(60, 0),
		woke(70, 0), queued(70, sched.NoCPU, 0), mode(70, 0, system), on(70, 0, 0), mode(70, 0, user),
		mode(80, 0, system), off(80, 0, 0, sched.Exited), mode(80, 0, idleMode), idle(80, 0),
	)
	h := observe(events...)
	require.NoError(t, h.Err())
	require.NoError(t, h.Finish(100))
	require.NoError(t, observe().Finish(0), "nothing happened at all")
}

func TestWhatCannotBeIsRejected(t *testing.T) {
	two := func(more ...trace.Event) []trace.Event {
		return append(append(running(), created(10, 1, sched.None), woke(10, 1)), more...)
	}
	asleep := func(more ...trace.Event) []trace.Event {
		return append(append(running(), mode(20, 0, system), off(20, 0, 0, sched.Blocked), mode(20, 0, idleMode)), more...)
	}
	gone := func(more ...trace.Event) []trace.Event {
		return append(append(running(), mode(20, 0, system), off(20, 0, 0, sched.Exited), mode(20, 0, idleMode)), more...)
	}
	run := func(more ...trace.Event) []trace.Event { return append(running(), more...) }
	for _, c := range []struct {
		name   string
		events []trace.Event
		want   string
	}{
		{"time before the beginning", []trace.Event{created(-1, 0, sched.None)}, "time runs backwards from 00:00:00.00"},
		{"time that runs backwards", run(charged(9, 0, 1)), "time runs backwards from 00:00:00.00"},
		{"a CPU too many", run(on(10, 2, 0)), "no such CPU"},
		{"a CPU below none", run(event(10, trace.Second, -2, sched.None)), "no such CPU"},
		{"a kind that does not exist", run(event(10, 99, 0, 0)), "unknown kind"},
		{"no kind", run(event(10, 0, 0, 0)), "unknown kind"},

		{"a gap in thread ids", []trace.Event{created(0, 1, sched.None)}, "thread ids must be dense, the next is 0"},
		{"a thread created twice", run(created(10, 0, sched.None)), "thread ids must be dense, the next is 1"},
		{"a child of nobody", run(created(10, 1, 5)), "thread 5 cannot be its parent"},
		{"a child of itself", run(created(10, 1, 1)), "thread 1 cannot be its parent"},
		{"a thread that was never created", run(woke(10, 1)), "no such thread"},
		{"a thread below none", run(woke(10, -2)), "no such thread"},

		{"waking nobody", run(woke(10, sched.None)), "it names no thread"},
		{"queueing nobody", run(queued(10, 0, sched.None)), "it names no thread"},
		{"switching to nobody", run(on(10, 1, sched.None)), "it names no thread"},
		{"switching nobody off", run(off(10, 0, sched.None, sched.Blocked)), "it names no thread"},
		{"preempting nobody", run(preempt(10, 0, sched.None)), "it names no thread"},
		{"running nowhere", two(on(10, sched.NoCPU, 1)), "it names no CPU"},
		{"leaving nowhere", run(off(10, sched.NoCPU, 0, sched.Blocked)), "it names no CPU"},
		{"idling nowhere", run(idle(10, sched.NoCPU)), "it names no CPU"},
		{"preempting nowhere", run(preempt(10, sched.NoCPU, 0)), "it names no CPU"},
		{"a mode of no CPU", run(mode(10, sched.NoCPU, user)), "it names no CPU"},
		{"charging no CPU", run(charged(10, sched.NoCPU, 1)), "it names no CPU"},

		{"waking a thread that runs", run(woke(20, 0)), "the thread is running, want sleeping"},
		{"waking a thread that waits", two(woke(10, 1)), "the thread is waiting, want sleeping"},
		{"waking a thread that is gone", gone(woke(30, 0)), "the thread is exited, want sleeping"},
		{"queueing a sleeper", asleep(queued(30, 0, 0)), "a thread that is sleeping cannot be queued"},
		{"queueing the dead", gone(queued(30, 0, 0)), "a thread that is exited cannot be queued"},
		{"running in two places", run(on(20, 1, 0)), "the thread is running, want waiting"},
		{"running while asleep", asleep(on(30, 0, 0)), "the thread is sleeping, want waiting"},
		{"running after the end", gone(on(30, 0, 0)), "the thread is exited, want waiting"},
		{"two threads on one CPU", two(on(20, 0, 1)), "the CPU runs thread 0"},
		{"leaving a CPU twice", asleep(off(30, 0, 0, sched.Blocked)), "the thread is sleeping, want running"},
		{"leaving another's CPU", run(off(20, 1, 0, sched.Blocked)), "the CPU runs thread -1"},
		{"leaving a CPU while waiting", two(off(10, 0, 1, sched.Blocked)), "the thread is waiting, want running"},
		{"leaving for no reason", run(off(20, 0, 0, sched.NoCause)), "a thread does not leave a CPU because it was "},
		{"leaving because it woke", run(off(20, 0, 0, sched.Woken)), "a thread does not leave a CPU because it was woken"},
		{"preempting a thread that waits", two(preempt(10, 0, 1)), "the thread is waiting, want running"},
		{"preempting on another CPU", run(preempt(20, 1, 0)), "the CPU runs thread -1"},
		{"idling with a thread", run(idle(20, 0)), "the CPU runs thread 0"},

		{"user mode without a thread", asleep(mode(30, 0, user)), "user mode without a thread"},
		{"a mode that does not exist", run(mode(20, 0, 3)), "mode 3 is unknown"},
		{"a negative mode", run(mode(20, 0, -1)), "mode -1 is unknown"},
		{
			"running and counting as idle", run(mode(20, 0, idleMode), charged(30, 0, 1)),
			"until now 1 CPUs ran a thread and counted as idle, or the other way round",
		},
		{
			"idling and counting as user", run(off(20, 0, 0, sched.Blocked), charged(30, 0, 1)),
			"until now 1 CPUs ran a thread and counted as idle, or the other way round",
		},
		{"charging nothing", run(charged(20, 0, 0)), "0 ns charged"},
		{"charging less than nothing", run(charged(20, 0, -3)), "-3 ns charged"},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.NoError(t, observe(c.events[:len(c.events)-1]...).Err(), "all but the last event can be")
			var h *check.History
			require.NotPanics(t, func() { h = observe(c.events...) })
			require.Error(t, h.Err())
			assert.Regexp(t, `: \Q`+c.want+`\E$`, h.Err().Error())
		})
	}
}

func TestTheMessageSaysWhichEventItWas(t *testing.T) {
	err := observe(append(running(), on(20_000_000, 1, 0))...).Err()
	require.EqualError(t, err, "event 7 at 00:00:00.02, on of thread 0 on CPU 1: the thread is running, want waiting")
}

func TestTheFirstFaultIsKept(t *testing.T) {
	h := observe(append(running(), charged(20, 0, 0), charged(5, 0, 1), woke(30, 0))...)
	require.ErrorContains(t, h.Err(), "0 ns charged")
	require.ErrorContains(t, h.Finish(40), "0 ns charged")
}

func TestFinishRejectsAThreadOnAnIdleCPU(t *testing.T) {
	h := observe(append(running(), mode(20, 0, idleMode))...)
	require.NoError(t, h.Err(), "the instant may not be over")
	require.EqualError(t, h.Finish(20), "CPU 0 runs thread 0 and counts as idle")
}

func TestFinishRejectsAnEndBeforeTheLastEvent(t *testing.T) {
	h := observe(running()...)
	require.ErrorContains(t, h.Finish(9), "before its last event")
}
