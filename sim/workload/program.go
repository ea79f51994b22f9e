package workload

import (
	"errors"
	"fmt"
	"slices"

	"strandscope/sim/clock"
)

// Op is what a step does.
type Op uint8

// The steps of a program.
const (
	// Run computes for D at full speed: a fixed amount of work, which takes
	// longer on a slower or shared pipeline (rt-app's run).
	Run Op = iota
	// Spin computes for ever.
	Spin
	// Sleep blocks for D, from the moment it is reached.
	Sleep
	// Fork creates a child that runs Child.
	Fork
	// Loop goes back to step To until it has been passed Count times in all;
	// Count < 0 means for ever. Slot numbers its counter.
	Loop
	// Block sleeps until the thread is killed.
	Block
	// Suspend sleeps until another thread resumes Name (rt-app's suspend).
	Suspend
	// Resume wakes all who are suspended under Name; nobody: it is lost.
	Resume
	// Acquire takes one post of the semaphore Name, or sleeps until it gets one
	// (rt-app's sem_wait). Who came first is served first.
	Acquire
	// Post wakes one who waits for the semaphore Name, or is remembered.
	Post
	// Timer sleeps until D after the last release, the first of which is the
	// thread's start; if that time has passed it only yields (a periodic task).
	Timer
	// Period sleeps until D after the last release of a timer, the first of which is
	// the thread's start; if that has passed it goes on at once, and without Grid the
	// timer begins anew from now (rt-app's timer). Name is a timer shared by all who
	// name it; without one Slot is a timer of the thread's own.
	Period
	// Busy computes until D has passed since it was reached, whoever had the CPU
	// (rt-app's runtime).
	Busy
	// Lock takes the mutex Name, or sleeps until it is free and tries again. Unlock
	// frees it and wakes who has waited longest.
	Lock
	Unlock
	// Await frees the mutex Other and sleeps until the condition Name is signalled; a
	// Lock of Other has to follow. Signal wakes the first who waits, Broadcast all;
	// nobody: it is lost.
	Await
	Signal
	Broadcast
	// Barrier sleeps until Count threads have come to the barrier Name.
	Barrier
	// Become changes the thread's scheduling parameters to As, if given, and with Bind
	// the only CPU it may use to To, −1 for any.
	Become
	// Yield gives the CPU up without sleeping.
	Yield
	// Exit ends the thread. A program that runs out of steps exits too.
	Exit
)

// Instr is one step.
type Instr struct {
	Op Op
	D  clock.Duration
	// Ticks, if positive, measures Run in charged clock ticks and Sleep in ticks
	// from the present one, instead of D.
	Ticks int64
	To    int32
	Slot  int32
	Count int64
	Name  string // of the child, the suspended, semaphore, mutex, condition, barrier, timer
	Other string // Await: the mutex
	Child *Program
	Grid  bool // Period: a late one keeps the grid
	Bind  bool
	As    any // *sched.Params
}

// Program is a list of steps. It is immutable and may be shared by threads.
type Program struct {
	Steps  []Instr
	Slots  int // loop counters that a thread needs
	Timers int // timers of its own
}

// Forever is a program that spins.
var Forever = &Program{Steps: []Instr{{Op: Spin}}}

// Builder makes a Program.
type Builder struct{ p Program }

// Len is the number of steps so far.
func (b *Builder) Len() int { return len(b.p.Steps) }

// Do appends a step.
func (b *Builder) Do(i Instr) { b.p.Steps = append(b.p.Steps, i) }

// NewTimer numbers a timer of the thread's own.
func (b *Builder) NewTimer() int32 { b.p.Timers++; return int32(b.p.Timers - 1) }

// Repeat appends what body adds, count times over; count < 0 means for ever.
func (b *Builder) Repeat(count int64, body func()) {
	start := int32(len(b.p.Steps))
	body()
	switch count {
	case 0:
		b.p.Steps = b.p.Steps[:start]
		return
	case 1:
		return
	}
	slot := b.p.Slots
	b.p.Slots++
	b.Do(Instr{Op: Loop, To: start, Slot: int32(slot), Count: count})
}

// MaxIdleSteps is the most steps in a row that a program may make without
// letting time pass.
const MaxIdleSteps = 10_000

// MaxRun is the longest single Run or Sleep: work is counted in thousandths of
// a nanosecond, and that count must not overflow.
const MaxRun = 100 * 24 * clock.Hour

// Program returns what was built. It refuses loops that would never let time
// pass, or hardly ever.
func (b *Builder) Program() (*Program, error) {
	p := b.p
	for i, s := range p.Steps {
		if s.D < 0 {
			return nil, fmt.Errorf("step %d: negative duration", i)
		}
		if s.D > MaxRun {
			return nil, fmt.Errorf("step %d: more than %d days", i, MaxRun/(24*clock.Hour))
		}
		if s.Op == Loop && s.Count < 0 && !passesTime(p.Steps[s.To:i]) {
			return nil, errors.New("an endless loop in which no time passes")
		}
	}
	if n := idleSteps(p.Steps); n > MaxIdleSteps {
		return nil, fmt.Errorf("more than %d steps in a row in which no time passes", MaxIdleSteps)
	}
	return &p, nil
}

// stretch is a piece of a program, by its steps in which no time passes: how
// many come before the first step that takes time, after the last one, and at
// most in a row.
type stretch struct {
	from               int32 // its first step
	takesTime          bool
	first, last, worst int64
}

func (a stretch) then(b stretch) stretch {
	c := stretch{from: a.from, takesTime: a.takesTime || b.takesTime, first: a.first, last: b.last}
	if !a.takesTime {
		c.first = a.first + b.first
	}
	if !b.takesTime {
		c.last = a.last + b.last
	}
	c.worst = max(a.worst, b.worst, a.last+b.first)
	return c
}

func (a stretch) repeated(count int64) stretch {
	if a.takesTime {
		a.worst = max(a.worst, a.last+a.first)
		return a
	}
	n := int64(MaxIdleSteps + 1) // more than that is refused anyway
	if count >= 0 && count < n {
		n = min(n, a.worst*count)
	}
	a.first, a.last, a.worst = n, n, n
	return a
}

// idleSteps is the most steps in a row in which no time passes.
func idleSteps(steps []Instr) int64 {
	var parts []stretch // those before the present step, joined where loops end
	for i, s := range steps {
		part := stretch{from: int32(i), first: 1, last: 1, worst: 1}
		if takesTime(s) {
			part = stretch{from: int32(i), takesTime: true}
		}
		if s.Op == Loop {
			for len(parts) > 0 && parts[len(parts)-1].from >= s.To {
				part = parts[len(parts)-1].then(part)
				parts = parts[:len(parts)-1]
			}
			part = part.repeated(s.Count)
		}
		parts = append(parts, part)
	}
	var whole stretch
	for _, p := range parts {
		whole = whole.then(p)
	}
	return whole.worst
}

// takesTime reports whether a step lets time pass. A run or sleep of 0 does
// not.
func takesTime(s Instr) bool {
	switch s.Op {
	case Spin, Exit, Block:
		return true
	case Run, Sleep, Busy:
		return s.D > 0 || s.Ticks > 0
	case Timer, Period: // a thread that is late does not wait
	case Fork, Loop, Yield, Suspend, Resume, Acquire, Post, Lock, Unlock, Await, Signal, Broadcast, Barrier, Become:
	}
	return false
}

// passesTime reports whether one pass through steps must take time.
func passesTime(steps []Instr) bool { return slices.ContainsFunc(steps, takesTime) }
