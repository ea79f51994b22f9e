package recorded

import (
	"fmt"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/machine"
	"strandscope/sim/policy"
	"strandscope/sim/record"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
	"strandscope/sim/trace"
)

// Options say what a recording does not.
type Options struct {
	// Name is the file's, for titles and notes.
	Name string
	// Kernel is whose recording it is: an id such as linux-6.12. "" is DefaultKernel, or
	// what the heading of our own files tells.
	Kernel string
	// HZ is the kernel's clock rate, 0: 250.
	HZ int
	// Load are the averages of 1, 5 and 15 minutes when the recording began, in 1/2048,
	// and LoadAt when the kernel took its first sample after that; 0: after 1251 ticks.
	Load   [3]uint64
	LoadAt clock.Time
}

// DefaultKernel is taken where nothing says whose recording it is.
const DefaultKernel = "linux-6.12"

// Run is a recording as a run. It is not safe for concurrent use.
type Run struct {
	tr   *record.Trace
	o    Options
	m    *machine.Machine
	k    policy.Kernel
	info sim.Info
	tick clock.Duration
	wide bool // numbers of priorities are Solaris'

	shape   // of the recording, found once
	threads []sched.Thread

	// What follows changes while time passes.
	pos     int // the next record
	now     clock.Time
	second  clock.Time // the next one
	state   []threadState
	cpus    []cpuState
	pending int // CPUs whose slice has ended at this moment
	events  int64
	bridged Bridged
	wakes   stats.Distribution
	fold    *sim.Fold
	obs     []trace.Observer
	extra   []trace.Observer
	look    sim.Look
	frames  [2]sim.Frame
	turn    int
}

// shape is what one pass over the recording finds.
type shape struct {
	first []first // by thread
	last  []int32 // index of the last record that has the thread run or wake
	wakes bool    // there are records of wake-ups
}

// first is how a thread is met first.
type first uint8

const (
	unmet   first = iota
	ran           // it left a CPU
	waited        // it came onto a CPU without a wake-up
	slept         // it was woken
	unborn        // it was forked
	offered       // it woke somebody: it ran
)

type threadState struct {
	is      sched.State
	cpu     int16 // it runs on, waits at, or ran on last
	ranOnce bool
	disk    bool // it sleeps and counts in the load
	prio    int16
	woke    clock.Time // −1: it does not wait after a recorded wake-up
	waker   int32
	Stat
}

// Stat is what was counted of a thread, from the recording alone.
type Stat struct {
	// Wakes is how many recorded wake-ups got a CPU, Latency how long that took in all,
	// and Longest at most.
	Wakes            int64
	Latency, Longest clock.Duration
	// Switches is how often it came onto a CPU, Preempted how often it left one able to
	// go on.
	Switches, Preempted int64
}

type cpuState struct {
	thread int32 // index, or record.None
	ended  bool  // its slice has ended, and what comes is not known yet
}

// Bridged counts what had to be assumed, since the recording does not say it.
type Bridged struct {
	// Unwoken threads came onto a CPU without a wake-up, though others are recorded.
	Unwoken int64
	// Other threads than the recorded one were on a CPU when it switched.
	Other int64
	// Twice is how often a thread came onto a CPU while it was on another.
	Twice int64
	// Awake threads were woken.
	Awake int64
}

// New makes a run of a recording, at its beginning.
func New(tr *record.Trace, o Options) (*Run, error) {
	r := &Run{tr: tr, o: o}
	m, err := machine.Grid(tr.CPUs, 1)
	if err != nil {
		return nil, fmt.Errorf("CPUs: %w", err)
	}
	m.Title = "recorded, " + counted(tr.CPUs, "CPU")
	r.m = m
	r.kernel()
	r.survey()
	r.begin()
	return r, nil
}

