package textbook

import (
	"fmt"
	"slices"

	"strandscope/sim/clock"
	"strandscope/sim/golden"
	"strandscope/sim/policy/hrrn"
	"strandscope/sim/policy/lottery"
	"strandscope/sim/policy/mlfq"
	"strandscope/sim/policy/multi"
	"strandscope/sim/policy/periodic"
	"strandscope/sim/policy/stride"
	"strandscope/sim/policy/textbook"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// lane is the slice that is open on a CPU, and what was noted of it.
type lane struct {
	id                         sched.ThreadID
	start                      clock.Time
	at                         inside
	known                      bool // at is that of the slice's start
	quantum, down, io, up, job bool
}

// inside is what a policy kept when a slice began.
type inside struct {
	level, allot  int
	left          clock.Duration
	draw          lottery.Draw
	waited, span  clock.Duration
	pass, stride  int64
	k             int
	release, dead clock.Time
	warm          int64
}

type slice struct {
	start, end clock.Time
	cpu        int
	id         sched.ThreadID
	why        string
	at         inside
	timeLeft   clock.Duration
	warm       int64
}

// event is one of MLFQ's. Those of one instant go by rank, then as they came.
type event struct {
	at   clock.Time
	rank int
	what string
	id   sched.ThreadID
}

// tick is a row of process-run.
type tick struct {
	n, cpu, flying, done int64
	states               string
}

// Observe implements trace.Observer.
func (r *run) Observe(e *trace.Event) {
	switch e.Kind {
	case trace.On:
		r.cpus[e.CPU] = lane{id: e.Thread, start: e.At}
	case trace.Off:
		x := &r.cpus[e.CPU]
		r.close(int(e.CPU), e.At, e.Cause)
		x.id = sched.None
		switch e.Cause {
		case sched.Exited:
			r.events = append(r.events, event{e.At, 0, "finish", e.Thread})
		case sched.Blocked:
			r.startIO(e.At, e.Thread)
		default:
		}
	case trace.Woke:
		if e.Cause == sched.Forked {
			r.events = append(r.events, event{e.At, 2, "begin", e.Thread})
		} else {
			r.inIO[e.Thread] = false
			r.events = append(r.events, event{e.At, 3, "io_done", e.Thread})
		}
	case trace.Note:
		r.note(e)
	default:
	}
}

func (r *run) startIO(at clock.Time, id sched.ThreadID) {
	r.ios[id]++
	r.inIO[id] = true
	r.events = append(r.events, event{at, 0, "io_start", id})
}

func (r *run) note(e *trace.Event) {
	for i := range r.cpus {
		x := &r.cpus[i]
		if x.id != e.Thread || x.start == e.At {
			continue
		}
		switch e.Why.Code {
		case textbook.WhyQuantum:
			x.quantum = true
		case textbook.WhyDemoted:
			x.down = true
		case textbook.WhyIO:
			x.io = true
			if r.list[e.Thread].State == sched.Waiting { // one that takes no time
				r.startIO(e.At, e.Thread)
				r.events = append(r.events, event{e.At, 3, "io_done", e.Thread})
			}
		case textbook.WhyBoost:
			x.up = true
		case textbook.WhyNextJob:
			x.job = true
		}
	}
}

// close ends the slice on a CPU. cause is why the job left, NoCause if it goes on.
func (r *run) close(cpu int, at clock.Time, cause sched.Cause) {
	x := &r.cpus[cpu]
	if x.id == sched.None || x.start == at {
		return
	}
	t := r.list[x.id]
	s := slice{start: x.start, end: at, cpu: cpu, id: x.id, at: x.at}
	s.timeLeft = max(0, r.f.Jobs[x.id].Length.duration()-r.e.Work(t))
	if p, ok := r.pol.(*multi.Policy); ok {
		_, warm := p.UnitsRun(t)
		s.warm = warm - x.at.warm
	}
	periodic := r.f.Jobs[x.id].Task != nil
	switch {
	case cause == sched.Exited, x.job, periodic && cause == sched.Blocked:
		s.why = "F"
	case x.io && x.down:
		s.why = "ID"
	case x.io && x.quantum:
		s.why = "IQ"
	case x.io:
		s.why = "I"
	case x.down:
		s.why = "D"
	case x.quantum:
		s.why = "Q"
	case x.up:
		s.why = "B"
	case cause == sched.Preempted:
		s.why = "P"
	}
	r.slices = append(r.slices, s)
}

// settled is called after each instant: slices that were cut begin anew, and what
// the policy keeps of new ones is read.
func (r *run) settled() {
	now := r.e.Now()
	for i := range r.cpus {
		x := &r.cpus[i]
		if x.id == sched.None {
			continue
		}
		if x.quantum || x.down || x.io || x.up || x.job {
			r.close(i, now, sched.NoCause)
			*x = lane{id: x.id, start: now}
		}
		if !x.known {
			x.known, x.at = true, r.look(r.list[x.id])
		}
	}
	switch p := r.pol.(type) {
	case *mlfq.Policy:
		if n := p.Boosts(); n != r.boosts && !r.finished() {
			r.boosts = n
			r.events = append(r.events, event{now, 1, "boost", sched.None})
		}
	case *multi.Policy:
		r.drawn(p, now)
	}
}

func (r *run) drawn(p *multi.Policy, now clock.Time) {
	peeks, order := p.Drawn()
	for _, k := range peeks {
		r.peeks = append(r.peeks, []any{"d", inUnits(now), "peek", k.CPU, k.Other, int(k.Job)})
	}
	if order != nil {
		r.orders = append(r.orders, []any{"d", inUnits(now), "order", slices.Clone(order)})
	}
}

func inUnits(t clock.Time) any { return number(clock.Duration(t)) }

// look reads what the policy keeps of a thread that runs.
func (r *run) look(t *sched.Thread) inside {
	var in inside
	switch p := r.pol.(type) {
	case *mlfq.Policy:
		s := p.Standing(t)
		in.level, in.allot, in.left = s.Level, s.Allot, s.Left
	case *lottery.Policy:
		in.draw = p.Last()
	case *hrrn.Policy:
		in.waited, in.span = p.Chosen(t)
	case *stride.Policy:
		in.pass, in.stride = p.Pass(t)
	case *periodic.Policy:
		in.k, in.release, in.dead = p.Job(t)
	case *multi.Policy:
		_, in.warm = p.UnitsRun(t)
	}
	return in
}

// replay runs a header's scenario.
func replay(f *recorded) (*run, error) {
	if err := f.checkNames(); err != nil {
		return nil, err
	}
	r, err := f.build()
	if err != nil {
		return nil, err
	}
	step := unit
	var limit clock.Duration
	for i := range f.Jobs {
		j := &f.Jobs[i]
		for _, u := range []units{j.Arrival, j.Length, f.quantum()} {
			if u%units(unit) != 0 {
				step = unit / 4
			}
		}
		n := j.Length.duration() + f.quantum().duration()
		if j.IOEvery > 0 {
			n += clock.Duration(j.Length/j.IOEvery) * f.Params.IOTime.duration()
		}
		limit += n + j.Arrival.duration() + clock.Duration(len(j.Program)*(f.Params.IOLength+100))*unit
	}
	end := clock.Time(2*limit + 1000*unit)
	if f.Params.Horizon > 0 {
		if err := golden.Within("horizon", f.Params.Horizon, 1, golden.MaxTicks); err != nil {
			return nil, err
		}
		for _, j := range f.Jobs {
			if j.Period <= 0 {
				return nil, fmt.Errorf("task %s: period %d, want more than 0", j.Name, j.Period)
			}
		}
		end = clock.Time(f.Params.Horizon) * clock.Time(unit)
	}
	if err := golden.Within("units to be run", int64(end/clock.Time(unit)), 0, golden.MaxTicks); err != nil {
		return nil, err
	}
	for at := clock.Time(0); ; at += clock.Time(step) {
		if err := r.e.AdvanceTo(at); err != nil {
			return nil, err
		}
		r.settled()
		if r.finished() {
			break
		}
		if at >= end {
			if f.Params.Horizon > 0 {
				break
			}
			return nil, fmt.Errorf("not finished at %v units", inUnits(at))
		}
		if f.Policy == "PROCESS-RUN" {
			r.tick()
		}
	}
	if err := r.past.Finish(r.e.Now()); err != nil {
		return nil, err
	}
	r.cutAt(r.e.Now())
	slices.SortStableFunc(r.slices, func(a, b slice) int {
		if a.start != b.start {
			return int(max(-1, min(1, a.start-b.start)))
		}
		return a.cpu - b.cpu
	})
	slices.SortStableFunc(r.events, func(a, b event) int {
		if a.at != b.at {
			return int(max(-1, min(1, a.at-b.at)))
		}
		return a.rank - b.rank
	})
	return r, nil
}

func (f *recorded) quantum() units {
	if len(f.Params.Quantum) == 0 {
		return 0
	}
	return slices.Max(f.Params.Quantum)
}

func (r *run) finished() bool {
	for _, t := range r.list {
		if t.State != sched.Gone {
			return false
		}
	}
	return true
}

// cutAt ends what is open at the horizon.
func (r *run) cutAt(now clock.Time) {
	for i := range r.slices {
		if s := &r.slices[i]; r.f.Params.Horizon > 0 && s.end == now && s.why == "P" {
			s.why = "H"
		}
	}
	for i := range r.cpus {
		if x := &r.cpus[i]; x.id != sched.None && x.start < now {
			r.slices = append(r.slices, slice{start: x.start, end: now, cpu: i, id: x.id, at: x.at, why: "H"})
		}
	}
}

// tick is the row of the unit that begins now.
func (r *run) tick() {
	now := r.e.Now()
	x := tick{n: int64(now)/int64(unit) + 1}
	states := make([]byte, len(r.list))
	for i, t := range r.list {
		switch t.State {
		case sched.Running:
			states[i] = r.code[i][int(r.e.Work(t)/unit)]
			x.cpu = 1
		case sched.Sleeping:
			states[i] = 'B'
			x.flying++
		case sched.Gone:
			states[i] = 'D'
		default:
			states[i] = 'R'
		}
	}
	for _, e := range r.events {
		if e.at == now && e.what == "io_done" {
			x.done = 1
		}
	}
	x.states = string(states)
	r.ticks = append(r.ticks, x)
}
