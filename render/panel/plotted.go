package panel

import (
	"strandscope/render/act"
	"strandscope/render/geom"
	"strandscope/render/plot"
	"strandscope/render/scene"
	"strandscope/render/theme"
	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/stats"
)

// plotted is what the panels with figures over time have in common. They take
// no input.
type plotted struct{}

// Column implements Panel.
func (plotted) Column() Column { return Side }

// MinSize implements Panel.
func (plotted) MinSize() geom.Size { return geom.Size{W: 220, H: headingHeight + 84} }

// The heights of a plot's card in CSS pixels: what it would like, and the most
// it makes use of.
const (
	plotHeight  = 122
	plotLower   = 96 // beside the panels that only some scenarios have
	plotTallest = 260
)

// Height implements Panel.
func (plotted) Height(f *sim.Frame, s theme.Scale, _, most int) int {
	if most > 0 {
		return min(most, s.Px(headingHeight+plotTallest))
	}
	if len(f.Probes) > 0 || f.Curve != nil {
		return s.Px(headingHeight + plotLower)
	}
	return s.Px(headingHeight + plotHeight)
}

// Handle implements Panel.
func (plotted) Handle(Input, *sim.Frame, *act.View, geom.Rect) act.Command { return nil }

// leastSpan is the shortest time that a plot of a whole run shows, so that a
// run just begun does not fill it.
const leastSpan = clock.Minute

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
	area := r.Trim(s.Px(24), s.Px(10), s.Px(20), s.Px(34))
	if area.W < s.Px(60) || area.H < s.Px(16) {
		return p, false
	}
	p.axes = plot.Axes{
		Values: plot.Number{Unit: unit}, Time: plot.Clock{}, Grid: d.p.Grid, Line: s.Px(1), Gap: gap, Card: r,
		Label: scene.Style{Font: d.fonts.Tick, Color: d.p.Dim},
	}
	p.chart = plot.New(area, d.f.Now, d.v.PlotSpan, leastSpan, 1)
	if d.v.PlotSpan > 0 && d.f.Now >= clock.Time(d.v.PlotSpan) {
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
