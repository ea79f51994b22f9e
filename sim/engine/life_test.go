package engine_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
	"strandscope/sim/engine"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
	"strandscope/sim/workload"
)

func TestAThreadRunsSleepsAndExits(t *testing.T) {
	p := &fifo{}
	w := boot(t, p)
	a := w.thread("a", does(run(10), sleep(5), run(3)), starting(2))
	assert.Equal(t, sched.Embryo, a.State)
	assert.Negative(t, a.LeftCPU, "it has never run")
	w.to(14)
	assert.Equal(t, sched.Sleeping, a.State)
	assert.Equal(t, at(12), a.LeftCPU)
	w.to(18)
	assert.Equal(t, sched.Running, a.State)
	assert.Equal(t, a, w.CPUs()[0].Thread)
	w.to(50)
	assert.Equal(t, sched.Gone, a.State)
	assert.True(t, w.CPUs()[0].Idle())
	assert.Equal(t, []string{"2: forked a on cpu0", "12: blocked a on cpu0", "17: woken a on cpu0", "20: exited a on cpu0"}, p.log)
	assert.Equal(t, 13*ms, w.Work(a))
}

func TestAProgramOfNothingExitsAtOnce(t *testing.T) {
	w := boot(t, &fifo{})
	a := w.thread("a", does())
	b := w.thread("b", does(workload.Instr{Op: workload.Exit}, run(5)))
	w.to(0)
	assert.Equal(t, sched.Gone, a.State)
	assert.Equal(t, sched.Gone, b.State)
}

func TestWithoutAProgramAThreadSpins(t *testing.T) {
	w := boot(t, &fifo{})
	a := w.thread("a", nil)
	w.to(500)
	assert.Equal(t, 500*ms, w.Work(a))
}

func TestALoopIsRunAsOftenAsItSays(t *testing.T) {
	w := boot(t, &fifo{}, on(grid(1)))
	a := w.thread("a", loops(3, run(4), sleep(1)))
	w.to(50)
	assert.Equal(t, []string{"a blocked at 4.000", "a blocked at 9.000", "a blocked at 14.000", "a exited at 15.000"}, w.offs())
	assert.Equal(t, sched.Gone, a.State)
}

func TestSleepsEndWhenTheTimingSays(t *testing.T) {
	for _, c := range []struct {
		name   string
		opts   []config
		runs   clock.Duration
		sleeps clock.Duration
		wakes  clock.Time
	}{
		{"exactly", nil, 3 * ms, 4 * ms, at(7)},
		{"never earlier than the next nanosecond", nil, 3 * ms, 0, at(3) + 1},
		{"on the first tick that is not too early", []config{onTicks}, 3 * ms, 4 * ms, at(10)},
		{"on a tick that is just in time", []config{onTicks}, 3 * ms, 7 * ms, at(10)},
		{"a nanosecond later is a tick later", []config{onTicks}, 3 * ms, 7*ms + 1, at(20)},
		{"a sleep of nothing ends at the next tick", []config{onTicks}, 3 * ms, 0, at(10)},
		{"and never at once", []config{onTicks}, 10 * ms, 0, at(20)},
	} {
		w := boot(t, &fifo{}, c.opts...)
		w.thread("a", does(
			workload.Instr{Op: workload.Run, D: c.runs}, workload.Instr{Op: workload.Sleep, D: c.sleeps}, run(1),
		))
		w.to(100)
		var woke []clock.Time
		for _, e := range w.events {
			if e.Kind == trace.Woke && e.Cause == sched.Woken {
				woke = append(woke, e.At)
			}
		}
		assert.Equal(t, []clock.Time{c.wakes}, woke, c.name)
	}
}

func TestYieldingLetsOthersRun(t *testing.T) {
	p := &fifo{}
	w := boot(t, p, on(grid(1)))
	w.thread("a", does(run(5), yield, run(5)))
	w.thread("b", does(run(7), yield, run(1)))
	w.to(50)
	assert.Equal(t, []string{"a yielded at 5.000", "b yielded at 12.000", "a exited at 17.000", "b exited at 18.000"}, w.offs())
	assert.Contains(t, p.log, "5: yielded a on cpu0")
}

func TestWhoYieldsAloneIsPickedAgainWithoutASwitch(t *testing.T) {
	w := boot(t, &fifo{}, on(grid(1)))
	w.thread("a", does(run(5), yield, run(5)))
	w.to(50)
	assert.Equal(t, []string{"a exited at 10.000"}, w.offs())
}

