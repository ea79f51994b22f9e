package control

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/render/act"
	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/compare"
	"strandscope/sim/console"
	"strandscope/sim/machine"
)

// fake is a run in which one event happens every millisecond.
type fake struct {
	now     clock.Time
	class   string
	resets  int
	rewinds int
	typed   []sim.Setting
	given   []sim.Setting // to Set
	broken  error
	panics  bool
	slices  int
	points  int // of a curve, still to be run
	machine *machine.Machine
}

const fakeEvent = clock.Millisecond

func (f *fake) Set(key, value string) error {
	f.given = append(f.given, sim.Setting{Key: key, Value: value})
	if strings.HasPrefix(key, "do@") {
		f.now = 0
		return nil
	}
	if key != "class" {
		return errors.New(`setting "` + key + `" is not known`)
	}
	f.typed = nil
	f.class, f.now = value, 0
	return nil
}

func (f *fake) Reset() error {
	f.now, f.broken, f.panics, f.typed = 0, nil, false, nil
	f.resets++
	return nil
}

func (f *fake) SeekUpTo(t clock.Time, events int) (bool, error) {
	if t < f.now {
		f.now, f.broken, f.panics = 0, nil, false
		f.rewinds++
	}
	return f.AdvanceUpTo(t, events)
}

// RunTo finds a decision at each whole second.
func (f *fake) RunTo(c sim.Condition, limit clock.Time, events int) (sim.Outcome, error) {
	if c.Kind == sim.OnSwitch {
		return sim.Outcome{}, fmt.Errorf("run to: there is no process %d", c.PID)
	}
	second := clock.Time(clock.Second)
	next := min((f.now/second+1)*second, limit)
	reached, err := f.AdvanceUpTo(next, events)
	switch {
	case err != nil || !reached:
		return sim.Outcome{At: f.now}, err
	case f.now%second == 0:
		return sim.Outcome{Result: sim.Found, At: f.now, Text: "A second began."}, nil
	}
	return sim.Outcome{Result: sim.AtLimit, At: f.now}, nil
}

func (f *fake) StepDecisionBack() error { f.now = (f.now - 1) / 1e9 * 1e9; return nil }
func (f *fake) Now() clock.Time         { return f.now }

func (f *fake) Do(line string) (string, error) {
	if line == "reboot" {
		return "", errors.New("reboot: command not found")
	}
	f.typed = append(f.typed, sim.Setting{Key: fmt.Sprintf("do@%dns", int64(f.now)), Value: line})
	return "", nil
}
func (f *fake) Typed() []sim.Setting     { return f.typed }
func (f *fake) Type(string)              {}
func (f *fake) Interrupt()               {}
func (f *fake) Remark(string)            {}
func (f *fake) Complete(string) []string { return nil }
func (f *fake) Shell() *console.Console  { return nil }
func (f *fake) Rebooted() bool           { return false }
func (f *fake) Step() error              { f.now += clock.Time(10 * clock.Millisecond); return nil }
func (f *fake) AdvanceUpTo(t clock.Time, events int) (bool, error) {
	f.slices++
	if f.panics {
		panic("index out of range")
	}
	if f.broken != nil {
		return false, f.broken
	}
	if most := f.now.Add(clock.Duration(events) * fakeEvent); most < t {
		f.now = most
		return false, nil
	}
	f.now = t
	return true, nil
}

