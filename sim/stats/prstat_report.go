package stats

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// PrstatView is what a report of prstat shows.
type PrstatView uint8

// The views.
const (
	PrProcesses   PrstatView = iota // prstat
	PrMicrostates                   // prstat -m
	PrProjects                      // prstat -J: processes, then projects
)

// PrstatReport is Solaris `prstat -c` as an observer: a table each time it is
// due, one under the other (FACTS §10.3). Each process has one thread. A process
// that has exited stays a zombie while its parent lives, since no parent here
// waits for its children; sizes are decoration.
type PrstatReport struct {
	Listing
	*Prstat
	view    PrstatView
	seconds int64
	every   *interval  // nil: only when asked
	last    []prSample // by thread: what the last table showed (-m)
	load    Averages
	// Pick narrows the table down.
	Pick PrstatPick
}

// Averages are load averages of 1, 5 and 15 minutes in 1/256 threads.
type Averages interface{ Avenrun() [3]int64 }

type prSample struct {
	shown    bool
	at       clock.Time
	spent    [micros]clock.Duration
	vcx, icx int64
}

// prDefault is prstat's interval in seconds where none is given.
const prDefault = 5

// NewPrstatReport returns a report over accounts of its own. It prints when
// Print is called, and each so many seconds unless seconds is 0.
func NewPrstatReport(roster Roster, cpus, seconds int, view PrstatView, load Averages, l Listing) *PrstatReport {
	r := &PrstatReport{Listing: l, Prstat: NewPrstat(roster, cpus), view: view, load: load, seconds: prDefault}
	if seconds > 0 {
		i := every(seconds, 0)
		r.every, r.seconds = &i, i.seconds
	}
	return r
}

// NewPrstatReportOn returns a report over accounts that somebody else keeps. It
// prints when Print is called; seconds is the interval that the reader means to
// ask in.
func NewPrstatReportOn(p *Prstat, seconds int, view PrstatView, load Averages, l Listing) *PrstatReport {
	return &PrstatReport{Listing: l, Prstat: p, view: view, load: load, seconds: max(1, int64(seconds))}
}

// Kinds implements trace.Chooser: all, since it prints at any time.
func (r *PrstatReport) Kinds() trace.Kinds { return ^trace.Kinds(0) }

// Observe implements trace.Observer.
func (r *PrstatReport) Observe(e *trace.Event) {
	r.Prstat.Observe(e)
	if r.every != nil && r.every.due(e) {
		r.Print(e.At)
	}
}

// prRow is a process in a table.
type prRow struct {
	t      *sched.Thread
	recent int64 // in units of 1/0x8000 of all on-line CPUs
	key    int64 // the largest comes first
	zombie bool
}

// Print prints a table now.
func (r *PrstatReport) Print(now clock.Time) {
	online := 0
	for c := range r.cpus {
		if r.roster.SetOf(c) >= 0 {
			online++
		}
	}
	all := r.rows(now, online)
	rows := all
	if n := r.Pick.Rows; n > 0 && len(rows) > n {
		rows = rows[:n]
	}
	if r.view == PrMicrostates {
		r.microstates(rows, now)
	} else {
		r.processes(rows, now)
	}
	if r.view == PrProjects {
		r.projects(all, now)
	}
	a := r.load.Avenrun()
	r.printf("Total: %d processes, %d lwps, load averages: %s, %s, %s",
		len(all), len(all), LoadText(a[0]), LoadText(a[1]), LoadText(a[2]))
}

// rows lists the processes, those that used most of late first.
func (r *PrstatReport) rows(now clock.Time, online int) []prRow {
	var rows []prRow
	for _, id := range r.live {
		t := r.roster.Thread(id)
		if t.Kernel {
			continue
		}
		row := prRow{t: t, zombie: t.State == sched.Gone}
		if row.zombie && (t.Parent == sched.None || r.roster.Thread(t.Parent).State == sched.Gone) {
			continue // nobody's child any more: init has reaped it
		}
		if !r.Pick.wants(t) {
			continue
		}
		row.recent = scaled(r.Recent(id, now), online)
		row.key = r.key(row, now)
		rows = append(rows, row)
	}
	sort.SliceStable(rows, func(i, j int) bool {
		a, b := &rows[i], &rows[j]
		return cmp.Or(cmp.Compare(b.key, a.key), cmp.Compare(a.t.PID, b.t.PID)) < 0
	})
	return rows
}

func (r *PrstatReport) processes(rows []prRow, now clock.Time) {
	r.printf("   PID USERNAME  SIZE   RSS STATE  PRI NICE      TIME  CPU PROCESS/NLWP")
	for _, x := range rows {
		s := r.roster.Standing(x.t.ID)
		pri, nice := fmt.Sprint(s.Priority), fmt.Sprint(s.Nice)
		size, rss := prSize(decoSizeKB), prSize(decoRSSKB)
		if s.Class == "RT" || x.zombie {
			nice = "-" // neither has a nice value
		}
		if x.zombie {
			pri, size, rss = "0", prSize(0), prSize(0)
		}
		r.printf("%6d %-8s%s %-6s %3s  %3s %9s %3.3s%% %-.16s/%d", x.t.PID, decoUser,
			r.Marks.around(fmt.Sprintf(" %5s %5s", size, rss)), prState(x), pri, nice, prTime(r.onCPU(x.t.ID, now)), prPercent(x.recent, 0x8000), x.t.Name, 1)
	}
}

