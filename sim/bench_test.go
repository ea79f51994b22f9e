package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/clock"
)

// benchmarkRun lets a second pass per iteration and reports the cost of one
// CPU-tick and how much faster than real time that is.
func benchmarkRun(b *testing.B, id string, settings ...sim.Setting) {
	s, err := sim.Open(id, settings...)
	require.NoError(b, err)
	require.NoError(b, s.Advance(5*clock.Second))
	cpus := len(s.Frame().CPUs)
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		if err := s.Advance(clock.Second); err != nil {
			b.Fatal(err)
		}
	}
	perRun := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
	b.ReportMetric(perRun/1000/float64(100*cpus), "µs/CPU-tick")
	b.ReportMetric(1e9/perRun, "×real-time")
}

func BenchmarkT2000Unset(b *testing.B) { benchmarkRun(b, "t2000-unset") }
func BenchmarkT2000TS(b *testing.B)    { benchmarkRun(b, "t2000-ts") }
func BenchmarkT2000FSS(b *testing.B)   { benchmarkRun(b, "t2000-fss") }

func BenchmarkFrame(b *testing.B) {
	s, err := sim.Open("t2000-unset")
	require.NoError(b, err)
	require.NoError(b, s.Advance(100*clock.Second))
	b.ReportAllocs()
	for range b.N {
		s.Frame()
	}
}
