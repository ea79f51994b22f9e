package sim_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/console"
)

// prompt is a session at whose console lines are typed.
type prompt struct {
	*testing.T
	s     *sim.Session
	shown int
}

func atPrompt(t *testing.T, id string, settings ...sim.Setting) *prompt {
	s, err := sim.Open(id, settings...)
	require.NoError(t, err)
	s.Console().Notices = false
	return &prompt{T: t, s: s}
}

// types types a line, lets time pass until the prompt is back, and returns what
// was printed.
func (p *prompt) types(line string) []string {
	p.s.Type(line)
	p.settle(clock.Hour)
	return p.news()
}

func (p *prompt) settle(most clock.Duration) {
	end := p.s.Now().Add(most)
	for p.s.Console().Busy() {
		require.Less(p, p.s.Now(), end, "the command goes on")
		require.NoError(p, p.s.Advance(clock.Second))
	}
}

// news are the lines printed since the last call, those typed left out.
func (p *prompt) news() []string {
	list, from := p.s.Console().Log().From(p.shown)
	p.shown = from + len(list)
	text := []string{}
	for _, l := range list {
		if l.Kind != console.Input {
			text = append(text, l.Text)
		}
	}
	return text
}

func TestALineIsAShellCommand(t *testing.T) {
	p := atPrompt(t, "linux22")
	for _, c := range []struct {
		line string
		want string
	}{
		{`echo a  "b  c" 'd $x' e\ f`, "a b  c d $x e f"},
		{`x=5; echo $x ${x}1 "$x y" '$x' $((x * 3 - 1))`, "5 51 5 y $x 14"},
		{`y="1  2"; echo $y; echo "$y"`, "1 2|1  2"},
		{`for i in 1 2 3; do echo n$i; done`, "n1|n2|n3"},
		{`i=0; while [ $i -lt 3 ]; do i=$((i+1)); echo $i; done`, "1|2|3"},
		{`until [ $i = 0 ]; do i=$((i-1)); done; echo $i`, "0"},
		{`for i in {1..9}; do [ $i -eq 2 ] && continue; [ $i -gt 4 ] && break; echo $i; done`, "1|3|4"},
		{`if false; then echo a; elif true; then echo b; else echo c; fi`, "b"},
		{`true && echo yes || echo no; false && echo yes || echo no`, "yes|no"},
		{`! true; echo $?; ! false; echo $?`, "1|0"},
		{`false; echo $?; (exit 7); echo $?`, "1|7"},
		{`x=1; (x=2; echo $x); echo $x; { x=3; }; echo $x`, "2|1|3"},
		{`echo $(seq 3) and $(echo $(echo deep))`, "1 2 3 and deep"},
		{"echo `seq 2`", "1 2"},
		{`seq 12 | tail -3 | head -n 2`, "10|11"},
		{`seq 12 | grep 1 | wc -l`, "      4"},
		{`seq 12 | sort -rn | head -1; seq 12 | sort | head -2`, "12|1|10"},
		{`printf x 2>/dev/null; echo $?`, "127"},
		{`seq 3 > /tmp/a; seq 4 5 >> /tmp/a; cat /tmp/a | tr a b 2>/dev/null; wc -l < /tmp/a`, "      5"},
		{`cat /tmp/a | tail -n +4; rm /tmp/a; cat /tmp/a`, "4|5|cat: /tmp/a: No such file or directory"},
		{`nosuch 2>&1 | grep -c found`, "1"},
		{`echo {1..3}-x a{1..2}b`, "1-x 2-x 3-x a1b a2b"},
		{`echo "" | wc -c; echo -n x`, "      1|x"},
		{`empty=; echo $empty a "$empty" | wc -c`, "      3"},
		{`[ a = a ] && [ 2 -gt 1 ] && [ ! -z x ]; echo $?; [ 1 -gt x ]; echo $?`, "0|bash: [: integer expression expected|2"},
		{`seq 3 | tee /tmp/t | tail -1; cat /tmp/t | head -1`, "3|1"},
		{`echo one; echo two # three`, "one|two"},
		{`echo $SECONDS; sleep 2; echo $SECONDS`, "0|2"},
	} {
		want := strings.Split(c.want, "|")
		for i := range want {
			want[i] = strings.TrimPrefix(want[i], "bash: [: ")
		}
		got := p.types(c.line)
		for i := range got {
			got[i] = strings.TrimPrefix(got[i], "[: ")
		}
		assert.Equal(t, want, got, c.line)
	}
}

