package linux6

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"sort"

	"strandscope/sim/policy/linuxcfs6"
	"strandscope/sim/policy/linuxeevdf"
	fair "strandscope/sim/policy/linuxfair"
)

type state uint8

const (
	unborn state = iota
	alive        // running or queued
	asleep       // perhaps still queued
	dead
)

// task is one of a run.
type task struct {
	e     *fair.Entity
	pid   int64
	prog  []step
	loop  int
	pos   int
	left  int64 // of the run step
	hog   bool
	state state

	wakeAt, wakeSeq int64
	waiting         bool // since its wake-up or fork it has not run
	wokeAt          int64

	dispatches, voluntary, involuntary int64
	created                            int64
}

// run is a replay: the driver that the README describes, around the model's queue.
type run struct {
	b     *build
	all   map[string]json.RawMessage
	q     fair.Queue
	s     *fair.State
	cfs   *linuxcfs6.Queue
	eevdf *linuxeevdf.Queue
	v     linuxeevdf.Version

	tasks   []*task
	byPID   map[int64]*task
	asleep  []*task // in order of wake-up
	slept   int64
	curr    *task // nil: idle
	need    bool
	now     int64
	out     outputs
	sum     totals
	decided interface {
		Write([]byte) (int, error)
		Sum64() uint64
	}
}

// totals are the results in summary.json.
type totals struct {
	Calls    int64  `json:"schedule_calls"`
	Switches int64  `json:"context_switches"`
	Wakeups  int64  `json:"wakeups"`
	Delayed  int64  `json:"delayed_dequeues"`
	Latency  int64  `json:"latency_max_ns"`
	Sum      int64  `json:"latency_sum_ns"`
	CPU      int64  `json:"cpu_ns"`
	Idle     int64  `json:"idle_ns"`
	Hash     string `json:"decision_fnv1a64"`
	Warnings int    `json:"warnings"`
}

func replay(name string) (*run, error) {
	r := &run{decided: fnv.New64a()}
	var err error
	if r.b, r.all, err = readSummary(name + ".summary.json"); err != nil {
		return nil, err
	}
	if err := r.make(); err != nil {
		return nil, err
	}
	r.heads()
	if err := r.start(); err != nil {
		return nil, err
	}
	if err := r.loopTo(r.b.Duration); err != nil {
		return nil, err
	}
	r.sum.Hash = fmt.Sprintf("%016x", r.decided.Sum64())
	r.taskRows()
	return r, nil
}

// clock lets the queue know the time; taken carries what it asked for.
func (r *run) clock() { r.s.Clock = r.now }

func (r *run) taken() {
	r.need = r.need || r.s.Need
	r.s.Need = r.need // a request that stands suppresses tests of preemption
}

// preempt asks for the CPU for one that was put in.
func (r *run) preempt(t *task) {
	if r.curr == nil {
		r.need = true
	} else {
		r.s.Need = r.need
		r.q.Preempt(t.e)
	}
	r.taken()
}

func (r *run) start() error {
	r.clock()
	for _, pid := range r.b.StartOrder {
		if err := r.create(r.byPID[int64(pid)], "new", "start"); err != nil {
			return err
		}
	}
	r.schedule("B", false, false)
	return r.settle()
}

// create forks a task and puts it in.
func (r *run) create(t *task, event, info string) error {
	if t.state == alive || t.state == asleep {
		return fmt.Errorf("at %d ns pid %d is forked twice", r.now, t.pid)
	}
	t.state, t.created = alive, r.now
	r.q.Fork(t.e)
	r.q.Start(t.e)
	r.taken()
	t.waiting, t.wokeAt = true, r.now
	r.preempt(t)
	r.event(event, t, info)
	return nil
}

// loopTo is the loop of the README.
func (r *run) loopTo(end int64) error {
	for tick := r.b.Tick; ; {
		next := tick
		if len(r.asleep) > 0 {
			next = min(next, r.asleep[0].wakeAt)
		}
		if r.curr != nil && !r.curr.hog {
			next = min(next, r.now+r.curr.left)
		}
		if next > end {
			r.advance(end)
			return nil
		}
		r.advance(next)
		r.clock()
		if err := r.settle(); err != nil {
			return err
		}
		why := "T"
		for len(r.asleep) > 0 && r.asleep[0].wakeAt <= r.now {
			if r.wake() {
				why = "W"
			}
		}
		if r.now == tick {
			tick += r.b.Tick
			if r.curr != nil {
				r.q.Tick()
				r.taken()
				r.event("tick", r.curr, "")
			}
		}
		if r.need {
			r.schedule(why, false, false)
		}
		if err := r.settle(); err != nil {
			return err
		}
	}
}

func (r *run) advance(to int64) {
	d := to - r.now
	if r.curr != nil {
		r.curr.left -= d
		r.sum.CPU += d
	} else {
		r.sum.Idle += d
	}
	r.now = to
}

