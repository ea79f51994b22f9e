package recorded_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/record"
	"strandscope/sim/recorded"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// said are the events that a trace of switches and wake-ups holds, taken from a run
// without any text in between.
type said struct {
	tell  trace.Teller
	prio  trace.Prio
	list  []string
	prev  map[int16]string
	woken map[sched.ThreadID]*trace.Event
}

func newSaid(tell trace.Teller, prio trace.Prio) *said {
	return &said{tell: tell, prio: prio, prev: map[int16]string{}, woken: map[sched.ThreadID]*trace.Event{}}
}

func (s *said) who(id sched.ThreadID, pri int16) string {
	t := s.tell.Thread(id)
	pid := t.PID
	if pid == 0 {
		pid = 2 + int32(t.ID)
	}
	return fmt.Sprintf("%s %d prio %d", t.Name[:min(15, len(t.Name))], pid, s.prio.Base+s.prio.Sign*int(pri))
}

func (s *said) Observe(e *trace.Event) {
	switch e.Kind {
	case trace.Woke:
		x := *e
		s.woken[e.Thread] = &x
	case trace.Queued:
		if w := s.woken[e.Thread]; w != nil {
			s.woken[e.Thread] = nil
			what := "wakeup"
			if w.Cause == sched.Forked {
				what = "new"
			}
			cpu := int(e.CPU)
			if e.CPU == sched.NoCPU {
				cpu = s.tell.Thread(e.Thread).CPU
			}
			s.list = append(s.list, fmt.Sprintf("%d cpu%d %s %s → cpu%d", e.At, w.CPU, what, s.who(e.Thread, e.Pri), cpu))
		}
	case trace.Off:
		left := "R"
		switch e.Cause {
		case sched.Blocked:
			left = "S"
		case sched.Exited:
			left = "Z"
		default:
		}
		s.prev[e.CPU] = s.who(e.Thread, e.Pri) + " " + left
	case trace.On, trace.Idle:
		prev := s.prev[e.CPU]
		if prev == "" {
			prev = "idle"
		}
		delete(s.prev, e.CPU)
		next := "idle"
		if e.Kind == trace.On {
			next = s.who(e.Thread, e.Pri)
		}
		if prev != "idle" || next != "idle" {
			s.list = append(s.list, fmt.Sprintf("%d cpu%d %s → %s", e.At, e.CPU, prev, next))
		}
	default:
	}
}

// heard are the same of a recording that was read.
func heard(tr *record.Trace) (list []string) {
	who := func(th int32, prio int16) string {
		if th == record.None {
			return "idle"
		}
		return fmt.Sprintf("%s %d prio %d", tr.Threads[th].Name, tr.Threads[th].PID, prio)
	}
	for i := range tr.Len() {
		x := tr.At(i)
		at := tr.Base + x.At
		switch x.Kind {
		case record.Switch:
			if x.Thread == x.Other {
				continue // from the idle loop to itself
			}
			prev := who(x.Thread, x.Prio)
			if x.Thread != record.None {
				prev += map[record.State]string{record.Runnable: " R", record.Preempted: " R", record.Sleeping: " S", record.Dead: " Z"}[x.State]
			}
			list = append(list, fmt.Sprintf("%d cpu%d %s → %s", at, x.CPU, prev, who(x.Other, x.OtherPrio)))
		case record.Wakeup, record.WakeupNew:
			what := "wakeup"
			if x.Kind == record.WakeupNew {
				what = "new"
			}
			list = append(list, fmt.Sprintf("%d cpu%d %s %s → cpu%d", at, x.CPU, what, who(x.Thread, x.Prio), x.Target()))
		default:
		}
	}
	return list
}

const linux6Doc = `{"title": "t", "machine": "smp4", "scheduler": {"kernel": %q}, "seed": 3, "tasks": {
	"hog: a ==> b": {"instance": 6, "run": 1000000}, "nice": {"nice": 5, "run": 1000000}, "sleeper": {"run": 2000, "sleep": 20000},
	"rt": {"policy": "SCHED_RR", "priority": 5, "run": 500, "sleep": 90000},
	"maker": {"run": 1500, "sem_post": "x", "sleep": 15000}, "taker": {"sem_wait": "x", "run": 700},
	"sh": {"run": 1000, "fork": "child", "sleep": 50000}, "child": {"instance": 0, "loop": 1, "run": 3000}}}`

