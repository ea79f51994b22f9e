package act

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/clock"
)

const s = clock.Time(clock.Second)

func obey(t *testing.T, v *View, now clock.Time, commands ...Command) {
	t.Helper()
	for _, c := range commands {
		mine, err := v.Apply(c, now, 4)
		require.True(t, mine)
		require.NoError(t, err)
	}
}

func shown(v *View, now clock.Time) [2]clock.Time {
	from, to := v.Shown(now)
	return [2]clock.Time{from, to}
}

func TestATimelineFollowsStandsStillOrShowsAll(t *testing.T) {
	var v View
	assert.Equal(t, [2]clock.Time{20 * s, 30 * s}, shown(&v, 30*s), "the last ten seconds at first")
	obey(t, &v, 30*s, Zoom{From: 10 * s, To: 10*s + 2*s + s/2})
	assert.Equal(t, [2]clock.Time{10 * s, 12*s + s/2}, shown(&v, 99*s), "V-7: exactly what was asked for")
	obey(t, &v, 30*s, Follow{Last: clock.Minute})
	assert.Equal(t, [2]clock.Time{-30 * s, 30 * s}, shown(&v, 30*s))
	obey(t, &v, 30*s, Follow{})
	assert.Equal(t, [2]clock.Time{0, 30 * s}, shown(&v, 30*s))
	assert.Equal(t, [2]clock.Time{0, 10 * s}, shown(&v, 1*s), "a young run does not look like an old one")
}

func TestFrozenMeansThatNothingMovesWhileTheRunGoesOn(t *testing.T) {
	var v View
	obey(t, &v, 30*s, Freeze{On: true})
	assert.Equal(t, [2]clock.Time{20 * s, 30 * s}, shown(&v, 99*s))
	from, to := v.ShownInPlots(99*s, clock.Second)
	assert.Equal(t, [2]clock.Time{0, 30 * s}, [2]clock.Time{from, to})
	obey(t, &v, 99*s, Freeze{})
	assert.Equal(t, [2]clock.Time{89 * s, 99 * s}, shown(&v, 99*s))
}

func TestPlotsHaveARangeOfTheirOwnOrTheTimelines(t *testing.T) {
	var v View
	plots := func() [2]clock.Time {
		from, to := v.ShownInPlots(100*s, clock.Minute)
		return [2]clock.Time{from, to}
	}
	assert.Equal(t, [2]clock.Time{0, 100 * s}, plots())
	obey(t, &v, 100*s, Plots{PlotRange{Last: 30 * clock.Second}})
	assert.Equal(t, [2]clock.Time{70 * s, 100 * s}, plots())
	obey(t, &v, 100*s, Plots{PlotRange{Same: true}}, Zoom{From: 5 * s, To: 6 * s})
	assert.Equal(t, [2]clock.Time{5 * s, 6 * s}, plots())
}

func TestRangesOutOfBoundsAreRefusedAndChangeNothing(t *testing.T) {
	for want, c := range map[string]Command{
		"want times from 0 to":                     Zoom{From: -1, To: s},
		"from 00:00:00.00 to 721:00:00.00":         Zoom{To: MaxTime + 3600*s},
		"to is 999 ns after from, want 1000 ns":    Zoom{From: s, To: s + 999},
		"last is 5 ns, want 0 for the whole run":   Follow{Last: 5},
		"plots: last is -1 ns":                     Plots{PlotRange{Last: -1}},
		"strand 4 does not exist, want 0 to 3":     Point{sim.Cursor{On: true, CPU: 4}},
		"to is -1000000000 ns after from, want":    Zoom{From: 2 * s, To: s},
		"last is 2592000000000001 ns, want 0 for":  Follow{Last: clock.Duration(MaxTime) + 1},
		"strand -1 does not exist":                 Point{sim.Cursor{On: true, CPU: -1}},
		"plots: last is 2592000000000001 ns, want": Plots{PlotRange{Last: clock.Duration(MaxTime) + 1}},
	} {
		v := View{Timeline: Range{Last: clock.Minute}}
		mine, err := v.Apply(c, 30*s, 4)
		assert.True(t, mine)
		require.ErrorContains(t, err, want)
		assert.Equal(t, View{Timeline: Range{Last: clock.Minute}}, v)
	}
	mine, err := (&View{}).Apply(Play{}, 0, 1)
	assert.False(t, mine)
	require.NoError(t, err)
}

func TestTheCursorStaysWithinTheRunAndThePointerCountsMore(t *testing.T) {
	var v View
	obey(t, &v, 30*s, Point{sim.Cursor{On: true, CPU: 2, At: 99 * s}})
	assert.Equal(t, sim.Cursor{On: true, CPU: 2, At: 30 * s}, v.Cursored())
	v.Pointing = Pointing{On: true, CPU: 1, At: 5 * s}
	assert.Equal(t, sim.Cursor{On: true, CPU: 1, At: 5 * s}, v.Cursored())
	v.Pointing.Plot = true
	assert.Equal(t, 2, v.Cursored().CPU, "a plot's moment is of no strand")
	v.Restarted()
	assert.False(t, v.Cursored().On)
}
