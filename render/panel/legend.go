package panel

import (
	"slices"

	"strandscope/render/act"
	"strandscope/render/geom"
	"strandscope/render/scene"
	"strandscope/render/theme"
	"strandscope/sim"
	"strandscope/sim/sched"
)

// The legend's line and the width, in CSS pixels, below which it may take two.
const (
	legendLine  = 17
	legendWidth = 560
)

// LegendHeight is the height of the legend in a picture of a width, both in device
// pixels.
func LegendHeight(s theme.Scale, width int) int {
	if s.CSS(width) < legendWidth {
		return 2 * s.Px(legendLine)
	}
	return s.Px(legendLine)
}

// Legend tells what signs, hatches and frames mean: the classes that are in the run,
// and the ways in which a strand is not busy.
func Legend(l *scene.List, f *sim.Frame, v *act.View, r geom.Rect) {
	d := newPen(l, f, v)
	k := &key{pen: d, r: r, x: r.X, y: r.Y}
	for _, class := range classesIn(f) {
		k.sign(class)
	}
	idle := scene.Box{Fill: d.p.Idle, Border: d.p.Line, Width: d.s.Px(1), Radius: d.s.Px(3)}
	hatched := idle
	hatched.Border, hatched.Hatch, hatched.HatchPitch, hatched.HatchWidth = d.p.Warn, d.p.Hatch, d.s.Px(5), d.s.Px(1)
	k.swatch(hatched, "idle while work waits")
	k.swatch(idle, "idle")
	k.movedKey(v)
	if slices.ContainsFunc(f.CPUs, func(c sim.CPU) bool { return !c.Online }) {
		k.swatch(scene.Box{Fill: d.p.Panel, Border: d.p.Line, Width: d.s.Px(1), Radius: d.s.Px(3)}, "off-line")
		in := k.last.Inset(d.s.Px(2))
		if in.Empty() {
			return
		}
		d.Line(scene.Stroke{Color: d.p.Faint, Width: d.s.Sub(10)},
			geom.Point{X: in.X * scene.Sub, Y: in.Bottom() * scene.Sub}, geom.Point{X: in.Right() * scene.Sub, Y: in.Y * scene.Sub})
	}
}

// classesIn are the classes of the threads that are there, in the legend's order;
// of kernel threads those that run or wait.
func classesIn(f *sim.Frame) []string {
	var known [16]bool
	var others []string
	first := len(f.Threads)
	both := first
	if f.Beside != nil { // the sides of a comparison have one legend
		both += len(f.Beside.Threads)
	}
	for i := range both {
		var t *sim.Thread
		if i < first {
			t = &f.Threads[i]
		} else {
			t = &f.Beside.Threads[i-first]
		}
		there := t.State != sched.Embryo && t.State != sched.Gone
		if t.Kernel {
			there = t.State == sched.Running || t.State == sched.Waiting
		}
		if !there || t.Class == "" {
			continue
		}
		if at := slices.Index(theme.Classes, t.Class); at >= 0 {
			known[at] = true
		} else if !slices.Contains(others, t.Class) {
			others = append(others, t.Class)
		}
	}
	found := make([]string, 0, len(theme.Classes))
	for i, class := range theme.Classes {
		if known[i] {
			found = append(found, class)
		}
	}
	return append(found, others...)
}

// key writes the legend's entries, and goes on in the next line where one is full.
// What finds no room is left out.
type key struct {
	*pen
	r    geom.Rect
	x, y int
	last geom.Rect // the swatch drawn last
}

// place makes room for an entry of a width.
func (k *key) place(w int) (base int, ok bool) {
	line := k.s.Px(legendLine)
	if k.x > k.r.X && k.x+w > k.r.Right() {
		k.x, k.y = k.r.X, k.y+line
	}
	if k.x+w > k.r.Right() || k.y+line > k.r.Bottom() {
		return 0, false
	}
	return k.y + k.s.Px(12), true
}

func (k *key) sign(class string) {
	sample, sign := k.s.Px(14), theme.Sign(class)
	st := scene.Style{Font: k.fonts.Legend, Color: k.p.Dim}
	w := sample + k.Width(st.Font, class)
	if base, ok := k.place(w); ok {
		k.Text(scene.Style{Font: k.fonts.Legend, Color: k.p.Class(class)}, k.x, base, sign)
		k.Text(st, k.x+sample, base, class)
		k.x += w + k.s.Px(14)
	}
}

func (k *key) swatch(box scene.Box, words string) {
	sample, h := k.s.Px(18), k.s.Px(11)
	st := scene.Style{Font: k.fonts.Legend, Color: k.p.Dim}
	w := sample + k.s.Px(5) + k.Width(st.Font, words)
	k.last = geom.Rect{}
	if base, ok := k.place(w); ok {
		k.last = geom.Rect{X: k.x, Y: base - h + k.s.Px(1), W: sample, H: h}
		k.Rect(k.last, box)
		k.Text(st, k.x+sample+k.s.Px(5), base, words)
		k.x += w + k.s.Px(14)
	}
}
