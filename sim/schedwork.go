package sim

import (
	"fmt"

	"strandscope/sim/clock"
)

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
type worker interface {
	Work() (decisions, switches, evals, recalcs, recalculated, cost int64)
}

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

// Text sums the work up: per second, per decision, and its cost as a share of
// one CPU and of the whole machine (a model).
func (w SchedulerWork) Text(now clock.Time, cpus int) string {
	if now <= 0 || w.Decisions == 0 {
		return "no decision yet"
	}
	perSecond := func(n int64) int64 { return n * int64(clock.Second) / int64(now) }
	// Hundred-thousandths, so that three decimals of a percent are exact.
	share := int64(w.Cost) * 100_000 / int64(now)
	ofBox := share / int64(max(1, cpus))
	return fmt.Sprintf("%d decisions a second, %d evaluations each, %d evaluations a second; %d recalculations in all; "+
		"%d.%03d %% of one CPU, %d.%03d %% of the machine (model)",
		perSecond(w.Decisions), w.Evaluations/w.Decisions, perSecond(w.Evaluations), w.Recalculations,
		share/1000, share%1000, ofBox/1000, ofBox%1000)
}
