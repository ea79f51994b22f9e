package render

import (
	"fmt"

	"strandscope/render/act"
	"strandscope/render/geom"
	"strandscope/render/panel"
	"strandscope/render/scene"
	"strandscope/render/theme"
	"strandscope/sim"
	"strandscope/sim/clock"
)

// The measures of a comparison in CSS pixels.
const (
	sideHead    = 34  // a side's heading
	sideStrands = 290 // its strands
	sideBase    = 18  // its baseline
	sideGap     = 19  // between the sides
	sideColumn  = 300 // a side must be as wide as that to stand beside the other
)

// comparing reports whether there are two sides to be drawn. A half never has any.
func (s *Screen) comparing(f *sim.Frame) bool { return s.half != nil && drawable(f.Beside) }

// aSide is one of them: its frame and view are as if the side were all of the picture.
type aSide struct {
	r       geom.Rect
	f       sim.Frame
	v       act.View
	focused bool
	right   bool
}

func (x *aSide) inside(p geom.Point) geom.Point { return geom.Point{X: p.X - x.r.X, Y: p.Y - x.r.Y} }

// sideOf places a side. What is selected and pointed at belongs to the one in focus.
func (s *Screen) sideOf(f *sim.Frame, v *act.View, right bool) *aSide {
	x := &aSide{r: s.sideRects(f, v)[index(right)], f: *f, v: *v, focused: right == v.Sides.Right, right: right}
	if !x.focused {
		x.f = *f.Beside
		x.f.Beside = f
		x.v.Selected, x.v.Hover = act.Selection{}, act.Selection{}
		x.v.Cursor, x.v.Pointing, x.v.Band = sim.Cursor{}, act.Pointing{}, act.Band{}
	}
	x.v.Width, x.v.Height = x.r.W, x.r.H
	return x
}

func index(right bool) int {
	if right {
		return 1
	}
	return 0
}

// sideRects are where the sides stand: beside each other, or, where there is no room
// for that, below each other.
func (s *Screen) sideRects(f *sim.Frame, v *act.View) [2]geom.Rect {
	scale := theme.ScaleOf(v.ScalePermille)
	r := margins(scale, v.Width, v.Height-s.below(scale, v.Width))
	gap := scale.Px(sideGap)
	if columns(scale, r.W) {
		// Exactly as wide as each other: both time axes have the same columns.
		w := (r.W - gap) / 2
		left, _ := r.CutLeft(w)
		right, _ := r.CutRight(w)
		return [2]geom.Rect{left, right}
	}
	frames := [2]*sim.Frame{f, f.Beside}
	if v.Sides.Right {
		frames[0], frames[1] = frames[1], frames[0]
	}
	// Each gets its part of what there is.
	a, b := s.sideHeight(frames[0], v, r.W), s.sideHeight(frames[1], v, r.W)
	room := max(0, r.H-gap)
	first, rest := r.CutTop(room * a / max(1, a+b))
	_, rest = rest.CutTop(gap)
	return [2]geom.Rect{first, rest}
}

func columns(s theme.Scale, w int) bool { return s.CSS(w) >= 2*sideColumn+sideGap }

// sidesHeight is the height that a comparison would like.
func (s *Screen) sidesHeight(f *sim.Frame, v *act.View) int {
	scale := theme.ScaleOf(v.ScalePermille)
	r := margins(scale, v.Width, 1<<20)
	around, gap := scale.Px(marginTop)+scale.Px(marginEnd)+s.below(scale, v.Width), scale.Px(sideGap)
	if w := (r.W - gap) / 2; columns(scale, r.W) {
		return around + max(s.sideHeight(f, v, w), s.sideHeight(f.Beside, v, w))
	}
	return around + gap + s.sideHeight(f, v, r.W) + s.sideHeight(f.Beside, v, r.W)
}

// sideHeight is the height that a side of a width would like.
func (s *Screen) sideHeight(f *sim.Frame, v *act.View, width int) int {
	side := *v
	side.Width = width
	return s.half.Height(f, &side)
}

