package sim_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/clock"
)

// Case L-2: a nice of 20 is cut to 19, which is worth one tick, and the probe beside
// such hogs is as well served as on the idle machine.
func TestHogsAtNiceTwentyAreCutToNineteenAndOneTick(t *testing.T) {
	s, err := sim.OpenDocument("mine.json", []byte(`{
		"machine": "xeon-smp4-1999", "scheduler": {"kernel": "linux-2.2.8"}, "console": {},
		"tasks": {"bash": {"probe": true, "run": 500, "sleep": 180000}},
		"commands": [{"at": 1000000, "do": "nice -n 20 ./loop & nice -n 20 ./loop & nice -n 20 ./loop & nice -n 20 ./loop & nice -n 20 ./loop &"}]}`))
	require.NoError(t, err)
	require.NoError(t, s.Advance(30*clock.Second))
	for _, p := range s.Frame().Probes {
		assert.Positive(t, p.Count)
		assert.Equal(t, [2]int64{p.Count, p.Alone.Count}, [2]int64{p.InTick, p.Alone.InTick}, "%s wakes in its tick here as on the idle machine", p.Name)
	}
	require.Len(t, s.Frame().Probes, 1)
	hogs := 0
	for _, th := range s.Frame().Threads {
		if th.Name != "loop" {
			continue
		}
		hogs++
		assert.Equal(t, 19, th.Nice)
		assert.Equal(t, 1, th.Full, "ticks")
	}
	assert.Equal(t, 5, hogs)
}

// Case A-12 for the kernels: the same scenario a hundred times, however its time is cut.
func TestAKernelsScenarioRunAHundredTimesHasOneDigest(t *testing.T) {
	for _, id := range []string{"t2000-unset", "fss-1-3", "linux22-ping-under-load"} {
		digests := map[uint64]int{}
		for n := range 100 {
			s, err := sim.Open(id)
			require.NoError(t, err)
			for at := clock.Duration(0); at < 5*clock.Second; {
				step := min(clock.Duration(n+1)*61*clock.Millisecond, 5*clock.Second-at)
				require.NoError(t, s.Advance(step))
				at += step
			}
			digests[s.Digest()]++
		}
		assert.Len(t, digests, 1, "%s: %s", id, strings.Repeat("another result, ", len(digests)-1))
	}
}