func counted(n int, what string) string {
	if n == 1 {
		return "one " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// begin goes to the beginning.
func (r *Run) begin() {
	n := len(r.tr.Threads)
	r.pos, r.now, r.second, r.pending, r.events = 0, 0, clock.Time(clock.Second), 0, 0
	r.bridged, r.wakes = Bridged{}, stats.Distribution{}
	r.state = make([]threadState, n)
	r.threads = make([]sched.Thread, n)
	for i := range r.state {
		x := &r.tr.Threads[i]
		r.state[i] = threadState{is: sched.Embryo, cpu: sched.NoCPU, prio: x.Prio, woke: -1, waker: record.None}
		r.threads[i] = sched.Thread{
			ID: sched.ThreadID(i), Parent: r.parent(i), PID: x.PID, Name: x.Name, State: sched.Embryo, Bound: sched.NoCPU, LeftCPU: -1,
		}
	}
	r.cpus = make([]cpuState, r.tr.CPUs)
	for i := range r.cpus {
		r.cpus[i].thread = record.None
	}
	r.fold = sim.NewFold(r.m, r.k, (*roster)(r))
	r.fold.Look(r.look)
	r.obs = append(r.fold.Observers(), r.extra...)
	r.start()
}

func (r *Run) parent(i int) sched.ThreadID {
	if p := r.tr.Threads[i].Parent; p >= 0 && int(p) < i {
		return sched.ThreadID(p)
	}
	return sched.None
}

// Trace is the recording.
func (r *Run) Trace() *record.Trace { return r.tr }

// Now is the time reached, End that of the last record.
func (r *Run) Now() clock.Time { return r.now }

// End is when the recording ends.
func (r *Run) End() clock.Time { return clock.Time(r.tr.End()) }

// Bridged is what was assumed up to now.
func (r *Run) Bridged() Bridged { return r.bridged }

// Stat is what was counted of a thread up to now.
func (r *Run) Stat(id int) Stat { return r.state[id].Stat }

// Wakes is how long recorded wake-ups took to get a CPU up to now.
func (r *Run) Wakes() *stats.Distribution { return &r.wakes }

// Advance goes on by a time.
func (r *Run) Advance(d clock.Duration) error { return r.AdvanceTo(r.now.Add(d)) }

// AdvanceTo goes on up to and including a time, or to the end of the recording.
func (r *Run) AdvanceTo(t clock.Time) error {
	_, err := r.AdvanceUpTo(t, 1<<40)
	return err
}

// AdvanceUpTo is AdvanceTo in slices: it goes on until the time or until about so many
// events, and reports whether it got there. Time never passes the end of the recording.
func (r *Run) AdvanceUpTo(t clock.Time, events int) (bool, error) {
	t = min(t, r.End())
	stop := r.events + int64(events)
	for r.pos < r.tr.Len() && r.events < stop {
		x := r.tr.At(r.pos)
		if clock.Time(x.At) > t {
			break
		}
		r.upTo(clock.Time(x.At))
		r.record(&x)
		r.pos++
	}
	if err := r.fold.Check().Err(); err != nil {
		return false, err
	}
	if r.pos < r.tr.Len() && clock.Time(r.tr.At(r.pos).At) <= t {
		return false, nil
	}
	if t > r.now {
		r.upTo(t)
	}
	if t == r.End() {
		r.settle()
	}
	return true, r.fold.Check().Err()
}

// SeekUpTo is AdvanceUpTo that can also go back: it begins again then.
func (r *Run) SeekUpTo(t clock.Time, events int) (bool, error) {
	if t < r.now {
		r.begin()
	}
	return r.AdvanceUpTo(t, events)
}

// Reset goes to the beginning, with observers of one's own that see every event.
func (r *Run) Reset() error {
	r.begin()
	return nil
}

// ResetWith is Reset with an observer that sees every event from the first on, now and
// whenever time goes back.
func (r *Run) ResetWith(o trace.Observer) error {
	r.extra = append(r.extra, o)
	r.begin()
	return nil
}

// Finish checks what must hold at the end of a run.
func (r *Run) Finish() error { return r.fold.Check().Finish(r.now) }

// Digest is the hash over all events so far.
func (r *Run) Digest() uint64 { return r.fold.Digest() }
