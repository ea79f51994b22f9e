package linuxcfs

import (
	"fmt"

	"strandscope/sim/policy/linux26"
	"strandscope/sim/sched"
)

// Policy is Core on the engine's machine.
type Policy struct {
	linux26.Driver
	c     *Core
	class string
	buf   []sched.ThreadID
}

// New returns a policy that is ready to boot. class is that of tasks which name none:
// OTHER unless set.
func New(class string) *Policy { return &Policy{class: class} }

// Boot implements sched.Policy.
func (p *Policy) Boot(k sched.Kernel) error {
	n := len(k.CPUs())
	p.c = NewCore(n, linux26.HZ, n == 1, Scaled(n), 0, p)
	p.Attach(k, p.c, "linuxcfs", p.class)
	return nil
}

// Core is the scheduler itself, to be read.
func (p *Policy) Core() *Core { return p.c }

// --- linux26.Core, where it needs more than a name ---

// SetTime implements linux26.Core.
func (c *Core) SetTime(now, jiffies int64) { c.Now, c.Jiffies = now, jiffies }

// Loads implements linux26.Core.
func (c *Core) Loads() []linux26.CPU { return c.CPUs }

// New implements linux26.Core.
func (c *Core) New(id sched.ThreadID, nice int32, policy uint8, rtPrio int32, cpu int) {
	c.Begin(id, nice, policy, rtPrio, 0, cpu)
}

// Sleep implements linux26.Core.
func (c *Core) Sleep(id sched.ThreadID) { c.tasks[id].State = Interruptible }

// Exit implements linux26.Core: nothing is given back or taken.
func (c *Core) Exit(id sched.ThreadID) { c.tasks[id].State = Dead }

// Bind implements linux26.Core.
func (c *Core) Bind(id sched.ThreadID, cpu int) { c.tasks[id].Bound = int32(cpu) }

// CPUOf implements linux26.Core.
func (c *Core) CPUOf(id sched.ThreadID) int { return int(c.tasks[id].CPU) }

// ParamsOf implements linux26.Core.
func (c *Core) ParamsOf(id sched.ThreadID) (nice int32, policy uint8, rtPrio int32) {
	t := &c.tasks[id]
	return t.Static - nicePrio, t.Policy, t.RTPrio
}

// Expired implements linux26.Core: nobody does.
func (c *Core) Expired(sched.ThreadID) bool { return false }

// Figures implements linux26.Core: by how many µs it is ahead of its CPU's
// min_vruntime, and how many fair tasks that CPU has.
func (c *Core) Figures(id sched.ThreadID) (a, b int32) {
	t := &c.tasks[id]
	return int32(min(max(c.ahead(t)/1000, -1<<31), 1<<31-1)), int32(c.rq[t.CPU].nr)
}

func (c *Core) ahead(t *Task) int64 { return t.Vruntime - c.rq[t.CPU].minV }

// --- what is told and shown ---

// Explain implements sched.Policy.
func (p *Policy) Explain(r sched.Reason) string {
	at := "behind by " + millis(-int64(r.A)*1000)
	if r.A >= 0 {
		at = "ahead by " + millis(int64(r.A)*1000)
	}
	at = fmt.Sprintf("%s of virtual time among %d", at, r.B)
	switch r.Code {
	case linux26.WhyStays:
		return "It goes back into the tree, " + at + "."
	case linux26.WhyYielded:
		return "It yielded, which only charges it; it goes on unless another is further behind, " + at + "."
	case linux26.WhyForked:
		return "Its parent forked it: about a round behind, or in its parent's place if that would be first, " + at + "."
	case linux26.WhyBest:
		return "It has received the least virtual time of all that wait here, " + at + "."
	case linux26.WhyKept:
		return "It still has received the least virtual time, and begins another turn, " + at + "."
	}
	return linux26.Told(r, at)
}

// millis writes ns as ms with two digits.
func millis(ns int64) string { return fmt.Sprintf("%d.%02d ms", ns/1_000_000, ns/10_000%100) }

// Source implements sched.Sourcer.
func (p *Policy) Source(r sched.Reason) string {
	switch r.Code {
	case linux26.WhyBest, linux26.WhyKept:
		return "kernel/sched_fair.c: pick_next_task_fair"
	case linux26.WhyStays:
		return "kernel/sched_fair.c: put_prev_task_fair"
	case linux26.WhyForked:
		return "kernel/sched_fair.c: task_new_fair"
	case linux26.WhyYielded:
		return "kernel/sched_fair.c: yield_task_fair"
	case linux26.WhyRealtime:
		return "kernel/sched_rt.c: pick_next_task_rt"
	}
	return p.Driver.Source(r)
}

