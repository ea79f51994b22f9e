package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
)

// changed is a run of a scenario in which lines are done at times, in ms.
func changed(t *testing.T, id string, to int, lines map[int]string, order ...int) *Session {
	t.Helper()
	s, err := Open(id)
	require.NoError(t, err)
	for _, at := range order {
		require.NoError(t, s.AdvanceTo(clock.Time(at)*clock.Time(clock.Millisecond)))
		_, err := s.Do(lines[at])
		require.NoError(t, err)
	}
	require.NoError(t, s.AdvanceTo(clock.Time(to)*clock.Time(clock.Millisecond)))
	return s
}

func back(t *testing.T, s *Session, how func() (Changed, error)) Changed {
	t.Helper()
	c, err := how()
	require.NoError(t, err)
	require.NoError(t, s.SeekTo(c.Back))
	return c
}

var edits = map[int]string{1500: "run -n 3 'run 5ms; sleep 20ms'", 2500: "run -n 2 spin"}

func TestUndoIsARunWithoutTheChangeAndRedoOneWithIt(t *testing.T) {
	for _, id := range []string{"t2000-ts", "linux22-250-hogs", "textbook-rr"} {
		t.Run(id, func(t *testing.T) {
			one := changed(t, id, 6000, edits, 1500).Digest()
			two := changed(t, id, 6000, edits, 1500, 2500).Digest()
			none := changed(t, id, 6000, edits).Digest()
			require.NotEqual(t, one, two)
			s := changed(t, id, 6000, edits, 1500, 2500)
			assert.Equal(t, edits[2500], s.Undoable())
			assert.Empty(t, s.Redoable())
			c := back(t, s, s.Undo)
			assert.Equal(t, Changed{edits[2500], clock.Time(2500 * clock.Millisecond), clock.Time(6 * clock.Second)}, c)
			assert.Equal(t, one, s.Digest())
			assert.Len(t, s.Typed(), 1)
			assert.Equal(t, edits[2500], s.Redoable())
			back(t, s, s.Undo)
			assert.Equal(t, none, s.Digest())
			assert.Empty(t, s.Undoable())
			_, err := s.Undo()
			require.ErrorContains(t, err, "nothing to undo")
			assert.Equal(t, none, s.Digest())
			assert.Equal(t, edits[1500], back(t, s, s.Redo).Line)
			assert.Equal(t, one, s.Digest())
			back(t, s, s.Redo)
			assert.Equal(t, two, s.Digest())
			_, err = s.Redo()
			require.ErrorContains(t, err, "nothing to redo")
			// The log is that of a run that was never undone.
			require.NoError(t, s.Rewind())
			require.NoError(t, s.AdvanceTo(clock.Time(6*clock.Second)))
			assert.Equal(t, two, s.Digest())
		})
	}
}

func TestChangesOfOneInstantAreUndoneOneByOne(t *testing.T) {
	s, err := Open("t2000-ts")
	require.NoError(t, err)
	require.NoError(t, s.AdvanceTo(clock.Time(clock.Second)))
	for _, line := range []string{"psradm -f 3", "psradm -f 4"} {
		_, err := s.Do(line)
		require.NoError(t, err)
	}
	back(t, s, s.Undo)
	f := s.Frame()
	assert.False(t, f.CPUs[3].Online)
	assert.True(t, f.CPUs[4].Online)
	back(t, s, s.Undo)
	assert.True(t, s.Frame().CPUs[3].Online)
	back(t, s, s.Redo)
	back(t, s, s.Redo)
	f = s.Frame()
	assert.False(t, f.CPUs[3].Online || f.CPUs[4].Online)
}

func TestAChangeAfterAnUndoMakesAnotherHistory(t *testing.T) {
	s := changed(t, "t2000-ts", 3000, edits, 1500)
	back(t, s, s.Undo)
	_, err := s.Do("psradm -f 1")
	require.NoError(t, err)
	assert.Empty(t, s.Redoable())
	_, err = s.Redo()
	require.Error(t, err)
}

func TestAChangeThatIsStillToComeCanBeUndone(t *testing.T) {
	s := changed(t, "t2000-ts", 3000, edits, 1500, 2500)
	require.NoError(t, s.SeekTo(clock.Time(2*clock.Second)))
	c := back(t, s, s.Undo)
	assert.Equal(t, edits[2500], c.Line)
	require.NoError(t, s.SeekTo(clock.Time(3*clock.Second)))
	assert.Equal(t, changed(t, "t2000-ts", 3000, edits, 1500).Digest(), s.Digest())
}

func TestUndoLeavesThePromptAlone(t *testing.T) {
	s := changed(t, "t2000-ts", 2000, edits, 1500)
	s.Type("psradm -f 7")
	require.NoError(t, s.AdvanceTo(clock.Time(3*clock.Second)))
	back(t, s, s.Undo)
	f := s.Frame()
	assert.False(t, f.CPUs[7].Online)
	for i := range f.Threads {
		assert.NotEqual(t, "sleeper", f.Threads[i].Name)
	}
}

func TestARunThatIsWatchedCannotUndo(t *testing.T) {
	s := changed(t, "t2000-ts", 2000, edits, 1500)
	s.Vmstat(1)
	before := s.Digest()
	_, err := s.Undo()
	require.ErrorContains(t, err, "an observer that was added")
	assert.Equal(t, before, s.Digest())
	assert.Equal(t, edits[1500], s.Undoable(), "nothing was forgotten")
}

func TestRunStartsTasksAsTold(t *testing.T) {
	s, err := Open("fss-1-3")
	require.NoError(t, err)
	require.NoError(t, s.AdvanceTo(clock.Time(clock.Second)))
	out, err := s.Do("run -n 2 -t editor -c TS -i -3 -b 0 'run 5ms; sleep 20ms'")
	require.NoError(t, err)
	assert.Regexp(t, `^editor \d+ to \d+ started\n?$`, out)
	require.NoError(t, s.AdvanceTo(clock.Time(3*clock.Second)))
	n := 0
	f := s.Frame()
	for i := range f.Threads {
		if x := &f.Threads[i]; x.Name == "editor" {
			n++
			assert.Equal(t, "TS", x.Class)
			assert.Equal(t, -3, x.Nice)
			assert.Equal(t, 0, x.CPU)
			assert.Positive(t, x.Ran)
		}
	}
	assert.Equal(t, 2, n)
}

func TestARefusedRunStartsNothing(t *testing.T) {
	s, err := Open("t2000-ts")
	require.NoError(t, err)
	for line, says := range map[string]string{
		"run -n 0 spin":           `-n "0", want 1 to 1000`,
		"run -n 2 -c XX spin":     "XX",
		"run -n 2 -j nobody spin": `project "nobody"`,
		"run -b 99 spin":          `-b "99", want 0 to 31`,
		"run 'run 5'":             `run "5", want a time`,
		"run 'run 5ms sleep'":     "is not known",
		"run yield":               "no time passes",
		"run spin now":            "one word too many",
		"run -q 3 spin":           "option -q",
		"run":                     "usage",
		"run -s 77 spin":          "77",
	} {
		_, err := s.Do(line)
		require.ErrorContains(t, err, says, line)
	}
	require.NoError(t, s.AdvanceTo(clock.Time(clock.Second)))
	f := s.Frame()
	for i := range f.Threads {
		if x := &f.Threads[i]; x.Name == "spinner" {
			assert.Equal(t, "exited", x.State.String())
		}
	}
	assert.Empty(t, s.Undoable())
}
