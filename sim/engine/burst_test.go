package engine_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
	"strandscope/sim/engine"
	"strandscope/sim/machine"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
	"strandscope/sim/workload"
)

func TestANeighbourOnThePipelineSlowsABurstByTheRateAndRetimesIt(t *testing.T) {
	w := boot(t, &fifo{}, on(oneCore(4)))
	// Alone until 50; then two at 80 %: b needs 50 ms for its 40 and a does 40
	// of its remaining 50; then a alone for 10.
	w.thread("a", does(run(100)), bound(0))
	w.thread("b", does(run(40)), bound(1), starting(50))
	w.to(200)
	assert.Equal(t, []string{"b exited at 100.000", "a exited at 110.000"}, w.offs())
}

func TestASleepingNeighbourGivesTheSpeedBack(t *testing.T) {
	w := boot(t, &fifo{}, on(oneCore(4)))
	a := w.thread("a", does(run(100)), bound(0))
	w.thread("b", does(run(8), sleep(20), run(8)), bound(3))
	w.to(5)
	assert.Equal(t, machine.Permille(800), w.Speed(w.CPUs()[0]))
	assert.Equal(t, 4*ms, w.Work(a), "work shows before the burst is over")
	w.to(15)
	assert.Equal(t, machine.Permille(1000), w.Speed(w.CPUs()[0]))
	w.to(200)
	assert.Equal(t, []string{
		"b blocked at 10.000", // both at 80 %: a has done 8
		"b exited at 40.000",  // a has done 28 at 30, 36 at 40
		"a exited at 104.000", // and 64 alone
	}, w.offs())
}

func TestFourBusyStrandsRunAtTheRateOfFour(t *testing.T) {
	w := boot(t, &fifo{}, on(shared(2, 4)))
	for c := range 4 {
		w.thread("x", does(run(49)), bound(c))
	}
	w.thread("alone", does(run(49)), bound(4))
	w.to(200)
	assert.Equal(t, []string{
		"alone exited at 49.000", "x exited at 100.000", "x exited at 100.000", "x exited at 100.000", "x exited at 100.000",
	}, w.offs(), "another pipeline is not slowed")
}

func TestAPreemptedBurstGoesOnWhereItStopped(t *testing.T) {
	w := boot(t, &fifo{quantum: 30 * ms}, on(grid(1)))
	w.thread("a", does(run(50)))
	w.thread("b", does(run(50)))
	w.to(200)
	assert.Equal(t, []string{
		"a preempted at 30.000", "b preempted at 60.000", "a exited at 80.000", "b exited at 100.000",
	}, w.offs())
}

// A reference for one pipeline: how far each of its bound bursts is, computed
// from scratch between any two times at which one begins or ends.
func TestSharedPipelinesDoExactlyTheWorkThatTheirRatesAllow(t *testing.T) {
	rates := []int64{0, 1000, 800, 630, 490}
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 77))
		w := boot(t, &fifo{}, on(oneCore(4)))
		type burst struct {
			from, done clock.Time
			left       int64 // ns·‰
		}
		var bursts [4]burst
		for c := range bursts {
			b := burst{from: clock.Time(r.IntN(40_000_000)), left: (1 + r.Int64N(50_000_000)) * 1000}
			bursts[c] = b
			th, err := w.Create(engine.Spec{
				Name: string(rune('a' + c)), Bound: c,
				Prog: does(workload.Instr{Op: workload.Run, D: clock.Duration(b.left / 1000)}),
			})
			require.NoError(t, err)
			w.StartAt(th, b.from)
		}
		w.to(500)
		for now, open := clock.Time(0), 4; open > 0; {
			busy, next := 0, clock.Never
			for i := range bursts {
				if b := &bursts[i]; b.left > 0 && b.from <= now {
					busy++
				}
			}
			for i := range bursts {
				switch b := &bursts[i]; {
				case b.left <= 0:
				case b.from > now:
					next = min(next, b.from)
				default:
					next = min(next, now+clock.Time((b.left+rates[busy]-1)/rates[busy]))
				}
			}
			for i := range bursts {
				if b := &bursts[i]; b.left > 0 && b.from <= now {
					if b.left -= int64(next-now) * rates[busy]; b.left <= 0 {
						b.done = next
						open--
					}
				}
			}
			now = next
		}
		for _, e := range w.events {
			if e.Kind == trace.Off {
				require.Equal(t, bursts[e.CPU].done, e.At, "seed %d, CPU %d", seed, e.CPU)
			}
		}
		for i, th := range w.Threads() {
			require.Equal(t, sched.Gone, th.State, "seed %d, CPU %d", seed, i)
		}
	}
}

func TestChargedWorkDelaysABurstByExactlyItsTime(t *testing.T) {
	for _, x := range []engine.Timing{engine.Clock, engine.Local, engine.Precise} {
		p := &fifo{}
		w := boot(t, p, timing(x))
		a := w.thread("a", does(run(25)), bound(0))
		b := w.thread("b", does(run(25)), bound(1))
		w.to(5)
		p.k.Charge(w.CPUs()[0], 3*ms)
		p.k.Charge(w.CPUs()[0], 0)
		p.k.Charge(w.CPUs()[0], -7*ms)
		w.to(7)
		assert.Equal(t, 5*ms, w.Work(a), "it stands still")
		p.k.Charge(w.CPUs()[0], 2*ms) // before the first is over: they add up
		assert.Equal(t, 7*ms, w.Work(b))
		w.to(100)
		assert.Equal(t, []string{"b exited at 25.000", "a exited at 30.000"}, w.offs(), "%v", x)
		assert.Equal(t, 25*ms, w.Work(a), "the work is the same")
	}
}

