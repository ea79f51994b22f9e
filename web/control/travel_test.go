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
)

// settle lets frames pass until the run stands still.
func settle(t *testing.T, s *State) {
	t.Helper()
	w := &wall{t: 1, cost: time.Millisecond}
	for range 1000 {
		if !s.Moving() {
			return
		}
		s.Advance(w.now)
	}
	require.Fail(t, "it never arrives")
}

func TestRunToStopsAndSaysWhatItFound(t *testing.T) {
	s, f := newFake(t)
	s.Apply(act.Play{})
	s.Apply(act.RunTo{To: sim.Condition{Kind: sim.OnMigration}, For: clock.Hour})
	assert.False(t, s.View.Playing)
	assert.True(t, s.Seeking())
	assert.Zero(t, f.now, "on its way only when frames pass")
	settle(t, s)
	assert.EqualValues(t, clock.Second, f.now)
	assert.Equal(t, "A second began.", s.Found)
	s.Apply(act.StepDecision{})
	assert.Empty(t, s.Found)
	settle(t, s)
	assert.EqualValues(t, 2*clock.Second, f.now)

	s.Apply(act.RunTo{To: sim.Condition{Kind: sim.OnMigration}, For: clock.Second / 2})
	settle(t, s)
	assert.EqualValues(t, 2500*clock.Millisecond, f.now)
	assert.Equal(t, "migration was not met by 00:00:02.50.", s.Found)

	s.Apply(act.RunTo{To: sim.Condition{Kind: sim.OnSwitch, PID: 3}, For: clock.Second})
	assert.Equal(t, "Run to: there is no process 3.", s.Error)
	assert.False(t, s.Seeking())
	s.Apply(act.RunTo{To: sim.Condition{Kind: sim.OnMigration}})
	assert.Equal(t, "Run to: for 0 ns, want more than 0.", s.Error)
	s.Apply(act.Step{})
	assert.Empty(t, s.Found)
}

func TestARunToEndsWhenSomethingElseIsAskedFor(t *testing.T) {
	s, f := newFake(t)
	s.Apply(act.RunTo{To: sim.Condition{Kind: sim.OnMigration}, For: clock.Hour})
	s.Apply(act.Seek{At: clock.Time(1500 * clock.Millisecond)})
	settle(t, s)
	assert.EqualValues(t, 1500*clock.Millisecond, f.now, "past the second that would have ended it")
	assert.Empty(t, s.Found)
}

func TestStepsGoBackToo(t *testing.T) {
	s, f := newFake(t)
	s.Apply(act.Seek{At: clock.Time(2 * clock.Second)})
	settle(t, s)
	s.Apply(act.Play{})
	s.Apply(act.StepBack{})
	assert.False(t, s.View.Playing)
	settle(t, s)
	assert.EqualValues(t, 1990*clock.Millisecond, f.now)
	s.Apply(act.StepDecisionBack{})
	assert.EqualValues(t, clock.Second, f.now)
	assert.False(t, s.Moving())

	f.broken = errors.New("an impossible event")
	s.Apply(act.Seek{At: clock.Time(3 * clock.Second)})
	s.Advance((&wall{t: 1, cost: time.Millisecond}).now)
	require.NotEmpty(t, s.Fault)
	s.Apply(act.RunTo{To: sim.Condition{Kind: sim.OnMigration}, For: clock.Second})
	assert.Equal(t, "The run has stopped: reset it or choose a scenario.", s.Error)
	s.Apply(act.StepBack{})
	settle(t, s)
	assert.Empty(t, s.Fault, "before the fault there was none")
	assert.EqualValues(t, 990*clock.Millisecond, f.now)
	s.Apply(act.Seek{At: 0})
	settle(t, s)
	s.Apply(act.StepBack{})
	assert.Empty(t, s.Error+s.Fault)
	assert.Zero(t, f.now)
}

// The same with a real run.
func TestARealRunGoesToAConditionAndBack(t *testing.T) {
	s, err := New(Sim, "t2000-ts")
	require.NoError(t, err)
	s.Apply(act.RunTo{To: sim.Condition{Kind: sim.OnLoad, Minutes: 1, Load: 2000}, For: clock.Hour})
	settle(t, s)
	assert.Contains(t, s.Found, "The load average of 1 min is 2.")
	at, digest := s.Run.Now(), s.Run.Frame().Digest
	s.Apply(act.StepBack{})
	settle(t, s)
	assert.Less(t, s.Run.Now(), at)
	s.Apply(act.Seek{At: at})
	settle(t, s)
	assert.Equal(t, digest, s.Run.Frame().Digest)
}
