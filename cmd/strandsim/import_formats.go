package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"strandscope/render/act"
	"strandscope/render/figure"
	"strandscope/sim/clock"
	"strandscope/sim/recorded"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
	"strandscope/sim/trace"
)

// importFormat is a way to write a recording down; seconds as in format.
type importFormat struct {
	name    string
	seconds int
	run     func(ctx context.Context, w io.Writer, f *imported) error
}

// importFormats in the order in which help names them.
func importFormats() []importFormat {
	return []importFormat{
		{"summary", noInterval, importSummary},
		{"latency", noInterval, importLatency},
		{"waits", noInterval, importWaits},
		{"switches", noInterval, importSwitches},
		{"vmstat", 1, importVmstat},
		{"mpstat", 1, importMpstat},
		{"events", noInterval, importTrace(func(w io.Writer, r *recorded.Run) ending {
			return closing{trace.NewLines(w, r.Teller())}
		})},
		{"perfetto", noInterval, importTrace(func(w io.Writer, r *recorded.Run) ending {
			return trace.NewPerfetto(w, r.Teller(), r.Facts().Machine, r.Trace().CPUs)
		})},
		{"ftrace", noInterval, importTrace(func(w io.Writer, r *recorded.Run) ending {
			prio := trace.LinuxPrio
			if r.Facts().Kernel == "solaris10" {
				prio = trace.SolarisPrio
			}
			return closing{trace.NewFtrace(w, r.Teller(), prio, r.Trace().CPUs)}
		})},
		{"figure", noInterval, importFigure()},
		{"timeline", noInterval, importFigure("timeline")},
		{"scenario", noInterval, importScenario},
		{"digest", noInterval, importDigest},
	}
}

func (f importFormat) called() (name string, seconds int) { return f.name, f.seconds }

// ending is an observer that ends its file at a time.
type ending interface {
	trace.Observer
	Close(at clock.Time) error
}

type closing struct {
	inner interface {
		trace.Observer
		Close() error
	}
}

func (c closing) Observe(e *trace.Event)   { c.inner.Observe(e) }
func (c closing) Close(_ clock.Time) error { return c.inner.Close() }

func importTrace(begin func(io.Writer, *recorded.Run) ending) func(context.Context, io.Writer, *imported) error {
	return func(ctx context.Context, w io.Writer, f *imported) error {
		e := begin(w, f.run)
		if err := f.run.ResetWith(e); err != nil {
			return err
		}
		err := f.whole(ctx)
		if end := e.Close(f.run.Now()); err == nil {
			err = end
		}
		return err
	}
}

// importFigure draws the end of the recording with all of it in the timeline, as SVG.
func importFigure(panels ...string) func(context.Context, io.Writer, *imported) error {
	return func(ctx context.Context, w io.Writer, f *imported) error {
		if err := f.whole(ctx); err != nil {
			return err
		}
		view := act.View{Timeline: act.Range{Kind: act.Fixed, To: max(f.run.End(), clock.Time(act.MinZoom))}, Plots: act.PlotRange{Same: true}}
		text, err := figure.SVG(f.run, view, &figure.Options{Panels: panels, Theme: "light"})
		if err != nil {
			return err
		}
		_, err = w.Write(text)
		return err
	}
}

func importDigest(ctx context.Context, w io.Writer, f *imported) error {
	if err := f.whole(ctx); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%016x\n", f.run.Digest())
	return err
}

func importLatency(ctx context.Context, w io.Writer, f *imported) error {
	l, done := listing(w)
	x := stats.NewLatency(f.run.Roster())
	if err := f.run.ResetWith(x); err != nil {
		return err
	}
	err := f.whole(ctx)
	x.Report(&l)
	return done(err)
}

func importWaits(ctx context.Context, w io.Writer, f *imported) error {
	l, done := listing(w)
	x := stats.NewWaits(f.run.Roster(), f.trace.CPUs)
	if err := f.run.ResetWith(x); err != nil {
		return err
	}
	err := f.whole(ctx)
	x.Report(&l, f.run.Now())
	return done(err)
}

func importSwitches(ctx context.Context, w io.Writer, f *imported) error {
	l, done := listing(w)
	x := stats.NewSwitches(f.run.Roster(), f.trace.CPUs)
	if err := f.run.ResetWith(x); err != nil {
		return err
	}
	err := f.whole(ctx)
	x.Report(&l)
	return done(err)
}

func importVmstat(ctx context.Context, w io.Writer, f *imported) error {
	v := f.run.Vmstat(f.seconds)
	err := f.whole(ctx)
	for _, line := range v.Lines {
		fmt.Fprintln(w, line)
	}
	return err
}

