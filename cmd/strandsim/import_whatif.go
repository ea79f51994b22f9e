package main

import (
	"context"
	"fmt"
	"io"

	"github.com/urfave/cli/v3"

	"strandscope/sim/clock"
	"strandscope/sim/compare"
	"strandscope/sim/derive"
	"strandscope/sim/policy"
	"strandscope/sim/stats"
)

// derivation is how a workload is derived, and what is done with it.
type derivation struct {
	kernel, whatIf string
	relative       bool
	scenario       bool // it is written
}

func readDerive(c *cli.Command) (d derivation, err error) {
	d = derivation{kernel: c.String("kernel"), whatIf: c.String("what-if"), scenario: c.String("o") == "scenario"}
	for flag, id := range map[string]string{"kernel": d.kernel, "what-if": d.whatIf} {
		if id == "" {
			continue
		}
		if _, err := policy.Find(id); err != nil {
			return d, fmt.Errorf("-%s: %w", flag, err)
		}
	}
	switch s := c.String("sleeps"); s {
	case "recorded":
	case "relative":
		d.relative = true
	default:
		return d, fmt.Errorf("-sleeps %q, want recorded or relative", s)
	}
	return d, nil
}

// wanted reports whether a workload is derived.
func (d *derivation) wanted() bool { return d.whatIf != "" || d.scenario }

// tickOf is the length of a kernel's clock tick in ns.
func tickOf(kernel string) int64 {
	k, err := policy.Find(kernel)
	if err != nil || k.HZ == 0 {
		return int64(clock.Second) / 250
	}
	return int64(clock.Second) / int64(k.HZ)
}

// derived derives the workload, and lets the recording drive the kernel's model where
// that can be.
func (f *imported) derived() (*derive.Workload, *derive.Driven, error) {
	kernel := f.run.Facts().Kernel
	w, err := derive.From(f.trace, derive.Options{Kernel: kernel, Relative: f.how.relative, Tick: tickOf(kernel)})
	if err != nil {
		return nil, nil, err
	}
	if !derive.CanDrive(f.trace, kernel) {
		return w, nil, nil
	}
	phase, _ := derive.Phase(f.trace, tickOf(kernel))
	d := derive.Drive(f.trace, kernel, tickOf(kernel), phase)
	w.Owe(&d)
	return w, &d, nil
}

func importScenario(_ context.Context, w io.Writer, f *imported) error {
	load, _, err := f.derived()
	if err != nil {
		return err
	}
	kernel := f.run.Facts().Kernel
	if f.how.whatIf != "" {
		kernel = f.how.whatIf
	}
	for _, n := range load.Notes {
		fmt.Fprintln(f.progress, "strandsim: derived:", n)
	}
	f.how.whatIf = "" // the document is all that is written
	_, err = w.Write(load.Document(f.name, kernel, ""))
	return err
}

// writeWhatIf prints what was derived, how far that is to be trusted, and what another
// kernel makes of it.
func writeWhatIf(ctx context.Context, w io.Writer, f *imported) error {
	if err := f.whole(ctx); err != nil {
		return err
	}
	load, driven, err := f.derived()
	if err != nil {
		return err
	}
	kernel := f.run.Facts().Kernel
	fmt.Fprintln(w, "\nderived workload")
	writeDerived(w, load)
	fmt.Fprintf(w, "\nfidelity: the model of %s and the recording\n", kernel)
	if driven != nil {
		writeDriven(w, driven)
	}
	goOn := func() bool { return ctx.Err() == nil }
	own, _, err := load.Run(f.run, kernel, "", goOn)
	if err != nil {
		return err
	}
	writeFidelity(w, &own, kernel)
	fmt.Fprintln(w)
	fmt.Fprint(w, compare.Text(compare.Table(&own.Recorded, &own.Ran), "recorded", kernel))
	if f.how.whatIf == kernel {
		return nil
	}
	other, _, err := load.Run(f.run, f.how.whatIf, "", goOn)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\nwhat if: the derived workload under %s, digest %016x, beside the same under %s, digest %016x\n\n",
		f.how.whatIf, other.Digest, kernel, own.Digest)
	_, err = io.WriteString(w, compare.Text(compare.Table(&own.Ran, &other.Ran), kernel, f.how.whatIf))
	return err
}

func writeDerived(w io.Writer, load *derive.Workload) {
	threads, steps, wakes, byThreads, forked, rt := 0, 0, 0, 0, 0, 0
	for i := range load.Threads {
		t := &load.Threads[i]
		if len(t.Steps) == 0 {
			continue
		}
		threads++
		steps += len(t.Steps)
		wakes += t.Wakes
		byThreads += t.ByThreads
		if t.Forked {
			forked++
		}
		if t.Realtime > 0 {
			rt++
		}
	}
	fmt.Fprintf(w, "%d threads, %d of them forked within it and %d of a real-time class, %d steps in %s s\n",
		threads, forked, rt, steps, stats.Seconds(clock.Duration(load.Duration), 3))
	fmt.Fprintf(w, "%d wake-ups, %d of them by a thread, the others by interrupts\n", wakes, byThreads)
	for _, n := range load.Notes {
		fmt.Fprintln(w, "note:", n)
	}
}

func writeDriven(w io.Writer, d *derive.Driven) {
	fmt.Fprintf(w, "driven by the recorded wake-ups, blocks and times: %d of %d choices at switches agree (%s %%)\n",
		d.Agree, d.Choices, percent(int64(d.Agree), int64(d.Choices)))
	if d.Kept > 0 {
		fmt.Fprintf(w, "  of %d calls of the scheduler that kept the task %d agree, of %d ticks %d whether to call it\n",
			d.Kept, d.KeptAgree, d.Ticks, d.TicksAgree)
	}
	if d.Fitted {
		fmt.Fprintf(w, "  what threads were owed at the beginning is not recorded and was fitted; without it %d agree\n", d.Unfitted)
	}
	if d.First >= 0 {
		fmt.Fprintf(w, "  the first that differs is at %v\n", d.First)
	}
	if !d.Exact {
		fmt.Fprintln(w, "  times are those of switches: without sched_stat_runtime what was charged is known to the microsecond only")
	}
}

func writeFidelity(w io.Writer, x *derive.Fidelity, kernel string) {
	fmt.Fprintf(w, "run by itself under %s: %s %% of the CPU time went to the same threads as recorded\n", kernel, percent(x.Same, x.Busy))
	fmt.Fprintf(w, "  %d of %d threads that came onto a CPU did so in the recorded order (%s %%); the derived run has %d\n",
		x.InOrder, min(x.Switches, x.Compared), percent(int64(x.InOrder), int64(min(x.Switches, x.Compared))), x.Derived)
}

func percent(a, b int64) string {
	if b == 0 {
		return "-"
	}
	return stats.Ratio(100*a, b, 1)
}
