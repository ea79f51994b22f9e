package main

import (
	"fmt"
	"io"
	"strings"

	"strandscope/cmd/internal/tracefile"
	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/scenario"
	"strandscope/sim/stats"
)

// format is a way to write a run down.
type format struct {
	name string
	// seconds is the interval where none is given; noInterval: the name takes
	// none. Others may be followed by a colon and seconds.
	seconds int
	// kernel is how the names of kernels begin that have it; "" is any.
	kernel string
	// lacks says what the scenario lacks for it, if anything; nil: nothing can be.
	lacks func(s *sim.Session) string
	run   func(w io.Writer, s *sim.Session, span clock.Duration, seconds int) error
}

// Of format.seconds.
const (
	noInterval = -1
	atTheEnd   = 0 // once, unless an interval is given
)

// formats in the order in which help names them.
var formats = []format{
	{"summary", noInterval, "", nil, writeSummary},
	{"vmstat", 1, "", nil, writeVmstat},
	{"mpstat", 1, "", nil, writeMpstat(stats.PerCPU)},
	{"mpstat-p", 1, "", nil, writeMpstat(stats.PerCPUWithSet)},
	{"mpstat-a", 1, "", nil, writeMpstat(stats.PerSet)},
	{"prstat", atTheEnd, "", nil, writePrstat(stats.PrProcesses)},
	{"prstat-m", atTheEnd, "", nil, writePrstat(stats.PrMicrostates)},
	{"prstat-J", atTheEnd, "", nil, writePrstat(stats.PrProjects)},
	{"top", atTheEnd, "linux", nil, writeTop},
	{"ps", noInterval, "linux", nil, writePS},
	{"uptime", noInterval, "", nil, writeUptime},
	{"corestat", 1, "", nil, writeCorestat},
	{"projects", noInterval, "", nil, writeProjects},
	{"latency", noInterval, "", nil, writeLatency},
	{"probes", noInterval, "", lacksProbes, writeProbes},
	{"curve", noInterval, "", lacksCurve, writeCurve},
	{"switches", noInterval, "", nil, writeSwitches},
	{"waits", noInterval, "", nil, writeWaits},
	{"jobs", noInterval, "", nil, writeJobs},
	{"csv", noInterval, "", nil, writeCSV},
	{"events", noInterval, "", nil, writeTrace(tracefile.Events)},
	{"perfetto", noInterval, "", nil, writeTrace(tracefile.Perfetto)},
	{"ftrace", noInterval, "", nil, writeTrace(tracefile.Ftrace)},
	{"digest", noInterval, "", nil, writeDigest},
}

// named is what -o chooses from.
type named interface {
	called() (name string, seconds int)
}

func (f format) called() (name string, seconds int) { return f.name, f.seconds }

// formatNames lists formats; those that take an interval as NAME[:N].
func formatNames[F named](list []F) string {
	names := make([]string, 0, len(list))
	for _, f := range list {
		name, seconds := f.called()
		if seconds != noInterval {
			name += "[:N]"
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// findFormat reads NAME or NAME:SECONDS; of is what the list's formats are of, " of import".
func findFormat[F named](text string, list []F, of string) (f F, seconds int, err error) {
	name, arg, hasArg := strings.Cut(text, ":")
	var names []string
	for _, f := range list {
		have, usual := f.called()
		names = append(names, have)
		if have != name {
			continue
		}
		if hasArg && usual == noInterval {
			return f, 0, fmt.Errorf("-o %s takes no interval", name)
		}
		n, err := interval(arg, usual)
		return f, n, err
	}
	hint := ""
	if n := scenario.Nearest(name, names); n != "" {
		hint = fmt.Sprintf("; did you mean %q?", n)
	}
	return f, 0, fmt.Errorf("-o %q is no format%s, there are %s%s", name, of, formatNames(list), hint)
}

// fits refuses a format that the session's kernel or scenario does not have.
func (f *format) fits(s *sim.Session) error {
	if k := s.Frame().Scenario.Kernel; !strings.HasPrefix(k, f.kernel) {
		return fmt.Errorf("-o %s: there is none on %s", f.name, k)
	}
	if f.lacks == nil {
		return nil
	}
	if what := f.lacks(s); what != "" {
		return fmt.Errorf("-o %s: %s", f.name, what)
	}
	return nil
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
	_, err := fmt.Fprintln(w, sim.Uptime(s.Frame()))
	return err
}

func writePS(w io.Writer, s *sim.Session, span clock.Duration, _ int) error {
	if err := s.Advance(span); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, strings.Join(sim.PS(s.Frame()), "\n"))
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
