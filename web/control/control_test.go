package control

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/render/act"
	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/machine"
)

// fake is a run in which one event happens every millisecond.
type fake struct {
	now     clock.Time
	class   string
	resets  int
	broken  error
	panics  bool
	slices  int
	machine *machine.Machine
}

const fakeEvent = clock.Millisecond

func (f *fake) Set(key, value string) error {
	if key != "class" {
		return errors.New(`setting "` + key + `" is not known`)
	}
	f.class, f.now = value, 0
	return nil
}

func (f *fake) Reset() error    { f.now, f.broken, f.panics = 0, nil, false; f.resets++; return nil }
func (f *fake) Now() clock.Time { return f.now }
func (f *fake) Step() error     { f.now += clock.Time(10 * clock.Millisecond); return nil }
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
		Now: f.now, Scenario: sim.Info{ID: "fake", Class: f.class}, CPUs: make([]sim.CPU, 4),
		Threads: make([]sim.Thread, 2), Events: int64(f.now) / int64(fakeEvent), Machine: f.machine,
	}
}
func (f *fake) Choices() sim.Choices     { return sim.Choices{} }
func (f *fake) WhyStrand(int) sim.Answer { return sim.Answer{Title: "strand"} }
func (f *fake) WhyThread(int) sim.Answer { return sim.Answer{Title: "thread"} }

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
	assert.Equal(t, 1, f.resets, "back means from the start")
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
