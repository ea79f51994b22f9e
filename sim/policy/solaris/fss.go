package solaris

import (
	"fmt"

	"strandscope/sim/sched"
)

// fssThread is a thread's private data in FSS.
type fssThread struct {
	fsspri   uint64
	ticks    uint64 // charged since the last newpri
	umdpri   int
	timeleft int
	nice     int
	upri     int
	uprilim  int
	flags    int
	active   bool // counted as runnable in its project
	acct     *fssProject
}

// fairShare is the fair-share class: projects own the machine by their shares,
// and a thread's priority sinks with what its project used.
//
// It follows uts/common/disp/fss.c of March 2008 (fss_tick, fss_newpri,
// fss_decay_usage, fss_update, fss_preempt, fss_wakeup, fss_setrun, fss_sleep,
// fss_forkret), as shared/reference/solaris/FACTS.md §5 states its rules.
//
// Where it differs: no preemption-control requests and no CPU caps. The share
// tree is per processor set, as in the kernel; what a project used in one set
// does not count in another.
type fairShare struct {
	quantum int // ticks
	start   int // umdpri of a thread that enters
	d       Disp
	th      sched.Table[fssThread]
	lists   updateLists
	tree    shareTree
}

const (
	fssQuantum = 11 // ticks: 110 ms
	fssStart   = 29
)

func newFSS(quantum, start int) *fairShare {
	return &fairShare{quantum: quantum, start: start}
}

func (c *fairShare) Name() string { return "FSS" }
func (c *fairShare) Init(d Disp)  { c.d = d }

func (c *fairShare) Enter(t *sched.Thread, p *sched.Params) error {
	if p.Nice < -20 || p.Nice > 19 {
		return fmt.Errorf("solaris: nice %d, want -20 to 19", p.Nice)
	}
	acct, err := c.tree.account(t.Set, t.Group)
	if err != nil {
		return err
	}
	x := c.th.At(t.ID)
	*x = fssThread{umdpri: c.start, timeleft: c.quantum, nice: p.Nice, upri: niceToUpri(p.Nice), acct: acct}
	x.uprilim = x.upri
	if p.Keep {
		x.upri, x.uprilim = p.Priority, p.Limit
	}
	if p.Start != nil {
		x.umdpri = *p.Start
	} else if p.Nice != 0 {
		// Setting a nice value computes the priority at once, and for a thread
		// that has used nothing yet that is 1 (README, "Rules that FACTS.md
		// leaves out").
		x.umdpri = 1
	}
	c.d.SetPri(t, x.umdpri)
	c.lists.add(c.d, t)
	return nil
}

func (c *fairShare) Fork(parent, child *sched.Thread) {
	p := *c.th.At(parent.ID)
	x := c.th.At(child.ID)
	*x = fssThread{umdpri: p.umdpri, timeleft: c.quantum, nice: p.nice, upri: p.upri, uprilim: p.uprilim, acct: p.acct}
	c.d.SetPri(child, x.umdpri)
	c.lists.add(c.d, child)
}

func (c *fairShare) ForkRet(parent *sched.Thread) {
	x := c.th.At(parent.ID)
	c.newPri(x)
	x.timeleft = c.quantum
	c.d.SetPri(parent, x.umdpri)
	c.SetRun(parent)
}

// newPri charges the thread for its ticks and turns fsspri into a priority
// (fss.c:fss_newpri, FACTS §5.5). A new maximum changes the divisor for every
// thread that is visited later in the same pass.
func (c *fairShare) newPri(x *fssThread) {
	a := x.acct
	if !a.hasShares() {
		x.umdpri, x.ticks = 0, 0
		return
	}
	x.fsspri, x.umdpri, a.set.maxfsspri = newPriority(x.fsspri, a.shusage, a.runnable, x.ticks, a.set.maxfsspri)
	x.ticks = 0
}

// newPriority is the arithmetic of newPri.
func newPriority(fsspri, shusage, runnable, ticks, maxfsspri uint64) (pri uint64, umdpri int, newMax uint64) {
	pri = fsspri + shusage*runnable*ticks
	f := max(pri, maxUserPri)
	if f >= maxfsspri {
		return pri, 1, f
	}
	return pri, int(maxUserPri - f*(maxUserPri-1)/maxfsspri), maxfsspri
}

