package solaris

import (
	"fmt"
	"slices"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
)

// HZ is the clock rate: 100 ticks a second.
const HZ = 100

// Options are what a scenario may set. The zero value is a T2000 as booted.
type Options struct {
	DefaultClass string // of threads that name none; "" or "unset" is TS
	Tables       Tables
	Zones        []Zone
	Projects     []Project
	FSSQuantum   int // ticks; 0: 11
	TSStart      int // cpupri of a new thread; 0: 29
	FSSStart     int
	// RechooseTicks is how long a thread keeps to its last CPU; 0: 3.
	RechooseTicks int // NoRechoose: not even one
	// Updates are the once-a-second updates of TS, IA and FSS; nil: those of a
	// booted machine.
	Updates *Updates
	// ClockCost is the system time of one clock interrupt on the CPU that takes
	// it; DeviceCost that of all other interrupts of a second, which go to one
	// CPU, the next. Both are models, not measurements (FACTS §12.3).
	ClockCost  clock.Duration
	DeviceCost clock.Duration
}

// Policy is the scheduler of Solaris 10: one dispatcher and the classes that
// share its scale of global priorities.
type Policy struct {
	opt     Options
	disp    dispatcher
	classes []Class
	fss     *fairShare
	def     Class
	k       sched.Kernel
	buf     []sched.ThreadID
}

// Updates say when the classes' once-a-second updates run, in ticks. With Every
// 0 they never do, as on a machine that has no thread of those classes.
type Updates struct {
	First, Every int
	Pri          int // of the SYS thread that runs them
}

// NoRechoose lets a thread leave its last CPU at once.
const NoRechoose = -1

// New returns a policy that is ready to boot.
func New(o Options) *Policy {
	def := DefaultTables()
	if o.Tables.TS == nil {
		o.Tables.TS = def.TS
	}
	if o.Tables.FX == nil {
		o.Tables.FX = def.FX
	}
	if o.Tables.RT == nil {
		o.Tables.RT = def.RT
	}
	o.FSSQuantum = orDefault(o.FSSQuantum, fssQuantum)
	o.TSStart = orDefault(o.TSStart, tsStart)
	o.FSSStart = orDefault(o.FSSStart, fssStart)
	o.RechooseTicks = orDefault(o.RechooseTicks, 3)
	if o.Updates == nil {
		o.Updates = &Updates{First: HZ, Every: HZ, Pri: updatePri}
	}
	return &Policy{opt: o}
}

func orDefault(v, def int) int {
	if v == 0 {
		return def
	}
	return v
}

// ClassNames lists the scheduling classes in the order shown to users.
var ClassNames = []string{"TS", "FSS", "FX", "IA", "RT"}

// Boot implements sched.Policy.
func (p *Policy) Boot(k sched.Kernel) error {
	if err := p.opt.Tables.TS.Check(); err != nil {
		return err
	}
	if p.opt.FSSQuantum < 1 || p.opt.FSSQuantum >= HZ {
		return fmt.Errorf("solaris: FSS quantum %d ticks, want 1 to %d", p.opt.FSSQuantum, HZ-1)
	}
	p.k = k
	p.disp.rechoose = int64(p.opt.RechooseTicks)
	p.disp.boot(k, HZ)
	ia := newTS(p.opt.Tables.TS, p.opt.TSStart)
	ia.interactive = true
	p.fss = newFSS(p.opt.FSSQuantum, p.opt.FSSStart)
	p.classes = []Class{
		newTS(p.opt.Tables.TS, p.opt.TSStart), p.fss, &fixedPriority{table: p.opt.Tables.FX}, ia,
		&realTime{table: p.opt.Tables.RT}, &system{},
	}
	for _, c := range p.classes {
		c.Init(&p.disp)
	}
	if err := p.fss.tree.define(p.opt.Zones, p.opt.Projects); err != nil {
		return err
	}
	name := p.opt.DefaultClass
	if name == "" || name == "unset" {
		name = "TS" // compiled into the kernel (FACTS §2, §10.5)
	}
	var err error
	if p.def, err = p.class(name); err != nil {
		return err
	}
	if p.opt.ClockCost > 0 || p.opt.DeviceCost > 0 {
		if err := k.Every(clock.Second, clock.Second, "interrupts", nil, interrupts{p}); err != nil {
			return err
		}
	}
	u := p.opt.Updates
	if u.Every == 0 {
		return nil
	}
	// Timeouts run in a kernel thread of priority 99, not in the clock
	// interrupt; the classes' updates are timeouts of one second (FACTS §1).
	as := &sched.Params{Class: "SYS", Priority: u.Pri}
	tick := p.disp.tick
	return k.Every(clock.Duration(u.First)*tick, clock.Duration(u.Every)*tick, "updates", as, updates{p})
}

// updates are what the classes do once a second.
type updates struct{ p *Policy }

// Do implements sched.Job.
func (u updates) Do() {
	for _, c := range u.p.classes {
		c.Update()
	}
}

