package engine_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"strandscope/sim/engine"
	"strandscope/sim/sched"
)

// With high-resolution timers a burst that ends with a tick ends first; then who went
// to sleep first wakes first, each on its CPU; the ticks come last and all CPUs are
// served after them.
func TestOfOneInstantBurstsEndFirstThenSleepersWakeThenTicks(t *testing.T) {
	p := &fifo{ticks: true}
	w := boot(t, p, timing(engine.Hires), func(c *engine.Config) { c.Machine, c.HZ = grid(2), 100 })
	w.thread("a", does(run(2), sleep(8), run(1)))
	w.thread("b", does(run(1), sleep(9), run(1)))
	w.thread("c", does(run(9), sleep(100)))
	w.to(9)
	p.log = nil
	w.to(10)
	assert.Equal(t, []string{
		"10: blocked c on cpu1", "10: woken b on cpu1", "10: woken a on cpu0", "10: tick of cpu0 on cpu0", "10: tick of cpu1 on cpu0",
	}, p.log, "b slept first, though a has the lower number")
}

func TestABurstThatEndsAtATickIsOverBeforeIt(t *testing.T) {
	p := &fifo{ticks: true}
	w := boot(t, p, timing(engine.Hires), func(c *engine.Config) { c.Machine, c.HZ = grid(1), 100 })
	p.onTick = func(c *sched.CPU) { p.k.Kick(c) }
	w.thread("x", does(run(10), sleep(50)))
	w.thread("y", does(run(10), sleep(50)))
	w.to(10)
	assert.Equal(t, []string{"0: forked x on cpu0", "0: forked y on cpu0", "10: blocked x on cpu0", "10: tick of cpu0 on cpu0", "10: preempted y on cpu0"}, p.log)
}
