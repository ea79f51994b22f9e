package sim_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

const anHour = clock.Time(clock.Hour)

// history is a run's events, and by whom a session's threads are known.
type history struct {
	events []trace.Event
	frame  *sim.Frame
}

func (h *history) Observe(e *trace.Event) { h.events = append(h.events, *e) }

// record runs a scenario straight with all its events written down.
func record(t *testing.T, id string, to clock.Time) *history {
	s, err := sim.Open(id)
	require.NoError(t, err)
	h := &history{}
	require.NoError(t, s.ResetWith(h))
	require.NoError(t, s.AdvanceTo(to))
	h.frame = s.Frame()
	return h
}

// somebody is a process of which a thread is switched after a time.
func (h *history) somebody(from clock.Time) int32 {
	i := slices.IndexFunc(h.events, func(e trace.Event) bool {
		return e.At > from && e.Kind == trace.On && !h.frame.Threads[e.Thread].Kernel
	})
	return h.frame.Threads[h.events[i].Thread].PID
}

// times are those after a time at which events happened, each once.
func (h *history) times(from clock.Time, wanted func(e *trace.Event) bool) []clock.Time {
	var at []clock.Time
	for i := range h.events {
		if e := &h.events[i]; e.At > from && wanted(e) {
			at = append(at, e.At)
		}
	}
	return slices.Compact(at)
}

// all runs to a condition again and again.
func all(t *testing.T, s *sim.Session, c sim.Condition, limit clock.Time) []clock.Time {
	var at []clock.Time
	for {
		o, err := s.RunTo(c, limit, 100)
		require.NoError(t, err)
		require.Equal(t, s.Now(), o.At)
		switch o.Result {
		case sim.Found:
			require.NotEmpty(t, o.Text)
			at = append(at, o.At)
		case sim.AtLimit:
			require.Empty(t, o.Text)
			require.Equal(t, limit, s.Now())
			return at
		case sim.OnTheWay:
			require.Empty(t, o.Text)
			require.Less(t, s.Now(), limit)
		}
	}
}

// The events of a straight run say where RunTo must stop, in whatever slices.
func TestRunToStopsWhereTheEventsOfAStraightRunSay(t *testing.T) {
	const from, to = clock.Time(1200 * clock.Millisecond), clock.Time(4 * clock.Second)
	for _, id := range []string{"t2000-unset", "linux22-ping-under-load", "t2000-fss"} {
		h := record(t, id, to)
		ran := map[sched.ThreadID]bool{}
		pid := h.somebody(from)
		for text, wanted := range map[string]func(e *trace.Event) bool{
			"decision": func(e *trace.Event) bool {
				return slices.Contains([]trace.Kind{trace.On, trace.Idle, trace.Queued, trace.Preempt}, e.Kind)
			},
			"switch": func(e *trace.Event) bool {
				return (e.Kind == trace.On || e.Kind == trace.Off) && h.frame.Threads[e.Thread].PID == pid
			},
			"migration": func(e *trace.Event) bool {
				before := ran[e.Thread]
				ran[e.Thread] = before || e.Kind == trace.On
				return e.Kind == trace.On && before && e.A != int64(e.CPU)
			},
		} {
			c := sim.Condition{Kind: sim.OnSwitch, PID: pid}
			if text != "switch" {
				var err error
				c, err = sim.ParseCondition(text)
				require.NoError(t, err)
			}
			clear(ran)
			for i := range h.events {
				if e := &h.events[i]; e.Kind == trace.On && e.At <= from {
					ran[e.Thread] = true
				}
			}
			s, err := sim.Open(id)
			require.NoError(t, err)
			require.NoError(t, s.AdvanceTo(from))
			want := h.times(from, wanted)
			assert.Equal(t, want, all(t, s, c, to), "%s: %s", id, text)
			if text != "migration" {
				assert.NotEmpty(t, want, "%s: %s", id, text)
			}
			straight := fresh(t, id)
			require.NoError(t, straight.AdvanceTo(to))
			assert.Equal(t, straight.Digest(), s.Digest(), "looking changes nothing")
		}
	}
}

