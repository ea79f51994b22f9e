package panel

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"strandscope/render/act"
	"strandscope/render/geom"
	"strandscope/render/scene"
	"strandscope/render/theme"
	"strandscope/sim"
	"strandscope/sim/sched"
)

// Strands shows every strand, grouped by core, with what runs on it. Strands
// that idle while threads wait are hatched.
type Strands struct{}

// ID implements Panel.
func (Strands) ID() string { return "strands" }

// Title implements Panel.
func (Strands) Title() string { return "Strands" }

// Column implements Panel.
func (Strands) Column() Column { return Main }

// MinSize implements Panel.
func (Strands) MinSize() geom.Size { return geom.Size{W: 280, H: headingHeight + 80} }

// Height implements Panel.
func (Strands) Height(f *sim.Frame, s theme.Scale, width, most int) int {
	head := s.Px(headingHeight)
	g := fit(f.Machine, s, geom.Rect{W: width, H: max(0, most-head)})
	return head + g.room()
}

// Draw implements Panel.
func (Strands) Draw(l *scene.List, f *sim.Frame, v *act.View, r geom.Rect) {
	d := newPen(l, f, v)
	area := d.heading(r, strandTitles(f), strandValues(f)...)
	if area.Empty() {
		return
	}
	g := fit(f.Machine, d.s, area)
	if g.detail != plain && g.head > 0 && sharesPipelines(f) {
		d.meterLegend(r)
	}
	switch {
	case g.detail == plain:
		d.card(g.bounds(), 10)
	case g.head > 0:
		for core := range f.Machine.Cores {
			d.core(&g, core)
		}
	}
	for cpu := range f.CPUs {
		switch r := g.cell(cpu); g.detail {
		case named:
			d.namedCell(r, cpu)
		case numbered:
			d.numberedCell(r, cpu)
		default:
			d.plainCell(r, cpu)
		}
	}
}

// strandTitles are the forms of the heading, long to short.
func strandTitles(f *sim.Frame) []string {
	cores, strands := len(f.Machine.Cores), len(f.Machine.CPUs)
	long := fmt.Sprintf("CPUs — %d", strands)
	if strands > cores {
		long = fmt.Sprintf("Strands — %d cores", cores)
		if strands%cores == 0 {
			long += fmt.Sprintf(" × %d", strands/cores)
		}
	}
	short, _, _ := strings.Cut(long, " ")
	return []string{long, short}
}

func strandValues(f *sim.Frame) []value {
	t := &f.Totals
	busy := fmt.Sprintf("%d of %d busy", t.Busy, t.Strands)
	if t.IdleBesideWork == 0 {
		return []value{{text: busy}}
	}
	warn := fmt.Sprintf("%d idle while %d wait", t.IdleBesideWork, t.Waiting)
	return []value{
		{busy, warn},
		{fmt.Sprintf("%d/%d", t.Busy, t.Strands), warn},
		{text: "", warn: warn},
		{text: busy},
	}
}

// meterLegend says in the heading what the meters of the cores show, where there
// is room between title and figures.
func (d *pen) meterLegend(r geom.Rect) {
	st := scene.Style{Font: d.fonts.Legend, Color: d.p.Dim}
	title, val := d.fitHeading(r.W, strandTitles(d.f), strandValues(d.f))
	x := r.X + d.Width(d.fonts.Heading, title) + d.s.Px(16)
	end := r.Right() - d.Width(d.fonts.Value, val.join()) - d.s.Px(12)
	base, bar := r.Y+d.s.Px(headingBase), d.s.Px(22)
	for _, text := range []string{"issue slots used (model)", "issue slots"} {
		if title == "" || x+bar+d.s.Px(6)+d.Width(st.Font, text) > end {
			continue
		}
		h := d.s.Px(5)
		meter := geom.Rect{X: x, Y: base - d.s.Px(6), W: bar, H: h}
		d.Rect(meter, scene.Box{Fill: d.p.Line, Radius: h / 2})
		meter.W = bar * 6 / 10
		d.Rect(meter, scene.Box{Fill: d.p.Accent, Radius: h / 2})
		d.Text(st, x+bar+d.s.Px(6), base, text)
		return
	}
}

// core draws the card of a core: its title and its pipelines' meter.
func (d *pen) core(g *grid, core int) {
	r := g.card(core)
	d.card(r, 10)
	font, base := d.fonts.Core, r.Y+d.s.Px(20)
	meterW, meterH := d.s.Px(60), d.s.Px(7)
	if g.detail == numbered {
		font, base = d.fonts.Legend, r.Y+d.s.Px(13)
		meterW, meterH = d.s.Px(36), d.s.Px(5)
	}
	var buf [24]byte
	title := strconv.AppendInt(append(buf[:0], "core "...), int64(core), 10)
	alone := aloneOn(d.f, core)
	if alone >= 0 && g.detail == named {
		title = strconv.AppendInt(append(buf[:0], "cpu"...), int64(alone), 10)
	}
	inner := r.W - 2*g.pad
	w := scene.Width(d.Metrics(), font, title)
	if w > inner {
		title = bytes.TrimLeft(title, "coreup ")
		w = scene.Width(d.Metrics(), font, title)
	}
	if w <= inner {
		d.TextBytes(scene.Style{Font: font, Color: d.p.Ink}, r.X+g.pad, base, title)
	}
	if alone >= 0 && g.detail == named && d.counter(r.Right()-g.pad, base, inner-w-d.s.Px(8), alone) {
		return
	}
	if meterW = min(meterW, inner-w-d.s.Px(8)); meterW < d.s.Px(16) {
		return
	}
	meter := geom.Rect{X: r.Right() - g.pad - meterW, Y: base - d.s.Px(8), W: meterW, H: meterH}
	if g.detail == numbered {
		meter.Y = base - d.s.Px(6)
	}
	d.Rect(meter, scene.Box{Fill: d.p.Idle, Radius: meterH / 2})
	if use := issueSlots(d.f, core); use > 0 {
		meter.W = max(meterH, meterW*use/1000)
		d.Rect(meter, scene.Box{Fill: d.p.Accent, Radius: meterH / 2})
	}
}

