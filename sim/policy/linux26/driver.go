package linux26

import (
	"fmt"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
)

// Policies, with the kernels' values.
const (
	Normal = 0
	FIFO   = 1
	RR     = 2
)

// HZ is the clock rate of the model: 1000 ticks a second.
const HZ = 1000

// IdleBeside is how long, at most, a CPU idles beside tasks of nice 0 that wait on
// others and may run on it: an idle CPU looks every 4 ms, sees loads that are smoothed,
// and spares what is hot in a cache until two attempts have failed. With other
// weights, bound or real-time tasks there is no bound, since a move must promise
// throughput by the sum of weights.
const IdleBeside = 100 * clock.Millisecond

const none = sched.None

// Core is a kernel's scheduler without a machine, as Driver drives it.
type Core interface {
	SetTime(now, jiffies int64) // now in ns
	Cur(cpu int) sched.ThreadID
	NeedResched(cpu int) bool
	Loads() []CPU

	New(id sched.ThreadID, nice int32, policy uint8, rtPrio int32, cpu int)
	// Fork makes a new task of its parent, WakeNew wakes it by its parent, which runs.
	Fork(id, parent sched.ThreadID)
	WakeNew(id sched.ThreadID, this int)
	// Launch is the first wake-up of a task by nobody who runs, on a CPU.
	Launch(id sched.ThreadID, cpu, this int)
	Wake(id sched.ThreadID, this int, interrupt, sync bool) int
	Sleep(id sched.ThreadID)
	Exit(id sched.ThreadID)
	Yield(cpu int)
	Schedule(cpu int) (next sched.ThreadID, swapped bool)
	Tick(cpu int)
	BalanceDue(cpu int) bool
	Balance(cpu int)
	Renice(id sched.ThreadID, nice int32, from int)
	SetPolicy(id sched.ThreadID, policy uint8, rtPrio int32, from int)

	// Bind ties a task to a CPU; −1 frees it.
	Bind(id sched.ThreadID, cpu int)
	CPUOf(id sched.ThreadID) int
	ParamsOf(id sched.ThreadID) (nice int32, policy uint8, rtPrio int32)
	// Expired: the task has to wait for others' turns.
	Expired(id sched.ThreadID) bool
	// Figures are two that reasons name.
	Figures(id sched.ThreadID) (a, b int32)
}

// Env is told what happens inside a core.
type Env interface {
	// Interrupt: need_resched of cpu's current was set, by code that runs on from.
	Interrupt(cpu, from int)
	// Pulled: a task changes its CPU. kind is L, N or W: periodic balancing, newly
	// idle, wake-up.
	Pulled(kind byte, from, to int, id sched.ThreadID)
}

// Why a policy decided as it did. Values are part of the digest: append only.
const (
	WhyStays uint16 = iota + 1
	WhyExpired
	WhyYielded
	WhyForked
	WhyBegins
	WhyExec
	WhyWoken
	WhyDrawn
	WhyPulled
	WhyPulledIdle
	WhyBest
	WhyKept
	WhySwapped
	WhyRealtime
	WhyIdle
)

// sources are the functions of kernel/sched.c behind the reasons.
var sources = [...]string{
	WhyStays: "schedule", WhyExpired: "task_running_tick", WhyYielded: "sys_sched_yield", WhyForked: "wake_up_new_task",
	WhyBegins: "wake_up_new_task", WhyExec: "sched_exec", WhyWoken: "try_to_wake_up", WhyDrawn: "try_to_wake_up",
	WhyPulled: "load_balance", WhyPulledIdle: "idle_balance", WhyBest: "schedule", WhyKept: "schedule", WhySwapped: "schedule",
	WhyRealtime: "schedule", WhyIdle: "idle_balance",
}

// Driver is a Core on the engine's machine: the part of sched.Policy that does not
// depend on the kernel.
type Driver struct {
	core    Core
	name    string
	class   string // of tasks that name none
	k       sched.Kernel
	due     []bool // by CPU: its tick has raised the balancing interrupt
	picking int    // the CPU that runs schedule; −1: none

	// Watch, if set, is told of every call of schedule.
	Watch func(cpu int, prev, next sched.ThreadID)
}

