package panel

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"strandscope/render/act"
	"strandscope/render/geom"
	"strandscope/render/plot"
	"strandscope/render/scene"
	"strandscope/render/theme"
	"strandscope/sim"
	"strandscope/sim/clock"
)

// WakeLatency shows how quickly probes get a CPU after they wake: the last
// wake-ups one by one, and all of them as a histogram beside that of the same
// probe on an idle machine. It is there where the scenario has probes.
type WakeLatency struct{ plotted }

// ID implements Panel.
func (WakeLatency) ID() string { return "wakes" }

// Title implements Panel.
func (WakeLatency) Title() string { return "Wake-up latency" }

// The measures of a probe's block in CSS pixels.
const (
	wakesHead  = 20
	wakesRow   = 14
	wakesLabel = 62
	wakesBars  = 92
	wakesCount = 34
	wakesPad   = 8
)

// MinSize implements Panel.
func (WakeLatency) MinSize() geom.Size {
	return geom.Size{W: 220, H: headingHeight + wakesHead + 6*wakesRow}
}

// Height implements Panel.
func (WakeLatency) Height(f *sim.Frame, s theme.Scale, _, most int) int {
	h := headingHeight + len(f.Probes)*(wakesHead+sim.WakeBins*wakesRow) + 2*wakesPad
	if len(f.Probes) == 0 {
		return 0
	}
	if most > 0 {
		return min(most, s.Px(h))
	}
	return s.Px(h)
}

// Draw implements Panel.
func (WakeLatency) Draw(l *scene.List, f *sim.Frame, v *act.View, r geom.Rect) {
	if len(f.Probes) == 0 {
		return
	}
	d := newPen(l, f, v)
	card := d.heading(r, []string{"Wake-up latency", "Latency"}, wakesValues(f)...)
	if card.Empty() {
		return
	}
	d.card(card, 8)
	in := card.Trim(d.s.Px(wakesPad), d.s.Px(10), d.s.Px(wakesPad), d.s.Px(10))
	for i := range f.Probes {
		d.probe(in.Row(i, len(f.Probes), 0), &f.Probes[i])
	}
}

func wakesValues(f *sim.Frame) []value {
	p := &f.Probes[0]
	return []value{
		{text: fmt.Sprintf("%s: %d of %d within a tick", p.Name, p.InTick, p.Count)},
		{text: fmt.Sprintf("%d of %d within a tick", p.InTick, p.Count)},
		{text: fmt.Sprintf("%d/%d", p.InTick, p.Count)},
	}
}

// probe draws one probe's strip and histogram; slower wakes stand higher.
func (d *pen) probe(r geom.Rect, p *sim.Probe) {
	head, body := r.CutTop(d.s.Px(wakesHead))
	dim := scene.Style{Font: d.fonts.Legend, Color: d.p.Dim}
	ink := dim
	ink.Color = d.p.Ink
	base := head.Y + d.s.Px(11)
	d.Text(ink, head.X, base, p.Name)
	here, alone := d.p.Accent, d.p.Dim
	keys := []plot.Key{{Label: "here", Stroke: scene.Stroke{Color: here}, Area: true}}
	if p.Alone.Count > 0 {
		keys = append(keys, plot.Key{Label: "alone", Stroke: scene.Stroke{Color: alone}, Area: true})
	}
	plot.Legend(d.List, head, dim, keys...)
	row := body.H / sim.WakeBins
	if row < d.s.Px(8) {
		return
	}
	label := scene.Style{Font: d.fonts.Tick, Color: d.p.Dim, Align: scene.Right}
	count := label
	count.Color = d.p.Ink
	x0, x3 := body.X+d.s.Px(wakesLabel), body.Right()
	x2 := x3 - d.s.Px(wakesCount)
	x1 := x2 - d.s.Px(wakesBars)
	most := max(bits.Len64(uint64(p.Count)), bits.Len64(uint64(p.Alone.Count)), 1)
	var buf [24]byte
	for i := range sim.WakeBins {
		y := body.Y + (sim.WakeBins-1-i)*row
		mid := y + row/2 + d.s.Px(3)
		d.Text(label, x0-d.s.Px(6), mid, shortBin(i))
		d.Fill(geom.Rect{X: x0, Y: y + row - 1, W: x1 - d.s.Px(10) - x0, H: 1}, d.p.Grid)
		bar := func(n int64, y int, c scene.Color) {
			if n > 0 {
				w := max(d.s.Px(2), (x2-x1)*bits.Len64(uint64(n))/most)
				d.Fill(geom.Rect{X: x1, Y: y, W: w, H: d.s.Px(4)}, c)
			}
		}
		bar(p.Bins[i], y+row/2-d.s.Px(4), here)
		bar(p.Alone.Bins[i], y+row/2+d.s.Px(1), alone)
		if p.Bins[i] > 0 {
			d.TextBytes(count, x3, mid, strconv.AppendInt(buf[:0], p.Bins[i], 10))
		}
	}
	d.wakes(p, geom.Rect{X: x0, Y: body.Y, W: x1 - d.s.Px(10) - x0, H: row * sim.WakeBins}, row)
}

// wakes draws the last wake-ups, the newest at the right.
func (d *pen) wakes(p *sim.Probe, r geom.Rect, row int) {
	w := max(1, d.s.Px(2))
	pitch := w + max(1, d.s.Px(1))
	for i := range p.Recent {
		wake := &p.Recent[len(p.Recent)-1-i]
		x := r.Right() - (i+1)*pitch
		if x < r.X {
			return
		}
		c := d.p.Accent
		if wake.Wait >= d.f.Tick {
			c = d.p.Warn
		}
		y := r.Y + (sim.WakeBins-1-sim.WakeBinOf(wake.Wait))*row
		d.Fill(geom.Rect{X: x, Y: y + d.s.Px(2), W: w, H: row - d.s.Px(4)}, c)
	}
}

// shortBin is sim.WakeBin where there is little room.
func shortBin(i int) string {
	if i == sim.WakeBins-1 {
		return "≥ 1 s"
	}
	return sim.WakeBin(i)
}

// Describe implements Panel.
func (WakeLatency) Describe(f *sim.Frame, _ *act.View) string {
	var said []string
	for i := range f.Probes {
		p := &f.Probes[i]
		if p.Count == 0 {
			said = append(said, p.Name+" has not woken yet.")
			continue
		}
		text := fmt.Sprintf("%s woke %d %s; %d got a CPU within the clock tick, the longest wait was %s ms", p.Name, p.Count,
			plural(int(p.Count), "time"), p.InTick, thousandths(int64(p.Max/clock.Microsecond)))
		if p.Alone.Count > 0 {
			text += fmt.Sprintf("; on an idle machine %d of %d did", p.Alone.InTick, p.Alone.Count)
		}
		said = append(said, text+".")
	}
	return strings.Join(said, " ")
}

// thousandths writes n/1000 without needless zeros.
func thousandths(n int64) string {
	text := strconv.FormatInt(n/1000, 10)
	if n%1000 == 0 {
		return text
	}
	return text + "." + strings.TrimRight(fmt.Sprintf("%03d", n%1000), "0")
}
