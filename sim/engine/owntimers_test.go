package engine_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"strandscope/sim/engine"
	"strandscope/sim/sched"
	"strandscope/sim/workload"
)

// balancing is a fifo that spreads work behind a tick and tells in what context a
// thread wakes.
type balancing struct{ fifo }

func (p *balancing) Balance(c *sched.CPU) { p.note("balance of cpu%d on cpu%d", c.ID, p.k.Here().ID) }

func (p *balancing) Enqueue(t *sched.Thread, why sched.Cause) {
	if why == sched.Woken {
		p.note("context %d", p.k.Context())
	}
	p.fifo.Enqueue(t, why)
}

func ownTimers(c *engine.Config) { c.Timing, c.OwnTimers = engine.Local, true }

func TestWithOwnTimersACPUTicksWakesAndBalancesBeforeTheNextOneDoes(t *testing.T) {
	p := &balancing{fifo{ticks: true}}
	w := boot(t, p, ownTimers, onTicks)
	w.thread("a", does(sleep(20), run(5)), bound(1))
	w.thread("b", does(sleep(20), run(5)), bound(0))
	w.thread("c", does(sleep(20), run(5)), bound(1))
	w.to(10)
	p.log = nil
	w.to(20)
	assert.Equal(t, []string{
		"20: tick of cpu0 on cpu0",
		"20: context 2",
		"20: woken b on cpu0",
		"20: balance of cpu0 on cpu0",
		"20: tick of cpu1 on cpu1",
		"20: context 2", // the one armed first wakes first
		"20: woken a on cpu1",
		"20: context 2",
		"20: woken c on cpu1",
		"20: balance of cpu1 on cpu1",
	}, p.log)
}

// A sleep that was cut short leaves its end behind in the queue of events.
func TestWithOwnTimersAnEndThatMeansNothingAnyMoreDisturbsNoTick(t *testing.T) {
	p := &balancing{fifo{ticks: true}}
	w := boot(t, p, ownTimers, onTicks)
	a := w.thread("a", does(sleep(20), run(5)), bound(1))
	w.thread("c", does(sleep(20), run(5)), bound(1))
	w.to(10)
	must(w.Kill(a), t)
	p.log = nil
	w.to(20)
	assert.Equal(t, []string{
		"20: tick of cpu0 on cpu0", "20: balance of cpu0 on cpu0", "20: tick of cpu1 on cpu1",
		"20: context 2", "20: woken c on cpu1", "20: balance of cpu1 on cpu1",
	}, p.log)
}

func TestAThreadThatWakesAnotherIsNoInterrupt(t *testing.T) {
	p := &balancing{}
	w := boot(t, p, ownTimers, onTicks)
	w.thread("waiter", does(workload.Instr{Op: workload.Acquire, Name: "s"}, run(5)))
	w.thread("poster", does(run(7), workload.Instr{Op: workload.Post, Name: "s"}, run(5)))
	w.to(9)
	assert.Contains(t, p.log, "7: context 0")
}
