package control

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/render/act"
	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/console"
)

func newReal(t *testing.T, scenario string) *State {
	t.Helper()
	s, err := New(Sim, scenario)
	require.NoError(t, err)
	return s
}

// told is the log as text.
func told(s *State) string {
	t := s.Terminal()
	if t.Log == nil {
		return ""
	}
	lines, _ := t.Log.From(0)
	var out []string
	for _, l := range lines {
		out = append(out, l.Text)
	}
	return strings.Join(out, "\n")
}

// run lets frames pass until something holds.
func run(t *testing.T, s *State, until func() bool) {
	t.Helper()
	w := &wall{t: 1}
	for range 20_000 {
		if until() {
			return
		}
		frames(s, w, 1)
	}
	require.Fail(t, "it never came to pass", "log:\n%s\nfault: %s", told(s), s.Fault)
}

func TestACommandThatTakesNoTimeIsAnsweredWhilePaused(t *testing.T) {
	s := newReal(t, "t2000")
	assert.Equal(t, Terminal{Prompt: "# ", Told: Told{Step: -1}, Epoch: s.Terminal().Epoch}, s.Terminal())
	s.Apply(act.Type{Line: "echo a; echo b >&2"})
	assert.Equal(t, "# echo a; echo b >&2\na\nb", told(s))
	assert.False(t, s.Terminal().Busy)
	assert.False(t, s.View.Playing)
}

func TestACommandThatTakesTimeWaitsUntilPlayIsPressed(t *testing.T) {
	s := newReal(t, "t2000")
	s.Apply(act.Type{Line: "sleep 3; echo done"})
	frames(s, &wall{t: 1}, 10)
	term := s.Terminal()
	assert.True(t, term.Busy)
	assert.Equal(t, "sleep 3; echo done", term.Front)
	assert.Zero(t, s.Run.Now(), "time does not start by itself")
	s.Apply(act.Play{})
	run(t, s, func() bool { return !s.Terminal().Busy })
	assert.Equal(t, "# sleep 3; echo done\ndone", told(s))
	assert.GreaterOrEqual(t, s.Run.Now(), clock.Time(3*clock.Second))
}

func TestFinishGoesToTheEndOfTheCommandAndNoFurther(t *testing.T) {
	s := newReal(t, "t2000")
	s.Apply(act.Type{Line: "sleep 1140"})
	s.Apply(act.Finish{})
	assert.True(t, s.Seeking())
	run(t, s, func() bool { return !s.Seeking() })
	assert.Equal(t, clock.Time(1140*clock.Second), s.Run.Now())
	assert.False(t, s.Moving(), "paused as before")

	s.Apply(act.Finish{})
	assert.False(t, s.Seeking(), "nothing is in front")
}

func TestPauseAndInterruptEndAFinish(t *testing.T) {
	s := newReal(t, "t2000")
	s.Apply(act.Type{Line: "while true; do sleep 1; done"})
	s.Apply(act.Finish{})
	s.Apply(act.Pause{})
	assert.False(t, s.Seeking())
	s.Apply(act.Finish{})
	s.Apply(act.Interrupt{})
	assert.False(t, s.Seeking())
	assert.Contains(t, told(s), "^C")
	assert.False(t, s.Terminal().Busy)
}

func TestACommandWithoutAnEndIsLeftAfterTwoHours(t *testing.T) {
	s := newReal(t, "t2000")
	s.Apply(act.Type{Line: "while true; do sleep 60; done"})
	s.Apply(act.Finish{})
	run(t, s, func() bool { return !s.Seeking() })
	assert.Equal(t, clock.Time(2*clock.Hour), s.Run.Now())
	assert.True(t, s.Terminal().Busy)
}

func TestALineTooLongIsAnsweredByTheConsole(t *testing.T) {
	s := newReal(t, "t2000")
	s.Apply(act.Type{Line: strings.Repeat("x", console.MaxLine+1)})
	assert.Contains(t, told(s), "bash: a line of 65537 bytes; at most 65536 are accepted")
	assert.Empty(t, s.Error)
	assert.Empty(t, s.Typed(), "it is not typed again")
	s.Apply(act.Type{Line: "echo \x00\x1b[31m\u202e"})
	assert.NotContains(t, told(s), "\x1b")
}

func TestEachNewRunBeginsAnotherLog(t *testing.T) {
	s := newReal(t, "t2000")
	s.Apply(act.Type{Line: "echo one"})
	s.Apply(act.Seek{At: clock.Time(5 * clock.Second)})
	run(t, s, func() bool { return !s.Seeking() })
	seen := map[int64]bool{s.Terminal().Epoch: true}
	for _, c := range []act.Command{act.Seek{}, act.Reset{}, act.Set{Key: "class", Value: "FSS"}, act.Load{Scenario: "t2000"}} {
		s.Apply(c)
		require.Empty(t, s.Error)
		e := s.Terminal().Epoch
		assert.False(t, seen[e], "%T", c)
		seen[e] = true
	}
	assert.Empty(t, told(s))
}

