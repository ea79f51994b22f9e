package linux6

import (
	"fmt"

	"strandscope/sim/clock"
	"strandscope/sim/policy/linuxcfs6"
	fair "strandscope/sim/policy/linuxfair"
	"strandscope/sim/sched"
)

// Why the policy decided as it did. Values are part of the digest: append only.
const (
	whyForked uint16 = iota + 1
	whyWoken
	whyStillQueued
	whyPreempted
	whyYielded
	whyMoved
	whyRealtime
	whyIdle
	whyPulled
	noteDelayed
	noteAwake
	noteDequeued
	whyFair // and a fair.Choice
)

// Notes that the load average counts by: a sleeper stays in its queue; it is awake
// there; it has left it.
const (
	NoteDelayed  = noteDelayed
	NoteAwake    = noteAwake
	NoteDequeued = noteDequeued
)

// ms prints µs as milliseconds.
func ms(us int32) string {
	sign := ""
	if us < 0 {
		sign, us = "−", -us
	}
	return fmt.Sprintf("%s%d.%03d ms", sign, us/1000, us%1000)
}

// places are how a CPU was chosen, for the end of a sentence.
var places = [...]string{
	byNeed:    "on the only CPU that it may use",
	byIdle:    "on a CPU that idled",
	byLast:    "on its last CPU, which idled",
	byRecent:  "on the CPU that it used before, which idled",
	byScan:    "on a CPU that the search found idle",
	byTarget:  "where it was, or where its waker is; no idle CPU was found",
	byFork:    "on the least loaded CPU",
	byUrgency: "where it is the most urgent",
}

// Explain implements sched.Policy.
func (p *Policy) Explain(r sched.Reason) string {
	switch r.Code {
	case whyForked:
		if p.opt.Version == V61 {
			return fmt.Sprintf("It is new and starts a slice behind the others, %s (place_entity).", places[r.B])
		}
		return fmt.Sprintf("It is new: it starts where the others are on average, half a request from its deadline, %s (place_entity).", places[r.B])
	case whyWoken:
		if p.opt.Version == V61 {
			return fmt.Sprintf("It woke %s of virtual time before the queue's, at most half a latency, %s (place_entity).", ms(r.A), places[r.B])
		}
		return fmt.Sprintf("It woke and is owed %s of virtual time, as when it went to sleep, %s (place_entity).", ms(r.A), places[r.B])
	case whyStillQueued:
		return fmt.Sprintf("It woke while its dequeue was still delayed: it never left the queue; it was owed %s (requeue_delayed_entity).", ms(r.A))
	case whyPreempted:
		return "It lost its CPU and waits in the tree (put_prev_entity)."
	case whyYielded:
		if p.opt.Version == V61 {
			return "It yielded: it is passed over once, if that is not unfair (yield_task_fair)."
		}
		return "It yielded: what was left of its request is forfeited, if it was eligible (yield_task_fair)."
	case whyMoved:
		return fmt.Sprintf("It was moved from cpu%d to cpu%d.", r.A, r.B)
	case whyRealtime:
		return fmt.Sprintf("Its real-time priority %d comes before everything fair (pick_next_task_rt).", r.A)
	case whyIdle:
		return "Nothing is queued here, and nothing was pulled from elsewhere."
	case whyPulled:
		return fmt.Sprintf("Nothing was queued here; it was pulled from cpu%d (newidle balance).", r.A)
	case noteDelayed:
		return fmt.Sprintf("It sleeps, but has had %s too much: it stays queued until that is made up for (delayed dequeue).", ms(r.A))
	case noteAwake:
		return "It is awake before it has left the queue."
	case noteDequeued:
		return "What it had too much is made up for; it leaves the queue and sleeps on."
	}
	if r.Code >= whyFair {
		return p.explainFair(fair.Choice(r.Code-whyFair), r)
	}
	return ""
}

func (p *Policy) explainFair(c fair.Choice, r sched.Reason) string {
	switch c {
	case fair.Alone:
		return "Nobody else is queued here."
	case fair.Leftmost:
		return fmt.Sprintf("Of %d it has had the least virtual time, %s before the queue's (pick_next_entity).", r.A, ms(r.B))
	case fair.NextBuddy:
		return fmt.Sprintf("It woke and preempts: it was far enough behind, %s (check_preempt_wakeup).", ms(r.B))
	case fair.LastBuddy:
		return "It was preempted by a wake-up, and with so many tasks it comes back first (set_last_buddy)."
	case fair.Skipped:
		return "The one before it has yielded (pick_next_entity)."
	case fair.Protected:
		return fmt.Sprintf("Its request is not over: %s of virtual time are left, and it is eligible (pick_eevdf).", ms(r.B))
	case fair.Earliest:
		return fmt.Sprintf("Of the eligible among %d its virtual deadline is the earliest, %s from here (pick_eevdf).", r.A, ms(r.B))
	case fair.Continuing:
		return fmt.Sprintf("It goes on: nobody eligible has an earlier deadline than its own, %s from here (pick_eevdf).", ms(r.B))
	}
	return ""
}

// sources are the kernel's files and functions behind reasons.
var sources = [...]string{
	whyForked: "kernel/sched/core.c: wake_up_new_task", whyWoken: "kernel/sched/fair.c: place_entity",
	whyStillQueued: "kernel/sched/fair.c: requeue_delayed_entity", whyPreempted: "kernel/sched/fair.c: put_prev_entity",
	whyYielded: "kernel/sched/fair.c: yield_task_fair", whyMoved: "kernel/sched/fair.c: detach_tasks",
	whyRealtime: "kernel/sched/rt.c: pick_next_task_rt", whyIdle: "kernel/sched/core.c: __schedule",
	whyPulled: "kernel/sched/fair.c: sched_balance_newidle", noteDelayed: "kernel/sched/fair.c: dequeue_entity",
	noteAwake: "kernel/sched/fair.c: requeue_delayed_entity", noteDequeued: "kernel/sched/fair.c: pick_task_fair",
}

