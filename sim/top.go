package sim

import (
	"fmt"
	"math"
	"strings"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
)

// Top is procps top of 1999 on frames.
type Top struct {
	stats.Top
	tasks []stats.TopTask
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

// topLooks lets top look if it is time.
func (s *Session) topLooks() {
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
		top := Top{Top: stats.TopSince(w.at.Add(-TopEvery), w.before)}
		w.lines, w.fresh = top.head(&then, topLines), true
	}
	f.Top, f.TopSpan = w.lines, TopEvery
}

// Lines writes one frame. The first frame of a Top covers the run so far.
func (p *Top) Lines(f *Frame) []string { return p.head(f, math.MaxInt) }

// head is Lines cut after so many lines.
func (p *Top) head(f *Frame, most int) []string {
	p.tasks = p.tasks[:0]
	for i := range f.Threads {
		t := &f.Threads[i]
		if !t.Kernel && t.State != sched.Gone && t.State != sched.Embryo {
			p.tasks = append(p.tasks, stats.TopTask{
				ID: t.ID, PID: t.PID, Name: t.Name, State: letter(t), Priority: t.Priority, Nice: t.Nice, Ticks: t.Ticks,
			})
		}
	}
	return p.Look(f.Now, uptimeLinux(f), p.tasks).Lines(most, func(text string) string { return text })
}

// PS is `ps ax` on a frame, by process id.
func PS(f *Frame) []string {
	lines := []string{"  PID TTY STAT  TIME COMMAND"}
	for i := range f.Threads {
		t := &f.Threads[i]
		if !t.Kernel && t.State != sched.Gone && t.State != sched.Embryo {
			lines = append(lines, fmt.Sprintf("%5d ?   %-4s %5s %s", t.PID, stat(t), stats.MinutesText(t.Ticks), t.Name))
		}
	}
	return lines
}

// letter is the state as the kernel writes it.
func letter(t *Thread) byte {
	if t.State == sched.Sleeping {
		return 'S'
	}
	return 'R'
}

// stat is the state as ps writes it.
func stat(t *Thread) string {
	s := string(letter(t))
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

// uptimeLinux is the first line of top and what uptime prints.
func uptimeLinux(f *Frame) string {
	b := f.Scenario.Boot
	return stats.LinuxUptime(f.Now, b.Clock, b.Up, b.Users, f.Load.Text)
}
