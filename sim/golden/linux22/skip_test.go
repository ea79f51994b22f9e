package linux22

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
	"strandscope/sim/golden"
	policy "strandscope/sim/policy/linux22"
	"strandscope/sim/trace"
)

// whole runs a recorded scenario in one piece, and tells what is left of it.
func whole(t *testing.T, name string, everyTick bool) (digest uint64, tasks []policy.Task, s policy.Stats) {
	t.Helper()
	r, err := open(name, everyTick)
	require.NoError(t, err, name)
	var d trace.Digest
	r.e.Observe(&d)
	require.NoError(t, r.start())
	require.NoError(t, r.e.AdvanceTo(clock.Time(r.s.Ticks)*clock.Time(r.e.Tick())), name)
	for _, th := range r.e.Threads() {
		tasks = append(tasks, r.p.TaskOf(th))
	}
	return d.Sum(), tasks, r.p.Stats
}

func TestSkippedTicksChangeNothing(t *testing.T) {
	paths, err := filepath.Glob("testdata/golden/*.summary.json.gz")
	require.NoError(t, err)
	require.Greater(t, len(paths), 15)
	for _, p := range paths {
		name, kind := golden.Run(strings.TrimSuffix(p, ".gz"))
		require.Equal(t, "summary.json", kind)
		digest, tasks, stats := whole(t, name, false)
		all, each, counts := whole(t, name, true)
		assert.Equal(t, all, digest, name)
		assert.Equal(t, each, tasks, name)
		assert.Equal(t, counts, stats, name)
	}
}
