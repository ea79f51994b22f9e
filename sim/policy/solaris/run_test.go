package solaris_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
	"strandscope/sim/engine"
	"strandscope/sim/machine"
	"strandscope/sim/policy/solaris"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
	"strandscope/sim/workload"
)

// S-18: a spinner's levels and how long it stays on each, until the first
// once-a-second update lifts it.
func TestALoneSpinnerSinksLevelByLevel(t *testing.T) {
	l := newLab(t, grid(1), solaris.Options{})
	hog := l.start(1)[0]
	var levels []string
	last, since := l.pol.Show(hog).Level, 0
	for tick := 1; tick <= 150; tick++ {
		l.advance(10)
		if now := l.pol.Show(hog).Level; now != last || tick == 100 {
			levels = append(levels, fmt.Sprintf("%d for %d ms", last, 10*(tick-since)))
			last, since = now, tick
		}
	}
	assert.Equal(t, []string{
		"29 for 120 ms", "19 for 160 ms", "9 for 200 ms", "0 for 520 ms", // the update at 1 s
		"50 for 40 ms", "40 for 40 ms", "30 for 80 ms", "20 for 120 ms", "10 for 160 ms",
	}, levels)
	assert.Equal(t, 200, 10*l.pol.Show(hog).Quantum, "a quantum at level 0, in ms")
}

func TestAfterASleepTheSpinnerReturnsAt50(t *testing.T) {
	l := newLab(t, grid(1), solaris.Options{})
	hog := l.start(1, does(run(600), sleep(600), run(1000)))[0]
	l.advance(700)
	require.Equal(t, sched.Sleeping, hog.State)
	assert.Zero(t, l.pol.Priority(hog))
	l.advance(520)
	require.Equal(t, sched.Running, hog.State)
	assert.Equal(t, 50, l.pol.Priority(hog))
}

// FACTS §3.2: the parent pays for a fork.
func TestAProcessThatForksOftenSinks(t *testing.T) {
	l := newLab(t, grid(1), solaris.Options{})
	child := &workload.Program{Steps: []workload.Instr{run(1)}}
	parent := l.start(1, does(run(1), forked(child), run(1), forked(child), run(1), forked(child), run(500)))[0]
	l.advance(0)
	assert.Equal(t, 29, l.pol.Priority(parent))
	l.advance(20)
	assert.Equal(t, 0, l.pol.Priority(parent), "29, 19, 9, 0")
	assert.Equal(t, 29, l.pol.Priority(l.Threads()[2]), "the first child has its parent's level of then")
	assert.Equal(t, 9, l.pol.Priority(l.Threads()[4]))
}

// S-17.
func TestARealTimeSpinnerStarvesTimeSharingOnOneCPU(t *testing.T) {
	l := newLab(t, grid(1), solaris.Options{})
	ts := l.start(1)
	assert.Equal(t, []float64{1}, l.shares(2000, ts))
	rt := l.start(1, class("RT"))
	assert.Equal(t, []float64{0, 1}, l.shares(20_000, ts, rt), "from that instant on, the updates starve as well")
}

func TestARealTimeSpinnerCostsExactlyOneStrandOf32(t *testing.T) {
	l := newLab(t, t2000(), solaris.Options{})
	ts := l.start(32)
	assert.Equal(t, []float64{32}, l.shares(2000, ts))
	rt := l.start(1, class("RT"), level(30))
	assert.Equal(t, []float64{31, 1}, l.shares(10_000, ts, rt))
}

// S-12. FSS is only approximate (FACTS §5.7): its priorities have 59 steps, its
// quanta 110 ms, and each CPU picks from its own queue. The project of one share
// in a hundred gets 2.2 % of one CPU and up to 2.7 % of 32.
func TestSmallSharesDoNotCapALoneProjectAndCountWhenAnotherComes(t *testing.T) {
	for _, m := range []*machine.Machine{grid(1), t2000()} {
		projects := []solaris.Project{{ID: 1, Shares: 1}, {ID: 2, Shares: 99}}
		l := newLab(t, m, solaris.Options{DefaultClass: "FSS", Projects: projects})
		n := float64(len(m.CPUs))
		small := l.start(len(m.CPUs), project(1))
		assert.Equal(t, []float64{n}, l.shares(5000, small))
		large := l.start(len(m.CPUs), project(2))
		l.advance(20_000)
		got := l.shares(60_000, small, large)
		assert.InDelta(t, 0.01, got[0]/n, 0.02, "%v CPUs", n)
		assert.InDelta(t, 0.99, got[1]/n, 0.02, "%v CPUs", n)
		assert.InDelta(t, n, got[0]+got[1], 1e-9)
	}
}