// Source implements sched.Sourcer.
func (p *Policy) Source(r sched.Reason) string {
	switch {
	case int(r.Code) < len(sources):
		return sources[r.Code]
	case p.opt.Version == V61:
		return "kernel/sched/fair.c: pick_next_entity"
	}
	return "kernel/sched/fair.c: pick_eevdf"
}

// ClassOf implements sched.Classer.
func (p *Policy) ClassOf(t *sched.Thread) string { return classNames[p.th.At(t.ID).class] }

// Priority implements sched.Prioritizer: the kernel's own scale, 120 + nice, or 99 less
// the real-time priority; the lower the better.
func (p *Policy) Priority(t *sched.Thread) int {
	x := p.th.At(t.ID)
	switch {
	case x.e == nil: // it is only being created
		return 120
	case x.class.realtime():
		return 99 - int(x.prio)
	}
	return 120 + x.e.Nice
}

// Params are the parameters of a thread as they are.
func (p *Policy) Params(t *sched.Thread) sched.Params {
	x := p.th.At(t.ID)
	a := sched.Params{Class: classNames[x.class], Nice: x.e.Nice, Priority: int(x.prio)}
	if x.e.Custom {
		a.Slice = clock.Duration(x.e.Slice)
	}
	return a
}

var fieldsCFS = []sched.Field{
	{Name: "nice", Help: "−20 to 19, 0 by default; higher yields more"},
	{Name: "weight", Help: "its share of the CPU among those queued: 1024 for nice 0, a quarter more or less a step"},
	{Name: "vruntime", Unit: "µs", Help: "CPU time used, by weight; the least runs next"},
	{Name: "behind", Unit: "µs", Help: "how far its vruntime is behind the queue's"},
	{Name: "slice", Unit: "µs", Help: "how long it may run among those queued now"},
	{Name: "rt_priority", Help: "of FIFO and RR tasks, 1 to 99"},
	{Name: "ticks", Unit: "ticks", Help: "CPU time in hundredths of a second: what top's TIME counts"},
}

var fieldsEEVDF = []sched.Field{
	fieldsCFS[0], fieldsCFS[1],
	{Name: "vruntime", Unit: "µs", Help: "CPU time used, by weight"},
	{Name: "deadline", Unit: "µs", Help: "virtual time at which its request is due; the earliest eligible one runs next"},
	{Name: "lag", Unit: "µs", Help: "what it is owed of virtual time; negative: it had too much and is not eligible"},
	{Name: "slice", Unit: "µs", Help: "length of its requests"},
	{Name: "delayed", Help: "1: it sleeps, but stays queued until it is eligible"},
	fieldsCFS[5], fieldsCFS[6],
}

// Fields implements sched.Inspector.
func (p *Policy) Fields() []sched.Field {
	if p.opt.Version == V61 {
		return fieldsCFS
	}
	return fieldsEEVDF
}

// ran is a task's CPU time up to now.
func (p *Policy) ran(c *cpu, t *sched.Thread, x *task) int64 {
	if c.curr == t.ID {
		return x.e.Sum + int64(p.k.Now()) - x.e.ExecStart
	}
	return x.e.Sum
}

// Values implements sched.Inspector.
func (p *Policy) Values(t *sched.Thread, row []int64) {
	x := p.th.At(t.ID)
	c := &p.cpus[x.cpu]
	e := x.e
	ticks := p.ran(c, t, x) / int64(10*clock.Millisecond)
	if q, ok := c.fair.(*linuxcfs6.Queue); ok {
		slice := int64(0)
		if e.OnRQ {
			slice = q.SliceOf(e)
		}
		copy(row, []int64{int64(e.Nice), e.Weight, e.V / 1000, (q.Min - e.V) / 1000, slice / 1000, int64(x.prio), ticks})
		return
	}
	lag, delayed := e.Lag, int64(0)
	if e.OnRQ {
		lag = p.virtualNow(c) - e.V
	}
	if e.Delayed {
		delayed = 1
	}
	copy(row, []int64{int64(e.Nice), e.Weight, e.V / 1000, e.D / 1000, lag / 1000, e.Slice / 1000, delayed, int64(x.prio), ticks})
}

// Queues implements sched.Inspector: by CPU the real-time tasks, then the tree from
// left to right, without those that run or sleep in it.
func (p *Policy) Queues(visit func(q sched.Queue, waiting []sched.ThreadID)) {
	for i := range p.cpus {
		c := &p.cpus[i]
		p.buf = p.buf[:0]
		for _, id := range c.rt {
			if id != c.curr {
				p.buf = append(p.buf, id)
			}
		}
		if len(p.buf) > 0 {
			visit(sched.Queue{CPU: i, Priority: -1, Name: "rt"}, p.buf)
		}
		p.buf = p.buf[:0]
		for e := c.s.Tree.First(); e != nil; e = c.s.Tree.Next(e) {
			if !e.Delayed {
				p.buf = append(p.buf, sched.ThreadID(e.ID))
			}
		}
		if len(p.buf) > 0 {
			visit(sched.Queue{CPU: i, Priority: -1, Name: "fair"}, p.buf)
		}
	}
}
