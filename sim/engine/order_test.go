package engine_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
	"strandscope/sim/engine"
	"strandscope/sim/sched"
	"strandscope/sim/workload"
)

// oneInstant lets everything happen at 20 ms, with the clock on CPU 1: ticks of
// both CPUs, the end of d's burst on CPU 0, two wake-ups, a timer, a slice on
// CPU 1 and a start. It returns how the policy was called then.
func oneInstant(t *testing.T, x engine.Timing) []string {
	p := &fifo{ticks: true}
	p.boot = func(p *fifo) error {
		return p.k.Every(20*ms, 1000*ms, "", nil, job(func() { p.note("timer on cpu%d", p.k.Here().ID) }))
	}
	w := boot(t, p, timing(x), clockCPU(1), onTicks)
	w.thread("a", does(sleep(20), run(5)))
	w.thread("b", does(sleep(20), run(5)))
	w.to(0)
	w.thread("d", does(run(20)))
	w.thread("e", workload.Forever)
	w.to(0)
	w.thread("late", does(run(5)), starting(20))
	w.to(10)
	p.k.Slice(w.CPUs()[1], 10*ms)
	p.log = nil
	w.to(20)
	return p.log
}

func TestClockTimingRunsAllEventsOfAnInstantBeforeAnyCPU(t *testing.T) {
	assert.Equal(t, []string{
		"20: tick of cpu0 on cpu1",
		"20: tick of cpu1 on cpu1",
		"20: timer on cpu1",
		"20: woken a on cpu1",
		"20: woken b on cpu1",
		"20: expire on cpu1, here cpu1",
		"20: exited d on cpu0", // now CPUs are served, by id
		"20: preempted e on cpu1",
		"20: forked late on cpu1", // each start is settled alone
	}, oneInstant(t, engine.Clock))
}

func TestLocalTimingServesCPUsAfterEachInterrupt(t *testing.T) {
	assert.Equal(t, []string{
		"20: timer on cpu1",
		"20: woken a on cpu1",
		"20: woken b on cpu1",
		"20: tick of cpu0 on cpu0",
		"20: exited d on cpu0",
		"20: tick of cpu1 on cpu1",
		"20: expire on cpu1, here cpu1",
		"20: preempted e on cpu1",
		"20: forked late on cpu1",
	}, oneInstant(t, engine.Local))
}

func TestPreciseTimingServesCPUsAfterEachEvent(t *testing.T) {
	assert.Equal(t, []string{
		"20: tick of cpu0 on cpu1",
		"20: tick of cpu1 on cpu1",
		"20: exited d on cpu0",
		"20: timer on cpu1",
		"20: woken a on cpu1", // takes CPU 0
		"20: woken b on cpu1", // and the interrupt is still on CPU 1
		"20: expire on cpu1, here cpu1",
		"20: preempted e on cpu1",
		"20: forked late on cpu1",
	}, oneInstant(t, engine.Precise))
}

// Under Local timing the interrupted CPU settles before those that it kicked:
// shared/reference/linux22/README.md, "settle CPU 0, then drain".
func TestCPUsAreServedByIDInClockTimingAndInOrderOfKicksElsewhere(t *testing.T) {
	for x, want := range map[engine.Timing]string{
		engine.Clock: "cpu0 cpu1 cpu2", engine.Local: "cpu0 cpu2 cpu1", engine.Precise: "cpu2 cpu0 cpu1",
	} {
		var order []string
		p := &fifo{}
		w := boot(t, p, timing(x), on(grid(3)))
		p.onPick = func(c *sched.CPU) { order = append(order, "cpu"+string(rune('0'+c.ID))) }
		for _, name := range []string{"a", "b", "c"} {
			w.thread(name, workload.Forever)
		}
		w.to(5)
		order = nil
		p.onTick = func(c *sched.CPU) {
			if c.ID == 0 {
				for _, id := range []int{2, 0, 1, 2} {
					p.k.Kick(w.CPUs()[id])
				}
			}
		}
		w.to(10)
		assert.Equal(t, want, strings.Join(order, " "), "%v", x)
	}
}

