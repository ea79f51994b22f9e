package solaris

import "strandscope/sim/sched"

// fields are the figures shown of each thread.
var fields = []sched.Field{
	{Name: "pri", Help: "global priority, 0 to 159: the dispatcher runs the highest"},
	{Name: "level", Help: "cpupri: the row of the dispatch table that the thread stands on"},
	{Name: "timeleft", Unit: "ticks", Help: "what is left of its quantum"},
	{Name: "quantum", Unit: "ticks", Help: "a full quantum at its level; 0 without one"},
	{Name: "dispwait", Unit: "s", Help: "updates since it last started a quantum; above maxwait it is lifted"},
	{Name: "nice", Help: "−20 to 19, 0 by default; higher yields more"},
	{Name: "fsspri", Help: "what its project's use weighs against it (FSS)"},
	{Name: "usage", Help: "decayed use of its project (FSS)"},
	{Name: "shares", Help: "shares of its project: a ratio, not CPUs or a cap (FSS)"},
}

// Fields implements sched.Inspector.
func (p *Policy) Fields() []sched.Field { return fields }

// Values implements sched.Inspector.
func (p *Policy) Values(t *sched.Thread, row []int64) {
	s := p.Show(t)
	copy(row, []int64{
		int64(p.Priority(t)), int64(s.Level), int64(s.TimeLeft), int64(s.Quantum), int64(s.DispWait),
		int64(s.Nice), int64(s.FSSPri), int64(s.Usage), int64(s.Shares),
	})
}

// Show returns what the thread's class shows of it.
func (p *Policy) Show(t *sched.Thread) Shown {
	var s Shown
	p.disp.th.At(t.ID).class.Show(t, &s)
	return s
}

// ClassOf names a thread's class.
func (p *Policy) ClassOf(t *sched.Thread) string { return p.disp.th.At(t.ID).class.Name() }

// TrapRetDue reports whether t will pass through trap return.
func (p *Policy) TrapRetDue(t *sched.Thread) bool { return p.disp.th.At(t.ID).trapret }

// Queues implements sched.Inspector: kernel-preemption queues first, then the
// CPUs' by id, each from its best priority down.
func (p *Policy) Queues(visit func(q sched.Queue, waiting []sched.ThreadID)) {
	for _, part := range p.disp.parts {
		if part.kpq.n > 0 {
			p.buf = part.kpq.visit(p.buf, func(pri int, ids []sched.ThreadID) {
				visit(sched.Queue{CPU: sched.NoCPU, Set: part.id, Priority: pri, Name: "kernel preemption"}, ids)
			})
		}
	}
	for i := range p.disp.cpus {
		cd := &p.disp.cpus[i]
		if cd.q.n > 0 {
			p.buf = cd.q.visit(p.buf, func(pri int, ids []sched.ThreadID) {
				visit(sched.Queue{CPU: i, Set: cd.part.id, Priority: pri, Name: "dispatch queue"}, ids)
			})
		}
	}
}

// Accounts are a project's figures in one processor set, for tables and for
// checking recorded rows: usage, weighed usage, cost of this second, runnable
// threads.
type Accounts struct {
	Usage, ShUsage, Ticks, Runnable uint64
	MaxFSSPri, SetShares            uint64
}

// ProjectAccounts returns the account of a project in a processor set.
func (p *Policy) ProjectAccounts(set int, id sched.GroupID) (Accounts, error) {
	a, err := p.fss.tree.account(set, id)
	if err != nil {
		return Accounts{}, err
	}
	return Accounts{a.usage, a.shusage, a.ticks, a.runnable, a.set.maxfsspri, a.set.shares}, nil
}
