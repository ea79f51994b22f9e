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

func TestTheKernelsOfAScenarioStandSideBySide(t *testing.T) {
	text := compared(t, "-kernels", "nice-means-what", "-for", "60s")
	assert.Contains(t, text, "Linux 2.2.8-pre5  Linux 2.6.22 · O(1)")
	assert.Contains(t, strings.Join(strings.Fields(text), " "), "nice19: most CPU time, s 1.37 0.65 0.30 0.30 0.30 0.30")

	rows, err := csv.NewReader(strings.NewReader(compared(t, "-kernels", "eevdf-slices", "-for", "5s", "-o", "csv"))).ReadAll()
	require.NoError(t, err)
	assert.Equal(t, []string{"id", "figure", "unit", "linux-6.12", "linux-6.18"}, rows[0])
	assert.Equal(t, "short: usual wait", rows[1][1])

	var got struct {
		AtNs    int64 `json:"at_ns"`
		Figures []struct {
			ID     string
			Values map[string]float64
		}
	}
	require.NoError(t, json.Unmarshal([]byte(compared(t, "-kernels", "eevdf-slices", "-for", "5s", "-o", "json")), &got))
	assert.EqualValues(t, 5_000_000_000, got.AtNs)
	assert.Len(t, got.Figures[0].Values, 2)
}

func TestWhatOffersNoKernelsIsRefused(t *testing.T) {
	for want, args := range map[string][]string{
		"this scenario offers no kernels to compare":                  {"t2000"},
		"compare -kernels needs one scenario, got 2":                  {"nice-means-what", "t2000"},
		"compare -kernels has no side B; -set-a changes the scenario": {"nice-means-what", "-set-b", "seed=2"},
	} {
		var out, errOut bytes.Buffer
		assert.NotZero(t, mainCode(append([]string{"strandsim", "compare", "-kernels"}, args...), &out, &errOut))
		assert.Contains(t, errOut.String(), want)
	}
}
