package main

import (
	"encoding/csv"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func figureOf(args ...string) (out, errOut string, code int) {
	var o, e strings.Builder
	code = mainCode(append([]string{"strandsim", "figure"}, args...), &o, &e)
	return o.String(), e.String(), code
}

func TestFigureIsAPictureAndAFileHasTheSame(t *testing.T) {
	args := []string{"-at", "5s", "-panel", "loadavg,rqlen", "-class", "FSS", "-theme", "projector", "-width", "600"}
	out, errOut, code := figureOf(append(args, "t2000-unset")...)
	require.Zero(t, code, errOut)
	var doc struct {
		Width int    `xml:"width,attr"`
		Title string `xml:"title"`
	}
	require.NoError(t, xml.Unmarshal([]byte(out), &doc))
	assert.Equal(t, 600, doc.Width)
	assert.Contains(t, doc.Title, "default class FSS · at 00:00:05.00")
	file := filepath.Join(t.TempDir(), "x.svg")
	_, errOut, code = figureOf(append(args, "-o", file, "t2000-unset")...)
	require.Zero(t, code, errOut)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, out, string(text))
}

func TestFigureWritesThePlotAsCSV(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.csv")
	_, errOut, code := figureOf("-at", "20s", "-panel", "utilisation", "-o", file, "t2000-unset")
	require.Zero(t, code, errOut)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	require.NoError(t, err)
	assert.Greater(t, len(rows), 15)
	assert.Equal(t, "time_s", rows[0][0])
}

func TestFigureRefusesInASentence(t *testing.T) {
	for want, args := range map[string][]string{
		`needs one SCENARIO, got 0`:                         nil,
		`-o "x.png", want a name that ends in .svg or .csv`: {"-o", "x.png", "t2000"},
		`-o "x.csv" needs one -panel`:                       {"-o", "x.csv", "t2000"},
		`want one with a plot over time`:                    {"-o", "x.csv", "-panel", "strands", "-at", "1s", "t2000"},
		`theme is "pink", want one of dark`:                 {"-theme", "pink", "t2000"},
		`width is 9, want 240 to 4096`:                      {"-width", "9", "t2000"},
		`-width 0, want 240 to 4096`:                        {"-width", "0", "t2000"},
	} {
		_, errOut, code := figureOf(args...)
		assert.Equal(t, exitUsage, code, want)
		assert.Contains(t, errOut, want)
	}
}