// S-13: shares are a ratio, whatever their number.
func TestSharesAreARatio(t *testing.T) {
	for _, shares := range [][2]int{{512, 512}, {1, 1}, {65535, 65535}} {
		l := newLab(t, grid(2), solaris.Options{DefaultClass: "FSS", Projects: []solaris.Project{{ID: 1, Shares: shares[0]}, {ID: 2, Shares: shares[1]}}})
		a, b := l.start(2, project(1)), l.start(2, project(2))
		got := l.shares(60_000, a, b)
		assert.InDelta(t, 1, got[0], 0.05, "%v", shares)
		assert.InDelta(t, 1, got[1], 0.05, "%v", shares)
	}
	l := newLab(t, grid(1), solaris.Options{DefaultClass: "FSS", Projects: []solaris.Project{{ID: 1, Shares: 1}, {ID: 2, Shares: 3}}})
	a, b := l.start(1, project(1)), l.start(1, project(2))
	got := l.shares(100_000, a, b)
	assert.InDelta(t, 2.9, got[1]/got[0], 0.1, "FACTS §5.7")
}

func TestAProjectWithoutSharesRunsOnlyWhenNobodyElseWantsTo(t *testing.T) {
	l := newLab(t, grid(1), solaris.Options{DefaultClass: "FSS", Projects: []solaris.Project{{ID: 1, Shares: 0}, {ID: 2, Shares: 5}}})
	none := l.start(2, project(1))
	assert.Equal(t, []float64{1}, l.shares(3000, none))
	assert.Zero(t, l.pol.Priority(none[0]))
	some := l.start(1, project(2), does(run(1000), sleep(1000)))
	assert.Equal(t, []float64{0, 1}, l.shares(1000, none, some))
	assert.Equal(t, []float64{1, 0}, l.shares(500, none, some))
	l.advance(2500)
	assert.Equal(t, sched.Gone, some[0].State)
}

// Ratios recorded from the kernel's own code (FACTS §3.7, §4, §6).
func TestClassesShareACPUAsRecorded(t *testing.T) {
	for _, c := range []struct {
		name string
		opts [][]opt
		want []float64
	}{
		{"nice 0 against +19", [][]opt{{nice(0)}, {nice(19)}}, []float64{0.82, 0.18}},
		{"five nice values", [][]opt{{nice(-20)}, {nice(-10)}, {}, {nice(10)}, {nice(19)}}, []float64{0.83, 0.155, 0.016, 0, 0}},
		{"IA on, TS, IA off", [][]opt{{class("IA"), boost(10)}, {}, {class("IA"), boost(-10)}}, []float64{0.46, 0.28, 0.26}},
		{"FX at 0 against TS", [][]opt{{class("FX")}, {}}, []float64{0.30, 0.70}},
		{"FX at 30 against TS", [][]opt{{class("FX"), level(30)}, {}}, []float64{0.87, 0.13}},
		{"FX at 60 against TS", [][]opt{{class("FX"), level(60)}, {}}, []float64{1, 0}},
	} {
		l := newLab(t, grid(1), solaris.Options{})
		var groups [][]*sched.Thread
		for _, o := range c.opts {
			groups = append(groups, l.start(1, o...))
		}
		got := l.shares(10_000, groups...)
		for i := range c.want {
			assert.InDelta(t, c.want[i], got[i], 0.02, "%s: %v", c.name, got)
		}
	}
}

// FACTS §8.4.
func TestHogsSpreadOverTheCoresOfAT2000(t *testing.T) {
	for _, c := range []struct{ hogs, perCore int }{{8, 1}, {16, 2}, {24, 3}, {32, 4}} {
		for _, cl := range []string{"TS", "FSS"} {
			l := newLab(t, t2000(), solaris.Options{DefaultClass: cl})
			l.start(c.hogs)
			l.advance(1000)
			var perCore [8]int
			for _, id := range l.busy() {
				perCore[id/4]++
			}
			n := c.perCore
			assert.Equal(t, [8]int{n, n, n, n, n, n, n, n}, perCore, "%d hogs in %s", c.hogs, cl)
		}
	}
}

