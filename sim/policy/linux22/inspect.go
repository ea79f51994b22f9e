package linux22

import (
	"fmt"

	"strandscope/sim/sched"
)

// Why the policy decided as it did. Values are part of the digest: append only.
const (
	whyHead uint16 = iota + 1
	whyStaysQueued
	whyYielded
	whyBest
	whyKept
	whyRealtime
	whyIdle
)

// reason puts a decision into a code and two figures.
func (p *Policy) reason(d *Decision) sched.Reason {
	switch {
	case d.Value >= realtimeBase:
		return sched.Reason{Code: whyRealtime, A: d.Value - realtimeBase, B: int32(d.EvalsSelect)}
	case d.Next == d.Prev:
		return sched.Reason{Code: whyKept, A: d.Value, B: int32(d.EvalsSelect)}
	case d.Recalculations > 0:
		return sched.Reason{Code: whyBest, A: d.Value, B: -int32(d.EvalsSelect)}
	}
	return sched.Reason{Code: whyBest, A: d.Value, B: int32(d.EvalsSelect)}
}

// Explain implements sched.Policy.
func (p *Policy) Explain(r sched.Reason) string {
	switch r.Code {
	case whyHead:
		told := "no CPU runs a task that is worth less, so none was told to look again"
		if r.B > 0 {
			told = fmt.Sprintf("cpu%d was told to look again", r.B-1)
		}
		return fmt.Sprintf("It became runnable with counter %d, at the head of the one run queue; %s (reschedule_idle).", r.A, told)
	case whyStaysQueued:
		return fmt.Sprintf("It lost its CPU with counter %d; it never left the run queue and keeps its place there (schedule).", r.A)
	case whyYielded:
		return "It yielded: to the tail of the run queue, and it counts as worth nothing once (sched_yield)."
	case whyBest:
		if r.B < 0 {
			return fmt.Sprintf("Nobody had anything left, so all counters were recalculated; then its goodness %d was the greatest, after %d evaluations (schedule).", r.A, -r.B)
		}
		return fmt.Sprintf("Its goodness %d was the greatest of %d evaluated (goodness: counter + priority + 15 on the CPU it ran on last).", r.A, r.B)
	case whyKept:
		return fmt.Sprintf("It was compared first, with goodness %d, and nobody was worth more (schedule).", r.A)
	case whyRealtime:
		return fmt.Sprintf("Its real-time priority %d beats every ordinary task (goodness: 1000 and more).", r.A)
	case whyIdle:
		return "No task in the run queue is without a CPU (schedule)."
	}
	return ""
}

// Source implements sched.Sourcer.
func (p *Policy) Source(r sched.Reason) string {
	switch r.Code {
	case whyHead:
		return "kernel/sched.c: reschedule_idle"
	case whyYielded:
		return "kernel/sched.c: sys_sched_yield"
	case whyBest, whyRealtime:
		return "kernel/sched.c: goodness"
	case whyStaysQueued, whyKept, whyIdle:
		return "kernel/sched.c: schedule"
	}
	return ""
}

// Scored implements sched.Scorer.
func (p *Policy) Scored() string { return "goodness" }

// Score implements sched.Scorer, as seen by the CPU's present task.
func (p *Policy) Score(t *sched.Thread, c *sched.CPU) (value int, sum string) {
	x := *p.th.At(t.ID) // a copy: goodness may take a yield bit back
	mm := p.mmOf(p.cur[c.ID])
	g := p.goodness(&x, c.ID, mm)
	switch x := p.th.At(t.ID); {
	case x.policy&yield != 0:
		return int(g), "it has yielded"
	case x.policy != other:
		return int(g), fmt.Sprintf("%d + real-time priority %d", realtimeBase, x.rtPri)
	case x.counter == 0:
		return int(g), "counter 0: nothing left"
	default:
		sum = fmt.Sprintf("counter %d + priority %d", x.counter, x.priority)
		if !p.opt.UP && x.cpu == int32(c.ID) {
			sum += fmt.Sprintf(" + %d for its last CPU", affinity)
		}
		if x.mm == mm {
			sum += fmt.Sprintf(" + %d for the same address space", sameMM)
		}
		return int(g), sum
	}
}

// fields are the figures shown of each task.
var fields = []sched.Field{
	{Name: "counter", Unit: "ticks", Help: "ticks left; what the scheduler compares first of all"},
	{Name: "quantum", Unit: "ticks", Help: "what a recalculation adds: the kernel's priority"},
	{Name: "nice", Help: "−20 to 19, 0 by default; higher yields more"},
	{Name: "PRI", Help: "what top shows: 20 less half the counter, so it means ticks left, not priority"},
	{Name: "rt_priority", Help: "of FIFO and RR tasks, 1 to 99"},
	{Name: "goodness", Help: "what it would be worth on the CPU it ran on last"},
	{Name: "ticks", Unit: "ticks", Help: "clock ticks charged to it so far: what top's TIME counts"},
}

// Fields implements sched.Inspector.
func (p *Policy) Fields() []sched.Field { return fields }

// Values implements sched.Inspector.
func (p *Policy) Values(t *sched.Thread, row []int64) {
	x := *p.th.At(t.ID) // a copy: goodness may take a yield bit back
	g := p.goodness(&x, int(x.cpu), idleMM)
	copy(row, []int64{
		int64(x.counter), int64(x.priority), int64(ProcNI(x.priority)), int64(ProcPRI(x.counter)), int64(x.rtPri), int64(g), x.ticks,
	})
}

// Queues implements sched.Inspector: the one run queue from head to tail,
// without those that run.
func (p *Policy) Queues(visit func(q sched.Queue, waiting []sched.ThreadID)) {
	p.buf = p.buf[:0]
	for id := range p.queue.all {
		if p.k.Thread(id).State == sched.Waiting {
			p.buf = append(p.buf, id)
		}
	}
	if len(p.buf) > 0 {
		visit(sched.Queue{CPU: sched.NoCPU, Priority: -1, Name: "run queue"}, p.buf)
	}
}

// Priority implements sched.Prioritizer: PRI as top shows it.
func (p *Policy) Priority(t *sched.Thread) int { return int(ProcPRI(p.th.At(t.ID).counter)) }

// ClassOf names a task's policy.
func (p *Policy) ClassOf(t *sched.Thread) string {
	return [...]string{"OTHER", "FIFO", "RR"}[p.th.At(t.ID).policy&3]
}

// Task is what the scheduler holds of a thread.
type Task struct {
	Counter, Priority int32
	CPU               int32 // noProcessor: 255
	Queued            bool
}

// TaskOf returns what the scheduler holds of a thread.
func (p *Policy) TaskOf(t *sched.Thread) Task {
	x := p.th.At(t.ID)
	return Task{x.counter, x.priority, x.cpu, x.at > 0}
}

// RunQueue lists the run queue from head to tail, running tasks included.
func (p *Policy) RunQueue() []sched.ThreadID {
	var ids []sched.ThreadID
	for id := range p.queue.all {
		ids = append(ids, id)
	}
	return ids
}

// Work sums up what the scheduler has done so far: calls of schedule, switches,
// goodness evaluations, recalculations, tasks recalculated, and the cost of it
// all in ns.
func (p *Policy) Work() (decisions, switches, evals, recalcs, recalculated, cost int64) {
	s := &p.Stats
	return s.Calls, s.Switches, s.EvalsSelect + s.EvalsTail + s.EvalsWakeup, s.Recalculations, s.RecalculatedTasks, int64(s.Cost)
}
