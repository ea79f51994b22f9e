package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
)

func TestEachScenarioHasAStillInBothThemes(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, draw(dir))
	for _, s := range sim.Library() {
		light, err := os.ReadFile(filepath.Join(dir, s.ID+"-light.svg"))
		require.NoError(t, err)
		dark, err := os.ReadFile(filepath.Join(dir, s.ID+"-dark.svg"))
		require.NoError(t, err)
		assert.NotEqual(t, light, dark, s.ID)
		assert.True(t, strings.HasPrefix(string(light), "<svg") || strings.HasPrefix(string(light), "<?xml"), s.ID)
	}
}