// FACTS §8.5.
func TestOnceRunning32HogsDoNotMove(t *testing.T) {
	l := newLab(t, t2000(), solaris.Options{})
	hogs := l.start(32)
	l.advance(2000)
	moves := func() (n int64) {
		for _, h := range hogs {
			n += l.ledger.Entry(h.ID).Moves
		}
		return n
	}
	before := moves()
	l.advance(30_000)
	assert.Equal(t, before, moves())
}

func TestACPUWithoutWorkStealsFromAnother(t *testing.T) {
	l := newLab(t, grid(2), solaris.Options{})
	short := l.start(1, does(run(500)))[0]
	others := l.start(2)
	for short.State != sched.Gone {
		l.advance(10)
		require.Equal(t, []int{0, 1}, l.busy())
	}
	require.Less(t, l.Now(), clock.Time(2*clock.Second))
	assert.Equal(t, []sched.State{sched.Running, sched.Running}, []sched.State{others[0].State, others[1].State},
		"who waited runs at once, wherever it waited")
}

func TestABoundThreadIsNotStolen(t *testing.T) {
	l := newLab(t, grid(2), solaris.Options{})
	bound := l.start(2, boundTo(1))
	assert.Equal(t, []float64{1}, l.shares(5000, bound), "two threads share one CPU, beside an idle one")
	assert.Equal(t, []int{1}, l.busy())
	free := l.start(1)
	assert.Equal(t, []float64{1, 1}, l.shares(5000, bound, free))
	assert.Equal(t, 0, free[0].CPU)
}

func TestAThiefLooksPastBoundThreads(t *testing.T) {
	l := newLab(t, grid(2), solaris.Options{})
	gone := l.start(1, boundTo(0), class("FX"), level(60), does(run(1000)))[0]
	l.start(1, boundTo(1), class("FX"), level(59))
	l.start(1, boundTo(1), class("FX"), level(50))
	unbound := l.start(1, class("FX"), level(40))[0]
	low := l.start(1, class("FX"), level(10))[0]
	l.advance(990)
	require.Equal(t, sched.Waiting, unbound.State)
	l.advance(10)
	require.Equal(t, sched.Gone, gone.State)
	assert.Equal(t, sched.Running, unbound.State, "CPU 0 takes the best one that may move")
	assert.Equal(t, sched.Waiting, low.State)
}

func TestAHaltedStrandIsWokenForWork(t *testing.T) {
	l := newLab(t, t2000(), solaris.Options{})
	l.advance(10_000) // every strand has long halted
	a := l.start(1)[0]
	assert.Equal(t, sched.Running, a.State)
	l.advance(7)
	b := l.start(1, boundTo(31))[0]
	assert.Equal(t, sched.Running, b.State)
	assert.Equal(t, 31, b.CPU)
	s := l.start(1, does(run(10), sleep(5000), run(10)))[0]
	l.advance(100)
	require.Equal(t, sched.Sleeping, s.State)
	l.advance(5000)
	assert.Equal(t, sched.Gone, s.State)
	assert.Zero(t, l.ledger.Entry(s.ID).Waited(l.Now()), "it ran in the instant in which it woke")
}

// preempts counts preemptions.
type preempts int

func (p *preempts) Observe(e *trace.Event) {
	if e.Kind == trace.Preempt {
		*p++
	}
}

func TestOnlyABetterThreadPreempts(t *testing.T) {
	l := newLab(t, grid(1), solaris.Options{})
	first := l.start(1, class("FX"), level(30))[0]
	l.advance(20)
	var asked preempts
	l.Observe(&asked)
	equal := l.start(1, class("FX"), level(30))[0]
	assert.Zero(t, asked, "an equal one does not even ask")
	assert.Equal(t, []sched.State{sched.Running, sched.Waiting}, []sched.State{first.State, equal.State})
	better := l.start(1, class("FX"), level(31))[0]
	assert.Equal(t, []sched.State{sched.Waiting, sched.Running}, []sched.State{first.State, better.State})
	var order []sched.ThreadID
	l.pol.Queues(func(_ sched.Queue, ids []sched.ThreadID) { order = append(order, ids...) })
	assert.Equal(t, []sched.ThreadID{first.ID, equal.ID}, order, "the preempted one is first in line")
}

