package solaris

import (
	"fmt"

	"strandscope/sim/sched"
)

// system is the class of kernel threads: preempted to the front, woken to the
// back, no quantum (uts/common/disp/sysclass.c; FACTS §6).
//
// Where it differs: only the thread of the once-a-second updates lives in it.
type system struct {
	d Disp
}

func (c *system) Name() string { return "SYS" }
func (c *system) Init(d Disp)  { c.d = d }

func (c *system) Enter(t *sched.Thread, p *sched.Params) error {
	if p.Priority < 60 || p.Priority > 99 {
		return fmt.Errorf("solaris: SYS priority %d, want 60 to 99", p.Priority)
	}
	c.d.SetPri(t, p.Priority)
	return nil
}

func (c *system) Fork(parent, child *sched.Thread) { c.d.SetPri(child, c.d.Pri(parent)) }
func (c *system) ForkRet(parent *sched.Thread)     { c.d.SetBackDQ(parent) }
func (c *system) Preempt(t *sched.Thread)          { c.d.SetFrontDQ(t) }
func (c *system) SetRun(t *sched.Thread)           { c.d.SetBackDQ(t) }
func (c *system) Wakeup(t *sched.Thread)           { c.d.SetBackDQ(t) }
func (c *system) Yield(t *sched.Thread)            { c.d.SetBackDQ(t) }
func (c *system) Sleep(*sched.Thread)              {}
func (c *system) Exit(*sched.Thread)               {}
func (c *system) Tick(*sched.Thread)               {}
func (c *system) Quiet(*sched.Thread) int64        { return sched.AllQuiet }
func (c *system) Skip(*sched.Thread, int64)        {}
func (c *system) TrapRet(*sched.Thread)            {}
func (c *system) Requeue(*sched.Thread)            {}
func (c *system) Update()                          {}
func (c *system) Nice(*sched.Thread, int) int      { return 0 }
func (c *system) Show(*sched.Thread, *Shown)       {}
func (c *system) Set(*sched.Thread, *sched.Params) error {
	return fmt.Errorf("solaris: a SYS thread has no parameters")
}