func TestALineThatGoesOnIsFinishedByTheNext(t *testing.T) {
	p := atPrompt(t, "linux22")
	assert.Empty(t, p.types("for i in 1 2"))
	assert.Equal(t, "> ", p.s.Console().Prompt())
	assert.Empty(t, p.types("do echo $i"))
	assert.Equal(t, []string{"1", "2"}, p.types("done"))
	assert.Equal(t, "# ", p.s.Console().Prompt())
	assert.Empty(t, p.types("echo 'a"))
	assert.Equal(t, []string{"a", "b"}, p.types("b'"))
	p.types("echo 'never ended")
	p.s.Interrupt()
	p.news()
	assert.Equal(t, []string{"x"}, p.types("echo x"))
}

func TestTimePassesWhileACommandWaits(t *testing.T) {
	p := atPrompt(t, "linux22")
	p.types("echo now")
	assert.Zero(t, p.s.Now(), "a command that does not wait takes no time")
	p.s.Type("sleep 2.5; echo done")
	require.NoError(t, p.s.AdvanceTo(clock.Time(2499*clock.Millisecond)))
	assert.Empty(t, p.news())
	require.NoError(t, p.s.AdvanceTo(clock.Time(2500*clock.Millisecond)))
	assert.Equal(t, []string{"done"}, p.news())
}

func TestWhatIsTypedAheadWaitsItsTurn(t *testing.T) {
	p := atPrompt(t, "linux22")
	p.s.Type("sleep 1; echo first")
	p.s.Type("echo second")
	assert.Empty(t, p.news())
	assert.Equal(t, []string{"first", "second"}, append(p.types(""), p.news()...))
}

func TestJobsRunInTheBackground(t *testing.T) {
	p := atPrompt(t, "linux22")
	p.s.Console().Notices = true
	assert.Equal(t, []string{"[1] 700"}, p.types("./loop &"))
	assert.Equal(t, []string{"[2] -"}, p.types("sleep 3 &"))
	assert.Equal(t, []string{"[1]   Running                 ./loop &", "[2]+  Running                 sleep 3 &"}, p.types("jobs"))
	assert.Equal(t, []string{"[2]+  Done                    sleep 3"}, p.types("sleep 5"), "told before the next prompt")
	assert.Equal(t, []string{"[1]+  Running                 ./loop &"}, p.types("jobs"))
	assert.Equal(t, []string{"[2] 701", "701"}, p.types("./loop & echo $!"))
	assert.Equal(t, "100", p.types("kill %1; echo $((100 + $?))")[0])
	assert.Contains(t, p.types("sleep 1; pkill loop; wait; jobs")[0], "Killed")
	assert.Equal(t, []string{"bash: kill: %7: no such job"}, prefixed(p.types("kill %7")))
	assert.Empty(t, p.types("pgrep loop"))
}

// prefixed puts bash: before what a builtin says, which leaves it out.
func prefixed(lines []string) []string {
	for i := range lines {
		lines[i] = "bash: " + strings.TrimPrefix(lines[i], "bash: ")
	}
	return lines
}

func TestWaitReturnsWhenTheProcessHasExited(t *testing.T) {
	p := atPrompt(t, "linux22")
	// A loop that gets a signal while the shell waits for it.
	p.types("./loop & (sleep 4; kill $!) &")
	p.s.Type("wait %1; echo $?")
	p.settle(clock.Minute)
	assert.Equal(t, "137", p.news()[0])
	assert.InDelta(t, 4, float64(p.s.Now())/float64(clock.Second), 0.05)
}