func TestThreadsThatStartAtOneTimeDoSoByIDEachFullySettled(t *testing.T) {
	for _, x := range []engine.Timing{engine.Clock, engine.Local, engine.Precise} {
		var order []string
		p := &fifo{}
		p.onPick = func(*sched.CPU) { order = append(order, "pick") }
		w := boot(t, p, timing(x), on(grid(3)))
		order = nil
		names := []string{"c", "b", "a"}
		for _, n := range names {
			w.thread(n, workload.Forever, starting(7))
		}
		w.to(6)
		assert.Empty(t, p.log, "nobody starts early")
		w.to(7)
		assert.Equal(t, []string{"7: forked c on cpu0", "7: forked b on cpu0", "7: forked a on cpu0"}, p.log, "%v", x)
		assert.Len(t, order, 3)
		for i := range names {
			assert.Equal(t, i, w.Threads()[i].CPU, "each found the CPU that was free then")
		}
	}
}

// crowd is a workload in which much happens at odd times.
func crowd(t *testing.T, x engine.Timing, p sched.Policy) *world {
	w := boot(t, p, timing(x), on(shared(2, 4)))
	r := rand.New(rand.NewPCG(11, 12))
	odd := func(n int) clock.Duration { return clock.Duration(1 + r.IntN(n*int(ms))) }
	for range 20 {
		w.thread("x", loops(-1,
			workload.Instr{Op: workload.Run, D: odd(30)},
			workload.Instr{Op: workload.Sleep, D: odd(30)},
			workload.Instr{Op: workload.Run, D: odd(5)},
			yield,
		), starting(r.IntN(50)))
	}
	return w
}

func TestHoweverTimeIsCutTheSameEventsHappen(t *testing.T) {
	policies := map[string]func() sched.Policy{
		"fifo":        func() sched.Policy { return &fifo{} },
		"round robin": func() sched.Policy { return &fifo{quantum: 7*ms + 3} },
		"full":        func() sched.Policy { return &full{fifo: fifo{quantum: 11 * ms}} },
	}
	for name, policy := range policies {
		for _, x := range []engine.Timing{engine.Clock, engine.Local, engine.Precise} {
			whole := crowd(t, x, policy())
			whole.to(2000)
			require.Greater(t, len(whole.events), 5000)

			pieces := crowd(t, x, policy())
			r := rand.New(rand.NewPCG(1, 2))
			for pieces.Now() < at(2000) {
				next := min(at(2000), pieces.Now().Add(clock.Duration(r.IntN(int(3*ms)))))
				require.NoError(t, pieces.AdvanceTo(next))
				require.Equal(t, next, pieces.Now())
			}
			assert.Equal(t, whole.digest.Sum(), pieces.digest.Sum(), "%s, %v, in pieces", name, x)

			some := crowd(t, x, policy())
			for there := false; !there; {
				var err error
				there, err = some.AdvanceSome(at(2000), int64(1+r.IntN(40)))
				require.NoError(t, err)
			}
			assert.Equal(t, whole.events, some.events, "%s, %v, some events at a time", name, x)
			assert.Equal(t, at(2000), some.Now())
			assert.Equal(t, int64(len(some.events)), some.Events())
		}
	}
}

func TestAdvancingToAPastTimeDoesNothing(t *testing.T) {
	w := boot(t, &fifo{})
	w.to(50)
	w.to(20)
	assert.Equal(t, at(50), w.Now())
}

func TestSecondsBeginBeforeAnythingElseOfTheirTick(t *testing.T) {
	w := boot(t, &fifo{}, timing(engine.Clock))
	w.thread("x", loops(-1, run(10), sleep(10)))
	w.to(3000)
	seen := map[clock.Time]bool{}
	n := 0
	for _, e := range w.events {
		if e.Kind.String() == "second" {
			n++
			assert.Equal(t, clock.Time(n)*clock.Time(clock.Second), e.At)
			assert.False(t, seen[e.At], "an event came before")
		}
		seen[e.At] = true
	}
	assert.Equal(t, 3, n)
}

// A burst that ends and is followed by another emits no event, so a slice must
// not be measured by events alone.
func TestASliceOfAdvancingIsBoundedEvenWhereNoEventsAreEmitted(t *testing.T) {
	w := boot(t, &fifo{})
	w.thread("x", loops(-1, workload.Instr{Op: workload.Run, D: clock.Microsecond}))
	w.to(0)
	there, err := w.AdvanceSome(at(10_000), 1000)
	require.NoError(t, err)
	assert.False(t, there)
	assert.Less(t, w.Now(), at(2), "a thousand bursts of a microsecond")
}
