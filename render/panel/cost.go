package panel

import (
	"fmt"
	"math"
	"strconv"

	"strandscope/render/act"
	"strandscope/render/geom"
	"strandscope/render/plot"
	"strandscope/render/scene"
	"strandscope/render/theme"
	"strandscope/sim"
	"strandscope/sim/clock"
)

// Cost shows what scheduling costs against the number of threads: each point is
// a run of its own. It is there where the scenario asks for such a curve.
type Cost struct{ plotted }

// ID implements Panel.
func (Cost) ID() string { return "cost" }

// Title implements Panel.
func (Cost) Title() string { return "Scheduling cost" }

// Height implements Panel.
func (c Cost) Height(f *sim.Frame, s theme.Scale, width, most int) int {
	if f.Curve == nil {
		return 0
	}
	if most > 0 {
		return c.plotted.Height(f, s, width, most)
	}
	return s.Px(headingHeight + costHeight)
}

// costHeight is the height of the card in CSS pixels.
const costHeight = 140

// Draw implements Panel.
func (Cost) Draw(l *scene.List, f *sim.Frame, v *act.View, r geom.Rect) {
	d := newPen(l, f, v)
	if f.Curve == nil {
		return
	}
	card := d.heading(r, []string{"Cost by number of " + f.Curve.Task, "Cost"}, costValue(f))
	d.card(card, 8)
	dim := scene.Style{Font: d.fonts.Legend, Color: d.p.Dim}
	strip := geom.Rect{X: card.X, Y: card.Y + d.s.Px(3), W: card.W, H: d.s.Px(15)}.Trim(0, d.s.Px(10), 0, d.s.Px(10))
	scan := scene.Stroke{Color: d.p.RT, Width: d.s.Sub(18)}
	again := scene.Stroke{Color: d.p.FSS, Width: d.s.Sub(18)}
	plot.Legend(l, strip, dim, plot.Key{Label: "evaluations a second", Stroke: scan}, plot.Key{Label: "recalculated tasks", Stroke: again})
	area := card.Trim(d.s.Px(24), d.s.Px(24), d.s.Px(22), d.s.Px(56))
	if area.W < d.s.Px(60) || area.H < d.s.Px(24) || len(f.CurvePoints) == 0 {
		return
	}
	c := costChart{pen: d, area: area}
	c.x = decades(int64(f.Curve.Instances[0]), int64(f.Curve.Instances[len(f.Curve.Instances)-1]))
	lo, hi := int64(math.MaxInt64), int64(1)
	for _, p := range f.CurvePoints {
		_, evals, recalculated := p.PerSecond()
		lo, hi = min(lo, evals/1000, recalculated/1000), max(hi, evals/1000, recalculated/1000)
	}
	c.y = decades(max(1, lo), hi)
	c.y.whole()
	c.grid()
	c.line(scan, func(p sim.CurvePoint) int64 { _, n, _ := p.PerSecond(); return n })
	c.line(again, func(p sim.CurvePoint) int64 { _, _, n := p.PerSecond(); return n })
}

func costValue(f *sim.Frame) value {
	if len(f.CurvePoints) < len(f.Curve.Instances) {
		return value{text: fmt.Sprintf("%d of %d runs", len(f.CurvePoints), len(f.Curve.Instances))}
	}
	p := f.CurvePoints[len(f.CurvePoints)-1]
	return value{text: fmt.Sprintf("%d: %s of a CPU", p.Instances, share(p))}
}

// share is a point's cost as a share of one CPU (model).
func share(p sim.CurvePoint) string {
	n := int64(p.Work.Cost) * 10_000 / (int64(p.Seconds) * int64(clock.Second))
	return fmt.Sprintf("%d.%02d %%", n/100, n%100)
}

// logScale is a logarithmic axis: powers of ten.
type logScale struct{ from, to float64 }

func decades(lo, hi int64) logScale {
	return logScale{math.Log10(float64(max(1, lo))), math.Log10(float64(max(2, hi)))}
}

// whole widens the axis to whole decades.
func (s *logScale) whole() { s.from, s.to = math.Floor(s.from), math.Ceil(s.to) }

// at is the place of a value, in thousandths, on an axis of a length.
func (s logScale) at(thousandths int64, length int) int {
	v := math.Log10(float64(max(1, thousandths)) / 1000)
	return int(math.Round((v - s.from) / max(0.1, s.to-s.from) * float64(length)))
}

type costChart struct {
	*pen
	area geom.Rect
	x, y logScale
}

func (c *costChart) grid() {
	label := scene.Style{Font: c.fonts.Tick, Color: c.p.Dim, Align: scene.Right}
	for e := int(c.y.from); e <= int(c.y.to); e++ {
		n := int64(math.Pow10(e))
		y := c.area.Bottom() - c.y.at(1000*n, c.area.H)
		c.Fill(geom.Rect{X: c.area.X, Y: y, W: c.area.W, H: c.s.Px(1)}, c.p.Grid)
		c.Text(label, c.area.X-c.s.Px(6), y+c.s.Px(3), grouped(n))
	}
	label.Align = scene.Center
	next := math.MinInt
	for _, n := range c.f.Curve.Instances {
		x := c.area.X + c.x.at(1000*int64(n), c.area.W)
		text := grouped(int64(n))
		if w := c.Width(label.Font, text); x-w/2 > next {
			c.Text(label, x, c.area.Bottom()+c.s.Px(14), text)
			next = x + w/2 + c.s.Px(6)
		}
	}
}

func (c *costChart) line(st scene.Stroke, of func(sim.CurvePoint) int64) {
	points := make([]geom.Point, 0, len(c.f.CurvePoints))
	dot := c.s.Px(5)
	for _, p := range c.f.CurvePoints {
		x := c.area.X + c.x.at(1000*int64(p.Instances), c.area.W)
		y := c.area.Bottom() - c.y.at(of(p), c.area.H)
		points = append(points, geom.Point{X: x * scene.Sub, Y: y * scene.Sub})
		c.Rect(geom.Rect{X: x - dot/2, Y: y - dot/2, W: dot, H: dot}, scene.Box{Fill: st.Color, Radius: dot / 2})
	}
	if len(points) > 1 {
		c.Line(st, points...)
	}
}

// grouped writes a number with a comma before each three digits.
func grouped(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Describe implements Panel.
func (Cost) Describe(f *sim.Frame, _ *act.View) string {
	if f.Curve == nil || len(f.CurvePoints) < len(f.Curve.Instances) {
		return ""
	}
	first, last := f.CurvePoints[0], f.CurvePoints[len(f.CurvePoints)-1]
	_, evals0, again0 := first.PerSecond()
	_, evals1, again1 := last.PerSecond()
	return fmt.Sprintf("From %d to %d of %s the evaluations grow from %s to %s a second; the recalculated tasks stay at %d and %d.",
		first.Instances, last.Instances, f.Curve.Task, grouped(evals0/1000), grouped(evals1/1000), again0/1000, again1/1000)
}
