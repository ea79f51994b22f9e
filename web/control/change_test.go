package control

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/render/act"
	"strandscope/sim"
	"strandscope/sim/clock"
)

// opened is a state with a real run, at a time.
func opened(t *testing.T, id string, to clock.Duration) *State {
	t.Helper()
	s, err := New(Sim, id)
	require.NoError(t, err)
	seekTo(t, s, to)
	return s
}

func seekTo(t *testing.T, s *State, to clock.Duration) {
	t.Helper()
	s.Apply(act.Seek{At: clock.Time(to)})
	settle(t, s)
	require.Empty(t, s.Error)
}

func TestUndoGoesOnToThePresentAndSaysWhatItDid(t *testing.T) {
	s := opened(t, "t2000-ts", 3*clock.Second)
	s.Apply(act.Do{Line: "psradm -f 3"})
	require.Empty(t, s.Error)
	seekTo(t, s, 5*clock.Second)
	s.Apply(act.Play{})
	assert.Equal(t, "psradm -f 3", s.Undoable())
	s.Apply(act.Undo{})
	assert.True(t, s.Seeking())
	assert.Equal(t, "Undone, as of 00:00:03.00: psradm -f 3.", s.Found)
	w := &wall{t: 1, cost: time.Millisecond}
	for s.Seeking() {
		s.Advance(w.now)
	}
	assert.EqualValues(t, 5*clock.Second, s.Run.Now())
	assert.True(t, s.View.Playing, "it goes on as it did")
	assert.True(t, s.Run.Frame().CPUs[3].Online)
	assert.Empty(t, s.Typed())
	s.Apply(act.Pause{})
	s.Apply(act.Redo{})
	settle(t, s)
	assert.Equal(t, "Done again, as of 00:00:03.00: psradm -f 3.", s.Found)
	assert.False(t, s.Run.Frame().CPUs[3].Online)
	require.Len(t, s.Typed(), 1)
	s.Apply(act.Redo{})
	assert.Equal(t, "There is nothing to redo.", s.Error)
}

func TestUndoAgainOnTheWayGoesOnToTheSamePresent(t *testing.T) {
	s := opened(t, "t2000-ts", clock.Second)
	s.Apply(act.Do{Line: "psradm -f 3"})
	s.Apply(act.Do{Line: "psradm -f 4"})
	seekTo(t, s, 4*clock.Second)
	s.Apply(act.Undo{})
	s.Apply(act.Undo{}) // the first has not come to an end
	settle(t, s)
	assert.EqualValues(t, 4*clock.Second, s.Run.Now())
	f := s.Run.Frame()
	assert.True(t, f.CPUs[3].Online && f.CPUs[4].Online)
}

func TestWhatCannotBeUndoneIsSaid(t *testing.T) {
	s := opened(t, "t2000-ts", clock.Second)
	s.Apply(act.Undo{})
	assert.Contains(t, s.Error, "There is nothing to undo")
	s.Apply(act.Do{Line: "psradm -f 3"})
	s.Run.(*sim.Session).Vmstat(3)
	for _, c := range []act.Command{act.Undo{}, act.StepBack{}, act.StepDecisionBack{}, act.Seek{}} {
		s.Apply(c)
		assert.Contains(t, s.Error, "Time cannot go back: an observer that was added", "%T", c)
		assert.EqualValues(t, clock.Second, s.Run.Now())
		assert.False(t, s.Seeking())
	}
}

func TestWhatIsSoughtIsStoppedWhereTheRunIs(t *testing.T) {
	s, f := newFake(t)
	s.Apply(act.Seek{At: clock.Time(1000 * clock.Hour)})
	w := &wall{t: 1, cost: 30 * time.Millisecond}
	s.Advance(w.now)
	require.True(t, s.Seeking())
	at := f.now
	s.Apply(act.Stop{})
	assert.False(t, s.Seeking())
	assert.Equal(t, "Stopped at "+at.String()+".", s.Found)
	s.Apply(act.Stop{})
	assert.Equal(t, "Stopped at "+at.String()+".", s.Found, "nothing more to stop")
}

func TestTheRunSoFarStaysWhenTimeGoesBack(t *testing.T) {
	s, _ := newFake(t)
	seekTo(t, s, 9*clock.Second)
	seekTo(t, s, 2*clock.Second)
	assert.EqualValues(t, 9*clock.Second, s.Furthest())
	s.Apply(act.Do{Line: "psradm -f 1"})
	assert.EqualValues(t, 2*clock.Second, s.Furthest(), "another history begins")
	seekTo(t, s, 3*clock.Second)
	assert.EqualValues(t, 3*clock.Second, s.Furthest())
	s.Apply(act.Reset{})
	assert.Equal(t, s.Run.Now(), s.Furthest())
}

func TestTheCursorIsAskedAboutUntilSomethingIsChosen(t *testing.T) {
	s, _ := newFake(t)
	seekTo(t, s, 2*clock.Second)
	s.Apply(act.Point{Cursor: sim.Cursor{On: true, CPU: 2, At: clock.Time(clock.Second)}})
	assert.Equal(t, "cpu2 at 00:00:01.00", s.Why().Title)
	s.Apply(act.Select{Selection: act.Selection{Kind: act.StrandSelection, CPU: 1}})
	assert.Equal(t, "strand", s.Why().Title)
}
