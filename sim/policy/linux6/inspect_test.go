package linux6_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/engine"
	"strandscope/sim/policy/linux6"
	"strandscope/sim/sched"
)

// The kernel's own prio, as traces have it, is 100 more: 120 + nice, and 99 less the
// real-time priority (shared/reference/real/README.md, section 5).
func TestPRIIsWhatTopShows(t *testing.T) {
	b := newBox(t, 1, linux6.V612, 1)
	for _, c := range []struct {
		as  sched.Params
		pri int
	}{{sched.Params{}, 20}, {sched.Params{Nice: -20}, 0}, {sched.Params{Nice: 19}, 39}, {sched.Params{Class: "FIFO", Priority: 50}, -51}, {sched.Params{Class: "RR", Priority: 1}, -2}} {
		th, err := b.Create(engine.Spec{Name: "x", Bound: sched.NoCPU, As: c.as})
		require.NoError(t, err)
		assert.Equal(t, c.pri, b.p.Priority(th), "%+v", c.as)
	}
}
