package check_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/check"
	"strandscope/sim/clock"
	"strandscope/sim/trace"
)

type recorder []trace.Event

func (r *recorder) Observe(e *trace.Event) { *r = append(*r, *e) }

// What checking costs of a run in the page and in strandsim, where it is always on: time
// per event of the checker alone, and of the whole run around it.
func BenchmarkCheckingBesideARun(b *testing.B) {
	for _, c := range []struct {
		id   string
		span clock.Duration
	}{{"t2000-ts", clock.Minute}, {"linux22-250-hogs", clock.Minute}, {"linux22-chat", 4 * clock.Second}} {
		id, span := c.id, c.span
		s, err := sim.Open(id)
		require.NoError(b, err)
		var events recorder
		require.NoError(b, s.ResetWith(&events))
		require.NoError(b, s.Advance(span))
		cpus := len(s.Frame().CPUs)
		b.Run(id+"/checker", func(b *testing.B) {
			for b.Loop() {
				h := check.New(cpus)
				for i := range events {
					h.Observe(&events[i])
				}
				require.NoError(b, h.Err())
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(events)), "ns/event")
		})
		b.Run(id+"/run", func(b *testing.B) {
			for b.Loop() {
				require.NoError(b, s.Reset())
				require.NoError(b, s.Advance(span))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(events)), "ns/event")
		})
	}
}
