package panel

import (
	"fmt"
	"strings"

	"strandscope/render/act"
	"strandscope/render/geom"
	"strandscope/render/scene"
	"strandscope/sim"
	"strandscope/sim/sched"
)

// Boxes visits the boxes of the waiting threads in a run queue drawn in r.
func Boxes(f *sim.Frame, v *act.View, r geom.Rect, visit func(id sched.ThreadID, box geom.Rect)) {
	seek(f, v, r, func(id sched.ThreadID, box geom.Rect) bool { visit(id, box); return false })
}

// Movement lays over the picture what moves: a token on its way, or, where nothing
// flies, an arrow from where a thread came. A move to another strand than the last
// one has a double head, one back into a queue an open one.
func Movement(l *scene.List, f *sim.Frame, v *act.View) {
	d := newPen(l, f, v)
	for i := range v.Motion.Moves {
		m := &v.Motion.Moves[i]
		if v.Motion.Still {
			d.arrow(m)
		} else {
			d.token(m)
		}
	}
}

// token draws a thread on its way. It starts and ends slowly.
func (d *pen) token(m *act.Move) {
	p := m.Progress
	eased := p * p / 1000 * (3000 - 2*p) / 1000 // 3p² − 2p³
	from, to := center(m.From), center(m.To)
	at := geom.Point{X: from.X + (to.X-from.X)*eased/1000, Y: from.Y + (to.Y-from.Y)*eased/1000}
	d.trail(from, at)
	w, h := d.s.Px(34), d.s.Px(18)
	box := geom.Rect{X: at.X - w/2, Y: at.Y - h/2, W: w, H: h}
	d.Rect(box, scene.Box{Fill: d.p.Thread(m.Thread), Border: d.p.Ink, Width: d.s.Px(1), Radius: d.s.Px(5)})
	if t := thread(d.f, m.Thread); t != nil {
		st := scene.Style{Font: d.fonts.SmallName, Color: d.p.Cell, Align: scene.Center}
		d.fitText(st, at.X, at.Y+d.s.Px(4), w-d.s.Px(2), fmt.Appendf(nil, "%d", t.PID))
	}
}

func (d *pen) trail(from, to geom.Point) {
	d.Line(scene.Stroke{Color: d.p.Ink.Alpha(110), Width: d.s.Sub(15)}, sub(from), sub(to))
}

// arrow draws where a thread came from and went to.
func (d *pen) arrow(m *act.Move) {
	from, to := center(m.From), center(m.To)
	dx, dy := to.X-from.X, to.Y-from.Y
	n := max(1, root(dx*dx+dy*dy))
	// The head is short of the middle, so that the name there can be read.
	back := min(n/2, d.s.Px(10))
	tip := geom.Point{X: to.X - dx*back/n, Y: to.Y - dy*back/n}
	under := scene.Stroke{Color: d.p.Panel, Width: d.s.Sub(50)}
	over := scene.Stroke{Color: d.p.Ink, Width: d.s.Sub(20)}
	for _, s := range []scene.Stroke{under, over} {
		d.Line(s, sub(from), sub(tip))
		d.head(s, tip, dx, dy, n, 0)
		if m.Kind == act.Migrated {
			d.head(s, tip, dx, dy, n, d.s.Px(6))
		}
	}
	r := d.s.Px(3)
	dot := scene.Box{Fill: d.p.Ink, Border: d.p.Panel, Width: d.s.Px(1), Radius: r}
	if m.Kind == act.PutBack {
		dot.Fill, dot.Border = d.p.Panel, d.p.Ink
	}
	d.Rect(geom.Rect{X: from.X - r, Y: from.Y - r, W: 2 * r, H: 2 * r}, dot)
}

// head draws an arrow's head, set back from the tip.
func (d *pen) head(s scene.Stroke, tip geom.Point, dx, dy, n, back int) {
	size := d.s.Px(7)
	tip = geom.Point{X: tip.X - dx*back/n, Y: tip.Y - dy*back/n}
	// Two strokes, back and to either side.
	ax, ay := dx*size/n, dy*size/n
	a := geom.Point{X: tip.X - ax - ay*6/10, Y: tip.Y - ay + ax*6/10}
	b := geom.Point{X: tip.X - ax + ay*6/10, Y: tip.Y - ay - ax*6/10}
	d.Line(s, sub(a), sub(tip), sub(b))
}

func center(r geom.Rect) geom.Point { return geom.Point{X: r.X + r.W/2, Y: r.Y + r.H/2} }

func sub(p geom.Point) geom.Point { return geom.Point{X: p.X * scene.Sub, Y: p.Y * scene.Sub} }

// root is the integer square root.
func root(n int) int {
	if n < 2 {
		return n
	}
	x := n
	for y := (x + 1) / 2; y < x; y = (x + n/x) / 2 {
		x = y
	}
	return x
}

// ratesOf tells how much moves in a second of simulated time, where it is too much to
// be shown.
func ratesOf(v *act.View) []string {
	m := &v.Motion
	if !m.Fast {
		return nil
	}
	long := fmt.Sprintf("%d switches/s", m.Switches)
	if m.Migrations > 0 {
		long += fmt.Sprintf(" · %d migrations/s", m.Migrations)
	}
	return []string{long, fmt.Sprintf("%d sw/s", m.Switches)}
}

// recalculation is what the run queue's heading says when all counters were.
const recalculation = "recalculation: counter = counter / 2 + priority"

// DescribeMotion tells what moved since the picture before, where arrows show it.
func DescribeMotion(f *sim.Frame, v *act.View) string {
	m := &v.Motion
	if !m.Still || len(m.Moves) == 0 && !m.Recalculated {
		return ""
	}
	var said []string
	if m.Recalculated {
		said = append(said, recalculation)
	}
	for i := range m.Moves {
		t := thread(f, m.Moves[i].Thread)
		if t == nil {
			continue
		}
		switch m.Moves[i].Kind {
		case act.Dispatched:
			said = append(said, fmt.Sprintf("%s %d came from the queue onto cpu%d", t.Name, t.PID, t.CPU))
		case act.PutBack:
			said = append(said, fmt.Sprintf("%s %d went back to wait", t.Name, t.PID))
		case act.Migrated:
			said = append(said, fmt.Sprintf("%s %d moved to cpu%d", t.Name, t.PID, t.CPU))
		}
	}
	return "Since the last step: " + strings.Join(said, "; ") + "."
}

// movedKey explains the arrows in the legend while there are any.
func (k *key) movedKey(v *act.View) {
	if !v.Motion.Still || len(v.Motion.Moves) == 0 {
		return
	}
	st := scene.Style{Font: k.fonts.Legend, Color: k.p.Dim}
	for _, words := range []string{"→ moved in the last step; double head: to another strand", "→ moved in the last step"} {
		w := k.Width(st.Font, words)
		if base, ok := k.place(w); ok {
			k.Text(st, k.x, base, words)
			k.x += w + k.s.Px(14)
			return
		}
	}
}
