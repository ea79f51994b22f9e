package stats

import (
	"cmp"
	"slices"
	"sort"

	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// Switches counts why threads left their CPUs, and who got the CPU that was
// taken from somebody.
type Switches struct {
	naming
	Blocked, Yielded, GaveWay, Exited, Moved int64
	// Preempted threads whose quantum had ended, and those that gave way to a
	// better one before.
	QuantumEnd, Better int64
	// Picked again: preempted for the same two reasons, but the choice fell on
	// the same thread, so nothing was switched. mpstat counts these in icsw.
	AgainQuantum, AgainBetter int64
	// FromIdle are the switches from an idle loop to a thread.
	FromIdle int64

	cpus  []cpuSwitch
	up    []bool // by thread: its quantum ended, and it has not given way yet
	pairs []pair
}

type cpuSwitch struct {
	quantum bool           // why its thread was preempted last
	left    sched.ThreadID // preempted, and nobody came since
	from    bool           // some thread left, and nobody came since
}

// pair is who was preempted by whom.
type pair struct {
	victim, by      int
	quantum, better int64
}

// NewSwitches returns an empty account for so many CPUs.
func NewSwitches(r Roster, cpus int) *Switches {
	s := &Switches{naming: newNaming(r), cpus: make([]cpuSwitch, cpus)}
	for i := range s.cpus {
		s.cpus[i].left = sched.None
	}
	return s
}

// Observe implements trace.Observer.
func (s *Switches) Observe(e *trace.Event) {
	switch e.Kind {
	case trace.Note:
		// A quantum that ends is noted at once, by the policy; until the thread
		// gives way something may have refilled it (TS: the update's slpret).
		if e.Thread != sched.None && s.roster.Standing(e.Thread).QuantumUp {
			s.up = grown(s.up, e.Thread, false)
			s.up[e.Thread] = true
		}
	case trace.Preempt:
		s.preempt(e)
	case trace.Off:
		s.off(e)
	case trace.On:
		s.on(e)
	case trace.Idle:
		s.cpus[e.CPU].left, s.cpus[e.CPU].from = sched.None, false
	default:
	}
}

func (s *Switches) preempt(e *trace.Event) {
	s.up = grown(s.up, e.Thread, false)
	quantum := s.up[e.Thread] || s.roster.Standing(e.Thread).QuantumUp
	s.up[e.Thread] = false
	s.cpus[e.CPU].quantum = quantum
	// Counted as picked again until the thread is seen to leave.
	if quantum {
		s.AgainQuantum++
	} else {
		s.AgainBetter++
	}
}

func (s *Switches) off(e *trace.Event) {
	c := &s.cpus[e.CPU]
	c.from = true
	switch e.Cause {
	case sched.Blocked:
		s.Blocked++
	case sched.Yielded:
		s.Yielded++
	case sched.GaveWay:
		s.GaveWay++
	case sched.Exited:
		s.Exited++
	case sched.Moved:
		s.Moved++
	case sched.Preempted:
		c.left = e.Thread
		if c.quantum {
			s.QuantumEnd++
			s.AgainQuantum--
		} else {
			s.Better++
			s.AgainBetter--
		}
	default:
	}
}

func (s *Switches) on(e *trace.Event) {
	c := &s.cpus[e.CPU]
	if !c.from {
		s.FromIdle++
	}
	c.from = false
	if c.left == sched.None {
		return
	}
	victim, by := s.name(c.left), s.name(e.Thread)
	c.left = sched.None
	i := slices.IndexFunc(s.pairs, func(p pair) bool { return p.victim == victim && p.by == by })
	if i < 0 {
		i = len(s.pairs)
		s.pairs = append(s.pairs, pair{victim: victim, by: by})
	}
	if c.quantum {
		s.pairs[i].quantum++
	} else {
		s.pairs[i].better++
	}
}

// Preemptions is how often threads of one name lost their CPU to another: at the
// end of a quantum, and to a better thread before that.
func (s *Switches) Preemptions(victim, by string) (quantum, better int64) {
	for _, p := range s.pairs {
		if s.list[p.victim] == victim && s.list[p.by] == by {
			return p.quantum, p.better
		}
	}
	return 0, 0
}

// Report prints the account.
func (s *Switches) Report(to *Listing) {
	to.printf("context switches by cause")
	for _, x := range []struct {
		cause string
		n     int64
	}{
		{"quantum end", s.QuantumEnd},
		{"preempted by a better thread", s.Better},
		{"blocked", s.Blocked},
		{"yielded", s.Yielded},
		{"stepped aside after a fork", s.GaveWay},
		{"moved", s.Moved},
		{"exited", s.Exited},
		{"a thread came onto an idle CPU", s.FromIdle},
	} {
		to.printf("%9d  %s", x.n, x.cause)
	}
	to.printf("no switch: the same thread was picked again")
	to.printf("%9d  quantum end", s.AgainQuantum)
	to.printf("%9d  looked for a better thread", s.AgainBetter)
	if len(s.pairs) == 0 {
		return
	}
	to.printf("")
	to.printf("preempted by whom")
	pairs := slices.Clone(s.pairs)
	sort.SliceStable(pairs, func(i, j int) bool {
		a, b := pairs[i], pairs[j]
		return cmp.Or(cmp.Compare(a.victim, b.victim), cmp.Compare(b.quantum+b.better, a.quantum+a.better), cmp.Compare(a.by, b.by)) < 0
	})
	w := width(s.list, "victim")
	to.printf("%-*s  %-*s  %12s  %13s", w, "victim", w, "by", "quantum end", "better thread")
	for _, p := range pairs {
		to.printf("%-*s  %-*s  %12d  %13d", w, s.list[p.victim], w, s.list[p.by], p.quantum, p.better)
	}
}

// width is that of the widest of some names and a heading.
func width(names []string, heading string) int {
	w := len([]rune(heading))
	for _, n := range names {
		w = max(w, len([]rune(n)))
	}
	return w
}
