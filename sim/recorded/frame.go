package recorded

import (
	"sort"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/compare"
	"strandscope/sim/machine"
	"strandscope/sim/record"
	"strandscope/sim/sched"
)

// Look tells what the next frames are to hold.
func (r *Run) Look(l sim.Look) {
	r.look = l
	r.fold.Look(l)
}

// Frame is the picture of the recording as it stands.
func (r *Run) Frame() *sim.Frame {
	r.turn = 1 - r.turn
	f := &r.frames[r.turn]
	f.Now, f.Tick, f.Machine, f.Scenario, f.Beside = r.now, r.tick, r.m, r.info, nil
	f.Events, f.Totals = r.events, sim.Totals{Cores: len(r.m.Cores)}
	r.fillThreads(f)
	r.fillCPUs(f)
	r.fold.Fill(f, r.Explain)
	return f
}

func (r *Run) fillThreads(f *sim.Frame) {
	f.Threads = f.Threads[:0]
	n := 0
	waiting := make([][]sched.ThreadID, len(r.cpus))
	for i := range r.threads {
		t, s := &r.threads[i], &r.state[i]
		e := r.fold.Ledger().Entry(t.ID)
		x := sim.Thread{
			ID: t.ID, PID: t.PID, Name: t.Name, State: s.is, CPU: max(0, int(s.cpu)), Priority: int(r.pri(int32(i))),
			Class: r.class(int32(i)), Nice: r.nice(int32(i)), Ran: e.Ran(r.now), Waited: e.Waited(r.now), Since: e.Since,
		}
		x.Work = x.Ran
		f.Threads = append(f.Threads, x)
		f.Totals.Count(s.is)
		f.Totals.Switches += e.Switches
		f.Totals.Moves += e.Moves
		if s.is == sched.Waiting && x.CPU < len(waiting) {
			waiting[x.CPU] = append(waiting[x.CPU], t.ID)
		}
	}
	for cpu, list := range waiting {
		if len(list) == 0 {
			continue
		}
		// In which order they would run is not recorded: who waits longest comes first.
		sort.SliceStable(list, func(i, j int) bool {
			return f.Threads[list[i]].Since < f.Threads[list[j]].Since
		})
		if n == len(f.Queues) {
			f.Queues = append(f.Queues, sim.Queue{})
		}
		f.Queues[n] = sim.Queue{CPU: cpu, Priority: -1, Waiting: list}
		n++
	}
	f.Queues = f.Queues[:n]
}

func (r *Run) fillCPUs(f *sim.Frame) {
	f.CPUs = f.CPUs[:0]
	t := &f.Totals
	t.Strands = len(r.cpus)
	for i := range r.cpus {
		x := sim.CPU{Thread: sched.ThreadID(r.cpus[i].thread), Mode: r.fold.Mode(i), Online: true, Speed: 1000}
		if x.Thread != sched.None {
			t.Busy++
			t.BusyCores++
		} else if t.Waiting > 0 {
			x.IdleBesideWork, x.MayHelp = true, true
			t.IdleBesideWork++
		}
		f.CPUs = append(f.CPUs, x)
	}
	for i := range f.Queues {
		f.CPUs[f.Queues[i].CPU].Queue = len(f.Queues[i].Waiting)
	}
	f.IssueSlots = f.IssueSlots[:0]
	for i := range r.cpus { // a pipeline each, and nobody beside them
		slots := machine.Permille(0)
		if r.cpus[i].thread != record.None {
			slots = 1000
		}
		f.IssueSlots = append(f.IssueSlots, slots)
	}
	t.IssueSlots = machine.Permille(1000 * t.Busy / max(1, t.Strands))
}

// Compared are the figures by which it is compared with another run.
func (r *Run) Compared() compare.Figures {
	var work clock.Duration
	for i := range r.threads {
		work += r.fold.Ledger().Entry(sched.ThreadID(i)).Ran(r.now)
	}
	f := r.fold.Figures(r.now, work)
	f.Slots = 1000 * f.Busy / max(1, f.Strands)
	return f
}

// KeepSums does nothing: the sums of Compared are kept always.
func (r *Run) KeepSums() error { return nil }
