package linuxo1

import (
	"fmt"

	"strandscope/sim/policy/linux26"
	"strandscope/sim/sched"
)

// CacheHot is how long, in ns, a task counts as hot in its cache. The kernel measures
// it when it boots; this is the constant of the recorded data.
const CacheHot = 2_500_000

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
	p.c = NewCore(n, linux26.HZ, n == 1, CacheHot, 0, p)
	p.Attach(k, p.c, "linuxo1", p.class)
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

// Bind implements linux26.Core.
func (c *Core) Bind(id sched.ThreadID, cpu int) { c.tasks[id].Bound = int32(cpu) }

// CPUOf implements linux26.Core.
func (c *Core) CPUOf(id sched.ThreadID) int { return int(c.tasks[id].CPU) }

// ParamsOf implements linux26.Core.
func (c *Core) ParamsOf(id sched.ThreadID) (nice int32, policy uint8, rtPrio int32) {
	t := &c.tasks[id]
	return t.Static - nicePrio, t.Policy, t.RTPrio
}

// Figures implements linux26.Core: priority and bonus.
func (c *Core) Figures(id sched.ThreadID) (a, b int32) {
	t := &c.tasks[id]
	return t.Prio, int32(c.Bonus(t))
}

// --- what is told and shown ---

// Explain implements sched.Policy.
func (p *Policy) Explain(r sched.Reason) string {
	at := fmt.Sprintf("at priority %d, bonus %d of 10", r.A, r.B)
	switch r.Code {
	case linux26.WhyStays:
		return "It keeps its place in the active array, " + at + "."
	case linux26.WhyExpired:
		return "It used up its slice and does not count as interactive, or others starve: to the expired array, " + at + "."
	case linux26.WhyYielded:
		return "It yielded: to the expired array, behind everybody there, for a whole round."
	case linux26.WhyForked:
		return "Its parent forked it: directly before the parent in the parent's list, with half of the parent's slice, " + at + "."
	case linux26.WhyBest:
		return "It is the first of the best list in the active array, " + at + "."
	case linux26.WhyKept:
		return "It is still the first of the best list in the active array, " + at + "."
	case linux26.WhySwapped:
		return "Nobody was left in the active array, so the two arrays changed places; it is the first of the best list, " + at + "."
	}
	return linux26.Told(r, at)
}

// Scored implements sched.Scorer.
func (p *Policy) Scored() string { return "140 less priority" }

// Score implements sched.Scorer. One in the expired array is behind all others.
func (p *Policy) Score(t *sched.Thread, _ *sched.CPU) (value int, sum string) {
	x := p.c.At(t.ID)
	switch {
	case x.Policy != Normal:
		return int(prios - x.Prio), fmt.Sprintf("real-time priority %d", x.RTPrio)
	case p.c.expired(x):
		return int(-x.Prio), fmt.Sprintf("priority %d, and its slice has expired", x.Prio)
	}
	return int(prios - x.Prio), fmt.Sprintf("priority %d: %d with nice %d, %+d for sleep", x.Prio, x.Static, x.Static-nicePrio, x.Prio-x.Static)
}
