package stats

import (
	"slices"
	"sort"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// The room of Culprits: so many threads that were preempted, and so many of those
// that did it are told apart for each. All together take 0.2 MB.
const (
	mostVictims  = 1024
	mostCulprits = 6
)

// Culprit is who took CPUs from a thread, how often, and how long the stays were
// that began so. Thread None stands for all who are not told apart.
type Culprit struct {
	Thread sched.ThreadID
	Times  int64
	For    clock.Duration
}

// Culprits counts by whom each thread was preempted. A preempted thread that is
// picked again at once lost nothing and is not counted.
type Culprits struct {
	rows []culpritRow
	of   []int32 // by thread: one more than its row; 0: none
	cpus []taken
}

type culpritRow struct {
	list   [mostCulprits]Culprit
	n      int32
	others Culprit
}

// taken is a CPU that was taken from somebody.
type taken struct {
	victim  sched.ThreadID // None: it was not
	culprit sched.ThreadID // None: who gets it is not known yet
	since   clock.Time
}

// NewCulprits returns the counts of a machine of so many CPUs.
func NewCulprits(cpus int) *Culprits {
	c := &Culprits{cpus: make([]taken, cpus)}
	for i := range c.cpus {
		c.cpus[i] = taken{victim: sched.None, culprit: sched.None}
	}
	return c
}

// Kinds implements trace.Chooser.
func (*Culprits) Kinds() trace.Kinds {
	return trace.Of(trace.On, trace.Off, trace.Idle)
}

// Observe implements trace.Observer.
func (c *Culprits) Observe(e *trace.Event) {
	switch e.Kind {
	case trace.Off:
		x := &c.cpus[e.CPU]
		if x.culprit == e.Thread && x.victim != sched.None {
			c.add(x.victim, x.culprit, 0, e.At.Sub(x.since))
		}
		*x = taken{victim: sched.None, culprit: sched.None}
		if e.Cause == sched.Preempted {
			x.victim = e.Thread
		}
	case trace.On:
		x := &c.cpus[e.CPU]
		if x.victim == sched.None || x.victim == e.Thread {
			*x = taken{victim: sched.None, culprit: sched.None}
			return
		}
		x.culprit, x.since = e.Thread, e.At
		c.add(x.victim, e.Thread, 1, 0)
	case trace.Idle:
		c.cpus[e.CPU] = taken{victim: sched.None, culprit: sched.None}
	default:
	}
}

// row is a thread's; nil: there is no room for it.
func (c *Culprits) row(id sched.ThreadID) *culpritRow {
	for int(id) >= len(c.of) {
		c.of = append(c.of, 0)
	}
	if c.of[id] == 0 {
		if len(c.rows) == mostVictims {
			return nil
		}
		c.rows = append(c.rows, culpritRow{others: Culprit{Thread: sched.None}})
		c.of[id] = int32(len(c.rows))
	}
	return &c.rows[c.of[id]-1]
}

func (c *Culprits) add(victim, culprit sched.ThreadID, times int64, d clock.Duration) {
	r := c.row(victim)
	if r == nil {
		return
	}
	x := &r.others
	for i := range r.list[:r.n] {
		if r.list[i].Thread == culprit {
			x = &r.list[i]
		}
	}
	if x.Thread != culprit && times > 0 && int(r.n) < mostCulprits {
		x = &r.list[r.n]
		x.Thread = culprit
		r.n++
	}
	x.Times += times
	x.For += d
}

// Of lists who preempted a thread up to now, the most frequent first; those who are
// not told apart come last, as None. full: there was no room for the thread.
func (c *Culprits) Of(id sched.ThreadID, now clock.Time) (list []Culprit, full bool) {
	if int(id) >= len(c.of) || c.of[id] == 0 {
		return nil, len(c.rows) == mostVictims
	}
	r := &c.rows[c.of[id]-1]
	list = slices.Clone(r.list[:r.n])
	for i := range c.cpus {
		if x := &c.cpus[i]; x.victim == id && x.culprit != sched.None {
			for k := range list {
				if list[k].Thread == x.culprit {
					list[k].For += now.Sub(x.since)
				}
			}
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].Times > list[j].Times })
	if r.others.Times > 0 {
		list = append(list, r.others)
	}
	return list, false
}