func TestAProcessorSetIsAWall(t *testing.T) {
	l := newLab(t, t2000(), solaris.Options{}, engine.Set{ID: 1, CPUs: []int{4, 5, 9}})
	in, out := l.start(5, inSet(1)), l.start(40)
	l.advance(5000)
	for range 100 {
		l.advance(10)
		for _, th := range in {
			if th.State == sched.Running {
				assert.Contains(t, []int{4, 5, 9}, th.CPU)
			}
		}
		for _, th := range out {
			if th.State == sched.Running {
				assert.NotContains(t, []int{4, 5, 9}, th.CPU)
			}
		}
	}
	assert.Equal(t, []float64{3, 29}, l.shares(1000, in, out))
}

func TestARealTimeThreadTakesTheCPUThatRunsTheLeast(t *testing.T) {
	l := newLab(t, grid(4), solaris.Options{})
	for cpu, pri := range []int{40, 50, 20, 30} {
		l.start(1, class("FX"), level(pri), boundTo(cpu))
	}
	rt := l.start(2, class("RT"))
	assert.Equal(t, []int{2, 3}, []int{rt[0].CPU, rt[1].CPU})
	assert.Equal(t, []sched.State{sched.Running, sched.Running}, []sched.State{rt[0].State, rt[1].State})
}

func TestWaitingRealTimeThreadsAreInTheQueueOfTheSet(t *testing.T) {
	l := newLab(t, grid(2), solaris.Options{})
	l.start(2, class("RT"), level(20))
	waits := l.start(1, class("RT"), level(10))[0]
	l.advance(100)
	var seen []string
	l.pol.Queues(func(q sched.Queue, ids []sched.ThreadID) {
		seen = append(seen, fmt.Sprintf("%s of cpu %d, set %d, at %d: %v", q.Name, q.CPU, q.Set, q.Priority, ids))
	})
	assert.Equal(t, []string{fmt.Sprintf("kernel preemption of cpu -1, set 0, at 110: [%d]", waits.ID)}, seen)
}

func TestBadParametersAreRefusedByTheirClass(t *testing.T) {
	for _, c := range []struct {
		as   sched.Params
		want string
	}{
		{sched.Params{Class: "XX"}, `class "XX" is not loaded`},
		{sched.Params{Class: "TS", Nice: 21}, "TS user priority -63, want -60 to 60"},
		{sched.Params{Class: "FSS", Nice: -21}, "nice -21, want -20 to 19"},
		{sched.Params{Class: "FX", Priority: 61}, "FX user priority 61, want 0 to 60"},
		{sched.Params{Class: "FX", Priority: -1}, "FX user priority -1, want 0 to 60"},
		{sched.Params{Class: "RT", Priority: 60}, "RT priority 60, want 0 to 59"},
		{sched.Params{Class: "RT", Priority: -1}, "RT priority -1, want 0 to 59"},
		{sched.Params{Class: "RT", Quantum: -1}, "RT quantum -1 ticks, want 1 and more, or -2 for an infinite one"},
		{sched.Params{Class: "FX", Quantum: -3}, "FX quantum -3 ticks, want 1 and more, or -2 for an infinite one"},
	} {
		l := newLab(t, grid(1), solaris.Options{})
		_, err := l.Create(engine.Spec{Name: "x", Bound: sched.NoCPU, As: c.as})
		require.ErrorContains(t, err, c.want)
	}
	for want, o := range map[string]solaris.Options{
		`class "YY" is not loaded`:            {DefaultClass: "YY"},
		"FSS quantum 100 ticks, want 1 to 99": {FSSQuantum: 100},
		"FSS quantum -1 ticks, want 1 to 99":  {FSSQuantum: -1},
		"has 0 levels, want 60":               {Tables: solaris.Tables{TS: solaris.TSTable{}}},
	} {
		_, err := engine.New(engine.Config{Machine: grid(1), Policy: solaris.New(o), HZ: solaris.HZ})
		require.ErrorContains(t, err, want)
	}
}

func TestInfiniteQuantaNeverEnd(t *testing.T) {
	for _, cl := range []string{"RT", "FX"} {
		l := newLab(t, grid(1), solaris.Options{})
		quantum := func(s *engine.Spec) { s.As.Quantum = -2 }
		a, b := l.start(1, class(cl), quantum), l.start(1, class(cl), quantum)
		assert.Equal(t, []float64{1, 0}, l.shares(30_000, a, b), cl)
	}
}
