package panel

import (
	"fmt"
	"strconv"

	"strandscope/render/act"
	"strandscope/render/geom"
	"strandscope/render/plot"
	"strandscope/render/scene"
	"strandscope/sim"
)

// QueueLength shows over time how many threads wait: vmstat's column r.
type QueueLength struct{ plotted }

// ID implements Panel.
func (QueueLength) ID() string { return "rqlen" }

// Title implements Panel.
func (QueueLength) Title() string { return "Run queue (r)" }

// Draw implements Panel.
func (QueueLength) Draw(l *scene.List, f *sim.Frame, v *act.View, r geom.Rect) {
	d := newPen(l, f, v)
	card := d.heading(r, []string{"Run queue (r)", "r"}, value{text: strconv.Itoa(f.Totals.Waiting)})
	rq := &f.Plots.RunQueue
	p, ok := d.paper(card, "", 0, rq)
	if !ok {
		return
	}
	st := scene.Stroke{Color: d.p.RT, Width: d.s.Sub(18)}
	p.chart.Line(l, rq, st, plot.Stepped)
	plot.Legend(l, p.strip, scene.Style{Font: d.fonts.Legend, Color: d.p.Dim}, plot.Key{Label: "threads waiting", Stroke: st})
	p.readout(&curve{"waiting", rq})
}

// Describe implements Panel.
func (QueueLength) Describe(f *sim.Frame, _ *act.View) string {
	most := max(int32(f.Totals.Waiting), f.Plots.RunQueue.Most)
	if most == 0 {
		return "Nothing has waited in this run so far."
	}
	return fmt.Sprintf("The longest run queue so far was %d.", most)
}