func TestAForkedChildRunsItsOwnProgram(t *testing.T) {
	p := &fifo{}
	w := boot(t, p)
	a := w.thread("a", does(run(3), fork(does(run(9))), run(4)), func(s *spec) { s.PID, s.Group = 100, 7 })
	w.to(50)
	require.Len(t, w.Threads(), 2)
	child := w.Threads()[1]
	assert.Equal(t, a.ID, child.Parent)
	assert.Equal(t, "a", child.Name)
	assert.Equal(t, int32(101), child.PID)
	assert.Equal(t, sched.GroupID(7), child.Group)
	assert.Equal(t, []string{"a exited at 7.000", "a exited at 12.000"}, w.offs(), "both go on at once, on two CPUs")
	assert.Equal(t, 9*ms, w.Work(child))
	for _, e := range w.events {
		if e.Kind == trace.Created && e.Thread == child.ID {
			assert.Equal(t, a.ID, e.Other)
			assert.Equal(t, sched.Forked, e.Cause)
		}
	}
}

func TestSetAndBindingAreInheritedByFork(t *testing.T) {
	w := boot(t, &fifo{}, on(grid(4)), sets(engine.Set{ID: 2, CPUs: []int{1, 3}}))
	w.thread("a", does(fork(workload.Forever), run(4)), inSet(2))
	w.thread("b", does(fork(workload.Forever), run(4)), bound(2))
	w.to(50)
	require.Len(t, w.Threads(), 4)
	assert.Equal(t, 2, w.Threads()[2].Set)
	assert.Equal(t, sched.NoCPU, w.Threads()[2].Bound)
	assert.Equal(t, 2, w.Threads()[3].Bound)
}

func TestAParentThatGivesWayIsQueuedAfterItsChild(t *testing.T) {
	p := &fifo{fork: true}
	w := boot(t, p, on(grid(1)))
	w.thread("a", does(run(3), fork(does(run(9))), run(4)))
	w.to(50)
	assert.Equal(t, []string{
		"0: forked a on cpu0", "3: forked a on cpu0", "3: gave way a on cpu0", "12: exited a on cpu0", "16: exited a on cpu0",
	}, p.log)
	assert.Equal(t, []string{"a gave way at 3.000", "a exited at 12.000", "a exited at 16.000"}, w.offs())
}

func TestGivingWayWithoutAForkMeansNothing(t *testing.T) {
	p := &fifo{}
	w := boot(t, p, on(grid(1)))
	a := w.thread("a", does(run(3), fork(does(run(2))), run(5)))
	w.to(1)
	p.k.GiveWay(w.CPUs()[0])
	w.to(4)
	assert.Equal(t, sched.Running, a.State, "the fork at 3 did not see what was asked for at 1")
}

func TestForkFromOutsideNeedsARunningParent(t *testing.T) {
	w := boot(t, &fifo{}, on(grid(1)))
	a := w.thread("a", does(run(20)))
	b := w.thread("b", workload.Forever)
	_, err := w.Fork(a, "x", nil)
	require.EqualError(t, err, "engine: thread 0 (a) is new and cannot fork")
	w.to(5)
	_, err = w.Fork(b, "x", nil)
	require.EqualError(t, err, "engine: thread 1 (b) is waiting and cannot fork")
	child, err := w.Fork(a, "child", does(run(2)))
	require.NoError(t, err)
	assert.Equal(t, "child", child.Name)
	assert.Equal(t, sched.Waiting, child.State)
	w.to(20)
	assert.Equal(t, []string{"a exited at 20.000"}, w.offs(), "the parent's burst goes on")
}

func TestAThreadIsStartedOnceAndNotInThePast(t *testing.T) {
	w := boot(t, &fifo{})
	w.to(30)
	a := w.thread("a", does(run(5)), starting(10))
	w.StartAt(a, at(40))
	w.to(31)
	assert.Equal(t, sched.Running, a.State, "a time that is over means now")
	require.EqualError(t, w.Start(a), "engine: thread 0 (a) is running and was started before")
	w.to(100)
	assert.Equal(t, []string{"a exited at 35.000"}, w.offs())
	require.EqualError(t, w.Start(a), "engine: thread 0 (a) is exited and was started before")
	b, err := w.Create(engine.Spec{Name: "b", Bound: sched.NoCPU})
	require.NoError(t, err)
	require.NoError(t, w.Start(b))
	assert.Equal(t, sched.Running, b.State)
}

func TestSetReachesThePolicyAndItsRefusalTheCaller(t *testing.T) {
	p := &fifo{}
	w := boot(t, p)
	a := w.thread("a", nil)
	w.to(5)
	require.NoError(t, w.Set(a, &sched.Params{Nice: 3}))
	assert.Contains(t, p.log, "5: set a to 3")
	require.EqualError(t, w.Set(a, &sched.Params{Nice: 33}), "nice 33")
	w.to(10)
	assert.Equal(t, 10*ms, w.Work(a))
}