func TestCtrlCEndsTheCommandInFrontAndItsProcesses(t *testing.T) {
	p := atPrompt(t, "linux22")
	p.s.Type("./loop")
	p.s.Type("echo typed ahead")
	require.NoError(t, p.s.Advance(2*clock.Second))
	assert.True(t, p.s.Console().Busy())
	assert.Equal(t, 1, p.s.Frame().Totals.Running)
	p.s.Interrupt()
	assert.False(t, p.s.Console().Busy())
	assert.Equal(t, []string{"^C"}, p.news(), "what was typed ahead is forgotten")
	require.NoError(t, p.s.Advance(clock.Second))
	assert.Zero(t, p.s.Frame().Totals.Running)
	assert.Equal(t, []string{"130"}, p.types("echo $?"))
	p.s.Type("for i in 1 2 3; do sleep 10; done | cat")
	p.s.Interrupt()
	assert.False(t, p.s.Console().Busy())
}

func TestCtrlCReachesWhatRunsWithinASubstitution(t *testing.T) {
	for _, line := range []string{"echo $(./loop)", "x=$(./loop)", "for i in $(./loop | cat); do echo $i; done", "echo a > $(./loop)"} {
		p := atPrompt(t, "linux22")
		p.s.Type(line)
		require.NoError(t, p.s.Advance(2*clock.Second))
		require.Equal(t, 1, p.s.Frame().Totals.Running, line)
		p.s.Interrupt()
		require.NoError(t, p.s.Advance(clock.Second))
		assert.Zero(t, p.s.Frame().Totals.Running, line)
	}
}

func TestTimeTellsWhatACommandTook(t *testing.T) {
	p := atPrompt(t, "linux22")
	assert.Equal(t, []string{"", "real\t0m1.500s", "user\t0m0.000s", "sys\t0m0.000s"}, p.types("time sleep 1.5"))
	p.types("(sleep 2; pkill loop) &")
	got := p.types("time ./loop")
	require.Len(t, got, 4)
	assert.Equal(t, "real\t0m2.0", got[1][:10])
	assert.Equal(t, "user\t0m2.0", got[2][:10])
}

func TestAnEndlessLoopIsStopped(t *testing.T) {
	p := atPrompt(t, "linux22")
	assert.Contains(t, p.types("while true; do x=1; done")[0], "in which no time passes")
	assert.Equal(t, []string{"130"}, p.types("echo $?"))
	assert.Contains(t, p.types("while true; do sleep 0; done")[0], "in which no time passes")
	assert.Contains(t, strings.Join(p.types("x=a; for i in {1..40}; do x=$x$x$x$x; done; echo ${x} | wc -c"), "\n"), "too long")
}

func TestAConsoleIsTheSameHoweverTimeIsCut(t *testing.T) {
	lines := []string{"./loop & ./loop &", "sleep 1.003; nice -n 5 ./loop & sleep 2", "for p in $(pgrep loop); do renice 10 $p; sleep 0.5; done", "kill %1; wait"}
	run := func(step clock.Duration) string {
		s, err := sim.Open("linux22")
		require.NoError(t, err)
		for _, l := range lines {
			s.Type(l)
		}
		for s.Now() < clock.Time(10*clock.Second) {
			require.NoError(t, s.AdvanceTo(min(s.Now().Add(step), clock.Time(10*clock.Second))))
		}
		var b strings.Builder
		log, _ := s.Console().Log().From(0)
		for _, l := range log {
			fmt.Fprintln(&b, l.At, l.Text)
		}
		return fmt.Sprint(s.Digest(), b.String())
	}
	whole := run(10 * clock.Second)
	assert.Equal(t, whole, run(clock.Millisecond))
	assert.Equal(t, whole, run(333_333_333))
}

func TestRewindTypesEverythingAgain(t *testing.T) {
	p := atPrompt(t, "linux22")
	p.types("./loop &")
	p.types("sleep 1.25")
	p.s.Type("./loop")
	require.NoError(t, p.s.Advance(clock.Second))
	p.s.Interrupt()
	p.types("sleep 2; renice 5 $!; echo $?")
	digest, at := p.s.Digest(), p.s.Now()
	log, _ := p.s.Console().Log().From(0)
	before := fmt.Sprint(log)

	require.NoError(t, p.s.Rewind())
	require.NoError(t, p.s.AdvanceTo(at))
	assert.Equal(t, digest, p.s.Digest())
	log, _ = p.s.Console().Log().From(0)
	assert.Equal(t, before, fmt.Sprint(log))

	again, err := sim.Open("linux22", p.s.Typed()...)
	require.NoError(t, err)
	require.NoError(t, again.AdvanceTo(at))
	assert.Equal(t, digest, again.Digest(), "the settings that Typed gives do the same")
}

