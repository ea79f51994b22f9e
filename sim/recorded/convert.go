package recorded

import (
	"strandscope/sim/clock"
	"strandscope/sim/record"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// The reasons of a recorded run; Explain has their sentences.
const (
	asRecorded uint16 = iota + 1
	whyWoken          // A: who woke it, B: 1 from an interrupt
	whyForked         // A: its parent
	whyAtStart
	whyBridged
	whyMoved // A: from that CPU
	whyPreempted
	noteDisk  // it sleeps and counts in the load average
	noteAwake // it does no longer
)

// survey finds how each thread is met first, and when last.
func (r *Run) survey() {
	n := len(r.tr.Threads)
	r.first, r.last = make([]first, n), make([]int32, n)
	meet := func(th int32, how first, i int) {
		if th == record.None {
			return
		}
		if r.first[th] == unmet {
			r.first[th] = how
		}
		r.last[th] = int32(i)
	}
	for i := range r.tr.Len() {
		switch x := r.tr.At(i); x.Kind {
		case record.Switch:
			meet(x.Thread, ran, i)
			meet(x.Other, waited, i)
		case record.In:
			meet(x.Thread, waited, i)
		case record.Wakeup, record.Waking:
			r.shape.wakes = true
			meet(x.Thread, slept, i)
			meet(x.Other, offered, i)
		case record.WakeupNew, record.Fork:
			meet(x.Thread, unborn, i)
		default:
		}
	}
}

// start tells the state of the beginning: who runs, and who waits.
func (r *Run) start() {
	for i := range r.threads {
		r.emit(trace.Event{Kind: trace.Created, CPU: sched.NoCPU, Thread: sched.ThreadID(i), Other: r.threads[i].Parent})
	}
	for cpu, th := range r.tr.Runner {
		if th >= 0 && r.state[th].is == sched.Embryo && r.first[th] != unborn && r.first[th] != slept && cpu < len(r.cpus) {
			r.wake(th, cpu, cpu, sched.Woken, sched.Reason{Code: whyAtStart})
			r.on(th, cpu, sched.Reason{Code: whyAtStart})
		}
	}
	if !r.shape.wakes {
		return // whoever comes onto a CPU may have slept until then
	}
	begun := make([]bool, len(r.threads))
	for i := range r.tr.Len() {
		x := r.tr.At(i)
		th := x.Other
		if x.Kind == record.In {
			th = x.Thread
		}
		if x.Kind != record.Switch && x.Kind != record.In || th == record.None || begun[th] {
			continue
		}
		begun[th] = true
		if r.first[th] == waited && r.state[th].is == sched.Embryo {
			r.wake(th, int(x.CPU), int(x.CPU), sched.Woken, sched.Reason{Code: whyAtStart})
		}
	}
}

func (r *Run) emit(e trace.Event) {
	e.At = r.now
	if e.Kind != trace.Created && e.Kind != trace.On {
		e.Other = sched.None
	}
	if e.Pri == 0 {
		e.Pri = -1
		if e.Thread != sched.None {
			e.Pri = r.pri(int32(e.Thread))
		}
	}
	r.events++
	for _, o := range r.obs {
		o.Observe(&e)
	}
}

// pri is a thread's priority as the kernel's tools show it.
func (r *Run) pri(th int32) int16 {
	p := r.state[th].prio
	switch {
	case p < 0:
		return -1
	case r.wide:
		return 169 - p
	}
	return p - 100
}

// upTo lets time pass: seconds begin, and slices that have ended leave an idle CPU.
func (r *Run) upTo(t clock.Time) {
	if t > r.now {
		r.settle()
	}
	for r.second <= t {
		r.now = r.second
		r.emit(trace.Event{Kind: trace.Second, CPU: sched.NoCPU, Thread: sched.None})
		r.second = r.second.Add(clock.Second)
	}
	r.now = t
}

// settle lets CPUs whose slice has ended idle.
func (r *Run) settle() {
	for i := range r.cpus {
		if r.pending == 0 {
			return
		}
		if c := &r.cpus[i]; c.ended {
			r.idle(i)
		}
	}
}

// record tells what a record says.
func (r *Run) record(x *record.Rec) {
	switch x.Kind {
	case record.Switch:
		r.prio(x.Thread, x.Prio)
		r.switched(x)
	case record.In:
		if c := &r.cpus[x.CPU]; c.thread != record.None {
			r.bridged.Other++
			r.off(c.thread, int(x.CPU), record.Preempted)
		}
		r.on(x.Thread, int(x.CPU), sched.Reason{Code: asRecorded})
	case record.Out:
		if c := &r.cpus[x.CPU]; c.thread == x.Thread {
			r.off(x.Thread, int(x.CPU), x.State)
			if !c.ended {
				c.ended = true
				r.pending++
			}
		}
	case record.Wakeup, record.Waking, record.WakeupNew:
		r.woken(x)
	case record.Migrate:
		r.prio(x.Thread, x.Prio)
		s := &r.state[x.Thread]
		if s.is == sched.Waiting {
			why := sched.Reason{Code: whyMoved, A: int32(s.cpu)}
			s.cpu = x.OtherPrio
			r.emit(trace.Event{Kind: trace.Queued, CPU: s.cpu, Thread: sched.ThreadID(x.Thread), Cause: sched.Moved, Why: why})
		}
	default:
	}
}

func (r *Run) prio(th int32, p int16) {
	if th != record.None && p >= 0 {
		r.state[th].prio = p
	}
}

func (r *Run) switched(x *record.Rec) {
	cpu := int(x.CPU)
	c := &r.cpus[cpu]
	if c.thread != x.Thread {
		// Something is missing: who was there left, and the recorded one came.
		r.bridged.Other++
		if c.thread != record.None {
			r.off(c.thread, cpu, record.Preempted)
		}
		if x.Thread != record.None {
			r.on(x.Thread, cpu, sched.Reason{Code: whyBridged})
		}
	}
	if x.Thread == x.Other {
		if x.Thread == record.None {
			r.idle(cpu) // who was there has left it
		}
		return
	}
	if x.Thread != record.None {
		state := x.State
		if state == record.Dead && r.last[x.Thread] > int32(r.pos) {
			state = record.Parked // it comes back
		}
		r.off(x.Thread, cpu, state)
	}
	if x.Other == record.None {
		r.idle(cpu)
		return
	}
	r.prio(x.Other, x.OtherPrio)
	r.on(x.Other, cpu, sched.Reason{Code: asRecorded})
}

// woken is a wake-up. One of a thread that does not sleep changes nothing.
func (r *Run) woken(x *record.Rec) {
	s := &r.state[x.Thread]
	if s.is != sched.Sleeping && s.is != sched.Embryo {
		r.bridged.Awake++
		return
	}
	r.prio(x.Thread, x.Prio)
	why := sched.Reason{Code: whyWoken, A: x.Other}
	cause := sched.Woken
	if x.Flags&record.FromInterrupt != 0 {
		why.B = 1
	}
	if x.Kind == record.WakeupNew {
		cause, why = sched.Forked, sched.Reason{Code: whyForked, A: x.Other}
	}
	to := x.Target()
	if to < 0 || to >= len(r.cpus) {
		to = int(x.CPU)
	}
	r.wake(x.Thread, int(x.CPU), to, cause, why)
	s.woke, s.waker = r.now, x.Other
}

// wake makes a thread runnable, at a CPU.
func (r *Run) wake(th int32, from, to int, cause sched.Cause, why sched.Reason) {
	s := &r.state[th]
	if s.disk {
		s.disk = false
		r.emit(trace.Event{Kind: trace.Note, CPU: int16(from), Thread: sched.ThreadID(th), Why: sched.Reason{Code: noteAwake}})
	}
	s.is, s.cpu = sched.Waiting, int16(to)
	r.threads[th].State = sched.Waiting
	r.emit(trace.Event{Kind: trace.Woke, CPU: int16(from), Thread: sched.ThreadID(th), Cause: cause, Why: why})
	r.emit(trace.Event{Kind: trace.Queued, CPU: int16(to), Thread: sched.ThreadID(th), Cause: cause, Why: why})
}

// on puts a thread onto a CPU that runs nothing.
func (r *Run) on(th int32, cpu int, why sched.Reason) {
	s, c := &r.state[th], &r.cpus[cpu]
	switch s.is {
	case sched.Running:
		r.bridged.Twice++
		was := int(s.cpu)
		r.off(th, was, record.Preempted)
		r.idle(was)
	case sched.Embryo, sched.Sleeping:
		if r.shape.wakes {
			r.bridged.Unwoken++
		}
		r.wake(th, cpu, cpu, sched.Woken, sched.Reason{Code: whyBridged})
	case sched.Waiting:
	case sched.Gone:
		return // never: survey has seen that it is the last time
	}
	if s.woke >= 0 {
		d := r.now.Sub(s.woke)
		s.woke = -1
		s.Wakes++
		s.Latency += d
		s.Longest = max(s.Longest, d)
		r.wakes.Add(d)
	}
	from := r.threads[th].CPU
	if !s.ranOnce {
		from, s.ranOnce = cpu, true
	}
	if c.ended {
		c.ended = false
		r.pending--
	}
	s.is, s.cpu, c.thread = sched.Running, int16(cpu), th
	t := &r.threads[th]
	t.State, t.CPU = sched.Running, cpu
	if why.Code == asRecorded {
		s.Switches++
	}
	r.emit(trace.Event{Kind: trace.On, CPU: int16(cpu), Thread: sched.ThreadID(th), Other: sched.None, Why: why, A: int64(from)})
	r.mode(cpu, trace.UserMode)
}

// off takes a thread off its CPU.
func (r *Run) off(th int32, cpu int, how record.State) {
	s, c, t := &r.state[th], &r.cpus[cpu], &r.threads[th]
	c.thread = record.None
	cause := sched.Blocked
	switch how {
	case record.Runnable, record.Preempted:
		cause = sched.Preempted
		s.Preempted++
		r.emit(trace.Event{Kind: trace.Queued, CPU: int16(cpu), Thread: t.ID, Cause: cause, Why: sched.Reason{Code: whyPreempted}})
		s.is, t.State = sched.Waiting, sched.Waiting
	case record.Dead:
		cause = sched.Exited
		s.is, t.State = sched.Gone, sched.Gone
	default:
		s.is, t.State = sched.Sleeping, sched.Sleeping
	}
	t.LeftCPU = r.now
	r.emit(trace.Event{Kind: trace.Off, CPU: int16(cpu), Thread: t.ID, Cause: cause})
	if how == record.Disk {
		s.disk = true
		r.emit(trace.Event{Kind: trace.Note, CPU: int16(cpu), Thread: t.ID, Why: sched.Reason{Code: noteDisk}})
	}
}

func (r *Run) idle(cpu int) {
	if c := &r.cpus[cpu]; c.ended {
		c.ended = false
		r.pending--
	}
	r.emit(trace.Event{Kind: trace.Idle, CPU: int16(cpu), Thread: sched.None, Why: sched.Reason{Code: asRecorded}})
	r.mode(cpu, trace.IdleMode)
}

func (r *Run) mode(cpu int, m trace.CPUMode) {
	if r.fold.Mode(cpu) != m {
		r.emit(trace.Event{Kind: trace.Mode, CPU: int16(cpu), Thread: sched.None, A: int64(m)})
	}
}
