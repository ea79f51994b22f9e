package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAJobListGivesATableAnOrderAndExactMeans(t *testing.T) {
	code, out, errOut := strandsim("jobs", "A 0 5, B 1 3, C 2 8, D 3 6", "-policy", "rr", "-quantum", "1")
	require.Zero(t, code, errOut)
	assert.Regexp(t, `(?m)^ +B +1 +3 +1 +9 +0 +8 +5$`, out)
	assert.Regexp(t, `(?m)^ +mean +0\.75 +14\.75 +9\.25$`, out)
	assert.Regexp(t, `(?m)^ +exactly +3/4 +59/4 +37/4$`, out)
	assert.Contains(t, out, "order: ABACBDACBDACDACDCDCDCC\n")

	code, out, errOut = strandsim("run", "textbook-rr", "-o", "jobs")
	require.Zero(t, code, errOut)
	assert.Contains(t, out, "order: ABACBDACBDACDACDCDCDCC\n", "the same as a scenario")
}

func TestAllPoliciesStandSideBySideAndTheBestIsMarked(t *testing.T) {
	code, out, errOut := strandsim("jobs", "A 0 6, B 0 8, C 0 7, D 0 3", "-all", "-quantum", "2")
	require.Zero(t, code, errOut)
	assert.Regexp(t, `(?m)^fcfs +10\.25 = 41/4 +16\.25 = 65/4 +10\.25 = 41/4 +A{6}B{8}C{7}D{3}$`, out)
	assert.Regexp(t, `(?m)^sjf +7 +13 \* +7 \* +D`, out)
	assert.NotContains(t, out, "prio", "the list has no priorities")
	code, out, errOut = strandsim("jobs", "T1 C=25 T=50, T2 C=35 T=80", "-all")
	require.Zero(t, code, errOut)
	assert.Regexp(t, `(?m)^rm +13 +1 *$`, out)
	assert.Regexp(t, `(?m)^edf +13 +0 \*$`, out)
}

func TestAListComesFromATableOrFromASeed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list.csv")
	require.NoError(t, os.WriteFile(path, []byte("Process,Arrival Time,Burst Time\nA,2,3\nB,15,4\n"), 0o600))
	code, out, errOut := strandsim("jobs", "-csv", path)
	require.Zero(t, code, errOut)
	assert.Contains(t, out, "order: --AAA----------BBBB\n")
	_, one, _ := strandsim("jobs", "-random", "20", "-seed", "3")
	_, two, _ := strandsim("jobs", "-random", "20", "-seed", "3")
	_, other, _ := strandsim("jobs", "-random", "20", "-seed", "4")
	assert.Equal(t, one, two)
	assert.NotEqual(t, one, other)
}

func TestAHostileListIsRefusedAsUsage(t *testing.T) {
	for want, args := range map[string][]string{
		`job 2 (B): burst: "-4"`:            {"A 0 5, B 1 -4"},
		"quantum: 0, want 0.001 to 1000000": {"A 0 5", "-policy", "rr", "-quantum", "0"},
		`did you mean "textbook-srtf"?`:     {"A 0 5", "-policy", "srtff"},
		`job 1 (A): tickets: "0"`:           {"A 0 5 tickets=0", "-policy", "lottery"},
		"cpus: 0, want 1 to":                {"A 0 5", "-cpus", "0"},
		"jobs needs one list":               {"A 0 5", "-random", "3"},
		"0 jobs, want 1 to 100000":          {"-random", "0"},
		"leave -policy out":                 {"A 0 5", "-all", "-policy", "rr"},
		"want key=value":                    {"A 0 5", "-set", "boost"},
		`setting "bost" is unknown`:         {"A 0 5", "-policy", "mlfq", "-set", "bost=1"},
		"-seed -1, want 0 or more":          {"-random", "3", "-seed", "-1"},
	} {
		code, out, errOut := strandsim(append([]string{"jobs"}, args...)...)
		assert.Equal(t, exitUsage, code, args)
		assert.Empty(t, out, "never a schedule")
		assert.Contains(t, errOut, want)
	}
}
