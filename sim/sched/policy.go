package sched

import (
	"strandscope/sim/clock"
	"strandscope/sim/machine"
)

// Cause says why a thread enters or leaves the policy's custody.
type Cause uint8

// Causes of Enqueue, then causes of Dequeue.
const (
	NoCause   Cause = iota
	Forked          // new: it has never run
	Woken           // it slept
	Preempted       // the CPU was taken from it
	Yielded         // it gave the CPU up by itself
	GaveWay         // it stepped aside for its child after a fork
	Moved           // its CPU was taken from it by a change of sets
	Blocked         // it sleeps now
	Exited          // it is gone
)

func (c Cause) String() string {
	return [...]string{"", "forked", "woken", "preempted", "yielded", "gave way", "moved", "blocked", "exited"}[c]
}

// Context is what kind of interrupt led to the present code.
type Context uint8

// The contexts.
const (
	InCommand Context = iota // a command of the user, or a trap of the thread itself
	InBoot
	InTimer // the clock interrupt; under Local timing the timer chip's
	InTick  // a CPU's own clock interrupt (Local timing)
	InPoke  // another CPU asked for it
)

// Policy decides who runs where. It is called by the engine and never runs by
// itself; everything it may ask of the machine comes through Kernel.
type Policy interface {
	// Boot prepares the policy for the machine behind k. It is called once,
	// before any other method.
	Boot(k Kernel) error
	// Admit takes a new thread into the policy. On a fork t.Parent is set and
	// p is nil: the child inherits.
	Admit(t *Thread, p *Params) error
	// Set changes a thread's parameters (nice, priocntl, class change).
	Set(t *Thread, p *Params) error
	// Enqueue hands over a runnable thread that is off CPU.
	Enqueue(t *Thread, why Cause)
	// Dequeue tells that the running t stops: Blocked or Exited.
	Dequeue(t *Thread, why Cause)
	// Pick chooses the thread that c runs next; nil means idle. It may return
	// the thread that was just preempted: no switch is counted then.
	Pick(c *CPU) (*Thread, Reason)
	// Tick is the clock interrupt on c, idle or not.
	Tick(c *CPU)
	// Explain puts a reason of this policy into one sentence.
	Explain(r Reason) string
}

// The optional parts of a policy. The engine asks for each once, at Boot.
type (
	// Expirer is told that the slice armed for c ran out.
	Expirer interface{ Expire(c *CPU) }
	// Skipper knows which ticks do no more than count, so that they need not be taken
	// one by one.
	Skipper interface {
		// Quiet is how many of c's coming ticks change nothing but figures that Skip
		// makes up for, as long as nothing else happens on the machine.
		Quiet(c *CPU) int64
		// Skip is n calls of Tick at once; n is 1 to Quiet.
		Skip(c *CPU, n int64)
	}
	// Balancer spreads work when a CPU's clock interrupt is over: behind its tick and
	// the sleeps that end in it, before anything is decided. Only an engine whose
	// CPUs have timers of their own asks for it.
	Balancer interface{ Balance(c *CPU) }
	// Returner is called whenever c is about to return to user mode after
	// kernel work: the kernel exit of a fresh or woken thread, and the trap
	// that Post or Kick asked for. Solaris calls it trap return.
	Returner interface{ ReturnToUser(c *CPU) }
	// Idler separates the idle loop from the switch: a CPU that went idle, or
	// was kicked while idle, runs Idle until that returns nil without a kick.
	Idler interface {
		Idle(c *CPU) (*Thread, Reason)
	}
	// Regrouper is told that the shares of a group changed.
	Regrouper interface {
		Regroup(g GroupID, shares int) error
	}
	// Nicer changes a thread's nice value in mid-run.
	Nicer interface {
		// Nice adds to the nice value, within −20…19, and returns the new one.
		Nice(t *Thread, incr int) (int, error)
	}
	// Mover lets threads and CPUs change place in mid-run.
	Mover interface {
		// Withdraw takes the waiting t out of its queue. It is enqueued again as
		// Moved, after Moved was called.
		Withdraw(t *Thread)
		// Moved tells that t's processor set, binding or group has changed.
		Moved(t *Thread) error
		// WaitingAt lists the threads in c's own queues that are not bound to
		// it, in the order in which they would run.
		WaitingAt(c *CPU) []ThreadID
		// Reshape tells that a CPU has changed its set, or went off-line or
		// came back. Nothing waits in that CPU's queues.
		Reshape()
	}
	// Inspector shows the inside to tables and panels.
	Inspector interface {
		// Fields names the columns that Values fills, in order.
		Fields() []Field
		// Values fills row with the figures of t; len(row) is len(Fields()).
		Values(t *Thread, row []int64)
		// Queues visits every non-empty queue in the policy's own order. The
		// slice is only valid during the visit.
		Queues(visit func(q Queue, waiting []ThreadID))
	}
	// Pacer has a model of caches: Pace is how fast c's thread computes, in
	// thousandths of full speed. It is asked at each switch and after timers.
	Pacer interface{ Pace(c *CPU) machine.Permille }
	// Grainer has CPU time given out in whole grains: a burst that ends within one
	// takes the rest of it too. 0: it does not.
	Grainer interface{ Grain() clock.Duration }
	// Foreseer wants to know how long bursts last. It is called before Boot.
	Foreseer interface{ Foresee(o Oracle) }
	// Sourcer names the kernel's file and function behind a reason, "" where there
	// is none: "disp.c: disp_getwork".
	Sourcer interface{ Source(r Reason) string }
	// Scorer compares threads by a figure of each for a CPU, the greatest first.
	Scorer interface {
		// Score is what t is worth to c at present, and the sum that it comes from:
		// "counter 13 + priority 20". Asking changes nothing.
		Score(t *Thread, c *CPU) (value int, sum string)
		// Scored names the figure: "goodness".
		Scored() string
	}
	// Classer names the scheduling class that a thread is in.
	Classer interface{ ClassOf(t *Thread) string }
	// Prioritizer gives a thread's place on the policy's scale of priorities.
	Prioritizer interface{ Priority(t *Thread) int }
)