func (f *fake) Frame() *sim.Frame {
	return &sim.Frame{
		Now: f.now, Tick: 10 * clock.Millisecond, Scenario: sim.Info{ID: "fake", Class: f.class}, CPUs: make([]sim.CPU, 4),
		Threads: make([]sim.Thread, 2), Events: int64(f.now) / int64(fakeEvent), Machine: f.machine,
	}
}
func (f *fake) Look(sim.Look)            {}
func (f *fake) Plotting() bool           { return f.points > 0 }
func (f *fake) PlotNext() error          { f.points--; return nil }
func (f *fake) Choices() sim.Choices     { return sim.Choices{} }
func (f *fake) WhyStrand(int) sim.Answer { return sim.Answer{Title: "strand"} }
func (f *fake) WhyAt(cpu int, at clock.Time) sim.Answer {
	return sim.Answer{Title: fmt.Sprintf("cpu%d at %v", cpu, at)}
}
func (f *fake) Undo() (sim.Changed, error) { return sim.Changed{}, errors.New("nothing to undo") }
func (f *fake) Redo() (sim.Changed, error) { return sim.Changed{}, errors.New("nothing to redo") }
func (f *fake) Undoable() string           { return "" }
func (f *fake) Redoable() string           { return "" }
func (f *fake) WhyThread(int) sim.Answer   { return sim.Answer{Title: "thread"} }
func (f *fake) Compared() compare.Figures  { return compare.Figures{Now: f.now} }
func (f *fake) KeepSums() error            { return nil }
func (f *fake) Facts() sim.RunFacts        { return sim.RunFacts{Scenario: "fake"} }

func newFake(t *testing.T) (*State, *fake) {
	t.Helper()
	f := &fake{}
	s, err := New(Opener{Open: func(id string) (Run, error) {
		if id != "fake" {
			return nil, errors.New(`scenario "` + id + `" is not known`)
		}
		return f, nil
	}}, "fake")
	require.NoError(t, err)
	return s, f
}

// wall is a clock that only moves when told to, or by a fixed cost per look.
type wall struct{ t, cost time.Duration }

func (w *wall) now() time.Duration { w.t += w.cost; return w.t }

// frames runs n frames of 16 ms.
func frames(s *State, w *wall, n int) {
	for range n {
		w.t += 16 * time.Millisecond
		s.Advance(w.now)
	}
}

func TestABadCommandLeavesTheRunAsItWas(t *testing.T) {
	s, f := newFake(t)
	s.Apply(act.Play{})
	frames(s, &wall{t: 1}, 10)
	before, run := f.now, s.Run
	require.Positive(t, before)
	for _, c := range []act.Command{
		act.Load{Scenario: "nope"},
		act.Set{Key: "colour", Value: "red"},
		act.Speed{Permille: 1},
		act.Select{Selection: act.Selection{Kind: act.StrandSelection, CPU: 99}},
		act.Seek{At: -1},
	} {
		s.Apply(c)
		assert.NotEmpty(t, s.Error, "%#v", c)
		assert.Equal(t, run, s.Run)
		assert.Equal(t, before, f.now)
		assert.True(t, s.View.Playing)
		assert.Empty(t, s.Fault)
	}
	s.Apply(act.Pause{})
	assert.Empty(t, s.Error, "the next good command clears the sentence")
}

func TestErrorsAreSentences(t *testing.T) {
	s, _ := newFake(t)
	s.Apply(act.Load{Scenario: "nope"})
	assert.Equal(t, `Scenario "nope" is not known.`, s.Error)
}

func TestRealTimeTimesSpeedIsSimulatedTime(t *testing.T) {
	for _, permille := range []int64{act.MinSpeed, 333, 1000, 10_000} {
		s, f := newFake(t)
		s.Apply(act.Speed{Permille: permille})
		s.Apply(act.Play{})
		frames(s, &wall{t: 1}, 1001) // the first frame only starts the clock
		assert.EqualValues(t, 16*time.Second.Nanoseconds()*permille/1000, f.now, "%d", permille)
		assert.Equal(t, permille, s.Effective())
	}
}

func TestBehindMeansALowerSpeedAndNoSkippedEvent(t *testing.T) {
	s, f := newFake(t)
	s.Apply(act.Speed{Permille: act.MaxSpeed})
	s.Apply(act.Play{})
	w := &wall{t: 1, cost: 2 * time.Millisecond} // 1,024 events take 2 ms
	frames(s, w, 200)
	assert.Less(t, s.Effective(), int64(act.MaxSpeed))
	seconds := float64(w.t) / 1e9
	assert.InEpsilon(t, float64(f.now)/1e9/seconds*1000, s.Effective(), 0.1)
	assert.Zero(t, int64(f.now)%int64(fakeEvent))
}

