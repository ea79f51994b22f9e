package solaris

import (
	"fmt"

	"strandscope/sim/sched"
)

// Quanta of one's own, as a thread's parameters give them.
const (
	quantumDefault  = 0  // the table's
	quantumInfinite = -2 // RT_TQINF, FX_TQINF
)

// fixedThread is a thread's private data in FX and RT.
type fixedThread struct {
	pri, limit int
	nice       int
	quantum    int // ticks; quantumInfinite
	timeleft   int
	backq      bool
}

// fixedPriority is the fixed-priority class: a level and a quantum that nothing
// but priocntl changes.
//
// It follows uts/common/disp/fx.c (fx_tick, fx_preempt, fx_wakeup, fx_setrun),
// as shared/reference/solaris/FACTS.md §6 states its rules.
//
// Where it differs: no callbacks (fx_callback), no preemption-control requests.
type fixedPriority struct {
	table RTTable
	d     Disp
	th    sched.Table[fixedThread]
}

func (c *fixedPriority) Name() string { return "FX" }
func (c *fixedPriority) Init(d Disp)  { c.d = d }

func (c *fixedPriority) Enter(t *sched.Thread, p *sched.Params) error {
	x := c.th.At(t.ID)
	*x = fixedThread{pri: p.Priority, limit: p.Limit, nice: p.Nice}
	if !p.Keep && p.Nice < 0 {
		x.pri = niceToUpri(p.Nice)
	}
	if x.pri < 0 || x.pri > 60 {
		return fmt.Errorf("solaris: FX user priority %d, want 0 to 60", x.pri)
	}
	if err := checkQuantum("FX", p.Quantum); err != nil {
		return err
	}
	x.limit = max(x.limit, x.pri)
	x.quantum = ownQuantum(p.Quantum, c.table[x.pri])
	x.timeleft = x.quantum
	c.d.SetPri(t, x.pri)
	return nil
}

// checkQuantum refuses a quantum that would never end, or end at every tick.
func checkQuantum(class string, ticks int) error {
	if ticks >= 1 || ticks == quantumDefault || ticks == quantumInfinite {
		return nil
	}
	return fmt.Errorf("solaris: %s quantum %d ticks, want 1 and more, or %d for an infinite one", class, ticks, quantumInfinite)
}

func ownQuantum(asked, table int) int {
	if asked == quantumDefault {
		return table
	}
	return asked
}

func (c *fixedPriority) Fork(parent, child *sched.Thread) {
	x := c.th.At(child.ID)
	*x = *c.th.At(parent.ID)
	x.timeleft, x.backq = x.quantum, false
	c.d.SetPri(child, x.pri)
}

func (c *fixedPriority) ForkRet(parent *sched.Thread) { c.SetRun(parent) }

func (c *fixedPriority) Tick(t *sched.Thread) {
	x := c.th.At(t.ID)
	expired := false
	if x.quantum != quantumInfinite {
		x.timeleft--
		expired = x.timeleft <= 0
	}
	x.ticked(c.d, t, expired)
}

// ticked surrenders the CPU after a tick, if the quantum is used up or something
// of higher priority waits.
func (x *fixedThread) ticked(d Disp, t *sched.Thread, expired bool) {
	if expired {
		d.Note(t, sched.Reason{Code: whyQuantumUsed, A: int32(x.pri), B: int32(x.pri)})
	}
	if expired || mustSurrender(d, t) {
		x.backq = true
		d.Surrender(t)
	}
}

func (c *fixedPriority) Quiet(t *sched.Thread) int64 { return c.th.At(t.ID).quiet(c.d, t) }

func (c *fixedPriority) Skip(t *sched.Thread, n int64) { c.th.At(t.ID).skip(n) }

func (c *fixedPriority) Preempt(t *sched.Thread) { c.th.At(t.ID).preempted(c.d, t) }

func (x *fixedThread) quiet(d Disp, t *sched.Thread) int64 {
	if x.quantum == quantumInfinite {
		if mustSurrender(d, t) {
			return 0
		}
		return sched.AllQuiet
	}
	return quiet(d, t, x.timeleft)
}

func (x *fixedThread) skip(n int64) {
	if x.quantum != quantumInfinite {
		x.timeleft -= int(n)
	}
}

// preempted queues at the front who was merely displaced, and at the back, with a
// fresh quantum, who surrendered the CPU.
func (x *fixedThread) preempted(d Disp, t *sched.Thread) {
	if !x.backq {
		d.SetFrontDQ(t)
		return
	}
	x.backq = false
	x.timeleft = x.quantum
	d.SetBackDQ(t)
}

func (c *fixedPriority) Yield(t *sched.Thread) {
	x := c.th.At(t.ID)
	if x.timeleft <= 0 {
		x.timeleft = x.quantum
	}
	x.backq = false
	c.d.SetBackDQ(t)
}

func (c *fixedPriority) SetRun(t *sched.Thread) {
	c.th.At(t.ID).backq = false
	if c.d.RanThisTick(t) {
		c.d.SetFrontDQ(t)
	} else {
		c.d.SetBackDQ(t)
	}
}

func (c *fixedPriority) Wakeup(t *sched.Thread) { c.SetRun(t) }
func (c *fixedPriority) Sleep(*sched.Thread)    {}
func (c *fixedPriority) Exit(*sched.Thread)     {}
func (c *fixedPriority) TrapRet(*sched.Thread)  {}
func (c *fixedPriority) Update()                {}

func (c *fixedPriority) Nice(t *sched.Thread, incr int) int {
	x := c.th.At(t.ID)
	if incr == 0 {
		return x.nice // a mere question
	}
	// Positive nice has no effect in FX.
	x.nice = min(max(x.nice+incr, -20), 0)
	x.pri = niceToUpri(x.nice)
	x.limit = max(x.limit, x.pri)
	c.changed(t, x, c.table[x.pri])
	return x.nice
}

func (c *fixedPriority) Set(t *sched.Thread, p *sched.Params) error {
	if p.Priority < 0 || p.Priority > 60 {
		return fmt.Errorf("solaris: FX user priority %d, want 0 to 60", p.Priority)
	}
	if err := checkQuantum("FX", p.Quantum); err != nil {
		return err
	}
	x := c.th.At(t.ID)
	x.pri, x.limit = p.Priority, max(p.Limit, p.Priority)
	c.changed(t, x, ownQuantum(p.Quantum, c.table[x.pri]))
	return nil
}

func (c *fixedPriority) changed(t *sched.Thread, x *fixedThread, quantum int) {
	x.quantum = quantum
	c.Requeue(t)
}

// Requeue implements Class.
func (c *fixedPriority) Requeue(t *sched.Thread) {
	x := c.th.At(t.ID)
	if t.State == sched.Running {
		c.d.SetPri(t, x.pri)
		if mustSurrender(c.d, t) {
			x.backq = true
			c.d.Surrender(t)
		} else {
			x.timeleft = x.quantum
		}
		return
	}
	if c.d.ChangePri(t, x.pri, false) {
		x.timeleft = x.quantum
	} else {
		x.backq = true
	}
}

func (c *fixedPriority) Show(t *sched.Thread, s *Shown) { c.th.At(t.ID).show(s) }

func (x *fixedThread) show(s *Shown) {
	s.Level, s.UserPri, s.Upri, s.Uprilim, s.Nice = x.pri, x.pri, x.pri, x.limit, x.nice
	s.TimeLeft, s.Quantum = x.timeleft, max(0, x.quantum)
	if x.backq {
		s.Flags = flagBACKQ
	}
}
