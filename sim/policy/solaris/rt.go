package solaris

import (
	"fmt"

	"strandscope/sim/sched"
)

// realTime is the real-time class: above everything else, with a quantum that
// is fresh whenever the thread becomes runnable.
//
// It follows uts/common/disp/rt.c (rt_tick, rt_preempt, rt_wakeup, rt_setrun),
// as shared/reference/solaris/FACTS.md §6 states its rules.
//
// Where it differs: no quantum-expiry signals.
type realTime struct {
	table RTTable
	d     Disp
	th    sched.Table[fixedThread]
}

func (c *realTime) Name() string { return "RT" }
func (c *realTime) Init(d Disp)  { c.d = d }

func (c *realTime) Enter(t *sched.Thread, p *sched.Params) error {
	if p.Priority < 0 || p.Priority > 59 {
		return fmt.Errorf("solaris: RT priority %d, want 0 to 59", p.Priority)
	}
	if err := checkQuantum("RT", p.Quantum); err != nil {
		return err
	}
	x := c.th.At(t.ID)
	*x = fixedThread{pri: p.Priority, limit: 59, quantum: ownQuantum(p.Quantum, c.table[p.Priority])}
	x.timeleft = x.quantum
	c.d.SetPri(t, rtBase+x.pri)
	return nil
}

func (c *realTime) Fork(parent, child *sched.Thread) {
	x := c.th.At(child.ID)
	*x = *c.th.At(parent.ID)
	x.timeleft, x.backq = x.quantum, false
	c.d.SetPri(child, rtBase+x.pri)
}

func (c *realTime) ForkRet(parent *sched.Thread) { c.SetRun(parent) }

func (c *realTime) Tick(t *sched.Thread) {
	x := c.th.At(t.ID)
	expired := false
	if x.quantum != quantumInfinite {
		x.timeleft--
		expired = x.timeleft == 0
	}
	x.ticked(c.d, t, expired)
}

func (c *realTime) Quiet(t *sched.Thread) int64 { return c.th.At(t.ID).quiet(c.d, t) }

func (c *realTime) Skip(t *sched.Thread, n int64) { c.th.At(t.ID).skip(n) }

func (c *realTime) Preempt(t *sched.Thread) { c.th.At(t.ID).preempted(c.d, t) }

func (c *realTime) Yield(t *sched.Thread) {
	c.th.At(t.ID).backq = false
	c.d.SetBackDQ(t)
}

func (c *realTime) SetRun(t *sched.Thread) {
	x := c.th.At(t.ID)
	x.timeleft, x.backq = x.quantum, false
	c.d.SetBackDQ(t)
}

func (c *realTime) Wakeup(t *sched.Thread)         { c.SetRun(t) }
func (c *realTime) Sleep(*sched.Thread)            {}
func (c *realTime) Exit(*sched.Thread)             {}
func (c *realTime) TrapRet(*sched.Thread)          {}
func (c *realTime) Update()                        {}
func (c *realTime) Nice(*sched.Thread, int) int    { return 0 }
func (c *realTime) Show(t *sched.Thread, s *Shown) { c.th.At(t.ID).show(s) }

func (c *realTime) Set(t *sched.Thread, p *sched.Params) error {
	if p.Priority < 0 || p.Priority > 59 {
		return fmt.Errorf("solaris: RT priority %d, want 0 to 59", p.Priority)
	}
	if err := checkQuantum("RT", p.Quantum); err != nil {
		return err
	}
	x := c.th.At(t.ID)
	x.pri, x.quantum = p.Priority, ownQuantum(p.Quantum, c.table[p.Priority])
	x.timeleft = x.quantum
	c.Requeue(t)
	return nil
}

// Requeue implements Class.
func (c *realTime) Requeue(t *sched.Thread) {
	x := c.th.At(t.ID)
	if t.State == sched.Running {
		c.d.SetPri(t, rtBase+x.pri)
		if mustSurrender(c.d, t) {
			x.backq = true
			c.d.Surrender(t)
		}
		return
	}
	if !c.d.ChangePri(t, rtBase+x.pri, false) {
		x.backq = true
	}
}