func (p *Prstat) onCPU(id sched.ThreadID, now clock.Time) clock.Duration {
	return p.Micro(id, MicroUser, now) + p.Micro(id, MicroSystem, now)
}

// microstates prints shares of the time since the last table. The first time a
// process is shown they are of its whole life, and counts are those of an
// average interval.
func (r *PrstatReport) microstates(rows []prRow, now clock.Time) {
	r.printf("   PID USERNAME USR SYS TRP TFL DFL LCK SLP LAT VCX ICX SCL SIG PROCESS/NLWP")
	for _, x := range rows {
		r.last = grown(r.last, x.t.ID, prSample{})
		old := &r.last[x.t.ID]
		t := &r.th[x.t.ID]
		next := prSample{shown: true, at: now, vcx: t.vcx, icx: t.icx}
		var d [micros]string
		age := now.Sub(max(old.at, t.born))
		vcx, icx := next.vcx-old.vcx, next.icx-old.icx
		if !old.shown {
			vcx, icx = r.average(vcx, age), r.average(icx, age)
		}
		for m := range d {
			next.spent[m] = r.Micro(x.t.ID, Micro(m), now)
			d[m] = prPercent(int64(next.spent[m]-old.spent[m]), int64(age))
		}
		none := prPercent(0, 1)
		r.printf("%6d %-8s %3s %3s%s %3s %3s %3s %3s%s %-.12s/%d", x.t.PID, decoUser,
			d[MicroUser], d[MicroSystem], r.Marks.around(fmt.Sprintf(" %3s %3s %3s %3s", none, none, none, none)),
			d[MicroSleep], d[MicroLatency], prCount(vcx), prCount(icx),
			r.Marks.around(fmt.Sprintf(" %3s %3s", prCount(0), prCount(0))), x.t.Name, 1)
		*old = next
	}
}

// average is how many of n in a lifetime fall into one interval.
func (r *PrstatReport) average(n int64, age clock.Duration) int64 {
	return mulDiv(n, r.seconds*int64(clock.Second), int64(age))
}

// projects sums up the processes of each project.
func (r *PrstatReport) projects(rows []prRow, now clock.Time) {
	type project struct {
		id     sched.GroupID
		n      int64
		live   int64
		recent int64
		spent  clock.Duration
	}
	var sums []project
	for _, x := range rows {
		i := slices.IndexFunc(sums, func(p project) bool { return p.id == x.t.Group })
		if i < 0 {
			i = len(sums)
			sums = append(sums, project{id: x.t.Group})
		}
		p := &sums[i]
		p.n++
		if !x.zombie {
			p.live++
		}
		p.recent += x.recent
		p.spent += r.onCPU(x.t.ID, now)
	}
	sort.SliceStable(sums, func(i, j int) bool {
		a, b := &sums[i], &sums[j]
		return cmp.Or(cmp.Compare(b.recent, a.recent), cmp.Compare(a.id, b.id)) < 0
	})
	r.printf("PROJID    NPROC  SWAP   RSS MEMORY      TIME  CPU PROJECT")
	if n := r.Pick.Sums; n > 0 && len(sums) > n {
		sums = sums[:n]
	}
	for _, p := range sums {
		memory := fmt.Sprintf(" %5s %5s   %3.3s%%", prSize(p.live*decoSizeKB), prSize(p.live*decoRSSKB), prPercent(p.live*decoRSSKB, decoMemKB))
		r.printf("%6d %8d%s %9s %3.3s%% %s", p.id, p.n, r.Marks.around(memory), prTime(p.spent), prPercent(p.recent, 0x8000), r.roster.ProjectName(p.id))
	}
}

func prState(x prRow) string {
	switch {
	case x.zombie:
		return "zombie"
	case x.t.State == sched.Running:
		return fmt.Sprintf("cpu%d", x.t.CPU)
	case x.t.State == sched.Sleeping:
		return "sleep"
	}
	return "run"
}

// prPercent has one decimal below 9.95 and none above, and is at most 100.
func prPercent(part, whole int64) string {
	if whole <= 0 {
		part, whole = 0, 1
	}
	part = min(part, whole)
	if float64(part)*100/float64(whole) < 9.95 {
		return fmt.Sprintf("%.1f", float64(part)*100/float64(whole))
	}
	return fmt.Sprint(rounded(part, 100, whole))
}

// prCount writes a count in three places: thousands as K, hundreds of thousands
// as tenths of M.
func prCount(n int64) string {
	switch {
	case n >= 100_000:
		return fmt.Sprintf(".%1dM", n/100_000)
	case n >= 1000:
		return fmt.Sprintf("%2dK", n/1000)
	}
	return fmt.Sprintf("%3d", n)
}

// prSize writes kilobytes in five places.
func prSize(kb int64) string {
	switch {
	case kb < 10_000:
		return fmt.Sprintf("%dK", kb)
	case kb < 10_000<<10:
		return fmt.Sprintf("%dM", kb>>10)
	}
	return fmt.Sprintf("%dG", kb>>20)
}

// prTime is hours, minutes and seconds, cut.
func prTime(d clock.Duration) string {
	s := int64(d / clock.Second)
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}
