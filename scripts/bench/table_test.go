package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
)

func TestABudgetIsMetOrMissedByThatMuch(t *testing.T) {
	for _, c := range []struct {
		limit  *limit
		v      float64
		misses string
	}{
		{atMost(0.05), 0.05, ""},
		{atMost(0.05), 0.05004, ""}, // to the digits that are shown
		{atMost(0.05), 0.0625, "25 % too much"},
		{atMost(0.05), 0.25, "5 times as much"},
		{atMost(2_000_000), 2_000_000, ""},
		{atMost(2_000_000), 2_000_500, "0.025 % too much"},
		{atMost(0), 0, ""},
		{atMost(0), 0.0317, "by 0.0317"},
		{atLeast(10_000), 9_996.4, ""},
		{atLeast(10_000), 7_500, "25 % too little"},
		{atLeast(10_000), 250, "40 times too little"},
		{atLeast(1), 0, "it is nothing"},
	} {
		met, misses := c.limit.judge(c.v)
		assert.Equal(t, c.misses, misses, "%v", c.v)
		assert.Equal(t, c.misses == "", met, "%v", c.v)
	}
}

func TestNumbersHaveThreeDigitsAndCommas(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 0.25159: "0.252", 113.24: "113", 9936.4: "9,940", 1995587: "1,995,587", 12: "12", -1234: "-1,234", 0.0047: "0.0047",
	} {
		assert.Equal(t, want, number(v))
	}
}

// example measures a few of the figures.
func example() []row {
	m := newMeasured()
	m.missing[inNode] = "there is no Node"
	for k, v := range map[string]float64{
		key(native, "Baseline", "ns/op"):                     100,
		key(native, "Budget/250-hogs/engine", "µs/CPU-tick"): 0.25,
		key(native, "Budget/250-hogs/engine", "×real-time"):  9936,
		sizeKey("program", "gzip"):                           1_995_587,
	} {
		m.figures[k] = v
	}
	var some []row
	for _, r := range rows(figures([]string{"t2000-ts"}), m) {
		switch r.ID {
		case "baseline/native", "run/native/250-hogs/engine", "run/wasm in Node/250-hogs/engine", "page/alive", "size/program/gzip":
			some = append(some, r)
		}
	}
	return some
}

func TestTheTableHasBudgetsStepsAndTheTableBefore(t *testing.T) {
	now := &record{Environment: environment{Date: "today", Commit: "b", Rounds: 3}, Rows: example()}
	before := &record{Environment: environment{Date: "yesterday", Commit: "a", Rounds: 1, Note: "it was noisy"}, Rows: example()}
	*before.Rows[1].Measured, *before.Rows[1].Steps = 0.5, 3
	var b strings.Builder
	require.NoError(t, markdown(&b, now, before))
	assert.Contains(t, b.String(), "Measured today; commit b;")
	assert.Contains(t, b.String(), "Before: measured yesterday; commit a;")
	assert.Contains(t, b.String(), "; it was noisy.")
	_, table, _ := strings.Cut(b.String(), "|---|---|---|---|---|---|---|---|---|\n")
	assert.Equal(t, `| baseline: one step in a heap of 1,024 | native | ns |  | 100 |  |  | 100 |  |
| engine, 250 hogs, 4 CPUs, Linux 2.2 | native | µs a CPU-tick | ≤ 0.05 | 0.25 (× 9,936) | **no**: 5 times as much | 2.5 | 0.5 | 3 |
| engine, 250 hogs, 4 CPUs, Linux 2.2 | wasm in Node | µs a CPU-tick | ≤ 0.15 | not measured: there is no Node |  |  |  |  |
| embeds: alive of six in view | page in Chromium | figures | ≤ 4 | not measured: it failed |  |  |  |  |
| program, gzip | site | bytes | ≤ 2,000,000 | 1,995,587 | yes |  | 1,995,587 |  |

1 of 2 budgets that were measured are met; 2 were not measured.
`, table)
	b.Reset()
	require.NoError(t, markdown(&b, now, nil), "the first table has none before it")
	assert.NotContains(t, b.String(), "Before:")
}

func TestARecordIsReadAsItWasWritten(t *testing.T) {
	r := &record{Environment: environment{Date: "today", Cores: 2, Rounds: 3}, Rows: example()}
	name := filepath.Join(t.TempDir(), "new", "bench.json")
	require.NoError(t, r.write(name))
	got, err := readRecord(name)
	require.NoError(t, err)
	assert.Equal(t, r, got)
	none, err := readRecord(name + ".not")
	require.NoError(t, err, "there need not be one")
	assert.Nil(t, none)
}

// The committed table is of the figures that there are.
func TestTheTableInTheDocumentsCanBeRead(t *testing.T) {
	r, err := readRecord(filepath.Join("..", "..", "docs", "bench.json"))
	require.NoError(t, err)
	require.NotNil(t, r)
	assert.NotEmpty(t, r.Environment.CPU)
	known := map[string]bool{}
	for _, f := range figures(scenarios()) {
		assert.False(t, known[f.id], "two figures are called %s", f.id)
		known[f.id] = true
	}
	n := 0
	for _, row := range r.Rows {
		if known[row.ID] && row.Measured != nil {
			n++
		}
	}
	assert.Greater(t, n, len(known)/2, "figures that can stand beside new ones; `make bench` and a copy bring it up to date")
}

func TestEveryBuiltInScenarioHasARow(t *testing.T) {
	assert.Len(t, scenarios(), len(sim.Library()))
}
