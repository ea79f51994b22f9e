package engine_test

import (
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

// knowing is a queue that looks into the future.
type knowing struct {
	fifo
	oracle sched.Oracle
	grain  clock.Duration
	pace   machine.Permille
	ends   []clock.Time // when a slice was told to be over
}

func (p *knowing) Foresee(o sched.Oracle)              { p.oracle = o }
func (p *knowing) Grain() clock.Duration               { return p.grain }
func (p *knowing) Pace(*sched.CPU) machine.Permille    { return p.pace }
func (p *knowing) Expire(c *sched.CPU)                 { p.ends = append(p.ends, p.k.Now()); p.fifo.Expire(c) }
func (p *knowing) left(t *sched.Thread) clock.Duration { return p.oracle.Left(t) }

func unison(t *testing.T, p *knowing) *world {
	t.Helper()
	if p.pace == 0 {
		p.pace = 1000
	}
	return boot(t, p, timing(engine.Unison), func(c *engine.Config) { c.Machine = grid(1) })
}

func TestInUnisonWhoArrivesAsAnotherEndsIsKnownToTheChoice(t *testing.T) {
	for _, x := range []engine.Timing{engine.Precise, engine.Unison} {
		w := boot(t, &knowing{pace: 1000}, timing(x), func(c *engine.Config) { c.Machine = grid(1) })
		w.thread("first", does(run(10)))
		late, err := w.Create(engine.Spec{Name: "late", Bound: sched.NoCPU, Prog: does(run(5))})
		require.NoError(t, err)
		w.StartAt(late, at(10))
		w.to(30)
		idle := 0
		for _, e := range w.events {
			if e.Kind == trace.Idle && e.At == at(10) {
				idle++
			}
		}
		assert.Equal(t, x == engine.Precise, idle > 0, "%v: the CPU went idle for no time", x)
	}
}

func TestInUnisonASliceThatEndsWithItsBurstIsNotTold(t *testing.T) {
	p := &knowing{fifo: fifo{quantum: 10 * ms}}
	w := unison(t, p)
	w.thread("x", does(run(20), sleep(5), run(10)))
	w.to(100)
	assert.Equal(t, []clock.Time{at(10)}, p.ends, "not at 20 and 35")
}

func TestTheOracleKnowsWhatIsLeftAndWhatComesNext(t *testing.T) {
	p := &knowing{}
	w := unison(t, p)
	x := w.thread("x", does(run(20), sleep(5), run(10)))
	assert.Equal(t, 20*ms, p.left(x))
	w.to(8)
	assert.Equal(t, 12*ms, p.left(x))
	w.to(22)
	assert.Equal(t, 10*ms, p.left(x), "it sleeps, and then begins the next")
	w.to(50)
	assert.Zero(t, p.left(x))
}

func TestABurstTakesWholeGrains(t *testing.T) {
	p := &knowing{grain: 10 * ms}
	w := unison(t, p)
	x := w.thread("x", does(run(12)))
	w.to(19)
	assert.Equal(t, sched.Running, x.State)
	assert.Equal(t, 12*ms, w.Work(x), "the rest of the grain is wasted")
	w.to(20)
	assert.Equal(t, sched.Gone, x.State)
}

func TestAPolicysPaceIsTheSpeedOfAWarmCache(t *testing.T) {
	p := &knowing{pace: 4000}
	w := unison(t, p)
	x := w.thread("x", does(run(12)))
	w.to(2)
	assert.Equal(t, 8*ms, w.Work(x))
	w.to(3)
	assert.Equal(t, sched.Gone, x.State)
}

func TestAPeriodicThreadKeepsItsReleases(t *testing.T) {
	w := unison(t, &knowing{})
	period := workload.Instr{Op: workload.Timer, D: 10 * ms}
	w.thread("x", does(run(4), period, run(4), period, run(4), period, run(25), period, run(1), period, run(1)))
	w.to(100)
	var on []clock.Time
	for _, e := range w.events {
		if e.Kind == trace.Woke && e.Cause == sched.Woken {
			on = append(on, e.At)
		}
	}
	assert.Equal(t, []clock.Time{at(10), at(20), at(30)}, on, "then it is late, and goes on without a sleep")
}
