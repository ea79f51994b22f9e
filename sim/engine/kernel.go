package engine

import (
	"fmt"

	"strandscope/sim/clock"
	"strandscope/sim/machine"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// kernel is the engine as a policy sees it.
type kernel struct{ e *Engine }

func (k kernel) Now() clock.Time                        { return k.e.now }
func (k kernel) Machine() *machine.Machine              { return k.e.m }
func (k kernel) CPUs() []*sched.CPU                     { return k.e.cpus }
func (k kernel) Thread(id sched.ThreadID) *sched.Thread { return k.e.threads[id] }
func (k kernel) Here() *sched.CPU                       { return k.e.here }
func (k kernel) Rand() *clock.Rand                      { return &k.e.rand }
func (k kernel) GiveWay(c *sched.CPU)                   { k.e.giveWay = c }

func (k kernel) Context() sched.Context { return k.e.context }

func (k kernel) Kick(c *sched.CPU) {
	c.Kicked = true
	if c.Thread != nil && k.e.retur != nil {
		k.e.tasks[c.Thread.ID].ast = true
	}
	k.e.pending.add(c.ID)
}

func (k kernel) Post(c *sched.CPU) {
	if c.Thread != nil {
		k.e.tasks[c.Thread.ID].ast = true
		k.e.pending.add(c.ID)
	}
}

func (k kernel) Place(t *sched.Thread, c *sched.CPU, why sched.Reason) {
	cpu := sched.NoCPU
	if c != nil {
		cpu = c.ID
	}
	k.e.emit(trace.Event{Kind: trace.Queued, CPU: int16(cpu), Thread: t.ID, Other: sched.None, Why: why})
}

func (k kernel) Note(t *sched.Thread, why sched.Reason) {
	k.e.emit(trace.Event{Kind: trace.Note, CPU: int16(t.CPU), Thread: t.ID, Other: sched.None, Why: why})
}

func (k kernel) Slice(c *sched.CPU, d clock.Duration) {
	s := &k.e.state[c.ID]
	s.sliceGen++
	k.e.push(k.e.now.Add(d), evSlice, int32(c.ID), s.sliceGen)
}

func (k kernel) Charge(c *sched.CPU, d clock.Duration) {
	if d <= 0 {
		return
	}
	k.e.emit(trace.Event{Kind: trace.Charged, CPU: int16(c.ID), Thread: sched.None, Other: sched.None, A: int64(d)})
	k.e.charge(c, d)
}

// timer is work that the policy does at regular times.
type timer struct {
	every  clock.Duration
	job    sched.Job
	thread sched.ThreadID // None: in the clock interrupt
	due    int            // firings that its thread has not yet worked off
}

func (k kernel) Every(first, d clock.Duration, name string, as *sched.Params, job sched.Job) error {
	if first <= 0 || d <= 0 {
		return fmt.Errorf("engine: timer %q: periods must be positive", name)
	}
	e := k.e
	tm := timer{every: d, job: job, thread: sched.None}
	if as != nil {
		t, err := e.kernelThread(name, as, len(e.timers))
		if err != nil {
			return err
		}
		tm.thread = t.ID
	}
	e.timers = append(e.timers, tm)
	e.push(e.now.Add(first), evTimer, int32(len(e.timers)-1), 0)
	return nil
}

// kernelThread creates the sleeping thread that works for timer number n. It
// belongs to the default set and counts that set's lowest CPU as its last one.
func (e *Engine) kernelThread(name string, as *sched.Params, n int) (*sched.Thread, error) {
	t, err := e.newThread(name, 0)
	if err != nil {
		return nil, err
	}
	t.Kernel = true
	e.kernels++
	t.CPU, _ = e.firstCPU(0)
	e.tasks[t.ID].timer = n
	e.emit(trace.Event{Kind: trace.Created, CPU: sched.NoCPU, Thread: t.ID, Other: sched.None})
	if err := e.pol.Admit(t, as); err != nil {
		return nil, err
	}
	t.State = sched.Sleeping
	return t, nil
}

func (e *Engine) fireTimer(n int) {
	tm := &e.timers[n]
	e.push(e.now.Add(tm.every), evTimer, int32(n), 0)
	if tm.thread == sched.None {
		tm.job.Do()
		for _, c := range e.cpus {
			e.setPace(c)
		}
		return
	}
	tm.due++
	if t := e.threads[tm.thread]; t.State == sched.Sleeping {
		e.wake(t)
	}
}

// runKernelThread works off what is due, in no time, and sleeps again.
func (e *Engine) runKernelThread(c *sched.CPU, t *sched.Thread) {
	tm := &e.timers[e.tasks[t.ID].timer]
	if c.Kicked {
		e.preempt(c)
		return
	}
	for tm.due > 0 {
		tm.due--
		tm.job.Do()
	}
	e.block(c, t)
}
