package linux22_test

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
	"strandscope/sim/console/linux22"
)

var update = flag.Bool("update", false, "write the transcripts anew")

// box is a session at whose prompt lines are typed.
type box struct {
	*sim.Session
	t     *testing.T
	step  clock.Duration // how time is cut
	shown int
}

func open(t *testing.T, scenario string) *box {
	t.Helper()
	s, err := sim.Open(scenario)
	require.NoError(t, err)
	return &box{Session: s, t: t, step: clock.Second}
}

// limit is the most simulated time that a command in front may take.
const limit = 2 * 24 * clock.Hour

// settle lets time pass until the prompt is shown again.
func (b *box) settle() {
	b.t.Helper()
	end := b.Now().Add(limit)
	for con := b.Console(); con.Busy() && con.Screen() == nil; {
		require.Less(b.t, b.Now(), end, "a command that does not end")
		require.NoError(b.t, b.Advance(b.step))
	}
}

// run types a line and returns what was shown since the last call.
func (b *box) run(line string) string {
	b.t.Helper()
	b.Type(line)
	b.settle()
	return b.text()
}

func (b *box) text() string {
	lines, from := b.Console().Log().From(b.shown)
	b.shown = from + len(lines)
	var all strings.Builder
	for _, l := range lines {
		all.WriteString(l.Text + "\n")
	}
	return all.String()
}

// wait lets time pass.
func (b *box) wait(d clock.Duration) {
	b.t.Helper()
	require.NoError(b.t, b.Advance(d))
}

// transcript runs the lines of a transcript that begin with a prompt, each as soon
// as the one before has ended.
func transcript(t *testing.T, text string, step clock.Duration) string {
	t.Helper()
	b := open(t, "linux22")
	b.step = step
	for _, line := range strings.Split(text, "\n") {
		if typed, ok := strings.CutPrefix(line, "# "); ok {
			b.Type(typed)
		}
	}
	b.settle()
	require.NoError(t, b.Finish())
	return b.text()
}

func transcripts(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return files
}

func TestCommandsPrintWhatTheirTranscriptsShow(t *testing.T) {
	for _, file := range transcripts(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			got := transcript(t, string(want), clock.Second)
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
				return
			}
			assert.Equal(t, string(want), got)
		})
	}
}

func TestHowTimeIsCutChangesNothing(t *testing.T) {
	for _, file := range []string{"testdata/top.txt", "testdata/ping.txt", "testdata/vmstat.txt"} {
		want, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, string(want), transcript(t, string(want), 7*clock.Millisecond), file)
	}
}

func TestEveryCommandIsInATranscriptAndHasAManPage(t *testing.T) {
	var all strings.Builder
	for _, file := range transcripts(t) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		all.Write(text)
	}
	for _, c := range linux22.System.Commands {
		assert.NotEmpty(t, c.Synopsis, c.Name)
		assert.NotEmpty(t, c.Help, c.Name)
		assert.NotEmpty(t, c.Man, c.Name)
		assert.Regexp(t, `(?m)^# (.*[|;(] ?)?`+c.Name+`\b`, all.String())
		for _, line := range strings.Split(c.Man+"\n"+c.Synopsis, "\n") {
			assert.LessOrEqual(t, len([]rune(line)), 84, "%s: %s", c.Name, line)
		}
		for _, o := range c.Options {
			word, _, _ := strings.Cut(o, " ")
			assert.Contains(t, c.Man+c.Synopsis+"-V -s -TERM -HUP -INT -KILL -9 -0 --adjustment", strings.TrimLeft(word, "-"), c.Name)
		}
	}
}

func TestCompletionOffersWhatFits(t *testing.T) {
	b := open(t, "linux22")
	b.run("./loop &")
	con := b.Console()
	assert.Subset(t, con.Complete("u"), []string{"uname", "uptime"})
	assert.Equal(t, []string{"-b", "-d", "-i", "-n", "-p"}, con.Complete("top -"))
	assert.Contains(t, con.Complete("renice 5 -p 7"), "700")
	assert.Contains(t, con.Complete("kill 7"), "700")
	assert.Contains(t, con.Complete("ps a"), "aux")
	assert.Equal(t, []string{"195.4.7.3"}, con.Complete("ping 1"))
	assert.Equal(t, []string{"/proc/700/cmdline", "/proc/700/stat", "/proc/700/status"}, con.Complete("cat /proc/700"))
	assert.Equal(t, []string{"./loop"}, con.Complete("chrt -f 10 ./l"))
}

func TestAFileOfAProcessThatThereIsNotDoesNotExist(t *testing.T) {
	b := open(t, "linux22")
	assert.Contains(t, b.run("cat /proc/1/stat"), "/proc/1/stat: No such file or directory")
	assert.Contains(t, b.run("cat /proc/699/maps"), "No such file or directory")
	assert.Equal(t, 1, b.Console().Status())
}

func TestDecorationIsMarkedAndTheModelsFiguresAreNot(t *testing.T) {
	b := open(t, "linux22")
	b.run("./loop &")
	b.run("top -b -n 1 -i")
	lines, _ := b.Console().Log().From(0)
	plain := func(l console.Line) string {
		var out strings.Builder
		last := 0
		for i := 0; i+1 < len(l.Decoration); i += 2 {
			out.WriteString(l.Text[last:l.Decoration[i]])
			last = l.Decoration[i+1]
		}
		return out.String() + l.Text[last:]
	}
	var seen []string
	for _, l := range lines {
		if strings.HasPrefix(l.Text, "Mem:") || strings.HasSuffix(l.Text, "loop") {
			seen = append(seen, strings.Join(strings.Fields(plain(l)), " "))
		}
	}
	require.Len(t, seen, 2)
	assert.Empty(t, seen[0], "all of the line about memory")
	assert.Regexp(t, `^700 \d+ 0 R 9\d\.\d 0:01 loop$`, seen[1])
}

func TestEachKernelTellsItsOwnRelease(t *testing.T) {
	for scenario, release := range map[string]string{"linux22": "2.2.8-pre5", "linux227-250-hogs": "2.2.7"} {
		b := open(t, scenario)
		assert.Contains(t, b.run("uname -a"), "Linux box "+release+" #1 SMP", scenario)
		assert.Contains(t, b.run("cat /proc/version"), "Linux version "+release+" (root@box)", scenario)
	}
}
