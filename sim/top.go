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

// topWatch is the top of a session's frames. Frames are what it sees, so it may
// look a little later than it should.
type topWatch struct {
	Top
	lines []string
	span  clock.Duration
}

func (w *topWatch) snapshot(f *Frame, has bool) {
	if has && f.Now.Sub(w.At()) >= TopEvery {
		w.span = f.Now.Sub(w.At())
		w.lines = w.head(f, topLines)
	}
	f.Top, f.TopSpan = w.lines, w.span
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
