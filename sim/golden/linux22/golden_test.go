package linux22_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/golden"
	"strandscope/sim/golden/goldentest"
	"strandscope/sim/golden/linux22"
)

var formats = []golden.Format{linux22.Runs{}, linux22.Vectors{}}

func TestEveryRecordedRowAgrees(t *testing.T) {
	for _, dir := range []string{goldentest.Dir("linux22"), "testdata"} {
		rows := 0
		passed, failed, skipped, err := golden.Verify([]string{dir}, formats, func(r golden.Result) {
			require.NoError(t, r.Err, r.Path)
			rows += r.Rows
		})
		require.NoError(t, err)
		assert.Equal(t, []int{172, 0, 0}, []int{passed, failed, skipped}, dir)
		assert.Greater(t, rows, 100_000, "a replay without rows proves nothing")
	}
}

// copyRun puts the files of a run into a folder, uncompressed, with one change.
func copyRun(t *testing.T, run, kind, old, changed string) string {
	t.Helper()
	dir := t.TempDir()
	paths, err := filepath.Glob(filepath.Join("testdata", "golden", run+".*"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, p := range paths {
		raw := read(t, p)
		name := strings.TrimSuffix(filepath.Base(p), ".gz")
		if strings.HasSuffix(name, kind) {
			require.Contains(t, raw, old)
			raw = strings.Replace(raw, old, changed, 1)
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(raw), 0o600))
	}
	return dir
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := golden.Read(path)
	require.NoError(t, err)
	return string(b)
}

func TestAWrongRowIsFoundAndNamed(t *testing.T) {
	cases := map[string]struct{ run, kind, old, changed, want string }{
		"decision":    {"e_smp4_5hogs", "decisions.csv", "0,B,0,0,5,40,6,", "0,B,0,0,4,40,6,", "line 2: recorded 0,B,0,0,4,40,6,"},
		"charge":      {"e_smp4_5hogs", "charge.csv", "0,1,21,5", "0,1,20,5", "line 2: recorded 0,1,20,5, model 0,1,21,5"},
		"counter":     {"a_up_3hogs", "counters.csv", "1,20,20,19", "1,20,19,19", "recorded 1,20,19,19"},
		"load":        {"a_up_3hogs", "load.csv", "501,3,492", "501,3,493", "recorded 501,3,493"},
		"wake":        {"e2_smp4_idle_mix", "wakes.csv", "wake,P,", "wake,P,9", "recorded"},
		"fork":        {"k_smp4_forkramp25", "forks.csv", "0,0,700,701,10", "0,0,700,701,11", "recorded 0,0,700,701,11"},
		"task":        {"a_up_3hogs", "tasks.csv", ",start_jiffy,", ",start,", "line 1"},
		"total":       {"a_up_3hogs", "summary.json", `"recalculations":`, `"recalculations":1`, "recalculations: recorded 1"},
		"hash":        {"a_up_3hogs", "summary.json", `"decision_fnv1a64":"`, `"decision_fnv1a64":"0`, "decision_fnv1a64"},
		"start order": {"e_smp4_5hogs", "summary.json", `"start_order":[1,2,`, `"start_order":[2,1,`, "recorded"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			found := ""
			_, failed, _, err := golden.Verify([]string{copyRun(t, c.run, c.kind, c.old, c.changed)}, formats, func(r golden.Result) {
				if r.Err != nil {
					found += r.String() + "\n"
				}
			})
			require.NoError(t, err)
			assert.Positive(t, failed)
			assert.Contains(t, found, c.want)
		})
	}
}

func TestDefinitionsAloneSufficeToBuildARun(t *testing.T) {
	dir := copyRun(t, "e_smp4_5hogs", "summary.json", `"cpus"`, `"cpus"`)
	for _, kind := range []string{"charge.csv", "counters.csv", "load.csv"} {
		require.NoError(t, os.Remove(filepath.Join(dir, "e_smp4_5hogs."+kind)))
	}
	passed, failed, _, err := golden.Verify([]string{dir}, formats, func(r golden.Result) { require.NoError(t, r.Err) })
	require.NoError(t, err)
	assert.Equal(t, []int{3, 0}, []int{passed, failed}, "summary, tasks and decisions")
}

func TestARunThatCannotBeBuiltIsRefused(t *testing.T) {
	cases := map[string]struct{ kind, old, changed, want string }{
		"kernel":     {"summary.json", "2.2.8-pre5", "2.4.0", `kernel "2.4.0" is not modelled`},
		"lock":       {"summary.json", `"lock_depth":-1`, `"lock_depth":0`, "lock depth 0"},
		"a pid":      {"summary.json", `"start_order":[1,`, `"start_order":[77,`, "pid 77"},
		"a kind":     {"tasks.csv", "1,hog,0", "1,hag,0", `kind "hag"`},
		"a policy":   {"tasks.csv", "1,hog,0", "1,hog,7", "policy 7"},
		"no numbers": {"tasks.csv", "1,hog,0", "1,hog,x", "column policy"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, failed, _, err := golden.Verify([]string{copyRun(t, "a_up_3hogs", c.kind, c.old, c.changed)}, formats, func(r golden.Result) {
				require.ErrorContains(t, r.Err, c.want)
			})
			require.NoError(t, err)
			assert.Positive(t, failed)
		})
	}
}
