package sim_test

import (
	"fmt"
	"math/rand"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/scenario"
	"strandscope/sim/stats"
	"strandscope/sim/trace"
)

// fresh opens a scenario that keeps no checkpoints.
func fresh(t *testing.T, id string) *sim.Session {
	s, err := sim.Open(id)
	require.NoError(t, err)
	s.KeepPast(0)
	return s
}

// span is how far a scenario is run here: less where more happens.
func span(id string) clock.Time {
	if id == "linux22-chat" {
		return clock.Time(2 * clock.Second)
	}
	return clock.Time(40 * clock.Second)
}

// picture is all of a frame as text. Storage that is empty and none at all are
// the same.
func picture(s *sim.Session) string {
	f := *s.Frame()
	machine, work, curve, book := f.Machine, f.Work, f.Curve, f.Book
	f.Machine, f.Work, f.Curve, f.Book = nil, nil, nil, nil
	return storage.ReplaceAllString(fmt.Sprintf("%+v\n%+v\n%+v\n%+v\n%+v", f, machine, work, curve, book), "of:-")
}

// storage is which timeline a window was cut from.
var storage = regexp.MustCompile(`\bof:0x[0-9a-f]+`)

// same asserts that two sessions are at the same point of the same run.
func same(t *testing.T, want, got *sim.Session, where string) {
	t.Helper()
	require.Equal(t, want.Now(), got.Now(), where)
	require.Equal(t, want.Digest(), got.Digest(), where)
	for cpu := range want.Frame().CPUs {
		require.Equal(t, want.WhyStrand(cpu), got.WhyStrand(cpu), where)
	}
	a, b := picture(want), picture(got)
	if a == b {
		return
	}
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	from := max(0, i-100)
	require.Equal(t, a[from:min(i+100, len(a))], b[from:min(i+100, len(b))], where)
}

func TestWhoeverGoesBackFindsTheSameRunAgain(t *testing.T) {
	for _, id := range scenario.Library {
		t.Run(id, func(t *testing.T) {
			s, err := sim.Open(id)
			require.NoError(t, err)
			end := span(id)
			require.NoError(t, s.AdvanceTo(end))
			for _, goal := range []clock.Time{end / 2, end/3 + 1, 0, end - 1, end / 7, end} {
				straight := fresh(t, id)
				require.NoError(t, straight.AdvanceTo(goal))
				require.NoError(t, s.SeekTo(goal))
				same(t, straight, s, fmt.Sprint("at ", goal))
				// And goes on as it would have.
				require.NoError(t, straight.AdvanceTo(goal+end/10))
				require.NoError(t, s.AdvanceTo(goal+end/10))
				same(t, straight, s, fmt.Sprint("on from ", goal))
				require.NoError(t, s.Finish())
			}
		})
	}
}

func TestSeekingAtRandomNeverMakesAnotherRun(t *testing.T) {
	for _, id := range []string{"t2000-unset", "fss-share-change", "linux22-ping-under-load", "strand-offline"} {
		r := rand.New(rand.NewSource(1))
		s, err := sim.Open(id)
		require.NoError(t, err)
		seen := map[clock.Time]uint64{}
		for range 60 {
			to := clock.Time(r.Int63n(int64(40 * clock.Second)))
			if r.Intn(3) == 0 && len(seen) > 0 { // often where it was before
				to = slices.Sorted(keys(seen))[r.Intn(len(seen))]
			}
			for there := false; !there; {
				there, err = s.SeekUpTo(to, 1+r.Intn(100_000))
				require.NoError(t, err)
			}
			digest, known := seen[to]
			if !known {
				straight := fresh(t, id)
				require.NoError(t, straight.AdvanceTo(to))
				digest = straight.Digest()
				seen[to] = digest
			}
			require.Equal(t, digest, s.Digest(), "%s at %v", id, to)
		}
	}
}

