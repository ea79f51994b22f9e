package panel

import (
	"fmt"

	"strandscope/render/act"
	"strandscope/render/geom"
	"strandscope/render/plot"
	"strandscope/render/scene"
	"strandscope/render/theme"
	"strandscope/sim"
)

// Utilisation shows how much of the strands' time is spent in user and in
// system mode, in vmstat's arithmetic.
type Utilisation struct{ plotted }

// ID implements Panel.
func (Utilisation) ID() string { return "utilisation" }

// Title implements Panel.
func (Utilisation) Title() string { return "CPU utilisation" }

// Height implements Panel.
func (u Utilisation) Height(f *sim.Frame, s theme.Scale, width, most int) int {
	if most > 0 {
		return u.plotted.Height(f, s, width, most)
	}
	return u.plotted.Height(f, s, width, 0) + s.Px(wordsHeight)
}

// wordsHeight is the room for the line of words in CSS pixels.
const wordsHeight = 18

// Draw implements Panel.
func (Utilisation) Draw(l *scene.List, f *sim.Frame, v *act.View, r geom.Rect) {
	d := newPen(l, f, v)
	val := value{text: "no sample yet"}
	if s := &f.Vmstat; s.Seconds > 0 {
		val.text = fmt.Sprintf("us %d  sy %d  id %d", s.User, s.System, s.Idle)
	}
	card := d.heading(r, []string{"CPU utilisation", "CPU"}, val)
	d.card(card, 8)
	line, rest := card.CutTop(d.s.Px(wordsHeight))
	p, ok := d.paperOn(rest, "%", 100)
	if !ok {
		return
	}
	words := scene.Style{Font: d.fonts.Legend, Color: d.p.Ink}
	line = line.Trim(d.s.Px(5), d.s.Px(10), 0, d.s.Px(10))
	for _, text := range use(f) {
		if d.Width(words.Font, text) <= line.W {
			d.Text(words, line.X, line.Y+(line.H+int(words.Font.Size)*7/10/scene.Unit)/2, text)
			break
		}
	}
	us, sy := &f.Plots.User, &f.Plots.System
	p.chart.Fill(l, us, nil, d.p.TS.Alpha(217)) // 85 %, so that the grid shows
	p.chart.Fill(l, sy, us, d.p.SYS.Alpha(217))
	st := scene.Style{Font: d.fonts.Legend, Color: d.p.Dim}
	plot.Legend(l, p.strip, st,
		plot.Key{Label: "user", Stroke: scene.Stroke{Color: d.p.TS}, Area: true},
		plot.Key{Label: "system, on top", Stroke: scene.Stroke{Color: d.p.SYS}, Area: true})
	p.readout(&curve{"user", us}, &curve{"system", sy})
}

// use tells, from long to short, what is in use now: of the strands, of the
// cores, of which one with one busy strand is a busy one, and of the issue
// slots. On machines of many strands these are three different figures.
func use(f *sim.Frame) []string {
	t := &f.Totals
	strands := percent(t.Busy, t.Strands)
	cores := fmt.Sprintf("cores %d of %d", t.BusyCores, t.Cores)
	if !sharesPipelines(f) {
		return []string{fmt.Sprintf("CPUs %s · %d of %d busy", strands, t.Busy, t.Strands), "CPUs " + strands}
	}
	slots := percent(int(t.IssueSlots), 1000)
	return []string{
		fmt.Sprintf("strands %s · %s · issue slots %s (model)", strands, cores, slots),
		fmt.Sprintf("strands %s · %s · slots %s", strands, cores, slots),
		fmt.Sprintf("strands %s · %s", strands, cores),
		cores,
	}
}

// percent writes part of whole as a percentage with at most one decimal.
func percent(part, whole int) string {
	n := (1000*part + whole/2) / max(1, whole)
	if n%10 == 0 {
		return fmt.Sprintf("%d %%", n/10)
	}
	return fmt.Sprintf("%d.%d %%", n/10, n%10)
}

// sharesPipelines reports whether strands share issue slots anywhere.
func sharesPipelines(f *sim.Frame) bool { return len(f.Machine.CPUs) > len(f.Machine.Pipelines) }

// useInWords is use for listeners.
func useInWords(f *sim.Frame) string {
	t := &f.Totals
	if !sharesPipelines(f) {
		return fmt.Sprintf("%d of %d %s busy.", t.Busy, t.Strands, plural(t.Strands, "CPU"))
	}
	return fmt.Sprintf("Now %s of the strands are busy, %d of %d cores have work, and %s of the issue slots are used (a model).",
		percent(t.Busy, t.Strands), t.BusyCores, t.Cores, percent(int(t.IssueSlots), 1000))
}

// Describe implements Panel.
func (Utilisation) Describe(f *sim.Frame, _ *act.View) string {
	s := &f.Vmstat
	if s.Seconds == 0 {
		return "CPU utilisation: no second has been sampled yet. " + useInWords(f)
	}
	return fmt.Sprintf("CPU time in the last second: user %d percent, system %d, idle %d. %s", s.User, s.System, s.Idle, useInWords(f))
}
