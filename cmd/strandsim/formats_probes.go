package main

import (
	"bufio"
	"fmt"
	"io"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/stats"
)

func lacksProbes(s *sim.Session) string {
	if len(s.Frame().Probes) == 0 {
		return `no task of this scenario is a probe; give one "probe": true`
	}
	return ""
}

func lacksCurve(s *sim.Session) string {
	if s.Curve() == nil {
		return "this scenario has no curve"
	}
	return ""
}

// writeProbes prints how quickly the probing tasks' wake-ups were served, beside
// the same probes on the machine with nothing else to do.
func writeProbes(w io.Writer, s *sim.Session, span clock.Duration, _ int) error {
	if err := s.Advance(span); err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	for _, p := range s.Frame().Probes {
		fmt.Fprintf(b, "%s: %d wake-ups, %d served in their clock tick; longest wait %s ms\n", p.Name, p.Count, p.InTick,
			stats.Ratio(int64(p.Max), int64(clock.Millisecond), 3))
		fmt.Fprintf(b, "%14s  %9s  %9s\n", "wake to run", "here", "alone")
		for i := range p.Bins {
			alone := "-"
			if p.Alone.Count > 0 {
				alone = fmt.Sprint(p.Alone.Bins[i])
			}
			fmt.Fprintf(b, "%14s  %9d  %9s\n", sim.WakeBin(i), p.Bins[i], alone)
		}
	}
	return b.Flush()
}

// writeCurve prints the scenario's curve; each point is a run of its own length.
func writeCurve(w io.Writer, s *sim.Session, _ clock.Duration, _ int) error {
	c := s.Curve()
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s: runs of %d s each\n", c.Title, c.Seconds)
	fmt.Fprintf(b, "%8s  %12s  %14s  %18s  %14s\n", c.Task, "decisions/s", "evaluations/s", "recalculated/s", "% of one CPU")
	for _, n := range c.Instances {
		p, err := s.CurvePoint(n)
		if err != nil {
			return err
		}
		decisions, evals, recalculated := p.PerSecond()
		fmt.Fprintf(b, "%8d  %12s  %14s  %18s  %14s\n", n, stats.Ratio(decisions, 1000, 1), stats.Ratio(evals, 1000, 1),
			stats.Ratio(recalculated, 1000, 1), stats.Ratio(100*int64(p.Work.Cost), int64(c.Seconds)*int64(clock.Second), 3))
	}
	return b.Flush()
}
