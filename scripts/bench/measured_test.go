package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const benchmarkOutput = `goos: linux
pkg: strandscope/sim
BenchmarkBaseline-2   	10614847	       113.2 ns/op
BenchmarkBudget/250-hogs/session-2         	   10000	    100643 ns/op	         0.03171 allocs/event	         0.2516 µs/CPU-tick	      9936 ×real-time
BenchmarkBudget/250-hogs/engine            	   2715	    420906 ns/op	         0 allocs/event
BenchmarkBroken
--- BENCH: BenchmarkOther-2
    bench_test.go:1: said 12 things
BenchmarkDay/none 	 noise of a benchmark
PASS
`

func TestTheLinesOfBenchmarksAreRead(t *testing.T) {
	m := newMeasured()
	n, err := m.benchmarks(native, strings.NewReader(benchmarkOutput))
	require.NoError(t, err)
	assert.Equal(t, 3, n)
	for k, want := range map[string]float64{
		key(native, "Baseline", "ns/op"):                       113.2,
		key(native, "Budget/250-hogs/session", "µs/CPU-tick"):  0.2516,
		key(native, "Budget/250-hogs/session", "×real-time"):   9936,
		key(native, "Budget/250-hogs/session", "allocs/event"): 0.03171,
		key(native, "Budget/250-hogs/engine", "allocs/event"):  0,
	} {
		v, is := m.figures[k]
		assert.True(t, is, k)
		assert.InDelta(t, want, v, 0, k)
	}
}

func TestOfSeveralRoundsTheBestStays(t *testing.T) {
	m := newMeasured()
	for _, line := range []string{"BenchmarkX 1 30 ns/op 5 ×real-time", "BenchmarkX 1 20 ns/op 9 ×real-time", "BenchmarkX 1 25 ns/op 7 ×real-time"} {
		_, err := m.benchmarks(inNode, strings.NewReader(line))
		require.NoError(t, err)
	}
	assert.InDelta(t, 20, m.figures[key(inNode, "X", "ns/op")], 0)
	assert.InDelta(t, 9, m.figures[key(inNode, "X", "×real-time")], 0)
}

func TestALineThatIsCutOffIsAnError(t *testing.T) {
	for _, line := range []string{"BenchmarkX 12 30 ns/op 5", "BenchmarkX 12 fast ns/op"} {
		_, err := newMeasured().benchmarks(native, strings.NewReader(line))
		assert.ErrorContains(t, err, line)
	}
}

func TestTheSizesOfTheSiteAreRead(t *testing.T) {
	m := newMeasured()
	require.NoError(t, m.sizes(strings.NewReader(`make: nothing
bytes                         plain       gzip     brotli
program                    11220011    1995587    1423956
page                         286319      98768      84398
strandscope.html            2958203    2078401    2053190
`)))
	assert.InDelta(t, 1995587, m.figures[sizeKey("program", "gzip")], 0)
	assert.InDelta(t, 1423956, m.figures[sizeKey("program", "brotli")], 0)
	assert.InDelta(t, 98768, m.figures[sizeKey("page", "gzip")], 0)
	assert.InDelta(t, 2958203, m.figures[sizeKey("strandscope.html", "plain")], 0)
	require.ErrorContains(t, newMeasured().sizes(strings.NewReader("")), "no sizes")
	require.ErrorContains(t, newMeasured().sizes(strings.NewReader("bytes plain\npage many")), "no number of bytes")
}

func TestADayIsToldAsOneRatio(t *testing.T) {
	m := newMeasured()
	m.figures[key(native, "Day/none", "heap-bytes-12h")] = 20e6
	m.figures[key(native, "Day/none", "heap-bytes-24h")] = 25e6
	m.days()
	assert.InDelta(t, 1.25, m.figures["Day/none"], 0)
	assert.NotContains(t, m.figures, "Day/kept")
}