// Attach begins to drive a core.
func (d *Driver) Attach(k sched.Kernel, core Core, name, class string) {
	*d = Driver{core: core, name: name, class: class, k: k, due: make([]bool, len(k.CPUs())), picking: -1, Watch: d.Watch}
}

// now tells the core what time it is.
func (d *Driver) now() Core {
	t := int64(d.k.Now())
	d.core.SetTime(t, t/(1_000_000_000/HZ))
	return d.core
}

// Interrupt implements Env.
func (d *Driver) Interrupt(cpu, _ int) {
	if cpu != d.picking {
		d.k.Kick(d.k.CPUs()[cpu])
	}
}

// Pulled implements it, too.
func (d *Driver) Pulled(kind byte, from, to int, id sched.ThreadID) {
	code := WhyPulled
	switch kind {
	case 'W':
		return
	case 'N':
		code = WhyPulledIdle
	}
	d.k.Place(d.k.Thread(id), d.k.CPUs()[to], sched.Reason{Code: code, A: int32(from), B: int32(to)})
}

// Admit implements sched.Policy.
func (d *Driver) Admit(t *sched.Thread, par *sched.Params) error {
	c := d.now()
	if par == nil {
		c.Fork(t.ID, t.Parent)
		c.Bind(t.ID, t.Bound)
		return nil
	}
	if t.Set != 0 {
		return fmt.Errorf("%s: thread %q is in processor set %d; this kernel has none", d.name, t.Name, t.Set)
	}
	policy, rt, err := d.read(par)
	if err != nil {
		return err
	}
	c.New(t.ID, clamp(par.Nice), policy, rt, d.k.Here().ID)
	c.Bind(t.ID, t.Bound)
	return nil
}

func clamp(nice int) int32 { return int32(min(max(nice, -20), 19)) }

// read takes the policy and real-time priority from parameters.
func (d *Driver) read(par *sched.Params) (policy uint8, rt int32, err error) {
	class, prio := par.Class, par.Priority
	if class == "" {
		class = d.class
		if prio == 0 {
			prio = 1
		}
	}
	switch class {
	case "", "OTHER":
		return Normal, 0, nil
	case "FIFO":
		policy = FIFO
	case "RR":
		policy = RR
	default:
		return 0, 0, fmt.Errorf("%s: class %q is unknown, want OTHER, FIFO or RR", d.name, par.Class)
	}
	if prio < 1 || prio > 99 {
		return 0, 0, fmt.Errorf("%s: real-time priority %d, want 1 to 99", d.name, prio)
	}
	return policy, int32(prio), nil
}

// Set implements sched.Policy: sched_setscheduler and setpriority.
func (d *Driver) Set(t *sched.Thread, par *sched.Params) error {
	policy, rt, err := d.read(par)
	if err != nil {
		return err
	}
	c, here := d.now(), d.k.Here().ID
	if _, p, r := c.ParamsOf(t.ID); p != policy || r != rt {
		c.SetPolicy(t.ID, policy, rt, here)
	}
	c.Renice(t.ID, clamp(par.Nice), here)
	return nil
}

// Nice implements sched.Nicer.
func (d *Driver) Nice(t *sched.Thread, incr int) (int, error) {
	c := d.now()
	was, _, _ := c.ParamsOf(t.ID)
	nice := clamp(int(was) + min(max(incr, -40), 40))
	c.Renice(t.ID, nice, d.k.Here().ID)
	return int(nice), nil
}

// Enqueue implements sched.Policy.
func (d *Driver) Enqueue(t *sched.Thread, why sched.Cause) {
	c := d.now()
	code := WhyStays
	switch why {
	case sched.Yielded:
		c.Yield(t.CPU)
		code = WhyYielded
	case sched.Forked:
		code = d.begin(t)
	case sched.Woken:
		from := c.CPUOf(t.ID)
		code = WhyWoken
		if c.Wake(t.ID, d.k.Here().ID, d.k.Context() == sched.InTimer, false) != from {
			code = WhyDrawn
		}
	default: // a task that was preempted keeps its place
		if c.Expired(t.ID) {
			code = WhyExpired
		}
	}
	d.k.Place(t, d.k.CPUs()[c.CPUOf(t.ID)], d.reason(code, t.ID))
}

