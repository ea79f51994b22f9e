package panel

import (
	"strandscope/render/act"
	"strandscope/render/geom"
	"strandscope/render/scene"
	"strandscope/sim"
)

// Tooltip names what is pointed at, below its rectangle at, or above where
// there is no room below. It stays inside the picture. Small cells say nothing
// themselves, so this is how one reads them.
func Tooltip(l *scene.List, f *sim.Frame, v *act.View, at geom.Rect) {
	name, state := Name(f, v.Hover)
	if name == "" || at.Empty() {
		return
	}
	d := newPen(l, f, v)
	size, pad := l.Size(), d.s.Px(8)
	text := name + ": " + state
	w := d.Width(d.fonts.Idle, text) + 2*pad
	if w > size.W {
		text = name
		w = d.Width(d.fonts.Idle, text) + 2*pad
	}
	h := d.s.Px(24)
	if w > size.W || h > size.H {
		return
	}
	r := geom.Rect{X: max(0, min(at.X, size.W-w)), Y: at.Bottom() + d.s.Px(5), W: w, H: h}
	if r.Bottom() > size.H {
		r.Y = max(0, at.Y-d.s.Px(5)-h)
	}
	d.Rect(r, scene.Box{Fill: d.p.Raise, Border: d.p.Dim, Width: d.s.Px(1), Radius: d.s.Px(6)})
	d.Text(scene.Style{Font: d.fonts.Idle, Color: d.p.Ink}, r.X+pad, r.Y+d.s.Px(16), text)
}
