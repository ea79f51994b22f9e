package stats

import (
	"fmt"
	"strings"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// vmstatTop is the number of data lines between two headings.
const vmstatTop = 19

// VmstatRow is what vmstat prints of one interval.
type VmstatRow struct {
	R                  int64 // mean of the threads that waited, once a second
	Runnable           int64 // threads that run or wait at the end
	User, System, Idle int   // percent, rounded to nearest, ties to even
	Switches           int64
	// Marks are written before and after columns that are decoration.
	Marks Marks
}

// Vmstat is Solaris vmstat as an observer: once a second it samples the threads
// that wait, as the kernel's clock does, and the microstates of all on-line
// CPUs in whole ticks (shared/reference/solaris/FACTS.md §10.1).
type Vmstat struct {
	time    *CPUTime
	tick    clock.Duration
	offline []bool       // by CPU: left out of the sums
	changes []clock.Time // by CPU: when it last went off-line or came back
	config  int          // grows when a CPU goes off-line or comes back
	waiting int
	running int
	runque  int64 // sum of samples
	updates int64
	csw     int64
	cpus    []cpuSwitches
	now     clock.Time

	lastSecond vmstatTotals
	Second     VmstatRow // the last whole second
	Seconds    int
}

// cpuSwitches is what mpstat counts of a CPU.
type cpuSwitches struct {
	csw  int64 // switches, those to the idle loop among them
	icsw int64 // preemptions, those that picked the same thread again among them
	migr int64 // threads that came from another CPU
}

type vmstatTotals struct {
	runque, updates, csw int64
	ticks                [3]int64
	at                   clock.Time
	config               int
	runnable             int64
}

// NewVmstat returns a vmstat of so many CPUs. The accounts must observe each
// event before it does.
func NewVmstat(time *CPUTime, cpus int, tick clock.Duration) *Vmstat {
	return &Vmstat{time: time, offline: make([]bool, cpus), changes: make([]clock.Time, cpus), cpus: make([]cpuSwitches, cpus), tick: tick}
}

// Observe implements trace.Observer.
func (v *Vmstat) Observe(e *trace.Event) {
	v.now = e.At
	switch e.Kind {
	case trace.Woke:
		v.waiting++
	case trace.On:
		v.waiting--
		v.running++
		v.csw++
		c := &v.cpus[e.CPU]
		c.csw++
		if e.A != int64(e.CPU) {
			c.migr++
		}
	case trace.Idle:
		v.csw++
		v.cpus[e.CPU].csw++
	case trace.Preempt:
		v.cpus[e.CPU].icsw++
	case trace.Off:
		v.running--
		if e.Cause != sched.Blocked && e.Cause != sched.Exited {
			v.waiting++
		}
	case trace.Second:
		v.runque += int64(v.waiting)
		v.updates++
		t := v.totals(e.At)
		v.Second = v.lastSecond.until(t)
		v.lastSecond = t
		v.Seconds++
	case trace.Changed:
		v.changed(int(e.CPU), e.A < 0, e.At)
	default:
	}
}

// changed takes a CPU out of the sums or back into them. The second in which
// that happens is measured from then on, since the sums no longer compare.
func (v *Vmstat) changed(cpu int, offline bool, now clock.Time) {
	if v.offline[cpu] == offline {
		return
	}
	v.offline[cpu], v.changes[cpu] = offline, now
	v.config++
	samples := v.lastSecond
	v.lastSecond = v.totals(now)
	v.lastSecond.runque, v.lastSecond.updates = samples.runque, samples.updates
}

// ChangedAt is when a CPU last went off-line or came back.
func (v *Vmstat) ChangedAt(cpu int) clock.Time { return v.changes[cpu] }

// Waiting is the number of threads in run queues now.
func (v *Vmstat) Waiting() int { return v.waiting }

func (v *Vmstat) totals(now clock.Time) vmstatTotals {
	t := vmstatTotals{runque: v.runque, updates: v.updates, csw: v.csw, at: now, config: v.config, runnable: int64(v.waiting + v.running)}
	for c, off := range v.offline {
		if off {
			continue
		}
		for m := range t.ticks {
			// Each CPU's time is cut to whole ticks before it is added up.
			t.ticks[m] += int64(v.time.Time(c, trace.CPUMode(m), now) / v.tick)
		}
	}
	return t
}

func (a vmstatTotals) until(b vmstatTotals) VmstatRow {
	r := VmstatRow{Runnable: b.runnable}
	if n := b.updates - a.updates; n > 0 {
		r.R = (b.runque - a.runque) / n
	}
	var all int64
	for m := range a.ticks {
		all += b.ticks[m] - a.ticks[m]
	}
	r.User = percent(b.ticks[trace.UserMode]-a.ticks[trace.UserMode], all)
	r.System = percent(b.ticks[trace.SystemMode]-a.ticks[trace.SystemMode], all)
	r.Idle = percent(b.ticks[trace.IdleMode]-a.ticks[trace.IdleMode], all)
	if all == 0 {
		r.Idle = 100 // since boot, before the first tick: a quiet machine
	}
	if ns := b.at.Sub(a.at); ns > 0 {
		r.Switches = (b.csw - a.csw) * int64(clock.Second) / int64(ns)
	}
	return r
}

// percent rounds 100·part/all to the nearest whole number, ties to even, as
// printf's "%.0f" does.
func percent(part, all int64) int {
	if all <= 0 {
		return 0
	}
	q, rest := 100*part/all, 100*part%all
	if 2*rest > all || 2*rest == all && q%2 == 1 {
		q++
	}
	return int(q)
}

// VmstatReport is `vmstat INTERVAL`: a line since boot, then one per interval.
// It must observe each event after its Vmstat.
type VmstatReport struct {
	v     *Vmstat
	every int64 // seconds
	from  int64 // second in which it was started
	last  vmstatTotals
	lines int
	Lines []string // headings and rows so far
	// Keep bounds Lines: older ones are dropped; 0 keeps all.
	Keep int
	form VmstatForm
	// before is how long the machine had been up, and idle, when the run began:
	// it counts since boot.
	before clock.Duration
	marks  Marks
}

// NewVmstatReport starts a report in the form of Solaris now; its first line is
// "since boot". An interval below a second is taken as one second.
func NewVmstatReport(v *Vmstat, seconds int) *VmstatReport {
	return NewVmstatReportIn(SolarisVmstat, v, seconds)
}

// NewVmstatReportIn is NewVmstatReport in another kernel's form.
func NewVmstatReportIn(form VmstatForm, v *Vmstat, seconds int) *VmstatReport {
	return NewVmstatReportSince(form, v, seconds, 0, v.now, Marks{})
}

// NewVmstatReportSince is NewVmstatReportIn, begun now, on a machine that had been
// up and idle for a time before the run began; marks are set around columns that
// are decoration.
func NewVmstatReportSince(form VmstatForm, v *Vmstat, seconds int, before clock.Duration, now clock.Time, marks Marks) *VmstatReport {
	r := &VmstatReport{
		form: form, v: v, every: max(1, int64(seconds)), from: int64(now) / int64(clock.Second), before: before, marks: marks,
	}
	r.last = v.totals(now)
	r.row(r.boot().until(r.last))
	return r
}

// boot is what had been counted when the machine was booted: less than nothing,
// since counting began with the run.
func (r *VmstatReport) boot() vmstatTotals {
	online := int64(0)
	for _, off := range r.v.offline {
		if !off {
			online++
		}
	}
	b := vmstatTotals{updates: -int64(r.before / clock.Second), at: clock.Time(-r.before)}
	b.ticks[trace.IdleMode] = -int64(r.before/r.v.tick) * online
	return b
}

// Switches counts those of all CPUs, those to the idle loop among them.
func (v *Vmstat) Switches() int64 { return v.csw }

// Kinds implements trace.Chooser.
func (*VmstatReport) Kinds() trace.Kinds {
	return trace.Of(trace.Second)
}

// Observe implements trace.Observer.
func (r *VmstatReport) Observe(e *trace.Event) {
	if e.Kind == trace.Second && (int64(e.At)/int64(clock.Second)-r.from)%r.every == 0 {
		r.Print(e.At)
	}
}

// Print adds a line about the time since the last one. A report that observes
// nothing prints so whenever it is asked to.
func (r *VmstatReport) Print(now clock.Time) {
	t := r.v.totals(now)
	if t.config != r.last.config {
		// Sums over other CPUs do not compare: vmstat shows "since boot" again.
		r.last = r.boot()
	}
	r.row(r.last.until(t))
	r.last = t
}

func (r *VmstatReport) row(v VmstatRow) {
	if r.lines%r.form.Every == 0 {
		r.Lines = append(r.Lines, r.form.Headings...)
	}
	r.lines++
	v.Marks = r.marks
	r.Lines = append(r.Lines, r.form.Row(v))
	if r.Keep > 0 && len(r.Lines) > r.Keep {
		r.Lines = append(r.Lines[:0], r.Lines[len(r.Lines)-r.Keep:]...)
	}
}

// String is the row in vmstat's columns.
func (v VmstatRow) String() string {
	var l line
	l.field(1, v.R)
	l.b.WriteString(v.Marks.On)
	l.field(1, 0)
	l.field(1, 0)
	l.field(6, decoSwap)
	l.field(5, decoFree)
	for _, w := range []int{3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2} { // page and disk
		l.field(w, 0)
	}
	l.field(4, decoIntr)
	l.field(4, decoSysc)
	l.b.WriteString(v.Marks.Off)
	l.field(4, v.Switches)
	l.field(2, int64(v.User))
	l.field(2, int64(v.System))
	l.field(2, int64(v.Idle))
	return l.b.String()
}

// line writes fields of fixed width. When a value is wider than its field, the
// excess is taken back from the padding of later fields.
type line struct {
	b      strings.Builder
	excess int
}

func (l *line) field(width int, v int64) {
	text := fmt.Sprint(v)
	pad := width - len(text)
	if pad < 0 {
		l.excess -= pad
		pad = 0
	}
	back := min(pad, l.excess)
	l.excess -= back
	l.b.WriteString(" " + strings.Repeat(" ", pad-back) + text)
}

// Uptime prints what uptime prints: the time of day, how long the machine has
// been up, users, and the load averages (FACTS §10.4). boot is the time of day
// at which the run began, in minutes.
func Uptime(now clock.Time, boot int, users int, avenrun [3]int64) string {
	minutes := (int64(now)/int64(clock.Second) + 30) / 60
	day := (boot + int(int64(now)/int64(clock.Minute))) % (24 * 60)
	var b strings.Builder
	half := "am"
	if day >= 12*60 {
		half = "pm"
	}
	h := day / 60 % 12
	if h == 0 {
		h = 12
	}
	fmt.Fprintf(&b, " %2d:%02d%s  up", h, day%60, half)
	if days := minutes / (24 * 60); days > 0 {
		fmt.Fprintf(&b, " %d day(s),", days)
	}
	switch hrs, mins := minutes/60%24, minutes%60; {
	case hrs > 0 && mins > 0:
		fmt.Fprintf(&b, " %2d:%02d,", hrs, mins)
	case hrs > 0:
		fmt.Fprintf(&b, " %d hr(s),", hrs)
	case mins > 0:
		fmt.Fprintf(&b, " %d min(s),", mins)
	}
	plural := "s"
	if users == 1 {
		plural = ""
	}
	fmt.Fprintf(&b, "  %d user%s,  load average: %s, %s, %s", users, plural,
		LoadText(avenrun[0]), LoadText(avenrun[1]), LoadText(avenrun[2]))
	return b.String()
}
