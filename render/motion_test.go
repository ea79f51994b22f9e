package render_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/render"
	"strandscope/render/act"
	"strandscope/render/internal/fake"
	"strandscope/render/scene"
	"strandscope/render/theme"
	"strandscope/sim"
	"strandscope/sim/clock"
)

// watched is a run that is looked at picture by picture.
type watched struct {
	*testing.T
	run    *sim.Session
	screen *render.Screen
	motion render.Motion
	view   *act.View
	now    time.Duration
}

func watch(t *testing.T, id string, at clock.Duration) *watched {
	s, err := sim.Open(id)
	require.NoError(t, err)
	require.NoError(t, s.Advance(at))
	w := &watched{T: t, run: s, screen: render.NewScreen(), view: fake.View("dark", 1120, 700, 1000)}
	w.see(0)
	return w
}

// see looks again after some real time.
func (w *watched) see(later time.Duration) act.Motion {
	w.now += later
	w.motion.See(w.screen, w.run.Frame(), w.view, w.now)
	return w.view.Motion
}

// decide goes to the next decision.
func (w *watched) decide() {
	_, err := w.run.StepDecision(w.run.Now().Add(clock.Minute))
	require.NoError(w, err)
}

func (w *watched) texts() string {
	var l scene.List
	w.screen.Draw(&l, w.run.Frame(), w.view, scene.Fixed{})
	return l.String()
}

func TestAStepShowsWhereThreadsCameFromAndStandsStill(t *testing.T) {
	w := watch(t, "fss-1-3", clock.Second)
	steps := 0
	for range 200 { // until a decision changes who runs
		w.decide()
		steps++
		if len(w.see(time.Second).Moves) > 1 {
			break
		}
	}
	m := w.view.Motion
	require.Len(t, m.Moves, 2, "one came, one went back")
	assert.True(t, m.Still)
	kinds := map[act.MoveKind]act.Move{}
	for _, x := range m.Moves {
		kinds[x.Kind] = x
		assert.False(t, x.From.Empty() || x.To.Empty() || x.From == x.To)
	}
	came, back := kinds[act.Dispatched], kinds[act.PutBack]
	f := w.run.Frame()
	assert.Equal(t, f.CPUs[0].Thread, came.Thread)
	assert.Equal(t, w.screen.Cell(0, f, w.view), came.To)
	assert.Equal(t, came.To, back.From, "through the same strand")
	said := w.screen.Describe(f, w.view)
	assert.Contains(t, said, "Since the last step: ")
	assert.Contains(t, said, " came from the queue onto cpu0")
	assert.Contains(t, said, " went back to wait")
	assert.Contains(t, w.texts(), "→ moved in the last step")
	again := w.see(time.Hour)
	assert.Equal(t, m.Moves, again.Moves, "a pause does not end it")
	require.NoError(t, w.run.StepBack())
	assert.Empty(t, w.see(0).Moves, "back in time nothing came from anywhere")
}

func TestWhileItPlaysSlowlyATokenFlies(t *testing.T) {
	w := watch(t, "fss-1-3", clock.Second)
	w.view.Playing = true
	for len(w.see(16*time.Millisecond).Moves) == 0 {
		require.NoError(t, w.run.Step())
	}
	first := w.view.Motion.Moves[0]
	assert.Zero(t, first.Progress)
	later := w.see(100 * time.Millisecond)
	assert.False(t, later.Still)
	assert.Equal(t, 285, later.Moves[0].Progress, "350 ms long")
	assert.Contains(t, w.texts(), "radius 5", "the token")
	assert.Empty(t, w.see(300*time.Millisecond).Moves, "it has arrived")

	w.view.Quiet = true
	for len(w.see(16*time.Millisecond).Moves) == 0 {
		require.NoError(t, w.run.Step())
	}
	assert.True(t, w.view.Motion.Still, "for those who want no motion")
}

func TestTooMuchToFollowIsToldAsRates(t *testing.T) {
	w := watch(t, "t2000-unset", 5*clock.Second)
	w.view.Playing = true
	for range 10 {
		require.NoError(t, w.run.Advance(clock.Second))
		w.see(16 * time.Millisecond)
	}
	m := w.view.Motion
	assert.True(t, m.Fast)
	assert.Empty(t, m.Moves)
	assert.Positive(t, m.Switches)
	assert.Contains(t, w.texts(), " switches/s")
	// Counted by hand over the same second.
	before := w.run.Frame().Totals.Switches
	require.NoError(t, w.run.Advance(clock.Second))
	assert.Equal(t, w.run.Frame().Totals.Switches-before, w.see(16*time.Millisecond).Switches)
	assert.False(t, w.see(time.Second).Fast, "calm again")
}

func TestARecalculationIsSaid(t *testing.T) {
	w := watch(t, "linux22-ping-under-load", 12*clock.Second)
	before := w.run.Frame().Work.Recalculations
	for w.run.Frame().Work.Recalculations == before {
		w.see(0)
		w.decide()
	}
	assert.True(t, w.see(0).Recalculated)
	assert.Contains(t, w.texts(), "recalculation: counter = counter / 2 + priority")
	assert.Contains(t, w.screen.Describe(w.run.Frame(), w.view), "recalculation")
	w.decide()
	assert.False(t, w.see(0).Recalculated)
}

func TestAnotherRunBeginsWithoutMotion(t *testing.T) {
	w := watch(t, "fss-1-3", clock.Second)
	for len(w.see(time.Second).Moves) == 0 {
		w.decide()
	}
	other, err := sim.Open("ts-nice-ladder")
	require.NoError(t, err)
	require.NoError(t, other.Advance(2*clock.Second))
	w.run = other
	assert.Empty(t, w.see(0).Moves)
	require.NoError(t, w.run.Advance(clock.Hour))
	assert.Empty(t, w.see(0).Moves, "arrows over an hour would tell nothing")
}

// The arrows of a step as a text, in each theme.
func TestMovesAreDrawnTheSame(t *testing.T) {
	for _, name := range theme.Names {
		w := watch(t, "fss-1-3", clock.Second)
		w.view.Theme = name
		for len(w.see(time.Second).Moves) < 2 {
			w.decide()
		}
		v := *w.view
		with := w.texts()
		v.Motion = act.Motion{}
		var l scene.List
		w.screen.Draw(&l, w.run.Frame(), &v, scene.Fixed{})
		had := map[string]bool{}
		for _, line := range strings.Split(l.String(), "\n") {
			had[line] = true
		}
		var more []string
		for _, line := range strings.Split(with, "\n") {
			if !had[line] {
				more = append(more, line)
			}
		}
		golden(t, filepath.Join("testdata", "moves-"+name+".txt"), strings.Join(more, "\n")+"\n")
	}
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
}
