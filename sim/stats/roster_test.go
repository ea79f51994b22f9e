package stats_test

import (
	"fmt"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
	"strandscope/sim/trace"
)

// fakeRoster is what a session would answer.
type fakeRoster struct {
	threads  []*sched.Thread
	standing map[sched.ThreadID]stats.Standing
	sets     []int // by CPU; nil: all in set 0
}

func newRoster() *fakeRoster { return &fakeRoster{standing: map[sched.ThreadID]stats.Standing{}} }

// thread adds a thread of a name; its id is the next one of a history.
func (r *fakeRoster) thread(name string) *sched.Thread {
	id := sched.ThreadID(len(r.threads))
	t := &sched.Thread{ID: id, Parent: sched.None, Name: name, PID: 1204 + int32(id), Group: 1, State: sched.Waiting}
	r.threads = append(r.threads, t)
	return t
}

func (r *fakeRoster) Thread(id sched.ThreadID) *sched.Thread    { return r.threads[id] }
func (r *fakeRoster) Standing(id sched.ThreadID) stats.Standing { return r.standing[id] }
func (r *fakeRoster) ProjectName(g sched.GroupID) string        { return fmt.Sprintf("project%d", g) }

func (r *fakeRoster) SetOf(cpu int) int {
	if r.sets == nil {
		return 0
	}
	return r.sets[cpu]
}

// scene is a history with a roster whose threads follow it.
type scene struct {
	history
	*fakeRoster
}

func newScene() *scene { return &scene{fakeRoster: newRoster()} }

func (s *scene) watch(o ...trace.Observer) { s.obs = append(s.obs, o...) }

// add makes a thread of a name that waits at a CPU.
func (s *scene) add(name string, cpu int) sched.ThreadID {
	s.thread(name)
	return s.create(cpu)
}

func (s *scene) on(th sched.ThreadID, cpu int) {
	t := s.fakeRoster.threads[th]
	from := t.CPU
	t.State, t.CPU = sched.Running, cpu
	s.run(th, cpu, from)
}

// off takes a thread off its CPU; where it goes on waiting it is queued there
// first, as engines do.
func (s *scene) off(th sched.ThreadID, why sched.Cause) {
	t := s.fakeRoster.threads[th]
	switch why {
	case sched.Blocked:
		t.State = sched.Sleeping
	case sched.Exited:
		t.State = sched.Gone
	default:
		t.State = sched.Waiting
		s.event(trace.Queued, t.CPU, th)
	}
	s.stop(th, t.CPU, why)
}

// preempt lets a thread give its CPU up; it may be picked again.
func (s *scene) preempt(th sched.ThreadID) {
	cpu := s.fakeRoster.threads[th].CPU
	s.emit(trace.Event{Kind: trace.Preempt, Cause: sched.Preempted, CPU: int16(cpu), Thread: th})
	s.event(trace.Queued, cpu, th)
}

// again makes a sleeper wait at a CPU.
func (s *scene) again(th sched.ThreadID, cpu int) {
	s.fakeRoster.threads[th].State = sched.Waiting
	s.wake(th, cpu)
}

// changed moves a CPU into a set, or with −1 off-line.
func (s *scene) changed(cpu, set int) {
	if s.sets != nil {
		s.sets[cpu] = set
	}
	s.emit(trace.Event{Kind: trace.Changed, CPU: int16(cpu), Thread: sched.None, Other: sched.None, A: int64(set)})
}

// pass lets time pass, second by second.
func (s *scene) pass(d clock.Duration) {
	end := s.now.Add(d)
	for next := s.now/second*second + second; next <= end; next += second {
		s.now = next
		s.event(trace.Second, sched.NoCPU, sched.None)
	}
	s.now = end
}

func (s *scene) note(th sched.ThreadID) {
	s.event(trace.Note, s.fakeRoster.threads[th].CPU, th)
}

func offEvent(t *sched.Thread, why sched.Cause) trace.Event {
	return trace.Event{Kind: trace.Off, CPU: int16(t.CPU), Thread: t.ID, Other: sched.None, Cause: why}
}
