package main

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/urfave/cli/v3"

	"strandscope/sim/clock"
	"strandscope/sim/record"
	"strandscope/sim/recorded"
)

func importCommand() *cli.Command {
	return &cli.Command{
		Name:      "import",
		Usage:     "read a recording of a real scheduler and tell what it has",
		ArgsUsage: "FILE…",
		Description: "FILE is ftrace text (trace, trace-cmd report), trace.dat, perf script, perf sched script\n" +
			"or timehist, a SchedViz collection, or Chrome trace JSON with scheduling, gzip or not; - is standard input.\n" +
			"FORMAT is one of " + formatNames(importFormats()) + "; N is an interval in seconds.\n" +
			"scenario is a workload derived from the recording, for strandsim run.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "o", Value: "summary", Usage: "output `FORMAT`"},
			&cli.StringFlag{Name: "kernel", Usage: "whose recording it is, as `linux-6.12` (default: that, or what the file says)"},
			&cli.StringFlag{Name: "what-if", Usage: "run the derived workload under the recording's own kernel, then under `KERNEL`, and compare"},
			&cli.StringFlag{Name: "sleeps", Value: "recorded", Usage: "what wakes a thread that no thread woke: the `recorded` time, or the same time after it began to sleep (relative)"},
		},
		Action: importFiles,
	}
}

func importFiles(ctx context.Context, c *cli.Command) error {
	files := c.Args().Slice()
	if len(files) == 0 {
		return errors.New("import needs a FILE; - is standard input")
	}
	form, arg, err := findFormat(c.String("o"), importFormats(), " of import")
	if err != nil {
		return err
	}
	how, err := readDerive(c)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	for i, name := range files {
		if i > 0 {
			fmt.Fprintln(c.Root().Writer)
		}
		f := &imported{name: shortName(name), how: how, seconds: arg, progress: c.Root().ErrWriter}
		if err := f.read(ctx, name, c.Root().Reader); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		if f.run, err = recorded.New(f.trace, recorded.Options{Name: f.name, Kernel: how.kernel, HZ: int(int64(clock.Second) / tickOf(cmp.Or(how.kernel, recorded.DefaultKernel)))}); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		out := bufio.NewWriter(c.Root().Writer)
		err := form.run(ctx, out, f)
		if err == nil && how.whatIf != "" {
			err = writeWhatIf(ctx, out, f)
		}
		if flush := out.Flush(); err == nil {
			err = flush
		}
		if err != nil {
			return failure{fmt.Errorf("%s: %w", f.name, err)}
		}
	}
	return nil
}

func shortName(name string) string {
	if name == "-" {
		return "standard input"
	}
	return filepath.Base(name)
}

// imported is a file that is being imported.
type imported struct {
	name     string
	how      derivation
	seconds  int
	progress io.Writer
	trace    *record.Trace
	run      *recorded.Run
}

// tellEvery is after how many bytes the progress is told.
const tellEvery = 32 << 20

// read reads the file to its end, in pieces, until it is cancelled.
func (f *imported) read(ctx context.Context, name string, in io.Reader) error {
	size := int64(0)
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			var pe *os.PathError
			if errors.As(err, &pe) {
				return pe.Err
			}
			return err
		}
		defer file.Close()
		in = file
		if s, err := file.Stat(); err == nil {
			size = s.Size()
		}
	}
	head := bufio.NewReaderSize(in, 1<<20)
	if b, _ := head.Peek(2); bytes.Equal(b, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(head)
		if err != nil {
			return err
		}
		in, size = z, 0
	} else {
		in = head
	}
	r := record.NewReader()
	r.KeepAccounts(f.how.wanted())
	buf := make([]byte, 1<<18)
	told := int64(0)
	for done := int64(0); ; {
		n, err := in.Read(buf)
		done += int64(n)
		if ctx.Err() != nil {
			return fmt.Errorf("cancelled after %d MB", done>>20)
		}
		if bad := r.Feed(buf[:n]); bad != nil {
			return bad
		}
		if done-told >= tellEvery {
			told = done
			of := ""
			if size > 0 {
				of = fmt.Sprintf(" of %d", size>>20)
			}
			fmt.Fprintf(f.progress, "strandsim: %s: %d%s MB read, %d records\n", f.name, done>>20, of, r.Records())
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			// A file that is cut within its compression has a readable part.
			if !errors.Is(err, io.ErrUnexpectedEOF) {
				return err
			}
			r.Cut("the compressed file ends too early; what came before is read")
			break
		}
	}
	var err error
	f.trace, err = r.Close()
	return err
}

// whole goes to the end of the recording, in slices, until it is cancelled.
func (f *imported) whole(ctx context.Context) error {
	for {
		there, err := f.run.AdvanceUpTo(f.run.End(), 1<<20)
		if err != nil || there {
			return err
		}
		if ctx.Err() != nil {
			return errors.New("cancelled")
		}
	}
}
