package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/stats"
)

func writeSummary(w io.Writer, s *sim.Session, span clock.Duration, _ int) error {
	if err := s.Advance(span); err != nil {
		return err
	}
	f := s.Frame()
	t := f.Totals
	fmt.Fprintf(w, "%s\n", f.Scenario.Title)
	fmt.Fprintf(w, "%s, %s, default class %s\n", f.Scenario.MachineTitle, f.Scenario.Kernel, f.Scenario.Class)
	for _, n := range f.Scenario.Notes {
		fmt.Fprintln(w, "note:", n)
	}
	if f.Scenario.Note != "" {
		fmt.Fprintln(w, f.Scenario.Note)
	}
	fmt.Fprintf(w, "\nat %v: %d of %d strands busy, %d waiting, %d sleeping, %d exited\n",
		f.Now, t.Busy, t.Strands, t.Waiting, t.Sleeping, t.Gone)
	if t.IdleBesideWork > 0 {
		fmt.Fprintf(w, "%d strands idle while %d threads wait\n", t.IdleBesideWork, t.Waiting)
	}
	fmt.Fprintf(w, "cores busy %d of %d, issue slots used %d.%d %% (model)\n", t.BusyCores, t.Cores, t.IssueSlots/10, t.IssueSlots%10)
	// Load is demand, not use: per CPU it is a number too, and no percentage.
	fmt.Fprintf(w, "load average %s, %s, %s; %s per CPU (%d)\n", f.Load.Text[0], f.Load.Text[1], f.Load.Text[2],
		stats.Ratio(f.Load.Avg[0], 256*int64(t.Strands), 2), t.Strands)
	fmt.Fprintf(w, "last second: r %d  us %d  sy %d  id %d\n", f.Vmstat.Runnable, f.Vmstat.User, f.Vmstat.System, f.Vmstat.Idle)
	if work := f.Work; work != nil {
		fmt.Fprintf(w, "scheduler: %s\n", work.Text(f.Now, t.Strands))
	}
	writeFigures(w, f)
	writeGroups(w, f)
	fmt.Fprintf(w, "\n%d events, digest %016x\n", f.Events, f.Digest)
	return nil
}

func writeFigures(w io.Writer, f *sim.Frame) {
	if len(f.Printed) == 0 {
		return
	}
	fmt.Fprintln(w)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "figure\tprinted\tsimulated\t")
	for _, p := range f.Printed {
		mark := "differs"
		switch {
		case p.Pending:
			mark = "too early to tell"
		case p.Agrees:
			mark = "agrees"
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\n", p.Label, p.Printed, p.Simulated, mark)
	}
	tw.Flush()
}

// writeGroups sums up the threads of each name.
func writeGroups(w io.Writer, f *sim.Frame) {
	type sum struct {
		n                 int
		classes           []string
		ran, waited, work clock.Duration
	}
	var names []string
	sums := map[string]*sum{}
	for _, t := range f.Threads {
		if t.Kernel {
			continue
		}
		g := sums[t.Name]
		if g == nil {
			g = &sum{}
			sums[t.Name] = g
			names = append(names, t.Name)
		}
		g.n++
		if !slices.Contains(g.classes, t.Class) {
			g.classes = append(g.classes, t.Class)
		}
		g.ran += t.Ran
		g.waited += t.Waited
		g.work += t.Work
	}
	fmt.Fprintln(w)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "task\tclass\tthreads\ton CPU s\twaiting s\twork s (model)")
	for _, n := range names {
		g := sums[n]
		fmt.Fprintf(tw, "%s\t%s\t%d\t%s\t%s\t%s\n", n, strings.Join(g.classes, "+"), g.n, seconds(g.ran), seconds(g.waited), seconds(g.work))
	}
	tw.Flush()
}

func seconds(d clock.Duration) string {
	cs := (d + 5*clock.Millisecond) / (10 * clock.Millisecond)
	return fmt.Sprintf("%d.%02d", cs/100, cs%100)
}
