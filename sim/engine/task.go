package engine

import (
	"cmp"
	"fmt"

	"strandscope/sim/clock"
	"strandscope/sim/machine"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
	"strandscope/sim/workload"
)

// task is what the engine keeps of a thread beside sched.Thread.
type task struct {
	prog      *workload.Program
	pc        int32
	loops     []int64
	remaining int64          // of the burst, in ns·‰; forever
	work      clock.Duration // done so far, at full speed
	rest      int64          // and what is less than a nanosecond of it, in ns·‰
	phase     phase
	cpi       machine.CPI // what it asks of the pipeline
	stepDue   bool        // the next step of prog is due when it runs in user mode
	ast       bool        // it takes a trap at the next chance
	killed    bool        // it exits at the next chance
	ticksLeft int64       // of a burst measured in clock ticks
	sleepGen  uint32
	due       clock.Time   // of its periodic timer: when it was last released
	timers    []clock.Time // of its own: when each was last released
	until     clock.Time   // a busy burst ends then, however much was computed; 0: none
	timer     int          // kernel threads: whose work it does
}

// Spec describes a thread to create.
type Spec struct {
	Name  string
	PID   int32
	Set   int
	Bound int // NoCPU: unbound
	Group sched.GroupID
	CPI   machine.CPI // 0: machine.DefaultCPI
	Prog  *workload.Program
	As    sched.Params
}

func (e *Engine) newThread(name string, set int) (*sched.Thread, error) {
	if len(e.threads)-e.kernels >= MaxThreads {
		return nil, fmt.Errorf("engine: more than %d threads", MaxThreads)
	}
	t := &sched.Thread{
		ID: sched.ThreadID(len(e.threads)), Parent: sched.None, Name: name, Set: set,
		Bound: sched.NoCPU, LeftCPU: -clock.Time(clock.Hour),
	}
	e.threads = append(e.threads, t)
	e.tasks = append(e.tasks, task{phase: exiting, stepDue: true, remaining: forever, timer: -1, cpi: machine.DefaultCPI})
	return t, nil
}

// Create makes a thread that does not run yet.
func (e *Engine) Create(s Spec) (*sched.Thread, error) {
	if s.Bound != sched.NoCPU && (s.Bound < 0 || s.Bound >= len(e.cpus)) {
		return nil, fmt.Errorf("engine: thread %q is bound to CPU %d, the machine has 0 to %d", s.Name, s.Bound, len(e.cpus)-1)
	}
	if _, ok := e.firstCPU(s.Set); !ok {
		return nil, fmt.Errorf("engine: thread %q: processor set %d has no CPU", s.Name, s.Set)
	}
	if s.Bound != sched.NoCPU && e.cpus[s.Bound].Set != s.Set {
		return nil, fmt.Errorf("engine: thread %q of processor set %d is bound to CPU %d, which is in set %d", s.Name, s.Set, s.Bound, e.cpus[s.Bound].Set)
	}
	if s.Bound != sched.NoCPU && !e.cpus[s.Bound].Online {
		return nil, fmt.Errorf("engine: thread %q is bound to CPU %d, which is off-line", s.Name, s.Bound)
	}
	t, err := e.newThread(s.Name, s.Set)
	if err != nil {
		return nil, err
	}
	t.PID, t.Bound, t.Group = s.PID, s.Bound, s.Group
	if s.CPI != 0 {
		e.tasks[t.ID].cpi = s.CPI
	}
	e.tasks[t.ID].load(s.Prog)
	e.emit(trace.Event{Kind: trace.Created, CPU: sched.NoCPU, Thread: t.ID, Other: sched.None})
	return t, e.pol.Admit(t, &s.As)
}

func (tk *task) load(p *workload.Program) {
	if p == nil {
		p = workload.Forever
	}
	tk.prog, tk.pc = p, 0
	tk.loops = make([]int64, p.Slots)
	tk.timers = make([]clock.Time, p.Timers)
}

// StartAt lets a created thread become runnable at the given time. Threads that
// start at one time do so one by one, by id, each fully settled. A time that is
// over means now; a thread that runs already is not started again.
func (e *Engine) StartAt(t *sched.Thread, at clock.Time) {
	e.push(max(at, e.now), evStart, int32(t.ID), 0)
}

// Start makes a created thread runnable now and lets the machine settle.
func (e *Engine) Start(t *sched.Thread) error {
	if t.State != sched.Embryo {
		return fmt.Errorf("engine: thread %d (%s) is %v and was started before", t.ID, t.Name, t.State)
	}
	e.start(t)
	e.serveAll()
	return e.err
}

func (e *Engine) start(t *sched.Thread) { e.startOn(t, e.cpus[e.cfg.ClockCPU]) }

