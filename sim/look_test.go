package sim_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/stats"
)

// The ideal beside the kernel's integers is the exponential it is said to be.
func TestTheIdealLoadIsTheExponential(t *testing.T) {
	s := run(t, 1000*clock.Second, "t2000-fss")
	f := s.Frame()
	plots := &f.Plots
	for i, tau := range []float64{60, 300, 900} {
		load := 0.0
		ideal, runnable := &plots.Ideal[i], &plots.Runnable
		require.Equal(t, clock.Second, ideal.Step, "one bucket a second")
		require.Equal(t, ideal.Len(), runnable.Len())
		for j := 1; j < ideal.Len(); j++ {
			load += (float64(runnable.Last[j]) - load) * (1 - math.Exp(-1/tau))
			require.InDelta(t, load*256, float64(ideal.Last[j]), 1.01, "after %d s", j)
		}
		assert.InEpsilon(t, load*256, float64(plots.Load[i].Last[plots.Load[i].Len()-1]), 0.02, "and the kernel's is near")
	}
}

func TestFramesHoldThePartOfThePastThatIsLookedAt(t *testing.T) {
	s := run(t, 30*clock.Second, "linux22-250-hogs")
	at := clock.Time(20 * clock.Second)
	s.Look(sim.Look{
		Timeline: stats.Query{From: at, To: at.Add(clock.Second), Columns: 100},
		Cursor:   sim.Cursor{On: true, CPU: 1, At: at},
		PlotFrom: at, PlotTo: at.Add(5 * clock.Second),
	})
	f := s.Frame()
	assert.Equal(t, at, f.Timeline.From)
	assert.Len(t, f.Timeline.Cells, 400)
	assert.Equal(t, 20, f.Plots.RunQueue.First)
	assert.Equal(t, 6, f.Plots.RunQueue.Len())
	require.NotNil(t, f.Pointed)
	assert.True(t, f.Pointed.From <= at && at < f.Pointed.To)
	assert.NotEmpty(t, f.Pointed.Pick, "why it was picked, in the kernel's words")

	digest := s.Digest()
	s.Look(sim.Look{Timeline: stats.Query{To: at, Columns: 9, Rows: make([]int32, 3)}, Cursor: sim.Cursor{On: true, CPU: 4}})
	f = s.Frame()
	assert.Empty(t, f.Timeline.Cells, "rows of another machine")
	assert.Nil(t, f.Pointed)
	assert.Equal(t, digest, s.Digest(), "looking changes nothing")
}

func TestPrintedLoadsStandAtTheirTime(t *testing.T) {
	f := run(t, clock.Second, "linux22-250-hogs").Frame()
	assert.Equal(t, []sim.PrintedLoad{
		{Average: 0, At: clock.Time(1000 * clock.Second), Value: 64023, Text: "250.09"},
		{Average: 1, At: clock.Time(1000 * clock.Second), Value: 62144, Text: "242.75"},
		{Average: 2, At: clock.Time(1000 * clock.Second), Value: 44772, Text: "174.89"},
	}, f.Plots.Printed)
	assert.Empty(t, run(t, clock.Second, "t2000-unset").Frame().Plots.Printed)
}
