package solaris

import (
	"fmt"

	"strandscope/sim/sched"
)

// Limits of the time-sharing classes.
const (
	maxUserPri = 59 // highest user-mode priority of TS, IA and FSS
	kernelPri  = 60 // while a kernel-priority request is held
	iaBoost    = 10
	tsStart    = 29 // cpupri of a thread that enters without parameters
	maxUpri    = 60
)

// tsThread is a thread's private data in TS and IA.
type tsThread struct {
	cpupri, umdpri int
	upri, uprilim  int
	nice, boost    int
	timeleft       int // ticks
	dispwait       int // seconds since it last got on
	flags          int
}

// timeShare is the time-sharing class and, with interactive set, the
// interactive one: the same code and table plus a boost.
//
// It follows uts/common/disp/ts.c of March 2008 (ts_tick, ts_preempt, ts_sleep,
// ts_wakeup, ts_setrun, ts_trapret, ts_yield, ts_update, ts_donice,
// ts_parmsset, ts_forkret) and ia.c, as shared/reference/solaris/FACTS.md §3
// and §4 state their rules.
//
// Where it differs: no preemption-control requests (schedctl), no process
// groups or terminals: focus is set from outside.
type timeShare struct {
	interactive bool
	table       TSTable
	start       int
	d           Disp
	th          sched.Table[tsThread]
	lists       updateLists
}

func newTS(table TSTable, start int) *timeShare { return &timeShare{table: table, start: start} }

func (c *timeShare) Name() string {
	if c.interactive {
		return "IA"
	}
	return "TS"
}

func (c *timeShare) Init(d Disp) { c.d = d }

func (c *timeShare) Enter(t *sched.Thread, p *sched.Params) error {
	x := c.th.At(t.ID)
	*x = tsThread{cpupri: c.start, nice: p.Nice}
	if p.Start != nil {
		x.cpupri = *p.Start
	}
	if x.cpupri < 0 || x.cpupri > maxUserPri {
		return fmt.Errorf("solaris: %s level %d, want 0 to %d", c.Name(), x.cpupri, maxUserPri)
	}
	if c.interactive {
		x.flags |= flagIA
		x.boost = iaBoost
		if p.Boost != 0 {
			x.boost = p.Boost
		}
		if x.boost > 0 {
			x.flags |= flagIASET
		}
	}
	if p.Keep {
		x.upri, x.uprilim = p.Priority, p.Limit
	} else {
		x.upri = niceToUpri(p.Nice)
		x.uprilim = x.upri
	}
	if x.upri < -maxUpri || x.upri > maxUpri {
		return fmt.Errorf("solaris: %s user priority %d, want -60 to 60", c.Name(), x.upri)
	}
	c.newUmdpri(x)
	x.timeleft = c.table[x.cpupri].Quantum
	c.d.SetPri(t, x.umdpri)
	c.lists.add(c.d, t)
	return nil
}

func (c *timeShare) Fork(parent, child *sched.Thread) {
	p := *c.th.At(parent.ID)
	x := c.th.At(child.ID)
	*x = p
	x.timeleft = c.table[p.cpupri].Quantum
	x.dispwait = 0
	x.flags &^= flagKPRI | flagBACKQ | flagRESTORE
	c.d.SetPri(child, x.umdpri)
	c.lists.add(c.d, child)
}

func (c *timeShare) ForkRet(parent *sched.Thread) {
	x := c.th.At(parent.ID)
	x.cpupri = c.table[x.cpupri].TqExp
	c.newUmdpri(x)
	x.timeleft = c.table[x.cpupri].Quantum
	x.dispwait = 0
	c.d.SetPri(parent, x.umdpri)
	c.SetRun(parent)
}

func (c *timeShare) newUmdpri(x *tsThread) {
	x.umdpri = min(max(x.cpupri+x.upri+x.boost, 0), maxUserPri)
}

// expired moves a thread to the level that its table row names for a quantum
// used up.
func (c *timeShare) expired(x *tsThread) {
	x.cpupri = c.table[x.cpupri].TqExp
	c.newUmdpri(x)
	x.dispwait = 0
}

// lifted gives a thread that waited too long its slpret level and a quantum.
func (c *timeShare) lifted(x *tsThread) {
	x.cpupri = c.table[x.cpupri].SlpRet
	c.newUmdpri(x)
	x.timeleft = c.table[x.cpupri].Quantum
	x.dispwait = 0
}

