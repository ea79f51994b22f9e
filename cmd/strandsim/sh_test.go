package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/clock"
)

// piped runs strandsim sh with lines on standard input.
func piped(input string, args ...string) (code int, out, errOut string) {
	var o, e bytes.Buffer
	code = mainCodeIn(append([]string{"strandsim", "sh"}, args...), strings.NewReader(input), &o, &e)
	return code, o.String(), e.String()
}

func TestShRunsTheLinesOfStandardInput(t *testing.T) {
	code, out, errOut := piped("echo a\nsleep 2; echo $SECONDS\nnosuch\nexit 3\necho never\n", "-typing", "0", "linux22")
	assert.Equal(t, 3, code)
	assert.Equal(t, "a\n2\n", out)
	assert.Equal(t, "bash: nosuch: command not found\n", errOut)
}

func TestShEchoesWhatATerminalWouldShow(t *testing.T) {
	_, out, _ := piped("./loop &\necho x\n", "-echo", "linux22")
	assert.Equal(t, "# ./loop &\n[1] 700\n# echo x\nx\n", out)
}

func TestShRunsOneLineWithC(t *testing.T) {
	code, out, _ := piped("echo not this\n", "-c", "echo a | grep -c a", "linux22")
	assert.Equal(t, "1\n", out)
	assert.Zero(t, code)
}

func TestTheStatusOfShIsThatOfTheLastCommand(t *testing.T) {
	code, _, errOut := piped("false\n", "linux22")
	assert.Equal(t, 1, code)
	assert.Empty(t, errOut, "a status is no failure of ours")
	code, _, _ = piped("dispadmin -d\n", "linux22")
	assert.Equal(t, 127, code)
	code, _, _ = piped("", "linux22")
	assert.Zero(t, code)
}

func TestShDoesNotHang(t *testing.T) {
	code, _, errOut := piped("./loop\necho $?\n", "-limit", "90s", "linux22")
	assert.Zero(t, code)
	assert.Contains(t, errOut, "the command has taken 1m30s of simulated time and is interrupted")
	code, _, errOut = piped(strings.Repeat("x", 1<<20)+"\necho ok\n", "linux22")
	assert.Zero(t, code)
	assert.Contains(t, errOut, "a line of 6553")
	code, _, errOut = piped("\x00\xff\x1b[2J\n", "linux22")
	assert.Equal(t, 127, code)
	assert.NotContains(t, errOut, "\x1b")
}

func TestTimePassesWhileALineIsTyped(t *testing.T) {
	_, out, _ := piped("# a remark\necho $SECONDS\necho $SECONDS\n", "linux22")
	assert.Equal(t, "5\n10\n", out)
	_, out, _ = piped("\necho $SECONDS\necho $SECONDS\n", "-typing", "2s", "linux22")
	assert.Equal(t, "0\n2\n", out)
}

func TestShRefusesWrongUse(t *testing.T) {
	for _, args := range [][]string{{}, {"linux22", "t2000"}, {"nosuch"}, {"-limit", "0s", "linux22"}, {"-pace", "-1", "linux22"}, {"-typing", "2h", "linux22"}, {"-set", "x", "linux22"}} {
		code, _, errOut := piped("", args...)
		assert.Equal(t, exitUsage, code, args)
		assert.NotEmpty(t, errOut, args)
	}
}

// typist is a terminal whose keys and moments a test gives.
type typist struct {
	*testing.T
	term *terminal
	out  bytes.Buffer
	keys chan []byte
	// moments are real time that passes while a command is in front.
	moments chan time.Duration
	done    chan error
}

func atTerminal(t *testing.T, id string) *typist {
	s, err := sim.Open(id)
	require.NoError(t, err)
	y := &typist{T: t, keys: make(chan []byte), moments: make(chan time.Duration), done: make(chan error, 1)}
	sh := &shell{s: s, out: &y.out, err: &y.out, limit: clock.Hour, echo: false}
	y.term = newTerminal(sh, y.keys, 1)
	y.term.frame = func() <-chan time.Duration { return y.moments }
	go func() { y.done <- y.term.run() }()
	return y
}

// leaves ends the shell and returns what was shown.
func (y *typist) leaves() string {
	close(y.keys)
	require.NoError(y, <-y.done)
	return y.out.String()
}

func TestATerminalHasHistoryCompletionAndCtrlC(t *testing.T) {
	y := atTerminal(t, "linux22")
	y.keys <- []byte("ech\taway\r")
	y.keys <- []byte("\x1b[A\r") // up
	y.keys <- []byte("half a line\x03")
	y.keys <- []byte("un\t\t")
	y.keys <- []byte("\x03")
	shown := y.leaves()
	assert.Equal(t, 2, strings.Count(shown, "\naway\r\n"), "%q", shown)
	assert.Contains(t, shown, "^C")
	assert.NotContains(t, shown, "command not found", "a line that is broken off is not run")
	assert.Contains(t, shown, "uname  unset", "all that it may be")
}

func TestTimePassesAtAPaceWhileACommandIsInFront(t *testing.T) {
	y := atTerminal(t, "linux22")
	y.term.pace = 10
	y.keys <- []byte("sleep 5; echo over\r")
	y.moments <- 400 * time.Millisecond
	y.keys <- []byte("echo ahead\r")
	y.moments <- 100 * time.Millisecond
	y.keys <- []byte("sleep 1000\r")
	y.moments <- time.Second
	y.keys <- []byte("\x03")
	y.keys <- []byte("echo $?\r")
	shown := y.leaves()
	assert.Less(t, strings.Index(shown, "over\r\n"), strings.Index(shown, "ahead\r\n"))
	assert.Contains(t, shown, "\n130\r\n")
	assert.Equal(t, clock.Time(15*clock.Second), y.term.s.Now())
}

func TestCompletionGoesAsFarAsIsSure(t *testing.T) {
	assert.Equal(t, "ren", common([]string{"renice", "rename"}))
	assert.Equal(t, "x", common([]string{"x"}))
	assert.Empty(t, common([]string{"a", "b"}))
}

func TestAProgramThatFillsTheScreenIsShownWhenItEnds(t *testing.T) {
	for _, lines := range []string{"./loop &\ntop\nq\n", "./loop &\ntop\n"} {
		_, out, _ := piped(lines, "linux22")
		assert.Contains(t, out, "COMMAND\n  700 root")
		assert.Equal(t, 1, strings.Count(out, "COMMAND"))
	}
	_, out, _ := piped("./loop &\nprstat\nq\necho after\n", "t2000")
	assert.Contains(t, out, "PROCESS/NLWP\n")
	assert.True(t, strings.HasSuffix(out, "\nafter\n"))
}

func TestACommandThatIsCutOffIsToldSo(t *testing.T) {
	code, _, errOut := piped("for i in 1 2\ndo echo $i\n", "linux22")
	assert.Equal(t, 2, code)
	assert.Equal(t, "bash: syntax error: unexpected end of file\n", errOut)
}

func TestALinuxBoxRebootsToo(t *testing.T) {
	code, out, errOut := piped("./loop & ./loop &\nreboot\nps ax | grep -c loop\nuptime\n", "linux22")
	assert.Zero(t, code, errOut)
	assert.Contains(t, out, "0\n 10:")
	assert.Contains(t, out, "load average: 0.00, 0.00, 0.00")
}
