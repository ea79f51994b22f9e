package panel

import (
	"fmt"

	"strandscope/render/act"
	"strandscope/render/geom"
	"strandscope/render/plot"
	"strandscope/render/scene"
	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
)

// timeCursor draws the cursor and what it points at: a line through all rows, a
// frame around the stay, and words.
func (d *pen) timeCursor(t *timeView) {
	c := d.v.Cursored()
	p := d.f.Pointed
	w := &d.f.Timeline
	if !c.On || p == nil || p.At < w.From || p.At >= w.To {
		return
	}
	scale := t.time(w)
	x := max(t.area.X, min(scale.Pixel(p.At, 1), t.area.Right()-d.s.Px(1)))
	d.Fill(geom.Rect{X: x, Y: t.area.Y, W: d.s.Px(1), H: t.height()}, d.p.Ink)
	lane := t.of(p.CPU)
	if lane < 0 {
		return
	}
	row := t.row(t.area, lane)
	x0 := max(t.area.X, min(scale.Pixel(p.From, 1), t.area.Right()))
	x1 := max(x0, min(scale.Pixel(p.To, 1), t.area.Right()))
	stay := geom.Rect{X: x0, Y: row.Y, W: max(x1-x0, d.s.Px(3)), H: max(row.H, d.s.Px(3))}
	stay.X = min(stay.X, t.area.Right()-stay.W)
	d.Rect(stay.Intersect(t.card), scene.Box{Border: d.p.Ink, Width: d.s.Px(1)})
}

// TimeTooltip tells what the timeline's cursor points at, beside it and inside
// the picture.
func TimeTooltip(l *scene.List, f *sim.Frame, v *act.View, panel geom.Rect) {
	d := newPen(l, f, v)
	t := viewTime(f.Machine, d.s, panel)
	c, p, w := v.Cursored(), f.Pointed, &f.Timeline
	if !c.On || p == nil || t.n == 0 || p.At < w.From || p.At >= w.To {
		return
	}
	x := t.time(w).Pixel(p.At, 1)
	y := t.area.Y
	if lane := t.of(p.CPU); lane >= 0 {
		y = t.row(t.area, lane).Bottom()
	}
	d.box(geom.Point{X: x, Y: y}, pointedLines(f))
}

// box writes lines into a box near a point, inside the picture.
func (d *pen) box(at geom.Point, lines []string) {
	size, pad, step := d.Size(), d.s.Px(8), d.s.Px(16)
	w := 0
	for _, text := range lines {
		w = max(w, d.Width(d.fonts.Idle, text))
	}
	r := geom.Rect{W: min(w+2*pad, size.W), H: len(lines)*step + pad}
	r.X = max(0, min(at.X+d.s.Px(10), size.W-r.W))
	if r.Y = at.Y + d.s.Px(8); r.Bottom() > size.H {
		r.Y = max(0, at.Y-d.s.Px(8)-r.H)
	}
	d.Rect(r, scene.Box{Fill: d.p.Raise, Border: d.p.Dim, Width: d.s.Px(1), Radius: d.s.Px(6)})
	for i, text := range lines {
		color := d.p.Ink
		if i > 0 {
			color = d.p.Dim
		}
		text = d.fit(d.fonts.Idle, text, r.W-2*pad)
		d.Text(scene.Style{Font: d.fonts.Idle, Color: color}, r.X+pad, r.Y+(i+1)*step-d.s.Px(1), text)
	}
}

// fit cuts a text to a width.
func (d *pen) fit(font scene.Font, text string, w int) string {
	text = d.Say(text)
	if scene.Width(d.Metrics(), font, text) <= w {
		return text
	}
	runes := []rune(text)
	for n := len(runes) - 1; n > 0; n-- {
		if s := string(runes[:n]) + "…"; scene.Width(d.Metrics(), font, s) <= w {
			return s
		}
	}
	return ""
}

// pointedLines tell what is at the cursor: who and where; since when and for
// how long; why it came; why it left.
func pointedLines(f *sim.Frame) []string {
	p := f.Pointed
	step := max(1, int64(p.To-p.From)/1000)
	lines := []string{fmt.Sprintf("cpu%d: %s", p.CPU, pointedName(f))}
	when := fmt.Sprintf("from %s for %s", moment(p.From, step), length(p.To.Sub(p.From)))
	if p.Open {
		when = fmt.Sprintf("since %s, %s so far", moment(p.From, step), length(p.To.Sub(p.From)))
	}
	if !p.Known {
		return append(lines, when, fmt.Sprintf("busy %s %% of it", tenths(100*p.Sums.Busy(), max(1, p.To.Sub(p.From)))))
	}
	if p.Sums.System > 0 && p.Thread >= 0 {
		when += ", of it " + length(p.Sums.System) + " in the kernel"
	}
	if p.Sums.Beside > 0 {
		when += ", " + length(p.Sums.Beside) + " of it while threads waited"
	}
	lines = append(lines, when)
	if why := cameWords(p); why != "" {
		lines = append(lines, why)
	}
	if p.Pick != "" {
		lines = append(lines, p.Pick)
	}
	if left := leftWords(f, p); left != "" {
		lines = append(lines, left)
	}
	return lines
}