func TestChargingInTheInstantInWhichABurstEndsDelaysWhatFollows(t *testing.T) {
	p := &fifo{}
	p.boot = func(p *fifo) error {
		return p.k.Every(20*ms, 1000*ms, "", nil, job(func() { p.k.Charge(p.k.Here(), 4*ms) }))
	}
	w := boot(t, p, timing(engine.Clock))
	w.thread("a", does(run(20), run(10)), bound(0))
	w.to(100)
	assert.Equal(t, []string{"a exited at 34.000"}, w.offs())
}

func TestChargesAndSharedPipelinesGoTogether(t *testing.T) {
	p := &fifo{}
	w := boot(t, p, on(oneCore(2)))
	w.thread("a", does(run(20)), bound(0))
	w.to(10)
	p.k.Charge(w.CPUs()[0], 6*ms) // until 16
	w.thread("b", does(run(40)), bound(1), starting(12))
	w.to(100)
	// From 16 on a has 10 left at 80 %: 12.5 ms. b: 16.5 ms at 80 % are 13.2.
	assert.Equal(t, []string{"a exited at 28.500", "b exited at 55.300"}, w.offs())
}

// A policy whose picks cost time, as 250 goodness calls do on Linux 2.2.
func TestWhatAPickCostsIsPaidByTheThreadThatWasPicked(t *testing.T) {
	p := &fifo{quantum: 10 * ms}
	w := boot(t, p, on(grid(1)))
	p.onPick = func(c *sched.CPU) { p.k.Charge(c, ms) } // not yet for the look at boot
	w.thread("a", does(run(15)))
	w.thread("b", does(run(15)))
	w.to(100)
	// Each slice of 10 ms begins with 1 ms of choosing: 9, 9, 6, 6 ms of work.
	assert.Equal(t, []string{
		"a preempted at 10.000", "b preempted at 20.000", "a exited at 27.000", "b exited at 34.000",
	}, w.offs())
}

func TestWorkChargedToAnIdleCPUIsOverWhenItsTimeIsOver(t *testing.T) {
	p := &fifo{}
	w := boot(t, p)
	p.k.Charge(w.CPUs()[0], 8*ms)
	p.k.Charge(w.CPUs()[1], 8*ms)
	w.thread("soon", does(run(10)), bound(0), starting(3))
	w.thread("later", does(run(10)), bound(1), starting(30))
	w.to(100)
	assert.Equal(t, []string{"soon exited at 18.000", "later exited at 40.000"}, w.offs())
}

func TestASliceIsDroppedAtTheNextSwitch(t *testing.T) {
	p := &fifo{}
	w := boot(t, p, on(grid(1)))
	w.thread("a", does(run(10), sleep(100)))
	w.thread("b", does(run(100)))
	w.to(1)
	p.k.Slice(w.CPUs()[0], 30*ms) // for a, which sleeps from 10 on
	w.to(50)
	assert.NotContains(t, p.log, "31: expire on cpu0, here cpu0")
	p.k.Slice(w.CPUs()[0], 30*ms)
	w.to(60)
	p.k.Slice(w.CPUs()[0], 5*ms) // a new one takes the place of the old one
	w.to(100)
	var expired []string
	for _, line := range p.log {
		if line[3:] == " expire on cpu0, here cpu0" {
			expired = append(expired, line)
		}
	}
	assert.Equal(t, []string{"65: expire on cpu0, here cpu0"}, expired)
}

func TestASliceOutlivesBeingPickedAgain(t *testing.T) {
	p := &fifo{quantum: 10 * ms}
	w := boot(t, p, on(grid(1)))
	w.thread("alone", does(run(35)))
	w.to(100)
	assert.Equal(t, []string{"alone exited at 35.000"}, w.offs(), "it is preempted and picked again")
	n := 0
	for _, e := range w.events {
		if e.Kind == trace.Preempt {
			n++
		}
	}
	assert.Equal(t, 3, n)
}

// Local timing asks, at each tick, whether the burst on the CPU is over. A CPU
// that lost its thread in mid-burst must not remember the burst's end.
func TestABurstLeavesNothingBehindWhenItsThreadIsTakenAway(t *testing.T) {
	p := &fifo{}
	w := boot(t, p, timing(engine.Local))
	a := w.thread("a", does(run(20)))
	w.to(5)
	p.choose = func(*sched.CPU) *sched.Thread { return nil } // and keeps it
	p.k.Kick(w.CPUs()[0])
	require.NoError(t, w.Set(a, &sched.Params{}))
	require.Equal(t, sched.Waiting, a.State)
	assert.NotPanics(t, func() { w.to(50) })
	assert.Equal(t, 5*ms, w.Work(a))
}

// In thousandths of a nanosecond 107 days do not fit 64 bits.
func TestWorkIsCountedForMonths(t *testing.T) {
	if testing.Short() {
		t.Skip("lets 110 days pass")
	}
	e, err := engine.New(engine.Config{Machine: grid(2), Policy: &fifo{}, HZ: 1})
	require.NoError(t, err)
	spin, err := e.Create(engine.Spec{Name: "spin", Bound: 0})
	require.NoError(t, err)
	long, err := e.Create(engine.Spec{
		Name: "long", Bound: 1, Prog: loops(3, workload.Instr{Op: workload.Run, D: workload.MaxRun}),
	})
	require.NoError(t, err)
	require.NoError(t, e.Start(spin))
	require.NoError(t, e.Start(long))
	const days = 110 * 24 * clock.Hour
	require.NoError(t, e.AdvanceTo(clock.Time(days)))
	assert.Equal(t, days, e.Work(spin))
	assert.Equal(t, days, e.Work(long))
	assert.Equal(t, sched.Running, long.State)
}