// startOn is start by code that runs on a CPU.
func (e *Engine) startOn(t *sched.Thread, c *sched.CPU) {
	if t.State != sched.Embryo {
		return
	}
	e.here = c
	t.State = sched.Waiting
	e.tasks[t.ID].release(e.now)
	e.emit(trace.Event{Kind: trace.Woke, Cause: sched.Forked, CPU: int16(e.here.ID), Thread: t.ID, Other: sched.None})
	e.pol.Enqueue(t, sched.Forked)
}

// Set changes a thread's scheduling parameters and lets the machine settle.
func (e *Engine) Set(t *sched.Thread, p *sched.Params) error {
	if t.State == sched.Gone {
		return fmt.Errorf("engine: thread %d (%s) is gone", t.ID, t.Name)
	}
	e.here = e.cpus[e.cfg.ClockCPU]
	if err := e.pol.Set(t, p); err != nil {
		return err
	}
	e.serveAll()
	return e.err
}

// Fork lets the running parent fork a child that runs prog, and settles.
func (e *Engine) Fork(parent *sched.Thread, name string, prog *workload.Program) (*sched.Thread, error) {
	if parent.State != sched.Running {
		return nil, fmt.Errorf("engine: thread %d (%s) is %v and cannot fork", parent.ID, parent.Name, parent.State)
	}
	e.here = e.cpus[parent.CPU]
	child, err := e.fork(e.cpus[parent.CPU], parent, name, prog)
	if err != nil {
		return nil, err
	}
	e.serveAll()
	return child, e.err
}

func (e *Engine) fork(c *sched.CPU, parent *sched.Thread, name string, prog *workload.Program) (*sched.Thread, error) {
	e.setMode(c, trace.SystemMode)
	child, err := e.offspring(parent, name, prog)
	if err != nil {
		return nil, err
	}
	if e.giveWay == c {
		e.giveWay = nil
		e.release(c, sched.GaveWay)
	} else {
		e.tasks[parent.ID].phase = exiting
		e.pending.add(c.ID)
	}
	return child, nil
}

// offspring makes a child that is runnable at the CPU where its parent is.
func (e *Engine) offspring(parent *sched.Thread, name string, prog *workload.Program) (*sched.Thread, error) {
	child, err := e.newThread(name, parent.Set)
	if err != nil {
		return nil, err
	}
	cpu := e.here.ID
	child.Parent, child.Bound, child.Group = parent.ID, parent.Bound, parent.Group
	child.PID = parent.PID + int32(child.ID-parent.ID)
	child.CPU = cpu
	e.tasks[child.ID].load(prog)
	e.tasks[child.ID].cpi = e.tasks[parent.ID].cpi
	e.emit(trace.Event{Kind: trace.Created, Cause: sched.Forked, CPU: int16(cpu), Thread: child.ID, Other: parent.ID})
	if err := e.pol.Admit(child, nil); err != nil {
		return nil, err
	}
	child.State = sched.Waiting
	e.tasks[child.ID].release(e.now)
	e.giveWay = nil
	e.emit(trace.Event{Kind: trace.Woke, Cause: sched.Forked, CPU: int16(cpu), Thread: child.ID, Other: parent.ID})
	e.pol.Enqueue(child, sched.Forked)
	return child, nil
}

// Spawn makes a thread as if a parent had forked it, and settles. The parent does
// not run for it: a command line is typed from outside the machine.
func (e *Engine) Spawn(parent *sched.Thread, name string, prog *workload.Program) (*sched.Thread, error) {
	if parent.State == sched.Gone {
		return nil, fmt.Errorf("engine: thread %d (%s) is gone", parent.ID, parent.Name)
	}
	e.here = e.cpus[parent.CPU]
	child, err := e.offspring(parent, name, prog)
	if err != nil {
		return nil, err
	}
	e.giveWay = nil // nobody is to step aside
	e.serveAll()
	return child, e.err
}

// wake makes a sleeper runnable.
func (e *Engine) wake(t *sched.Thread) { e.wakeBy(t, sched.None) }

// wakeBy is wake by another thread, None for the kernel.
func (e *Engine) wakeBy(t *sched.Thread, by sched.ThreadID) {
	t.State = sched.Waiting
	tk := &e.tasks[t.ID]
	tk.sleepGen++
	tk.phase = exiting
	e.emit(trace.Event{Kind: trace.Woke, Cause: sched.Woken, CPU: int16(e.here.ID), Thread: t.ID, Other: by})
	ctx := e.context
	e.context = sched.InTimer
	if by != sched.None {
		e.context = sched.InCommand
	}
	e.pol.Enqueue(t, sched.Woken)
	e.context = ctx
}