// Back in time the same lines are typed again, Ctrl-C included; so they are in a
// run that is brought back by its settings.
func TestTypedLinesInterruptsAndRemarksComeBack(t *testing.T) {
	s := newReal(t, "t2000")
	s.Apply(act.Type{Line: "./loop &"})
	s.Apply(act.Type{Line: "sleep 100"})
	s.Apply(act.Seek{At: clock.Time(2 * clock.Second)})
	run(t, s, func() bool { return !s.Seeking() })
	s.Apply(act.Interrupt{})
	s.Apply(act.Type{})
	s.Apply(act.Type{Line: "echo 'still here'"})
	s.Run.Remark("ours")
	s.Apply(act.Seek{At: clock.Time(3 * clock.Second)})
	run(t, s, func() bool { return !s.Seeking() })
	log, digest := told(s), s.Run.(*sim.Session).Digest()
	require.Contains(t, log, "^C")
	require.True(t, strings.HasSuffix(log, "still here\nours"), log)
	keys := map[string]string{}
	for _, l := range s.Typed() {
		keys[l.Key] += l.Do + "|"
	}
	assert.Equal(t, map[string]string{
		"type@0ns": "./loop &|sleep 100|", "type@2000000000ns": "\x03||echo 'still here'|", "remark@2000000000ns": "ours|",
	}, keys)

	s.Apply(act.Seek{})
	s.Apply(act.Seek{At: clock.Time(3 * clock.Second)})
	run(t, s, func() bool { return !s.Seeking() })
	assert.Equal(t, log, told(s))
	assert.Equal(t, digest, s.Run.(*sim.Session).Digest())

	other := newReal(t, "t2000")
	for _, l := range s.Typed() {
		other.Apply(act.Set{Key: l.Key, Value: l.Do})
		require.Empty(t, other.Error)
	}
	other.Apply(act.Seek{At: clock.Time(3 * clock.Second)})
	run(t, other, func() bool { return !other.Seeking() })
	assert.Equal(t, log, told(other))
	assert.Equal(t, digest, other.Run.(*sim.Session).Digest())
	assert.Equal(t, s.Typed(), other.Typed())

	other.Apply(act.Reset{})
	assert.Empty(t, other.Typed())
	assert.Empty(t, other.Settings)
}

// play is a small document.
const play = `{
  "console": {},
  "document": [
    {"remark": "First a look."},
    {"type": "sleep 2; echo 37 0 63", "prints": ["37 0 62"]},
    {"type": "seq 3", "prints": ["1", "2", "3"]},
  ],
}`

func TestTheDocumentIsToldStepByStepAndCompared(t *testing.T) {
	s := newReal(t, "t2000")
	s.Apply(act.LoadText{Name: "play.json", Text: play})
	require.Empty(t, s.Error)
	assert.Equal(t, Told{Step: -1}, s.Terminal().Told)
	s.Apply(act.Tell{Step: 0})
	assert.Equal(t, Told{Step: 0}, s.Terminal().Told)
	s.Apply(act.Tell{Step: 1})
	assert.True(t, s.Terminal().Told.Pending)
	s.Apply(act.Finish{})
	run(t, s, func() bool { return !s.Terminal().Told.Pending })
	found := s.Terminal().Told.Found
	require.Len(t, found, 1)
	lines, _ := s.Terminal().Log.From(found[0].First + found[0].Marks[0].Line)
	m := found[0].Marks[0]
	assert.Equal(t, "63", lines[0].Text[m.From:m.To])
	assert.Equal(t, "62", m.Printed)
	s.Apply(act.Tell{Step: 2})
	require.Len(t, s.Terminal().Told.Found, 2)
	assert.Equal(t, "3 of 3 figures as printed.", s.Terminal().Told.Found[1].Result)
	assert.Equal(t, "First a look.\n# sleep 2; echo 37 0 63\n37 0 63\n"+
		"Beside the document, sleep: 2 of 3 figures as printed; 1 differs: 63 (printed 62).\n"+
		"# seq 3\n1\n2\n3\nBeside the document, seq: 3 of 3 figures as printed.", told(s))
	s.Apply(act.Tell{Step: 3})
	assert.Equal(t, "Step 3 of the document does not exist: it has 3.", s.Error)
}

func TestCompletionsAreOffered(t *testing.T) {
	s := newReal(t, "t2000")
	assert.Equal(t, []string{"sleep"}, s.Complete("sle"))
	assert.Contains(t, s.Complete(""), "echo")
}
