package console

import (
	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
	"strandscope/sim/trace"
	"strandscope/sim/workload"
)

// Machine is the simulated machine as commands see it.
type Machine interface {
	Looker
	Changer
	Starter
}

// Looker tells how the machine is.
type Looker interface {
	Now() clock.Time
	Tick() clock.Duration
	// Find lists the live user processes of an id type: pid, ppid, class, projid,
	// psetid, name, uid or all. An id that nobody has is an error.
	Find(idtype string, ids []string) ([]sched.ThreadID, error)
	// Processes lists the user processes that run, wait, sleep or are zombies, by
	// process id.
	Processes() []Process
	Process(t sched.ThreadID) Process
	Class(t sched.ThreadID) string
	// Params are a thread's class and the parameters that it has there.
	Params(t sched.ThreadID) sched.Params
	// DefaultClass is the default class that the machine was booted with; "" where
	// none was set. CheckClass refuses one that is not loaded.
	DefaultClass() string
	CheckClass(class string) error
	NiceOf(t sched.ThreadID) int
	// Values are the policy's own figures of a thread, in the order of Fields.
	Fields() []sched.Field
	Values(t sched.ThreadID) []int64

	CPUs() int
	CPU(id int) CPU
	SetOf(cpu int) int
	Hardware() Hardware
	Projects() []Project
	// LoadText is the three load averages with two decimals, as this kernel prints
	// them, and Load the integers that it keeps.
	LoadText() [3]string
	Load() [3]int64
	Boot() Boot

	// Reports, begun now. Each prints when it is asked to.
	Vmstat() *stats.VmstatReport
	Mpstat(view stats.MpstatView) *stats.MpstatReport
	// Prstat is for a reader that asks each so many seconds; nil where the kernel
	// keeps no microstates.
	Prstat(seconds int, view stats.PrstatView) *stats.PrstatReport
	// Watch lets an observer see what happens from now on, until Unwatch.
	Watch(o trace.Observer)
	Unwatch(o trace.Observer)
	// Rouse has the console go on as soon as the present instant is over: what an
	// observer calls when its command has something to do.
	Rouse()
	// CPUTime is what a CPU did since the run began, and Switches how often CPUs
	// changed over, also to their idle loops.
	CPUTime(cpu int) (idle, user, system clock.Duration)
	Switches() int64
	// LastPID is the greatest process id given so far.
	LastPID() int32
}

// Changer changes the machine. Each call is made whole or, on an error, not at
// all for the thread or CPU that it names.
type Changer interface {
	Change(t sched.ThreadID, p sched.Params) error
	Nice(t sched.ThreadID, incr int) (int, error)
	Kill(t sched.ThreadID) error
	Bind(t sched.ThreadID, cpu int) error // sched.NoCPU: frees it
	Join(t sched.ThreadID, set int) error
	Assign(cpu, set int) error
	SetOnline(cpu int, online bool) error
	SetShares(project string, shares int) error
	// MoveTo puts a process into another project, by name or number.
	MoveTo(t sched.ThreadID, project string) error
	// Table is a class's dispatch table as dispadmin -g prints it; SetTable takes
	// such a text.
	Table(class string, res int) (string, error)
	SetTable(class, text string) error
	// Reboot starts the machine anew with a default class, "" for none: processes,
	// processor sets, bindings and off-line CPUs are gone, time begins at zero.
	Reboot(class string) error
}

// Starter starts processes.
type Starter interface {
	// Shell is the shell's own process, made when it is first asked for.
	Shell() (sched.ThreadID, error)
	// Spawn forks a child of a process and lets it run a program.
	Spawn(parent sched.ThreadID, name string, prog *workload.Program) (sched.ThreadID, error)
	// Program is what a task of the scenario does, by its name.
	Program(name string) (*workload.Program, bool)
	// Programs are the names that Program knows, in the scenario's order.
	Programs() []string
}

// Process is a process as ps sees it.
type Process struct {
	ID       sched.ThreadID
	PID      int32
	PPID     int32
	Name     string
	Class    string
	State    sched.State
	Zombie   bool // gone, but its parent has not waited for it
	CPU      int
	Set      int
	Bound    int // sched.NoCPU: free
	Project  int
	Priority int // global priority; −1 where the policy has none
	Nice     int
	Started  clock.Time
	// User and System are its time on CPUs, Waited the time in run queues.
	User, System, Waited clock.Duration
	// Ticks are the clock ticks charged to it, where the kernel counts time so.
	Ticks int64
}

// CPU is a strand as psrinfo sees it.
type CPU struct {
	ID, Core, Chip int
	Set            int
	Online         bool
	// Since is when it came to its present state.
	Since clock.Time
}

// Hardware names the machine.
type Hardware struct {
	Title string
	Chips int
	Cores int
	MHz   int
	// CPUModel is the name of the processor as psrinfo and /proc/cpuinfo give it.
	CPUModel string
}

// Project owns shares under FSS.
type Project struct {
	ID     int
	Name   string
	Shares int
}

// Boot says when the machine was booted.
type Boot struct {
	Clock int            // minutes of the day at which the run began
	Up    clock.Duration // how long it had been up by then
	Users int
}
