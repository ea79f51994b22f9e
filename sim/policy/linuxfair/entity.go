package linuxfair

// Entity is what the scheduler keeps of a task. Times are in ns; virtual ones are ns
// of a task of nice 0.
type Entity struct {
	ID   int32
	Nice int
	Idle bool // SCHED_IDLE
	Mild bool // SCHED_BATCH or SCHED_IDLE: it never preempts as it wakes

	V       int64 // vruntime
	D       int64 // virtual deadline (EEVDF)
	Lag     int64 // what it was owed when it left the queue (EEVDF)
	Protect int64 // the stash (6.12) or vprot (6.18) of slice protection
	Slice   int64 // of its requests (EEVDF)
	Custom  bool  // Slice was asked for with sched_setattr
	OnRQ    bool
	Delayed bool // it sleeps, but stays queued (EEVDF)
	Rel     bool // D is relative to V (EEVDF)

	ExecStart int64 // when it was charged last
	Sum       int64 // CPU time so far
	PrevSum   int64 // Sum when it was put on the CPU (CFS)

	Weight  int64
	Inverse uint32

	// The node of the tree.
	parent   *Entity
	child    [2]*Entity
	red      bool
	key      int64 // what the tree is ordered by, when it was put in
	minV     int64 // the least V below and here
	minSlice int64 // meant to be the least Slice; may be stale (Tree)
}

// SetNice gives an entity the weight of a nice value, or that of SCHED_IDLE.
func (e *Entity) SetNice(nice int, idle bool) {
	e.Nice, e.Idle = nice, idle
	e.Weight, e.Inverse = Weight(nice), Inverse(nice)
	if idle {
		e.Weight, e.Inverse = IdleWeight, IdleInverse
	}
}

// Virtual turns CPU time into virtual time (fair.c: calc_delta_fair).
func (e *Entity) Virtual(d int64) int64 {
	if e.Weight == NiceZero {
		return d
	}
	return Scale(d, NiceZero, e.Inverse)
}

// State is what both fair queues have; linuxcfs6 and linuxeevdf add their rules.
type State struct {
	Clock   int64   // now; the caller sets it before each operation
	Curr    *Entity // on the CPU, not in the tree; nil: none of this class
	N       int     // entities queued: the running one and delayed ones too
	Delayed int     // of those, how many are asleep
	Need    bool    // Curr is to be rescheduled; the caller takes it back
	Why     Choice  // how the last Pick chose
	Ended   []int32 // whose delayed dequeue ended; the caller empties it
	Tree    Tree
}

// Choice is how a queue chose.
type Choice uint8

// The choices.
const (
	Alone      Choice = iota // nobody else was there
	Leftmost                 // CFS: the least virtual time
	NextBuddy                // CFS: it was to preempt
	LastBuddy                // CFS: it was preempted last
	Skipped                  // CFS: the leftmost had yielded
	Protected                // EEVDF: its request is not over
	Earliest                 // EEVDF: the earliest deadline of those that are eligible
	Continuing               // EEVDF: the running one's deadline is the earliest
)

// Charged is how long Curr has run since it was charged last, and notes that it is
// charged now; 0: nothing to do.
func (s *State) Charged() int64 {
	c := s.Curr
	if c == nil {
		return 0
	}
	d := s.Clock - c.ExecStart
	if d <= 0 {
		return 0
	}
	c.ExecStart = s.Clock
	c.Sum += d
	return d
}

// Queue is the fair queue of one CPU, of whatever kernel. Whoever drives it sets Clock
// first, looks at Need after, and asks for Preempt only while Curr is on the CPU.
type Queue interface {
	Base() *State
	Fork(e *Entity)  // a new entity, while its parent is Curr
	Start(e *Entity) // … is put in
	Wake(e *Entity)  // a sleeper of this CPU is put in, or is awake where it is
	Join(e *Entity)  // one is put in that came from elsewhere without sleeping
	Leave(e *Entity) // … is taken out to go elsewhere
	// Depart takes a sleeper's virtual time from this queue, Arrive puts the sleeper
	// into another; Return brings the virtual time back and lets it sleep on.
	Depart(e *Entity)
	Arrive(e *Entity)
	Return(e *Entity)
	Preempt(e *Entity) // who was put in may want Curr's place
	Charge()
	Tick()
	Sleep(exits bool) // Curr stops
	Pick() *Entity    // nil: nobody is there
	Put()             // Curr leaves the CPU
	Set(e *Entity)    // e takes it
	Yield(n int)
	Reweigh(e *Entity, nice int, idle bool)
	VirtualTime() int64 // where the queue stands
	TotalWeight() int64 // of all that are queued
}
