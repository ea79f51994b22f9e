package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func compared(t *testing.T, args ...string) string {
	t.Helper()
	var out, errOut bytes.Buffer
	require.Zero(t, mainCode(append([]string{"strandsim", "compare"}, args...), &out, &errOut), errOut.String())
	return out.String()
}

func TestTwoConfigurationsOfOneScenarioAreCompared(t *testing.T) {
	text := compared(t, "t2000-unset", "-set-b", "class=FSS", "-for", "30s")
	assert.Contains(t, text, "differs: Default class (A not set, B FSS).")
	assert.Contains(t, strings.Join(strings.Fields(text), " "), "waiting now (r) 20 0 −20")
}

func TestSwappedSidesNegateTheTable(t *testing.T) {
	read := func(args ...string) [][]string {
		rows, err := csv.NewReader(strings.NewReader(compared(t, append(args, "-o", "csv", "-for", "5s")...))).ReadAll()
		require.NoError(t, err)
		return rows[1:]
	}
	ab, ba := read("t2000-unset", "t2000-fss"), read("t2000-fss", "t2000-unset")
	require.Len(t, ba, len(ab))
	some := 0
	for i := range ab {
		want := strings.TrimPrefix(ab[i][5], "-")
		if want == ab[i][5] && strings.Trim(want, "0.") != "" {
			want = "-" + want
		}
		assert.Equal(t, want, ba[i][5], ab[i][0])
		if strings.HasPrefix(ba[i][5], "-") != strings.HasPrefix(ab[i][5], "-") {
			some++
		}
	}
	assert.Greater(t, some, 5)
}

func TestAComparisonAsJSONHasNumbers(t *testing.T) {
	var got struct {
		AtNs    int64 `json:"at_ns"`
		A, B    struct{ Digest string }
		Figures []struct {
			ID               string
			A, B, Difference *float64
		}
	}
	require.NoError(t, json.Unmarshal([]byte(compared(t, "t2000-unset", "t2000-fss", "-for", "30s", "-o", "json")), &got))
	assert.EqualValues(t, 30_000_000_000, got.AtNs)
	assert.NotEqual(t, got.A.Digest, got.B.Digest)
	require.Equal(t, "busy", got.Figures[0].ID)
	assert.InDelta(t, 20, *got.Figures[0].Difference, 0)
}

func TestWhatCannotBeComparedIsRefused(t *testing.T) {
	for args, want := range map[string]string{
		"":                                     "compare needs one or two scenarios, got 0; see strandsim list",
		"t2000-unset -o xml":                   `-o "xml", want text, json or csv`,
		"- t2000-fss":                          "compare reads no standard input: want a built-in id or a file",
		"t2000-unset t2000-fsss":               `side B: scenario "t2000-fsss"`,
		"t2000-unset -set-b speed=FSS":         "side B: ",
		"t2000-unset t2000-fss -for -5s":       "-for -5s, want 0s to",
		"t2000-unset t2000-fss t2000-ts hogs2": "got 4",
	} {
		var out, errOut bytes.Buffer
		code := mainCode(append([]string{"strandsim", "compare"}, strings.Fields(args)...), &out, &errOut)
		assert.Equal(t, exitUsage, code, args)
		assert.Contains(t, errOut.String(), want)
		assert.Empty(t, out.String())
	}
}
