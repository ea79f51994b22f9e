package control_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/render/act"
	"strandscope/sim/clock"
	"strandscope/sim/record"
	"strandscope/sim/recorded"
	"strandscope/web/control"
)

// A recording takes the place of a run, in whole; Reset and another scenario work from there.
func TestARecordingIsShownInWhole(t *testing.T) {
	s, err := control.New(control.Sim, "t2000-unset")
	require.NoError(t, err)
	s.Apply(act.Play{})
	r := record.NewReader()
	require.NoError(t, r.Feed([]byte(`  a-5  [000] d..2. 1.000000: sched_switch: prev_comm=a prev_pid=5 prev_prio=120 prev_state=R ==> next_comm=b next_pid=6 next_prio=120
  b-6  [000] d..2. 1.004000: sched_switch: prev_comm=b prev_pid=6 prev_prio=120 prev_state=S ==> next_comm=a next_pid=5 next_prio=120
`)))
	tr, err := r.Close()
	require.NoError(t, err)
	run, err := recorded.New(tr, recorded.Options{Name: "x.txt"})
	require.NoError(t, err)
	s.Show(run, run.End(), run.End())
	require.Empty(t, s.Error+s.Fault)
	now := time.Duration(1)
	for s.Moving() {
		now += time.Millisecond
		s.Advance(func() time.Duration { return now })
	}
	assert.Equal(t, clock.Time(4*clock.Millisecond), s.Run.Now())
	assert.False(t, s.View.Playing)
	assert.Equal(t, act.Range{Kind: act.Fixed, To: run.End()}, s.View.Timeline)
	assert.Empty(t, s.Choices.Classes)
	assert.True(t, s.Run.Frame().Scenario.Recorded)
	s.Apply(act.Reset{})
	assert.Equal(t, clock.Time(0), s.Run.Now())
	s.Apply(act.LoadText{Name: "bad", Text: "{"})
	assert.NotEmpty(t, s.Error)
	assert.Same(t, run, s.Run, "what was there stays")
	s.Apply(act.Load{Scenario: "t2000-unset"})
	assert.False(t, s.Run.Frame().Scenario.Recorded)
}
