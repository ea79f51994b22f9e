package proto

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/clock"
)

func TestThePageIsToldOfKernelsAsTheyAreRun(t *testing.T) {
	m, err := Decode([]byte(`{"v":1,"n":4,"cmd":"kernels"}`))
	require.NoError(t, err)
	assert.Equal(t, AskKernels, m.Ask)

	s, err := sim.Open("eevdf-slices")
	require.NoError(t, err)
	require.NoError(t, s.CompareKernels(clock.Second))
	require.NoError(t, s.PlotNext())
	rows, left := s.Kernels()
	var got struct {
		Type string
		Left int
		Rows []struct {
			Title, Figures, Probe, Waits string
			Tasks                        []struct{ Name, Figures string }
		}
		Error string
	}
	require.NoError(t, json.Unmarshal(Kernels(rows, left, nil), &got))
	assert.Equal(t, "kernels", got.Type)
	assert.Equal(t, 1, got.Left)
	require.Len(t, got.Rows, 1)
	assert.Equal(t, "Linux 6.12 (EEVDF)", got.Rows[0].Title)
	assert.Equal(t, "short", got.Rows[0].Probe)
	assert.Len(t, strings.Fields(got.Rows[0].Waits), 2)
	assert.Len(t, strings.Fields(got.Rows[0].Figures), 23, "as those of a comparison")
	assert.Equal(t, "hog", got.Rows[0].Tasks[0].Name)
	assert.True(t, strings.HasPrefix(got.Rows[0].Tasks[0].Figures, "8 "))

	require.NoError(t, json.Unmarshal(Kernels(nil, 0, errors.New("it offers none")), &got))
	assert.Equal(t, "it offers none", got.Error)
	assert.Empty(t, got.Rows)
}
