package stats

import (
	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// Entry is what a run did with one thread.
type Entry struct {
	State    sched.State
	Since    clock.Time // when it came to this state
	ran      clock.Duration
	waited   clock.Duration
	At       int          // CPU it runs on or waits at; NoCPU: a shared queue
	Placed   sched.Reason // why it waits where it waits, or last did
	Came     sched.Reason // why it waited where its present or last CPU found it
	Again    int64        // times it was preempted since, and picked again
	Chosen   sched.Reason // why it got a CPU last
	Cause    sched.Cause  // why it left a CPU last
	Switches int64
	Moves    int64      // times it came onto another CPU than its last one
	Born     clock.Time // when it was started
	started  bool
	// Its last wait that is over, if it had one; one that took no time counts too.
	WaitFrom, WaitTo clock.Time
}

// Ledger keeps an entry for every thread.
type Ledger struct {
	rows []Entry
	// Chosen and Idled say why each CPU took its thread, or found none.
	Chosen []sched.Reason
	Since  []clock.Time // when each CPU came to its thread, or to none
	wakes  []clock.Time // when the thread woke; −1: it runs
	// Waker, if set, is told of each wake-up that got a CPU.
	Waker Waker
}

// Waker is told how long wake-ups took to get a CPU.
type Waker interface {
	Served(latency clock.Duration, at clock.Time)
}

// NewLedger returns an empty ledger for a machine of so many CPUs.
func NewLedger(cpus int) *Ledger {
	return &Ledger{Chosen: make([]sched.Reason, cpus), Since: make([]clock.Time, cpus)}
}

// Kinds implements trace.Chooser.
func (*Ledger) Kinds() trace.Kinds {
	return trace.Of(trace.Created, trace.Woke, trace.Queued, trace.On, trace.Preempt, trace.Off, trace.Idle)
}

// Observe implements trace.Observer.
func (l *Ledger) Observe(e *trace.Event) {
	switch e.Kind {
	case trace.Created:
		for int(e.Thread) >= len(l.rows) {
			l.rows = append(l.rows, Entry{At: sched.NoCPU})
			l.wakes = append(l.wakes, -1)
		}
	case trace.Woke:
		l.enter(e, sched.Waiting)
		l.wakes[e.Thread] = e.At
		if r := &l.rows[e.Thread]; !r.started {
			r.started, r.Born = true, e.At
		}
	case trace.Queued:
		r := &l.rows[e.Thread]
		r.At, r.Placed = int(e.CPU), e.Why
	case trace.On:
		l.on(e)
	case trace.Preempt:
		l.rows[e.Thread].Again++
	case trace.Off:
		l.off(e)
	case trace.Idle:
		l.Chosen[e.CPU], l.Since[e.CPU] = e.Why, e.At
	default:
	}
}

func (l *Ledger) on(e *trace.Event) {
	l.enter(e, sched.Running)
	r := &l.rows[e.Thread]
	r.At, r.Chosen, r.Came, r.Again = int(e.CPU), e.Why, r.Placed, 0
	r.Switches++
	if e.A != int64(e.CPU) {
		r.Moves++
	}
	l.Chosen[e.CPU], l.Since[e.CPU] = e.Why, e.At
	if woke := l.wakes[e.Thread]; woke >= 0 {
		l.wakes[e.Thread] = -1
		if l.Waker != nil {
			l.Waker.Served(e.At.Sub(woke), e.At)
		}
	}
}

func (l *Ledger) off(e *trace.Event) {
	l.rows[e.Thread].Cause = e.Cause
	switch e.Cause {
	case sched.Blocked:
		l.enter(e, sched.Sleeping)
	case sched.Exited:
		l.enter(e, sched.Gone)
	default:
		l.enter(e, sched.Waiting)
	}
}

// enter closes the thread's present state and opens another.
func (l *Ledger) enter(e *trace.Event, s sched.State) {
	r := &l.rows[e.Thread]
	r.close(e.At)
	if r.State == sched.Waiting {
		r.WaitFrom, r.WaitTo = r.Since, e.At
	}
	r.State, r.Since = s, e.At
}

func (r *Entry) close(now clock.Time) {
	switch r.State {
	case sched.Running:
		r.ran += now.Sub(r.Since)
	case sched.Waiting:
		r.waited += now.Sub(r.Since)
	default:
	}
}

// Ran and Waited are the thread's time on CPU, and runnable without one, up to
// now.
func (r Entry) Ran(now clock.Time) clock.Duration { r.close(now); return r.ran }

// Waited is the time runnable but not on a CPU, up to now.
func (r Entry) Waited(now clock.Time) clock.Duration { r.close(now); return r.waited }

// Started reports whether the thread was ever runnable.
func (r Entry) Started() bool { return r.started }

// Entry is the row of a thread.
func (l *Ledger) Entry(id sched.ThreadID) Entry { return l.rows[id] }
