package recorded

import (
	"cmp"
	"fmt"
	"strings"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/policy"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
)

// kernel finds whose recording it is, and with it the rule of the load average.
func (r *Run) kernel() {
	id := r.o.Kernel
	if id == "" && strings.HasPrefix(r.tr.Simulated, "169 -") {
		id = "solaris10"
	}
	id = cmp.Or(id, DefaultKernel)
	r.wide = strings.HasPrefix(r.tr.Simulated, "169 -")
	r.k = policy.Kernel{ID: id, HZ: cmp.Or(r.o.HZ, 250), Vmstat: stats.LinuxVmstat}
	r.tick = clock.Second / clock.Duration(r.k.HZ)
	r.k.NewLoad = func(*stats.CPUTime, int) stats.LoadAverage {
		l := stats.NewLinux6Load(r.tick, noteDisk, noteAwake, noteAwake)
		l.Resume(r.o.Load, r.o.LoadAt)
		return l
	}
	r.info = sim.Info{
		Title: cmp.Or(r.o.Name, "recording"), SourceTitle: r.tr.Format, MachineTitle: r.m.Title,
		Kernel: id, Class: "OTHER", Recorded: true, Notes: r.tr.Notes.Text(cmp.Or(r.o.Name, "recording")),
	}
	r.info.SourceNote = fmt.Sprintf("recorded, %v", r.End())
}

// Class is a thread's scheduling class, by its priority.
func (r *Run) class(th int32) string {
	switch p := r.state[th].prio; {
	case r.wide:
		return ""
	case p >= 0 && p < 100:
		return "RT"
	}
	return "OTHER"
}

func (r *Run) nice(th int32) int {
	if p := r.state[th].prio; !r.wide && p >= 100 && p < 140 {
		return int(p) - 120
	}
	return 0
}

// Explain puts an event's reason into a sentence; "" where it has none.
func (r *Run) Explain(why sched.Reason) string {
	switch why.Code {
	case whyWoken:
		if why.B == 1 {
			return "It was woken from an interrupt."
		}
		if why.A < 0 {
			return "It was woken while its waker's CPU idled: by an interrupt."
		}
		return fmt.Sprintf("It was woken by %s.", r.label(why.A))
	case whyForked:
		if why.A < 0 {
			return "It was forked."
		}
		return fmt.Sprintf("It was forked by %s.", r.label(why.A))
	case whyAtStart:
		return "It could run when the recording began."
	case whyBridged:
		return "The recording does not say how it became runnable."
	case whyMoved:
		return fmt.Sprintf("It was moved here from cpu%d.", why.A)
	case whyPreempted:
		return "It left the CPU able to go on."
	case noteDisk:
		return "It sleeps without being interruptible, and counts in the load average."
	case noteAwake:
		return "It does not sleep uninterruptibly any more."
	}
	return ""
}

func (r *Run) label(th int32) string {
	if th < 0 || int(th) >= len(r.threads) {
		return "nobody"
	}
	return fmt.Sprintf("%s %d", r.threads[th].Name, r.threads[th].PID)
}

// Teller tells an encoder of traces what events do not carry.
func (r *Run) Teller() interface {
	Thread(id sched.ThreadID) *sched.Thread
	Explain(why sched.Reason) string
} {
	return (*roster)(r)
}

// Roster is the run as observers of reports see it.
func (r *Run) Roster() stats.Roster { return (*roster)(r) }

// roster is the run as its observers see it.
type roster Run

func (r *roster) Thread(id sched.ThreadID) *sched.Thread { return &r.threads[id] }
func (r *roster) Explain(why sched.Reason) string        { return (*Run)(r).Explain(why) }
func (r *roster) SetOf(int) int                          { return 0 }
func (r *roster) ProjectName(sched.GroupID) string       { return "-" }

// Standing implements stats.Roster.
func (r *roster) Standing(id sched.ThreadID) stats.Standing {
	x := (*Run)(r)
	return stats.Standing{Class: x.class(int32(id)), Priority: int(x.pri(int32(id))), Nice: x.nice(int32(id))}
}

// Started reports whether a thread has been runnable up to now.
func (r *Run) Started(id int) bool { return r.state[id].is != sched.Embryo }
