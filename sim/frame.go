package sim

import (
	"strandscope/sim/clock"
	"strandscope/sim/machine"
	"strandscope/sim/scenario"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
	"strandscope/sim/trace"
)

// Frame is one immutable picture of a run. Panels, the text twin, exports and
// the page read it; nobody reads the engine. A frame stays valid until the
// second next call of Session.Frame.
type Frame struct {
	Now      clock.Time
	Tick     clock.Duration // of the kernel's clock
	Scenario Info
	Machine  *machine.Machine
	CPUs     []CPU    // by id
	Threads  []Thread // by id; kernel threads included
	Queues   []Queue  // in the policy's own order, waiting threads only
	Fields   []sched.Field
	// IssueSlots is the share of issue slots used, by pipeline (model).
	IssueSlots []machine.Permille
	Totals     Totals
	Load       Load
	Vmstat     Vmstat
	// Work is what the scheduler has done; nil where its policy does not count.
	Work    *SchedulerWork
	Printed []Figure
	Probes  []Probe // in the scenario's order
	// Curve is what the scenario wants plotted, nil: nothing, and CurvePoints are
	// those of its points that were run so far.
	Curve       *scenario.Curve
	CurvePoints []CurvePoint
	// Book is what a textbook asks of a job list; nil: the scenario has none.
	Book *Book
	// Top is what top showed last, where the kernel has it: it looks about every
	// TopEvery, and TopSpan is what it covers.
	Top     []string
	TopSpan clock.Duration
	Plots   Plots
	// Timeline is what each CPU did in the time that is looked at: see Look.
	Timeline stats.Window
	// Pointed is what is at the cursor; nil: it points nowhere.
	Pointed *Pointed
	// Beside is the frame of the run beside this one, at the same time; nil: there is
	// none. Who compares runs sets it.
	Beside *Frame
	Digest uint64 // over all events so far
	Events int64  // number of events so far
}

// TimelineSpan is the time that a frame's timeline reaches back unless it is
// told otherwise.
const TimelineSpan = 10 * clock.Second

// Info says what is being run.
type Info struct {
	ID           string // built-in id, "" for a document of one's own
	Title        string
	SourceTitle  string
	SourceNote   string // author, date
	MachineTitle string
	Boot         scenario.Boot // for what uptime prints
	Kernel       string        // "solaris10"
	Class        string        // default class in force: "unset", "TS", "FSS", …
	Explanation  string        // "pset", "kernel"; "" where there is no choice
	// Note says in at most two sentences which explanation is in force and
	// why; "" where there is nothing to explain.
	Note string
	// PrintedNote says in a sentence why ours differ from the printed figures.
	PrintedNote string
	Groups      []Group
	Projects    []Project       // in the scenario's order
	Questions   []Question      // to be answered before the answer is seen
	Commands    []Command       // lines for the machine's console, by time
	Prompt      bool            // the scenario is one to type at
	Recorded    bool            // it is a recording, of which nothing can be changed
	List        string          // the job list as one writes it, "" if it is none or long
	Notes       []string        // what of a document was read otherwise than it stands there
	Document    []scenario.Step // what the source types and prints; empty: it is not told
}

// Command is a line for the machine's console at a time.
type Command struct {
	At   clock.Time
	Line string
}

// Project owns shares of the machine under FSS.
type Project struct {
	ID     int
	Name   string
	Shares int // as the scenario has them; Thread.Shares are those in force
}

// Question asks for a prediction.
type Question struct {
	Ask     string
	Choices []string
	Answer  int // index of the right choice
	Why     string
}

// Group is a row of equal tasks of the scenario.
type Group struct {
	Name  string
	Count int
	Class string // as asked for; "" is the default class
	Nice  int
	Text  string // "spins", "runs 5 ms, sleeps 20 ms"
	// Project is the number of the group's project.
	Project int
}

