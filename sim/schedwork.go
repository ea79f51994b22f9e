package sim

import "strandscope/sim/clock"

// SchedulerWork is what a kernel's scheduler has done so far, where its policy
// counts that.
type SchedulerWork struct {
	Decisions      int64
	Switches       int64
	Evaluations    int64 // of a task's worth, at decisions and at wakes
	Recalculations int64
	Recalculated   int64          // tasks that got new figures in them
	Cost           clock.Duration // by the scenario's cost model
}

// worker is a policy that counts its work.
type worker interface{ Work() (decisions, switches, evals, recalcs, recalculated, cost int64) }

// SchedulerWork returns the scheduler's work so far; ok is false where the
// kernel's policy does not count it.
func (s *Session) SchedulerWork() (w SchedulerWork, ok bool) {
	p, ok := s.pol.(worker)
	if !ok {
		return w, false
	}
	var cost int64
	w.Decisions, w.Switches, w.Evaluations, w.Recalculations, w.Recalculated, cost = p.Work()
	w.Cost = clock.Duration(cost)
	return w, true
}
