package linux26_test

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
	"strandscope/sim/golden/linux26"
)

var formats = []golden.Format{linux26.Runs{}, linux26.Vectors{}}

func TestEveryRecordedRowAgrees(t *testing.T) {
	files := map[string]int{"testdata": 281}
	if dir := goldentest.Dir("linux26"); dir != "testdata" {
		files[dir] = 524
	}
	for dir, want := range files {
		rows := 0
		// Through the list of all formats: none of another kernel's may claim a file.
		passed, failed, skipped, err := golden.Verify([]string{dir}, all.Formats, func(r golden.Result) {
			require.NoError(t, r.Err, r.Path)
			rows += r.Rows
		})
		require.NoError(t, err)
		assert.Equal(t, []int{want, 0, 0}, []int{passed, failed, skipped}, dir)
		assert.Greater(t, rows, 60_000, "a replay without rows proves nothing")
	}
}

// copyRun puts the files of a run into a folder, uncompressed, with one change.
func copyRun(t *testing.T, run, kind, old, changed string) string {
	t.Helper()
	dir := t.TempDir()
	paths, err := filepath.Glob(filepath.Join("testdata", filepath.FromSlash(run)+".*"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, p := range paths {
		b, err := golden.Read(p)
		require.NoError(t, err)
		raw := string(b)
		name := strings.TrimSuffix(filepath.Base(p), ".gz")
		if strings.HasSuffix(name, kind) {
			require.Contains(t, raw, old)
			raw = strings.Replace(raw, old, changed, 1)
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(raw), 0o600))
	}
	return dir
}

func TestAWrongRowIsFoundAndNamed(t *testing.T) {
	const run = "golden-o1/e2_smp4_idle_mix"
	cases := map[string]struct{ run, kind, old, changed, want string }{
		"decision":     {run, "decisions.csv", "0,B,2,0,3,0,1,1,0,140,", "0,B,2,0,4,0,1,1,0,140,", "line 4: recorded 0,B,2,0,4,"},
		"charge":       {run, "charge.csv", "\n3,51,1,0\n", "\n3,51,2,0\n", "recorded 3,51,2,0, model 3,51,1,0"},
		"state":        {run, "state.csv", "250,4,124,40,", "250,4,124,41,", "recorded 250,4,124,41,"},
		"wake":         {run, "wakes.csv", "119,6,wake,0,3,125,60000000,1", "119,6,wake,0,3,125,60000000,0", "line 2"},
		"move":         {run, "moves.csv", "51,L,0,3,6,a", "51,L,0,3,6,e", "line 2"},
		"load":         {run, "load.csv", "5001,3,492,", "5001,3,493,", "line 2"},
		"hash":         {run, "summary.json", "ae9b19020f188ee0", "ae9b19020f188ee1", "decision_fnv1a64"},
		"state hash":   {run, "summary.json", "29de76aadcdeb8be", "29de76aadcdeb8bf", "state_fnv1a64"},
		"total":        {run, "summary.json", `"ipis":84`, `"ipis":85`, "ipis: recorded 85, model 84"},
		"balancing":    {run, "summary.json", "[10048,0,768]", "[10048,0,769]", "balance: recorded"},
		"final queue":  {run, "summary.json", `"active":[[125,1]]`, `"active":[[125,2]]`, "queues_final"},
		"final figure": {run, "tasks.csv", "14134,9901,", "14134,9902,", "line 2"},
		"fork":         {"golden-cfs/k2_smp4_forkexit", "forks.csv", "0,0,700,701,0,20000000,", "0,0,700,701,0,20000001,", "line 2"},
		"exit":         {"golden-cfs/k2_smp4_forkexit", "exits.csv", "33,0,701,12000000,", "33,0,701,12000001,", "line 2"},
		"cut short":    {run, "moves.csv", "\n6465,L,0,3,1,a", "", "recorded"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var found []string
			_, failed, _, err := golden.Verify([]string{copyRun(t, c.run, c.kind, c.old, c.changed)}, formats, func(r golden.Result) {
				if r.Err != nil {
					found = append(found, r.Err.Error())
				}
			})
			require.NoError(t, err)
			assert.Equal(t, 1, failed, found)
			assert.Contains(t, strings.Join(found, "\n"), c.want)
		})
	}
}

func TestARunThatCannotBeBuiltIsRefused(t *testing.T) {
	cases := map[string]struct{ kind, old, changed, want string }{
		"kernel":   {"summary.json", "2.6.22.6", "2.6.17", `kernel "2.6.17" is not modelled`},
		"words":    {"summary.json", `"word_bits":64`, `"word_bits":32`, "words of 32 bits"},
		"order":    {"summary.json", `"tick_cpu_order":[0,`, `"tick_cpu_order":[`, "tick_cpu_order has 3 of 4 CPUs"},
		"a slice":  {"summary.json", `"time_slice_at_start":"full"`, `"time_slice_at_start":7`, "time slice 7"},
		"a pid":    {"summary.json", `"start_order":[1,`, `"start_order":[77,`, "pid 77"},
		"a kind":   {"tasks.csv", "1,hog,0", "1,hag,0", `kind "hag"`},
		"a policy": {"tasks.csv", "1,hog,0", "1,hog,7", "policy 7"},
		"a number": {"tasks.csv", "1,hog,0", "1,hog,x", "column policy"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, failed, _, err := golden.Verify([]string{copyRun(t, "golden-o1/e2_smp4_idle_mix", c.kind, c.old, c.changed)}, formats, func(r golden.Result) {
				require.ErrorContains(t, r.Err, c.want)
			})
			require.NoError(t, err)
			assert.Positive(t, failed)
		})
	}
}

// 2.2 and 2.6 write the same columns; the words of 2.6 have 64 bits.
func TestLoadsOf64BitWordsAreToldFromThoseOf32(t *testing.T) {
	raw, err := golden.Read(filepath.Join("testdata", "golden-o1", "j_calc_load_random.csv"))
	require.NoError(t, err)
	for dir, fails := range map[string]int{"linux26": 0, "linux22": 1} {
		at := filepath.Join(t.TempDir(), dir)
		require.NoError(t, os.Mkdir(at, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(at, "j.csv"), raw, 0o600))
		_, failed, _, err := golden.Verify([]string{at}, all.Formats, func(golden.Result) {})
		require.NoError(t, err)
		assert.Equal(t, fails, failed, dir)
	}
}
