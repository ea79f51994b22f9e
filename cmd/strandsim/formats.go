package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/scenario"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
	"strandscope/sim/trace"
)

// format is a way to write a run down.
type format struct {
	name string
	// takesInterval: the name may be followed by a colon and seconds.
	takesInterval bool
	run           func(w io.Writer, s *sim.Session, span clock.Duration, seconds int) error
}

// formats in the order in which help names them.
var formats = []format{
	{"summary", false, writeSummary},
	{"vmstat", true, writeVmstat},
	{"uptime", false, writeUptime},
	{"events", false, writeEvents},
	{"digest", false, writeDigest},
}

func formatNames() string {
	names := make([]string, 0, len(formats))
	for _, f := range formats {
		names = append(names, f.name)
	}
	return strings.Join(names, ", ")
}

// findFormat reads NAME or NAME:SECONDS.
func findFormat(text string) (format, int, error) {
	name, arg, hasArg := strings.Cut(text, ":")
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
		if f.name != name {
			continue
		}
		if hasArg && !f.takesInterval {
			return f, 0, fmt.Errorf("-o %s takes no interval", name)
		}
		n, err := interval(arg, 1)
		return f, n, err
	}
	hint := ""
	if n := scenario.Nearest(name, names); n != "" {
		hint = fmt.Sprintf("; did you mean %q?", n)
	}
	return format{}, 0, fmt.Errorf("-o %q is no format, there are %s%s", name, formatNames(), hint)
}

func writeDigest(w io.Writer, s *sim.Session, span clock.Duration, _ int) error {
	if err := s.Advance(span); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%016x\n", s.Digest())
	return err
}

func writeUptime(w io.Writer, s *sim.Session, span clock.Duration, _ int) error {
	if err := s.Advance(span); err != nil {
		return err
	}
	f := s.Frame()
	// The machine of a scenario boots at ten in the morning, with one user.
	_, err := fmt.Fprintln(w, stats.Uptime(f.Now, 10*60, 1, f.Load.Avg))
	return err
}

// writeVmstat prints the line since boot, then one for each interval.
func writeVmstat(w io.Writer, s *sim.Session, span clock.Duration, seconds int) error {
	r := s.Vmstat(seconds)
	err := s.Advance(span)
	for _, line := range r.Lines {
		if _, werr := fmt.Fprintln(w, line); werr != nil {
			return werr
		}
	}
	return err
}

// jsonEvent is an event as a JSON line.
type jsonEvent struct {
	At     int64  `json:"t_ns"`
	Kind   string `json:"ev"`
	CPU    *int16 `json:"cpu,omitempty"`
	Thread *int32 `json:"thread,omitempty"`
	Other  *int32 `json:"other,omitempty"`
	Pri    *int16 `json:"pri,omitempty"`
	Cause  string `json:"cause,omitempty"`
	A      int64  `json:"a,omitempty"`
	Why    string `json:"why,omitempty"`
}

type eventWriter struct {
	s   *sim.Session
	enc *json.Encoder
	err error
}

// Observe implements trace.Observer.
func (w *eventWriter) Observe(e *trace.Event) {
	if w.err != nil {
		return
	}
	j := jsonEvent{At: int64(e.At), Kind: e.Kind.String(), Cause: e.Cause.String(), A: e.A}
	if e.CPU != sched.NoCPU {
		j.CPU = &e.CPU
	}
	if e.Thread != sched.None {
		id := int32(e.Thread)
		j.Thread, j.Pri = &id, &e.Pri
	}
	if e.Other != sched.None {
		id := int32(e.Other)
		j.Other = &id
	}
	j.Why = w.s.Explain(e.Why)
	w.err = w.enc.Encode(j)
}

// writeEvents writes every event as a JSON line, from the first on.
func writeEvents(w io.Writer, s *sim.Session, span clock.Duration, _ int) error {
	b := bufio.NewWriter(w)
	ew := &eventWriter{s: s, enc: json.NewEncoder(b)}
	ew.enc.SetEscapeHTML(false)
	if err := s.ResetWith(ew); err != nil {
		return err
	}
	err := s.Advance(span)
	if err == nil {
		err = ew.err
	}
	if err == nil {
		err = b.Flush()
	}
	return err
}

func writeSummary(w io.Writer, s *sim.Session, span clock.Duration, _ int) error {
	if err := s.Advance(span); err != nil {
		return err
	}
	f := s.Frame()
	t := f.Totals
	fmt.Fprintf(w, "%s\n", f.Scenario.Title)
	fmt.Fprintf(w, "%s, %s, default class %s\n", f.Scenario.MachineTitle, f.Scenario.Kernel, f.Scenario.Class)
	if f.Scenario.Note != "" {
		fmt.Fprintln(w, f.Scenario.Note)
	}
	fmt.Fprintf(w, "\nat %v: %d of %d strands busy, %d waiting, %d sleeping, %d exited\n",
		f.Now, t.Busy, t.Strands, t.Waiting, t.Sleeping, t.Gone)
	if t.IdleBesideWork > 0 {
		fmt.Fprintf(w, "%d strands idle while %d threads wait\n", t.IdleBesideWork, t.Waiting)
	}
	fmt.Fprintf(w, "cores busy %d of %d, issue slots used %d.%d %% (model)\n", t.BusyCores, t.Cores, t.IssueSlots/10, t.IssueSlots%10)
	fmt.Fprintf(w, "load average %s, %s, %s\n", f.Load.Text[0], f.Load.Text[1], f.Load.Text[2])
	fmt.Fprintf(w, "last second: r %d  us %d  sy %d  id %d\n", f.Vmstat.Runnable, f.Vmstat.User, f.Vmstat.System, f.Vmstat.Idle)
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
		g.ran += t.Ran
		g.waited += t.Waited
		g.work += t.Work
	}
	fmt.Fprintln(w)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "task\tthreads\ton CPU s\twaiting s\twork s (model)")
	for _, n := range names {
		g := sums[n]
		fmt.Fprintf(tw, "%s\t%d\t%s\t%s\t%s\n", n, g.n, seconds(g.ran), seconds(g.waited), seconds(g.work))
	}
	tw.Flush()
}

func seconds(d clock.Duration) string {
	cs := (d + 5*clock.Millisecond) / (10 * clock.Millisecond)
	return fmt.Sprintf("%d.%02d", cs/100, cs%100)
}
