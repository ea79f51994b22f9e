package linux6

import (
	"fmt"

	"strandscope/sim/clock"
	"strandscope/sim/policy/linuxcfs6"
	"strandscope/sim/policy/linuxeevdf"
	fair "strandscope/sim/policy/linuxfair"
	"strandscope/sim/sched"
)

// HZ is the clock rate: 250 ticks a second, as distributions set it.
const HZ = 250

// Version is whose rules apply.
type Version uint8

// The versions: 6.1.176, 6.12.95 and 6.18.15.
const (
	V61 Version = iota
	V612
	V618
)

// Options are what a scenario may set.
type Options struct {
	Version Version
	// DefaultClass is that of tasks which name none: OTHER unless set.
	DefaultClass string
	// Factor, if set, scales the tunables as a machine of more CPUs would: 1 to 4.
	Factor int64
}

// class is a task's policy.
type class uint8

const (
	other class = iota
	batch
	idle
	fifo
	rr
)

var classNames = [...]string{"OTHER", "BATCH", "IDLE", "FIFO", "RR"}

func (c class) realtime() bool { return c >= fifo }

// rrSlice is the slice of SCHED_RR in ticks: 100 ms.
const rrSlice = HZ / 10

// task is what the scheduler keeps of a thread.
type task struct {
	t     *sched.Thread
	e     *fair.Entity
	class class
	prio  int32 // of real-time tasks, 1…99
	left  int32 // ticks of an RR task's slice
	cpu   int32 // whose queue it is in, or was in last
	rt    bool  // in a real-time queue
	gone  bool
	owed  int64 // when it first becomes runnable and has not run; 0: nothing is said

	// Several CPUs only.
	avg    average
	seq    int64 // when it was queued or ran last, among all
	recent int32 // the CPU it used before the last one
	wakee  *task
	flips  int32 // how often it woke another than the time before
	decay  clock.Time
}

// cpu is a CPU's run queue.
type cpu struct {
	id   int
	hw   *sched.CPU // the machine's
	fair fair.Queue
	s    *fair.State
	rt   []*task // in order of priority, the running one included
	curr *task   // nil: idle
	bal  balancer
}

// n is how many tasks the queue has, delayed ones included (rq->nr_running).
func (c *cpu) n() int { return c.s.N + len(c.rt) }

// Policy is the scheduler.
type Policy struct {
	opt   Options
	k     sched.Kernel
	cpus  []cpu
	tasks []*task // by thread
	smp   bool
	seq   int64
	scan  int // CPUs that the search for an idle one looks at (sd_share->nr_idle_scan)
	buf   []sched.ThreadID

	stats []figures // of the last survey, by CPU
}

// New returns a policy that is ready to boot.
func New(o Options) *Policy { return &Policy{opt: o} }

// factor is what the tunables are scaled by (get_update_sysctl_factor).
func factor(cpus int) int64 {
	f := int64(1)
	for n := min(cpus, 8); n > 1; n /= 2 {
		f++
	}
	return f
}

// Boot implements sched.Policy.
func (p *Policy) Boot(k sched.Kernel) error {
	n := len(k.CPUs())
	f := p.opt.Factor
	if f == 0 {
		f = factor(n)
	}
	if f < 1 || f > 4 {
		return fmt.Errorf("linux6: factor %d of the tunables, want 1 to 4", f)
	}
	p.k, p.smp, p.scan = k, n > 1, n
	p.cpus = make([]cpu, n)
	p.stats = make([]figures, n)
	for i := range p.cpus {
		c := &p.cpus[i]
		c.id, c.hw = i, k.CPUs()[i]
		switch p.opt.Version {
		case V61:
			c.fair = linuxcfs6.New(linuxcfs6.Defaults(f))
		case V612:
			c.fair = linuxeevdf.New(linuxeevdf.V612, linuxeevdf.BaseSlice(f))
		default:
			c.fair = linuxeevdf.New(linuxeevdf.V618, linuxeevdf.BaseSlice(f))
		}
		c.s = c.fair.Base()
		c.bal.boot(n)
	}
	return nil
}

