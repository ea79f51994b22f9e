package sim_test

import (
	order "container/heap"
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/engine"
	"strandscope/sim/scenario"
)

// The benchmarks of this file are the figures of `make bench`, which runs them as a
// native program, in Node and in the browser. scripts/bench knows their names.

// ints is a heap of numbers.
type ints []int

func (h ints) Len() int           { return len(h) }
func (h ints) Less(i, j int) bool { return h[i] < h[j] }
func (h ints) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *ints) Push(x any)        { *h = append(*h, x.(int)) }
func (h *ints) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

// BenchmarkBaseline is work that never changes: the least of 1,024 numbers grows and
// sinks to its place in the heap. What others cost is told in such steps, too, which
// makes computers, and a computer's good and bad hours, comparable.
func BenchmarkBaseline(b *testing.B) {
	h := make(ints, 1024)
	x := uint64(1)
	next := func() int {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		return int(x >> 40)
	}
	for i := range h {
		h[i] = next()
	}
	order.Init(&h)
	for b.Loop() {
		h[0] += next()
		order.Fix(&h, 0)
	}
}

// large is a machine of 2,048 strands (32 chips of 8 cores of 8) with 20,000 threads.
// Of its threads so many only spin; the others run 7 ms and sleep 13.
func large(spinning int) func(b *testing.B) *scenario.Scenario {
	tasks := fmt.Sprintf(`"spin": {"instance": %d, "run": 1000000}`, spinning)
	if rest := 20_000 - spinning; rest > 0 {
		tasks += fmt.Sprintf(`, "turn": {"instance": %d, "run": 7000, "sleep": 13000}`, rest)
	}
	return func(b *testing.B) *scenario.Scenario {
		sc, err := scenario.Read("large.json", []byte(`{
			"machine": {"title": "2,048 strands", "chips": 32, "cores": 8, "pipelines": 2, "strands": 4, "issue": true},
			"scheduler": {"kernel": "solaris10", "default_class": "TS", "costs": {"clock_tick": 150, "devices": 5000}}, "tasks": {`+tasks+`}}`))
		require.NoError(b, err)
		return sc
	}
}

func builtin(id string) func(b *testing.B) *scenario.Scenario {
	return func(b *testing.B) *scenario.Scenario {
		sc, err := scenario.Builtin(id)
		require.NoError(b, err)
		return sc
	}
}

// BenchmarkBudget lets a second pass per iteration: in a session, which is all that
// the page runs but for its checkpoints, and in the engine alone, which only adds up
// the digest.
func BenchmarkBudget(b *testing.B) {
	for _, x := range []struct {
		name string
		warm clock.Duration
		open func(b *testing.B) *scenario.Scenario
	}{
		{"250-hogs", 10 * clock.Minute, builtin("linux22-250-hogs")},
		{"t2000-ts", 10 * clock.Minute, builtin("t2000-ts")},
		{"2048-spin", 5 * clock.Second, large(20_000)},
		{"2048-mixed", 5 * clock.Second, large(10_000)},
	} {
		var s *sim.Session // warm once, however often the number of iterations is guessed
		b.Run(x.name+"/session", func(b *testing.B) {
			if s == nil {
				var err error
				s, err = sim.OpenScenario(x.open(b))
				require.NoError(b, err)
				s.KeepPast(0)
				require.NoError(b, s.Advance(x.warm))
			}
			passSeconds(b, len(s.Frame().CPUs), s.Advance, func() int64 { return s.Frame().Events })
		})
		var e *engine.Engine
		advance := func(d clock.Duration) error { return e.AdvanceTo(e.Now().Add(d)) }
		b.Run(x.name+"/engine", func(b *testing.B) {
			if e == nil {
				var err error
				e, err = sim.Bare(x.open(b))
				require.NoError(b, err)
				require.NoError(b, advance(x.warm))
			}
			passSeconds(b, len(e.CPUs()), advance, e.Events)
		})
	}
}

// BenchmarkMemory is what is on the heap after ten minutes of each built-in scenario,
// checkpoints and a frame among it.
func BenchmarkMemory(b *testing.B) {
	for _, x := range sim.Library() {
		b.Run(x.ID, func(b *testing.B) {
			for range b.N {
				before := inUse()
				s, err := sim.Open(x.ID)
				require.NoError(b, err)
				require.NoError(b, s.Advance(10*clock.Minute))
				s.Frame()
				b.ReportMetric(inUse()-before, "heap-bytes")
				runtime.KeepAlive(s)
			}
		})
	}
}

// BenchmarkDay is what is on the heap after half a day and at its end, with checkpoints
// as in the page, and without. Stores of what was fill up to their ceilings in six hours.
func BenchmarkDay(b *testing.B) {
	for name, room := range map[string]int{"kept": -1, "none": 0} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				before := inUse()
				s, err := sim.Open("linux22-250-hogs")
				require.NoError(b, err)
				if room >= 0 {
					s.KeepPast(room)
				}
				require.NoError(b, s.Advance(12*clock.Hour))
				s.Frame()
				early := inUse() - before
				require.NoError(b, s.Advance(12*clock.Hour))
				s.Frame()
				b.ReportMetric(early, "heap-bytes-12h")
				b.ReportMetric(inUse()-before, "heap-bytes-24h")
				runtime.KeepAlive(s)
			}
		})
	}
}

// inUse is the heap in bytes, without what is garbage.
func inUse() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// passSeconds lets a second pass per iteration, and reports cost, speed and allocations.
func passSeconds(b *testing.B, cpus int, advance func(clock.Duration) error, events func() int64) {
	var before, after runtime.MemStats
	first := events()
	runtime.GC()
	runtime.ReadMemStats(&before)
	b.ResetTimer()
	for range b.N {
		if err := advance(clock.Second); err != nil {
			b.Fatal(err)
		}
	}
	b.StopTimer()
	runtime.ReadMemStats(&after)
	second := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
	b.ReportMetric(second/1000/float64(100*cpus), "µs/CPU-tick")
	b.ReportMetric(1e9/second, "×real-time")
	b.ReportMetric(float64(after.Mallocs-before.Mallocs)/float64(events()-first), "allocs/event")
	b.ReportMetric(float64(events()-first)/float64(b.N), "events/s")
}
