package stats

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// turns lets two CPUs turn from thread to thread each 10 ns; none stays longer.
func turns(n int, observe func(e *trace.Event)) clock.Time {
	for i := range n {
		at := clock.Time(10 * i)
		for cpu := range int16(2) {
			th := sched.ThreadID(2*i+int(cpu)) % 6
			if i > 0 {
				observe(&trace.Event{At: at, Kind: trace.Off, CPU: cpu, Thread: (th + 4) % 6, Cause: sched.Preempted})
			}
			observe(&trace.Event{At: at, Kind: trace.On, CPU: cpu, Thread: th, A: int64(cpu)})
		}
	}
	return clock.Time(10 * n)
}

func TestWhoRanIsSummedToTheNanosecond(t *testing.T) {
	tl := NewTimeline(2, clock.Millisecond)
	now := turns(90, tl.Observe)
	list, since := tl.Ran([]bool{true, true}, 15, now)
	assert.EqualValues(t, 15, since)
	assert.Equal(t, Ran{4, 300, 30}, list[0])
	sum, stays := clock.Duration(0), int64(0)
	for _, r := range list {
		sum += r.For
		stays += r.Stays
	}
	assert.Equal(t, 2*now.Sub(15), sum)
	assert.EqualValues(t, 2*89, stays)
	// Only one of the CPUs, and a part of one stay.
	list, _ = tl.Ran([]bool{false, true}, 22, 25)
	assert.Equal(t, []Ran{{5, 3, 1}}, list)
	list, since = tl.Ran([]bool{false, false}, 0, now)
	assert.Empty(t, list)
	assert.Zero(t, since)
}

func TestWhatIsTooMuchToSumIsLeftOutAtTheBeginning(t *testing.T) {
	tl := NewTimeline(2, clock.Millisecond)
	now := turns(3*mostSummed, tl.Observe)
	list, since := tl.Ran([]bool{true, true}, 0, now)
	require.Positive(t, since)
	assert.InDelta(t, 10*mostSummed/2, int64(now-since), 20)
	sum := clock.Duration(0)
	for _, r := range list {
		sum += r.For
	}
	assert.Equal(t, 2*now.Sub(since), sum, "exact since then")
}

func TestCulpritsBeyondTheRoomAreCountedTogether(t *testing.T) {
	c := NewCulprits(1)
	at := clock.Time(0)
	on := func(th sched.ThreadID) {
		c.Observe(&trace.Event{At: at, Kind: trace.On, Thread: th})
		at += 10
	}
	off := func(th sched.ThreadID, why sched.Cause) {
		c.Observe(&trace.Event{At: at, Kind: trace.Off, Thread: th, Cause: why})
	}
	for i := range sched.ThreadID(9) {
		on(0)
		off(0, sched.Preempted)
		on(1 + i%8)
		off(1+i%8, sched.Blocked)
	}
	list, full := c.Of(0, at)
	assert.False(t, full)
	require.Len(t, list, mostCulprits+1)
	assert.Equal(t, Culprit{1, 2, 20}, list[0])
	assert.Equal(t, Culprit{2, 1, 10}, list[1])
	assert.Equal(t, Culprit{sched.None, 2, 20}, list[mostCulprits])
	// A stay that goes on counts up to now, and one who gets his CPU back took none.
	on(0)
	off(0, sched.Preempted)
	on(0)
	off(0, sched.Preempted)
	on(2)
	list, _ = c.Of(0, at+5)
	assert.Equal(t, Culprit{2, 2, 25}, list[1])
	// Sleeping is nobody's fault.
	off(2, sched.Blocked)
	on(3)
	list, _ = c.Of(2, at)
	assert.Empty(t, list)
}

func TestVictimsBeyondTheRoomAreSaidToBe(t *testing.T) {
	c := NewCulprits(1)
	for i := range sched.ThreadID(mostVictims + 1) {
		c.Observe(&trace.Event{Kind: trace.Off, Thread: i, Cause: sched.Preempted})
		c.Observe(&trace.Event{Kind: trace.On, Thread: i + 1})
	}
	list, full := c.Of(mostVictims-1, 0)
	assert.Len(t, list, 1)
	assert.False(t, full)
	list, full = c.Of(mostVictims, 0)
	assert.Empty(t, list)
	assert.True(t, full)
}
