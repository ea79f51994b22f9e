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

// at opens a scenario and runs it to a time.
func at(b *testing.B, id string, seconds int) *sim.Session {
	s, err := sim.Open(id)
	require.NoError(b, err)
	require.NoError(b, s.Advance(clock.Duration(seconds)*clock.Second))
	return s
}

// The scenarios that time travel is measured on: usual ones, and the two with
// the most to copy.
var travels = []struct {
	id      string
	seconds int
}{{"t2000-unset", 60}, {"linux22-250-hogs", 1146}, {"t2000-oltp", 60}, {"linux22-chat", 10}}

// BenchmarkCheckpoint is the cost of one copy.
func BenchmarkCheckpoint(b *testing.B) {
	for _, x := range travels {
		b.Run(x.id, func(b *testing.B) {
			s := at(b, x.id, x.seconds)
			b.ReportAllocs()
			for b.Loop() {
				bytes, objects, err := s.Spin()
				require.NoError(b, err)
				b.ReportMetric(float64(bytes)/1024, "KiB")
				b.ReportMetric(float64(objects), "objects")
			}
		})
	}
}

// BenchmarkStepBack is one tick back after another; First is the first one, from
// wherever the run has got to.
func BenchmarkStepBack(b *testing.B) {
	for _, x := range travels {
		b.Run(x.id, func(b *testing.B) {
			s := at(b, x.id, x.seconds)
			for b.Loop() {
				require.NoError(b, s.StepBack())
			}
		})
		b.Run(x.id+"/First", func(b *testing.B) {
			for range b.N {
				b.StopTimer()
				s := at(b, x.id, x.seconds)
				b.StartTimer()
				require.NoError(b, s.StepBack())
			}
		})
		b.Run(x.id+"/Decision", func(b *testing.B) {
			s := at(b, x.id, x.seconds)
			for b.Loop() {
				require.NoError(b, s.StepDecisionBack())
			}
		})
	}
}

// BenchmarkRunning is ten minutes of a run, with checkpoints and without.
func BenchmarkRunning(b *testing.B) {
	for _, x := range travels[:3] {
		for name, room := range map[string]int{"kept": 24 << 20, "none": 0} {
			b.Run(x.id+"/"+name, func(b *testing.B) {
				for range b.N {
					s, err := sim.Open(x.id)
					require.NoError(b, err)
					s.KeepPast(room)
					require.NoError(b, s.Advance(10*clock.Minute))
				}
			})
		}
	}
}
