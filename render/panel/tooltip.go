package panel

import (
	"fmt"
	"slices"

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
	if core := coreOf(f, v, v.Hover); core >= 0 {
		name, state = coreName(core), coreState(f, core)
	}
	d := newPen(l, f, v)
	size, pad := l.Size(), d.s.Px(8)
	text, w := "", 0
	for _, text = range []string{name + ": " + state + meterWords(f, v.Hover), name + ": " + state, name} {
		if w = d.Width(d.fonts.Idle, text) + 2*pad; w <= size.W {
			break
		}
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

// meterWords tells what the meter of a strand's core shows.
func meterWords(f *sim.Frame, sel act.Selection) string {
	if sel.Kind != act.StrandSelection || !sharesPipelines(f) {
		return ""
	}
	for core, ids := range f.Machine.Cores {
		if slices.Contains(ids, sel.CPU) {
			return fmt.Sprintf("; core %d uses %s of its issue slots (model)", core, percent(issueSlots(f, core), 1000))
		}
	}
	return ""
}
