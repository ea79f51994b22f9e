package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAFamilyOfProcessesIsSummedUp(t *testing.T) {
	linux := procDir
	t.Cleanup(func() { procDir = linux })
	procDir = t.TempDir()
	for name, text := range map[string]string{
		"10/stat":         "10 (chromium) S 1 10 10 0 -1 0 0 0 0 0 150 50 0 0 20 0",
		"11/stat":         "11 (a (b) c) S 10 10 10 0 -1 0 0 0 0 0 7 3 0 0 20 0",
		"12/stat":         "12 (d) S 11 10 10 0 -1 0 0 0 0 0 1 0 0 0 20 0",
		"13/stat":         "13 (other) S 1 10 10 0 -1 0 0 0 0 0 999 0 0 0 20 0",
		"10/smaps_rollup": "000-fff ---p 0 00:00 0 [rollup]\nRss:      900 kB\nPss:      100 kB\nPss_Dirty:   3 kB\n",
		"12/smaps_rollup": "Pss:      20 kB\n",
		"13/smaps_rollup": "Pss:      5000 kB\n",
	} {
		require.NoError(t, os.MkdirAll(filepath.Join(procDir, filepath.Dir(name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(procDir, name), []byte(text), 0o644))
	}
	assert.Equal(t, []int{10, 11, 12}, family(10))
	assert.Equal(t, 2110*time.Millisecond, cpuTime(10))
	assert.EqualValues(t, 120*1024, memoryOf(10))
	assert.Zero(t, memoryOf(77))
}
