package control

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/render/act"
	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/compare"
)

// openedAt is opened, and the wall clock that frames go by.
func openedAt(t *testing.T, id string, at clock.Duration) (*State, *wall) {
	t.Helper()
	return opened(t, id, at), &wall{t: 1}
}

func goTo(s *State, w *wall, at clock.Duration) {
	s.Apply(act.Seek{At: clock.Time(at)})
	arrive(s, w)
}

// arrive lets what is sought be reached.
func arrive(s *State, w *wall) {
	for i := 0; s.Seeking() && i < 10_000; i++ {
		frames(s, w, 1)
	}
}

func value(t *testing.T, s *State, id string) [3]string {
	t.Helper()
	c := s.Comparison()
	require.NotNil(t, c)
	rows := compare.Table(&c.Figures[0], &c.Figures[1])
	for i := range rows {
		if r := &rows[i]; r.ID == id {
			return [3]string{r.Text(r.Left), r.Text(r.Right), r.DifferenceText()}
		}
	}
	require.Fail(t, "no row "+id)
	return [3]string{}
}

func differs(s *State) string {
	c := s.Comparison()
	return c.Facts[0].DiffersFrom(c.Facts[1])
}

func digest(r Run) uint64 { return r.Frame().Digest }

func TestASecondRunBeginsAtZeroAndCatchesUpWhilePaused(t *testing.T) {
	s, w := openedAt(t, "t2000-unset", 30*clock.Second)
	before := digest(s.Run)
	s.Apply(act.Compare{Settings: []sim.Setting{{Key: "class", Value: "FSS"}}})
	require.Empty(t, s.Error)
	require.True(t, s.Moving())
	arrive(s, w)
	c := s.Comparison()
	assert.True(t, c.Level)
	assert.Equal(t, clock.Time(30*clock.Second), s.Run.Now())
	assert.Equal(t, [2]string{"default class not set", "FSS"}, c.Titles)
	assert.Equal(t, "Default class (A not set, B FSS).", differs(s))
	assert.Equal(t, [3]string{"20", "0", "−20"}, value(t, s, "r"))
	assert.Equal(t, before, digest(s.Beside()), "the left one did not notice")

	s.Apply(act.Swap{})
	assert.Equal(t, [3]string{"0", "20", "+20"}, value(t, s, "r"))
	assert.False(t, s.Comparison().Right, "the focus stays with its run")

	// Played on and gone back, each is what it is alone.
	s.Apply(act.Play{})
	frames(s, w, 60)
	s.Apply(act.Pause{})
	assert.True(t, s.Comparison().Level)
	assert.Greater(t, s.Run.Now(), clock.Time(30*clock.Second))
	goTo(s, w, 12*clock.Second)
	for id, run := range map[string]Run{"t2000-unset": s.Beside(), "t2000-fss": s.Run} {
		alone, err := sim.Open(id)
		require.NoError(t, err)
		require.NoError(t, alone.AdvanceTo(clock.Time(12*clock.Second)))
		assert.Equal(t, alone.Digest(), digest(run), id)
	}

	s.Apply(act.Uncompare{})
	assert.Nil(t, s.Comparison())
	assert.Equal(t, "FSS", s.Run.Frame().Scenario.Class, "the left one stays")
}

func TestEveryStepMovesBothSides(t *testing.T) {
	s, w := openedAt(t, "t2000-unset", 5*clock.Second)
	s.Apply(act.Compare{Settings: []sim.Setting{{Key: "class", Value: "TS"}}})
	arrive(s, w)
	for _, c := range []act.Command{
		act.Step{},
		act.StepBack{},
		act.StepDecision{},
		act.StepDecisionBack{},
		act.RunTo{To: sim.Condition{Kind: sim.OnMigration}, For: clock.Second},
		act.Seek{At: 7},
		act.Reset{},
	} {
		s.Apply(c)
		arrive(s, w)
		require.Empty(t, s.Error+s.Fault, "%T", c)
		assert.True(t, s.Comparison().Level, "%T", c)
	}
	assert.Zero(t, s.Run.Now())
	assert.Zero(t, s.Beside().Now())
}

func TestAForkSharesTheHistoryAndDiffersByALine(t *testing.T) {
	s, w := openedAt(t, "t2000-ts", 4*clock.Second)
	s.Apply(act.Type{Line: "psradm -f 3"})
	goTo(s, w, 6*clock.Second)
	before := digest(s.Run)
	s.Apply(act.Fork{})
	require.Empty(t, s.Error)
	assert.True(t, s.Seeking(), "what is compared is summed up from the start")
	s.Apply(act.Fork{})
	assert.Contains(t, s.Error, "on its way to another time", "here is not where it is now")
	arrive(s, w)
	assert.Equal(t, clock.Time(6*clock.Second), s.Run.Now())
	assert.Equal(t, before, digest(s.Run))
	assert.Equal(t, digest(s.Beside()), digest(s.Run))
	assert.Equal(t, "Nothing differs between the sides yet.", differs(s))
	assert.Equal(t, []string{"psradm -f 3"}, []string{s.Typed()[0].Do})

	s.Apply(act.Fork{Line: "psradm -f 4"})
	assert.Contains(t, differs(s), "psradm -f 4")
	goTo(s, w, 8*clock.Second)
	assert.Equal(t, [3]string{"31", "30", "−1"}, value(t, s, "busy"))
	s.Apply(act.Fork{Line: "nonsense"})
	assert.NotEmpty(t, s.Error)
	assert.Equal(t, [3]string{"31", "30", "−1"}, value(t, s, "busy"), "a fork that is refused changes nothing")
}

