package stats

import (
	"fmt"
	"slices"
	"strings"

	"strandscope/sim/clock"
	"strandscope/sim/order"
	"strandscope/sim/trace"
)

// MpstatView is what a row of mpstat stands for.
type MpstatView uint8

// The views.
const (
	PerCPU        MpstatView = iota // mpstat
	PerCPUWithSet                   // mpstat -p: each CPU with its processor set
	PerSet                          // mpstat -a: a row for each processor set
)

// mpstatReprint is after how many rows a report of one CPU repeats its heading.
// With more CPUs every block has one.
const mpstatReprint = 20

const mpstatHeading = " minf mjf xcal  intr ithr  csw icsw migr smtx  srw syscl  usr sys  wt idl"

// MpstatReport is Solaris `mpstat INTERVAL` as an observer: a block since boot,
// then one per interval (shared/reference/solaris/FACTS.md §10.2). Rates are per
// second of the CPU's own ticks, percentages are of whole ticks, and both are
// rounded to nearest, ties to even. When a CPU goes off-line or comes back, and
// where sets are shown when they change, the next block is since boot again;
// what the tool says in between is left out, as with -q. It must observe each
// event after its Vmstat.
type MpstatReport struct {
	Listing
	v      *Vmstat
	view   MpstatView
	every  interval
	sets   []int       // of each CPU
	last   []mpstatCPU // nil: the next block is since boot
	config int         // of v, as last seen
	lines  int
	before int64 // ticks that the machine had been up, and idle, when the run began
}

// mpstatCPU is what has been counted of a CPU.
type mpstatCPU struct {
	ticks [3]int64 // by mode, each cut to whole ticks
	cpuSwitches
}

// NewMpstatReport starts a report now; sets holds the processor set of each CPU.
func NewMpstatReport(v *Vmstat, seconds int, view MpstatView, sets []int, l Listing) *MpstatReport {
	return NewMpstatReportSince(v, seconds, view, sets, 0, v.now, l)
}

// NewMpstatReportSince is NewMpstatReport, begun now, on a machine that had been
// up and idle for a time before the run began.
func NewMpstatReportSince(
	v *Vmstat, seconds int, view MpstatView, sets []int, before clock.Duration, now clock.Time, l Listing,
) *MpstatReport {
	r := &MpstatReport{
		Listing: l, v: v, view: view, every: every(seconds, now), sets: slices.Clone(sets), config: v.config,
		before: int64(before / v.tick),
	}
	r.block(now)
	return r
}

// Observe implements trace.Observer.
func (r *MpstatReport) Observe(e *trace.Event) {
	if e.Kind == trace.Changed && e.A >= 0 && r.sets[e.CPU] != int(e.A) {
		r.sets[e.CPU] = int(e.A)
		if r.view != PerCPU {
			r.last = nil
		}
	}
	if r.every.due(e) {
		r.block(e.At)
	}
}

// Print adds a block about the time since the last one; sets holds the processor
// set of each CPU now. A report that observes nothing prints so whenever it is
// asked to.
func (r *MpstatReport) Print(now clock.Time, sets []int) {
	if !slices.Equal(r.sets, sets) {
		r.sets = append(r.sets[:0], sets...)
		if r.view != PerCPU {
			r.last = nil
		}
	}
	r.block(now)
}

func (r *MpstatReport) block(now clock.Time) {
	if r.config != r.v.config {
		r.config, r.last = r.v.config, nil
	}
	next := make([]mpstatCPU, len(r.sets))
	var online []int
	for c := range next {
		next[c].cpuSwitches = r.v.cpus[c]
		for m := range next[c].ticks {
			next[c].ticks[m] = int64(r.v.time.Time(c, trace.CPUMode(m), now) / r.v.tick)
		}
		if !r.v.offline[c] {
			online = append(online, c)
		}
	}
	if r.lines == 0 || len(online) > 1 {
		r.heading()
		r.lines = mpstatReprint
	}
	r.lines--
	if r.view == PerSet {
		r.perSet(online, next)
	} else {
		for _, c := range online {
			row := r.row(next, c)
			if r.view == PerCPUWithSet {
				row += fmt.Sprintf(" %3d", r.sets[c])
			}
			r.printf("%3d%s", c, row)
		}
	}
	r.last = next
}

func (r *MpstatReport) heading() {
	switch r.view {
	case PerSet:
		r.printf("SET%s sze", mpstatHeading)
	case PerCPUWithSet:
		r.printf("CPU%s set", mpstatHeading)
	default:
		r.printf("CPU%s", mpstatHeading)
	}
}

// perSet prints a row for each set that has an on-line CPU, by id.
func (r *MpstatReport) perSet(online []int, next []mpstatCPU) {
	var ids []int
	for _, c := range online {
		if i, found := slices.BinarySearch(ids, r.sets[c]); !found {
			ids = order.Insert(ids, i, r.sets[c])
		}
	}
	for _, id := range ids {
		var of []int
		for _, c := range online {
			if r.sets[c] == id {
				of = append(of, c)
			}
		}
		r.printf("%3d%s %3d", id, r.row(next, of...), len(of))
	}
}

// row is what some CPUs together did since the last block. As in the tool, the
// ticks of the first of them measure the time.
func (r *MpstatReport) row(next []mpstatCPU, cpus ...int) string {
	var d mpstatCPU
	var ticks int64
	for i, c := range cpus {
		var old mpstatCPU
		old.ticks[trace.IdleMode] = -r.before
		if r.last != nil {
			old = r.last[c]
		}
		n := next[c]
		for m := range d.ticks {
			d.ticks[m] += n.ticks[m] - old.ticks[m]
			if i == 0 {
				ticks += n.ticks[m] - old.ticks[m]
			}
		}
		d.csw += n.csw - old.csw
		d.icsw += n.icsw - old.icsw
		d.migr += n.migr - old.migr
	}
	hz := int64(clock.Second / r.v.tick)
	n := int64(len(cpus))
	rate := func(count int64) int64 { return rounded(count, hz, ticks) }
	share := func(m trace.CPUMode) int64 { return rounded(d.ticks[m], 100, n*ticks) }
	idle := share(trace.IdleMode)
	if ticks == 0 {
		idle = 100 // since boot, before the first tick: a quiet machine
	}
	var b strings.Builder
	m := r.Marks
	b.WriteString(m.around(fmt.Sprintf(" %4d %3d %4d %5d %4d", n*decoMinf, n*decoMjf, n*decoXcal, n*decoIntrs, n*decoIthr)))
	fmt.Fprintf(&b, " %4d %4d %4d", rate(d.csw), rate(d.icsw), rate(d.migr))
	b.WriteString(m.around(fmt.Sprintf(" %4d %4d %5d", n*decoSmtx, n*decoSrw, n*decoSyscl)))
	fmt.Fprintf(&b, "  %3d %3d %3d %3d", share(trace.UserMode), share(trace.SystemMode), 0, idle)
	return b.String()
}
