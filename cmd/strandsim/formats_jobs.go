package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"strandscope/sim"
	"strandscope/sim/clock"
)

// writeJobs prints what textbooks ask of each job: response, turnaround and waiting,
// their means as fractions and decimals, and the order.
func writeJobs(w io.Writer, s *sim.Session, span clock.Duration, _ int) error {
	watch := s.NewJobs()
	if err := s.ResetWith(watch); err != nil {
		return err
	}
	if err := s.Advance(span); err != nil {
		return err
	}
	return printJobs(w, s.JobTable(watch))
}

// maxJobRows is how many jobs are listed.
const maxJobRows = 1000

func printJobs(w io.Writer, t sim.JobTable) error {
	in := func(d clock.Duration) string {
		if d < 0 {
			return "–"
		}
		return sim.InUnits(d, t.Unit)
	}
	b := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	if len(t.Tasks) > 0 {
		fmt.Fprintln(b, "task\tperiod\tdeadline\treleased\tfinished\tmissed\tworst response\t")
		for _, x := range t.Tasks {
			fmt.Fprintf(b, "%s\t%s\t%s\t%d\t%d\t%d\t%s\t\n", x.Name, in(x.Period), in(x.Deadline), x.Released, x.Finished, x.Missed, in(x.Worst))
		}
	} else {
		fmt.Fprintln(b, "job\tarrival\tran\tstart\tfinish\tresponse\tturnaround\twaiting\t")
		for i, r := range t.Rows {
			arrived := in(r.Arrived)
			if r.Arrived < 0 {
				arrived = "not yet"
			}
			if i == maxJobRows {
				fmt.Fprintf(b, "… and %d more\t\n", len(t.Rows)-i)
				break
			}
			fmt.Fprintf(b, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", r.Name, arrived, in(r.Ran), in(r.Started), in(r.Ended),
				in(r.Response), in(r.Turnaround), in(r.Waiting))
		}
		m := t.Means
		fmt.Fprintf(b, "mean\t\t\t\t\t%s\t%s\t%s\t\n", m.Response.Decimal(), m.Turnaround.Decimal(), m.Waiting.Decimal())
		fmt.Fprintf(b, "exactly\t\t\t\t\t%s\t%s\t%s\t\n", m.Response, m.Turnaround, m.Waiting)
	}
	if err := b.Flush(); err != nil {
		return err
	}
	if n := t.Means.Unfinished; n > 0 && len(t.Tasks) == 0 {
		fmt.Fprintf(w, "%d of %d jobs have not ended; they are not in the means.\n", n, len(t.Rows))
	}
	fmt.Fprintf(w, "busy %s, idle %s, up to %s\n", in(t.Busy), in(t.Idle), in(clock.Duration(t.Until)))
	for c, line := range t.Order {
		name := "order"
		if len(t.Order) > 1 {
			name = fmt.Sprintf("CPU %d", c)
		}
		if _, err := fmt.Fprintf(w, "%s: %s\n", name, line); err != nil {
			return err
		}
	}
	return nil
}

// starred marks the best of a column.
func starred(s string, best bool) string {
	if best {
		return s + " *"
	}
	return s + strings.Repeat(" ", 2)
}
