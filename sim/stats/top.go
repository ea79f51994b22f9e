package stats

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
)

// Top is the arithmetic of procps top in 1999 (shared/reference/linux22/FACTS.md
// §14): CPU percentages come from the clock ticks charged since the look before,
// PRI from the ticks that are left, and nothing is divided by the number of CPUs.
// The zero value has looked at time 0, before anything ran.
type Top struct {
	last []int64 // ticks by thread at the look before
	at   clock.Time
}

// TopSince is a top that has looked before, when threads had been charged so many
// ticks.
func TopSince(at clock.Time, ticks []int64) Top { return Top{last: slices.Clone(ticks), at: at} }

// TopTask is a process as top reads it from /proc.
type TopTask struct {
	ID             sched.ThreadID
	PID            int32
	Name           string
	State          byte // R, S or Z
	Priority, Nice int
	Ticks          int64 // of 10 ms
}

// TopFrame is one look, ready to be written.
type TopFrame struct {
	Header string
	rows   []topRow
	// In tenths of a percent of one CPU.
	user, nice, idle          int64
	sleeping, running, zombie int
}

// topRow has a share in tenths of a percent, as top computes it: cut.
type topRow struct {
	TopTask
	percent int64
}

// At is when the last look was taken.
func (p *Top) At() clock.Time { return p.at }

// Look takes a frame about the time since the look before. Tasks come in the
// order of /proc, by process id.
func (p *Top) Look(now clock.Time, header string, tasks []TopTask) *TopFrame {
	f := &TopFrame{Header: header}
	elapsed := max(int64(now.Sub(p.at)/clock.Millisecond), 1)
	var ticks, all int64
	for _, t := range tasks {
		delta := t.Ticks
		if int(t.ID) < len(p.last) {
			delta -= p.last[t.ID]
		}
		// Ticks are 10 ms: tenths of a percent are ticks·10 a second.
		percent := min(delta*10*1000/elapsed, 999)
		f.rows = append(f.rows, topRow{t, percent})
		ticks += delta
		all += percent
		if t.Nice > 0 {
			f.nice += percent
		}
		switch t.State {
		case 'R':
			f.running++
		case 'Z':
			f.zombie++
		default:
			f.sleeping++
		}
	}
	f.user, f.idle = ticks*10*1000/elapsed, max(0, 1000-all)
	p.remember(now, tasks)
	f.Sort(TopByCPU)
	return f
}

func (p *Top) remember(now clock.Time, tasks []TopTask) {
	clear(p.last)
	for _, t := range tasks {
		for int(t.ID) >= len(p.last) {
			p.last = append(p.last, 0)
		}
		p.last[t.ID] = t.Ticks
	}
	p.at = now
}

// TopOrder is what top's rows are sorted by.
type TopOrder uint8

// The orders of top.
const (
	TopByCPU TopOrder = iota
	TopByTime
	TopByPID
)

// Sort orders the rows, those that come first by pid among equals.
func (f *TopFrame) Sort(by TopOrder) {
	sort.SliceStable(f.rows, func(i, j int) bool {
		a, b := &f.rows[i], &f.rows[j]
		switch by {
		case TopByTime:
			if a.Ticks != b.Ticks {
				return a.Ticks > b.Ticks
			}
		case TopByCPU:
			if a.percent != b.percent {
				return a.percent > b.percent
			}
		case TopByPID:
		}
		return a.PID < b.PID
	})
}

// Keep drops the rows of other processes than pids, and idle ones where asked to.
// The figures of the head stay.
func (f *TopFrame) Keep(pids []int32, busy bool) {
	f.rows = slices.DeleteFunc(f.rows, func(r topRow) bool {
		return len(pids) > 0 && !slices.Contains(pids, r.PID) || busy && r.percent == 0 && r.State != 'R'
	})
}

// topHead is how many lines stand above the rows.
const topHead = 7

// Lines writes the frame, cut after so many lines. What the model has no figure
// for goes through decoration.
func (f *TopFrame) Lines(most int, decoration func(string) string) []string {
	rows := f.rows[:min(len(f.rows), max(0, most-topHead))]
	lines := make([]string, 0, topHead+len(rows))
	lines = append(lines,
		f.Header,
		fmt.Sprintf("%d processes: %d sleeping, %d running, %d zombie, 0 stopped", f.sleeping+f.running+f.zombie, f.sleeping, f.running, f.zombie),
		fmt.Sprintf("CPU states: %s%% user, %s%% system, %s%% nice, %s%% idle", tenths(f.user), tenths(0), tenths(f.nice), tenths(f.idle)),
		decoration("Mem:  515636K av, 301564K used, 214072K free,  63356K shrd, 244364K buff"),
		decoration("Swap:  80320K av,      0K used,  80320K free                   7400K cached"),
		"",
		"  PID USER     PRI  NI  SIZE  RSS SHARE STAT  LIB %CPU %MEM   TIME COMMAND",
	)
	user, size := decoration("root    "), decoration("  216  216   176")
	lib, mem := decoration("   0"), decoration(" 0.0")
	for _, r := range rows {
		lines = append(lines, fmt.Sprintf("%5d %s %3d %3d %s %-4s %s %4s %s %6s %s",
			r.PID, user, r.Priority, r.Nice, size, r.stat(), lib, tenths(r.percent), mem, MinutesText(r.Ticks), r.Name))
	}
	return lines
}

// stat is the state as top writes it.
func (t *TopTask) stat() string {
	switch {
	case t.Nice > 0:
		return string(t.State) + " N"
	case t.Nice < 0:
		return string(t.State) + " <"
	}
	return string(t.State)
}

// MinutesText writes ticks of 10 ms as minutes and seconds, cut.
func MinutesText(ticks int64) string { return fmt.Sprintf("%d:%02d", ticks/6000, ticks/100%60) }

func tenths(n int64) string { return fmt.Sprintf("%d.%d", n/10, n%10) }

// LinuxUptime is what uptime prints on Linux, and the first line of top: minutes
// are cut. boot is the minute of the day at which the run began, up how long the
// machine was up by then.
func LinuxUptime(now clock.Time, boot int, up clock.Duration, users int, load [3]string) string {
	minutes := (int64(up) + int64(now)) / int64(clock.Minute)
	var s strings.Builder
	fmt.Fprintf(&s, "%8s  up ", DayTime(now, boot))
	if days := minutes / (24 * 60); days > 0 {
		fmt.Fprintf(&s, "%d day%s, ", days, plural(days))
	}
	if hours := minutes / 60 % 24; hours > 0 {
		fmt.Fprintf(&s, "%2d:%02d, ", hours, minutes%60)
	} else {
		fmt.Fprintf(&s, "%d min, ", minutes%60)
	}
	fmt.Fprintf(&s, "%2d user%s,  load average: %s, %s, %s", users, plural(int64(users)), load[0], load[1], load[2])
	return s.String()
}

// DayTime is the time of the day on a clock of twelve hours: 10:57am.
func DayTime(now clock.Time, boot int) string {
	day := (int64(boot)*int64(clock.Minute) + int64(now)) / int64(clock.Minute) % (24 * 60)
	half, h := "am", day/60%12
	if day >= 12*60 {
		half = "pm"
	}
	if h == 0 {
		h = 12
	}
	return fmt.Sprintf("%d:%02d%s", h, day%60, half)
}

func plural(n int64) string {
	if n == 1 {
		return ""
	}
	return "s"
}
