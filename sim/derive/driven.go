package derive

import (
	"strandscope/sim/clock"
	"strandscope/sim/policy/linuxcfs6"
	"strandscope/sim/policy/linuxeevdf"
	fair "strandscope/sim/policy/linuxfair"
	"strandscope/sim/record"
)

// Driven is how far a model of a kernel decides as the recorded one did, when its
// wake-ups, the times at which threads block and, where they are recorded, the times
// that threads were charged are the recorded ones.
type Driven struct {
	Kernel string
	// Choices is the number of recorded switches after which a thread of the fair class
	// came or the CPU idled, Agree how often the model chooses the same.
	Choices, Agree int
	// Kept are recorded calls of the scheduler that kept the task, KeptAgree how often the
	// model keeps it; they can be told only where accounts are recorded.
	Kept, KeptAgree int
	// Ticks of the clock with a task of the fair class on the CPU, and how often the model
	// agrees whether the scheduler is to be called.
	Ticks, TicksAgree int
	// First is when the model chose otherwise first, −1: never.
	First clock.Time
	// Fitted: what threads were owed at the beginning was chosen so that choices agree,
	// since the recording does not tell; Unfitted are the choices that agree without.
	Fitted   bool
	Unfitted int
	// Lags are what threads were owed, by thread in ns of virtual time: read from the
	// recording (6.1) or fitted; nil: neither.
	Lags []int64
	// Exact: times charged are those of sched_stat_runtime, not of switches.
	Exact bool
}

// version is a kernel of linux6, −1: none of them.
func version(kernel string) int {
	switch kernel {
	case "linux-6.1":
		return 0
	case "linux-6.12":
		return 1
	case "linux-6.18":
		return 2
	}
	return -1
}

// CanDrive reports whether a recording can drive a kernel's model: it has one CPU, and
// the kernel is of Linux 6.
func CanDrive(tr *record.Trace, kernel string) bool { return tr.CPUs == 1 && version(kernel) >= 0 }

// Drive lets a recording of one CPU drive a kernel's model, and fits what it does not
// tell. tick is the kernel's clock, phase when its first tick comes.
func Drive(tr *record.Trace, kernel string, tick, phase int64) Driven {
	lags := make([]int64, len(tr.Threads))
	d := drive(tr, kernel, tick, phase, lags)
	d.Unfitted = d.Agree
	if d.Lags == nil && d.Agree < d.Choices {
		d = fit(tr, kernel, tick, phase, lags, d)
	}
	return d
}

// driver is a model that is driven.
type driver struct {
	tr   *record.Trace
	q    fair.Queue
	s    *fair.State
	cfs  bool
	ents []driven
	rt   []int32 // runnable real-time threads
	curr int32   // or record.None
	lags []int64
	d    Driven

	tick, next int64
	due        bool // whether the scheduler was called is still to be told of a tick
	wants      bool
	begun      bool   // somebody was put in (CFS)
	charged    uint32 // the line of the last account
	need       bool
}

type driven struct {
	e     *fair.Entity
	rt    bool
	met   bool // it was put in before
	prio  int16
	awake bool
}

func drive(tr *record.Trace, kernel string, tick, phase int64, lags []int64) Driven {
	x := &driver{tr: tr, curr: record.None, lags: lags, tick: tick, next: phase}
	x.d.Kernel, x.d.First = kernel, -1
	switch version(kernel) {
	case 0:
		x.cfs = true
		x.q = linuxcfs6.New(linuxcfs6.Defaults(1))
	case 1:
		x.q = linuxeevdf.New(linuxeevdf.V612, linuxeevdf.BaseSlice(1))
	default:
		x.q = linuxeevdf.New(linuxeevdf.V618, linuxeevdf.BaseSlice(1))
	}
	x.s = x.q.Base()
	x.ents = make([]driven, len(tr.Threads))
	for i := range x.ents {
		e := &fair.Entity{ID: int32(i)}
		prio := tr.Threads[i].Prio
		e.SetNice(niceOf(prio), false)
		e.Slice = 700_000
		x.ents[i] = driven{e: e, rt: prio >= 0 && prio < 100, prio: prio}
	}
	if x.cfs && knowsVirtual(tr) {
		x.d.Lags = make([]int64, len(tr.Threads))
	}
	x.run()
	if x.due {
		x.d.Ticks-- // whether the scheduler was called after the last one is not recorded
	}
	return x.d
}

