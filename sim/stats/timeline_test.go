package stats

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

const ms = clock.Time(clock.Millisecond)

func on(at clock.Time, cpu int16, th sched.ThreadID) *trace.Event {
	return &trace.Event{At: at, Kind: trace.On, CPU: cpu, Thread: th, Other: sched.None}
}

func off(at clock.Time, cpu int16, th sched.ThreadID, why sched.Cause) *trace.Event {
	return &trace.Event{At: at, Kind: trace.Off, CPU: cpu, Thread: th, Cause: why}
}

func idles(at clock.Time, cpu int16) *trace.Event {
	return &trace.Event{At: at, Kind: trace.Idle, CPU: cpu, Thread: sched.None}
}

func woke(at clock.Time, th sched.ThreadID) *trace.Event {
	return &trace.Event{At: at, Kind: trace.Woke, Thread: th}
}

func changed(at clock.Time, cpu int16, set int64) *trace.Event {
	return &trace.Event{At: at, Kind: trace.Changed, CPU: cpu, Thread: sched.None, A: set}
}

func see(t *Timeline, events ...*trace.Event) {
	for _, e := range events {
		t.Observe(e)
	}
}

func window(t *Timeline, from, to clock.Time) *Strip {
	var s Strip
	t.Window(&s, from, to)
	return &s
}

func TestTimelineSaysWhatEachCPURan(t *testing.T) {
	x := NewTimeline(2)
	see(x,
		woke(0, 1), on(0, 0, 1),
		woke(5*ms, 2), off(20*ms, 0, 1, sched.Preempted), on(20*ms, 0, 2),
		off(30*ms, 0, 2, sched.Blocked), on(30*ms, 0, 1),
		off(40*ms, 0, 1, sched.Exited), idles(40*ms, 0),
	)
	s := window(x, 0, 50*ms)
	require.Equal(t, 2, s.CPUs())
	assert.Equal(t, []Mark{{0, 1}, {20 * ms, 2}, {30 * ms, 1}, {40 * ms, sched.None}}, s.CPU(0))
	assert.Equal(t, []Mark{{0, sched.None}}, s.CPU(1))
	assert.Equal(t, clock.Duration(25*ms), s.Waited(0, 50*ms), "2 waited, then 1")
	assert.Equal(t, clock.Duration(10*ms), s.Waited(10*ms, 20*ms))
	assert.Zero(t, s.Waited(31*ms, 50*ms))
	assert.Zero(t, s.Waited(20*ms, 10*ms))
	assert.Zero(t, s.Whole)

	s = window(x, 25*ms, 50*ms)
	assert.Equal(t, []Mark{{20 * ms, 2}, {30 * ms, 1}, {40 * ms, sched.None}}, s.CPU(0), "the mark in force comes along")
	assert.Equal(t, clock.Duration(5*ms), s.Waited(25*ms, 50*ms))
}

func TestWhatTakesNoTimeIsNotKept(t *testing.T) {
	x := NewTimeline(1)
	see(x, on(10*ms, 0, 1), off(20*ms, 0, 1, sched.Blocked), idles(20*ms, 0), woke(20*ms, 1), on(20*ms, 0, 1))
	s := window(x, 0, 30*ms)
	assert.Equal(t, []Mark{{0, sched.None}, {10 * ms, 1}}, s.CPU(0))
	assert.Len(t, s.Waits, 1)
}

func TestOffLineIsNotIdle(t *testing.T) {
	x := NewTimeline(1)
	see(x, on(0, 0, 1), changed(5*ms, 0, -1), off(6*ms, 0, 1, sched.Moved), idles(6*ms, 0), changed(9*ms, 0, 0))
	assert.Equal(t, []Mark{{0, 1}, {6 * ms, OffLine}, {9 * ms, sched.None}}, window(x, 0, 10*ms).CPU(0))
	see(x, changed(12*ms, 0, -1))
	assert.Equal(t, Mark{12 * ms, OffLine}, window(x, 12*ms, 13*ms).CPU(0)[0])
}

func TestTimelineIsBoundedAndSaysWhatIsLost(t *testing.T) {
	const cpus = 4096
	x := NewTimeline(cpus)
	at := clock.Time(0)
	for i := range 1000 {
		at = clock.Time(i) * ms
		see(x, on(at, 7, sched.ThreadID(i%2)))
	}
	s := window(x, 0, at)
	assert.Len(t, s.CPU(7), timelineLeast)
	assert.Equal(t, s.CPU(7)[0].At, s.Whole)
	assert.Equal(t, (1000-timelineLeast)*ms, s.Whole)
	assert.LessOrEqual(t, s.Whole, window(x, at-10*ms, at).Whole)
	s = window(x, at-10*ms, at)
	assert.Less(t, s.Whole, s.From, "the end is whole")
}

func TestOldMarksGoWithoutBeingMissed(t *testing.T) {
	x := NewTimeline(1)
	at := clock.Time(0)
	for i := range 10_000 { // ten a second: 600 are younger than a minute
		at = clock.Time(i) * 100 * ms
		see(x, on(at, 0, sched.ThreadID(i%2)))
	}
	assert.LessOrEqual(t, len(x.cpus[0].buf), 1024)
	s := window(x, at.Add(-timelineKeep), at)
	assert.Zero(t, s.Whole)
	assert.Len(t, s.CPU(0), 601)
}

func TestATimelineThatIsWarmAllocatesNothing(t *testing.T) {
	x := NewTimeline(1)
	at, th := clock.Time(0), sched.ThreadID(0)
	e := on(0, 0, 0)
	step := func() {
		at += ms
		th = 1 - th
		e.At, e.Thread = at, th
		x.Observe(e)
	}
	for range 100_000 {
		step()
	}
	assert.Zero(t, testing.AllocsPerRun(1000, step))
	var s Strip
	x.Window(&s, at.Add(-10*clock.Second), at)
	assert.Zero(t, testing.AllocsPerRun(10, func() { x.Window(&s, at.Add(-10*clock.Second), at) }))
}