// interrupts charges a second's interrupt work in one lump: the clock's to the
// CPU that takes it, the devices' to the next, each by up to a tenth more or
// less, as the seed has it.
type interrupts struct{ p *Policy }

// Do implements sched.Job.
func (x interrupts) Do() {
	p := x.p
	vary := func(d clock.Duration) clock.Duration {
		if d < 10 {
			return d
		}
		return d - d/10 + clock.Duration(p.k.Rand().Int63n(int64(d)/5+1))
	}
	here, cpus := p.k.Here(), p.k.CPUs()
	p.k.Charge(here, vary(p.opt.ClockCost*HZ))
	p.k.Charge(cpus[(here.ID+1)%len(cpus)], vary(p.opt.DeviceCost))
}

func (p *Policy) class(name string) (Class, error) {
	i := slices.IndexFunc(p.classes, func(c Class) bool { return c.Name() == name })
	if i < 0 {
		return nil, fmt.Errorf("solaris: class %q is not loaded", name)
	}
	return p.classes[i], nil
}

// Admit implements sched.Policy.
func (p *Policy) Admit(t *sched.Thread, par *sched.Params) error {
	if par == nil {
		parent := p.k.Thread(t.Parent)
		px := *p.disp.th.At(parent.ID)
		x := p.disp.admit(t, px.class)
		x.pri, x.match = px.pri, px.match
		px.class.Fork(parent, t)
		return nil
	}
	c := p.def
	if par.Class != "" {
		var err error
		if c, err = p.class(par.Class); err != nil {
			return err
		}
	}
	p.disp.admit(t, c)
	return c.Enter(t, par)
}

// Set implements sched.Policy: new parameters in the thread's own class, or
// another class.
func (p *Policy) Set(t *sched.Thread, par *sched.Params) error {
	c := p.disp.th.At(t.ID).class
	if par.Class != "" && par.Class != c.Name() {
		to, err := p.class(par.Class)
		if err != nil {
			return err
		}
		return p.changeClass(t, to, par)
	}
	return c.Set(t, par)
}

// Nice implements sched.Nicer.
func (p *Policy) Nice(t *sched.Thread, incr int) (int, error) {
	c := p.disp.th.At(t.ID).class
	if c.Name() == "RT" || c.Name() == "SYS" {
		return 0, fmt.Errorf("solaris: a thread of class %s has no nice value", c.Name())
	}
	return c.Nice(t, incr), nil
}

// Enqueue implements sched.Policy.
func (p *Policy) Enqueue(t *sched.Thread, why sched.Cause) {
	c := p.disp.th.At(t.ID).class
	switch why {
	case sched.Forked:
		c.SetRun(t)
		if t.Parent != sched.None {
			p.k.GiveWay(p.k.Here())
		}
	case sched.Woken:
		c.Wakeup(t)
	case sched.Preempted:
		c.Preempt(t)
	case sched.Yielded:
		c.Yield(t)
	case sched.GaveWay:
		c.ForkRet(t)
	default:
		c.SetRun(t)
	}
}

// Dequeue implements sched.Policy.
func (p *Policy) Dequeue(t *sched.Thread, why sched.Cause) {
	c := p.disp.th.At(t.ID).class
	if why == sched.Exited {
		c.Exit(t)
		return
	}
	c.Sleep(t)
}

// Pick implements sched.Policy: the switch.
func (p *Policy) Pick(c *sched.CPU) (*sched.Thread, sched.Reason) { return p.disp.next(c) }

// Idle implements sched.Idler: the idle loop.
func (p *Policy) Idle(c *sched.CPU) (*sched.Thread, sched.Reason) { return p.disp.idle(c) }

// Tick implements sched.Policy. Idle CPUs and kernel threads are not charged.
func (p *Policy) Tick(c *sched.CPU) {
	if c.Thread != nil && !c.Thread.Kernel {
		p.disp.th.At(c.Thread.ID).class.Tick(c.Thread)
	}
}

// Quiet implements sched.Skipper.
func (p *Policy) Quiet(c *sched.CPU) int64 {
	if c.Thread == nil || c.Thread.Kernel {
		return sched.AllQuiet
	}
	return p.disp.th.At(c.Thread.ID).class.Quiet(c.Thread)
}

// Skip implements sched.Skipper.
func (p *Policy) Skip(c *sched.CPU, n int64) {
	if c.Thread != nil && !c.Thread.Kernel {
		p.disp.th.At(c.Thread.ID).class.Skip(c.Thread, n)
	}
}

// ReturnToUser implements sched.Returner: trap return, if it was asked for.
func (p *Policy) ReturnToUser(c *sched.CPU) {
	x := p.disp.th.At(c.Thread.ID)
	if x.trapret {
		x.trapret = false
		x.class.TrapRet(c.Thread)
	}
}

// Priority implements sched.Prioritizer: the global priority.
func (p *Policy) Priority(t *sched.Thread) int { return p.disp.th.At(t.ID).pri }
