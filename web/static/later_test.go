package static

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/policy"
	"strandscope/sim/scenario"
)

var update = flag.Bool("update", false, "write web/later.js anew")

const laterFile = "../later.js"

// laterText is what the page has to know of what only its fuller program has.
func laterText(t *testing.T) string {
	t.Helper()
	quote := func(s string) string {
		require.NotContains(t, s, "`")
		return "'" + strings.ReplaceAll(s, "'", "\\'") + "'"
	}
	var b strings.Builder
	b.WriteString(`// What only the page's fuller program has: kernels after Linux 2.2, and the scenarios that
// need them. Made of the library by go test ./web/static -update.
'use strict';
window.strandscopeLater = {
  kernels: [`)
	for i, k := range policy.Later() {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(quote(k.ID))
	}
	b.WriteString("],\n  scenarios: [\n")
	_, err := policy.Find("linux-5.4")
	for _, k := range policy.Later() {
		require.ErrorContains(t, err, k.ID)
	}
	s, err := sim.Open(scenario.Later()[0])
	require.NoError(t, err)
	for _, c := range s.Choices().Scenarios {
		if slices.Contains(scenario.Later(), c.Value) {
			fmt.Fprintf(&b, "    { value: %s, label: %s, help: %s },\n", quote(c.Value), quote(c.Label), quote(c.Help))
		}
	}
	b.WriteString("  ],\n};\n")
	return b.String()
}

func TestThePageKnowsWhatOnlyTheFullerProgramHas(t *testing.T) {
	want := laterText(t)
	if *update {
		require.NoError(t, os.WriteFile(laterFile, []byte(want), 0o644))
	}
	got, err := os.ReadFile(laterFile)
	require.NoError(t, err)
	assert.Equal(t, want, string(got), "go test ./web/static -update writes it anew")
}

// A kernel of theirs that a scenario of the first program named would be missing there.
func TestTheFirstProgramHasTheKernelsOfItsScenarios(t *testing.T) {
	for _, id := range scenario.Library {
		sc, err := scenario.Builtin(id)
		require.NoError(t, err)
		needs := slices.ContainsFunc(policy.Later(), func(k policy.Kernel) bool {
			return k.ID == sc.Scheduler.Kernel || slices.Contains(sc.Scheduler.Kernels, k.ID)
		})
		assert.Equal(t, slices.Contains(scenario.Later(), id), needs, id)
	}
}

// The stages differ in nothing but their program.
func TestTheTwoStagesAreOne(t *testing.T) {
	first, err := os.ReadFile("../stage.html")
	require.NoError(t, err)
	fuller, err := os.ReadFile("../stagefull.html")
	require.NoError(t, err)
	want := strings.Replace(string(first), "strandscope.wasm", "strandfull.wasm", 1)
	want = strings.Replace(want, `<script src="stage.js"`, `<script src="stagefile.js" defer></script>`+"\n"+`<script src="stage.js"`, 1)
	assert.Equal(t, want, string(fuller), "but for what reads files")
}
