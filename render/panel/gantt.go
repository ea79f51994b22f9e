package panel

import (
	"fmt"
	"strings"

	"strandscope/render/act"
	"strandscope/render/geom"
	"strandscope/render/scene"
	"strandscope/render/theme"
	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
)

// Gantt is the chart that textbooks draw of a job list: a row of bars for each CPU,
// the times at which bars end below them, and the order as a string of letters. A
// list too long for the room shows its newest part.
type Gantt struct{}

// Measures in CSS pixels.
const (
	ganttBar    = 34 // height of a row of bars
	ganttTimes  = 18 // below it
	ganttRows   = 8  // CPUs that get a row
	ganttUnit   = 9  // least width of a unit
	ganttOrder  = 20 // the string
	ganttMargin = 14 // of the card, left and right
	ganttLabel  = 38 // for the CPU's name, if there are several
)

// ID implements Panel.
func (Gantt) ID() string { return "gantt" }

// Title implements Panel.
func (Gantt) Title() string { return "Gantt chart" }

// Column implements Panel.
func (Gantt) Column() Column { return Main }

// MinSize implements Panel.
func (Gantt) MinSize() geom.Size {
	return geom.Size{W: 280, H: headingHeight + ganttBar + ganttTimes + ganttOrder}
}

// Height implements Panel: there is a chart where there is a job list.
func (Gantt) Height(f *sim.Frame, s theme.Scale, _, _ int) int {
	if f.Book == nil {
		return 0
	}
	rows := min(len(f.CPUs), ganttRows)
	return s.Px(headingHeight + 22 + rows*(ganttBar+ganttTimes) + ganttOrder*len(ganttStrings(f.Book)))
}

// ganttStrings are the orders that are written out: those in letters.
func ganttStrings(b *sim.Book) []string {
	if len(b.Order) > ganttRows || len(b.Order) > 0 && strings.Contains(b.Order[0], "–") {
		return nil
	}
	return b.Order
}

// chart is the part of the run that is drawn, and where.
type chart struct {
	area     geom.Rect // of the first row's bars
	from, to clock.Time
	unit     clock.Duration
}

func layChart(f *sim.Frame, s theme.Scale, card geom.Rect) chart {
	left := s.Px(ganttMargin)
	if len(f.CPUs) > 1 {
		left += s.Px(ganttLabel)
	}
	c := chart{area: card.Trim(s.Px(12), s.Px(ganttMargin), 0, left), to: f.Book.End, unit: f.Book.Unit}
	c.area.H = s.Px(ganttBar)
	c.to = max(c.to, clock.Time(c.unit))
	if fits := clock.Duration(max(1, c.area.W/s.Px(ganttUnit))) * c.unit; clock.Duration(c.to) > fits {
		end := min(c.to, max(clock.Time(fits), clock.Time((clock.Duration(f.Now)+c.unit-1)/c.unit*c.unit)))
		c.from, c.to = end.Add(-fits), end
	}
	return c
}

// x is where a moment is in the chart.
func (c *chart) x(t clock.Time) int {
	t = min(max(t, c.from), c.to)
	return c.area.X + int(int64(t.Sub(c.from))*int64(c.area.W)/int64(c.to.Sub(c.from)))
}

// Draw implements Panel.
func (Gantt) Draw(l *scene.List, f *sim.Frame, v *act.View, r geom.Rect) {
	if f.Book == nil {
		return
	}
	d := newPen(l, f, v)
	card := d.heading(r, []string{"Gantt chart", "Gantt"}, ganttValues(f.Book)...)
	d.card(card, 8)
	c := layChart(f, d.s, card)
	if c.area.W < d.s.Px(40) || card.H < d.s.Px(ganttBar) {
		return
	}
	row := c.area
	for cpu := 0; cpu < min(len(f.CPUs), ganttRows) && row.Bottom() <= card.Bottom(); cpu++ {
		if len(f.CPUs) > 1 {
			st := scene.Style{Font: d.fonts.Tick, Color: d.p.Dim}
			d.Text(st, card.X+d.s.Px(10), row.Y+d.s.Px(ganttBar/2+4), fmt.Sprintf("cpu%d", cpu))
		}
		d.bars(&c, row, cpu)
		row.Y += d.s.Px(ganttBar + ganttTimes)
	}
	y := row.Y + d.s.Px(14)
	for _, order := range ganttStrings(f.Book) {
		if y > card.Bottom()-d.s.Px(4) {
			break
		}
		d.Text(scene.Style{Font: d.fonts.Thread, Color: d.p.Ink}, c.area.X, y, d.fit(d.fonts.Thread, order, c.area.W))
		y += d.s.Px(ganttOrder)
	}
}

// bars draws the row of a CPU: its ground for the time gone by, its bars, and the
// times at which they end.
func (d *pen) bars(c *chart, row geom.Rect, cpu int) {
	gone := row
	gone.W = c.x(d.f.Now) - row.X
	d.Rect(row, scene.Box{Fill: d.p.Raise, Border: d.p.Line, Width: d.s.Px(1)})
	d.Rect(gone, scene.Box{Fill: d.p.Idle})
	free := row.X - d.s.Px(20) // from where on there is room for a figure
	free = d.ganttTime(c, row, c.from, free)
	for i := range d.f.Book.Runs {
		run := &d.f.Book.Runs[i]
		if run.CPU != cpu || run.To <= c.from || run.From >= c.to {
			continue
		}
		bar := row
		bar.X = c.x(run.From)
		bar.W = max(1, c.x(run.To)-bar.X)
		d.bar(bar, run)
		if run.From > c.from {
			free = d.ganttTime(c, row, run.From, free)
		}
		if run.To < d.f.Now || run.To == c.to || d.f.Book.Means.Unfinished == 0 {
			free = d.ganttTime(c, row, run.To, free)
		}
	}
	if now := d.f.Now; now < c.to && now > c.from {
		d.Fill(geom.Rect{X: c.x(now), Y: row.Y - d.s.Px(3), W: d.s.Px(1), H: row.H + d.s.Px(6)}, d.p.Ink)
	}
}

