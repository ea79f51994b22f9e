package record

// Kind is what a record says.
type Kind uint8

// The kinds of records.
const (
	// Switch: CPU went from Thread, left in State, to Other.
	Switch Kind = iota + 1
	// Wakeup: Thread was made runnable by code that ran on CPU; Target is the CPU that it
	// was given. Other is who ran there.
	Wakeup
	// WakeupNew: as Wakeup, of a thread that is new.
	WakeupNew
	// Migrate: Thread was given the CPU Target.
	Migrate
	// Fork: Thread is a child of Other.
	Fork
	// Exit: Thread is about to end.
	Exit
	// Rename: Thread goes by another name from now on.
	Rename
	// Lost: events of CPU are missing from before this moment.
	Lost
	// Waking: as Wakeup, told by the event sched_waking. Only recordings without any
	// sched_wakeup have it, as those of perf sched.
	Waking
	// Account: the kernel charged Thread for time on its CPU: Rec.Charged. Only readers
	// that were told to keep them do.
	Account
	// In and Out: a slice of Thread on CPU begins and ends; State is how it left. Formats
	// that have no switches have these.
	In
	Out
)

// State is how a thread left its CPU.
type State uint8

// The states. Unknown is that of a slice of which nothing else is said.
const (
	Unknown   State = iota
	Runnable        // R: it can go on
	Preempted       // R+: the CPU was taken from it
	Sleeping        // S
	Disk            // D: it counts in the load average
	Parked          // I, T, t, P, D without load: it sleeps and does not count
	Dead            // X, Z
)

// Blocked reports whether a thread that left so sleeps.
func (s State) Blocked() bool { return s == Sleeping || s == Disk || s == Parked }

// None is no thread: the idle loop.
const None int32 = -1

// Flags of a record.
const (
	// FromInterrupt: the waking code was a hard or soft interrupt.
	FromInterrupt uint8 = 1 << iota
	// ContextKnown: the recording says whether it was.
	ContextKnown
)

// Rec is one record of a recording.
type Rec struct {
	At            int64 // ns since the first record
	Line          uint32
	Thread, Other int32 // indices of Trace.Threads, or None
	CPU           int16
	Prio          int16 // of Thread as the kernel counts, −1: not said
	OtherPrio     int16 // of Other
	Kind          Kind
	State         State
	Flags         uint8
}

// Target is the CPU that a thread was given, −1: not said. Only records of wake-ups and
// migrations have one, which say nothing of a second priority.
func (r *Rec) Target() int { return int(r.OtherPrio) }

// Charged is the time that an Account tells, in ns, less than 4.3 s. Its place is that of
// Other.
func (r *Rec) Charged() int64 { return int64(uint32(r.Other)) }

// Thread is a thread of a recording. A process id that is used again is another thread.
type Thread struct {
	PID    int32
	Name   string // the last one that was recorded
	First  string // the first one
	Parent int32  // index of the thread that forked it, or None: it was there before
	Born   bool   // it began within the recording
	Prio   int16  // the first one that was recorded, −1: none
	// Virtual is its virtual run time in ns after the first account that was recorded of
	// it, of VirtualDelta ns of CPU time at VirtualAt, where VirtualKnown.
	Virtual, VirtualDelta, VirtualAt int64
	VirtualKnown                     bool
}

// Count is how often an event was found in the file, whether it was used or not.
type Count struct {
	Name string
	N    int64
}

// Trace is a recording that was read.
type Trace struct {
	Format  string // "ftrace", "perf script", …
	CPUs    int    // as the heading says, or as were seen
	Threads []Thread
	// Base is the time of the first record as the file has it, in ns.
	Base int64
	// Runner is who ran on each CPU at the first line about it: an index, None for the
	// idle loop, or Nobody.
	Runner []int32
	// Events counts the lines or objects of each event, in order of appearance.
	Events []Count
	// Lines is the number of lines, Bytes that of bytes read.
	Lines, Bytes int64
	// Simulated is what the heading of our own files says about prio, "" in others.
	Simulated string
	Notes     Notes

	index index
}

// Nobody in Trace.Runner: nothing is known of the CPU.
const Nobody int32 = -2

// Len is the number of records.
func (t *Trace) Len() int { return t.index.n }

// At is a record, in order of time.
func (t *Trace) At(i int) Rec { return *t.index.at(i) }

// End is the time of the last record, in ns since the first.
func (t *Trace) End() int64 {
	if t.index.n == 0 {
		return 0
	}
	return t.index.at(t.index.n - 1).At
}

// Count is how often an event was found.
func (t *Trace) Count(name string) int64 {
	for i := range t.Events {
		if t.Events[i].Name == name {
			return t.Events[i].N
		}
	}
	return 0
}
