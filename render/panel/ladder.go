package panel

import (
	"fmt"
	"strconv"
	"strings"

	"strandscope/render/act"
	"strandscope/render/geom"
	"strandscope/render/plot"
	"strandscope/render/scene"
	"strandscope/render/theme"
	"strandscope/sim"
	"strandscope/sim/sched"
)

// Ladder shows at which of Solaris' global priorities threads run and wait, now. It
// is there for Solaris only: no other kernel has that scale.
type Ladder struct{ plotted }

// levels are the global priorities, 0 to 169.
const levels = 170

// rungs are the parts of the scale: the time-sharing classes, the system's own
// threads, real time, and interrupts.
var rungs = []struct {
	from  int
	names []string // long to short
}{
	{0, []string{"TS IA FSS FX", "TS …"}}, {60, []string{"SYS"}}, {100, []string{"RT"}}, {160, []string{"intr"}}, {levels, nil},
}

// ID implements Panel.
func (Ladder) ID() string { return "ladder" }

// Title implements Panel.
func (Ladder) Title() string { return "Priorities" }

// PointAt implements Pointed: there is no moment to point at.
func (Ladder) PointAt(geom.Point, *sim.Frame, *act.View, geom.Rect) act.Pointing {
	return act.Pointing{}
}

// Height implements Panel.
func (p Ladder) Height(f *sim.Frame, s theme.Scale, width, most int) int {
	if !hasLadder(f) {
		return 0
	}
	return p.plotted.Height(f, s, width, most)
}

func hasLadder(f *sim.Frame) bool {
	if k := f.Scenario.Kernel; k != "" && !strings.HasPrefix(k, "solaris") {
		return false
	}
	for i := range f.Threads {
		if f.Threads[i].Priority >= 0 {
			return true
		}
	}
	return f.Scenario.Kernel != ""
}

// standing counts the threads at each priority that run and that wait.
type standing struct{ running, waiting [levels]int }

func (n *standing) most() (most int) {
	for i := range levels {
		most = max(most, n.running[i]+n.waiting[i])
	}
	return most
}

func standingOf(f *sim.Frame) (n standing) {
	for i := range f.Threads {
		t := &f.Threads[i]
		if t.Priority < 0 {
			continue
		}
		switch at := min(t.Priority, levels-1); t.State {
		case sched.Running:
			n.running[at]++
		case sched.Waiting:
			n.waiting[at]++
		case sched.Embryo, sched.Sleeping, sched.Gone:
		}
	}
	return n
}

// span is the lowest and the highest level with a count, −1 if there is none.
func span(count *[levels]int) (low, high int) {
	low, high = -1, -1
	for i, n := range count {
		if n > 0 && low < 0 {
			low = i
		}
		if n > 0 {
			high = i
		}
	}
	return low, high
}

// Draw implements Panel.
func (Ladder) Draw(l *scene.List, f *sim.Frame, v *act.View, r geom.Rect) {
	if !hasLadder(f) {
		return
	}
	d := newPen(l, f, v)
	n := standingOf(f)
	card := d.heading(r, []string{"Priorities 0–169, now", "Priorities"}, ladderValue(f, v, &n)...)
	d.card(card, 8)
	area := card.Trim(d.s.Px(32), d.s.Px(10), d.s.Px(20), d.s.Px(10))
	if area.W < levels || area.H < d.s.Px(8) {
		return
	}
	run := scene.Box{Fill: d.p.Accent}
	wait := scene.Box{Fill: d.p.Panel, Border: d.p.RT, Width: d.s.Px(1)}
	d.ladderKey(card, run, wait)
	d.rungs(card, area)
	most := max(1, n.most())
	w := max(d.s.Px(4), area.W/levels)
	for level := range levels {
		x := min(area.X+level*area.W/levels, area.Right()-w)
		high := func(count int) int {
			if count == 0 {
				return 0
			}
			return max(d.s.Px(2), count*area.H/most)
		}
		bar, rest := geom.Rect{X: x, Y: area.Y, W: w, H: area.H}.CutBottom(min(area.H, high(n.running[level])))
		d.Rect(bar, run)
		bar, _ = rest.CutBottom(min(rest.H, high(n.waiting[level])))
		d.Rect(bar, wait)
	}
	if t := selectedThread(f, v); t != nil && t.Priority >= 0 {
		x := area.X + min(t.Priority, levels-1)*area.W/levels
		d.Fill(geom.Rect{X: x, Y: area.Y, W: d.s.Px(1), H: area.H}, d.p.Ink)
		d.Rect(geom.Rect{X: x - d.s.Px(3), Y: area.Y, W: d.s.Px(7), H: d.s.Px(7)}.Intersect(area), scene.Box{Fill: d.p.Ink, Radius: d.s.Px(3)})
	}
}

