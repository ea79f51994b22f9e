package panel

import (
	"fmt"
	"strconv"

	"strandscope/render/act"
	"strandscope/render/geom"
	"strandscope/render/scene"
	"strandscope/render/theme"
	"strandscope/sim"
	"strandscope/sim/machine"
	"strandscope/sim/sched"
)

// CoreView stands in for Strands when the view is by core: a cell for each core,
// whose bar is the mean of its strands. The figures beside the title are those of
// the strands all the same. A core is hatched when one of its strands idles while
// work waits.
type CoreView struct{ Strands }

// Title implements Panel.
func (CoreView) Title() string { return "Cores" }

// HasCores reports whether a machine has cores of more than one strand.
func HasCores(m *machine.Machine) bool { return len(m.CPUs) > len(m.Cores) }

// ofCores is a machine whose strands are the cores of m.
func ofCores(m *machine.Machine) *machine.Machine {
	c := &machine.Machine{CPUs: make([]machine.CPU, len(m.Cores)), Cores: make([][]int, len(m.Cores))}
	ids := make([]int, len(m.Cores))
	for i := range ids {
		ids[i], c.CPUs[i] = i, machine.CPU{ID: i, Core: i}
		c.Cores[i] = ids[i : i+1]
	}
	return c
}

func fitCores(m *machine.Machine, s theme.Scale, area geom.Rect) grid {
	return fitCells(ofCores(m), s, area, 0)
}

// Height implements Panel.
func (CoreView) Height(f *sim.Frame, s theme.Scale, width, most int) int {
	head := s.Px(headingHeight)
	g := fitCores(f.Machine, s, geom.Rect{W: width, H: max(0, most-head)})
	return head + g.room()
}

// Draw implements Panel.
func (CoreView) Draw(l *scene.List, f *sim.Frame, v *act.View, r geom.Rect) {
	d := newPen(l, f, v)
	long := fmt.Sprintf("Cores — %d, each the mean of its strands", len(f.Machine.Cores))
	area := d.heading(r, []string{long, "Cores — mean of strands", "Cores"}, strandValues(f)...)
	if area.Empty() {
		return
	}
	g := fitCores(f.Machine, d.s, area)
	if g.detail == plain {
		d.card(g.bounds(), 10)
	}
	for core := range f.Machine.Cores {
		d.coreCell(g.cell(core), core, g.detail)
	}
}

// coreUse counts a core's strands: busy, on-line, idle while work waits.
func coreUse(f *sim.Frame, core int) (busy, online, beside int) {
	for _, cpu := range f.Machine.Cores[core] {
		c := &f.CPUs[cpu]
		if c.Online {
			online++
		}
		if c.Thread != sched.None {
			busy++
		}
		if c.IdleBesideWork {
			beside++
		}
	}
	return busy, online, beside
}

// coreCell draws a core: its number, and how much of its strands is busy.
func (d *pen) coreCell(r geom.Rect, core int, detail detail) {
	busy, online, beside := coreUse(d.f, core)
	radius := min(d.s.Px(7), r.W/4)
	box := scene.Box{Fill: d.p.Idle, Border: d.p.Line, Width: d.s.Px(1), Radius: radius}
	if r.W < d.s.Px(8) {
		box.Border = scene.Color{}
	}
	if beside > 0 {
		box.Hatch, box.HatchPitch = d.p.Hatch, max(3, min(d.s.Px(7), r.W/2))
		box.HatchWidth = min(d.s.Px(1), max(1, box.HatchPitch/4))
		if r.W >= d.s.Px(8) {
			box.Border = d.p.Warn
		}
	}
	d.Rect(r, box)
	switch {
	case online == 0:
		in := r.Inset(min(r.W, r.H) / 5)
		d.Line(scene.Stroke{Color: d.p.Faint, Width: d.s.Sub(10)},
			geom.Point{X: in.X * scene.Sub, Y: in.Bottom() * scene.Sub}, geom.Point{X: in.Right() * scene.Sub, Y: in.Y * scene.Sub})
	case detail == plain: // filled from below
		_, full := r.CutTop(r.H - r.H*busy/online)
		d.Fill(full, d.p.Accent)
	default:
		d.coreMeter(r, busy, online, detail)
	}
	d.coreWords(r, core, busy, online, detail)
	d.outline(r, d.coreMark(core), radius)
}