// bar draws a stretch of a job with its name.
func (d *pen) bar(r geom.Rect, run *stats.Run) {
	edge := d.p.Panel
	if r.W < d.s.Px(6) {
		edge = scene.Color{}
	}
	d.Rect(r, scene.Box{Fill: d.p.Thread(run.Thread), Border: edge, Width: d.s.Px(1)})
	d.outline(r, d.markOf(-1, int32(run.Thread)), 0)
	if t := thread(d.f, run.Thread); t != nil {
		st := scene.Style{Font: d.fonts.Thread, Color: d.p.Cell, Align: scene.Center}
		d.fitText(st, r.X+r.W/2, r.Y+r.H/2+d.s.Px(4), r.W-d.s.Px(2), []byte(t.Name))
	}
}

// ganttTime writes a time below a row where there is room from free on, and
// returns where there is room then.
func (d *pen) ganttTime(c *chart, row geom.Rect, t clock.Time, free int) int {
	text := sim.InUnits(clock.Duration(t), c.unit)
	st := scene.Style{Font: d.fonts.Tick, Color: d.p.Dim, Align: scene.Center}
	x, w := c.x(t), d.Width(st.Font, text)
	if x-w/2 < free {
		return free
	}
	d.Fill(geom.Rect{X: min(x, row.Right()-1), Y: row.Bottom(), W: d.s.Px(1), H: d.s.Px(3)}, d.p.Line)
	d.Text(st, x, row.Bottom()+d.s.Px(14), text)
	return x + (w+1)/2 + d.s.Px(3)
}

// ganttValues are the means over the jobs that have ended, from long to short.
func ganttValues(b *sim.Book) []value {
	m := &b.Means
	if m.Waiting.Den == 0 {
		return []value{{}}
	}
	long := fmt.Sprintf("means: wait %s  turnaround %s  response %s", m.Waiting, m.Turnaround, m.Response)
	return []value{{text: long}, {text: fmt.Sprintf("mean wait %s", m.Waiting)}, {}}
}

// Handle implements Panel: a click on a bar asks about its job.
func (Gantt) Handle(in Input, f *sim.Frame, v *act.View, r geom.Rect) act.Command {
	if f.Book == nil {
		return nil
	}
	s := theme.ScaleOf(v.ScalePermille)
	_, card := r.CutTop(s.Px(headingHeight))
	c := layChart(f, s, card)
	for i := range f.Book.Runs {
		run := &f.Book.Runs[i]
		y := c.area.Y + run.CPU*s.Px(ganttBar+ganttTimes)
		if run.CPU < ganttRows && in.At.Y >= y && in.At.Y < y+c.area.H && in.At.X >= c.x(run.From) && in.At.X < c.x(run.To) {
			return act.Select{Selection: act.Selection{Kind: act.ThreadSelection, CPU: sched.NoCPU, Thread: run.Thread}}
		}
	}
	return nil
}

// Describe implements Panel.
func (Gantt) Describe(f *sim.Frame, _ *act.View) string {
	if f.Book == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString("Gantt chart:")
	for i, run := range f.Book.Runs {
		if i == ganttSpoken {
			b.WriteString(", and so on")
			break
		}
		if i > 0 {
			b.WriteString(",")
		}
		name := "?"
		if t := thread(f, run.Thread); t != nil {
			name = t.Name
		}
		fmt.Fprintf(&b, " %s %s to %s", name, sim.InUnits(clock.Duration(run.From), f.Book.Unit), sim.InUnits(clock.Duration(run.To), f.Book.Unit))
		if len(f.CPUs) > 1 {
			fmt.Fprintf(&b, " on cpu%d", run.CPU)
		}
	}
	if len(f.Book.Runs) == 0 {
		b.WriteString(" nothing has run yet")
	}
	b.WriteString(".")
	if m := &f.Book.Means; m.Waiting.Den > 0 {
		fmt.Fprintf(&b, " Of the %d jobs that have ended the mean wait is %s, the mean turnaround %s.", len(f.Book.Rows)-m.Unfinished, m.Waiting, m.Turnaround)
	}
	return b.String()
}

// ganttSpoken is the most stretches that are told in words.
const ganttSpoken = 40

// Where implements Locator.
func (Gantt) Where(sel act.Selection, f *sim.Frame, v *act.View, r geom.Rect) geom.Rect {
	if f.Book == nil || sel.Kind != act.ThreadSelection {
		return geom.Rect{}
	}
	s := theme.ScaleOf(v.ScalePermille)
	_, card := r.CutTop(s.Px(headingHeight))
	c := layChart(f, s, card)
	for i := len(f.Book.Runs) - 1; i >= 0; i-- {
		if run := &f.Book.Runs[i]; run.Thread == sel.Thread && run.To > c.from && run.CPU < ganttRows {
			bar := c.area
			bar.X, bar.Y = c.x(run.From), c.area.Y+run.CPU*s.Px(ganttBar+ganttTimes)
			bar.W = max(1, c.x(run.To)-bar.X)
			return bar
		}
	}
	return geom.Rect{}
}
