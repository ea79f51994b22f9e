package textbook_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/golden"
	"strandscope/sim/golden/goldentest"
	"strandscope/sim/golden/textbook"
)

var formats = []golden.Format{textbook.Files{}}

func TestEveryRecordedRowAgrees(t *testing.T) {
	for _, dir := range []string{goldentest.Dir("textbook"), "testdata"} {
		rows := 0
		passed, failed, skipped, err := golden.Verify([]string{dir}, formats, func(r golden.Result) {
			require.NoError(t, r.Err, r.Path)
			rows += r.Rows
		})
		require.NoError(t, err)
		assert.Equal(t, []int{150, 0, 0}, []int{passed, failed, skipped}, dir)
		assert.Greater(t, rows, 15_000, "a replay without rows proves nothing")
	}
}

func raw(t *testing.T, name string) string {
	t.Helper()
	b, err := golden.Read(filepath.Join("testdata", "golden", name+".jsonl.gz"))
	require.NoError(t, err)
	return string(b)
}

// changed verifies a file with one change.
func changed(t *testing.T, name, old, now string) error {
	t.Helper()
	text := raw(t, name)
	require.Contains(t, text, old)
	path := filepath.Join(t.TempDir(), name+".jsonl")
	require.NoError(t, os.WriteFile(path, []byte(strings.Replace(text, old, now, 1)), 0o600))
	_, err := textbook.Files{}.Verify(path)
	return err
}

func TestAWrongRowIsFoundAndNamed(t *testing.T) {
	cases := map[string]struct{ name, old, now, want string }{
		"slice":       {"rr_four_q1_arrivals_first", `[1,2,0,1,"Q"]`, `[1,2,0,0,"Q"]`, "slice 2: recorded [1 2 0 0 Q]"},
		"reason":      {"srtf_five", `,"P"]`, `,"F"]`, "slice 2: recorded"},
		"level":       {"mlfq_gaming", `[0,9,0,0,`, `[0,9,0,1,`, "slice 1"},
		"event":       {"mlfq_io_stay", `"io_done"`, `"io_gone"`, "event"},
		"lost boost":  {"mlfq_boost_order", `["e",60,"boost",-1]` + "\n", "", "event"},
		"peek":        {"multi_per_cpu_peek", `["d",12,"peek",2,0,0]`, `["d",12,"peek",2,0,1]`, "draw 1"},
		"statistic":   {"hrrn_five", `"turnaround":7`, `"turnaround":8`, "job 1: turnaround: recorded 8, model 7"},
		"mean":        {"fcfs_five", `"average":{"response":[`, `"average":{"response":[1`, "average"},
		"printed":     {"rr_200x3_q1", `"599.00"`, `"599.01"`, "printed"},
		"missed":      {"rm_2_5_4_7", `"missed":true`, `"missed":false`, "missed: recorded false, model true"},
		"lost row":    {"sjf_ties", `{"type":"job","job":1`, `{"type":"jab","job":1`, "type"},
		"lost slices": {"stride_3_2_1", `[0,1,0,0,"Q",0,2]` + "\n", "", "slice 1"},
		"states":      {"procrun_three_later", `"IRRR"`, `"RIRR"`, "slice 1"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) { require.ErrorContains(t, changed(t, c.name, c.old, c.now), c.want) })
	}
}

func TestARunThatCannotBeBuiltIsRefused(t *testing.T) {
	cases := map[string]struct{ name, old, now, want string }{
		"policy":    {"fcfs_five", `"policy":"FCFS"`, `"policy":"CFS"`, `policy "CFS" is not modelled`},
		"tie":       {"rr_gap_q2_requeue_first", `"requeue_first"`, `"newcomers_first"`, `tie "newcomers_first"`},
		"quantum 0": {"rr_200x3_q1", `"quantum":1`, `"quantum":0`, "quantum: 0"},
		"allotment": {"mlfq_two_equal", `"allotment":[1,`, `"allotment":[0,`, "allotment of level 0: 0"},
		"levels":    {"mlfq_two_equal", `"levels":`, `"levels":1`, "levels"},
		"queues":    {"multi_warm", `"central"`, `"some"`, `queues "some"`},
		"rate 0":    {"multi_warm", `"warm_rate":2`, `"warm_rate":0`, "warm_rate: 0"},
		"program":   {"procrun_cpu_io", `"c4"`, `"x4"`, "program"},
		"switch":    {"procrun_cpu_io", `"SWITCH_ON_IO"`, `"SWITCH"`, `switch "SWITCH"`},
		"numbering": {"fcfs_five", `"job":1`, `"job":7`, "not numbered 1"},
		"no header": {"fcfs_five", `"type":"header"`, `"type":"job"`, "no header"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) { require.ErrorContains(t, changed(t, c.name, c.old, c.now), c.want) })
	}
}