func (c *timeShare) waitedTooLong(x *tsThread) bool { return x.dispwait > c.table[x.umdpri].MaxWait }

func (c *timeShare) Tick(t *sched.Thread) {
	x := c.th.At(t.ID)
	if x.flags&flagKPRI != 0 {
		return
	}
	x.timeleft--
	if x.timeleft <= 0 {
		from := x.cpupri
		c.expired(x)
		c.d.SetPri(t, x.umdpri)
		x.flags |= flagBACKQ
		c.d.Note(t, sched.Reason{Code: whyQuantumUsed, A: int32(from), B: int32(x.cpupri)})
		c.d.Surrender(t)
	} else if mustSurrender(c.d, t) {
		x.flags |= flagBACKQ
		c.d.Surrender(t)
	}
}

func (c *timeShare) Quiet(t *sched.Thread) int64 {
	x := c.th.At(t.ID)
	if x.flags&flagKPRI != 0 {
		return sched.AllQuiet
	}
	return quiet(c.d, t, x.timeleft)
}

func (c *timeShare) Skip(t *sched.Thread, n int64) {
	if x := c.th.At(t.ID); x.flags&flagKPRI == 0 {
		x.timeleft -= int(n)
	}
}

func (c *timeShare) Preempt(t *sched.Thread) {
	x := c.th.At(t.ID)
	if x.flags&flagKPRI == 0 && c.d.KpriRequested(t) {
		c.raise(t, x)
		c.d.PostTrapRet(t)
	}
	if x.flags&flagBACKQ == 0 {
		c.d.SetFrontDQ(t)
		return
	}
	if x.flags&flagKPRI == 0 {
		x.timeleft = c.table[x.cpupri].Quantum
		x.dispwait = 0
	}
	x.flags &^= flagBACKQ
	c.d.SetBackDQ(t)
}

// raise gives the kernel priority that a held lock asks for.
func (c *timeShare) raise(t *sched.Thread, x *tsThread) {
	x.flags |= flagKPRI
	c.d.SetPri(t, kernelPri)
}

func (c *timeShare) Yield(t *sched.Thread) {
	x := c.th.At(t.ID)
	if x.timeleft <= 0 {
		c.expired(x)
		x.timeleft = c.table[x.cpupri].Quantum
		c.d.SetPri(t, x.umdpri)
	}
	x.flags &^= flagBACKQ
	c.d.SetBackDQ(t)
}

func (c *timeShare) TrapRet(t *sched.Thread) {
	x := c.th.At(t.ID)
	switch {
	case c.waitedTooLong(x):
		c.lifted(x)
	case x.flags&flagKPRI != 0:
	default:
		return
	}
	c.backToUser(t, x)
}

// backToUser gives the thread its user-mode priority, and the CPU to somebody
// better if there is one.
func (c *timeShare) backToUser(t *sched.Thread, x *tsThread) {
	x.flags &^= flagKPRI
	c.d.SetPri(t, x.umdpri)
	if mustSurrender(c.d, t) {
		c.d.Surrender(t)
	}
}

func (c *timeShare) Sleep(t *sched.Thread) {
	x := c.th.At(t.ID)
	switch {
	case c.d.KpriRequested(t):
		c.raise(t, x)
		c.d.PostTrapRet(t)
		return
	case c.waitedTooLong(x):
		c.lifted(x)
	case x.flags&flagKPRI != 0:
	default:
		return
	}
	c.backToUser(t, x)
}

func (c *timeShare) Wakeup(t *sched.Thread) {
	x := c.th.At(t.ID)
	switch {
	case x.flags&flagKPRI != 0:
		x.flags &^= flagBACKQ
		if x.flags&flagIASET != 0 {
			c.d.SetFrontDQ(t)
		} else {
			c.d.SetBackDQ(t)
		}
	case c.d.KpriRequested(t):
		c.raise(t, x)
		c.d.PostTrapRet(t)
		c.d.SetBackDQ(t)
	default:
		c.SetRun(t)
	}
}

func (c *timeShare) SetRun(t *sched.Thread) {
	x := c.th.At(t.ID)
	if c.waitedTooLong(x) {
		c.lifted(x)
		if x.flags&flagKPRI == 0 {
			c.d.SetPri(t, x.umdpri)
		}
	}
	x.flags &^= flagBACKQ
	front := c.d.RanThisTick(t)
	if x.flags&flagIA != 0 {
		front = x.flags&flagIASET != 0
	}
	if front {
		c.d.SetFrontDQ(t)
	} else {
		c.d.SetBackDQ(t)
	}
}