// block puts the running t to sleep and picks again.
func (e *Engine) block(c *sched.CPU, t *sched.Thread) {
	e.setMode(c, trace.SystemMode)
	t.State = sched.Sleeping
	e.pol.Dequeue(t, sched.Blocked)
	e.pick(c, sched.Blocked)
}

// maxSteps bounds the steps of one program that take no time. A Builder refuses
// programs that make more; this is for programs put together by hand.
const maxSteps = 2 * workload.MaxIdleSteps

// step goes on with the program of the thread on c.
func (e *Engine) step(c *sched.CPU, t *sched.Thread) {
	tk := &e.tasks[t.ID]
	tk.until = 0
	for range maxSteps {
		if tk.killed || int(tk.pc) >= len(tk.prog.Steps) {
			e.exit(c, t)
			return
		}
		in := &tk.prog.Steps[tk.pc]
		tk.pc++
		switch in.Op {
		case workload.Loop:
			tk.loops[in.Slot]++
			if in.Count < 0 || tk.loops[in.Slot] < in.Count {
				tk.pc = in.To
			} else {
				tk.loops[in.Slot] = 0
			}
			continue
		case workload.Spin:
			tk.remaining = forever
		case workload.Run:
			switch {
			case in.Ticks > 0:
				tk.remaining, tk.ticksLeft = forever, in.Ticks
			case in.D == 0:
				continue
			default:
				tk.remaining = int64(in.D) * 1000
			}
		case workload.Sleep:
			e.sleep(c, t, in)
			return
		case workload.Block:
			e.block(c, t)
			return
		case workload.Timer:
			e.nextPeriod(c, t, in.D)
			return
		case workload.Suspend, workload.Acquire:
			if e.waitFor(c, t, in) {
				return
			}
			continue
		case workload.Resume, workload.Post:
			if e.wakeFor(c, t, in) {
				tk.phase = exiting
				e.pending.add(c.ID)
				return
			}
			continue
		case workload.Fork:
			if _, err := e.fork(c, t, cmp.Or(in.Name, t.Name), in.Child); err != nil {
				e.fail("%v", err)
			}
			return
		case workload.Period:
			if e.period(c, t, in) {
				return
			}
			continue
		case workload.Busy:
			if in.D == 0 {
				continue
			}
			tk.remaining, tk.until = forever, e.now.Add(in.D)
		case workload.Lock, workload.Await, workload.Barrier:
			if e.syncWait(c, t, in) {
				return
			}
			continue
		case workload.Unlock, workload.Signal, workload.Broadcast:
			if e.syncWake(c, t, in) {
				tk.phase = exiting
				e.pending.add(c.ID)
				return
			}
			continue
		case workload.Become:
			if e.become(c, t, in) {
				return
			}
			continue
		case workload.Yield:
			e.setMode(c, trace.SystemMode)
			e.release(c, sched.Yielded)
			return
		case workload.Exit:
			e.exit(c, t)
			return
		}
		tk.stepDue = false
		e.armBurst(c)
		return
	}
	e.fail("thread %d (%s) makes %d steps in which no time passes", t.ID, t.Name, maxSteps)
}

// sleep blocks the thread until the step's time has passed, as the kernel counts
// it.
func (e *Engine) sleep(c *sched.CPU, t *sched.Thread, in *workload.Instr) {
	at := e.now.Add(in.D)
	tick := clock.Time(e.tick)
	ticks := in.Ticks
	if ticks == 0 && e.cfg.SleepTicks != nil {
		ticks = e.cfg.SleepTicks(in.D)
	}
	switch {
	case ticks > 0:
		at = (e.now/tick + clock.Time(ticks)) * tick
	case e.cfg.SleepOnTicks:
		at = (at + tick - 1) / tick * tick
	}
	// A sleep of no time still waits for the next chance to wake.
	if at <= e.now {
		at = e.now + 1
		if e.cfg.SleepOnTicks {
			at = e.now + clock.Time(e.tick)
		}
	}
	e.push(at, evWake, int32(t.ID), e.tasks[t.ID].sleepGen)
	e.block(c, t)
}

// nextPeriod ends one job of a periodic thread: it sleeps until its next release,
// or, where that has passed, only steps aside and begins the next job.
func (e *Engine) nextPeriod(c *sched.CPU, t *sched.Thread, period clock.Duration) {
	tk := &e.tasks[t.ID]
	tk.due = tk.due.Add(period)
	if tk.due <= e.now {
		e.setMode(c, trace.SystemMode)
		e.release(c, sched.Yielded)
		return
	}
	e.push(tk.due, evWake, int32(t.ID), tk.sleepGen)
	e.block(c, t)
}

func (e *Engine) exit(c *sched.CPU, t *sched.Thread) {
	e.setMode(c, trace.SystemMode)
	t.State = sched.Gone
	e.pol.Dequeue(t, sched.Exited)
	e.pick(c, sched.Exited)
}