// drawSides draws both sides. The one in focus comes last: what floats over it may
// reach into the other.
func (s *Screen) drawSides(l *scene.List, f *sim.Frame, v *act.View) {
	for _, right := range []bool{!v.Sides.Right, v.Sides.Right} {
		x := s.sideOf(f, v, right)
		l.Within(x.r)
		x.heading(l, v.Sides.Titles[index(right)])
		s.half.panelsOf(l, &x.f, &x.v)
	}
	l.Everywhere()
	panel.Legend(l, f, v, legend(v, false))
}

// heading draws a side's name and its first figures. The side in focus is underlined.
func (x *aSide) heading(l *scene.List, title string) {
	s, p := theme.ScaleOf(x.v.ScalePermille), theme.Find(x.v.Theme)
	fonts := s.Fonts()
	t := &x.f.Totals
	base, room := s.Px(sideBase), x.r.W-s.Px(12)
	text := x.name() + " · " + title
	figures := fmt.Sprintf("%d of %d busy · r = %d", t.Busy, t.Strands, t.Waiting)
	if l.Width(fonts.Side, text)+l.Width(fonts.Value, figures) > room {
		figures = fmt.Sprintf("r = %d", t.Waiting)
	}
	l.Text(scene.Style{Font: fonts.Value, Color: p.Dim, Align: scene.Right}, x.r.W, base, figures)
	room -= l.Width(fonts.Value, figures)
	for l.Width(fonts.Side, text) > room && len(text) > 4 {
		cut := []rune(text)
		text = string(cut[:max(1, len(cut)-2)]) + "…"
	}
	l.Text(scene.Style{Font: fonts.Side, Color: p.Ink}, 0, base, text)
	if x.focused {
		l.Fill(geom.Rect{Y: base + s.Px(5), W: l.Width(fonts.Side, text), H: s.Px(2)}, p.Accent)
	}
}

// name of a side, as in the table.
func (x *aSide) name() string {
	if x.right {
		return "B"
	}
	return "A"
}

// LookBeside is Look for the frame beside f.
func (s *Screen) LookBeside(f *sim.Frame, v *act.View, now clock.Time) sim.Look {
	if !drawable(f) || !s.comparing(f) {
		return sim.Look{}
	}
	x := s.sideOf(f, v, !v.Sides.Right)
	return s.half.Look(&x.f, &x.v, now)
}

// SideAt reports whether a point belongs to the right side of a comparison, or the
// lower one.
func (s *Screen) SideAt(px, py int, f *sim.Frame, v *act.View) bool {
	if !drawable(f) || !s.comparing(f) {
		return false
	}
	r := s.sideRects(f, v)
	if r[1].X > r[0].X {
		return px >= r[1].X-(r[1].X-r[0].Right())/2
	}
	return py >= r[1].Y-(r[1].Y-r[0].Bottom())/2
}

// describeSides tells both sides in words.
func (s *Screen) describeSides(f *sim.Frame, v *act.View) string {
	text := fmt.Sprintf("Two runs on one clock, at %v.", f.Now)
	for _, right := range []bool{false, true} {
		x := s.sideOf(f, v, right)
		focus := ""
		if x.focused {
			focus = ", in focus"
		}
		text += fmt.Sprintf(" %s, %s%s: %s", x.name(), v.Sides.Titles[index(right)], focus, s.half.Describe(&x.f, &x.v))
	}
	return text
}

// sidePanels lists the panels of the sides; each tells what both sides show.
func (s *Screen) sidePanels(f *sim.Frame, v *act.View) []Described {
	l, r := s.sideOf(f, v, false), s.sideOf(f, v, true)
	all := s.half.Panels(&l.f, &l.v)
	for i, p := range s.half.Panels(&r.f, &r.v)[:len(all)] { // the same ones: none depends on the run
		all[i].Words = "A: " + all[i].Words + " B: " + p.Words
	}
	return all
}
