package stats_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
	"strandscope/sim/machine"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
	"strandscope/sim/trace"
)

// names is a roster of user threads, but for the first, which is the kernel's.
type names struct{ stats.Roster }

func (names) Thread(id sched.ThreadID) *sched.Thread { return &sched.Thread{Kernel: id == 0} }

func TestATallyAddsUpWhatHappened(t *testing.T) {
	m, ok := machine.Find("t2000") // cores of four strands
	require.True(t, ok)
	y := stats.NewTally(names{}, m)
	for _, e := range []trace.Event{
		{At: 10, Kind: trace.Woke, Thread: 1},
		{At: 10, Kind: trace.Woke, Thread: 2},
		{At: 13, Kind: trace.On, CPU: 0, Thread: 1, A: -1},
		{At: 15, Kind: trace.On, CPU: 1, Thread: 2, A: -1},                   // of the same core
		{At: 20, Kind: trace.Off, CPU: 0, Thread: 1, Cause: sched.Preempted}, // waits
		{At: 21, Kind: trace.Changed, CPU: 31, A: -1},                        // goes off-line
		{At: 25, Kind: trace.On, CPU: 4, Thread: 1, A: 0},                    // another core
		{At: 30, Kind: trace.Off, CPU: 4, Thread: 1, Cause: sched.Blocked},   // of itself
		{At: 30, Kind: trace.Woke, Thread: 0},                                // the kernel's does not count as waiting
		{At: 34, Kind: trace.On, CPU: 4, Thread: 0, A: -1},                   // but keeps the strand busy
		{At: 40, Kind: trace.Off, CPU: 1, Thread: 2, Cause: sched.Exited},
	} {
		y.Observe(&e)
	}
	assert.Equal(t, stats.TallySums{
		Busy: 2 + 10 + 5 + 10 + 4 + 12 + 10, Online: 21*32 + 29*31, BusyCores: 7 + 5 + 10 + 4 + 12 + 10, Waiting: 6 + 2 + 5,
		IdleBeside: 3*32 + 2*31 + 1*31 + 4*30,
	}, y.Until(50))
	assert.Equal(t, []int64{4, 1, 1}, []int64{y.Switches, y.Involuntary, y.Moves})
	assert.EqualValues(t, 2, y.Wakes.Count, "that of the kernel's thread is not one")
	assert.Equal(t, clock.Duration(5), y.Wakes.Max)
	assert.Equal(t, stats.TallySums{Busy: 1, Online: 31, BusyCores: 1}, y.Now())
}
