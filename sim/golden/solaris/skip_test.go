package solaris

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
	"strandscope/sim/golden"
	"strandscope/sim/trace"
)

// whole runs a recorded scenario in one piece but for its forks, and tells what is
// left of it.
func whole(t *testing.T, h header) (digest uint64, threads [][]any) {
	t.Helper()
	var d trace.Digest
	r, err := build(&h, &d)
	require.NoError(t, err, h.Scenario)
	at := func(tick int) {
		require.NoError(t, r.e.AdvanceTo(clock.Time(tick)*clock.Time(r.e.Tick())), h.Scenario)
	}
	for tick := 1; tick <= h.Ticks; tick++ {
		if _, due := r.forkDue(tick); due {
			at(tick)
			require.NoError(t, r.fork())
		}
	}
	at(h.Ticks)
	return d.Sum(), r.threadRows(true)
}

func TestSkippedTicksChangeNothing(t *testing.T) {
	paths, err := filepath.Glob("testdata/golden/*/*.jsonl.gz")
	require.NoError(t, err)
	n := 0
	for _, p := range paths {
		raw, err := golden.Read(strings.TrimSuffix(p, ".gz"))
		require.NoError(t, err)
		first, _, _ := strings.Cut(string(raw), "\n")
		if !(Scenarios{}).Claims(strings.TrimSuffix(p, ".gz"), []byte(first)) {
			continue
		}
		n++
		var h header
		require.NoError(t, json.Unmarshal([]byte(first), &h), p)
		digest, threads := whole(t, h)
		h.everyTick = true
		all, each := whole(t, h)
		assert.Equal(t, all, digest, p)
		assert.Equal(t, each, threads, p)
	}
	assert.Greater(t, n, 30)
}
