package stats_test

import (
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
	"strandscope/sim/stats"
)

// all is the whole of a history in at most 2048 buckets.
func all(h *stats.History) stats.Series {
	var s stats.Series
	h.Window(&s, 0, 1<<60, stats.SeriesBuckets)
	return s
}

func TestASeriesKeepsOneBucketForEachStep(t *testing.T) {
	h := stats.NewHistory("load", "%", 256, 10)
	h.Add(0, 5)
	h.Add(9, 3)
	h.Add(10, 7)
	h.Add(15, 9)
	h.Add(19, 8)
	s := all(&h)
	assert.Equal(t, 2, s.Len())
	assert.Equal(t, []int32{3, 7}, s.Min)
	assert.Equal(t, []int32{5, 9}, s.Max)
	assert.Equal(t, []int32{3, 8}, s.Last)
	assert.Equal(t, "load", s.Name)
	assert.Equal(t, "%", s.Unit)
	assert.Equal(t, int32(256), s.Scale)
}

func TestABucketWithoutASampleRepeatsTheLastValue(t *testing.T) {
	h := stats.NewHistory("", "", 1, 10)
	h.Add(0, 5)
	h.Add(5, 2)
	h.Add(40, 9)
	s := all(&h)
	assert.Equal(t, []int32{2, 2, 2, 2, 9}, s.Min)
	assert.Equal(t, []int32{5, 2, 2, 2, 9}, s.Max)
	assert.Equal(t, []int32{2, 2, 2, 2, 9}, s.Last)
}

func TestASeriesThatBeginsLateShowsItsFirstValueBefore(t *testing.T) {
	h := stats.NewHistory("", "", 1, 10)
	h.Add(25, 4)
	assert.Equal(t, []int32{4, 4, 4}, all(&h).Last)
}

// Every bucket of every window at every scale must hold exactly the least,
// greatest and last of the samples that fell into its time.
func TestNoScaleLosesAMinimumOrAMaximum(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 9))
		h := stats.NewHistory("", "", 1, 1)
		var samples []sample
		at := clock.Time(0)
		for range 100_000 { // the finest scale goes on the way
			at += clock.Time(r.IntN(2)) // at least one sample in each bucket of the first width
			v := int32(r.IntN(2_000_001) - 1_000_000)
			samples = append(samples, sample{at, v})
			h.Add(at, v)
		}
		for range 40 {
			from := clock.Time(r.Int64N(int64(at)))
			to := from + clock.Time(r.Int64N(int64(at)))
			var s stats.Series
			h.Window(&s, from, to, 1+r.IntN(2000))
			exactly(t, &s, samples, from, min(to, at))
		}
		s := all(&h)
		require.Zero(t, s.First)
		exactly(t, &s, samples, 0, at)
		require.Equal(t, slices.Min(s.Min), s.Least)
		require.Equal(t, slices.Max(s.Max), s.Most)
	}
}

type sample struct {
	at clock.Time
	v  int32
}

func exactly(t *testing.T, s *stats.Series, samples []sample, from, to clock.Time) {
	t.Helper()
	require.LessOrEqual(t, s.Start(0), from)
	require.Greater(t, s.Start(s.Len()), to)
	first := sort.Search(len(samples), func(i int) bool { return samples[i].at >= s.Start(0) })
	got := map[string][]int32{"min": s.Min, "max": s.Max, "last": s.Last}
	want := map[string][]int32{"min": nil, "max": nil, "last": nil}
	for i := first; len(want["min"]) < s.Len(); {
		bucket := int64(samples[i].at) / int64(s.Step)
		var vs []int32
		for ; i < len(samples) && int64(samples[i].at)/int64(s.Step) == bucket; i++ {
			vs = append(vs, samples[i].v)
		}
		want["min"] = append(want["min"], slices.Min(vs))
		want["max"] = append(want["max"], slices.Max(vs))
		want["last"] = append(want["last"], vs[len(vs)-1])
	}
	require.Equal(t, want, got)
}

func TestAWindowIsNotChangedByLaterSamples(t *testing.T) {
	h := stats.NewHistory("x", "ms", 1, 1)
	h.Add(0, 1)
	shot := all(&h)
	h.Add(0, -9)
	for i := range 100_000 {
		h.Add(clock.Time(i), 99)
	}
	assert.Equal(t, []int32{1}, shot.Min)
	assert.Equal(t, []int32{1}, shot.Last)
	assert.Equal(t, "x", shot.Name)
	again := func() { h.Window(&shot, 0, 100_000, stats.SeriesBuckets) }
	again()
	assert.LessOrEqual(t, shot.Len(), stats.SeriesBuckets)
	assert.Zero(t, testing.AllocsPerRun(10, again), "storage is used again")
}

func TestAHistoryOfYearsIsBounded(t *testing.T) {
	h := stats.NewHistory("", "", 1, clock.Second)
	h.Add(0, 7)
	h.Add(clock.Time(50*366*24*clock.Hour), 1)
	s := all(&h)
	assert.LessOrEqual(t, s.Len(), stats.SeriesBuckets)
	assert.Equal(t, int32(7), s.Most)
}