// pointedName names what ran, with class and priority.
func pointedName(f *sim.Frame) string {
	p := f.Pointed
	switch {
	case !p.Known && p.Sums.Busy() > 0:
		return "only sums are kept of then"
	case p.Thread == stats.OffLine:
		return "off-line"
	case p.Thread < 0:
		return "idle"
	}
	t := thread(f, p.Thread)
	if t == nil {
		return "a thread"
	}
	name := fmt.Sprintf("%s %d", t.Name, t.PID)
	if t.Class != "" {
		name += ", class " + t.Class
	}
	if p.Pri >= 0 {
		name += fmt.Sprintf(", priority %d", p.Pri)
	}
	return name
}

func cameWords(p *sim.Pointed) string {
	if p.Thread < 0 {
		return ""
	}
	switch p.Came {
	case sched.Forked:
		return "It came when it was started."
	case sched.Woken:
		return "It came after it woke."
	case sched.Preempted:
		return "It came from waiting: a CPU had been taken from it."
	case sched.Yielded:
		return "It came from waiting: it had given a CPU up by itself."
	case sched.GaveWay:
		return "It came from waiting: it had stepped aside for its child."
	case sched.Moved:
		return "It came from waiting: it had been moved here."
	case sched.NoCause, sched.Blocked, sched.Exited:
	}
	return ""
}

func leftWords(f *sim.Frame, p *sim.Pointed) string {
	if p.Thread < 0 || p.Open {
		return ""
	}
	next := ""
	if t := thread(f, p.Next); t != nil {
		next = fmt.Sprintf(" for %s %d", t.Name, t.PID)
	}
	switch p.Left {
	case sched.Preempted:
		return "It left because the CPU was taken from it" + next + "."
	case sched.Yielded:
		return "It left by itself" + next + "."
	case sched.GaveWay:
		return "It left to let its child run first."
	case sched.Moved:
		return "It left because it was moved elsewhere."
	case sched.Blocked:
		return "It left to sleep."
	case sched.Exited:
		return "It left because it ended."
	case sched.NoCause, sched.Forked, sched.Woken:
	}
	return ""
}

// cursorInWords tells a listener what the cursor points at.
func cursorInWords(f *sim.Frame, c sim.Cursor) string {
	p := f.Pointed
	if p == nil || p.CPU != c.CPU || p.At != c.At {
		return ""
	}
	text := ""
	for i, line := range pointedLines(f) {
		if i == 0 {
			text = fmt.Sprintf("Cursor at %s on %s", moment(c.At, 1), line)
			continue
		}
		if i == 1 {
			text += ", " + line + "."
			continue
		}
		text += " " + line
		if line[len(line)-1] != '.' {
			text += "."
		}
	}
	return text
}

// moment writes a point of time as finely as a step needs.
func moment(t clock.Time, step int64) string { return string(plot.Moment(nil, int64(t), step)) }

// length writes a duration in the unit that suits it, with three figures.
func length(d clock.Duration) string {
	switch {
	case d < clock.Microsecond:
		return fmt.Sprintf("%d ns", d)
	case d < clock.Millisecond:
		return threeFigures(d, clock.Microsecond) + " µs"
	case d < clock.Second:
		return threeFigures(d, clock.Millisecond) + " ms"
	case d < 10*clock.Minute:
		return threeFigures(d, clock.Second) + " s"
	case d < 10*clock.Hour:
		return threeFigures(d, clock.Minute) + " min"
	}
	return threeFigures(d, clock.Hour) + " h"
}

// threeFigures writes a quotient of at least 1 with at most two decimals, as
// many as three figures have, and without noughts at the end.
func threeFigures(d, unit clock.Duration) string {
	n := int64(d / unit)
	rest := int64(d%unit) * 100 / int64(unit)
	if n >= 10 {
		rest -= rest % 10
	}
	switch {
	case n >= 100 || rest == 0:
		return fmt.Sprint(n)
	case rest%10 == 0:
		return fmt.Sprintf("%d.%d", n, rest/10)
	}
	return fmt.Sprintf("%d.%02d", n, rest)
}