// Oracle knows what programs will do. It is no part of Kernel: no real kernel has
// one. Textbook policies such as shortest job first assume it.
type Oracle interface {
	// Left is how much computing remains of the burst that t is in or begins next,
	// at full speed; 0: its burst is over and it is about to stop.
	Left(t *Thread) clock.Duration
}

// Field is one figure that a policy shows of each thread.
type Field struct {
	Name string // the kernel's own name: timeleft, counter, fsspri
	Unit string // ticks, points, …; empty for a plain number
	Help string // one sentence
}

// Queue names one queue of a policy.
type Queue struct {
	CPU      int // whose queue; -1 when shared
	Set      int // processor set it belongs to
	Priority int // level within it; -1 when the queue has no levels
	Name     string
}

// Kernel is all that a policy may ask of the machine.
type Kernel interface {
	Now() clock.Time
	Machine() *machine.Machine
	// CPUs are listed by id.
	CPUs() []*CPU
	// Thread returns the thread of an id; the id must exist.
	Thread(id ThreadID) *Thread
	// Here is where the present code runs: the waker's, the interrupted CPU.
	Here() *CPU
	// Context is why present code runs: an interrupt of which kind, or a command.
	Context() Context
	// Kick makes c pick again: on return to user mode, or out of idle.
	Kick(c *CPU)
	// GiveWay makes c's thread step aside for its child (Solaris forkret).
	GiveWay(c *CPU)
	// Post makes c pass through ReturnToUser before it runs user code again.
	Post(c *CPU)
	// Place tells observers that t now waits at c; nil: at a shared queue.
	Place(t *Thread, c *CPU, why Reason)
	// Every does a job each d, the first time after first. With as nil it is
	// done in the clock interrupt; otherwise in a kernel thread of that name,
	// which is a thread like any other, and is admitted with as.
	Every(first, d clock.Duration, name string, as *Params, job Job) error
	// Slice arms a one-shot Expire for c; it is dropped at the next switch.
	Slice(c *CPU, d clock.Duration)
	// Charge makes c spend d in the kernel: scheduling and interrupts cost time.
	Charge(c *CPU, d clock.Duration)
	// Note tells observers that something happened to t that is worth a line:
	// a priority lifted, a quantum that ran out.
	Note(t *Thread, why Reason)
	// Rand is the policy's own random stream.
	Rand() *clock.Rand
}

// Job is work that a policy does at regular times. It is a value and no func, so
// that a run can be copied: nothing can look inside a func.
type Job interface{ Do() }

// AllQuiet is Quiet of a CPU whose ticks never do anything.
const AllQuiet = int64(1) << 40
