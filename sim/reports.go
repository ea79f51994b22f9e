package sim

import (
	"strandscope/sim/machine"
	"strandscope/sim/scenario"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
	"strandscope/sim/trace"
)

// Reports are observers that only some outputs need, so a session does not run
// them by itself. Those that start with the word New have seen nothing yet:
// give them to ResetWith to see the whole run, or to Observe to see the rest.

// Observers is several observers as one; each event goes through them in order.
type Observers []trace.Observer

// Observe implements trace.Observer.
func (o Observers) Observe(e *trace.Event) {
	for _, x := range o {
		x.Observe(e)
	}
}

// Mpstat starts an mpstat report of the given interval in seconds; its first
// block is since boot. It sees the run from now on.
func (s *Session) Mpstat(seconds int, view stats.MpstatView, l stats.Listing) *stats.MpstatReport {
	sets := make([]int, len(s.eng.CPUs()))
	for i, c := range s.eng.CPUs() {
		sets[i] = c.Set
	}
	r := stats.NewMpstatReport(s.watch.vmstat, seconds, view, sets, l)
	s.Observe(r)
	return r
}

// NewEachSecond returns an observer that lets do see the figures of every second.
func (s *Session) NewEachSecond(do func(stats.SecondRow)) *stats.EachSecond {
	latest := func() (stats.VmstatRow, [3]int64) { return s.watch.vmstat.Second, s.watch.load.Avenrun() }
	return stats.NewEachSecond(latest, s.sc.Machine, s.cpis(), do)
}

// NewPrstat returns a prstat report that prints each so many seconds, or with 0
// only when asked.
func (s *Session) NewPrstat(seconds int, view stats.PrstatView, l stats.Listing) *stats.PrstatReport {
	return stats.NewPrstatReport((*roster)(s), len(s.eng.CPUs()), seconds, view, (*loads)(s), l)
}

// NewCores returns a report of cores as corestat gives it.
func (s *Session) NewCores(seconds int, l stats.Listing) *stats.CoreReport {
	return stats.NewCoreReport(s.sc.Machine, s.cpis(), seconds, l)
}

// NewProjects returns what projects are entitled to against what they receive.
func (s *Session) NewProjects() *stats.Projects {
	return stats.NewProjects((*roster)(s), len(s.eng.CPUs()))
}

// NewLatency returns the wake-up latency of threads.
func (s *Session) NewLatency() *stats.Latency { return stats.NewLatency((*roster)(s)) }

// NewSwitches returns the context switches by cause.
func (s *Session) NewSwitches() *stats.Switches {
	return stats.NewSwitches((*roster)(s), len(s.eng.CPUs()))
}

// NewWaits returns who made whom wait.
func (s *Session) NewWaits() *stats.Waits { return stats.NewWaits((*roster)(s), len(s.eng.CPUs())) }

// Teller tells an encoder of traces what events do not carry.
func (s *Session) Teller() trace.Teller { return (*roster)(s) }

// About says what is being run, on how many CPUs, and how many events it has had: what
// Frame says too, for programs that have no other use for a frame.
func (s *Session) About() (info Info, cpus int, events int64) {
	return s.info, len(s.eng.CPUs()), s.eng.Events()
}

// cpis returns what threads ask of their pipelines. A thread of the scenario
// does as its task says, a forked one as its parent, and the kernel's own as a
// compute-bound loop.
func (s *Session) cpis() func(sched.ThreadID) machine.CPI {
	var ofTasks []machine.CPI // by order of creation, tasks as populate makes them
	for _, t := range s.sc.Tasks {
		cpi := t.CPI
		if cpi == 0 {
			cpi = machine.DefaultCPI
		}
		for range t.Instance {
			ofTasks = append(ofTasks, cpi)
		}
	}
	return func(id sched.ThreadID) machine.CPI {
		threads := s.eng.Threads()
		for threads[id].Parent != sched.None {
			id = threads[id].Parent
		}
		first := 0
		for threads[first].Kernel && first < int(id) {
			first++
		}
		if i := int(id) - first; !threads[id].Kernel && i < len(ofTasks) {
			return ofTasks[i]
		}
		return machine.DefaultCPI
	}
}

// loads are the load averages of a session, whichever run it has.
type loads Session

func (l *loads) Avenrun() [3]int64 { return l.watch.load.Avenrun() }

// roster is the session as observers see it.
type roster Session

var _ stats.Roster = (*roster)(nil)

func (r *roster) Thread(id sched.ThreadID) *sched.Thread { return r.eng.Threads()[id] }
func (r *roster) Explain(why sched.Reason) string        { return r.pol.Explain(why) }

func (r *roster) SetOf(cpu int) int {
	c := r.eng.CPUs()[cpu]
	if !c.Online {
		return -1
	}
	return c.Set
}

// Standing implements stats.Roster.
func (r *roster) Standing(id sched.ThreadID) stats.Standing {
	t := r.Thread(id)
	s := stats.Standing{Priority: -1}
	if p, ok := r.pol.(sched.Prioritizer); ok {
		s.Priority = p.Priority(t)
	}
	s.Class = (*machineOps)(r).Class(id)
	if r.fields.inspect == nil {
		return s
	}
	r.fields.inspect.Values(t, r.fields.row)
	s.Nice = r.fields.get(r.fields.nice)
	s.QuantumUp = r.fields.timeleft >= 0 && r.fields.get(r.fields.full) > 0 && r.fields.get(r.fields.timeleft) <= 0
	if s.Class != "FSS" || r.fields.shares < 0 {
		return s
	}
	s.Fair, s.Shares = true, r.fields.get(r.fields.shares)
	s.ZoneShares = 1
	if p := r.project(t.Group); p != nil {
		s.Zone = p.Zone
	}
	for _, z := range r.sc.Scheduler.Zones {
		if z.ID == s.Zone {
			s.ZoneShares = z.Shares
		}
	}
	return s
}

func (r *roster) project(g sched.GroupID) *scenario.Project {
	for i := range r.sc.Scheduler.Projects {
		if p := &r.sc.Scheduler.Projects[i]; p.ID == int(g) {
			return p
		}
	}
	return nil
}

// ProjectName implements stats.Roster. The names of projects that every Solaris
// 10 has are those of its /etc/project.
func (r *roster) ProjectName(g sched.GroupID) string {
	if p := r.project(g); p != nil && p.Name != "" {
		return p.Name
	}
	switch g {
	case 0:
		return "system"
	case 1:
		return "user.root"
	case 2:
		return "noproject"
	case 3:
		return "default"
	}
	return "-"
}