// wake lets the first sleeper go on, and reports whether it was the first to ask for
// a reschedule.
func (r *run) wake() bool {
	t := r.asleep[0]
	r.asleep = r.asleep[1:]
	info := "sleeping"
	if t.e.Delayed {
		info = "delayed"
	}
	had := r.need
	r.s.Need = r.need
	r.q.Wake(t.e)
	r.taken()
	r.preempt(t)
	t.state, t.waiting, t.wokeAt = alive, true, r.now
	r.sum.Wakeups++
	r.event("wake", t, info)
	return r.need && !had
}

// maxSteps bounds how many steps without time one instant may have.
const maxSteps = 1_000_000

// settle executes steps until the current task computes.
func (r *run) settle() error {
	for range maxSteps {
		t := r.curr
		if t == nil || t.hog || t.left > 0 {
			return nil
		}
		if t.pos >= len(t.prog) {
			if t.loop < 0 || len(t.prog) == 0 || t.loop >= len(t.prog) {
				t.hog = true
				return nil
			}
			t.pos = t.loop
		}
		s := t.prog[t.pos]
		t.pos++
		if err := r.step(t, s); err != nil {
			return err
		}
	}
	return fmt.Errorf("at %d ns the programs take %d steps in no time", r.now, maxSteps)
}

func (r *run) step(t *task, s step) error {
	other := r.byPID[s.a]
	if (s.op == "fork" || s.op == "nice") && other == nil {
		return fmt.Errorf("pid %d: step %s names pid %d, which tasks do not", t.pid, s.op, s.a)
	}
	switch s.op {
	case "run":
		t.left = s.a
	case "sleep":
		t.wakeAt = r.now + s.a
		r.slept++
		t.wakeSeq = r.slept
		t.state = asleep
		r.asleep = append(r.asleep, t)
		sort.SliceStable(r.asleep, func(i, j int) bool { return r.asleep[i].wakeAt < r.asleep[j].wakeAt })
		r.schedule("S", true, false)
	case "yield":
		r.s.Need = r.need
		r.q.Yield(r.s.N)
		r.taken()
		r.schedule("Y", false, false)
	case "fork":
		if other.state == dead { // the pid is used again
			*other = task{pid: other.pid, prog: other.prog, loop: other.loop, e: &fair.Entity{ID: other.e.ID}}
		}
		e, p := other.e, t.e
		e.SetNice(p.Nice, false)
		e.Slice, e.Custom = p.Slice, p.Custom
		if err := r.create(other, "fork", "new"); err != nil {
			return err
		}
		if r.need {
			r.schedule("F", false, false)
		}
	case "nice":
		if s.b < -20 || s.b > 19 {
			return fmt.Errorf("pid %d: nice %d, want -20 to 19", t.pid, s.b)
		}
		r.renice(other, int(s.b))
		if r.need {
			r.schedule("N", false, false)
		}
	case "exit":
		t.state = dead
		r.schedule("X", true, true)
	}
	return nil
}

// renice is set_user_nice.
func (r *run) renice(t *task, nice int) {
	old := t.e.Nice
	if nice == old || t.state == dead {
		return
	}
	info := "sleeping"
	switch {
	case t == r.curr:
		info = "running"
	case t.e.OnRQ:
		info = "queued"
	}
	r.s.Need = r.need
	r.q.Reweigh(t.e, nice, false)
	r.taken()
	switch {
	case r.s.N == 1 || info == "sleeping":
	case t == r.curr:
		r.need = r.need || nice > old
	default:
		r.preempt(t)
	}
	r.taken()
	r.event("nice", t, info)
}

// schedule is one call of schedule(): the current task blocks, exits, or is willing
// to go on.
func (r *run) schedule(why string, stops, exits bool) {
	prev := r.curr
	if stops {
		r.q.Sleep(exits)
		if prev.e.Delayed {
			r.sum.Delayed++
		}
	}
	e := r.q.Pick()
	var next *task
	if e != nil {
		next = r.byPID[int64(e.ID)]
	}
	if next != prev {
		r.change(prev, next, stops)
	}
	r.need, r.s.Need = false, false
	r.sum.Calls++
	r.decision(why, prev, next)
}

func (r *run) change(prev, next *task, stops bool) {
	r.sum.Switches++
	if prev != nil {
		r.q.Put()
		if stops {
			prev.voluntary++
		} else {
			prev.involuntary++
		}
	}
	r.curr = next
	if next == nil {
		return
	}
	r.q.Set(next.e)
	next.dispatches++
	if next.waiting {
		next.waiting = false
		late := r.now - next.wokeAt
		r.sum.Latency = max(r.sum.Latency, late)
		r.sum.Sum += late
		r.wakeRow(next, late)
	}
}
