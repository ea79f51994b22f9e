// Package tracefile writes all events of a run as a file: as JSON Lines, as Chrome trace
// JSON for Perfetto, or as the text of Linux's trace file. `strandsim run -o` and the
// program that the page fetches for such files (cmd/strandtool) are its users; a run
// gives the same octets in both.
//
// The encoders are those of sim/trace. What is here is the run: from its first event to
// a time, in slices, so that whoever waits can be told and a full disk ends it.
package tracefile

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/scenario"
	"strandscope/sim/trace"
)

// Format is a kind of file.
type Format struct {
	Name  string // "events", as `strandsim run -o` calls it
	begin func(w io.Writer, s *sim.Session) recorder
}

// recorder sees a run and ends its file at a time.
type recorder interface {
	trace.Observer
	end(at clock.Time) error
}

// The formats.
var (
	Events   = Format{"events", func(w io.Writer, s *sim.Session) recorder { return lines{trace.NewLines(w, s.Teller())} }}
	Perfetto = Format{"perfetto", func(w io.Writer, s *sim.Session) recorder {
		about, cpus, _ := s.About()
		return spans{trace.NewPerfetto(w, s.Teller(), about.MachineTitle, cpus)}
	}}
	Ftrace = Format{"ftrace", func(w io.Writer, s *sim.Session) recorder {
		about, cpus, _ := s.About()
		prio := trace.SolarisPrio
		if strings.HasPrefix(about.Kernel, "linux") {
			prio = trace.LinuxPrio
		}
		return switches{trace.NewFtrace(w, s.Teller(), prio, cpus)}
	}}
)

type (
	lines    struct{ *trace.Lines }
	spans    struct{ *trace.Perfetto }
	switches struct{ *trace.Ftrace }
)

func (r lines) end(clock.Time) error    { return r.Close() }
func (r spans) end(at clock.Time) error { return r.Close(at) }
func (r switches) end(clock.Time) error { return r.Close() }

// Find gives the format of a name.
func Find(name string) (Format, error) {
	var names []string
	for _, f := range []Format{Events, Perfetto, Ftrace} {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	hint := ""
	if n := scenario.Nearest(name, names); n != "" {
		hint = fmt.Sprintf("; did you mean %q?", n)
	}
	return Format{}, fmt.Errorf("%q is no kind of file, there are %s%s", name, strings.Join(names, ", "), hint)
}

// slice is how many events happen before somebody is told, and before it is seen that
// nothing more can be written: some hundredths of a second.
const slice = 20_000

// Write starts the run again and writes it from its first event up to and including a
// time. tell, if set, hears how far it has come. What was recorded is whole even where
// a broken invariant stopped the run.
func (f Format) Write(w io.Writer, s *sim.Session, until clock.Time, tell func(now clock.Time)) error {
	out := &gate{w: w}
	r := f.begin(out, s)
	seen := &counter{Observer: r}
	if err := s.ResetWith(seen); err != nil {
		return err
	}
	for {
		there, err := s.AdvanceUpTo(until, slice)
		if there || err != nil || out.err != nil {
			if _, _, events := s.About(); events != seen.events {
				return errBooted // and the new machine knows nothing of the threads before
			}
			if end := r.end(s.Now()); err == nil {
				err = end
			}
			return err
		}
		if tell != nil {
			tell(s.Now())
		}
	}
}

// errBooted refuses what would be two runs.
var errBooted = errors.New("the machine was booted anew at its console, and a file has the events of one run; " +
	"those since then come with the setting reboot=CLASS and without what was typed before")

// counter counts what an observer sees.
type counter struct {
	trace.Observer
	events int64
}

// Observe implements trace.Observer.
func (c *counter) Observe(e *trace.Event) {
	c.events++
	c.Observer.Observe(e)
}

// gate keeps the first error of a writer, which encoders tell at their end only.
type gate struct {
	w   io.Writer
	err error
}

func (g *gate) Write(b []byte) (int, error) {
	n, err := g.w.Write(b)
	if g.err == nil {
		g.err = err
	}
	return n, err
}