func keys(m map[clock.Time]uint64) func(yield func(clock.Time) bool) {
	return func(yield func(clock.Time) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func TestStepsBackAreTheStepsForwardInReverse(t *testing.T) {
	for _, id := range []string{"t2000-ts", "linux22-typing"} {
		s, err := sim.Open(id)
		require.NoError(t, err)
		require.NoError(t, s.Advance(3*clock.Second))
		var digests []uint64
		for range 50 {
			digests = append(digests, s.Digest())
			require.NoError(t, s.Step())
		}
		for _, want := range slices.Backward(digests) {
			require.NoError(t, s.StepBack())
			require.Equal(t, want, s.Digest())
		}
		// Between two ticks it goes to the one before.
		tick := s.Frame().Tick
		require.NoError(t, s.Advance(tick/2))
		require.NoError(t, s.StepBack())
		assert.Equal(t, digests[0], s.Digest())
	}
	s := fresh(t, "t2000-ts")
	require.NoError(t, s.StepBack(), "there is nothing before the beginning")
	assert.Zero(t, s.Now())
}

func TestDecisionsGoBackwardAsTheyCame(t *testing.T) {
	for _, id := range []string{"t2000-unset", "linux22-250-hogs", "ts-lone-hog"} {
		s, err := sim.Open(id)
		require.NoError(t, err)
		require.NoError(t, s.Advance(2*clock.Second))
		require.NoError(t, s.StepDecisionBack())
		var at []clock.Time
		for range 40 {
			at = append(at, s.Now())
			o, err := s.StepDecision(clock.Time(clock.Hour))
			require.NoError(t, err)
			require.Equal(t, sim.Found, o.Result)
			require.Equal(t, s.Now(), o.At)
		}
		for _, want := range slices.Backward(at) {
			require.NoError(t, s.StepDecisionBack())
			require.Equal(t, want, s.Now(), id)
		}
	}
	s, err := sim.Open("ts-lone-hog")
	require.NoError(t, err)
	require.NoError(t, s.Advance(clock.Millisecond))
	require.NoError(t, s.StepDecisionBack())
	require.NoError(t, s.StepDecisionBack())
	assert.Zero(t, s.Now(), "before all of them is the beginning")
}

func TestTypedCommandsRunAgainUntilAnotherOneIsTyped(t *testing.T) {
	open := func() *sim.Session {
		s, err := sim.Open("t2000-ts")
		require.NoError(t, err)
		return s
	}
	at := func(s *sim.Session, seconds int, line string) {
		require.NoError(t, s.SeekTo(clock.Time(seconds)*clock.Time(clock.Second)))
		_, err := s.Do(line)
		require.NoError(t, err)
	}
	s := open()
	at(s, 10, "psradm -f 3")
	at(s, 20, "psradm -f 4")
	require.NoError(t, s.Advance(10*clock.Second))
	both := s.Digest()
	require.NoError(t, s.SeekTo(clock.Time(5*clock.Second)))
	assert.Len(t, s.Typed(), 2, "they are still to come")
	assert.True(t, s.Frame().CPUs[3].Online)
	require.NoError(t, s.SeekTo(clock.Time(10*clock.Second)))
	assert.False(t, s.Frame().CPUs[3].Online, "a command belongs to its time")
	require.NoError(t, s.SeekTo(clock.Time(30*clock.Second)))
	assert.Equal(t, both, s.Digest())

	at(s, 15, "psradm -f 5")
	assert.Len(t, s.Typed(), 2, "what came later is forgotten")
	require.NoError(t, s.SeekTo(clock.Time(30*clock.Second)))
	assert.True(t, s.Frame().CPUs[4].Online)
	assert.False(t, s.Frame().CPUs[5].Online)
	other := open()
	at(other, 10, "psradm -f 3")
	at(other, 15, "psradm -f 5")
	require.NoError(t, other.SeekTo(clock.Time(30*clock.Second)))
	assert.Equal(t, other.Digest(), s.Digest())
	require.NoError(t, s.Rewind())
	require.NoError(t, s.Advance(30*clock.Second))
	assert.Equal(t, other.Digest(), s.Digest(), "from the start as well")
}

func TestSomebodyElsesObserverKeepsTimeFromGoingBack(t *testing.T) {
	for name, add := range map[string]func(s *sim.Session) error{
		"Observe":   func(s *sim.Session) error { s.Observe(&trace.Digest{}); return nil },
		"Vmstat":    func(s *sim.Session) error { s.Vmstat(5); return nil },
		"Mpstat":    func(s *sim.Session) error { s.Mpstat(5, 0, stats.Listing{}); return nil },
		"ResetWith": func(s *sim.Session) error { return s.ResetWith(&trace.Digest{}) },
	} {
		s, err := sim.Open("ts-lone-hog")
		require.NoError(t, err)
		require.NoError(t, add(s))
		require.NoError(t, s.Advance(clock.Second))
		before := s.Digest()
		require.EqualError(t, s.StepBack(), "time cannot go back: an observer that was added has seen what came since", name)
		require.Error(t, s.StepDecisionBack())
		assert.Equal(t, clock.Time(clock.Second), s.Now())
		assert.Equal(t, before, s.Digest())
		require.NoError(t, s.SeekTo(clock.Time(2*clock.Second)), "forward it goes")
		require.NoError(t, s.Reset())
		require.NoError(t, s.Advance(clock.Second))
		require.NoError(t, s.StepBack(), "after a reset it is gone")
	}
	s := fresh(t, "ts-lone-hog")
	require.NoError(t, s.Advance(clock.Second))
	require.EqualError(t, s.StepBack(), "time cannot go back: no checkpoints are kept")
	require.EqualError(t, s.SeekTo(-1), "seek: the time is -1 ns, want 0 or later")
}

func TestCheckpointsOfADayTakeNoMoreThanTheirRoom(t *testing.T) {
	s, err := sim.Open("ts-nice-ladder")
	require.NoError(t, err)
	const room = 8 << 20
	alone := fresh(t, "ts-nice-ladder")
	start := heap()
	require.NoError(t, alone.Advance(24*clock.Hour))
	run := heap() - start
	require.NoError(t, alone.Finish()) // it is in use up to here
	alone = nil
	s.KeepPast(room)
	start = heap()
	require.NoError(t, s.Advance(2*clock.Hour))
	require.NoError(t, s.Advance(22*clock.Hour))
	used := heap() - start
	t.Logf("%d MB alone, %d MB with checkpoints", run>>20, used>>20)
	assert.Less(t, used, 2*(run+room), "the run, its checkpoints, and blocks of the stores that the present has replaced")
	digest := s.Digest()
	require.NoError(t, s.SeekTo(clock.Time(clock.Hour)))
	require.NoError(t, s.SeekTo(clock.Time(24*clock.Hour)))
	assert.Equal(t, digest, s.Digest())
	assert.Less(t, heap(), start+room+room/2)
}

// Each checkpoint of a run goes on to the same end, and leaves the others alone.
func TestARunGoesOnTheSameFromEachOfItsCheckpoints(t *testing.T) {
	for _, id := range scenario.Library {
		s, err := sim.Open(id)
		require.NoError(t, err)
		end := span(id)
		for i := range clock.Time(7) {
			require.NoError(t, s.AdvanceTo(i*end/7+i))
			require.NoError(t, s.Checkpoint(), id)
		}
		require.NoError(t, s.AdvanceTo(end))
		straight := fresh(t, id)
		require.NoError(t, straight.AdvanceTo(end))
		same(t, straight, s, id)
		for i := range clock.Time(7) {
			require.NoError(t, s.SeekTo(i*end/7+i))
			require.NoError(t, s.AdvanceTo(end)) // unlike SeekTo it takes no short cut
			same(t, straight, s, id)
		}
	}
}

func TestAFuncThatHoldsVariablesIsNamedAndTimeDoesNotGoBack(t *testing.T) {
	s, err := sim.Open("ts-lone-hog")
	require.NoError(t, err)
	require.NoError(t, s.Checkpoint(), "as it is, it can be copied")
	n := 0
	s.SetWaker(func() { n++ })
	const want = "this run cannot go back: watch.ledger.Waker: func strandscope/sim_test.TestAFuncThatHoldsVariablesIsNamedAndTimeDoesNotGoBack.func1 may hold variables, which cannot be copied: an interface value can"
	require.EqualError(t, s.Checkpoint(), want)
	require.NoError(t, s.Advance(clock.Second), "but it goes on")
	require.EqualError(t, s.StepBack(), want)
	assert.Equal(t, clock.Time(clock.Second), s.Now())
}

func TestCheckpointsAreDenseNearThePresentAndNeverWithoutTheFirst(t *testing.T) {
	s, err := sim.Open("ts-nice-ladder")
	require.NoError(t, err)
	require.NoError(t, s.Advance(5*24*clock.Hour))
	at, done := s.Checkpoints()
	require.Greater(t, len(at), 30)
	require.LessOrEqual(t, len(at), 48)
	assert.Zero(t, at[0])
	now := done[len(done)-1]
	near := now - done[len(done)-2]
	for i := 1; i < len(at); i++ {
		require.Less(t, at[i-1], at[i])
		gap, distance := done[i]-done[i-1], now-done[i-1]
		assert.LessOrEqual(t, gap, distance/4+2*near, "checkpoint %d of %d: what is run again is a part of the way back", i, len(at))
	}
	require.NoError(t, s.SeekTo(clock.Time(20*clock.Hour)))
	again, _ := s.Checkpoints()
	assert.Greater(t, again[len(again)-1], s.Now(), "what comes later is kept")
	_, err = s.Do("renice 5 1204")
	require.NoError(t, err)
	again, _ = s.Checkpoints()
	assert.LessOrEqual(t, again[len(again)-1], s.Now(), "until something else happens")
}

func TestTheCurveStaysWhenTimeGoesBack(t *testing.T) {
	s, err := sim.Open("linux22-250-hogs")
	require.NoError(t, err)
	if !s.Plotting() {
		s, err = sim.Open("linux22-recalculation")
		require.NoError(t, err)
	}
	require.True(t, s.Plotting())
	require.NoError(t, s.Advance(clock.Second))
	require.NoError(t, s.PlotNext())
	require.NoError(t, s.StepBack())
	assert.Len(t, s.Frame().CurvePoints, 1)
}

func TestTopIsTheSameWhoeverLooksWhen(t *testing.T) {
	often, once := fresh(t, "linux22-250-hogs"), fresh(t, "linux22-250-hogs")
	assert.Empty(t, once.Frame().Top)
	for range 37 {
		require.NoError(t, often.Advance(400*clock.Millisecond))
		often.Frame()
	}
	require.NoError(t, once.AdvanceTo(often.Now()))
	f := once.Frame()
	assert.Equal(t, often.Frame().Top, f.Top)
	assert.Equal(t, sim.TopEvery, f.TopSpan)
	assert.Contains(t, f.Top[2], "CPU states: 400.0% user")
}
