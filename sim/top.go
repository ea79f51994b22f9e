package sim

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
)

// Top is procps top of 1999 on a frame (shared/reference/linux22/FACTS.md §14):
// CPU percentages come from the clock ticks charged since the frame before, PRI
// from the ticks that are left, and nothing is divided by the number of CPUs.
// Memory figures are decoration.
type Top struct {
	last   []int64 // ticks by thread at the frame before
	lastAt clock.Time
}

// TopEvery is the simulated time between two looks of a frame's top.
const TopEvery = 5 * clock.Second

// topLines is how much of top fits on a screen of 24 lines.
const topLines = 24

// topWatch is the top of a session's frames. It looks at fixed times, so that it
// shows the same whenever frames are taken. What it saw is put into lines when
// somebody asks.
type topWatch struct {
	before []int64   // ticks by thread at the look before
	seen   []topSeen // by thread
	at     clock.Time
	load   [3]string
	lines  []string
	fresh  bool // lines are of what was seen last
}

// topSeen is what top reads of a thread.
type topSeen struct {
	ticks     int64
	pri, nice int32
	state     sched.State
}

// lookBy is the time of the next look, if that is before t and the kernel has a
// top.
func (s *Session) lookBy(t clock.Time) clock.Time {
	if s.fields.ticks < 0 {
		return t
	}
	return min(t, s.top.at.Add(TopEvery))
}

// look lets top look if it is time.
func (s *Session) look() {
	w := &s.top
	if now := s.Now(); s.fields.ticks < 0 || now < w.at.Add(TopEvery) {
		return
	}
	w.at, w.fresh, w.before = s.Now(), false, w.before[:0]
	for _, x := range w.seen {
		w.before = append(w.before, x.ticks)
	}
	w.seen = w.seen[:0]
	prior, _ := s.pol.(sched.Prioritizer)
	for _, t := range s.eng.Threads() {
		s.fields.inspect.Values(t, s.fields.row)
		x := topSeen{ticks: int64(s.fields.get(s.fields.ticks)), nice: int32(s.fields.get(s.fields.nice)), state: t.State}
		if prior != nil {
			x.pri = int32(prior.Priority(t))
		}
		w.seen = append(w.seen, x)
	}
	w.load = s.loadText()
}

// fillTop writes what top saw last into a frame.
func (s *Session) fillTop(f *Frame) {
	w := &s.top
	if f.Top, f.TopSpan = nil, 0; w.at == 0 {
		return
	}
	if !w.fresh {
		then := Frame{Now: w.at, Scenario: s.info, Load: Load{Text: w.load}}
		for i, x := range w.seen {
			t := s.eng.Threads()[i]
			then.Threads = append(then.Threads, Thread{
				ID: t.ID, PID: t.PID, Name: t.Name, Kernel: t.Kernel,
				State: x.state, Priority: int(x.pri), Nice: int(x.nice), Ticks: x.ticks,
			})
		}
		top := Top{last: slices.Clone(w.before), lastAt: w.at.Add(-TopEvery)}
		w.lines, w.fresh = top.head(&then, topLines), true
	}
	f.Top, f.TopSpan = w.lines, TopEvery
}

// tenths of a percent, as top computes them: whole tenths, cut.
type topRow struct {
	t       *Thread
	percent int64
}

// Lines writes one frame. The first frame of a Top covers the run so far.
func (p *Top) Lines(f *Frame) []string { return p.head(f, math.MaxInt) }