func TestBadLinesGetAMessageAndAStatus(t *testing.T) {
	p := atPrompt(t, "linux22")
	for _, c := range []struct{ line, message, status string }{
		{"nosuch -x", "bash: nosuch: command not found", "127"},
		{"dispadmin -d", "bash: dispadmin: command not found", "127"},
		{"./nosuch", "bash: ./nosuch: No such file or directory", "127"},
		{"/opt/x", "bash: /opt/x: No such file or directory", "127"},
		{"kill 99999", "kill: (99999) - No such process", "1"},
		{"kill abc", "kill: abc: arguments must be process or job IDs", "1"},
		{"kill -STOP 700", "signals that do not end a process are not modelled", "1"},
		{"sleep x", "sleep: bad character in argument: x", "1"},
		{"echo )", "bash: syntax error near unexpected token `)'", "2"},
		{"cat < /nosuch", "bash: /nosuch: No such file or directory", "1"},
		{"renice 30 700", "renice: 700: getpriority: No such process", "1"},
		{"seq 1 0 5", "a step of 0", "1"},
		{"\x00\x01\xff\xfe", "command not found", "127"},
		{strings.Repeat("x", 1<<20), "a line of 1048576 bytes; at most 65536 are accepted", "2"},
		{"echo $((1/0))", "division by 0", "1"},
		{"fg", "fg: current: no such job", "1"},
	} {
		got := p.types(c.line)
		require.NotEmpty(t, got, console.Shorten(c.line))
		assert.Contains(t, got[0], c.message)
		assert.NotContains(t, got[0], "\x00")
		assert.Equal(t, []string{c.status}, p.types("echo $?"), console.Shorten(c.line))
	}
}

func TestCompletionOffersWhatFits(t *testing.T) {
	p := atPrompt(t, "linux22")
	p.types("./loop &")
	p.types("count=3; seq 3 > /tmp/three")
	c := p.s.Console()
	for _, x := range []struct {
		line string
		want []string
	}{
		{"renic", []string{"renice"}},
		{"./l", []string{"./loop"}},
		{"./", []string{"./daemon", "./loop", "./sh"}},
		{"kill 70", []string{"700"}},
		{"kill %", []string{"%1"}},
		{"echo $cou", []string{"$count"}},
		{"cat /tmp/t", []string{"/tmp/three"}},
		{"seq 3 > /tmp/", []string{"/tmp/three"}},
		{"echo a | gre", []string{"grep"}},
		{"for i in 1; do sle", []string{"sleep"}},
		{"grep -", []string{"-c", "-i", "-n", "-q", "-v", "-w"}},
		{"man ren", []string{"renice"}},
		{"pkill lo", []string{"loop"}},
		{"x=1 wait", []string{"wait"}},
		{"zzz", nil},
		{strings.Repeat("x", 1<<20), nil},
	} {
		assert.Equal(t, x.want, nilIfEmpty(c.Complete(x.line)), console.Shorten(x.line))
	}
}

func nilIfEmpty(list []string) []string {
	if len(list) == 0 {
		return nil
	}
	return list
}

func TestEveryCommandHasASynopsisAHelpLineAndAPage(t *testing.T) {
	for _, id := range []string{"t2000", "linux22"} {
		p := atPrompt(t, id)
		help := strings.Join(p.types("help"), "\n")
		for _, c := range p.s.Console().Commands() {
			assert.NotEmpty(t, c.Synopsis, c.Name)
			assert.Contains(t, help, c.Name+" ", c.Name)
			page := strings.Join(p.types("man "+c.Name), "\n")
			assert.Contains(t, page, "NAME\n    "+c.Name+" - "+c.Help)
			assert.Contains(t, page, "SYNOPSIS", c.Name)
			assert.NotEqual(t, c.Run == nil, c.Start == nil, "%s runs in one way", c.Name)
		}
	}
}