func TestASleepingTabDoesNotLeapAhead(t *testing.T) {
	s, f := newFake(t)
	s.Apply(act.Speed{Permille: 1000})
	s.Apply(act.Play{})
	w := &wall{t: 1}
	frames(s, w, 2)
	before := f.now
	w.t += time.Hour
	s.Advance(w.now)
	assert.Equal(t, clock.Duration(longestFrame), f.now.Sub(before))
}

func TestHiddenOrPausedNothingMoves(t *testing.T) {
	s, f := newFake(t)
	w := &wall{t: 1}
	frames(s, w, 5)
	assert.False(t, s.Moving())
	assert.Zero(t, f.now)
	s.Apply(act.Play{})
	s.Apply(act.Show{Visible: false})
	assert.False(t, s.Moving())
	frames(s, w, 5)
	assert.Zero(t, f.now)
	s.Apply(act.Show{Visible: true})
	frames(s, w, 2)
	assert.Positive(t, f.now)
}

func TestSeekGoesThereExactlyAndBackAgain(t *testing.T) {
	s, f := newFake(t)
	at := clock.Time(100*clock.Second + 1)
	s.Apply(act.Seek{At: at})
	assert.True(t, s.Seeking())
	w := &wall{t: 1, cost: time.Millisecond}
	for range 1000 {
		if !s.Moving() {
			break
		}
		s.Advance(w.now)
	}
	assert.Equal(t, at, f.now)
	assert.False(t, s.Moving(), "seeking while paused ends paused")
	s.Apply(act.Seek{At: clock.Time(clock.Second)})
	assert.Equal(t, 1, f.rewinds, "back means back at once")
	assert.Zero(t, f.resets)
	s.Advance(w.now)
	assert.EqualValues(t, clock.Second, f.now)
}

func TestStepPauses(t *testing.T) {
	s, f := newFake(t)
	s.Apply(act.Play{})
	s.Apply(act.Step{})
	assert.False(t, s.View.Playing)
	assert.EqualValues(t, 10*clock.Millisecond, f.now)
}

func TestSettingsAreRememberedOncePerKey(t *testing.T) {
	s, _ := newFake(t)
	s.Apply(act.Set{Key: "class", Value: "TS"})
	s.Apply(act.Set{Key: "class", Value: "FSS"})
	assert.Equal(t, []sim.Setting{{Key: "class", Value: "FSS"}}, s.Settings)
	s.Apply(act.Load{Scenario: "fake"})
	assert.Empty(t, s.Settings)
}

func TestABrokenRunSaysEnoughToReplayIt(t *testing.T) {
	for _, how := range []string{"error", "panic"} {
		s, f := newFake(t)
		s.Apply(act.Set{Key: "class", Value: "FSS"})
		s.Apply(act.Play{})
		w := &wall{t: 1}
		frames(s, w, 2)
		f.panics = how == "panic"
		if how == "error" {
			f.broken = errors.New("thread 3 is on two CPUs")
		}
		frames(s, w, 1)
		assert.False(t, s.View.Playing)
		assert.Contains(t, s.Fault, ", scenario fake, class=FSS, time 00:00:00.16, event 160. Reset starts it again.")
		s.Apply(act.Play{})
		assert.False(t, s.Moving(), "a broken run does not play on")
		s.Apply(act.Reset{})
		assert.Empty(t, s.Fault)
	}
}

func TestWhyFollowsTheSelection(t *testing.T) {
	s, _ := newFake(t)
	assert.Empty(t, s.Why().Title)
	s.Apply(act.Select{Selection: act.Selection{Kind: act.ThreadSelection, Thread: 1}})
	assert.Equal(t, "thread", s.Why().Title)
	s.Apply(act.Select{Selection: act.Selection{Kind: act.StrandSelection, CPU: 3}})
	assert.Equal(t, "strand", s.Why().Title)
}

