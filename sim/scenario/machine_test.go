package scenario_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/machine"
	"strandscope/sim/scenario"
)

func TestAMachineOfOnesOwnIsATree(t *testing.T) {
	read := func(m string) *machine.Machine {
		sc, err := scenario.Read("own.json", []byte(`{"machine": `+m+`, "tasks": {"x": {"run": 1000}}}`))
		require.NoError(t, err)
		return sc.Machine
	}
	m := read(`{"title": "Thirty-two chips", "chips": 32, "cores": 8, "pipelines": 2, "strands": 4, "issue": true}`)
	assert.Equal(t, []int{2048, 256, 512, 32}, []int{len(m.CPUs), len(m.Cores), len(m.Pipelines), m.Chips})
	assert.Equal(t, "Thirty-two chips", m.Title)
	assert.Equal(t, machine.CPU{ID: 2047, Chip: 31, Core: 255, Pipeline: 511}, m.CPUs[2047])
	assert.True(t, m.Issues[511])

	m = read(`{"cores": 2, "strands": 2, "speeds": [1000, 620]}`)
	assert.Equal(t, "1 chip of 2 cores, 4 strands", m.Title)
	speeds := make([]machine.Permille, 2)
	assert.Equal(t, machine.Permille(1000), m.Speeds(1, make([]machine.CPI, 2), speeds))
	assert.Equal(t, []machine.Permille{620, 620}, speeds)

	assert.Len(t, read(`{}`).CPUs, 1)
	assert.Len(t, read(`{"chips": 4096}`).CPUs, 4096)

	// As the preset is made, so is one's own.
	preset, own := read(`"t5120"`), read(`{"cores": 8, "pipelines": 2, "strands": 4, "issue": true}`)
	own.ID, own.Title = preset.ID, preset.Title
	assert.Equal(t, preset, own)
}