func (c *fairShare) Tick(t *sched.Thread) {
	x := c.th.At(t.ID)
	x.acct.ticks += tickCost(x.nice)
	x.ticks++
	if x.flags&flagKPRI != 0 {
		return
	}
	x.timeleft--
	if x.timeleft <= 0 {
		from := x.umdpri
		c.newPri(x)
		c.d.SetPri(t, x.umdpri)
		x.flags |= flagBACKQ
		c.d.Note(t, sched.Reason{Code: whyQuantumUsed, A: int32(from), B: int32(x.umdpri)})
		c.d.Surrender(t)
	} else if mustSurrender(c.d, t) {
		x.flags |= flagBACKQ
		c.d.Surrender(t)
	}
}

func (c *fairShare) Quiet(t *sched.Thread) int64 {
	x := c.th.At(t.ID)
	if x.flags&flagKPRI != 0 {
		return sched.AllQuiet
	}
	return quiet(c.d, t, x.timeleft)
}

func (c *fairShare) Skip(t *sched.Thread, n int64) {
	x := c.th.At(t.ID)
	x.acct.ticks += uint64(n) * tickCost(x.nice)
	x.ticks += uint64(n)
	if x.flags&flagKPRI == 0 {
		x.timeleft -= int(n)
	}
}

func (c *fairShare) Preempt(t *sched.Thread) {
	x := c.th.At(t.ID)
	if x.flags&flagBACKQ == 0 {
		c.d.SetFrontDQ(t)
		return
	}
	if x.flags&flagKPRI == 0 {
		x.timeleft = c.quantum
	}
	x.flags &^= flagBACKQ
	c.d.SetBackDQ(t)
}

func (c *fairShare) Yield(t *sched.Thread) {
	x := c.th.At(t.ID)
	if x.timeleft < 0 {
		x.timeleft = c.quantum
	}
	x.flags &^= flagBACKQ
	c.d.SetBackDQ(t)
}

func (c *fairShare) Sleep(t *sched.Thread) {
	x := c.th.At(t.ID)
	c.inactive(x)
	switch {
	case c.d.KpriRequested(t):
		x.flags |= flagKPRI
		c.d.SetPri(t, kernelPri)
		c.d.PostTrapRet(t)
	case x.flags&flagKPRI != 0:
		c.backToUser(t, x)
	}
}

// backToUser gives the thread its user-mode priority, and the CPU to somebody
// better if there is one.
func (c *fairShare) backToUser(t *sched.Thread, x *fssThread) {
	x.flags &^= flagKPRI
	c.d.SetPri(t, x.umdpri)
	if mustSurrender(c.d, t) {
		c.d.Surrender(t)
	}
}

func (c *fairShare) Wakeup(t *sched.Thread) {
	x := c.th.At(t.ID)
	c.activate(x)
	switch {
	case x.flags&flagKPRI != 0:
		x.flags &^= flagBACKQ
		c.d.SetBackDQ(t)
	case c.d.KpriRequested(t):
		x.flags |= flagKPRI
		c.d.SetPri(t, kernelPri)
		c.d.PostTrapRet(t)
		c.d.SetBackDQ(t)
	case c.d.RanThisTick(t):
		x.flags &^= flagBACKQ
		c.d.SetFrontDQ(t)
	default:
		c.queueFresh(t, x)
	}
}

func (c *fairShare) queueFresh(t *sched.Thread, x *fssThread) {
	x.timeleft = c.quantum
	x.flags &^= flagBACKQ
	c.d.SetPri(t, x.umdpri)
	c.d.SetBackDQ(t)
}

func (c *fairShare) SetRun(t *sched.Thread) {
	x := c.th.At(t.ID)
	c.activate(x)
	x.timeleft = c.quantum
	x.flags &^= flagBACKQ
	if x.flags&flagKPRI == 0 {
		c.d.SetPri(t, x.umdpri)
	}
	if c.d.RanThisTick(t) {
		c.d.SetFrontDQ(t)
	} else {
		c.d.SetBackDQ(t)
	}
}

