package panel

import (
	"fmt"
	"strconv"

	"strandscope/render/act"
	"strandscope/render/geom"
	"strandscope/render/plot"
	"strandscope/render/scene"
	"strandscope/render/theme"
	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/stats"
)

// plotted is what the panels with figures over time have in common. They can be
// pointed at, but take no other input.
type plotted struct{}

// Column implements Panel.
func (plotted) Column() Column { return Side }

// MinSize implements Panel.
func (plotted) MinSize() geom.Size { return geom.Size{W: 220, H: headingHeight + 84} }

// The heights of a plot's card in CSS pixels: what it would like, and the most
// it makes use of.
const (
	plotHeight  = 122
	plotLower   = 98 // where there are more than three
	plotTallest = 260
)

// Height implements Panel.
func (plotted) Height(f *sim.Frame, s theme.Scale, _, most int) int {
	if most > 0 {
		return min(most, s.Px(headingHeight+plotTallest))
	}
	if len(f.Probes) > 0 || f.Curve != nil || hasLadder(f) {
		return s.Px(headingHeight + plotLower)
	}
	return s.Px(headingHeight + plotHeight)
}

// Handle implements Panel.
func (plotted) Handle(Input, *sim.Frame, *act.View, geom.Rect) act.Command { return nil }

// leastSpan is the shortest time that a plot of a whole run shows, so that a
// run just begun does not fill it.
const leastSpan = clock.Minute

// chartIn is the area of the curves on a card.
func chartIn(s theme.Scale, card geom.Rect) geom.Rect {
	return card.Trim(s.Px(24), s.Px(10), s.Px(20), s.Px(34))
}

// PointAt implements Pointed: a moment of the time that plots show.
func (plotted) PointAt(at geom.Point, f *sim.Frame, v *act.View, r geom.Rect) act.Pointing {
	s := theme.ScaleOf(v.ScalePermille)
	area := chartIn(s, r)
	if at.X < area.X || at.X >= area.Right() || at.Y < r.Y+s.Px(headingHeight) {
		return act.Pointing{}
	}
	from, to := v.ShownInPlots(f.Now, leastSpan)
	t := geom.TimeScale{From: from, To: to, X: area.X, W: area.W}.Time(at.X)
	return act.Pointing{On: t <= v.Until(f.Now), Plot: true, At: t}
}

// paper is a card with a legend's strip, room for labels, and a chart.
type paper struct {
	*pen
	axes  plot.Axes
	chart plot.Chart
	strip geom.Rect
}

// paper draws the card and lays out the chart inside. With topFixed 0 the axis
// reaches above the greatest sample of the series in sight.
func (d *pen) paper(r geom.Rect, unit string, topFixed int64, all ...*stats.Series) (paper, bool) {
	d.card(r, 8)
	return d.paperOn(r, unit, topFixed, all...)
}

// paperOn is paper on a card that is there already.
func (d *pen) paperOn(r geom.Rect, unit string, topFixed int64, all ...*stats.Series) (p paper, ok bool) {
	s := d.s
	p.pen = d
	gap := s.Px(4)
	p.strip = geom.Rect{X: r.X, Y: r.Y + s.Px(3), W: r.W, H: s.Px(15)}.Trim(0, s.Px(10), 0, s.Px(10))
	area := chartIn(s, r)
	if area.W < s.Px(60) || area.H < s.Px(16) {
		return p, false
	}
	p.axes = plot.Axes{
		Values: plot.Number{Unit: unit}, Time: plot.Clock{}, Grid: d.p.Grid, Line: s.Px(1), Gap: gap, Card: r,
		Label: scene.Style{Font: d.fonts.Tick, Color: d.p.Dim},
	}
	from, to := d.v.ShownInPlots(d.f.Now, leastSpan)
	p.chart = plot.Over(area, d.v.Until(d.f.Now), from, to, 1)
	if counted := d.v.Plots.Last > 0 || d.v.Plots.Same && d.v.Timeline.Kind == act.Latest; counted && !d.v.Frozen && to == d.f.Now {
		p.axes.Time = plot.Clock{Before: d.f.Now}
	}
	top := topFixed
	for _, series := range all {
		top = max(top, p.chart.Greatest(series))
	}
	if topFixed == 0 {
		top = p.axes.Round(top, area.H)
	}
	p.chart.Top = top
	p.axes.Draw(d.List, &p.chart)
	return p, true
}

// curve is a series and what a reading of it is called.
type curve struct {
	name string
	*stats.Series
}

// readout draws a line at the moment that is pointed at, in this plot or
// another, and the figures there.
func (p *paper) readout(all ...*curve) {
	c := &p.chart
	at := p.v.Pointing
	if !at.On || !at.Plot || at.At < c.Time.From || at.At > min(c.Time.To, c.Now) {
		return
	}
	x := max(c.Area.X, min(c.Time.Pixel(at.At, 1), c.Area.Right()-p.s.Px(1)))
	p.Fill(geom.Rect{X: x, Y: c.Area.Y, W: p.s.Px(1), H: c.Area.H}, p.p.Ink)
	lines := []string{moment(at.At, max(1, int64(c.Time.To-c.Time.From)/500))}
	for _, s := range all {
		if s.Len() > 0 {
			lines = append(lines, s.name+" "+s.reading(at.At))
		}
	}
	st := scene.Style{Font: p.fonts.Legend, Color: p.p.Ink}
	step, pad, w := p.s.Px(13), p.s.Px(5), 0
	for _, text := range lines {
		w = max(w, p.Width(st.Font, text))
	}
	box := geom.Rect{Y: c.Area.Y + p.s.Px(2), W: w + 2*pad, H: min(len(lines)*step+pad, p.axes.Card.Bottom()-c.Area.Y-p.s.Px(4))}
	if box.X = x + p.s.Px(6); box.Right() > c.Area.Right() {
		box.X = x - p.s.Px(6) - box.W
	}
	if box.X < p.axes.Card.X {
		return
	}
	p.Rect(box, scene.Box{Fill: p.p.Raise, Border: p.p.Dim, Width: p.s.Px(1), Radius: p.s.Px(4)})
	for i, text := range lines {
		if base := box.Y + (i+1)*step - p.s.Px(2); base < box.Bottom() {
			p.Text(st, box.X+pad, base, text)
		}
	}
}

// reading writes the value at a time and, where its bucket has more than one,
// the least and the greatest.
func (c *curve) reading(at clock.Time) string {
	i := c.Of(at)
	text := c.figure(c.Last[i]) + c.Unit
	if c.Min[i] != c.Max[i] {
		text += " (" + c.figure(c.Min[i]) + "–" + c.figure(c.Max[i]) + ")"
	}
	return text
}

func (c *curve) figure(v int32) string {
	if c.Scale == 1 {
		return strconv.Itoa(int(v))
	}
	n := (int64(v)*100 + int64(c.Scale)/2) / int64(c.Scale)
	return fmt.Sprintf("%d.%02d", n/100, n%100)
}