// CPU is a strand in a frame.
type CPU struct {
	Thread sched.ThreadID // None when idle
	Mode   trace.CPUMode
	Set    int // processor set, 0 is the default set
	Online bool
	// IdleBesideWork: it idles while some thread waits on the machine.
	IdleBesideWork bool
	// MayHelp: a thread that waits is allowed on this idle strand. It is false
	// for strands that idle because of a processor set or a binding.
	MayHelp bool
	// Speed of the strand's thread relative to running alone on its pipeline.
	Speed machine.Permille
	// Queue is the number of threads waiting at this CPU's own queue.
	Queue int
}

// Thread is a thread in a frame.
type Thread struct {
	ID       sched.ThreadID
	PID      int32
	Name     string
	Kernel   bool
	Class    string
	State    sched.State
	CPU      int // the CPU it runs on, ran on last, or waits at
	Set      int
	Priority int // global priority; -1 when the policy has none
	Nice     int
	Project  int
	Shares   int // of its project, in classes that know shares
	// Quantum left and its full length, in ticks; Full is 0 without a quantum.
	Left, Full int
	Ran        clock.Duration // time on CPU so far
	Waited     clock.Duration // time runnable but not on CPU so far
	// Key is what its queue is in order of, in µs of virtual time, where that is a tree:
	// the virtual runtime, or the deadline. Owing: it had more than its share and is not
	// eligible, in kernels that ask for that.
	Key   int64
	Owing bool
	// Ticks is the clock ticks charged to it, where the kernel counts time so.
	Ticks int64
	Work  clock.Duration // progress in time at full pipeline speed
	Why   string         // why it is where it is, one sentence
	Since clock.Time     // when it came to its present state
}

// Queue is a queue in a frame.
type Queue struct {
	CPU      int // -1 when shared
	Set      int
	Priority int // -1 when the queue has no levels
	Name     string
	Waiting  []sched.ThreadID
}

// Totals count the machine as it stands. Running + Waiting + Sleeping + Gone
// is the number of user threads started.
type Totals struct {
	Strands        int // on-line
	Busy           int
	BusyCores      int
	Cores          int
	Running        int // user threads on CPU
	Waiting        int
	Sleeping       int
	Gone           int
	IdleBesideWork int // strands idle while a thread waits
	// Switches onto a CPU so far, and how many of them were onto another CPU than the
	// thread's last; of user threads.
	Switches, Moves int64
	// IssueSlots used, per thousand of the machine's pipelines (model).
	IssueSlots machine.Permille
}

// Load is the load average as the kernel holds and prints it.
type Load struct {
	Avg  [3]int64  // 1, 5, 15 minutes, in 1/256 threads
	Text [3]string // two decimals, as uptime prints them
}

// Vmstat is the last complete one-second sample in vmstat's arithmetic.
type Vmstat struct {
	Runnable      int // r: threads waiting
	User, System  int // percent, rounded as vmstat rounds
	Idle          int
	Interrupts    int
	Switches      int
	Seconds       int      // whole seconds sampled so far
	Table         []string // header and rows of `vmstat 3`, newest last
	BusyPermille  int      // strand utilisation, exact
	CoresPermille int      // share of cores with at least one busy strand
}

// Figure is a figure that the scenario's source prints, beside ours.
type Figure struct {
	Label     string
	Printed   string
	Simulated string
	Agrees    bool
	Pending   bool // not enough simulated time has passed to tell
}

// Plots are the figures over time.
type Plots struct {
	Load                [3]stats.Series // scale 256
	Ideal               [3]stats.Series // the same without the kernel's rounding
	Runnable            stats.Series    // running + waiting user threads, scale 1
	User, System        stats.Series    // percent of all strands, scale 100
	RunQueue            stats.Series    // r, scale 1
	WakeLatencyMicrosec stats.Series    // wake to run, scale 1
	Printed             []PrintedLoad   // load averages of the scenario's source
}
