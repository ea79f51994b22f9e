package stats_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
	"strandscope/sim/stats"
)

func TestASeriesKeepsOneBucketForEachStep(t *testing.T) {
	s := stats.NewSeries("load", "%", 256, 10)
	s.Add(0, 5)
	s.Add(9, 3)
	s.Add(10, 7)
	s.Add(15, 9)
	s.Add(19, 8)
	assert.Equal(t, 2, s.Len())
	assert.Equal(t, []int32{3, 7}, s.Min)
	assert.Equal(t, []int32{5, 9}, s.Max)
	assert.Equal(t, []int32{3, 8}, s.Last)
	assert.Equal(t, "load", s.Name)
	assert.Equal(t, "%", s.Unit)
	assert.Equal(t, int32(256), s.Scale)
}

func TestABucketWithoutASampleRepeatsTheLastValue(t *testing.T) {
	s := stats.NewSeries("", "", 1, 10)
	s.Add(0, 5)
	s.Add(5, 2)
	s.Add(40, 9)
	assert.Equal(t, []int32{2, 2, 2, 2, 9}, s.Min)
	assert.Equal(t, []int32{5, 2, 2, 2, 9}, s.Max)
	assert.Equal(t, []int32{2, 2, 2, 2, 9}, s.Last)
}

func TestASeriesThatBeginsLateShowsItsFirstValueBefore(t *testing.T) {
	s := stats.NewSeries("", "", 1, 10)
	s.Add(25, 4)
	assert.Equal(t, []int32{4, 4, 4}, s.Last)
}

func TestASeriesNeverGrowsPastItsBuckets(t *testing.T) {
	s := stats.NewSeries("", "", 1, clock.Second)
	for sec := range 100_000 {
		s.Add(clock.Time(sec)*clock.Time(clock.Second), int32(sec))
		require.LessOrEqual(t, s.Len(), stats.SeriesBuckets)
	}
	assert.Equal(t, 64*clock.Second, s.Step, "100,000 seconds in at most 2048 buckets")
	assert.GreaterOrEqual(t, s.Len(), stats.SeriesBuckets/2, "and no coarser than need be")
	s.Add(clock.Time(50*366*24*clock.Hour), 1)
	assert.LessOrEqual(t, s.Len(), stats.SeriesBuckets)
}

// Every bucket must hold exactly the least, greatest and last of the samples
// that fell into its time, however often the series was halved.
func TestHalvingLosesNoMinimumAndNoMaximum(t *testing.T) {
	type sample struct {
		at clock.Time
		v  int32
	}
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 9))
		s := stats.NewSeries("", "", 1, 1)
		var samples []sample
		at := clock.Time(0)
		for range 30_000 {
			// At least one sample in each bucket of the first width.
			at += clock.Time(r.IntN(2))
			v := int32(r.IntN(2_000_001) - 1_000_000)
			samples = append(samples, sample{at, v})
			s.Add(at, v)
		}
		got := map[string][]int32{"min": s.Min, "max": s.Max, "last": s.Last}
		want := map[string][]int32{"min": nil, "max": nil, "last": nil}
		for i := 0; i < len(samples); {
			bucket := int64(samples[i].at) / int64(s.Step)
			var vs []int32
			for ; i < len(samples) && int64(samples[i].at)/int64(s.Step) == bucket; i++ {
				vs = append(vs, samples[i].v)
			}
			want["min"] = append(want["min"], slices.Min(vs))
			want["max"] = append(want["max"], slices.Max(vs))
			want["last"] = append(want["last"], vs[len(vs)-1])
		}
		require.Equal(t, want, got, "seed %d", seed)
	}
}

func TestASnapshotIsNotChangedByLaterSamples(t *testing.T) {
	s := stats.NewSeries("x", "ms", 1, 1)
	s.Add(0, 1)
	var shot stats.Series
	s.Snapshot(&shot)
	s.Add(0, -9)
	for i := range 3 * stats.SeriesBuckets {
		s.Add(clock.Time(i), 99)
	}
	assert.Equal(t, []int32{1}, shot.Min)
	assert.Equal(t, []int32{1}, shot.Max)
	assert.Equal(t, []int32{1}, shot.Last)
	assert.Equal(t, clock.Duration(1), shot.Step)
	assert.Equal(t, "x", shot.Name)
	s.Snapshot(&shot)
	assert.Equal(t, s, shot)
	assert.Zero(t, testing.AllocsPerRun(10, func() { s.Snapshot(&shot) }), "storage is used again")
}
