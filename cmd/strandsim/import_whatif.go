package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v3"

	"strandscope/sim/clock"
	"strandscope/sim/compare"
	"strandscope/sim/derive"
	"strandscope/sim/policy"
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
	fmt.Fprintln(w, strings.Join(load.Text(), "\n"))
	fmt.Fprintf(w, "\nfidelity: the model of %s and the recording\n", kernel)
	if driven != nil {
		writeLines(w, driven.Text())
	}
	goOn := func() bool { return ctx.Err() == nil }
	own, _, err := load.Run(f.run, kernel, "", goOn)
	if err != nil {
		return err
	}
	writeLines(w, own.Text(kernel))
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

// writeLines writes lines of which those after the first say more about it.
func writeLines(w io.Writer, lines []string) {
	for i, l := range lines {
		if i > 0 {
			l = "  " + l
		}
		fmt.Fprintln(w, l)
	}
}
