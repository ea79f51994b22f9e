package sim

import (
	"fmt"
	"strconv"
	"strings"

	"strandscope/sim/clock"
	"strandscope/sim/scenario"
	"strandscope/sim/stats"
)

// figure puts a figure that the source prints beside ours.
func (s *Session) figure(p scenario.Printed, f *Frame) Figure {
	x := Figure{Label: p.Label, Printed: p.Value, Pending: f.Vmstat.Seconds == 0}
	switch p.Figure {
	case "r":
		x.Simulated = fmt.Sprint(f.Vmstat.Runnable)
	case "us":
		x.Simulated = fmt.Sprint(f.Vmstat.User)
	case "sy":
		x.Simulated = fmt.Sprint(f.Vmstat.System)
	case "id":
		x.Simulated = fmt.Sprint(f.Vmstat.Idle)
	case "busy":
		x.Simulated = fmt.Sprint(f.Totals.Busy)
	case "running":
		x.Simulated = fmt.Sprint(f.Totals.Running + f.Totals.Waiting)
	case "user+system":
		// As top of 1999 counts: each CPU is worth 100 %.
		x.Simulated = fmt.Sprintf("%d.0", (f.Vmstat.User+f.Vmstat.System)*len(f.CPUs))
	case "time":
		for i := range f.Threads {
			if t := &f.Threads[i]; int(t.PID) == p.PID {
				x.Simulated = fmt.Sprintf("%d:%02d", t.Ticks/6000, t.Ticks/100%60)
			}
		}
	case "scheduler", "scheduler/box":
		if w, ok := s.SchedulerWork(); ok {
			cpus := 1
			if p.Figure == "scheduler/box" {
				cpus = len(f.CPUs)
			}
			x.Simulated = stats.Ratio(100*int64(w.Cost), max(1, int64(f.Now))*int64(cpus), 3)
		}
	case "probe":
		x.Simulated = waitOf(f, 50, 1)
	case "latency":
		x.Simulated = waitOf(f, 50, 2)
	case "latency95":
		x.Simulated = waitOf(f, 95, 2)
	case "share":
		for i := range f.Threads {
			if t := &f.Threads[i]; int(t.PID) == p.PID {
				x.Simulated = stats.Ratio(100*int64(t.Ran), max(1, int64(f.Now)), 2)
			}
		}
	case "load1":
		x.Simulated = f.Load.Text[0]
	case "load5":
		x.Simulated = f.Load.Text[1]
	case "load15":
		x.Simulated = f.Load.Text[2]
	}
	for _, v := range append([]string{p.Value}, p.Also...) {
		x.Agrees = x.Agrees || v == x.Simulated || near(v, x.Simulated, p.Within)
	}
	for _, v := range p.Also {
		x.Printed += ", " + v
	}
	if p.Within > 0 {
		x.Printed += fmt.Sprintf(" ± %d.%d %%", p.Within/10, p.Within%10)
	}
	// A figure that belongs to a later moment cannot be told yet.
	x.Pending = x.Pending || int64(f.Now) < int64(p.At)
	return x
}

// prints reports whether the source prints a figure for this run.
func (s *Session) prints(p *scenario.Printed) bool {
	d := &s.sc.Scheduler
	return (p.Class == "" || p.Class == d.DefaultClass) && (p.Kernel == "" || p.Kernel == d.Kernel)
}

// waitOf is a quantile, in percent, of the first probe's last wake-ups, in milliseconds.
func waitOf(f *Frame, percent, decimals int) string {
	if len(f.Probes) == 0 || len(f.Probes[0].Recent) == 0 {
		return ""
	}
	return stats.Ratio(int64(f.Probes[0].Quantile(percent)), int64(clock.Millisecond), decimals)
}

// near reports whether b is within so many thousandths of a.
func near(a, b string, within int) bool {
	x, okX := thousandths(a)
	y, okY := thousandths(b)
	if within == 0 || !okX || !okY {
		return false
	}
	return max(x-y, y-x)*1000 <= x*int64(within)
}

// thousandths reads a decimal number of at most three places and nine digits.
func thousandths(text string) (int64, bool) {
	whole, part, _ := strings.Cut(text, ".")
	if len(whole) > 9 || len(part) > 3 {
		return 0, false
	}
	n, err := strconv.ParseUint(whole+part+strings.Repeat("0", 3-len(part)), 10, 62)
	return int64(n), err == nil
}
