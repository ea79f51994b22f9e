package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestWhyPrintsRuleCandidatesAndWhoRanInstead(t *testing.T) {
	code, out, _ := strandsim("why", "t2000-unset", "-at", "12.5s", "-cpu", "3")
	assert.Zero(t, code)
	assert.Contains(t, out, "on cpu3?")
	assert.Contains(t, out, "Rule: disp.c: ")
	assert.Regexp(t, `(?m)^  \* perl 12\d\d +priority \d+  runs$`, out)
	code, out, _ = strandsim("why", "t2000-unset", "-at", "12.5s", "-task", "1220")
	assert.Zero(t, code)
	assert.Contains(t, out, "Why is perl 1220 waiting?")
	assert.Contains(t, out, "Meanwhile on the 12 CPUs that it may use")
	assert.Contains(t, out, "Who took a CPU from it, so far:")
}

func TestWhyRefusesWhatIsNotThere(t *testing.T) {
	for says, args := range map[string][]string{
		"either -cpu STRAND or -task PID":   {"why", "t2000-unset"},
		"-cpu 40, want 0 to 31":             {"why", "t2000-unset", "-cpu", "40"},
		"-task 7: there is no such process": {"why", "t2000-unset", "-at", "1s", "-task", "7"},
		"-at -1s, want 0s":                  {"why", "t2000-unset", "-at", "-1s", "-cpu", "0"},
		"why needs one SCENARIO":            {"why", "-cpu", "0"},
	} {
		code, _, errOut := strandsim(args...)
		assert.Equal(t, exitUsage, code, says)
		assert.Contains(t, errOut, says)
	}
}
