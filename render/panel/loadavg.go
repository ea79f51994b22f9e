package panel

import (
	"fmt"

	"strandscope/render/act"
	"strandscope/render/geom"
	"strandscope/render/plot"
	"strandscope/render/scene"
	"strandscope/sim"
)

// LoadAverage shows the three load averages over time, and behind them the
// number of runnable threads that they follow.
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
	p, ok := d.paper(card, "", 0, &plots.Runnable, &plots.Load[0], &plots.Load[1], &plots.Load[2])
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
		p.chart.Line(l, &plots.Load[i], strokes[i], plot.Sloped)
	}
	plot.Legend(l, p.strip, scene.Style{Font: d.fonts.Legend, Color: d.p.Dim},
		plot.Key{Label: "1 min", Stroke: strokes[0]},
		plot.Key{Label: "5 min", Stroke: strokes[1]},
		plot.Key{Label: "15 min", Stroke: strokes[2]},
		plot.Key{Label: "runnable", Stroke: runnable})
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