func TestAKernelThreadWorksOffWhatIsDueAndSleepsAgain(t *testing.T) {
	p := &fifo{}
	n := 0
	p.boot = func(p *fifo) error {
		return p.k.Every(10*ms, 20*ms, "daemon", &sched.Params{}, job(func() {
			n++
			p.note("work on cpu%d", p.k.Here().ID)
		}))
	}
	w := boot(t, p)
	d := w.Threads()[0]
	assert.True(t, d.Kernel)
	assert.Equal(t, "daemon", d.Name)
	assert.Equal(t, sched.Sleeping, d.State)
	w.thread("a", nil)
	w.to(60)
	assert.Equal(t, 3, n)
	assert.Equal(t, []string{
		"0: forked a on cpu0",
		"10: woken daemon on cpu0", "10: work on cpu1", "10: blocked daemon on cpu1",
		"30: woken daemon on cpu0", "30: work on cpu1", "30: blocked daemon on cpu1",
		"50: woken daemon on cpu0", "50: work on cpu1", "50: blocked daemon on cpu1",
	}, p.log)
	assert.Zero(t, w.Work(d), "it takes no time")
	require.Error(t, w.Start(d), "and is not for starting")
}

func TestAKernelThreadThatWaitsWorksOffEverythingAtOnce(t *testing.T) {
	p := &fifo{}
	n := 0
	p.boot = func(p *fifo) error {
		return p.k.Every(10*ms, 10*ms, "daemon", &sched.Params{}, job(func() { n++ }))
	}
	w := boot(t, p, on(grid(1)))
	w.thread("a", does(run(35)))
	w.to(34)
	assert.Zero(t, n, "the only CPU is taken")
	w.to(35)
	assert.Equal(t, 3, n)
}

func TestTimersNeedAPeriod(t *testing.T) {
	for _, c := range [][2]clock.Duration{{0, 1}, {1, 0}, {-1, 1}, {1, -1}} {
		p := &fifo{boot: func(p *fifo) error { return p.k.Every(c[0], c[1], "x", nil, job(func() {})) }}
		_, err := engine.New(engine.Config{Machine: grid(1), Policy: p, HZ: 100})
		require.EqualError(t, err, `engine: timer "x": periods must be positive`)
	}
	broken := errors.New("not today")
	_, err := engine.New(engine.Config{Machine: grid(1), Policy: &fifo{boot: func(*fifo) error { return broken }}, HZ: 100})
	require.ErrorIs(t, err, broken)
}

func TestReturnToUserComesBeforeAPreemptionIsTaken(t *testing.T) {
	p := &full{fifo: fifo{quantum: 10 * ms}}
	w := boot(t, p, on(grid(1)))
	w.thread("a", does(run(15)))
	w.thread("b", does(run(5)))
	w.to(50)
	assert.Equal(t, []string{
		"0: forked a on cpu0", "0: return a", // kernel exit of a fresh thread
		"0: forked b on cpu0",
		"10: expire on cpu0, here cpu0", "10: return a", "10: preempted a on cpu0", "10: return b",
		"15: exited b on cpu0", // a comes back from a preemption: no kernel exit
		"20: exited a on cpu0",
	}, p.log)
}

func TestPostMakesARunningThreadPassThroughReturnToUser(t *testing.T) {
	p := &full{}
	w := boot(t, p)
	a := w.thread("a", does(run(20)))
	w.to(5)
	p.k.Post(w.CPUs()[0])
	p.k.Post(w.CPUs()[1]) // idle: nothing to pass through
	require.NoError(t, w.Set(a, &sched.Params{}))
	assert.Equal(t, []string{"0: forked a on cpu0", "0: return a", "5: set a to 0", "5: return a"}, p.log)
	w.to(50)
	assert.Equal(t, []string{"a exited at 20.000"}, w.offs())
}

func TestTheIdleLoopRunsOnceWhenACPUGoesIdleAndWhenItIsKicked(t *testing.T) {
	p := &full{}
	w := boot(t, p, on(grid(1)))
	assert.Equal(t, 1, p.idles, "at boot")
	w.thread("a", does(run(5)))
	w.to(1)
	assert.Equal(t, 2, p.idles, "kicked for a")
	w.to(50)
	assert.Equal(t, 3, p.idles, "when a has gone")
	assert.True(t, w.CPUs()[0].Free())
}
