package linux22

import (
	"fmt"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
)

// HZ is the clock rate: 100 ticks a second.
const HZ = 100

// Numbers of the kernel (FACTS §1).
const (
	defPriority  = 20 // ticks; this is nice 0
	affinity     = 15 // bonus for the CPU a task ran on last, i386
	sameMM       = 1
	realtimeBase = 1000
	idleCounter  = -100
	noProcessor  = 255 // a new child has no home CPU
)

// Policies, with the kernel's values.
const (
	other = 0
	fifo  = 1
	rr    = 2
	yield = 16 // a bit
)

// Options are what a scenario may set. The zero value is an SMP kernel of
// 2.2.8-pre5 whose scheduling takes no time.
type Options struct {
	// DefaultClass is that of tasks which name none: OTHER unless set.
	DefaultClass string

	Old bool // 2.2.7
	UP  bool // compiled without SMP
	// EvaluationCost is the time of one goodness evaluation, RecalculationCost
	// that of one task's recalculation (FACTS §15). Both are models.
	EvaluationCost    clock.Duration
	RecalculationCost clock.Duration
}

// task is what the scheduler keeps of a thread.
type task struct {
	counter  int32 // ticks left
	priority int32 // 1…40: nice as ticks
	policy   uint8
	rtPri    int32
	mm       int32
	cpu      int32 // last or present CPU; noProcessor
	hasCPU   bool
	gone     bool
	at       int32 // its place in the run queue, from 1; 0: in none
	lock     int32 // lock_depth; −1: no big kernel lock
	avgSlice uint32
	ticks    int64 // charged: utime and stime together
}

// Policy is the scheduler.
type Policy struct {
	opt   Options
	k     sched.Kernel
	th    sched.Table[task]
	queue runQueue
	all   []sched.ThreadID // every task, in order of creation
	cur   []sched.ThreadID // by CPU; None: its idle task
	stamp []clock.Time     // when each CPU last switched
	buf   []sched.ThreadID
	cause []sched.Cause // why each CPU calls schedule next
	told  int           // the CPU that the last wake-up flagged; −1: none
	// cacheFlush is the cycles in which a cache is refilled; avg_slice is compared
	// with it. Without effect while nobody holds the big kernel lock.
	cacheFlush uint32

	// Totals so far.
	Stats Stats

	// Watch, if set, is told of every call of schedule.
	Watch func(d *Decision)
	// WatchCharge, if set, is told whom a tick charges; None: the idle task.
	WatchCharge func(cpu int, t sched.ThreadID)

	// WatchKick, if set, is told of each need_resched that is set.
	WatchKick func(cpu int)

	decision Decision
}

// Stats are the scheduler's own counts.
type Stats struct {
	Calls, Switches, Recalculations     int64
	EvalsSelect, EvalsTail, EvalsWakeup int64
	Interrupts                          int64 // reschedule interrupts sent
	RecalculatedTasks                   int64
	Cost                                clock.Duration
}

// Decision is one call of schedule.
type Decision struct {
	CPU            int
	Context        sched.Context
	Cause          sched.Cause // Blocked, Exited, Yielded; else none
	Prev, Next     sched.ThreadID
	Value          int32 // the winner's
	EvalsSelect    int
	EvalsTail      int
	Recalculations int
	Running        int // run queue after it
	PrevCounter    int32
	NextCounter    int32
}

// New returns a policy that is ready to boot.
func New(o Options) *Policy { return &Policy{opt: o} }

// Boot implements sched.Policy.
func (p *Policy) Boot(k sched.Kernel) error {
	n := len(k.CPUs())
	if n > 32 {
		return fmt.Errorf("linux22: %d CPUs; the kernel is built for at most 32", n)
	}
	if p.opt.UP && n != 1 {
		return fmt.Errorf("linux22: a kernel without SMP on %d CPUs", n)
	}
	p.k = k
	p.cur = make([]sched.ThreadID, n)
	p.stamp = make([]clock.Time, n)
	p.cause = make([]sched.Cause, n)
	for i := range p.cur {
		p.cur[i] = sched.None
	}
	return nil
}

// Admit implements sched.Policy. A child gets half of its parent's counter, and
// an odd tick is lost (kernel/fork.c: do_fork).
func (p *Policy) Admit(t *sched.Thread, par *sched.Params) error {
	x := p.th.At(t.ID)
	*x = task{
		counter: defPriority, priority: defPriority, mm: int32(t.ID), cpu: noProcessor, lock: -1,
	}
	p.all = append(p.all, t.ID)
	if par == nil {
		parent := p.th.At(t.Parent)
		x = p.th.At(t.ID)
		parent.counter = ForkCounter(parent.counter)
		x.counter, x.priority, x.policy, x.rtPri = parent.counter, parent.priority, parent.policy, parent.rtPri
		return nil
	}
	return p.setParams(x, par)
}

