package panel

import (
	"fmt"

	"strandscope/render/act"
	"strandscope/render/geom"
	"strandscope/render/plot"
	"strandscope/render/scene"
	"strandscope/sim"
)

// Utilisation shows how much of the strands' time is spent in user and in
// system mode, in vmstat's arithmetic.
type Utilisation struct{ plotted }

// ID implements Panel.
func (Utilisation) ID() string { return "utilisation" }

// Title implements Panel.
func (Utilisation) Title() string { return "CPU utilisation" }

// Draw implements Panel.
func (Utilisation) Draw(l *scene.List, f *sim.Frame, v *act.View, r geom.Rect) {
	d := newPen(l, f, v)
	val := value{text: "no sample yet"}
	if s := &f.Vmstat; s.Seconds > 0 {
		val.text = fmt.Sprintf("us %d  sy %d  id %d", s.User, s.System, s.Idle)
	}
	card := d.heading(r, []string{"CPU utilisation", "CPU"}, val)
	p, ok := d.paper(card, "%", 100)
	if !ok {
		return
	}
	us, sy := &f.Plots.User, &f.Plots.System
	p.chart.Fill(l, us, nil, d.p.TS.Alpha(217)) // 85 %, so that the grid shows
	p.chart.Fill(l, sy, us, d.p.SYS.Alpha(217))
	st := scene.Style{Font: d.fonts.Legend, Color: d.p.Dim}
	left := plot.Legend(l, p.strip, st,
		plot.Key{Label: "user", Stroke: scene.Stroke{Color: d.p.TS}, Area: true},
		plot.Key{Label: "system, on top", Stroke: scene.Stroke{Color: d.p.SYS}, Area: true})
	cores := coresBusy(f)
	if d.Width(st.Font, cores) <= left-p.strip.X-d.s.Px(8) {
		d.Text(st, p.strip.X, p.strip.Y+(p.strip.H+int(st.Font.Size)*7/10/scene.Unit)/2, cores)
	}
}

// coresBusy tells core utilisation, which on machines of many strands differs
// from that of strands: a core with one busy strand is a busy core.
func coresBusy(f *sim.Frame) string {
	return fmt.Sprintf("%d of %d %s busy", f.Totals.BusyCores, f.Totals.Cores, plural(f.Totals.Cores, "core"))
}

// Describe implements Panel.
func (Utilisation) Describe(f *sim.Frame, _ *act.View) string {
	s := &f.Vmstat
	if s.Seconds == 0 {
		return "CPU utilisation: no second has been sampled yet. " + coresBusy(f) + "."
	}
	return fmt.Sprintf("CPU time in the last second: user %d percent, system %d, idle %d. %s.", s.User, s.System, s.Idle, coresBusy(f))
}
