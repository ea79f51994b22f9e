package engine_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"strandscope/sim/engine"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
	"strandscope/sim/workload"
)

func named(op workload.Op, name string) workload.Instr { return workload.Instr{Op: op, Name: name} }
func suspend(name string) workload.Instr               { return named(workload.Suspend, name) }
func resume(name string) workload.Instr                { return named(workload.Resume, name) }
func acquire(name string) workload.Instr               { return named(workload.Acquire, name) }
func post(name string) workload.Instr                  { return named(workload.Post, name) }

func TestThreadsThatResumeEachOtherTakeTurns(t *testing.T) {
	for _, x := range []engine.Timing{engine.Clock, engine.Local, engine.Precise} {
		w := boot(t, &fifo{}, timing(x))
		w.thread("ping", loops(3, run(1), resume("pong"), suspend("ping")))
		w.thread("pong", loops(3, suspend("pong"), run(2), resume("ping")))
		w.to(100)
		assert.Equal(t, []string{
			"pong blocked at 0.000", "ping blocked at 1.000", "pong blocked at 3.000",
			"ping blocked at 4.000", "pong blocked at 6.000", "ping blocked at 7.000",
			"pong exited at 9.000", "ping exited at 9.000",
		}, w.offs(), "%v", x)
	}
}

func TestAResumeThatNobodyWaitsForIsLostAndAPostIsKept(t *testing.T) {
	w := boot(t, &fifo{})
	early := w.thread("early", does(run(1), resume("late"), post("late"), post("late")))
	late := w.thread("late", does(run(5), acquire("late"), run(1), acquire("late"), run(1), suspend("late"), run(1)))
	w.to(100)
	assert.Equal(t, sched.Gone, early.State)
	assert.Equal(t, sched.Sleeping, late.State, "two posts were remembered, the resume was not")
	assert.Equal(t, 7*ms, w.Work(late))
}

func TestAResumeWakesAllAndAPostTheFirstWhoStillWaits(t *testing.T) {
	w := boot(t, &fifo{}, on(grid(8)))
	a := w.thread("a", does(acquire("s"), run(1)))
	b := w.thread("b", does(acquire("s"), run(1)), starting(1))
	c := w.thread("c", does(acquire("s"), run(1)), starting(2))
	d := w.thread("d", does(suspend("d"), run(1)))
	e := w.thread("d", does(suspend("d"), run(1)))
	poster := w.thread("poster", does(run(10), post("s"), run(10), post("s"), resume("d")))
	w.to(5)
	must(w.Kill(a), t)
	w.to(15)
	assert.Equal(t, []sched.State{sched.Gone, sched.Gone, sched.Sleeping, sched.Sleeping, sched.Sleeping},
		[]sched.State{a.State, b.State, c.State, d.State, e.State}, "the one that was killed took no post")
	w.to(30)
	assert.Equal(t, []sched.State{sched.Gone, sched.Gone, sched.Gone}, []sched.State{c.State, d.State, e.State})
	for _, ev := range w.events {
		if ev.Kind == trace.Woke && ev.Thread == c.ID && ev.Cause == sched.Woken {
			assert.Equal(t, poster.ID, ev.Other, "who woke it is known")
			return
		}
	}
	t.Error("c never woke")
}

func TestThreadsThatOnlyWakeEachOtherStopTheRunWithAReason(t *testing.T) {
	w := boot(t, &fifo{})
	w.forget = true
	endless := func(steps ...workload.Instr) *workload.Program {
		steps = append(steps, workload.Instr{Op: workload.Loop, Count: -1})
		return &workload.Program{Steps: steps, Slots: 1}
	}
	w.thread("a", endless(post("b"), acquire("a")))
	w.thread("b", endless(acquire("b"), post("a")))
	assert.ErrorContains(t, w.AdvanceTo(at(1)), "in one instant")
}
