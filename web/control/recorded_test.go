package control_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/render/act"
	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/record"
	"strandscope/sim/recorded"
	"strandscope/web/control"
)

// A recording is a run that the page can show: it plays, seeks, steps and answers, and
// refuses in a sentence what only a scheduler could do.
func TestARecordingIsShownAsARunIs(t *testing.T) {
	const text = `  a-5  [000] d..2. 1.000000: sched_switch: prev_comm=a prev_pid=5 prev_prio=120 prev_state=R ==> next_comm=b next_pid=6 next_prio=120
  b-6  [000] d..2. 1.004000: sched_switch: prev_comm=b prev_pid=6 prev_prio=120 prev_state=R ==> next_comm=a next_pid=5 next_prio=120
  a-5  [000] d..2. 5.000000: sched_switch: prev_comm=a prev_pid=5 prev_prio=120 prev_state=S ==> next_comm=b next_pid=6 next_prio=120
`
	open := func(string) (control.Run, error) {
		r := record.NewReader()
		require.NoError(t, r.Feed([]byte(text)))
		tr, err := r.Close()
		require.NoError(t, err)
		return recorded.New(tr, recorded.Options{Name: "x.txt"})
	}
	s, err := control.New(control.Opener{
		Open:         open,
		OpenDocument: func(string, []byte) (control.Run, error) { return nil, errors.New("none") },
		Fork:         func(control.Run) (control.Run, error) { return nil, errors.New("none") },
	}, "x")
	require.NoError(t, err)
	now := time.Duration(0)
	tickTo := func(at clock.Time) {
		s.Apply(act.Seek{At: at})
		for range 10 {
			now += 20 * time.Millisecond
			s.Advance(func() time.Duration { return now })
		}
	}
	tickTo(clock.Time(2 * clock.Second))
	require.Empty(t, s.Error+s.Fault)
	assert.Equal(t, clock.Time(2*clock.Second), s.Run.Now())
	tickTo(clock.Time(2 * clock.Millisecond))
	assert.Equal(t, clock.Time(2*clock.Millisecond), s.Run.Now())
	s.Apply(act.Step{})
	assert.Equal(t, clock.Time(4*clock.Millisecond), s.Run.Now())
	s.Apply(act.StepDecisionBack{})
	assert.Equal(t, clock.Time(0), s.Run.Now())
	s.Apply(act.Select{Selection: act.Selection{Kind: act.StrandSelection, CPU: 0}})
	assert.Equal(t, "Why is b 6 on cpu0?", s.Why().Title)
	s.Apply(act.RunTo{To: sim.Condition{Kind: sim.OnSwitch, PID: 5}, For: clock.Hour})
	s.Advance(func() time.Duration { return now })
	assert.Equal(t, "a 5 came onto cpu0.", s.Found)
	s.Apply(act.Set{Key: "class", Value: "TS"})
	assert.Equal(t, "A recording cannot be changed; run what was derived from it instead.", s.Error)
	require.Empty(t, s.Fault)
}