func TestAForkByAClassStartsAgainAndKeepsWhatWasTyped(t *testing.T) {
	s, w := openedAt(t, "t2000-ts", 4*clock.Second)
	s.Apply(act.Type{Line: "psradm -f 3"})
	goTo(s, w, 6*clock.Second)
	s.Apply(act.Fork{Key: "class", Value: "FSS"})
	require.Empty(t, s.Error)
	assert.Zero(t, s.Run.Now())
	arrive(s, w)
	assert.Equal(t, clock.Time(6*clock.Second), s.Run.Now())
	assert.Equal(t, [3]string{"31", "31", "0"}, value(t, s, "busy"))
	assert.Equal(t, "Default class (A TS, B FSS).", differs(s))
}

func TestCommandsAreForTheSideInFocusOrForBoth(t *testing.T) {
	s, w := openedAt(t, "t2000-ts", 2*clock.Second)
	s.Apply(act.Fork{})
	arrive(s, w)
	s.Apply(act.Do{Line: "psradm -f 3"})
	assert.Equal(t, [3]string{"32", "31", "−1"}, value(t, s, "busy"))
	s.Apply(act.Do{Line: "psradm -f 4", Both: true})
	assert.Equal(t, [3]string{"31", "30", "−1"}, value(t, s, "busy"))
	s.Apply(act.Focus{Right: false})
	s.Apply(act.Type{Line: "psradm -f 5 6 7"})
	assert.Equal(t, [3]string{"28", "30", "+2"}, value(t, s, "busy"))
	assert.Len(t, s.Comparison().Typed[0], 2)

	s.Apply(act.Set{Key: "class", Value: "FX"})
	arrive(s, w)
	assert.True(t, s.Comparison().Level, "a side that was booted anew catches up")
	assert.Equal(t, clock.Time(2*clock.Second), s.Run.Now())
	s.Apply(act.Set{Key: "class", Value: "IA", Both: true})
	arrive(s, w)
	assert.Equal(t, "IA", s.Run.Frame().Scenario.Class)
	assert.Equal(t, "IA", s.Beside().Frame().Scenario.Class)
}

func TestASettingOnTheWayDoesNotForgetWhereTheSidesGo(t *testing.T) {
	s, w := openedAt(t, "t2000-unset", 4*clock.Second)
	s.Apply(act.Fork{Key: "class", Value: "unset"})
	s.Apply(act.Set{Key: "explanation", Value: "kernel"})
	require.Empty(t, s.Error)
	arrive(s, w)
	assert.Equal(t, clock.Time(4*clock.Second), s.Run.Now())
	assert.True(t, s.Comparison().Level)
	assert.Equal(t, "Explanation of “not set” (A pset, B kernel).", differs(s))
}

func TestAnUndoneLineCanBeRedoneBesideAnother(t *testing.T) {
	s, w := openedAt(t, "t2000-ts", 2*clock.Second)
	s.Apply(act.Do{Line: "psradm -f 3"})
	goTo(s, w, 3*clock.Second)
	with := digest(s.Run)
	s.Apply(act.Undo{})
	arrive(s, w)
	s.Apply(act.Compare{Settings: []sim.Setting{{Key: "class", Value: "FX"}}})
	arrive(s, w)
	s.Apply(act.Focus{Right: false})
	s.Apply(act.Redo{})
	arrive(s, w)
	require.Empty(t, s.Error)
	assert.Equal(t, with, digest(s.Run))
	assert.True(t, s.Comparison().Level)
}

func TestEachSideHasItsOwnConsole(t *testing.T) {
	s, w := openedAt(t, "t2000-ts", 2*clock.Second)
	s.Apply(act.Type{Line: "psrinfo"})
	a := s.Terminal()
	s.Apply(act.Compare{Scenario: "t2000-fss"})
	arrive(s, w)
	b := s.Terminal()
	assert.NotEqual(t, a.Epoch, b.Epoch, "the page begins another log")
	assert.Nil(t, b.Log)
	s.Apply(act.Focus{Right: false})
	assert.NotNil(t, s.Terminal().Log)
}

func TestWhatCannotBeComparedIsRefused(t *testing.T) {
	s, _ := openedAt(t, "t2000-ts", clock.Second)
	run := s.Run
	for _, c := range []act.Command{act.Swap{}, act.Focus{Right: true}, act.Uncompare{}} {
		s.Apply(c)
		assert.Equal(t, "There is only one run: compare it with another first.", s.Error)
	}
	s.Apply(act.Compare{Settings: []sim.Setting{{Key: "class", Value: "XX"}}})
	assert.NotEmpty(t, s.Error)
	s.Apply(act.Compare{Scenario: "nowhere"})
	assert.Contains(t, s.Error, "nowhere")
	s.Apply(act.Fork{Line: "psrinfo", Key: "class"})
	assert.Contains(t, s.Error, "want one of them")
	assert.Nil(t, s.Comparison())
	assert.Equal(t, run, s.Run)
}
