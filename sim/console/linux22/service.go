package linux22

import (
	"strandscope/sim/clock"
	"strandscope/sim/console"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
	"strandscope/sim/workload"
)

// service is a process of a command's own on the simulated machine, and what it
// went through: how often it got a CPU after it had woken, and how often it went
// to sleep again. The command is told of both.
type service struct {
	machine console.Machine
	proc    console.Tool
	thread  sched.ThreadID
	woke    clock.Time // when it woke and waits for a CPU; −1: it does not
	wait    clock.Duration
	served  int
	slept   int
}

// serve starts a process. A nil service is a failure with the status.
func serve(e *console.Env, name string, prog *workload.Program) (*service, int) {
	proc, status := e.Spawn(name, prog)
	id, ok := console.Thread(proc)
	if !ok {
		return nil, status
	}
	s := &service{machine: e.Machine, proc: proc, thread: id, woke: e.Machine.Now()}
	if e.Machine.Process(id).State == sched.Running {
		s.gotCPU(s.woke)
	}
	e.Machine.Watch(s)
	return s, 0
}

func (s *service) gotCPU(at clock.Time) {
	s.wait = at.Sub(s.woke)
	s.woke = -1
	s.served++
}

// Observe implements trace.Observer.
func (s *service) Observe(ev *trace.Event) {
	if ev.Thread != s.thread {
		return
	}
	switch {
	case ev.Kind == trace.Woke:
		s.woke = ev.At
	case ev.Kind == trace.On && s.woke >= 0:
		s.gotCPU(ev.At)
		s.machine.Rouse()
	case ev.Kind == trace.Off && ev.Cause == sched.Blocked:
		s.slept++
		s.machine.Rouse()
	}
}

// end ends the process, if it has not ended.
func (s *service) end() {
	s.machine.Unwatch(s)
	if s.machine.Process(s.thread).State != sched.Gone {
		_ = s.machine.Kill(s.thread)
	}
}
