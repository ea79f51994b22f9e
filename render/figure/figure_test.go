package figure_test

import (
	"encoding/csv"
	"encoding/xml"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/render/act"
	"strandscope/render/figure"
	"strandscope/sim"
	"strandscope/sim/clock"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func run(t *testing.T, id string, seconds int) *sim.Session {
	t.Helper()
	s, err := sim.Open(id)
	require.NoError(t, err)
	require.NoError(t, s.Advance(clock.Duration(seconds)*clock.Second))
	return s
}

func draw(t *testing.T, s *sim.Session, o figure.Options) string {
	t.Helper()
	text, err := figure.SVG(s, act.View{}, &o)
	require.NoError(t, err)
	var doc struct {
		XMLName xml.Name `xml:"http://www.w3.org/2000/svg svg"`
		Title   string   `xml:"title"`
		Desc    string   `xml:"desc"`
	}
	require.NoError(t, xml.Unmarshal(text, &doc))
	assert.NotEmpty(t, doc.Title)
	assert.NotEmpty(t, doc.Desc)
	return string(text)
}

func TestEachPanelIsDrawnAsItsGolden(t *testing.T) {
	for id, panels := range map[string][]string{
		"t2000-unset":             {"strands", "runqueue", "timeline", "loadavg", "utilisation", "rqlen", "ladder"},
		"linux22-ping-under-load": {"wakes"},
		"linux22-recalculation":   {"cost"},
	} {
		s := run(t, id, 5)
		for _, panel := range panels {
			got := draw(t, s, figure.Options{Panels: []string{panel}, Theme: "light"})
			file := filepath.Join("testdata", panel+".svg")
			if *update {
				require.NoError(t, os.MkdirAll("testdata", 0o755))
				require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
			}
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			assert.Equal(t, string(want), got, "go test ./render/figure -update, if it is meant")
		}
	}
}

func TestTheWholePictureHasEveryPanelInEveryTheme(t *testing.T) {
	s := run(t, "t2000-unset", 30)
	seen := map[string]bool{}
	for _, theme := range []string{"dark", "light", "projector"} {
		text := draw(t, s, figure.Options{Theme: theme})
		for _, title := range []string{"RUN QUEUE", "LOAD AVERAGE", "CPU UTILISATION"} {
			assert.Contains(t, text, title, theme)
		}
		seen[text] = true
	}
	assert.Len(t, seen, 3, "each theme has its colours")
}

func TestCaptionSourceAndLinkStandBelow(t *testing.T) {
	s := run(t, "t2000-unset", 5)
	text := draw(t, s, figure.Options{Panels: []string{"loadavg"}})
	assert.Contains(t, text, "default class not set · at 00:00:05.00</title>")
	assert.Contains(t, text, ">Source: "+s.Frame().Scenario.SourceTitle)
	text = draw(t, s, figure.Options{Panels: []string{"loadavg"}, Caption: "Mine & yours", Link: "https://example.org/" + strings.Repeat("x", 300)})
	assert.Contains(t, text, ">Mine &amp; yours</text>")
	assert.Contains(t, text, ">https://example.org/x", "an address without blanks is cut into lines")
	assert.NotContains(t, text, strings.Repeat("x", 300))
}

func TestTheSameMomentGivesTheSameOctets(t *testing.T) {
	o := figure.Options{Theme: "dark"}
	s := run(t, "t2000-unset", 20)
	first := draw(t, s, o)
	assert.Equal(t, first, draw(t, s, o), "drawn again")
	assert.Equal(t, first, draw(t, run(t, "t2000-unset", 20), o), "of another run")
}

func TestWhatAFigureRefuses(t *testing.T) {
	s := run(t, "t2000-unset", 1)
	for want, o := range map[string]figure.Options{
		`theme is "pink", want one of dark, light, projector`: {Theme: "pink"},
		`width is 239, want 240 to 4096 CSS pixels`:           {Width: 239},
		`panel is "plots", want one of strands`:               {Panels: []string{"plots"}},
		`panel "strands" is named twice`:                      {Panels: []string{"strands", "strands"}},
		`panel "wakes": this scenario has nothing to show`:    {Panels: []string{"wakes"}},
		`caption or link is longer than 2000 octets`:          {Caption: strings.Repeat("a", 2001)},
	} {
		_, err := figure.SVG(s, act.View{}, &o)
		assert.ErrorContains(t, err, want)
	}
}

func TestCSVHasTheSamplesOfThePlot(t *testing.T) {
	s := run(t, "t2000-unset", 60)
	v := act.View{Timeline: act.Range{Kind: act.Whole}}
	for panel, heading := range map[string]string{"loadavg": "load1", "utilisation": "user_pct", "rqlen": "waiting_threads"} {
		text, err := figure.CSV(s, v, panel)
		require.NoError(t, err)
		rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
		require.NoError(t, err)
		require.Greater(t, len(rows), 50, panel)
		assert.Equal(t, "time_s", rows[0][0])
		assert.Equal(t, heading, rows[0][1])
		before := -1.0
		for _, row := range rows[1:] {
			at, err := strconv.ParseFloat(row[0], 64)
			require.NoError(t, err)
			require.Greater(t, at, before)
			before = at
		}
		assert.InDelta(t, 60, before, 5.1, panel)
	}
	f := s.Frame()
	text, err := figure.CSV(s, v, "rqlen")
	require.NoError(t, err)
	last := strings.Split(strings.TrimSpace(string(text)), "\n")
	assert.Equal(t, strconv.Itoa(f.Totals.Waiting), strings.Split(last[len(last)-1], ",")[1])
	_, err = figure.CSV(s, v, "strands")
	assert.ErrorContains(t, err, `panel is "strands", want one with a plot over time: loadavg, utilisation, rqlen`)
}
