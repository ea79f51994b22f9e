package stats

import (
	"fmt"

	"strandscope/sim/clock"
	"strandscope/sim/machine"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// CoreTime keeps, for each core, how long its strands were busy, how long at
// least one of them was, and how many of its pipelines' issue slots were used.
// The last is a model (FACTS §11.3): it is added up exactly from what ran where,
// with the same figures by which the engine slows strands down.
type CoreTime struct {
	m     *machine.Machine
	cpi   func(sched.ThreadID) machine.CPI
	cpus  []strandTime
	cores []coreBusy
	pipes []pipeTime
	// scratch of share
	cpis   []machine.CPI
	speeds []machine.Permille
}

type strandTime struct {
	cpi    machine.CPI // of what runs there; 0: it is idle
	since  clock.Time  // when it came to that
	busy   clock.Duration
	off    bool // off-line
	offAt  clock.Time
	offFor clock.Duration
}

type coreBusy struct {
	strands int // busy now
	since   clock.Time
	busy    clock.Duration
}

type pipeTime struct {
	share machine.Permille
	since clock.Time
	used  clock.Duration // of its slots, in time at full use
	rest  int64          // and thousandths of a nanosecond
}

// NewCoreTime returns accounts for a machine, all idle. cpi is what a thread
// asks of the pipeline.
func NewCoreTime(m *machine.Machine, cpi func(sched.ThreadID) machine.CPI) *CoreTime {
	return &CoreTime{
		m: m, cpi: cpi, cpus: make([]strandTime, len(m.CPUs)), cores: make([]coreBusy, len(m.Cores)),
		pipes: make([]pipeTime, len(m.Pipelines)), speeds: make([]machine.Permille, len(m.CPUs)),
	}
}

// Observe implements trace.Observer.
func (c *CoreTime) Observe(e *trace.Event) {
	switch e.Kind {
	case trace.On:
		c.set(int(e.CPU), c.cpi(e.Thread), e.At)
	case trace.Off:
		c.set(int(e.CPU), 0, e.At)
	case trace.Second:
		// So that a segment never grows beyond what its product can hold.
		for p := range c.pipes {
			c.pipes[p].settle(e.At)
		}
	case trace.Changed:
		x := &c.cpus[e.CPU]
		if off := e.A < 0; off != x.off {
			if x.off {
				x.offFor += e.At.Sub(x.offAt)
			}
			x.off, x.offAt = off, e.At
		}
	default:
	}
}

func (c *CoreTime) set(cpu int, cpi machine.CPI, now clock.Time) {
	x := &c.cpus[cpu]
	if x.cpi == cpi {
		return
	}
	core := &c.cores[c.m.CPUs[cpu].Core]
	if core.strands > 0 {
		core.busy += now.Sub(core.since)
	}
	core.since = now
	if x.cpi != 0 {
		x.busy += now.Sub(x.since)
		core.strands--
	}
	if cpi != 0 {
		core.strands++
	}
	x.cpi, x.since = cpi, now
	p := c.m.CPUs[cpu].Pipeline
	c.pipes[p].settle(now)
	c.pipes[p].share = c.share(p)
}

func (p *pipeTime) settle(now clock.Time) {
	p.rest += int64(now.Sub(p.since)) * int64(p.share)
	p.used += clock.Duration(p.rest / 1000)
	p.rest %= 1000
	p.since = now
}

// share is what the busy strands of a pipeline use of its slots.
func (c *CoreTime) share(pipe int) machine.Permille {
	c.cpis = c.cpis[:0]
	for _, id := range c.m.Pipelines[pipe] {
		if cpi := c.cpus[id].cpi; cpi != 0 {
			c.cpis = append(c.cpis, cpi)
		}
	}
	return c.m.Speeds(pipe, c.cpis, c.speeds)
}

// CoreSum is what a core, or all of them, did in some time.
type CoreSum struct {
	Strands   clock.Duration // busy, all strands added up
	OfStrands clock.Duration // on-line, all strands added up
	Busy      clock.Duration // at least one strand busy
	OfBusy    clock.Duration
	Slots     clock.Duration // issue slots used, in time at full use (model)
	OfSlots   clock.Duration
}

func (a CoreSum) plus(b CoreSum, sign clock.Duration) CoreSum {
	a.Strands += sign * b.Strands
	a.OfStrands += sign * b.OfStrands
	a.Busy += sign * b.Busy
	a.OfBusy += sign * b.OfBusy
	a.Slots += sign * b.Slots
	a.OfSlots += sign * b.OfSlots
	return a
}

// Core is what a core did up to now.
func (c *CoreTime) Core(core int, now clock.Time) CoreSum {
	s := CoreSum{Busy: c.cores[core].busy, OfBusy: clock.Duration(now)}
	if c.cores[core].strands > 0 {
		s.Busy += now.Sub(c.cores[core].since)
	}
	last := -1
	for _, id := range c.m.Cores[core] {
		x := c.cpus[id]
		s.Strands += x.busy
		if x.cpi != 0 {
			s.Strands += now.Sub(x.since)
		}
		s.OfStrands += clock.Duration(now) - x.offFor
		if x.off {
			s.OfStrands -= now.Sub(x.offAt)
		}
		// A core's strands stand pipeline by pipeline.
		if p := c.m.CPUs[id].Pipeline; p != last {
			last = p
			t := c.pipes[p]
			t.settle(now)
			s.Slots += t.used
			s.OfSlots += clock.Duration(now)
		}
	}
	return s
}

// BusyStrands counts the strands that run something now.
func (c *CoreTime) BusyStrands() int {
	n := 0
	for i := range c.cpus {
		if c.cpus[i].cpi != 0 {
			n++
		}
	}
	return n
}

// CoreReport is the core view as corestat gives it, each so many seconds: how
// busy the strands were, which is what vmstat and mpstat see, and what of the
// core's pipelines was used, which they do not.
type CoreReport struct {
	Listing
	*CoreTime
	every interval
	last  []CoreSum
}

// NewCoreReport returns a report over accounts of its own.
func NewCoreReport(m *machine.Machine, cpi func(sched.ThreadID) machine.CPI, seconds int, l Listing) *CoreReport {
	return &CoreReport{
		Listing: l, CoreTime: NewCoreTime(m, cpi), every: every(seconds, 0), last: make([]CoreSum, len(m.Cores)),
	}
}

// Observe implements trace.Observer.
func (r *CoreReport) Observe(e *trace.Event) {
	r.CoreTime.Observe(e)
	if r.every.due(e) {
		r.block(e.At)
	}
}

func (r *CoreReport) block(now clock.Time) {
	r.printf("%v  CORE  strand util %%  core busy %%  issue slots used %% (model)", now)
	var all CoreSum
	for core := range r.last {
		next := r.Core(core, now)
		d := next.plus(r.last[core], -1)
		r.last[core] = next
		all = all.plus(d, 1)
		r.row(fmt.Sprint(core), d)
	}
	r.row("all", all)
}

func (r *CoreReport) row(core string, d CoreSum) {
	strands := "off-line"
	if d.OfStrands > 0 {
		strands = Percent(d.Strands, d.OfStrands, 1)
	}
	r.printf("%11s  %4s  %13s  %11s  %23s", "", core, strands, Percent(d.Busy, d.OfBusy, 1), Percent(d.Slots, d.OfSlots, 1))
}
