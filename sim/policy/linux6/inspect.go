package linux6

import (
	"fmt"
	"strconv"
	"strings"

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

// sentences by code; A and B are the figures of a reason, a and b the same as
// milliseconds, p the place. 6.1 has some of its own.
var sentences = [...]string{
	whyForked:      "It is new: it starts where the others are on average, half a request from its deadline, {p} (place_entity).",
	whyWoken:       "It woke and is owed {a} of virtual time, as when it went to sleep, {p} (place_entity).",
	whyStillQueued: "It woke while its dequeue was still delayed: it never left the queue; it was owed {a} (requeue_delayed_entity).",
	whyPreempted:   "It lost its CPU and waits in the tree (put_prev_entity).",
	whyYielded:     "It yielded: what was left of its request is forfeited, if it was eligible (yield_task_fair).",
	whyMoved:       "It was moved from cpu{A} to cpu{B}.",
	whyRealtime:    "Its real-time priority {A} comes before everything fair (pick_next_task_rt).",
	whyIdle:        "Nothing is queued here, and nothing was pulled from elsewhere.",
	whyPulled:      "Nothing was queued here; it was pulled from cpu{A} (newidle balance).",
	noteDelayed:    "It sleeps, but has had {a} too much: it stays queued until that is made up for (delayed dequeue).",
	noteAwake:      "It is awake before it has left the queue.",
	noteDequeued:   "What it had too much is made up for; it leaves the queue and sleeps on.",

	whyFair + uint16(fair.Alone):      "Nobody else is queued here.",
	whyFair + uint16(fair.Leftmost):   "Of {A} it has had the least virtual time, {b} before the queue's (pick_next_entity).",
	whyFair + uint16(fair.NextBuddy):  "It woke and preempts: it was far enough behind, {b} (check_preempt_wakeup).",
	whyFair + uint16(fair.LastBuddy):  "It was preempted by a wake-up, and with so many tasks it comes back first (set_last_buddy).",
	whyFair + uint16(fair.Skipped):    "The one before it has yielded (pick_next_entity).",
	whyFair + uint16(fair.Protected):  "Its request is not over: {b} of virtual time are left, and it is eligible (pick_eevdf).",
	whyFair + uint16(fair.Earliest):   "Of the eligible among {A} its virtual deadline is the earliest, {b} from here (pick_eevdf).",
	whyFair + uint16(fair.Continuing): "It goes on: nobody eligible has an earlier deadline than its own, {b} from here (pick_eevdf).",
}

// sentences61 are those of 6.1 that differ.
var sentences61 = [...]string{
	whyForked:  "It is new and starts a slice behind the others, {p} (place_entity).",
	whyWoken:   "It woke {a} of virtual time before the queue's, at most half a latency, {p} (place_entity).",
	whyYielded: "It yielded: it is passed over once, if that is not unfair (yield_task_fair).",
}

// Explain implements sched.Policy.
func (p *Policy) Explain(r sched.Reason) string {
	text := ""
	if int(r.Code) < len(sentences) {
		text = sentences[r.Code]
	}
	if p.opt.Version == V61 && int(r.Code) < len(sentences61) && sentences61[r.Code] != "" {
		text = sentences61[r.Code]
	}
	for i := strings.IndexByte(text, '{'); i >= 0; i = strings.IndexByte(text, '{') {
		word := ""
		switch text[i+1] {
		case 'A':
			word = strconv.Itoa(int(r.A))
		case 'B':
			word = strconv.Itoa(int(r.B))
		case 'a':
			word = ms(r.A)
		case 'b':
			word = ms(r.B)
		case 'p':
			word = places[r.B]
		}
		text = text[:i] + word + text[i+3:]
	}
	return text
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
func (p *Policy) ClassOf(t *sched.Thread) string { return classNames[p.tasks[t.ID].class] }

// Priority implements sched.Prioritizer: PRI as top shows it, 20 + nice, or −1 less the
// real-time priority; the lower the better. 100 more is the kernel's own prio.
func (p *Policy) Priority(t *sched.Thread) int {
	if int(t.ID) >= len(p.tasks) {
		return 20 // it is only being created
	}
	x := p.tasks[t.ID]
	if x.class.realtime() {
		return -1 - int(x.prio)
	}
	return 20 + x.e.Nice
}

// Params are the parameters of a thread as they are.
func (p *Policy) Params(t *sched.Thread) sched.Params {
	x := p.tasks[t.ID]
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
func (p *Policy) ran(c *cpu, x *task) int64 {
	if c.curr == x {
		return x.e.Sum + int64(p.k.Now()) - x.e.ExecStart
	}
	return x.e.Sum
}

// Values implements sched.Inspector.
func (p *Policy) Values(t *sched.Thread, row []int64) {
	x := p.tasks[t.ID]
	c := &p.cpus[x.cpu]
	e := x.e
	ticks := p.ran(c, x) / int64(10*clock.Millisecond)
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
		for _, name := range [2]string{"rt", "fair"} {
			if list := p.waiting(&p.cpus[i], name == "rt", -1, p.buf[:0]); len(list) > 0 {
				visit(sched.Queue{CPU: i, Priority: -1, Name: name}, list)
			}
		}
	}
}