func (d *pen) coreMeter(r geom.Rect, busy, online int, detail detail) {
	side, h := d.s.Px(6), d.s.Px(5)
	if detail == numbered {
		side, h = d.s.Px(3), d.s.Px(3)
	}
	meter := geom.Rect{X: r.X + side, Y: r.Bottom() - side - h/2, W: r.W - 2*side, H: h}
	d.Rect(meter, scene.Box{Fill: d.p.Line, Radius: h / 2})
	if meter.W = meter.W * busy / online; meter.W > 0 {
		d.Rect(meter, scene.Box{Fill: d.p.Accent, Radius: min(h, meter.W) / 2})
	}
}

// coreWords writes the core's number, and in large cells the mean of its strands.
func (d *pen) coreWords(r geom.Rect, core, busy, online int, detail detail) {
	var buf [24]byte
	name := strconv.AppendInt(append(buf[:0], "core "...), int64(core), 10)
	number := name[len("core "):]
	switch detail {
	case plain:
	case numbered:
		st := scene.Style{Font: d.fonts.SmallName, Color: d.p.Ink, Align: scene.Center}
		d.fitText(st, r.X+r.W/2, r.Y+d.s.Px(12), r.W-d.s.Px(4), number)
	case named:
		x, w := r.X+d.s.Px(7), r.W-d.s.Px(11)
		d.fitText(scene.Style{Font: d.fonts.CPU, Color: d.p.Ink}, x, r.Y+d.s.Px(15), w, name, number)
		long, short := []byte("off-line"), []byte(nil)
		if online > 0 {
			short = []byte(percent(busy, online))
			long = fmt.Appendf(nil, "%s · %d of %d", short, busy, online)
		}
		d.fitText(scene.Style{Font: d.fonts.Idle, Color: d.p.Ink}, x, r.Y+d.s.Px(30), w, long, short)
	}
}

// coreMark is how a core is set off: as its strand that is set off most.
func (d *pen) coreMark(core int) (most mark) {
	for _, cpu := range d.f.Machine.Cores[core] {
		most = max(most, d.markOf(cpu, int32(d.f.CPUs[cpu].Thread)))
	}
	return most
}

// coreOf is the core that a selection means where cores are shown, else −1.
func coreOf(f *sim.Frame, v *act.View, sel act.Selection) int {
	if !v.Cores || !HasCores(f.Machine) || sel.Kind != act.StrandSelection || sel.CPU < 0 || sel.CPU >= len(f.CPUs) {
		return -1
	}
	return f.Machine.CPUs[sel.CPU].Core
}

func coreName(core int) string { return "core " + strconv.Itoa(core) }

func coreState(f *sim.Frame, core int) string {
	busy, online, beside := coreUse(f, core)
	text := fmt.Sprintf("%d of %d %s busy", busy, online, plural(online, "strand"))
	if beside > 0 {
		text += fmt.Sprintf(", %d idle while threads wait", beside)
	}
	return text
}

// Where implements Locator.
func (CoreView) Where(sel act.Selection, f *sim.Frame, v *act.View, r geom.Rect) geom.Rect {
	s := theme.ScaleOf(v.ScalePermille)
	_, area := r.CutTop(s.Px(headingHeight))
	if sel.Kind != act.StrandSelection || sel.CPU < 0 || sel.CPU >= len(f.CPUs) || area.Empty() {
		return geom.Rect{}
	}
	g := fitCores(f.Machine, s, area)
	return g.cell(f.Machine.CPUs[sel.CPU].Core)
}

// Handle implements Panel: it means the core's first strand.
func (CoreView) Handle(in Input, f *sim.Frame, v *act.View, r geom.Rect) act.Command {
	s := theme.ScaleOf(v.ScalePermille)
	_, area := r.CutTop(s.Px(headingHeight))
	if area.Empty() || !in.At.In(area) {
		return nil
	}
	g := fitCores(f.Machine, s, area)
	core := g.at(in.At)
	if core < 0 {
		return nil
	}
	return act.Select{Selection: act.Selection{Kind: act.StrandSelection, CPU: f.Machine.Cores[core][0], Thread: sched.None}}
}

// Describe implements Panel.
func (c CoreView) Describe(f *sim.Frame, v *act.View) string {
	t := &f.Totals
	return c.Strands.Describe(f, v) + fmt.Sprintf(" By core: %d of %d cores have work.", t.BusyCores, t.Cores)
}