// What a simulated run writes as ftrace text is read back as the same events, for all
// kernels.
func TestARunWrittenAsFtraceTextIsReadBackAsTheSameEvents(t *testing.T) {
	open := map[string]func() (*sim.Session, error){}
	for _, id := range []string{"t2000", "t2000-fss", "t2000-perl-fork", "t2000-ia", "linux22-250-hogs", "linux22-ping-under-load", "textbook-lottery", "textbook-mlfq"} {
		open[id] = func() (*sim.Session, error) { return sim.Open(id) }
	}
	for _, k := range []string{"linux-6.1", "linux-6.12", "linux-6.18"} {
		open[k] = func() (*sim.Session, error) { return sim.OpenDocument("x", fmt.Appendf(nil, linux6Doc, k)) }
	}
	for id, make := range open {
		s, err := make()
		require.NoError(t, err, id)
		info, cpus, _ := s.About()
		prio := trace.SolarisPrio
		if strings.HasPrefix(info.Kernel, "linux") {
			prio = trace.LinuxPrio
		}
		var b bytes.Buffer
		w, want := trace.NewFtrace(&b, s.Teller(), prio, cpus), newSaid(s.Teller(), prio)
		require.NoError(t, s.ResetWith(sim.Observers{w, want}), id)
		require.NoError(t, s.Advance(3*clock.Second), id)
		require.NoError(t, w.Close())
		tr, err := read(t, b.Bytes(), 1000)
		require.NoError(t, err, id)
		assert.Empty(t, tr.Notes.List, id)
		assert.Equal(t, cpus, tr.CPUs, id)
		same(t, want.list, heard(tr), id)
		r := whole(t, b.Bytes(), recorded.Options{})
		assert.Zero(t, r.Bridged(), id)
		assert.Equal(t, strings.HasPrefix(info.Kernel, "linux"), r.Frame().Scenario.Kernel != "solaris10", id)
		ran := map[int32]clock.Duration{}
		for _, x := range r.Frame().Threads {
			ran[x.PID] = x.Ran
		}
		gap := s.Now().Sub(clock.Time(tr.Base + tr.End())) // what the last event does not tell
		for _, x := range s.Frame().Threads {
			if d := ran[x.PID]; x.PID != 0 && (d > x.Ran || d < x.Ran-gap) {
				assert.Fail(t, "other time on CPU", "%s: %s %d ran %v, read back as %v", id, x.Name, x.PID, x.Ran, d)
			}
		}
	}
}

func same(t *testing.T, want, have []string, id string) {
	t.Helper()
	require.NotEmpty(t, want, id)
	for i := range min(len(want), len(have)) {
		require.Equal(t, want[i], have[i], "%s: event %d", id, i)
	}
	require.Len(t, have, len(want), id)
}

// What is written for Perfetto has slices only: each thread's time on CPUs is read back.
func TestARunWrittenForPerfettoIsReadBackWithTheSameTimes(t *testing.T) {
	for _, id := range []string{"t2000-fss", "t2000-perl-fork", "linux22-250-hogs"} {
		s, err := sim.Open(id)
		require.NoError(t, err)
		var b bytes.Buffer
		w := trace.NewPerfetto(&b, s.Teller(), "machine", len(s.Frame().CPUs))
		require.NoError(t, s.ResetWith(w))
		require.NoError(t, s.Advance(3*clock.Second))
		require.NoError(t, w.Close(s.Now()))
		r := whole(t, b.Bytes(), recorded.Options{})
		assert.Zero(t, r.Bridged(), id)
		ran := map[int32]clock.Duration{}
		for _, x := range r.Frame().Threads {
			ran[x.PID] = x.Ran
		}
		n := 0
		for _, x := range s.Frame().Threads {
			if x.PID != 0 && x.Ran > 0 {
				assert.Equal(t, x.Ran, ran[x.PID], "%s: %s %d", id, x.Name, x.PID)
				n++
			}
		}
		assert.Greater(t, n, 5, id)
	}
}

// What a recorded run writes is the recording again.
func TestARecordingWrittenAgainIsTheSame(t *testing.T) {
	r := whole(t, odd(t), recorded.Options{})
	var b bytes.Buffer
	w := trace.NewFtrace(&b, r.Teller(), trace.LinuxPrio, r.Trace().CPUs)
	require.NoError(t, r.ResetWith(w))
	require.NoError(t, r.AdvanceTo(r.End()))
	require.NoError(t, w.Close())
	again := whole(t, b.Bytes(), recorded.Options{})
	for i, x := range r.Frame().Threads {
		for _, y := range again.Frame().Threads {
			if x.PID == y.PID {
				assert.Equal(t, x.Ran, y.Ran, "%d: %s", i, x.Name)
				assert.Equal(t, x.Name, y.Name)
			}
		}
	}
}
