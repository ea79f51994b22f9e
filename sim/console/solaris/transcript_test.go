package solaris_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/console"
)

var update = flag.Bool("update", false, "write what the transcripts should print")

// settle lets time pass until the prompt is shown again, at most for a while.
func settle(t *testing.T, s *sim.Session, most clock.Duration) {
	t.Helper()
	con, end := s.Console(), s.Now().Add(most)
	for con.Busy() && con.Screen() == nil {
		if s.Now() >= end {
			s.Interrupt()
			return
		}
		require.NoError(t, s.AdvanceToNext(end))
	}
}

// A transcript is a scenario's name in its first line, and then lines typed, each
// behind "$ ", with what they print. What goes to standard error is marked "! ".
func play(t *testing.T, text string) string {
	t.Helper()
	scenario, rest, _ := strings.Cut(text, "\n")
	s, err := sim.Open(strings.TrimSpace(scenario))
	require.NoError(t, err)
	s.Console()
	var out strings.Builder
	out.WriteString(scenario + "\n")
	shown := 0
	drain := func() {
		lines, from := s.Console().Log().From(shown)
		shown = from + len(lines)
		for _, l := range lines {
			switch l.Kind {
			case console.Input:
				l.Text = "$ " + strings.TrimPrefix(l.Text, "# ") // # also begins a comment that is printed
			case console.Failure:
				out.WriteString("! ")
			case console.Remark:
				out.WriteString("-- ")
			case console.Output:
			}
			out.WriteString(strings.TrimRight(l.Text, " ") + "\n")
		}
	}
	for _, line := range strings.Split(rest, "\n") {
		typed, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			continue
		}
		if s.Console().Screen() != nil {
			out.WriteString(line + "\n") // keys, which the log does not show
		}
		s.Type(typed)
		settle(t, s, clock.Hour)
		drain()
		for _, l := range s.Console().Screen() {
			out.WriteString("| " + strings.TrimRight(l, " ") + "\n")
		}
	}
	require.NoError(t, s.Finish())
	return out.String()
}

func TestTranscriptsPrintWhatTheyDid(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".txt"), func(t *testing.T) {
			want, err := os.ReadFile(f)
			require.NoError(t, err)
			got := play(t, string(want))
			if *update {
				require.NoError(t, os.WriteFile(f, []byte(got), 0o644))
			}
			assert.Equal(t, string(want), got)
		})
	}
}
