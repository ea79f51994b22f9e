package linuxo1

import "strandscope/sim/sched"

// fields are the figures shown of each task.
var fields = []sched.Field{
	{Name: "prio", Help: "0 to 139, lower is better; 100 and more are normal tasks"},
	{Name: "nice", Help: "−20 to 19, 0 by default; higher yields more"},
	{Name: "bonus", Help: "0 to 10, by sleep_avg; 5 changes nothing"},
	{Name: "sleep_avg", Unit: "ms", Help: "how much it has slept of late, 1000 at most"},
	{Name: "time_slice", Unit: "ticks", Help: "ticks left; at 0 it expires, or is queued again if it is interactive"},
	{Name: "quantum", Unit: "ticks", Help: "a full slice, by its nice value"},
	{Name: "interactive", Help: "1: it counts as interactive and goes back to the active array"},
	{Name: "array", Help: "0: active, 1: expired, −1: none"},
	{Name: "PRI", Help: "what top shows: priority less 100"},
	{Name: "rt_priority", Help: "of FIFO and RR tasks, 1 to 99"},
	{Name: "load weight", Help: "what balancing counts: 128 at nice 0"},
	{Name: "ticks", Help: "CPU time charged to it by clock ticks, in 10 ms as /proc counts it: what top's TIME counts"},
}

// Fields implements sched.Inspector.
func (p *Policy) Fields() []sched.Field { return fields }

// Values implements sched.Inspector.
func (p *Policy) Values(t *sched.Thread, row []int64) {
	x := p.c.At(t.ID)
	interactive, array := int64(0), int64(x.Array)
	if Interactive(x) {
		interactive = 1
	}
	if array >= 0 {
		array = 0
		if p.c.expired(x) {
			array = 1
		}
	}
	copy(row, []int64{
		int64(x.Prio), int64(x.Static - nicePrio), p.c.Bonus(x), x.SleepAvg / 1_000_000, int64(x.Slice), int64(p.c.slice(x)),
		interactive, array, int64(x.Prio - firstPrio), int64(x.RTPrio), int64(x.Weight), x.Ticks * 100 / p.c.HZ,
	})
}

// Queues implements sched.Inspector: of each CPU who waits in active, then in expired,
// from the best priority on.
func (p *Policy) Queues(visit func(q sched.Queue, waiting []sched.ThreadID)) {
	for cpu := range p.c.rq {
		q := &p.c.rq[cpu]
		for i, name := range [...]string{"active", "expired"} {
			arr := &q.arr[q.active]
			if i == 1 {
				arr = &q.arr[1-q.active]
			}
			p.buf = p.buf[:0]
			for prio := arr.first(0); prio < prios; prio = arr.first(prio + 1) {
				for id := arr.q[prio].head; id != none; id = p.c.tasks[id].next {
					if id != q.cur {
						p.buf = append(p.buf, id)
					}
				}
			}
			if len(p.buf) > 0 {
				visit(sched.Queue{CPU: cpu, Priority: -1, Name: name}, p.buf)
			}
		}
	}
}

// Priority implements sched.Prioritizer: PRI as top shows it, where less is better.
func (p *Policy) Priority(t *sched.Thread) int { return int(p.c.At(t.ID).Prio - firstPrio) }