// Scored implements sched.Scorer.
func (p *Policy) Scored() string { return "µs of virtual time behind its CPU" }

// Score implements sched.Scorer: how far behind its CPU's virtual time it is.
func (p *Policy) Score(t *sched.Thread, _ *sched.CPU) (value int, sum string) {
	x := p.c.At(t.ID)
	if x.Policy != Normal {
		return 1_000_000_000 + int(x.RTPrio), fmt.Sprintf("real-time priority %d", x.RTPrio)
	}
	a, _ := p.c.Figures(t.ID)
	return int(-a), fmt.Sprintf("min_vruntime %s − vruntime %s", signed(p.c.rq[x.CPU].minV), signed(x.Vruntime))
}

func signed(ns int64) string {
	if ns < 0 {
		return "−" + millis(-ns)
	}
	return millis(ns)
}

// fields are the figures shown of each task.
var fields = []sched.Field{
	{Name: "vruntime", Unit: "µs", Help: "virtual time received: CPU time, faster the lower the weight"},
	{Name: "ahead", Unit: "µs", Help: "vruntime less its CPU's min_vruntime; who has least runs next"},
	{Name: "nice", Help: "−20 to 19, 0 by default; higher yields more"},
	{Name: "weight", Help: "1024 at nice 0, a quarter more for each step down"},
	{Name: "sum_exec", Unit: "µs", Help: "CPU time received"},
	{Name: "turn", Unit: "µs", Help: "CPU time since it was picked"},
	{Name: "quantum", Unit: "ms", Help: "what its turn may take before a tick ends it, among those on its CPU now"},
	{Name: "time_slice", Unit: "ticks", Help: "of RR tasks: ticks left"},
	{Name: "PRI", Help: "what top shows: 20 + nice, real-time below 0"},
	{Name: "rt_priority", Help: "of FIFO and RR tasks, 1 to 99"},
	{Name: "ticks", Help: "CPU time charged to it by clock ticks, in 10 ms as /proc counts it: what top's TIME counts"},
}

// Fields implements sched.Inspector.
func (p *Policy) Fields() []sched.Field { return fields }

// Values implements sched.Inspector.
func (p *Policy) Values(t *sched.Thread, row []int64) {
	x := p.c.At(t.ID)
	q := &p.c.rq[x.CPU]
	nr, load := q.nr, q.load
	if !x.OnRQ || x.realtime() {
		nr, load = nr+1, load+x.Weight
	}
	copy(row, []int64{
		x.Vruntime / 1000, p.c.ahead(x) / 1000, int64(x.Static - nicePrio), int64(x.Weight), x.SumExec / 1000, (x.SumExec - x.PrevSum) / 1000,
		p.c.SliceOf(nr, x.Weight, load) / 1_000_000, int64(x.Slice), int64(x.Prio - rtPrios), int64(x.RTPrio), x.Ticks * 100 / p.c.HZ,
	})
}

// Queues implements sched.Inspector: of each CPU the real-time tasks that wait, then
// the tree from the left.
func (p *Policy) Queues(visit func(q sched.Queue, waiting []sched.ThreadID)) {
	for cpu := range p.c.rq {
		q := &p.c.rq[cpu]
		p.buf = p.buf[:0]
		for prio := q.firstRT(0); prio < rtPrios; prio = q.firstRT(prio + 1) {
			for id := q.rt[prio].head; id != none; id = p.c.tasks[id].next {
				if id != q.cur {
					p.buf = append(p.buf, id)
				}
			}
		}
		if len(p.buf) > 0 {
			visit(sched.Queue{CPU: cpu, Priority: -1, Name: "real time"}, p.buf)
		}
		if len(q.tree) > 0 {
			visit(sched.Queue{CPU: cpu, Priority: -1, Name: "tree"}, q.tree)
		}
	}
}

// Priority implements sched.Prioritizer: PRI as top shows it, where less is better.
func (p *Policy) Priority(t *sched.Thread) int { return int(p.c.At(t.ID).Prio - rtPrios) }
