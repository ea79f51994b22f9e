package scenario_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/scenario"
)

func TestEveryScenarioOfTheLibraryIsReadAndListed(t *testing.T) {
	listed := map[string]bool{}
	for _, id := range scenario.Library {
		s, err := scenario.Builtin(id)
		require.NoError(t, err, id)
		assert.Equal(t, id, s.ID)
		assert.NotEmpty(t, s.Title, id)
		assert.True(t, len(s.Tasks) > 0 || s.Console != (scenario.Console{}), "%s runs nothing, and nobody can type anything", id)
		assert.False(t, listed[id], "%s is listed twice", id)
		listed[id] = true
	}
	for _, id := range []string{"t2000-unset", "t2000-ts", "t2000-fss"} {
		assert.True(t, listed[id], id)
	}
}

func TestEveryFileOfTheLibraryIsReadWhetherListedOrNot(t *testing.T) {
	files, err := os.ReadDir("library")
	require.NoError(t, err)
	for _, f := range files {
		_, err := scenario.Builtin(strings.TrimSuffix(f.Name(), ".json"))
		require.NoError(t, err, f.Name())
	}
}

func TestAnUnknownScenarioIsRefusedWithTheNearestOne(t *testing.T) {
	_, err := scenario.Builtin("t2000-tss")
	require.ErrorContains(t, err, `scenario "t2000-tss" is not in the library; there are t2000-unset, `)
	require.ErrorContains(t, err, `did you mean "t2000-`)
	for _, id := range []string{"", "../library/t2000-ts", "t2000-ts.json", "/etc/passwd"} {
		_, err := scenario.Builtin(id)
		require.Error(t, err, id)
	}
}

// The tip's scenario: a set of 12 CPUs exists only while no class is set and
// that explanation is in force.
func TestTheTipsProcessorSetExistsOnlyAsItsExplanation(t *testing.T) {
	s, err := scenario.Builtin("t2000-unset")
	require.NoError(t, err)
	require.True(t, s.HasChoice())
	assert.Equal(t, scenario.ExplainPset, s.Scheduler.Explanation)
	perl := &s.Tasks[0]
	require.Len(t, s.ActiveSets(), 1)
	assert.Len(t, s.ActiveSets()[0].CPUs, 12)
	assert.Equal(t, 1, s.SetOf(perl))

	require.NoError(t, s.Apply("explanation", "kernel"))
	assert.Empty(t, s.ActiveSets())
	assert.Zero(t, s.SetOf(perl), "its threads are in the default set then")

	require.NoError(t, s.Apply("explanation", "pset"))
	require.NoError(t, s.Apply("class", "FSS"))
	assert.Empty(t, s.ActiveSets(), "a class is set at a reboot, which no set survives")
}

func TestSettingsAreAppliedOrRefusedWhole(t *testing.T) {
	s, err := scenario.Builtin("t2000-unset")
	require.NoError(t, err)
	before := s.Clone()
	for _, c := range []struct{ key, val, want string }{
		{"clss", "TS", `setting "clss" is unknown; there are class, explanation, kernel and seed (did you mean "class"?)`},
		{"explanation", "magic", `explanation: "magic", want "pset" or "kernel"`},
		{"explanation", "", `explanation: empty, want "pset" or "kernel"`},
		{"seed", "-1", `seed: "-1", want a whole number from 0 to 9007199254740991`},
		{"seed", "9007199254740992", `seed: "9007199254740992", want a whole number from 0 to 9007199254740991`},
		{"seed", "x", `seed: "x", want a whole number from 0 to 9007199254740991`},
	} {
		require.EqualError(t, s.Apply(c.key, c.val), c.want)
		assert.Equal(t, before, s)
	}
	require.NoError(t, s.Apply("seed", "9007199254740991"))
	assert.Equal(t, uint64(1<<53-1), s.Seed)
	assert.NotEqual(t, before.Seed, s.Seed, "a clone is not changed with it")

	require.EqualError(t, s.Apply("kernel", "linux-6.1"), "kernel: this scenario offers no kernels to choose from; it runs on solaris10")
	ages, err := scenario.Builtin("eevdf-slices")
	require.NoError(t, err)
	require.EqualError(t, ages.Apply("kernel", "linux-6.1"), `kernel: "linux-6.1", want linux-6.12 and linux-6.18 (did you mean "linux-6.12"?)`)
	require.NoError(t, ages.Apply("kernel", "linux-6.18"))
	assert.Equal(t, "linux-6.18", ages.Scheduler.Kernel)

	ts, err := scenario.Builtin("t2000-ts")
	require.NoError(t, err)
	if !ts.HasChoice() {
		require.EqualError(t, ts.Apply("explanation", "pset"), `explanation: "pset"; this scenario has nothing to explain`)
	}
}