func importMpstat(ctx context.Context, w io.Writer, f *imported) error {
	l, done := listing(w)
	f.run.Mpstat(f.seconds, l)
	return done(f.whole(ctx))
}

// mostThreads is how many threads the summary lists.
const mostThreads = 60

func importSummary(ctx context.Context, w io.Writer, f *imported) error {
	if err := f.whole(ctx); err != nil {
		return err
	}
	r, t, fr := f.run, f.trace, f.run.Frame()
	assumed := ""
	if f.how.kernel == "" && t.Simulated == "" {
		assumed = ", as is assumed where -kernel does not say it"
	}
	fmt.Fprintf(w, "%s: %s of %s%s\n", f.name, t.Format, fr.Scenario.Kernel, assumed)
	fmt.Fprintf(w, "%s, %s s, %d records of scheduling", r.Facts().Machine, stats.Seconds(clock.Duration(r.End()), 3), t.Len())
	if t.Lines > 0 {
		fmt.Fprintf(w, " in %d lines", t.Lines)
	}
	fmt.Fprintln(w)
	fmt.Fprint(w, "events:")
	for i, c := range t.Events {
		if i > 0 {
			fmt.Fprint(w, ",")
		}
		fmt.Fprintf(w, " %s %d", c.Name, c.N)
	}
	fmt.Fprintln(w)
	for _, n := range t.Notes.Text(f.name) {
		fmt.Fprintln(w, "note:", n)
	}
	writeBridged(w, r.Bridged())
	sums := r.Compared()
	fmt.Fprintf(w, "\nutilisation %s %% of %d CPUs; %d switches, %d of them taken from a thread that could go on, %d onto another CPU\n",
		stats.Ratio(100*int64(sums.BusyTime), max(1, int64(sums.OnlineTime)), 2), t.CPUs, sums.Switches, sums.Involuntary, sums.Moves)
	fmt.Fprintf(w, "load average %s, %s, %s, from 0 at the beginning on\n", fr.Load.Text[0], fr.Load.Text[1], fr.Load.Text[2])
	if d := r.Wakes(); d.Count > 0 {
		p50, _ := d.Quantile(50)
		p99, _ := d.Quantile(99)
		fmt.Fprintf(w, "wake-up latency of %d wake-ups: p50 %s ms, p99 %s ms, max %s ms\n", d.Count, ms(p50), ms(p99), ms(d.Max))
	} else {
		fmt.Fprintln(w, "wake-up latency: no wake-ups are recorded")
	}
	writeThreads(w, f)
	fmt.Fprintf(w, "\n%d events, digest %016x\n", fr.Events, fr.Digest)
	return nil
}

func writeBridged(w io.Writer, b recorded.Bridged) {
	say := func(n int64, what string) {
		if n > 0 {
			fmt.Fprintf(w, "bridged: %d times %s\n", n, what)
		}
	}
	say(b.Unwoken, "a thread came onto a CPU and no wake-up of it is recorded")
	say(b.Other, "another thread was on the CPU than the one that the recording takes off")
	say(b.Twice, "a thread came onto a CPU and had not left another")
	say(b.Awake, "a thread was woken that did not sleep; that changes nothing")
}

// ms writes a duration in milliseconds.
func ms(d clock.Duration) string { return stats.Ratio(int64(d), int64(clock.Millisecond), 3) }

func writeThreads(w io.Writer, f *imported) {
	fr := f.run.Frame()
	rows := fr.Threads
	order := make([]int, len(rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rows[b].Ran, rows[a].Ran) })
	fmt.Fprintln(w)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "pid\tthread\tclass\tnice\ton CPU ms\twaiting ms\tswitches\tpreempted\twake-ups\tlatency ms\tmax ms\tstate")
	for n, i := range order {
		if n == mostThreads {
			fmt.Fprintf(tw, "\tand %d more\n", len(order)-n)
			break
		}
		x, s := &rows[i], f.run.Stat(i)
		mean := "-"
		if s.Wakes > 0 {
			mean = ms(s.Latency / clock.Duration(s.Wakes))
		}
		state := x.State.String()
		if x.State == sched.Embryo {
			state = "not met"
		}
		fmt.Fprintf(tw, "%d\t%s\t%s\t%d\t%s\t%s\t%d\t%d\t%d\t%s\t%s\t%s\n", x.PID, x.Name, x.Class, x.Nice,
			ms(x.Ran), ms(x.Waited), s.Switches, s.Preempted, s.Wakes, mean, ms(s.Longest), state)
	}
	tw.Flush()
}
