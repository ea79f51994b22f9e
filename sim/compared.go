package sim

import (
	"strings"

	"strandscope/sim/clock"
	"strandscope/sim/compare"
	"strandscope/sim/machine"
	"strandscope/sim/scenario"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
	"strandscope/sim/trace"
)

// sums are what runs are compared by and nobody else asks for.
type sums struct {
	tally  *stats.Tally
	shares *stats.Projects // nil: the scenario has no projects
}

func (s *Session) newSums(sc *scenario.Scenario) *sums {
	x := &sums{tally: stats.NewTally((*roster)(s), sc.Machine)}
	if len(sc.Scheduler.Projects) > 0 {
		x.shares = stats.NewProjects((*roster)(s), len(sc.Machine.CPUs))
	}
	return x
}

// Observe implements trace.Observer.
func (x *sums) Observe(e *trace.Event) {
	x.tally.Observe(e)
	if x.shares != nil {
		x.shares.Observe(e)
	}
}

// KeepSums lets the session keep the sums that Compared tells, which cost every event
// a little. They begin with the run, so it starts again at zero, with what was typed
// and undone; a run that keeps them already stays where it is.
func (s *Session) KeepSums() error {
	if s.compares {
		return nil
	}
	s.compares = true
	redo := s.redo
	err := s.Rewind()
	s.redo = redo
	return err
}

// Compared are the figures of the run by which it is compared with another: see
// compare.Table. Asking changes nothing. KeepSums must have been called.
func (s *Session) Compared() compare.Figures {
	s.loadNow()
	f := figuresOf(s.watch, s.watch.sums.tally, s.sc.Machine, s.Now())
	for _, t := range s.eng.Threads() {
		if !t.Kernel {
			f.Work += s.eng.Work(t)
		}
	}
	var slots int64
	for p := range s.sc.Machine.Pipelines {
		slots += int64(s.eng.IssueSlots(p))
	}
	f.Slots = int64(permille(slots, int64(len(s.sc.Machine.Pipelines))))
	f.Projects = s.comparedProjects()
	return f
}

// figuresOf are the figures that events alone tell; the load average has been caught up
// with.
func figuresOf(w *watchers, tally *stats.Tally, m *machine.Machine, now clock.Time) compare.Figures {
	is, sum := tally.Now(), tally.Until(now)
	f := compare.Figures{
		Now: now, Strands: is.Online, Busy: is.Busy, Waiting: is.Waiting,
		OnlineTime: clock.Duration(sum.Online), BusyTime: clock.Duration(sum.Busy),
		CoreTime:     clock.Duration(int64(now) * int64(len(m.Cores))),
		BusyCoreTime: clock.Duration(sum.BusyCores), Waited: clock.Duration(sum.Waiting), IdleBeside: clock.Duration(sum.IdleBeside),
		Switches: tally.Switches, Involuntary: tally.Involuntary, Moves: tally.Moves, Wakes: tally.Wakes.Count,
	}
	for cpu := range m.CPUs {
		f.UserTime += w.time.Time(cpu, trace.UserMode, now)
		f.SystemTime += w.time.Time(cpu, trace.SystemMode, now)
	}
	f.P50, _ = tally.Wakes.Quantile(50)
	f.P99, _ = tally.Wakes.Quantile(99)
	for i, text := range w.loadText() {
		f.Load[i], _ = parseDecimal(strings.TrimSpace(text), 100)
	}
	return f
}

func (s *Session) comparedProjects() (list []compare.Project) {
	if s.watch.sums.shares == nil {
		return nil
	}
	rows := s.watch.sums.shares.At(s.Now())[0].Rows
	for i := range s.sc.Scheduler.Projects {
		p := &s.sc.Scheduler.Projects[i]
		x := compare.Project{ID: p.ID, Name: (*roster)(s).ProjectName(sched.GroupID(p.ID))}
		for _, r := range rows {
			if int(r.Project) == p.ID {
				x.Fair, x.Shares, x.Entitled, x.Received = r.Fair, r.Shares, r.Entitled, r.Received
			}
		}
		list = append(list, x)
	}
	return list
}
