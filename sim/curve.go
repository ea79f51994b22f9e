package sim

import (
	"strandscope/sim/clock"
	"strandscope/sim/scenario"
)

// CurvePoint is what the scheduler did in a run with so many threads of the
// varied task.
type CurvePoint struct {
	Instances int
	Seconds   int
	Work      SchedulerWork
}

// Plotting reports whether points of the scenario's curve, or runs on its kernels that
// somebody asked for, are still missing.
func (s *Session) Plotting() bool {
	return s.aging() || s.curving()
}

func (s *Session) curving() bool {
	return s.sc.Curve != nil && len(s.curve) < len(s.sc.Curve.Instances)
}

// PlotNext runs the next kernel or the next point of the curve, which frames show. It
// takes as long as that run; the session's own run is not touched.
func (s *Session) PlotNext() error {
	if s.aging() {
		return s.NextKernel()
	}
	if !s.curving() {
		return nil
	}
	p, err := s.CurvePoint(s.sc.Curve.Instances[len(s.curve)])
	if err != nil {
		return err
	}
	s.curve = append(s.curve[:len(s.curve):len(s.curve)], p)
	return nil
}

// Curve is what the scenario asks to be plotted; nil: nothing.
func (s *Session) Curve() *scenario.Curve { return s.sc.Curve }

// CurvePoint runs the scenario with so many threads of the varied task, apart
// from this session and with its settings. The scenario must have a curve.
func (s *Session) CurvePoint(instances int) (CurvePoint, error) {
	c := s.sc.Curve
	p := CurvePoint{Instances: instances, Seconds: c.Seconds}
	var run Session
	if err := run.start(s.original().With(c.Task, instances)); err != nil {
		return p, err
	}
	if err := run.Advance(clock.Duration(c.Seconds) * clock.Second); err != nil {
		return p, err
	}
	p.Work, _ = run.SchedulerWork()
	return p, nil
}

// PerSecond are the run's decisions, evaluations and recalculated tasks a second,
// in thousandths.
func (p CurvePoint) PerSecond() (decisions, evaluations, recalculated int64) {
	n := int64(p.Seconds)
	return 1000 * p.Work.Decisions / n, 1000 * p.Work.Evaluations / n, 1000 * p.Work.Recalculated / n
}