func (c *timeShare) Exit(t *sched.Thread) { c.lists.remove(c.d, t) }

func (c *timeShare) Update() { c.lists.walk(c.d, c.updateThread) }

// updateThread is the once-a-second step for one thread.
func (c *timeShare) updateThread(t *sched.Thread) bool {
	x := c.th.At(t.ID)
	x.dispwait++
	if x.flags&flagKPRI != 0 || !c.waitedTooLong(x) {
		return false
	}
	if t.State == sched.Running {
		c.d.PostTrapRet(t)
		return false
	}
	x.cpupri = c.table[x.cpupri].LWait
	c.newUmdpri(x)
	x.dispwait = 0
	if x.umdpri != c.d.Pri(t) {
		c.d.Note(t, sched.Reason{Code: whyLifted, A: int32(c.d.Pri(t)), B: int32(x.umdpri)})
		c.changePriority(t, x)
	}
	return true
}

// Requeue implements Class.
func (c *timeShare) Requeue(t *sched.Thread) { c.changePriority(t, c.th.At(t.ID)) }

// changePriority makes umdpri the thread's priority wherever it is.
func (c *timeShare) changePriority(t *sched.Thread, x *tsThread) {
	if t.State == sched.Running {
		c.d.SetPri(t, x.umdpri)
		if mustSurrender(c.d, t) {
			x.flags |= flagBACKQ
			c.d.Surrender(t)
		} else {
			x.timeleft = c.table[x.cpupri].Quantum
		}
		return
	}
	if c.d.ChangePri(t, x.umdpri, x.flags&flagIASET != 0) {
		x.timeleft = c.table[x.cpupri].Quantum
	} else {
		x.flags |= flagBACKQ
	}
}

func (c *timeShare) Nice(t *sched.Thread, incr int) int {
	x := c.th.At(t.ID)
	if incr == 0 {
		return x.nice // a mere question
	}
	nice := min(max(x.nice+incr, -20), 19)
	upri := niceToUpri(nice)
	c.setUpri(t, x, upri, upri)
	x.nice = nice
	return nice
}

func (c *timeShare) Set(t *sched.Thread, p *sched.Params) error {
	x := c.th.At(t.ID)
	if c.interactive && p.Boost != 0 {
		return c.setFocus(t, x, p.Boost)
	}
	if p.Limit < -maxUpri || p.Limit > maxUpri {
		return fmt.Errorf("solaris: %s user priority limit %d, want -60 to 60", c.Name(), p.Limit)
	}
	if p.Priority < -maxUpri || p.Priority > maxUpri {
		return fmt.Errorf("solaris: %s user priority %d, want -60 to 60", c.Name(), p.Priority)
	}
	c.setUpri(t, x, p.Priority, p.Limit)
	return nil
}

// setFocus turns the interactive boost on or off (ia.c): +10 for the window in
// focus, −10 for one that lost it.
func (c *timeShare) setFocus(t *sched.Thread, x *tsThread, boost int) error {
	if boost != iaBoost && boost != -iaBoost {
		return fmt.Errorf("solaris: IA boost %d, want %d or %d", boost, iaBoost, -iaBoost)
	}
	x.boost = boost
	x.flags &^= flagIASET
	if boost > 0 {
		x.flags |= flagIASET
	}
	c.newUmdpri(x)
	if x.flags&flagKPRI == 0 {
		x.dispwait = 0
		c.changePriority(t, x)
	}
	return nil
}

func (c *timeShare) setUpri(t *sched.Thread, x *tsThread, upri, limit int) {
	upri = min(upri, limit)
	x.upri, x.uprilim = upri, limit
	x.nice = min(-upri*20/maxUpri, 19)
	c.newUmdpri(x)
	if x.flags&flagKPRI != 0 {
		return
	}
	x.dispwait = 0
	c.changePriority(t, x)
}

func (c *timeShare) Show(t *sched.Thread, s *Shown) {
	x := c.th.At(t.ID)
	s.Level, s.UserPri, s.Upri, s.Uprilim, s.Nice = x.cpupri, x.umdpri, x.upri, x.uprilim, x.nice
	s.TimeLeft, s.Quantum, s.DispWait, s.Flags = x.timeleft, c.table[x.cpupri].Quantum, x.dispwait, x.flags
}

// niceToUpri: a nice value as user priority, −3 for each step (FACTS §3.7).
func niceToUpri(nice int) int { return -nice * maxUpri / 20 }