func (d *Driver) reason(code uint16, id sched.ThreadID) sched.Reason {
	a, b := d.core.Figures(id)
	return sched.Reason{Code: code, A: a, B: b}
}

// begin is a thread's first wake-up: by its parent, if that runs here, else by a
// shell, whose child begins its program on the CPU that is loaded least.
func (d *Driver) begin(t *sched.Thread) uint16 {
	c, here := d.core, d.k.Here().ID
	if t.Parent != none && c.Cur(here) == t.Parent {
		c.WakeNew(t.ID, here)
		return WhyForked
	}
	cpu := t.Bound
	switch {
	case cpu != sched.NoCPU:
	case d.k.Context() == sched.InBoot:
		cpu = here
	default:
		cpu = ExecTarget(c.Loads(), here)
	}
	c.Launch(t.ID, cpu, here)
	if cpu != here {
		return WhyExec
	}
	return WhyBegins
}

// Dequeue implements sched.Policy.
func (d *Driver) Dequeue(t *sched.Thread, why sched.Cause) {
	c := d.now()
	if why == sched.Exited {
		c.Exit(t.ID)
		return
	}
	c.Sleep(t.ID)
}

// Pick implements sched.Policy: schedule() on a CPU.
func (d *Driver) Pick(cpu *sched.CPU) (*sched.Thread, sched.Reason) {
	c := d.now()
	prev := c.Cur(cpu.ID)
	d.picking = cpu.ID
	next, swapped := c.Schedule(cpu.ID)
	d.picking = -1
	if d.Watch != nil {
		d.Watch(cpu.ID, prev, next)
	}
	if next == none {
		return nil, sched.Reason{Code: WhyIdle}
	}
	if c.NeedResched(cpu.ID) {
		d.k.Kick(cpu) // the kernel calls schedule again by itself
	}
	t := d.k.Thread(next)
	switch _, policy, rt := c.ParamsOf(next); {
	case policy != Normal:
		return t, sched.Reason{Code: WhyRealtime, A: rt}
	case swapped:
		return t, d.reason(WhySwapped, next)
	case next == prev:
		return t, d.reason(WhyKept, next)
	}
	return t, d.reason(WhyBest, next)
}

// Tick implements sched.Policy.
func (d *Driver) Tick(cpu *sched.CPU) {
	c := d.now()
	c.Tick(cpu.ID)
	d.due[cpu.ID] = c.BalanceDue(cpu.ID)
}

// Balance implements sched.Balancer.
func (d *Driver) Balance(cpu *sched.CPU) {
	if d.due[cpu.ID] {
		d.due[cpu.ID] = false
		d.now().Balance(cpu.ID)
	}
}

// Source implements sched.Sourcer.
func (d *Driver) Source(r sched.Reason) string {
	if r.Code == 0 || int(r.Code) >= len(sources) {
		return ""
	}
	return "kernel/sched.c: " + sources[r.Code]
}

// ClassOf names a task's policy.
func (d *Driver) ClassOf(t *sched.Thread) string {
	_, policy, _ := d.core.ParamsOf(t.ID)
	return [...]string{"OTHER", "FIFO", "RR"}[policy]
}

// Told puts the reasons that both kernels have into a sentence; at is what the
// kernel says of the task.
func Told(r sched.Reason, at string) string {
	switch r.Code {
	case WhyBegins:
		return "It begins on the CPU that started it, " + at + "."
	case WhyExec:
		return "It begins its program on the CPU that is loaded least, " + at + "."
	case WhyWoken:
		return "It woke on the CPU it slept on, " + at + "; no idle CPU is looked for."
	case WhyDrawn:
		return "The CPU that woke it had room, so it was drawn there, " + at + "."
	case WhyPulled:
		return fmt.Sprintf("Periodic balancing pulled it from cpu%d to cpu%d.", r.A, r.B)
	case WhyPulledIdle:
		return fmt.Sprintf("cpu%d was about to idle and pulled it from cpu%d.", r.B, r.A)
	case WhyRealtime:
		return fmt.Sprintf("Its real-time priority %d beats every ordinary task.", r.A)
	case WhyIdle:
		return "Nothing is runnable on this CPU, and no other one had enough to give."
	}
	return ""
}