func (c *fairShare) activate(x *fssThread) {
	if !x.active {
		x.active = true
		x.acct.addRunnable()
	}
}

func (c *fairShare) inactive(x *fssThread) {
	if x.active {
		x.active = false
		x.acct.dropRunnable()
	}
}

func (c *fairShare) Exit(t *sched.Thread) {
	c.inactive(c.th.At(t.ID))
	c.lists.remove(c.d, t)
}

func (c *fairShare) TrapRet(t *sched.Thread) {
	x := c.th.At(t.ID)
	if x.flags&flagKPRI == 0 {
		return
	}
	c.backToUser(t, x)
}

func (c *fairShare) Update() {
	c.tree.decay()
	c.lists.walk(c.d, c.updateThread)
}

// updateThread is the once-a-second step for one thread (fss.c:fss_update).
func (c *fairShare) updateThread(t *sched.Thread) bool {
	x := c.th.At(t.ID)
	if x.flags&flagKPRI != 0 {
		return false
	}
	if x.acct.hasShares() {
		x.fsspri = x.fsspri * fssDecay(x.nice) / decayBase
	}
	if t.State != sched.Waiting {
		c.d.PostTrapRet(t)
		return false
	}
	c.newPri(x)
	if x.umdpri != c.d.Pri(t) {
		c.d.Note(t, sched.Reason{Code: whyShares, A: int32(c.d.Pri(t)), B: int32(x.umdpri)})
		c.d.ChangePri(t, x.umdpri, false)
		x.timeleft = c.quantum
	}
	return true
}

func (c *fairShare) Nice(t *sched.Thread, incr int) int {
	x := c.th.At(t.ID)
	if incr == 0 {
		return x.nice // a mere question
	}
	x.nice = min(max(x.nice+incr, -20), 19)
	x.upri = niceToUpri(x.nice)
	x.uprilim = x.upri
	c.changed(t, x)
	return x.nice
}

func (c *fairShare) Set(t *sched.Thread, p *sched.Params) error {
	if p.Priority < -maxUpri || p.Priority > maxUpri {
		return fmt.Errorf("solaris: FSS user priority %d, want -60 to 60", p.Priority)
	}
	if p.Limit < -maxUpri || p.Limit > maxUpri {
		return fmt.Errorf("solaris: FSS user priority limit %d, want -60 to 60", p.Limit)
	}
	x := c.th.At(t.ID)
	x.uprilim = p.Limit
	x.upri = min(p.Priority, p.Limit)
	x.nice = min(-x.upri*20/maxUpri, 19)
	c.changed(t, x)
	return nil
}

// changed recomputes the priority at once, wherever the thread is.
func (c *fairShare) changed(t *sched.Thread, x *fssThread) {
	if x.flags&flagKPRI != 0 {
		return
	}
	c.newPri(x)
	c.Requeue(t)
}

// Requeue implements Class.
func (c *fairShare) Requeue(t *sched.Thread) {
	x := c.th.At(t.ID)
	if t.State == sched.Running {
		c.d.SetPri(t, x.umdpri)
		if mustSurrender(c.d, t) {
			x.flags |= flagBACKQ
			c.d.Surrender(t)
		} else {
			x.timeleft = c.quantum
		}
		return
	}
	if c.d.ChangePri(t, x.umdpri, false) {
		x.timeleft = c.quantum
	} else {
		x.flags |= flagBACKQ
	}
}

func (c *fairShare) Show(t *sched.Thread, s *Shown) {
	x := c.th.At(t.ID)
	s.UserPri, s.Level, s.Upri, s.Uprilim, s.Nice = x.umdpri, x.umdpri, x.upri, x.uprilim, x.nice
	s.TimeLeft, s.Quantum, s.Flags = x.timeleft, c.quantum, x.flags
	s.FSSPri, s.Ticks = x.fsspri, x.ticks
	s.Usage, s.ShUsage, s.Shares = x.acct.usage, x.acct.shusage, x.acct.project.shares
}