// aloneOn is the strand of a core that has only one, else −1.
func aloneOn(f *sim.Frame, core int) int {
	if ids := f.Machine.Cores[core]; len(ids) == 1 {
		return ids[0]
	}
	return -1
}

// counter writes the ticks that a CPU's task has left, where one list of tasks is
// searched for them. It reports whether that says more than a meter.
func (d *pen) counter(right, base, w, cpu int) bool {
	if !oneList(d.f) {
		return false
	}
	st := scene.Style{Font: d.fonts.Legend, Color: d.p.Dim, Align: scene.Right}
	if t := thread(d.f, d.f.CPUs[cpu].Thread); t != nil {
		var buf [24]byte
		d.fitText(st, right, base, w, strconv.AppendInt(append(buf[:0], "counter "...), int64(t.Left), 10))
	}
	return true
}

// issueSlots is the share of a core's issue slots in use, in thousandths: the
// mean of its pipelines.
func issueSlots(f *sim.Frame, core int) int {
	sum, n, last := 0, 0, -1
	for _, cpu := range f.Machine.Cores[core] {
		if pipe := f.Machine.CPUs[cpu].Pipeline; pipe != last {
			last = pipe
			sum += int(f.IssueSlots[pipe])
			n++
		}
	}
	return sum / max(1, n)
}

// Where implements Locator.
func (Strands) Where(sel act.Selection, f *sim.Frame, v *act.View, r geom.Rect) geom.Rect {
	s := theme.ScaleOf(v.ScalePermille)
	_, area := r.CutTop(s.Px(headingHeight))
	if sel.Kind != act.StrandSelection || sel.CPU < 0 || sel.CPU >= len(f.CPUs) || area.Empty() {
		return geom.Rect{}
	}
	g := fit(f.Machine, s, area)
	return g.cell(sel.CPU)
}

// Handle implements Panel.
func (Strands) Handle(in Input, f *sim.Frame, v *act.View, r geom.Rect) act.Command {
	s := theme.ScaleOf(v.ScalePermille)
	_, area := r.CutTop(s.Px(headingHeight))
	if in.Kind == Drag && !area.Empty() {
		return dragged(in, f, r, fit(f.Machine, s, area))
	}
	if area.Empty() || !in.At.In(area) {
		return nil
	}
	g := fit(f.Machine, s, area)
	cpu := g.at(in.At)
	if cpu < 0 {
		return nil
	}
	return act.Select{Selection: act.Selection{Kind: act.StrandSelection, CPU: cpu, Thread: sched.None}}
}

// dragged is what dragging a strand does: it is chosen, and one that is let go
// outside the panel goes off-line, or comes back if it was.
func dragged(in Input, f *sim.Frame, r geom.Rect, g grid) act.Command {
	cpu := g.at(in.Start)
	switch {
	case cpu < 0:
		return nil
	case in.Done && !in.At.In(r):
		return act.Online(cpu, f.CPUs[cpu].Online)
	}
	return act.Select{Selection: act.Selection{Kind: act.StrandSelection, CPU: cpu, Thread: sched.None}}
}

// Describe implements Panel.
func (Strands) Describe(f *sim.Frame, _ *act.View) string {
	t := &f.Totals
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d %s busy", t.Busy, t.Strands, plural(t.Strands, "strand"))
	switch {
	case t.IdleBesideWork > 0:
		fmt.Fprintf(&b, ", %d idle while %d %s (r = %d).", t.IdleBesideWork, t.Waiting, waits(t.Waiting), t.Waiting)
		if !helpful(f) {
			b.WriteString(" What waits may run on none of the idle ones: a processor set or a binding keeps it off them.")
		}
	case t.Waiting > 0:
		fmt.Fprintf(&b, ", %d %s (r = %d).", t.Waiting, waits(t.Waiting), t.Waiting)
	default:
		fmt.Fprintf(&b, ", no thread waits (r = 0).")
	}
	return b.String()
}

// helpful reports whether something that waits may run on an idle strand.
func helpful(f *sim.Frame) bool {
	for i := range f.CPUs {
		if c := &f.CPUs[i]; c.IdleBesideWork && c.MayHelp {
			return true
		}
	}
	return false
}

func waits(n int) string {
	if n == 1 {
		return "thread waits"
	}
	return "threads wait"
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
