package stats_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
)

func TestQuantilesOfTicksAreExact(t *testing.T) {
	var d stats.Distribution
	for i := range 100 {
		d.Add(clock.Duration(i/10) * 10 * clock.Millisecond)
	}
	for _, c := range []struct {
		percent int64
		want    clock.Duration
	}{{1, 0}, {10, 0}, {11, 10}, {50, 40}, {51, 50}, {99, 90}, {100, 90}} {
		got, exact := d.Quantile(c.percent)
		assert.True(t, exact)
		assert.Equal(t, c.want*clock.Millisecond, got, "p%d", c.percent)
	}
	assert.Equal(t, 90*clock.Millisecond, d.Max)
}

func TestQuantilesAreWithinA128thOfTheSortedSamples(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 2))
		var d stats.Distribution
		var all []clock.Duration
		for range 1 + r.IntN(5000) {
			x := clock.Duration(r.Int64N(int64(1) << (1 + r.IntN(45))))
			d.Add(x)
			all = append(all, x)
		}
		slices.Sort(all)
		for _, p := range []int64{1, 25, 50, 90, 99, 100} {
			want := all[(int64(len(all))*p+99)/100-1]
			got, exact := d.Quantile(p)
			assert.GreaterOrEqual(t, got, want)
			assert.LessOrEqual(t, got, want+want/128)
			if exact {
				assert.Equal(t, want, got)
			}
		}
		assert.Equal(t, all[len(all)-1], d.Max)
		assert.Equal(t, int64(len(all)), d.Count)
		var sum int64
		for _, o := range d.Octaves() {
			sum += o.Count
		}
		assert.Equal(t, d.Count, sum)
	}
}

func TestOctavesDoubleFromAMicrosecondOn(t *testing.T) {
	var d stats.Distribution
	assert.Empty(t, d.Octaves())
	for _, x := range []clock.Duration{0, 999, 1000, 1999, 2000, 9000, 10 * clock.Millisecond} {
		d.Add(x)
	}
	octaves := d.Octaves()
	assert.Equal(t, []stats.Octave{
		{From: 0, Below: 1000, Count: 2},
		{From: 1000, Below: 2000, Count: 2},
		{From: 2000, Below: 4000, Count: 1},
		{From: 4000, Below: 8000},
		{From: 8000, Below: 16000, Count: 1},
	}, octaves[:5])
	last := octaves[len(octaves)-1]
	assert.Equal(t, int64(1), last.Count)
	assert.True(t, last.From <= 10*clock.Millisecond && 10*clock.Millisecond < last.Below)
}

func TestAnEmptyDistributionHasNothingToSay(t *testing.T) {
	var d stats.Distribution
	got, exact := d.Quantile(99)
	assert.Zero(t, got)
	assert.True(t, exact)
	l := stats.NewLatency(newRoster())
	var to stats.Listing
	require.NotPanics(t, func() { l.Report(&to) })
}

func TestWakeUpLatencyIsFromRunnableToACPUByName(t *testing.T) {
	s := newScene()
	l := stats.NewLatency(s)
	s.watch(l)
	a, b := s.add("editor", 0), s.add("batch", 0)
	s.thread("updates").Kernel = true
	k := s.create(0)
	s.on(b, 1)
	s.on(k, 2)
	s.pass(30 * clock.Millisecond)
	s.on(a, 0)
	s.off(a, sched.Preempted) // that it waits again is no wake-up
	s.pass(clock.Second)
	s.on(a, 0)
	s.off(a, sched.Blocked)
	s.again(a, 0)
	s.pass(10 * clock.Millisecond)
	s.on(a, 0)
	s.off(b, sched.Exited)

	assert.Equal(t, int64(2), l.Of("editor").Count)
	assert.Equal(t, 30*clock.Millisecond, l.Of("editor").Max)
	assert.Equal(t, int64(3), l.All.Count, "the kernel's own are not among them")
	assert.Equal(t, int64(1), l.Of("updates (kernel)").Count)
	assert.Nil(t, l.Of("nobody"))
	p50, _ := l.All.Quantile(50)
	assert.Equal(t, 10*clock.Millisecond, p50)

	var to stats.Listing
	l.Report(&to)
	text := strings.Join(to.Lines, "\n")
	assert.Regexp(t, `(?m)^editor +2 +20\.000 +10\.000 +30\.000 +30\.000$`, text)
	assert.Regexp(t, `(?m)^all user threads +3 +13\.333 +10\.000 +30\.000 +30\.000$`, text)
}

