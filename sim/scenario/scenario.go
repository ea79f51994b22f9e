package scenario

import (
	"slices"

	"strandscope/sim/clock"
	"strandscope/sim/joblist"
	"strandscope/sim/machine"
	"strandscope/sim/sched"
	"strandscope/sim/workload"
)

// Limits of a document.
const (
	MaxBytes   = 16 << 20
	MaxThreads = 100_000
	maxKernels = 16
	maxDepth   = 200
)

// Unset is the default class of a machine on which nobody set one.
const Unset = "unset"

// Explanations of what "not set" did on the tip's machine (FACTS §12).
const (
	ExplainPset   = "pset"   // as the tip saw it: a 12-CPU processor set
	ExplainKernel = "kernel" // as the kernel sources say: the same as TS
)

// Scenario is a document read.
type Scenario struct {
	ID        string // built-in id, "" for a document of one's own
	Title     string
	Source    Source
	Machine   *machine.Machine
	Scheduler Scheduler
	Jobs      []joblist.Job // in file order; each is one of the Tasks too
	Tasks     []Task        // in file order
	Commands  []Command     // in order of time
	Printed   []Printed
	// PrintedNote says in a sentence why ours differ from the printed figures.
	PrintedNote string
	// Notes tell what of a document was read otherwise than it stands there, or left out.
	Notes []string
	// defaultPolicy is that of tasks which name none (rt-app).
	defaultPolicy string
	Boot          Boot
	Console       Console
	Booted        bool // by a reboot typed at its console
	Questions     []Question
	Curve         *Curve // nil: none
	Document      []Step // what the source types and prints, in its order
	Seed          uint64
	Duration      clock.Duration // 0: until stopped
}

// Source is the document a scenario brings to life.
type Source struct {
	Title, Author, Date, Link string
}

// Scheduler chooses and tunes the policy.
type Scheduler struct {
	Kernel string
	// Kernels are those that the scenario offers to choose from, Kernel among them;
	// empty: there is no choice.
	Kernels      []string
	DefaultClass string // Unset or a class of the kernel
	// Explanation is one of the Explain constants where the scenario offers a
	// choice, else "".
	Explanation string
	FirstPID    int // process id of the first thread; 0: the default
	Zones       []Zone
	Projects    []Project
	Sets        []Set
	Tables      []Table
	Costs       Costs
	Book        Book
}

// Zone owns shares.
type Zone struct{ ID, Shares int }

// Project owns shares of a zone.
type Project struct {
	ID     int
	Name   string
	Shares int
	Zone   int
}

// Table is a class's dispatch table, as dispadmin prints it.
type Table struct{ Class, Text string }

// Set is a processor set. With Explanation set it exists only while that
// explanation is in force.
type Set struct {
	ID          int
	CPUs        []int
	Explanation string
}

// Costs are what kernel work takes. They are models.
type Costs struct {
	ClockTick clock.Duration // one clock interrupt, on the CPU that takes it
	Devices   clock.Duration // other interrupts of a second, all CPUs together
	// Evaluation is one goodness evaluation or one task's recalculation; Given
	// tells 0 from nothing said.
	Evaluation clock.Duration
	Given      bool
}

// Task is a number of equal threads.
type Task struct {
	Name     string
	Instance int
	Delay    clock.Duration
	Program  *workload.Program
	Changes  []Change // of its scheduling parameters, by its phases
	Text     string   // what it does, in a few words
	Class    string   // "": the default class
	Nice     int
	Priority int
	Given    bool           // Priority was given: a user priority of its own, not one that follows from Nice
	Realtime string         // FIFO or RR, where rt-app's policy says so
	Mild     string         // BATCH or IDLE, where rt-app's policy says so
	Slice    clock.Duration // of its requests, where the kernel lets it ask; 0: the kernel's own
	Lag      int            // what it is owed when it begins, in ns of virtual time (Linux 6); 0: nothing said
	Project  int
	Set      int
	CPU      int // bound to it; sched.NoCPU: free
	CPI      machine.CPI
	// Tickets, WorkingSet, Affinity, Period and Deadline are for textbook policies.
	Tickets, WorkingSet int
	Affinity            []int
	Period, Deadline    clock.Duration
	Probe               bool // its wake-ups are shown one by one, beside those on an idle machine
}