func FuzzConsole(f *testing.F) {
	for _, l := range []string{"./loop & sleep 1", "for i in {1..9}; do ./loop & done; pkill loop", "seq 9 | sort -r | head -2", "echo $(echo `x`)", "kill %1 2>&1 | wc", "time ! (sleep 1)"} {
		f.Add(l, "echo $?")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		s, err := sim.Open("linux22")
		require.NoError(t, err)
		s.Type(a)
		require.NoError(t, s.Advance(clock.Second))
		s.Type(b)
		s.Console().Complete(a + b)
		require.NoError(t, s.Advance(clock.Second))
		s.Interrupt()
		require.NoError(t, s.Advance(clock.Second))
		require.NoError(t, s.Finish())
	})
}

func TestGoingBackTakesTheConsoleAlong(t *testing.T) {
	lines := []string{"./loop & ./loop &", "vmstat 1 4 | tail -3", "ping -c 3 195.4.7.3", "sleep 2.5; kill %1"}
	straight := atPrompt(t, "linux22")
	for _, l := range lines {
		straight.s.Type(l)
	}
	end := clock.Time(12 * clock.Second)
	require.NoError(t, straight.s.AdvanceTo(end))
	want := fmt.Sprint(allLines(straight.s))

	p := atPrompt(t, "linux22")
	for _, l := range lines {
		p.s.Type(l)
	}
	for _, at := range []clock.Duration{2500 * clock.Millisecond, 7 * clock.Second, 1100 * clock.Millisecond, 9 * clock.Second, 4 * clock.Second, 0} {
		require.NoError(t, p.s.SeekTo(clock.Time(at)))
		for _, l := range allLines(p.s) {
			require.LessOrEqual(t, l.At, p.s.Now(), "what is still to come is not shown")
		}
	}
	require.NoError(t, p.s.SeekTo(end))
	assert.Equal(t, straight.s.Digest(), p.s.Digest())
	assert.Equal(t, want, fmt.Sprint(allLines(p.s)))

	// Another line in the past makes another future.
	require.NoError(t, p.s.SeekTo(clock.Time(2*clock.Second)))
	p.s.Interrupt()
	p.s.Type("pkill loop")
	require.NoError(t, p.s.SeekTo(end))
	assert.NotEqual(t, straight.s.Digest(), p.s.Digest())
	assert.NotContains(t, fmt.Sprint(allLines(p.s)), "ping statistics")
}

func allLines(s *sim.Session) []console.Line {
	lines, _ := s.Console().Log().From(0)
	return lines
}

func TestAJobMayKillItself(t *testing.T) {
	for _, line := range []string{"kill %1 &", "(kill %1; echo never) &", "for i in 1 2; do kill -9 %1; done &", "kill %1 | cat &"} {
		p := atPrompt(t, "linux22")
		p.types(line)
		require.NoError(t, p.s.Advance(clock.Second))
		p.types("jobs")
		require.NotContains(t, strings.Join(p.types("jobs"), "\n"), "Running", line)
		require.LessOrEqual(t, strings.Count(fmt.Sprint(allLines(p.s)), "never"), 1, "no more than the line itself")
		require.NoError(t, p.s.Finish())
	}
}

// A line of the scenario that no longer fits what became of the machine is told, and the
// run goes on.
func TestALineThatFailsIsToldAndTheRunGoesOn(t *testing.T) {
	s, err := sim.Open("t2000-ts", sim.Setting{Key: "do@2s", Value: "kill 1204"}, sim.Setting{Key: "do@3s", Value: "renice 5 1204"})
	require.NoError(t, err)
	require.NoError(t, s.Advance(4*clock.Second))
	assert.Equal(t, clock.Time(4*clock.Second), s.Now())
	require.Error(t, s.Failed())
	assert.Contains(t, s.Failed().Error(), "at 00:00:03")
	require.NoError(t, s.Finish(), "no promise is broken")
	text := ""
	lines, _ := s.Console().Log().From(0)
	for _, l := range lines {
		text += l.Text + "\n"
	}
	assert.Contains(t, text, "The scenario's line failed at 00:00:03.00: renice 5 1204: ")

	s, err = sim.Open("t2000-ts")
	require.NoError(t, err)
	require.NoError(t, s.Advance(4*clock.Second))
	require.NoError(t, s.Failed())
}