// head is Lines cut after so many lines.
func (p *Top) head(f *Frame, most int) []string {
	var rows []topRow
	elapsed := max(int64(f.Now.Sub(p.lastAt)/clock.Millisecond), 1)
	var user, niced, all int64
	var running, sleeping int
	for i := range f.Threads {
		t := &f.Threads[i]
		if t.Kernel || t.State == sched.Gone || t.State == sched.Embryo {
			continue
		}
		delta := t.Ticks
		if i < len(p.last) {
			delta -= p.last[i]
		}
		// Ticks are 10 ms: tenths of a percent are ticks·10 a second.
		percent := min(delta*10*1000/elapsed, 999)
		rows = append(rows, topRow{t, percent})
		user += delta
		all += percent
		if t.Nice > 0 {
			niced += percent
		}
		if t.State == sched.Sleeping {
			sleeping++
		} else {
			running++
		}
	}
	p.remember(f)
	slices.SortStableFunc(rows, func(a, b topRow) int { return int(b.percent - a.percent) })
	lines := []string{
		uptimeLinux(f),
		fmt.Sprintf("%d processes: %d sleeping, %d running, 0 zombie, 0 stopped", len(rows), sleeping, running),
		fmt.Sprintf("CPU states: %s%% user, %s%% system, %s%% nice, %s%% idle",
			tenths(user*10*1000/elapsed), tenths(0), tenths(niced), tenths(max(0, 1000-all))),
		"Mem:  515636K av, 301564K used, 214072K free,  63356K shrd, 244364K buff",
		"Swap:  80320K av,      0K used,  80320K free                   7400K cached",
		"",
		"  PID USER     PRI  NI  SIZE  RSS SHARE STAT  LIB %CPU %MEM   TIME COMMAND",
	}
	for _, r := range rows[:min(len(rows), max(0, most-len(lines)))] {
		lines = append(lines, r.String())
	}
	return lines
}

func (p *Top) remember(f *Frame) {
	p.last = p.last[:0]
	for _, t := range f.Threads {
		p.last = append(p.last, t.Ticks)
	}
	p.lastAt = f.Now
}

// String is a row of top.
func (r topRow) String() string {
	t := r.t
	seconds := t.Ticks / 100
	return fmt.Sprintf("%5d %-8s %3d %3d %5d %4d %5d %-4s %4d %4s %4s %3d:%02d %s",
		t.PID, "root", t.Priority, t.Nice, 216, 216, 176, stat(t), 0, tenths(r.percent), "0.0", seconds/60, seconds%60, t.Name)
}

func tenths(n int64) string { return fmt.Sprintf("%d.%d", n/10, n%10) }

// PS is `ps ax` on a frame, by process id.
func PS(f *Frame) []string {
	lines := []string{"  PID TTY STAT  TIME COMMAND"}
	for i := range f.Threads {
		t := &f.Threads[i]
		if !t.Kernel && t.State != sched.Gone && t.State != sched.Embryo {
			seconds := t.Ticks / 100
			lines = append(lines, fmt.Sprintf("%5d ?   %-4s %2d:%02d %s", t.PID, stat(t), seconds/60, seconds%60, t.Name))
		}
	}
	return lines
}

// stat is the state as ps and top write it.
func stat(t *Thread) string {
	s := "R"
	if t.State == sched.Sleeping {
		s = "S"
	}
	switch {
	case t.Nice > 0:
		return s + " N"
	case t.Nice < 0:
		return s + " <"
	}
	return s
}

// Uptime is what uptime prints on the scenario's kernel.
func Uptime(f *Frame) string {
	if strings.HasPrefix(f.Scenario.Kernel, "linux") {
		return uptimeLinux(f)
	}
	b := f.Scenario.Boot
	return stats.Uptime(f.Now, b.Clock, b.Users, f.Load.Avg)
}

// uptimeLinux is the first line of top and what uptime prints: minutes are cut.
func uptimeLinux(f *Frame) string {
	b := f.Scenario.Boot
	up := (int64(b.Up) + int64(f.Now)) / int64(clock.Minute)
	day := (int64(b.Clock)*int64(clock.Minute) + int64(f.Now)) / int64(clock.Minute) % (24 * 60)
	half, h := "am", day/60%12
	if day >= 12*60 {
		half = "pm"
	}
	if h == 0 {
		h = 12
	}
	var s strings.Builder
	fmt.Fprintf(&s, "%3d:%02d%s  up ", h, day%60, half)
	if days := up / (24 * 60); days > 0 {
		fmt.Fprintf(&s, "%d day%s, ", days, plural(days))
	}
	if hours := up / 60 % 24; hours > 0 {
		fmt.Fprintf(&s, "%2d:%02d, ", hours, up%60)
	} else {
		fmt.Fprintf(&s, "%d min, ", up%60)
	}
	fmt.Fprintf(&s, "%2d user%s,  load average: %s, %s, %s", b.Users, plural(int64(b.Users)), f.Load.Text[0], f.Load.Text[1], f.Load.Text[2])
	return s.String()
}

func plural(n int64) string {
	if n == 1 {
		return ""
	}
	return "s"
}