func TestRunToALoadStopsAtItsSample(t *testing.T) {
	for id, text := range map[string]string{"linux22-250-hogs": "load1 > 100", "t2000-ts": "load5 > 3.25"} {
		c, err := sim.ParseCondition(text)
		require.NoError(t, err)
		s, err := sim.Open(id)
		require.NoError(t, err)
		o, err := s.RunTo(c, anHour, 1<<40)
		require.NoError(t, err)
		require.Equal(t, sim.Found, o.Result)
		i := slices.Index([]int{1, 5, 15}, c.Minutes)
		assert.Greater(t, s.Frame().Load.Avg[i]*1000, c.Load*256)
		require.NoError(t, s.SeekTo(o.At-1))
		assert.LessOrEqual(t, s.Frame().Load.Avg[i]*1000, c.Load*256, "a nanosecond before")
		require.NoError(t, s.SeekTo(o.At))
		o, err = s.RunTo(c, o.At.Add(10*clock.Second), 1<<40)
		require.NoError(t, err)
		assert.Equal(t, sim.AtLimit, o.Result, "it must fall before it can rise again")
	}
}

func TestRunToAWaitStopsWhenSomebodyHasWaitedSoLong(t *testing.T) {
	s, err := sim.Open("linux22-250-hogs")
	require.NoError(t, err)
	c := sim.Condition{Kind: sim.OnWait, Wait: 700 * clock.Millisecond}
	at := all(t, s, c, clock.Time(2*clock.Second))
	require.NotEmpty(t, at)
	require.NoError(t, s.SeekTo(0))
	longest := func() (n int, most clock.Duration) {
		f := s.Frame()
		for i := range f.Threads {
			if x := &f.Threads[i]; x.State == sched.Waiting && !x.Kernel {
				if d := f.Now.Sub(x.Since); d >= c.Wait {
					n, most = n+1, max(most, d)
				}
			}
		}
		return n, most
	}
	require.NoError(t, s.SeekTo(at[0]-1))
	n, _ := longest()
	assert.Zero(t, n, "a nanosecond before nobody has")
	require.NoError(t, s.SeekTo(at[0]))
	n, most := longest()
	assert.Positive(t, n)
	assert.Equal(t, c.Wait, most)

	s, err = sim.Open("ts-lone-hog")
	require.NoError(t, err)
	assert.Empty(t, all(t, s, sim.Condition{Kind: sim.OnWait, Wait: clock.Second}, clock.Time(10*clock.Second)))
}

func TestRunToIdleBesideWorkStopsWhereItBegins(t *testing.T) {
	s, err := sim.Open("t2000-oltp")
	require.NoError(t, err)
	c := sim.Condition{Kind: sim.OnIdleBesideWork}
	o, err := s.RunTo(c, anHour, 1<<40)
	require.NoError(t, err)
	require.Equal(t, sim.Found, o.Result, o)
	assert.Positive(t, s.Frame().Totals.IdleBesideWork)
	require.NoError(t, s.SeekTo(o.At-1))
	assert.Zero(t, s.Frame().Totals.IdleBesideWork)
}

func TestRunToATimeAndToNowhere(t *testing.T) {
	s, err := sim.Open("ts-lone-hog")
	require.NoError(t, err)
	half := sim.Condition{Kind: sim.AtTime, At: clock.Time(500*clock.Millisecond + 1)}
	o, err := s.RunTo(half, anHour, 1<<40)
	require.NoError(t, err)
	assert.Equal(t, sim.Outcome{Result: sim.Found, At: half.At, Text: "The time is reached."}, o)
	_, err = s.RunTo(half, anHour, 1<<40)
	require.EqualError(t, err, "run to: the time 500.000001ms is over, it is 500.000001ms")
	_, err = s.RunTo(sim.Condition{Kind: sim.OnSwitch, PID: 7}, anHour, 1)
	require.EqualError(t, err, "run to: there is no process 7")
	_, err = s.RunTo(sim.Condition{Kind: sim.OnMigration, PID: 7}, anHour, 1)
	require.ErrorContains(t, err, `says more than "migration"`)
	_, err = s.RunTo(sim.Condition{Kind: sim.OnLoad, Minutes: 2}, anHour, 1)
	require.Error(t, err)
	_, err = s.RunTo(sim.Condition{Kind: 99}, anHour, 1)
	require.Error(t, err)
	o, err = s.RunTo(sim.Condition{Kind: sim.OnMigration}, s.Now(), 1<<40)
	require.NoError(t, err)
	assert.Equal(t, sim.Outcome{Result: sim.AtLimit, At: s.Now()}, o)
}