func (p *Policy) setParams(x *task, par *sched.Params) error {
	class := par.Class
	if class == "" {
		class = p.opt.DefaultClass
	}
	switch class {
	case "", "OTHER":
		x.policy, x.rtPri = other, 0
	case "FIFO", "RR":
		if par.Priority == 0 && par.Class == "" {
			par = &sched.Params{Nice: par.Nice, Priority: 1, Start: par.Start}
		}
		if par.Priority < 1 || par.Priority > 99 {
			return fmt.Errorf("linux22: real-time priority %d, want 1 to 99", par.Priority)
		}
		x.policy, x.rtPri = fifo, int32(par.Priority)
		if class == "RR" {
			x.policy = rr
		}
	default:
		return fmt.Errorf("linux22: class %q is unknown, want OTHER, FIFO or RR", par.Class)
	}
	x.priority = NicePriority(par.Nice)
	if par.Start != nil {
		x.counter = int32(*par.Start)
	}
	return nil
}

// Set implements sched.Policy: sched_setscheduler and setpriority. A queued task
// whose policy changes goes to the head, and the caller is asked to reschedule.
func (p *Policy) Set(t *sched.Thread, par *sched.Params) error {
	x := p.th.At(t.ID)
	was := *x
	if err := p.setParams(x, par); err != nil {
		*x = was
		return err
	}
	p.judge(t.ID)
	if (was.policy != x.policy || was.rtPri != x.rtPri) && x.at > 0 {
		p.unlink(t.ID)
		p.push(t.ID)
		p.kick(p.k.Here())
	}
	return nil
}

// Nice implements sched.Nicer. It leaves the counter alone.
func (p *Policy) Nice(t *sched.Thread, incr int) (int, error) {
	x := p.th.At(t.ID)
	x.priority = min(max(x.priority-int32(min(max(incr, -40), 40)), 1), 40)
	p.judge(t.ID)
	return defPriority - int(x.priority), nil
}

// Enqueue implements sched.Policy.
func (p *Policy) Enqueue(t *sched.Thread, why sched.Cause) {
	x := p.th.At(t.ID)
	switch why {
	case sched.Preempted, sched.GaveWay:
		// A running task stays in the run queue.
		p.k.Place(t, nil, sched.Reason{Code: whyStaysQueued, A: x.counter})
	case sched.Yielded:
		p.yielded(t, x)
	default:
		if x.at == 0 {
			p.push(t.ID)
			p.told = -1
			p.Stats.EvalsWakeup += p.wakeUp(t.ID, p.k.Here().ID)
			p.k.Place(t, nil, sched.Reason{Code: whyHead, A: x.counter, B: int32(p.told + 1)})
		}
	}
}

// yielded is sched_yield: to the tail, and an ordinary task counts as worth
// nothing once.
func (p *Policy) yielded(t *sched.Thread, x *task) {
	if x.policy == other {
		x.policy |= yield
	}
	p.unlink(t.ID)
	p.pushTail(t.ID)
	p.cause[t.CPU] = sched.Yielded
	p.k.Place(t, nil, sched.Reason{Code: whyYielded, A: x.counter})
}

// Dequeue implements sched.Policy.
func (p *Policy) Dequeue(t *sched.Thread, why sched.Cause) {
	p.unlink(t.ID)
	p.cause[t.CPU] = why
	if why == sched.Exited {
		p.th.At(t.ID).gone = true
		for i, id := range p.all {
			if id == t.ID {
				p.all = append(p.all[:i], p.all[i+1:]...)
				break
			}
		}
	}
}

// Tick implements sched.Policy: it charges the current task. A counter of 20
// gives 21 ticks, since only a counter below zero asks for a reschedule, and a
// counter of 0 asks at every tick (FACTS §7).
func (p *Policy) Tick(c *sched.CPU) {
	id := p.cur[c.ID]
	if p.WatchCharge != nil {
		p.WatchCharge(c.ID, id)
	}
	if id == sched.None {
		return
	}
	x := p.th.At(id)
	x.ticks++
	x.counter--
	if x.counter < 0 {
		x.counter = 0
		p.kick(c)
	}
}

// Quiet implements sched.Skipper: a tick that leaves a counter of 0 or more.
func (p *Policy) Quiet(c *sched.CPU) int64 {
	switch id := p.cur[c.ID]; {
	case p.WatchCharge != nil:
		return 0 // somebody wants to be told of each
	case id == sched.None:
		return sched.AllQuiet
	default:
		return int64(p.th.At(id).counter)
	}
}

// Skip implements sched.Skipper.
func (p *Policy) Skip(c *sched.CPU, n int64) {
	if id := p.cur[c.ID]; id != sched.None {
		x := p.th.At(id)
		x.ticks += n
		x.counter -= int32(n)
	}
}
