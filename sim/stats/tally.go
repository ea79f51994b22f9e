package stats

import (
	"strandscope/sim/clock"
	"strandscope/sim/machine"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// Tally keeps the sums by which two runs are compared: how many strands and cores
// were busy and how many threads waited, each over time, what was switched, and how
// long wake-ups took. It needs memory for each strand and thread, never for each
// event. Sums are in nanoseconds and hold 292 years of strands or of threads.
type Tally struct {
	roster  Roster
	cpus    []tallyCPU
	cores   []int // busy strands of each core
	threads []tallyThread

	now TallySums // as things stand, multiplied by no time yet
	sum TallySums
	at  clock.Time // up to which sum counts

	Switches    int64 // a thread came onto a CPU
	Involuntary int64 // a thread was taken off its CPU, and another came or none
	Moves       int64 // a thread came onto another CPU than its last one
	Wakes       Distribution
}

// TallySums are integrals over time; of an instant, they are numbers.
type TallySums struct {
	Busy       int64 // strands
	Online     int64 // strands
	BusyCores  int64 // cores with a busy strand
	Waiting    int64 // user threads
	IdleBeside int64 // on-line strands that idle while a user thread waits
}

type tallyCPU struct {
	core      int
	busy, off bool
}

type tallyThread struct {
	user bool
	seen bool       // it ran before
	woke clock.Time // −1: it does not wait after a wake-up
}

// NewTally returns an empty account of a machine.
func NewTally(r Roster, m *machine.Machine) *Tally {
	t := &Tally{roster: r, cpus: make([]tallyCPU, len(m.CPUs)), cores: make([]int, len(m.Cores))}
	for core, ids := range m.Cores {
		for _, id := range ids {
			t.cpus[id].core = core
		}
	}
	t.now.Online = int64(len(m.CPUs))
	return t
}

// Observe implements trace.Observer.
func (t *Tally) Observe(e *trace.Event) {
	switch e.Kind {
	case trace.Woke:
		t.advance(e.At)
		x := t.thread(e)
		x.user, x.woke = !t.roster.Thread(e.Thread).Kernel, e.At
		t.wait(x, 1)
	case trace.On:
		t.advance(e.At)
		t.on(e)
	case trace.Off:
		t.advance(e.At)
		t.busy(int(e.CPU), false)
		if waits(e.Cause) {
			t.wait(t.thread(e), 1)
		}
		if e.Cause == sched.Preempted {
			t.Involuntary++
		}
	case trace.Changed:
		t.advance(e.At)
		c := &t.cpus[e.CPU]
		if off := e.A < 0; off != c.off {
			c.off = off
			t.now.Online += delta(!off)
		}
		t.beside()
	default:
	}
}

// advance closes the sums up to now; much happens at one instant.
func (t *Tally) advance(now clock.Time) {
	if now != t.at {
		t.sum, t.at = t.Until(now), now
	}
}

func (t *Tally) on(e *trace.Event) {
	x := t.thread(e)
	t.wait(x, -1)
	t.busy(int(e.CPU), true)
	t.Switches++
	if x.seen && e.A != int64(e.CPU) {
		t.Moves++
	}
	x.seen = true
	if x.woke >= 0 && x.user {
		t.Wakes.Add(e.At.Sub(x.woke))
	}
	x.woke = -1
}

func (t *Tally) thread(e *trace.Event) *tallyThread {
	t.threads = grown(t.threads, e.Thread, tallyThread{woke: -1})
	return &t.threads[e.Thread]
}

func (t *Tally) wait(x *tallyThread, by int64) {
	if x.user {
		t.now.Waiting += by
		t.beside()
	}
}

func (t *Tally) busy(cpu int, yes bool) {
	c := &t.cpus[cpu]
	c.busy = yes
	t.now.Busy += delta(yes)
	before := t.cores[c.core] > 0
	t.cores[c.core] += int(delta(yes))
	if after := t.cores[c.core] > 0; after != before {
		t.now.BusyCores += delta(after)
	}
	t.beside()
}

// beside counts the strands that idle while a thread waits. A strand that goes
// off-line is left by its thread first, so busy ones are on-line.
func (t *Tally) beside() {
	t.now.IdleBeside = 0
	if t.now.Waiting > 0 {
		t.now.IdleBeside = max(0, t.now.Online-t.now.Busy)
	}
}

func delta(up bool) int64 {
	if up {
		return 1
	}
	return -1
}

// Now are the numbers of this instant.
func (t *Tally) Now() TallySums { return t.now }

// Until are the sums up to now.
func (t *Tally) Until(now clock.Time) TallySums {
	d, s := int64(now.Sub(t.at)), t.sum
	s.Busy += d * t.now.Busy
	s.Online += d * t.now.Online
	s.BusyCores += d * t.now.BusyCores
	s.Waiting += d * t.now.Waiting
	s.IdleBeside += d * t.now.IdleBeside
	return s
}