// knowsVirtual reports whether virtual run times are recorded.
func knowsVirtual(tr *record.Trace) bool {
	for i := range tr.Threads {
		if tr.Threads[i].VirtualKnown {
			return true
		}
	}
	return false
}

func niceOf(prio int16) int { return min(max(int(prio)-120, -20), 19) * b2i(prio >= 100) }

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (x *driver) run() {
	n := x.tr.Len()
	for i := range n {
		r := x.tr.At(i)
		x.d.Exact = x.d.Exact || r.Kind == record.Account
	}
	x.waiting()
	if th := x.tr.Runner[0]; th >= 0 {
		x.enter(th, false)
		x.curr = th
		if !x.ents[th].rt {
			x.q.Set(x.ents[th].e)
		}
	}
	for i := range n {
		r := x.tr.At(i)
		x.clock(&r)
		x.ticks(&r)
		switch r.Kind {
		case record.Account:
			x.account(&r, i)
		case record.Wakeup, record.Waking, record.WakeupNew:
			x.enter(r.Thread, r.Kind == record.WakeupNew)
			x.asked()
			x.preempt(r.Thread)
		case record.Switch:
			x.schedule(&r)
		default:
		}
	}
}

// waiting puts in who could run when the recording began, and did not.
func (x *driver) waiting() {
	met := make([]bool, len(x.ents))
	meet := func(th int32, waits bool) {
		if th != record.None && !met[th] {
			met[th] = true
			if waits {
				x.enter(th, false)
			}
		}
	}
	for i := range x.tr.Len() {
		switch r := x.tr.At(i); r.Kind {
		case record.Switch:
			meet(r.Thread, false)
			meet(r.Other, true)
		case record.Wakeup, record.Waking, record.WakeupNew, record.Fork:
			meet(r.Thread, false)
		default:
		}
	}
}

// clock sets the queue's clock: where accounts are recorded it moves by what they say
// while a task of the fair class runs.
func (x *driver) clock(r *record.Rec) {
	if x.d.Exact && x.curr != record.None && !x.ents[x.curr].rt {
		return
	}
	x.s.Clock = max(x.s.Clock, r.At)
}

// ticks calls the tick of the clock before a record that comes after it.
func (x *driver) ticks(r *record.Rec) {
	for x.next <= r.At {
		at := x.next
		x.next += x.tick
		x.told(false)
		if x.curr == record.None || x.ents[x.curr].rt {
			continue
		}
		if x.d.Exact {
			// The account of this tick is the record itself.
			if r.Kind != record.Account || r.Thread != x.curr || r.At > at+200_000 {
				continue
			}
			x.charge(r)
		}
		x.s.Need = x.need
		x.q.Charge()
		x.q.Tick()
		x.need = x.s.Need
		x.due, x.wants = true, x.need
		x.d.Ticks++
	}
}

// told settles whether the scheduler was called after the last tick.
func (x *driver) told(called bool) {
	if x.due {
		x.due = false
		if called == x.wants {
			x.d.TicksAgree++
		}
	}
}

// asked: a wake-up may be why the scheduler is called next, so if the tick has not asked
// for that, it is settled.
func (x *driver) asked() {
	if !x.wants {
		x.told(false)
	}
}

// charge charges the running task what a record says, once.
func (x *driver) charge(r *record.Rec) {
	if x.charged == r.Line {
		return
	}
	x.charged = r.Line
	x.s.Clock = max(x.s.Clock, x.s.Curr.ExecStart+r.Charged())
	x.s.Need = x.need
	x.q.Charge()
	x.need = x.s.Need
}

