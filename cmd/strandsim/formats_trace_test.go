package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/cmd/internal/tracefile"
	"strandscope/sim"
	"strandscope/sim/clock"
)

// What the files are is tested where they are written.
func TestRunWritesTheFilesOfEvents(t *testing.T) {
	for _, f := range []tracefile.Format{tracefile.Events, tracefile.Perfetto, tracefile.Ftrace} {
		var out, errOut strings.Builder
		args := []string{"strandsim", "run", "-for", "2s", "-set", "class=TS", "-o", f.Name, "t2000-fss"}
		require.Zero(t, mainCode(args, &out, &errOut), errOut.String())
		s, err := sim.Open("t2000-fss", sim.Setting{Key: "class", Value: "TS"})
		require.NoError(t, err)
		var want bytes.Buffer
		require.NoError(t, f.Write(&want, s, clock.Time(2*clock.Second), nil))
		assert.Equal(t, want.String(), out.String(), f.Name)
		assert.Greater(t, want.Len(), 1000)
	}
}
