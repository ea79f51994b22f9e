package linux6_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/golden"
	"strandscope/sim/golden/all"
	"strandscope/sim/golden/goldentest"
	"strandscope/sim/golden/linux6"
)

var formats = []golden.Format{linux6.Runs{}, linux6.Vectors{}}

func TestEveryRecordedRowAgrees(t *testing.T) {
	files := map[string]int{goldentest.Dir("linux6"): 287}
	files["testdata"] = 112 // perhaps instead of 287
	for dir, n := range files {
		rows := 0
		passed, failed, skipped, err := golden.Verify([]string{dir}, all.Formats, func(r golden.Result) {
			require.NoError(t, r.Err, r.Path)
			rows += r.Rows
		})
		require.NoError(t, err)
		assert.Equal(t, []int{n, 0, 0}, []int{passed, failed, skipped}, dir)
		assert.Greater(t, rows, 20_000, "a replay without rows proves nothing")
	}
}

// copyRun puts the files of a run into a folder, uncompressed, with one change.
func copyRun(t *testing.T, run, kind, old, changed string) string {
	t.Helper()
	dir := t.TempDir()
	paths, err := filepath.Glob(filepath.Join("testdata", run+".*"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, p := range paths {
		b, err := golden.Read(p)
		require.NoError(t, err)
		raw, name := string(b), strings.TrimSuffix(filepath.Base(p), ".gz")
		if strings.HasSuffix(name, kind) {
			require.Contains(t, raw, old)
			raw = strings.Replace(raw, old, changed, 1)
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(raw), 0o600))
	}
	return dir
}

// differences verifies a changed copy and returns what was found.
func differences(t *testing.T, run, kind, old, changed string) string {
	t.Helper()
	found := ""
	_, failed, _, err := golden.Verify([]string{copyRun(t, run, kind, old, changed)}, formats, func(r golden.Result) {
		if r.Err != nil {
			found += r.String() + "\n"
		}
	})
	require.NoError(t, err)
	require.Positive(t, failed)
	return found
}

func TestAWrongRowIsFoundAndNamed(t *testing.T) {
	cases := map[string]struct{ run, kind, old, changed, want string }{
		"decision":  {"golden-6.12/g_fork", "decisions.csv", "0,B,0,1,2,", "0,B,0,1,3,", "line 2: recorded 0,B,0,1,3,"},
		"event":     {"golden-6.1/g_fork", "events.csv", "fork,10,new,2,0,", "fork,10,new,2,1,", "line 4: recorded 1200000,fork,10,new,2,1,"},
		"wake":      {"golden-6.18/g_fork", "wakes.csv", "0,1,0,0", "0,1,0,1", "recorded 0,1,0,1, model 0,1,0,0"},
		"task":      {"golden-6.1/g_fork", "tasks.csv", ",running,", ",queued,", "recorded"},
		"total":     {"golden-6.12/g_fork", "summary.json", `"delayed_dequeues":`, `"delayed_dequeues":1`, "delayed_dequeues: recorded 1"},
		"hash":      {"golden-6.12/g_fork", "summary.json", `"decision_fnv1a64":"`, `"decision_fnv1a64":"0`, "decision_fnv1a64"},
		"a tunable": {"golden-6.12/j_renice", "summary.json", `"base_slice_ns":700000`, `"base_slice_ns":800000`, "recorded"},
		"a weight":  {"golden-6.12/v_weights", "v_weights.csv", "0,1024,", "0,1025,", "weight: recorded 1025, model 1024"},
		"a slice":   {"golden-6.1/v_sched_slice", "csv", ",5601223,", ",5601224,", "slice_ns: recorded 5601224, model 5601223"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			assert.Contains(t, differences(t, c.run, c.kind, c.old, c.changed), c.want)
		})
	}
}

func TestARunThatCannotBeBuiltIsRefused(t *testing.T) {
	cases := map[string]struct{ old, changed, want string }{
		"kernel":    {`"6.12.95"`, `"6.6.1"`, `kernel "6.6.1" is not modelled`},
		"a pid":     {`"start_order":[1,`, `"start_order":[77,`, "start_order names pid 77"},
		"a step":    {`["exit"]`, `["exec"]`, "is none of run, sleep, yield, fork, nice, exit"},
		"a fork":    {`["fork",10]`, `["fork",99]`, "step fork names pid 99"},
		"a twin":    {`["fork",11]`, `["fork",10]`, "pid 10 is forked twice"},
		"no past":   {`["run",1200000]`, `["run",-1]`, "-1, want 0 or more"},
		"a nice":    {`"pid":2,"nice":0`, `"pid":2,"nice":20`, "nice 20, want -20 to 19"},
		"a tunable": {`"base_slice_ns":700000`, `"base_slice_ns":0`, "base_slice_ns 0, want more than 0"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			assert.Contains(t, differences(t, "golden-6.12/g_fork", "summary.json", c.old, c.changed), c.want)
		})
	}
}

func TestAProgramThatTakesNoTimeIsRefused(t *testing.T) {
	found := differences(t, "golden-6.12/f_yielders", "summary.json", `"program":[],"loop_from":-1`, `"program":[["run",0]],"loop_from":0`)
	assert.Contains(t, found, "steps in no time")
}