// eevdf is a CPU's queue where the kernel has that kind, else nil.
func (c *cpu) eevdf() *linuxeevdf.Queue {
	q, _ := c.fair.(*linuxeevdf.Queue)
	return q
}

// Admit implements sched.Policy.
func (p *Policy) Admit(t *sched.Thread, par *sched.Params) error {
	x := &task{t: t, e: &fair.Entity{ID: int32(t.ID)}, cpu: int32(max(0, t.CPU)), recent: -1, left: rrSlice}
	p.tasks = append(p.tasks, x)
	if par == nil {
		parent := p.tasks[t.Parent]
		x.class, x.prio = parent.class, parent.prio
		x.e.SetNice(parent.e.Nice, parent.e.Idle)
		x.e.Mild, x.e.Slice, x.e.Custom = parent.e.Mild, parent.e.Slice, parent.e.Custom
		return nil
	}
	class, prio, err := p.read(par)
	if err != nil {
		return err
	}
	p.take(x, par, class, prio)
	return nil
}

// take gives a task that is in no queue its parameters.
func (p *Policy) take(x *task, par *sched.Params, to class, prio int32) {
	x.class, x.prio = to, prio
	x.e.SetNice(par.Nice, to == idle)
	x.e.Mild = to == batch || to == idle
	x.owed = par.Owed
	p.slice(x, par)
}

// enter puts a task of the fair class in that wakes, or, with what it is owed, one that
// has not run yet.
func (p *Policy) enter(c *cpu, x *task) {
	if x.owed == 0 || x.e.Sum > 0 || x.e.Delayed {
		c.fair.Wake(x.e)
		return
	}
	if q := c.eevdf(); q != nil {
		x.e.Lag, x.e.Rel = x.owed, false
		q.Wake(x.e)
		return
	}
	c.fair.(*linuxcfs6.Queue).Charge()
	x.e.V = c.fair.VirtualTime() - x.owed
	c.fair.(*linuxcfs6.Queue).Restore(x.e)
}

// read checks parameters and takes the class and the priority out of them.
func (p *Policy) read(par *sched.Params) (class, int32, error) {
	name := par.Class
	if name == "" {
		name = p.opt.DefaultClass
	}
	c := other
	for name != "" && classNames[c] != name {
		if c++; int(c) == len(classNames) {
			return 0, 0, fmt.Errorf("linux6: class %q is unknown, want OTHER, BATCH, IDLE, FIFO or RR", name)
		}
	}
	prio := par.Priority
	if c.realtime() && prio == 0 && par.Class == "" {
		prio = 1
	}
	if !c.realtime() {
		prio = 0
	} else if prio < 1 || prio > 99 {
		return 0, 0, fmt.Errorf("linux6: real-time priority %d, want 1 to 99", prio)
	}
	if par.Nice < -20 || par.Nice > 19 {
		return 0, 0, fmt.Errorf("linux6: nice %d, want -20 to 19", par.Nice)
	}
	if par.Slice != 0 && p.opt.Version == V61 {
		return 0, 0, fmt.Errorf("linux6: slice %d ns; Linux 6.1 has no slices of a task's own", par.Slice)
	}
	return c, int32(prio), nil
}

// slice is what sched_setattr does with sched_runtime: cut to 0.1…100 ms, 0 takes it
// back (syscalls.c: __setscheduler_params).
func (p *Policy) slice(x *task, par *sched.Params) {
	x.e.Custom = par.Slice != 0
	x.e.Slice = 0
	if q := p.cpus[0].eevdf(); q != nil {
		x.e.Slice = q.Base0
	}
	if x.e.Custom {
		x.e.Slice = min(max(int64(par.Slice), linuxeevdf.MinSlice), linuxeevdf.MaxSlice)
	}
}

