package engine_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
	"strandscope/sim/engine"
	"strandscope/sim/machine"
	"strandscope/sim/policy/solaris"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
	"strandscope/sim/workload"
)

// warm is a T2000 under Solaris with so many threads of a class that has run
// long enough for every table and queue to have grown.
func warm(t *testing.T, class string, threads int, prog *workload.Program) *engine.Engine {
	m, ok := machine.Find("t2000")
	require.True(t, ok)
	var digest trace.Digest
	e, err := engine.New(engine.Config{
		Machine: m, Policy: solaris.New(solaris.Options{ClockCost: 40 * clock.Microsecond, DeviceCost: 2 * ms}),
		Timing: engine.Clock, HZ: solaris.HZ, SleepOnTicks: true, Observers: []trace.Observer{&digest},
	})
	require.NoError(t, err)
	for i := range threads {
		th, err := e.Create(engine.Spec{
			Name: "x", Bound: sched.NoCPU, Prog: prog, Group: sched.GroupID(i % 3), As: sched.Params{Class: class},
		})
		require.NoError(t, err)
		e.StartAt(th, 0)
	}
	require.NoError(t, e.AdvanceTo(at(60_000)))
	return e
}

func TestNothingIsAllocatedOnceARunIsWarm(t *testing.T) {
	busy := loops(-1, run(7), sleep(3))
	for _, c := range []struct {
		name, class string
		threads     int
		prog        *workload.Program
	}{
		{"32 TS hogs", "TS", 32, nil},
		{"250 TS hogs", "TS", 250, nil},
		{"64 FSS hogs", "FSS", 64, nil},
		{"40 RT hogs", "RT", 40, nil},
		{"60 TS threads that sleep", "TS", 60, busy},
		{"60 IA threads that sleep", "IA", 60, busy},
	} {
		e := warm(t, c.class, c.threads, c.prog)
		before := e.Events()
		n := testing.AllocsPerRun(10, func() {
			if err := e.AdvanceTo(e.Now().Add(clock.Second)); err != nil {
				t.Fatal(err)
			}
		})
		assert.Zero(t, n, "%s: allocations in a second", c.name)
		assert.Greater(t, e.Events()-before, int64(100), c.name)
	}
}

// A neighbour that comes and goes times bursts anew; what that leaves behind is
// cleared away without making new room.
func TestTimingBurstsAnewAllocatesNothing(t *testing.T) {
	e := warm(t, "TS", 24, loops(-1, workload.Instr{Op: workload.Run, D: clock.Hour}))
	for range 8 {
		th, err := e.Create(engine.Spec{Name: "flutter", Bound: sched.NoCPU, Prog: loops(-1, run(2), sleep(5))})
		require.NoError(t, err)
		require.NoError(t, e.Start(th))
	}
	require.NoError(t, e.AdvanceTo(at(120_000)))
	n := testing.AllocsPerRun(20, func() {
		if err := e.AdvanceTo(e.Now().Add(clock.Second)); err != nil {
			t.Fatal(err)
		}
	})
	assert.Zero(t, n)
}