// account charges the running task what the recording says.
func (x *driver) account(r *record.Rec, i int) {
	if r.Thread != x.curr || x.ents[r.Thread].rt {
		return
	}
	x.charge(r)
	if r.Flags&record.ContextKnown == 0 || r.Flags&record.FromInterrupt != 0 {
		return
	}
	// Outside of an interrupt it is the scheduler's; if no switch follows, it kept the task.
	if i+1 < x.tr.Len() {
		if n := x.tr.At(i + 1); n.Kind == record.Switch || n.Kind == record.Wakeup || n.Kind == record.WakeupNew {
			return
		}
		x.told(true)
		x.d.Kept++
		e := x.q.Pick()
		if e == x.s.Curr {
			x.d.KeptAgree++
		}
		x.need, x.s.Need = false, false
	}
}

// enter makes a thread runnable.
func (x *driver) enter(th int32, forked bool) {
	if th == record.None {
		return
	}
	t := &x.ents[th]
	if t.awake {
		return
	}
	t.awake = true
	if t.rt {
		x.rt = append(x.rt, th)
		return
	}
	met := t.met
	t.met = true
	x.s.Need = x.need
	switch info := &x.tr.Threads[th]; {
	case met || t.e.Delayed:
		x.q.Wake(t.e)
	case x.cfs && info.VirtualKnown:
		q := x.q.(*linuxcfs6.Queue)
		q.Charge()
		t.e.V = info.Virtual - t.e.Virtual(info.VirtualDelta)
		if !x.begun {
			// The first one has slept, so that it was placed half a latency before the rest.
			x.begun = true
			q.Min = t.e.V + q.Latency/2
		}
		x.d.Lags[th] = q.Min - t.e.V
		q.Restore(t.e)
	case forked:
		x.q.Fork(t.e)
		x.q.Start(t.e)
	case x.cfs && x.lags[th] != 0:
		q := x.q.(*linuxcfs6.Queue)
		q.Charge()
		t.e.V = q.Min - x.lags[th]
		q.Restore(t.e)
	default:
		t.e.Lag = x.lags[th]
		x.q.Wake(t.e)
	}
	x.need = x.s.Need
}

// preempt asks whether a thread that was woken displaces the running one.
func (x *driver) preempt(th int32) {
	t := &x.ents[th]
	switch {
	case x.curr == record.None || t.rt:
		x.need = true
	case !x.ents[x.curr].rt && x.s.Curr != nil:
		x.s.Need = x.need
		x.q.Preempt(t.e)
		x.need = x.s.Need
	}
}

// schedule is a recorded switch: the model chooses, and then goes on as recorded.
func (x *driver) schedule(r *record.Rec) {
	stops := r.State != record.Runnable && r.State != record.Preempted
	x.told(!stops) // one that blocks calls the scheduler by itself
	prev := r.Thread
	if prev != x.curr {
		x.force(prev) // something is missing
	}
	if prev != record.None && stops {
		t := &x.ents[prev]
		t.awake = false
		if t.rt {
			x.drop(prev)
		} else {
			x.q.Sleep(r.State == record.Dead)
		}
	}
	choice := record.None
	e := x.q.Pick
	if len(x.rt) > 0 {
		choice = x.rt[0]
	} else if p := e(); p != nil {
		choice = p.ID
	}
	if len(x.rt) == 0 {
		x.d.Choices++
		if choice == r.Other {
			x.d.Agree++
		} else if x.d.First < 0 {
			x.d.First = clock.Time(r.At)
		}
	}
	x.force(r.Other)
	x.need, x.s.Need = false, false
}

func (x *driver) drop(th int32) {
	for i, o := range x.rt {
		if o == th {
			x.rt = append(x.rt[:i], x.rt[i+1:]...)
			return
		}
	}
}

// force puts a thread on the CPU, whoever was chosen.
func (x *driver) force(th int32) {
	if x.s.Curr != nil {
		if th != record.None && x.ents[th].e == x.s.Curr && !x.ents[th].rt {
			x.curr = th
			return
		}
		x.q.Put()
	}
	x.s.Curr = nil
	if th != record.None {
		t := &x.ents[th]
		if !t.awake || t.e.Delayed {
			x.enter(th, false)
		}
		if !t.rt {
			x.s.Clock = max(x.s.Clock, t.e.ExecStart)
			x.q.Set(t.e)
		}
	}
	x.curr = th
}
