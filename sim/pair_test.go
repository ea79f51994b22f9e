package sim_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/compare"
)

func openWith(t *testing.T, id string, set ...sim.Setting) *sim.Session {
	t.Helper()
	s, err := sim.Open(id, set...)
	require.NoError(t, err)
	return s
}

func row(t *testing.T, rows []compare.Row, id string) *compare.Row {
	t.Helper()
	for i := range rows {
		if rows[i].ID == id {
			return &rows[i]
		}
	}
	require.Fail(t, "no row "+id)
	return nil
}

// V-5: the same workload under no default class and under FSS, on one clock.
func TestTheTipBesideFSSDiffersAsTheTipSays(t *testing.T) {
	a, b := openWith(t, "t2000-unset"), openWith(t, "t2000-fss")
	p := sim.Pair{Lead: a, Other: b}
	require.NoError(t, p.AdvanceTo(clock.Time(30*clock.Second)))
	assert.Equal(t, a.Now(), b.Now(), "one clock")
	left, right := a.Compared(), b.Compared()
	rows := compare.Table(&left, &right)
	for id, want := range map[string][3]string{
		"busy": {"12", "32", "+20"}, "r": {"20", "0", "−20"},
		"strands": {"37.5", "100.0", "+62.5"}, "cores": {"37.5", "100.0", "+62.5"},
		"idle": {"600.000", "0.000", "−600.000"}, "waited": {"600.000", "0.000", "−600.000"},
		"queue": {"20.00", "0.00", "−20.00"},
	} {
		r := row(t, rows, id)
		assert.Equal(t, want, [3]string{r.Text(r.Left), r.Text(r.Right), r.DifferenceText()}, id)
	}
}

func TestEachSideOfAPairHasTheEventsThatItHasAlone(t *testing.T) {
	for _, ids := range [][2]string{{"t2000-unset", "t2000-ts"}, {"linux22-250-hogs", "t2000-fss"}, {"linux22-chat", "textbook-lottery"}} {
		a, b := openWith(t, ids[0]), openWith(t, ids[1])
		p := sim.Pair{Lead: a, Other: b}
		stop := clock.Time(7*clock.Second + 3*clock.Millisecond)
		require.NoError(t, p.AdvanceTo(stop))
		for i, s := range []*sim.Session{a, b} {
			alone := openWith(t, ids[i])
			require.NoError(t, alone.AdvanceTo(stop))
			assert.Equal(t, alone.Digest(), s.Digest(), ids[i])
		}
		// Back and forward again.
		require.NoError(t, p.SeekTo(clock.Time(2*clock.Second)))
		assert.True(t, p.Level())
		require.NoError(t, p.SeekTo(stop))
		alone := openWith(t, ids[1])
		require.NoError(t, alone.AdvanceTo(stop))
		assert.Equal(t, alone.Digest(), b.Digest())
	}
}

func TestASideThatIsBehindCatchesUpFirst(t *testing.T) {
	a, b := openWith(t, "t2000-unset"), openWith(t, "t2000-fss")
	require.NoError(t, a.AdvanceTo(clock.Time(5*clock.Second)))
	p := sim.Pair{Lead: a, Other: b}
	require.False(t, p.Level())
	require.NoError(t, p.AdvanceTo(clock.Time(6*clock.Second)))
	assert.Equal(t, clock.Time(6*clock.Second), a.Now())
	assert.Equal(t, clock.Time(6*clock.Second), b.Now())
}

func TestRunToStopsBothSidesWhereTheLeadFoundItsCondition(t *testing.T) {
	c, err := sim.ParseCondition("load1 > 3.5")
	require.NoError(t, err)
	limit := clock.Time(clock.Hour)
	alone := openWith(t, "t2000-ts")
	want, err := alone.RunTo(c, limit, 1<<40)
	require.NoError(t, err)
	require.Equal(t, sim.Found, want.Result)

	p := sim.Pair{Lead: openWith(t, "t2000-ts"), Other: openWith(t, "t2000-unset")}
	got := sim.Outcome{}
	for got.Result == sim.OnTheWay {
		got, err = p.RunTo(c, limit, 512)
		require.NoError(t, err)
	}
	assert.Equal(t, want, got)
	assert.True(t, p.Level())
}