// rungs draws the scale and its parts.
func (d *pen) rungs(card, area geom.Rect) {
	st := scene.Style{Font: d.fonts.Tick, Color: d.p.Dim}
	d.Fill(geom.Rect{X: area.X, Y: area.Bottom(), W: area.W, H: d.s.Px(1)}, d.p.Line)
	for i, rung := range rungs[:len(rungs)-1] {
		x, end := area.X+rung.from*area.W/levels, area.X+rungs[i+1].from*area.W/levels
		d.Fill(geom.Rect{X: x, Y: area.Y - d.s.Px(12), W: d.s.Px(1), H: area.H + d.s.Px(12)}, d.p.Grid)
		for _, name := range rung.names {
			if d.Width(st.Font, name) <= end-x-d.s.Px(3) {
				d.Text(st, x+d.s.Px(3), area.Y-d.s.Px(3), name)
				break
			}
		}
		var buf [8]byte
		text := strconv.AppendInt(buf[:0], int64(rung.from), 10)
		if w := scene.Width(d.Metrics(), st.Font, text); x+w <= card.Right() {
			d.TextBytes(st, x, area.Bottom()+d.s.Px(14), text)
		}
	}
}

// ladderKey says what the two kinds of bars are.
func (d *pen) ladderKey(card geom.Rect, run, wait scene.Box) {
	strip := geom.Rect{X: card.X, Y: card.Y + d.s.Px(3), W: card.W, H: d.s.Px(15)}.Trim(0, d.s.Px(10), 0, d.s.Px(10))
	st := scene.Style{Font: d.fonts.Legend, Color: d.p.Dim}
	x := plot.Legend(d.List, strip, st, plot.Key{Label: "running", Stroke: scene.Stroke{Color: run.Fill}, Area: true})
	label := "waiting"
	size := d.s.Px(8)
	if x -= d.Width(st.Font, label) + d.s.Px(2); x-size-d.s.Px(4) < strip.X {
		return
	}
	base := strip.Y + (strip.H+int(st.Font.Size)*7/10/scene.Unit)/2
	d.Text(st, x, base, label)
	d.Rect(geom.Rect{X: x - size - d.s.Px(4), Y: base - size, W: size, H: size}, wait)
}

func selectedThread(f *sim.Frame, v *act.View) *sim.Thread {
	switch sel := v.Selected; sel.Kind {
	case act.NoSelection:
	case act.ThreadSelection:
		return thread(f, sel.Thread)
	case act.StrandSelection:
		if sel.CPU >= 0 && sel.CPU < len(f.CPUs) {
			return thread(f, f.CPUs[sel.CPU].Thread)
		}
	}
	return nil
}

func ladderValue(f *sim.Frame, v *act.View, n *standing) []value {
	if t := selectedThread(f, v); t != nil && t.Priority >= 0 {
		at := strconv.Itoa(t.Priority)
		return []value{{text: fmt.Sprintf("%s %d at %s", t.Name, t.PID, at)}, {text: at}}
	}
	if _, high := span(&n.waiting); high >= 0 {
		return []value{{text: fmt.Sprintf("waiting up to %d", high)}, {text: strconv.Itoa(high)}}
	}
	return []value{{text: "nothing waits"}}
}

// Describe implements Panel.
func (Ladder) Describe(f *sim.Frame, _ *act.View) string {
	if !hasLadder(f) {
		return ""
	}
	n := standingOf(f)
	said := ""
	for _, part := range []struct {
		verb  string
		count *[levels]int
	}{{"run", &n.running}, {"wait", &n.waiting}} {
		low, high := span(part.count)
		if low < 0 {
			continue
		}
		if said != "" {
			said += ", "
		}
		if said += "threads " + part.verb + " at " + strconv.Itoa(low); high > low {
			said += " to " + strconv.Itoa(high)
		}
	}
	if said == "" {
		return "Priorities: no thread runs or waits."
	}
	return "Of the priorities 0 to 169, " + said + "."
}