// at is a CPU's run queue, its clock and averages brought up to now.
func (p *Policy) at(id int) *cpu {
	c := &p.cpus[id]
	now := int64(p.k.Now())
	c.s.Clock = now
	if p.smp {
		p.account(c, now)
	}
	return c
}

// settle passes on a request that the fair queue has made.
func (p *Policy) settle(c *cpu) {
	if c.s.Need {
		c.s.Need = false
		if !c.hw.Kicked {
			p.k.Kick(c.hw)
		}
	}
}

// place tells observers where a task waits now, note what happened to it.
func (p *Policy) place(x *task, code uint16, a, b int32) {
	p.k.Place(x.t, p.cpus[x.cpu].hw, sched.Reason{Code: code, A: a, B: b})
}

func (p *Policy) note(x *task, code uint16, a int32) {
	p.k.Note(x.t, sched.Reason{Code: code, A: a})
}

// Set implements sched.Policy: sched_setscheduler, sched_setattr and setpriority.
func (p *Policy) Set(t *sched.Thread, par *sched.Params) error {
	to, prio, err := p.read(par)
	if err != nil {
		return err
	}
	x := p.tasks[t.ID]
	c := p.at(int(x.cpu))
	if t.State == sched.Embryo || x.gone {
		p.take(x, par, to, prio)
		return nil
	}
	if to.realtime() != x.class.realtime() || to.realtime() {
		p.change(c, x, to, prio)
	}
	x.class, x.prio = to, prio
	x.e.Mild = to == batch || to == idle
	p.slice(x, par)
	if par.Nice != x.e.Nice || (to == idle) != x.e.Idle {
		p.renice(c, x, par.Nice, to == idle)
	}
	return nil
}

// Nice implements sched.Nicer.
func (p *Policy) Nice(t *sched.Thread, incr int) (int, error) {
	x := p.tasks[t.ID]
	nice := min(max(x.e.Nice+min(max(incr, -40), 40), -20), 19)
	if nice != x.e.Nice {
		p.renice(p.at(int(x.cpu)), x, nice, x.e.Idle)
	}
	return nice, nil
}

// renice is set_user_nice: a queued task leaves and comes back with its new weight.
func (p *Policy) renice(c *cpu, x *task, nice int, idle bool) {
	old := x.e.Weight
	if x.class.realtime() {
		x.e.SetNice(nice, idle)
		return
	}
	queued := x.e.OnRQ
	c.s.Need = c.hw.Kicked
	c.fair.Reweigh(x.e, nice, idle)
	switch {
	case !queued || c.n() == 1:
	case c.curr == x:
		c.s.Need = c.s.Need || x.e.Weight < old
	default:
		p.preempt(c, x)
	}
	p.settle(c)
}

// leave takes a task out of its fair queue, whether it runs, waits or is delayed.
func (p *Policy) leave(c *cpu, x *task) {
	p.sync(c, x)
	c.fair.Leave(x.e)
	if c.s.Curr == x.e {
		c.s.Curr = nil
	}
	p.ended(c)
	p.settle(c)
}

// change moves a task from one class to another, or within the real-time one.
func (p *Policy) change(c *cpu, x *task, to class, prio int32) {
	curr := c.curr == x
	queued := x.rt || x.e.OnRQ && !x.e.Delayed
	switch {
	case x.rt:
		p.chargeRT(x)
		p.unqueueRT(c, x)
	case x.e.OnRQ:
		p.leave(c, x)
	case !x.class.realtime() && to.realtime():
		c.fair.Depart(x.e)
	}
	if x.class.realtime() && !to.realtime() && !queued {
		c.fair.Return(x.e)
	}
	x.class, x.prio, x.left = to, prio, rrSlice
	if !queued {
		return
	}
	if to.realtime() {
		p.queueRT(c, x)
		x.e.ExecStart = c.s.Clock
	} else {
		c.fair.Join(x.e)
		if curr {
			c.fair.Set(x.e)
		}
	}
	if curr {
		p.k.Kick(c.hw)
	} else {
		p.preempt(c, x)
	}
	p.settle(c)
}