func TestAForkHasTheSameHistoryAndGoesItsOwnWay(t *testing.T) {
	s := openWith(t, "t2000-ts")
	require.NoError(t, s.AdvanceTo(clock.Time(3*clock.Second)))
	s.Type("psradm -f 3")
	require.NoError(t, s.AdvanceTo(clock.Time(5*clock.Second+7*clock.Millisecond)))
	f, err := s.Fork()
	require.NoError(t, err)
	require.Equal(t, s.Now(), f.Now())
	require.Equal(t, s.Digest(), f.Digest())
	require.Equal(t, s.Typed(), f.Typed())

	before := s.Digest()
	f.Type("psradm -f 4")
	require.NoError(t, f.AdvanceTo(clock.Time(8*clock.Second)))
	assert.Equal(t, before, s.Digest(), "the first one did not move")
	assert.Equal(t, 30, f.Frame().Totals.Strands)
	require.NoError(t, s.AdvanceTo(clock.Time(8*clock.Second)))
	assert.Equal(t, 31, s.Frame().Totals.Strands)
	assert.NotEqual(t, s.Digest(), f.Digest())

	// Each is what it would be alone, also after going back beyond the fork.
	again := openWith(t, "t2000-ts", f.Typed()...)
	require.NoError(t, again.AdvanceTo(clock.Time(8*clock.Second)))
	assert.Equal(t, again.Digest(), f.Digest())
	require.NoError(t, f.SeekTo(clock.Time(clock.Second)))
	require.NoError(t, f.SeekTo(clock.Time(8*clock.Second)))
	assert.Equal(t, again.Digest(), f.Digest())
}

func TestAForkOfAWatchedRunIsRunAgain(t *testing.T) {
	s := openWith(t, "t2000-ts")
	s.Vmstat(1)
	require.NoError(t, s.AdvanceTo(clock.Time(2*clock.Second)))
	s.Type("psradm -f 3")
	require.NoError(t, s.AdvanceTo(clock.Time(4*clock.Second)))
	f, err := s.Fork()
	require.NoError(t, err)
	assert.Equal(t, s.Digest(), f.Digest())
	require.NoError(t, f.SeekTo(0), "the copy is not watched")
}

func TestEveryBuiltInScenarioCanBeForked(t *testing.T) {
	for _, i := range sim.Library() {
		s := openWith(t, i.ID)
		require.NoError(t, s.AdvanceTo(clock.Time(2*clock.Second)), i.ID)
		require.NoError(t, s.CopyWhole(), "%s: else a fork has to run it all again", i.ID)
		f, err := s.Fork()
		require.NoError(t, err, i.ID)
		require.Equal(t, s.Digest(), f.Digest(), i.ID)
		require.NoError(t, s.AdvanceTo(clock.Time(3*clock.Second)))
		require.NoError(t, f.AdvanceTo(clock.Time(3*clock.Second)))
		require.Equal(t, s.Digest(), f.Digest(), i.ID)
		l, r := s.Compared(), f.Compared()
		for _, x := range compare.Table(&l, &r) {
			if d := x.Difference(); d.Known {
				assert.Zero(t, d.N, "%s: %s", i.ID, x.ID)
			}
		}
	}
}

func TestAskingForFiguresChangesNothing(t *testing.T) {
	for _, id := range []string{"fss-1-3", "fss-psets", "fss-share-change"} {
		a, b := openWith(t, id), openWith(t, id)
		for i := range 300 {
			require.NoError(t, a.AdvanceTo(clock.Time(i)*clock.Time(7_777_777)))
			a.Compared()
		}
		require.NoError(t, b.AdvanceTo(a.Now()))
		assert.Equal(t, b.Compared(), a.Compared(), id)
	}
}

func TestTheFiguresAgreeWithThoseOfFrames(t *testing.T) {
	for _, i := range sim.Library() {
		s := openWith(t, i.ID)
		require.NoError(t, s.AdvanceTo(clock.Time(4*clock.Second+123_457_000)), i.ID)
		f, c := s.Frame(), s.Compared()
		assert.EqualValues(t, f.Totals.Busy, c.Busy, i.ID)
		assert.EqualValues(t, f.Totals.Waiting, c.Waiting, i.ID)
		assert.EqualValues(t, f.Totals.Strands, c.Strands, i.ID)
		var waited, ran clock.Duration
		for _, th := range f.Threads {
			if !th.Kernel {
				waited += th.Waited
			}
			ran += th.Ran
		}
		assert.Equal(t, waited, c.Waited, i.ID)
		assert.Equal(t, ran, c.BusyTime, i.ID)
	}
}