// Command is a line for the machine's console at a given time.
type Command struct {
	At   clock.Duration
	Line string
	// Typed: it is input at the prompt, which waits for the command in front and
	// may be wrong; else it runs by itself.
	Typed bool
	// Remark: it is no command but a sentence of ours for the log.
	Remark bool
}

// Question asks for a prediction before the answer is shown.
type Question struct {
	Ask     string
	Choices []string
	Answer  int // index of the right choice
	Why     string
}

// Boot says when the machine was booted, for what uptime and top print.
type Boot struct {
	Clock int            // minutes of the day at which the run begins
	Up    clock.Duration // how long the machine has been up by then
	Users int
}

// Console says where the shell runs at which lines are typed.
type Console struct {
	// Given: the scenario is one to type at; what is to run is started there.
	Given bool
	// Task is the task whose first process is the shell; "": it has one of its own
	// as soon as something is started from it.
	Task string
	// Set is the processor set that such a shell, and so all that is started from
	// it, belongs to; like a task's it counts only while the set is in force.
	Set int
}

// Figures are what printed figures may be compared with.
var Figures = []string{"r", "us", "sy", "id", "busy", "running", "user+system", "time", "scheduler", "scheduler/box", "probe", "latency", "latency95", "share", "load1", "load5", "load15"}

// Printed is a figure that the source prints.
type Printed struct {
	Label string
	Value string
	// What it is compared with, one of Figures.
	Figure string
	PID    int // whose time
	// Class, Explanation and Kernel say for which run the source prints it; "" is any.
	Class       string
	Kernel      string
	Explanation string
	// Also lists further values that the source prints for the same figure.
	Also []string
	// Within is how far ours may be off, in thousandths; 0: not at all.
	Within int
	// At is the time of the run that the figure belongs to; 0: any.
	At clock.Duration
}

// ActiveSets are the processor sets in force.
func (s *Scenario) ActiveSets() []Set {
	var sets []Set
	for _, set := range s.Scheduler.Sets {
		if set.Explanation == "" || (s.Scheduler.DefaultClass == Unset && set.Explanation == s.Scheduler.Explanation) {
			sets = append(sets, set)
		}
	}
	return sets
}

// Rebooted is the machine of the scenario after a reboot, with a default class of
// dispadmin's, or Unset: what was started by hand is gone, and so are processor
// sets. Projects, tables and costs are configuration and stay.
func (s *Scenario) Rebooted(class string) *Scenario {
	c := s.Clone()
	c.Tasks, c.Commands, c.Printed, c.Questions, c.Curve = nil, nil, nil, nil, nil
	c.Scheduler.Sets, c.Scheduler.Explanation = nil, ""
	c.Scheduler.DefaultClass = class
	c.Console = Console{Given: true}
	c.Boot.Clock += int((s.Boot.Up + rebootTakes) / clock.Minute)
	c.Boot.Clock %= 24 * 60
	c.Boot.Up = 0
	c.Duration = 0
	c.Booted = true
	return c
}

// rebootTakes is how long a T2000's reboot keeps the clock going. A model.
const rebootTakes = 5 * clock.Minute

// HasChoice reports whether the scenario offers explanations to choose from.
func (s *Scenario) HasChoice() bool {
	for _, set := range s.Scheduler.Sets {
		if set.Explanation != "" {
			return true
		}
	}
	return false
}

// SetOf is the processor set that a task's threads belong to now: sets that are
// not in force leave their threads in the default set.
func (s *Scenario) SetOf(t *Task) int {
	for _, set := range s.ActiveSets() {
		if set.ID == t.Set {
			return set.ID
		}
	}
	return 0
}

// Threads is the number of threads that the tasks make.
func (s *Scenario) Threads() int {
	n := 0
	for _, t := range s.Tasks {
		n += t.Instance
	}
	return n
}

// Params are a task's scheduling parameters.
func (t *Task) Params() sched.Params {
	p := sched.Params{
		Class: t.Class, Nice: t.Nice, Priority: t.Priority, Tickets: t.Tickets, WorkingSet: t.WorkingSet,
		CPUs: t.Affinity, Period: t.Period, Deadline: t.Deadline, Slice: t.Slice, Owed: int64(t.Lag),
	}
	if t.Given {
		p.Keep, p.Limit = true, max(0, t.Priority)
	}
	return p
}

// Clone returns a copy that may be changed by Apply.
func (s *Scenario) Clone() *Scenario {
	c := *s
	c.Commands = slices.Clone(s.Commands)
	return &c
}
