package stats

import (
	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// Micro is a microstate of a thread: what its time is counted as.
type Micro uint8

// The microstates that the model knows. Traps, page faults and locks are not
// modelled; LAT is the wait in run queues.
const (
	MicroUser Micro = iota
	MicroSystem
	MicroSleep
	MicroLatency
	micros
)

// Prstat is the microstate accounts of every thread as an observer, from which
// prstat prints (shared/reference/solaris/FACTS.md §10.3). A thread that is
// interrupted goes on counting as what it was: interrupts belong to nobody.
type Prstat struct {
	roster Roster
	cpus   []prCPU
	th     []prThread
	live   []sched.ThreadID // those that were ever runnable, in that order
}

type prCPU struct {
	thread sched.ThreadID
	system bool
}

type prThread struct {
	born  clock.Time
	alive bool // it was runnable once and has not exited
	was   Micro
	since clock.Time
	spent [micros]clock.Duration
	pct   PctCPU
	vcx   int64
	icx   int64
}

// NewPrstat returns accounts for so many CPUs.
func NewPrstat(roster Roster, cpus int) *Prstat {
	p := &Prstat{roster: roster, cpus: make([]prCPU, cpus)}
	for i := range p.cpus {
		p.cpus[i].thread = sched.None
	}
	return p
}

// Kinds implements trace.Chooser.
func (*Prstat) Kinds() trace.Kinds {
	return trace.Of(trace.Created, trace.Woke, trace.On, trace.Mode, trace.Preempt, trace.Off)
}

// Observe implements trace.Observer.
func (p *Prstat) Observe(e *trace.Event) {
	switch e.Kind {
	case trace.Created:
		p.th = grown(p.th, e.Thread, prThread{})
	case trace.Woke:
		p.woke(e)
	case trace.On:
		c := &p.cpus[e.CPU]
		c.thread = e.Thread
		p.enter(e.Thread, c.micro(), e.At)
	case trace.Mode:
		c := &p.cpus[e.CPU]
		c.system = trace.CPUMode(e.A) != trace.UserMode
		if c.thread != sched.None {
			p.enter(c.thread, c.micro(), e.At)
		}
	case trace.Preempt:
		// Every one counts, also that which picks the same thread again.
		p.thread(e.Thread).icx++
	case trace.Off:
		p.off(e)
	default:
	}
}

func (c *prCPU) micro() Micro {
	if c.system {
		return MicroSystem
	}
	return MicroUser
}

func (p *Prstat) thread(id sched.ThreadID) *prThread {
	p.th = grown(p.th, id, prThread{})
	return &p.th[id]
}

func (p *Prstat) woke(e *trace.Event) {
	t := p.thread(e.Thread)
	if !t.alive {
		t.alive, t.born, t.since = true, e.At, e.At
		t.pct.since = e.At
		p.live = append(p.live, e.Thread)
	}
	p.enter(e.Thread, MicroLatency, e.At)
}

func (p *Prstat) off(e *trace.Event) {
	p.cpus[e.CPU].thread = sched.None
	t := p.thread(e.Thread)
	switch e.Cause {
	case sched.Blocked:
		t.vcx++
		p.enter(e.Thread, MicroSleep, e.At)
	case sched.Exited:
		p.enter(e.Thread, MicroSleep, e.At)
		t.alive = false
	case sched.Yielded, sched.GaveWay:
		t.vcx++
		p.enter(e.Thread, MicroLatency, e.At)
	default:
		p.enter(e.Thread, MicroLatency, e.At)
	}
}

func (p *Prstat) enter(id sched.ThreadID, m Micro, now clock.Time) {
	t := p.thread(id)
	t.pct.Update(now, t.onCPU())
	t.spent[t.was] += now.Sub(t.since)
	t.was, t.since = m, now
}

func (t *prThread) onCPU() bool { return t.was == MicroUser || t.was == MicroSystem }

// Micro is a thread's time in a microstate up to now.
func (p *Prstat) Micro(id sched.ThreadID, m Micro, now clock.Time) clock.Duration {
	t := &p.th[id]
	d := t.spent[m]
	if t.alive && t.was == m {
		d += now.Sub(t.since)
	}
	return d
}

// Recent is a thread's recent share of one CPU, in units of 2^−31.
func (p *Prstat) Recent(id sched.ThreadID, now clock.Time) uint64 {
	t := &p.th[id]
	if !t.alive {
		return 0
	}
	return t.pct.At(now, t.onCPU())
}

// Born is when a thread was runnable for the first time.
func (p *Prstat) Born(id sched.ThreadID) clock.Time { return p.th[id].born }
