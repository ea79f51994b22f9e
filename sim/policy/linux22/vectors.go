package linux22

import "strandscope/sim/sched"

// This file runs single functions of the scheduler on states given from outside,
// for the recorded vectors.

// GoodnessInput is a task as goodness() sees it.
type GoodnessInput struct {
	UP                            bool
	Policy                        uint8
	RTPriority, Counter, Priority int32
	SameCPU, SameMM               bool
}

// Goodness returns what the task is worth, what it is worth as the outgoing
// task, and its policy field after that.
func Goodness(in GoodnessInput) (value, asPrev int32, policyAfter uint8) {
	p := &Policy{opt: Options{UP: in.UP}}
	x := task{policy: in.Policy, rtPri: in.RTPriority, counter: in.Counter, priority: in.Priority, mm: 1, cpu: 0}
	cpu, mm := 0, int32(1)
	if !in.SameCPU {
		cpu = 1
	}
	if !in.SameMM {
		mm = 2
	}
	y := x
	value = p.goodness(&x, cpu, mm)
	asPrev, _ = p.prevGoodness(&y, cpu)
	return value, asPrev, y.policy
}

// TaskInput is a task as reschedule_idle() sees it.
type TaskInput struct {
	Policy                                   uint8
	RTPriority, Counter, Priority, LockDepth int32
}

// CurrentInput is what runs on a CPU.
type CurrentInput struct {
	Idle     bool
	Task     TaskInput
	AvgSlice uint32
}

// RescheduleInput is a call of reschedule_idle().
type RescheduleInput struct {
	ThisCPU      int
	Current      []CurrentInput
	Processor    int32 // where the woken task ran last; 255: nowhere
	P            TaskInput
	SharesMMWith int // the CPU with whose task it shares its memory; −1: none
	CacheFlush   uint32
}

// RescheduleIdle returns the CPU whose task is asked to give way, −1 if none,
// and 1 if that takes an interrupt.
func RescheduleIdle(in RescheduleInput) (target, interrupt int) {
	p := New(Options{})
	p.cacheFlush = in.CacheFlush
	put := func(id sched.ThreadID, t TaskInput, cpu, mm int32, avg uint32) {
		*p.th.At(id) = task{
			policy: t.Policy, rtPri: t.RTPriority, counter: t.Counter, priority: t.Priority, lock: t.LockDepth,
			cpu: cpu, mm: mm, avgSlice: avg, at: 1,
		}
	}
	n := len(in.Current)
	p.cur = make([]sched.ThreadID, n)
	woken := sched.ThreadID(n)
	mm := int32(n)
	if in.SharesMMWith >= 0 {
		mm = int32(in.SharesMMWith)
		if in.Current[in.SharesMMWith].Idle {
			mm = idleMM
		}
	}
	put(woken, in.P, in.Processor, mm, 0)
	for cpu, c := range in.Current {
		p.cur[cpu] = sched.None
		if !c.Idle {
			p.cur[cpu] = sched.ThreadID(cpu)
			put(sched.ThreadID(cpu), c.Task, int32(cpu), int32(cpu), c.AvgSlice)
		}
	}
	target, _ = p.target(woken, in.ThisCPU)
	if target >= 0 && target != in.ThisCPU {
		interrupt = 1
	}
	return target, interrupt
}

// ForkCounter is what a fork leaves of a counter, to parent and child alike.
func ForkCounter(before int32) int32 { return before / 2 }
