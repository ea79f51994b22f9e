package panel

import (
	"fmt"

	"strandscope/render/act"
	"strandscope/render/geom"
	"strandscope/render/plot"
	"strandscope/render/scene"
	"strandscope/sim"
	"strandscope/sim/stats"
)

// LoadAverage shows the three load averages over time, as the kernel's integers
// have them and, as thin lines, without rounding; behind them the number of
// runnable threads that they follow. Rings are what the scenario's source printed.
type LoadAverage struct{ plotted }

// ID implements Panel.
func (LoadAverage) ID() string { return "loadavg" }

// Title implements Panel.
func (LoadAverage) Title() string { return "Load average" }

// Draw implements Panel.
func (LoadAverage) Draw(l *scene.List, f *sim.Frame, v *act.View, r geom.Rect) {
	d := newPen(l, f, v)
	t := &f.Load.Text
	card := d.heading(r, []string{"Load average", "Load"}, value{text: t[0] + "  " + t[1] + "  " + t[2]}, value{text: t[0]})
	plots := &f.Plots
	series := append(make([]*stats.Series, 0, 8), &plots.Runnable, &plots.Load[0], &plots.Load[1], &plots.Load[2])
	if f.Beside != nil { // both sides of a comparison have one scale
		other := &f.Beside.Plots
		series = append(series, &other.Runnable, &other.Load[0], &other.Load[1], &other.Load[2])
	}
	p, ok := d.paper(card, "", 0, series...)
	if !ok {
		return
	}
	width := d.s.Sub(18)
	runnable := scene.Stroke{Color: d.p.Faint, Width: d.s.Sub(12)}
	// Dashes differ as well as hues: the curves can be told apart in grey.
	strokes := [3]scene.Stroke{
		{Color: d.p.TS, Width: width},
		{Color: d.p.FSS, Width: width, Dash: scene.Dashed, Unit: d.s.Px(6)},
		{Color: d.p.FX, Width: width, Dash: scene.Dotted, Unit: d.s.Px(2)},
	}
	p.chart.Line(l, &plots.Runnable, runnable, plot.Stepped)
	for i := range strokes {
		// The ideal first: the kernel's steps lie on top of it.
		ideal := scene.Stroke{Color: strokes[i].Color.Alpha(150), Width: d.s.Sub(8)}
		p.chart.Line(l, &plots.Ideal[i], ideal, plot.Sloped)
		p.chart.Line(l, &plots.Load[i], strokes[i], plot.Stepped)
	}
	p.printed(plots.Printed, &strokes)
	plot.Legend(l, p.strip, scene.Style{Font: d.fonts.Legend, Color: d.p.Dim},
		plot.Key{Label: "1 min", Stroke: strokes[0]},
		plot.Key{Label: "5 min", Stroke: strokes[1]},
		plot.Key{Label: "15 min", Stroke: strokes[2]},
		plot.Key{Label: "runnable", Stroke: runnable},
		plot.Key{Label: "thin: ideal", Stroke: scene.Stroke{Color: d.p.TS.Alpha(150), Width: d.s.Sub(8)}})
	p.readout(&curve{"1 min", &plots.Load[0]}, &curve{"ideal", &plots.Ideal[0]}, &curve{"5 min", &plots.Load[1]},
		&curve{"15 min", &plots.Load[2]}, &curve{"runnable", &plots.Runnable})
}

// Describe implements Panel. Load is a number of threads: per CPU it is still
// one, and never a share in percent.
func (LoadAverage) Describe(f *sim.Frame, _ *act.View) string {
	t := &f.Load.Text
	text := fmt.Sprintf("Load average %s, %s, %s", t[0], t[1], t[2])
	if n := int64(f.Totals.Strands); n > 0 {
		hundredths := (f.Load.Avg[0]*100/n + 128) / 256
		text += fmt.Sprintf("; over one minute that is %d.%02d per CPU (%d)", hundredths/100, hundredths%100, n)
	}
	return text + "."
}

// printed draws a ring for each load average that the source printed.
func (p *paper) printed(all []sim.PrintedLoad, strokes *[3]scene.Stroke) {
	c := &p.chart
	for _, m := range all {
		if m.At < c.Time.From || m.At > c.Time.To {
			continue
		}
		size := p.s.Px(9)
		x, y := c.Time.Pixel(m.At, 1), c.Y(int64(m.Value), 256)/scene.Sub
		r := geom.Rect{X: x - size/2, Y: y - size/2, W: size, H: size}
		r.X = max(c.Area.X, min(r.X, c.Area.Right()-size))
		r.Y = max(c.Area.Y-size/2, min(r.Y, c.Area.Bottom()-size/2))
		p.Rect(r, scene.Box{Fill: p.p.Panel, Border: p.p.Ink, Width: p.s.Px(1), Radius: size / 2})
		dot := r.Inset(max(1, size/4))
		p.Rect(dot, scene.Box{Fill: strokes[m.Average].Color, Radius: dot.W / 2})
	}
}