func TestSwitchesAreCountedByCause(t *testing.T) {
	s := newScene()
	w := stats.NewSwitches(s, 2)
	s.watch(w)
	a, b, c := s.add("a", 0), s.add("b", 0), s.add("c", 1)
	s.on(a, 0) // from idle
	s.standing[a] = stats.Standing{QuantumUp: true}
	s.preempt(a) // its quantum ended, and it is picked again
	s.preempt(a) // once more, and now it goes
	s.leave(a, sched.Preempted)
	s.standing[a] = stats.Standing{}
	s.on(b, 0)
	s.preempt(b) // somebody better
	s.leave(b, sched.Preempted)
	s.on(a, 0)
	s.preempt(a) // looked, found nobody better
	s.off(a, sched.Yielded)
	s.on(c, 1) // from idle
	s.off(c, sched.Moved)
	s.on(c, 0) // from idle
	s.off(c, sched.GaveWay)
	s.on(c, 0) // from idle
	s.off(c, sched.Exited)
	s.on(a, 0) // from idle
	s.off(a, sched.Blocked)

	assert.Equal(t, []int64{1, 1, 1, 1, 1, 1, 1}, []int64{w.QuantumEnd, w.Better, w.Blocked, w.Yielded, w.GaveWay, w.Moved, w.Exited})
	assert.Equal(t, []int64{1, 1, 5}, []int64{w.AgainQuantum, w.AgainBetter, w.FromIdle})
	q, better := w.Preemptions("a", "b")
	assert.Equal(t, [2]int64{1, 0}, [2]int64{q, better})
	q, better = w.Preemptions("b", "a")
	assert.Equal(t, [2]int64{0, 1}, [2]int64{q, better})
	q, better = w.Preemptions("c", "a")
	assert.Equal(t, [2]int64{}, [2]int64{q, better})

	var to stats.Listing
	w.Report(&to)
	for _, want := range []string{"        1  quantum end", "        5  a thread came onto an idle CPU"} {
		assert.Contains(t, to.Lines, want)
	}
	assert.Regexp(t, `^b +a +0 +1$`, to.Lines[len(to.Lines)-1])
}

// leave takes a thread off its CPU without an idle loop in between.
func (s *scene) leave(th sched.ThreadID, why sched.Cause) {
	s.emit(offEvent(s.fakeRoster.threads[th], why))
	s.fakeRoster.threads[th].State = sched.Waiting
}

func TestAQuantumThatWasRefilledBeforeItsEndIsServedStillEnded(t *testing.T) {
	// TS: the quantum ends in the tick, the update of the same tick lifts the
	// thread at its trap return, and only then is it preempted.
	s := newScene()
	w := stats.NewSwitches(s, 1)
	s.watch(w)
	a := s.add("a", 0)
	s.on(a, 0)
	s.standing[a] = stats.Standing{QuantumUp: true}
	s.note(a)
	s.standing[a] = stats.Standing{}
	s.preempt(a)
	s.off(a, sched.Preempted)
	s.on(a, 0)
	s.preempt(a)
	assert.Equal(t, []int64{1, 0, 0, 1}, []int64{w.QuantumEnd, w.Better, w.AgainQuantum, w.AgainBetter})
}

func TestManyNamesKeepTheirOrder(t *testing.T) {
	for range 3 {
		s := newScene()
		l := stats.NewLatency(s)
		s.watch(l)
		for i := range 50 {
			s.on(s.add(fmt.Sprintf("n%d", i%25), 0), i)
		}
		var to stats.Listing
		l.Report(&to)
		for i := range 25 {
			assert.True(t, strings.HasPrefix(to.Lines[2+i], fmt.Sprintf("n%d ", i)))
		}
	}
}
