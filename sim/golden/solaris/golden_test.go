package solaris_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/golden"
	"strandscope/sim/golden/goldentest"
	"strandscope/sim/golden/solaris"
)

var formats = []golden.Format{solaris.Scenarios{}, solaris.Vectors{}}

func TestEveryRecordedRowAgrees(t *testing.T) {
	passed, failed, skipped, err := golden.Verify([]string{goldentest.Dir("solaris")}, formats, func(r golden.Result) {
		t.Run(filepath.Base(r.Path), func(t *testing.T) {
			require.NoError(t, r.Err)
			assert.Positive(t, r.Rows, "a file without rows proves nothing")
		})
	})
	require.NoError(t, err)
	assert.Zero(t, failed)
	assert.Zero(t, skipped, "every class is modelled")
	assert.Equal(t, 51, passed, "number of files known when this was written")
}

func TestTheCommittedCopyAgreesToo(t *testing.T) {
	passed, failed, skipped, err := golden.Verify([]string{"testdata"}, formats, func(r golden.Result) {
		require.NoError(t, r.Err, r.Path)
	})
	require.NoError(t, err)
	assert.Equal(t, []int{51, 0, 0}, []int{passed, failed, skipped})
}

// damage copies a recorded file with one change.
func damage(t *testing.T, name, old, changed string) string {
	t.Helper()
	b, err := golden.Read(filepath.Join("testdata", filepath.FromSlash(name)))
	require.NoError(t, err)
	require.Contains(t, string(b), old)
	dir := t.TempDir()
	path := filepath.Join(dir, strings.TrimSuffix(filepath.Base(name), ".gz"))
	require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(b), old, changed, 1)), 0o600))
	return dir
}

func TestAWrongRowIsFoundAndNamed(t *testing.T) {
	cases := map[string]struct{ file, old, changed, want string }{
		"per tick":      {"golden/ts/ts1_hog.jsonl.gz", `{"t":77,"run":[0],"th":[["O",0,`, `{"t":77,"run":[0],"th":[["O",1,`, "line 79: th[0][1]: recorded 1, model 0"},
		"per second":    {"golden/fss/fss_1_1_1_1_3_sec.jsonl.gz", `"pset_shares":1`, `"pset_shares":2`, "pset_shares: recorded 2, model 1"},
		"event":         {"golden/mp/mp_ts8_32.jsonl.gz", `"th":3,"cpu":12`, `"th":3,"cpu":13`, "cpu: recorded 13, model 12"},
		"second row":    {"golden/mp/mp_ts32_12pset.jsonl.gz", `"icsw":80`, `"icsw":81`, "icsw: recorded 81, model 80"},
		"load":          {"golden/loadavg/calcloadavg_vectors.csv.gz", "33263", "33264", "hp1_out: recorded 33264, model 33263"},
		"operation":     {"golden/vectors/ts_ops.jsonl.gz", `"queue":"front"`, `"queue":"back"`, `queue: recorded "back", model "front"`},
		"FSS priority":  {"golden/vectors/fss_newpri.csv.gz", "2105503902,36", "2105503902,37", "out_umdpri: recorded 37, model 36"},
		"table":         {"tables/ts_dptbl.csv.gz", "35,35,8,25,54", "35,35,8,25,53", "ts_slpret: recorded 53, model 54"},
		"missing rows":  {"golden/ts/ts1_hog.jsonl.gz", `"ticks":1000`, `"ticks":1001`, "the recording ends"},
		"too many rows": {"golden/ts/ts1_hog.jsonl.gz", `"ticks":1000`, `"ticks":999`, "the model has no such row"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, failed, _, err := golden.Verify([]string{damage(t, c.file, c.old, c.changed)}, formats, func(r golden.Result) {
				require.ErrorContains(t, r.Err, c.want)
			})
			require.NoError(t, err)
			assert.Equal(t, 1, failed)
		})
	}
}

func TestAHeaderThatCannotBeBuiltIsRefused(t *testing.T) {
	cases := map[string]struct{ old, changed, want string }{
		"format":        {`"format":2`, `"format":1`, "want format 2"},
		"kind":          {`"kind":"tick"`, `"kind":"tock"`, `unknown kind "tock"`},
		"class":         {`"class":"TS"`, `"class":"XX"`, `class "XX" is not loaded`},
		"steal delay":   {`"steal_delay_ns":0`, `"steal_delay_ns":5`, "steal delay 5 ns are not modelled"},
		"no CPU":        {`"ncpu":1`, `"ncpu":0`, "0 strands"},
		"binding":       {`"nice":0`, `"nice":0,"bind":9`, "bound to CPU 9"},
		"start order":   {`"threads":[`, `"start_order":[7],"threads":[`, "thread 7"},
		"unknown table": {`"dptbl":"ts_dptbl"`, `"dptbl":"xx"`, `no TS dispatch table "xx"`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, _, _, err := golden.Verify([]string{damage(t, "golden/ts/ts1_hog.jsonl.gz", c.old, c.changed)}, formats, func(r golden.Result) {
				require.ErrorContains(t, r.Err, c.want)
			})
			require.NoError(t, err)
		})
	}
}
