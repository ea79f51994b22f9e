package stats_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
	"strandscope/sim/trace"
)

func waits(cpus int) (*scene, *stats.Waits) {
	s := newScene()
	s.sets = make([]int, cpus)
	w := stats.NewWaits(s, cpus)
	s.watch(w)
	return s, w
}

// A-11 of the cases: totals by culprit.
func TestAWaitIsChargedToWhatRanOnTheCPUOfTheQueue(t *testing.T) {
	s, w := waits(2)
	victim, hog, other := s.add("victim", 0), s.add("hog", 0), s.add("other", 1)
	s.on(hog, 0)
	s.on(other, 1)
	s.pass(3 * clock.Second) // victim waits for hog
	s.off(hog, sched.Blocked)
	s.pass(clock.Second) // for nobody
	s.event(trace.Queued, 1, victim)
	s.pass(2 * clock.Second) // for other
	s.on(victim, 1)          // (other goes by itself in this scene)
	s.pass(5 * clock.Second)

	at := func(culprit string) clock.Duration { return w.Wait("victim", culprit, s.now) }
	assert.Equal(t, 3*clock.Second, at("hog"))
	assert.Equal(t, 1*clock.Second, at(stats.Nobody))
	assert.Equal(t, 2*clock.Second, at("other"))
	assert.Zero(t, at("victim"))
	assert.Zero(t, w.Wait("hog", "victim", s.now), "who sleeps does not wait")

	var to stats.Listing
	w.Report(&to, s.now)
	text := strings.Join(to.Lines, "\n")
	assert.Regexp(t, `(?m)^victim +hog +3\.000 +50\.0$`, text)
	assert.Regexp(t, `(?m)^victim +in all +6\.000 +100\.0$`, text)
	assert.Less(t, strings.Index(text, "hog"), strings.Index(text, "other"), "worst first")
}

func TestAPreemptedThreadWaitsFromTheMomentItLeaves(t *testing.T) {
	s, w := waits(1)
	a, b := s.add("a", 0), s.add("b", 0)
	s.on(a, 0)
	s.pass(clock.Second)
	s.preempt(a) // queued, and picked again: it does not wait
	s.pass(clock.Second)
	s.off(a, sched.Preempted)
	s.on(b, 0)
	s.pass(clock.Second)
	s.off(b, sched.Preempted)
	s.on(a, 0)
	s.pass(clock.Second)
	assert.Equal(t, clock.Second, w.Wait("a", "b", s.now))
	assert.Equal(t, 3*clock.Second, w.Wait("b", "a", s.now))
	assert.Zero(t, w.Wait("a", "a", s.now))
}

func TestASharedQueueDividesTheWaitAmongItsCPUs(t *testing.T) {
	s, w := waits(4)
	s.sets = []int{0, 0, 0, 5}
	a, b := s.add("a", 0), s.add("b", 1)
	c := s.add("elsewhere", 3)
	s.on(a, 0)
	s.on(b, 1)
	s.on(c, 3)
	s.add("victim", sched.NoCPU)
	s.pass(30 * clock.Millisecond)
	assert.Equal(t, 10*clock.Millisecond, w.Wait("victim", "a", s.now))
	assert.Equal(t, 10*clock.Millisecond, w.Wait("victim", "b", s.now))
	assert.Equal(t, 10*clock.Millisecond, w.Wait("victim", stats.Nobody, s.now))
	assert.Zero(t, w.Wait("victim", "elsewhere", s.now), "another processor set")
	s.changed(2, 5)
	s.pass(30 * clock.Millisecond)
	assert.Equal(t, 25*clock.Millisecond, w.Wait("victim", "a", s.now), "two CPUs are left")
}

func TestAllWaitsAreCharged(t *testing.T) {
	// Whatever happens, what a thread waited is what the ledger says.
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 3))
		s, w := waits(3)
		l := stats.NewLedger(3)
		s.watch(l)
		names := []string{"a", "b", "c"}
		var ids []sched.ThreadID
		for i := range 9 {
			ids = append(ids, s.add(names[i%3], r.IntN(3)))
		}
		running := [3]sched.ThreadID{-1, -1, -1}
		for range 500 {
			s.pass(clock.Duration(r.IntN(40)) * clock.Millisecond)
			th, cpu := ids[r.IntN(9)], r.IntN(3)
			switch t := s.fakeRoster.threads[th]; t.State {
			case sched.Waiting:
				if r.IntN(3) == 0 {
					s.event(trace.Queued, cpu, th)
				} else if running[cpu] < 0 {
					s.on(th, cpu)
					running[cpu] = th
				}
			case sched.Running:
				running[t.CPU] = -1
				s.off(th, []sched.Cause{sched.Preempted, sched.Blocked, sched.Yielded, sched.Moved}[r.IntN(4)])
			default:
				s.again(th, cpu)
			}
		}
		for i, victim := range names {
			var want, got clock.Duration
			for j := i; j < 9; j += 3 {
				want += l.Entry(ids[j]).Waited(s.now)
			}
			for _, culprit := range append([]string{stats.Nobody}, names...) {
				got += w.Wait(victim, culprit, s.now)
			}
			assert.Equal(t, want, got, "seed %d, %s", seed, victim)
		}
	}
}