func TestWhatIsTypedIsListedAndForgottenByReset(t *testing.T) {
	s, f := newFake(t)
	s.Apply(act.Seek{At: clock.Time(10 * clock.Second)})
	for s.Moving() {
		s.Advance((&wall{t: 1}).now)
	}
	s.Apply(act.Do{Line: "psradm -f 14"})
	assert.Equal(t, []Line{{clock.Time(10 * clock.Second), "do@10000000000ns", "psradm -f 14"}}, s.Typed())
	s.Apply(act.Do{Line: "reboot"})
	assert.Equal(t, "Reboot: command not found.", s.Error)
	assert.Len(t, s.Typed(), 1, "what was refused is not kept")
	assert.EqualValues(t, 10*clock.Second, f.now, "and the run stays where it was")
	s.Apply(act.Reset{})
	assert.Empty(t, s.Typed())
}

// A run brought back has what was typed among its settings.
func TestTypedSettingsAreForgottenByResetToo(t *testing.T) {
	var runs []*fake
	s, err := New(Opener{Open: func(string) (Run, error) {
		runs = append(runs, &fake{})
		return runs[len(runs)-1], nil
	}}, "fake")
	require.NoError(t, err)
	s.Apply(act.Set{Key: "class", Value: "FSS"})
	for _, line := range []string{"psradm -f 1", "psradm -f 2"} { // at the same time
		s.Apply(act.Set{Key: "do@5s", Value: line})
	}
	require.Empty(t, s.Error)
	assert.Len(t, s.Typed(), 2)
	assert.Equal(t, []sim.Setting{{Key: "class", Value: "FSS"}}, s.Kept())
	s.Apply(act.Reset{})
	assert.Empty(t, s.Typed())
	require.Len(t, runs, 2)
	assert.Equal(t, s.Kept(), runs[1].given, "opened again with what is kept")
	s.Apply(act.Set{Key: "do@5s", Value: "psradm -f 1"})
	s.Apply(act.Set{Key: "class", Value: "TS"})
	assert.Empty(t, s.Typed(), "a class takes a reboot, which forgets it")
	assert.Equal(t, []sim.Setting{{Key: "class", Value: "TS"}}, runs[2].given)
}

// The real session: a seek backwards keeps what was typed, and a run brought
// back by its settings has the same events.
func TestTypedLinesSurviveSeekAndRecovery(t *testing.T) {
	at := clock.Time(4 * clock.Second)
	to := func(s *State, at clock.Time) {
		s.Apply(act.Seek{At: at})
		for s.Moving() {
			s.Advance((&wall{t: 1, cost: time.Millisecond}).now)
		}
		require.Empty(t, s.Error+s.Fault)
	}
	s, err := New(Sim, "fss-1-3")
	require.NoError(t, err)
	to(s, clock.Time(2*clock.Second))
	s.Apply(act.Do{Line: "prctl -n project.cpu-shares -v 9 -r -i project one"})
	s.Apply(act.Do{Line: "priocntl -s -c TS -i name three"})
	require.Empty(t, s.Error)
	to(s, at)
	want := s.Run.Frame().Digest
	to(s, clock.Time(clock.Second))
	to(s, at)
	assert.Equal(t, want, s.Run.Frame().Digest)

	again, err := New(Sim, "fss-1-3")
	require.NoError(t, err)
	for _, l := range s.Typed() {
		again.Apply(act.Set{Key: l.Key, Value: l.Do})
	}
	to(again, at)
	assert.Equal(t, want, again.Run.Frame().Digest)
	assert.Equal(t, s.Typed(), again.Typed())
}

func TestPointsOfACurveAreRunOneByOne(t *testing.T) {
	s, f := newFake(t)
	assert.False(t, s.Plotting())
	f.points = 2
	assert.True(t, s.Plotting())
	s.Plot()
	assert.True(t, s.Plotting())
	s.Plot()
	assert.False(t, s.Plotting())
	assert.Zero(t, f.slices, "the run itself stands still")
}
