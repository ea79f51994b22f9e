//go:build !js || full

package panel

import (
	"strconv"

	"strandscope/render/geom"
	"strandscope/render/scene"
	"strandscope/render/theme"
	"strandscope/sim"
	"strandscope/sim/sched"
)

// Kernels after 2.2 have queues of their own for each CPU: two arrays by priority, or a
// tree by virtual time. The panel shows each as a line, first on the left, next.

// line is what waits at one place.
type line struct {
	label   string
	expired bool
	tree    bool
	ids     []sched.ThreadID
	more    []sched.ThreadID // behind those, in the same line
}

func (n *line) count() int { return len(n.ids) + len(n.more) }

// at is the i-th in turn.
func (n *line) at(i int) sched.ThreadID {
	if i < len(n.ids) {
		return n.ids[i]
	}
	return n.more[i-len(n.ids)]
}

// linesOf is nil where queues are not of that kind, or there are more lines than rows.
func linesOf(f *sim.Frame) []line {
	arrays := hasField(f, "array")
	each := 1
	if arrays {
		each = 2
	}
	if !arrays && !hasField(f, "vruntime") || each*len(f.CPUs) > smallRows {
		return nil
	}
	all := make([]line, each*len(f.CPUs))
	for cpu := range f.CPUs {
		name := "cpu" + strconv.Itoa(cpu)
		all[each*cpu].label, all[each*cpu].tree = name, !arrays
		if arrays {
			all[2*cpu].label = name + " active"
			all[2*cpu+1] = line{label: "expired", expired: true}
		}
	}
	for i := range f.Queues {
		q := &f.Queues[i]
		switch n := &all[each*q.CPU]; {
		case q.Name == "expired":
			all[2*q.CPU+1].ids = q.Waiting
		case n.ids == nil: // real-time tasks come first
			n.ids = q.Waiting
		default:
			n.more = q.Waiting
		}
	}
	return all
}

// lineBoxes is how lines stand in the card.
type lineBoxes struct {
	boxes
	label int // width of the names
	each  int // rows of a line
	lines int
}

// layLines has as many rows as the longest queue of the run so far would need, were it
// the same on every CPU.
func layLines(f *sim.Frame, s theme.Scale, r geom.Rect, all []line) lineBoxes {
	more := s.Px(7) * max(0, digits(f)-4)
	g := lineBoxes{boxes: boxes{w: s.Px(27) + more, h: s.Px(17), gap: s.Px(3), pad: s.Px(9), small: true}, label: s.Px(40), lines: len(all)}
	if all[0].label != "cpu0" {
		g.label = s.Px(74)
	}
	if len(all) <= 2 { // one CPU: there is room for figures
		g.small, g.w, g.h = false, s.Px(33)+more, s.Px(36)
	}
	g.area = r.Trim(g.pad, s.Px(12), g.pad, s.Px(12)+g.label)
	g.area.X = r.X + s.Px(12) + g.label
	g.cols = max(1, (g.area.W+g.gap)/(g.w+g.gap))
	longest := geom.CeilDiv(max(f.Totals.Waiting, int(f.Plots.RunQueue.Most)), len(f.CPUs))
	g.each = max(1, min(geom.CeilDiv(longest, g.cols), smallRows/len(all)))
	for r.H > 0 && g.each > 1 && g.height() > r.H {
		g.each--
	}
	g.rows = g.each
	return g
}

func (g *lineBoxes) height() int {
	return 2*g.pad + g.lines*g.each*(g.h+g.gap) - g.gap + (g.lines-1)*g.gap
}

// top is where a line begins.
func (g *lineBoxes) top(line int) int { return g.area.Y + line*(g.each*(g.h+g.gap)+g.gap) }

// visit goes through the boxes until told to stop.
func (g *lineBoxes) visit(all []line, visit func(n *line, id sched.ThreadID, box geom.Rect) bool) {
	for k := range all {
		b := g.boxes
		b.area.Y = g.top(k)
		for i := range max(0, b.shown(all[k].count())) {
			if !visit(&all[k], all[k].at(i), b.box(i)) {
				return
			}
		}
	}
}

// linesHeight is the height of the card; ok is false where there are no lines, here and
// below.
func linesHeight(f *sim.Frame, s theme.Scale, width int) (h int, ok bool) {
	all := linesOf(f)
	if all == nil {
		return 0, false
	}
	g := layLines(f, s, geom.Rect{W: width}, all)
	return g.height(), true
}

// seekLines visits the boxes until visit says that it has found what it looks for.
func seekLines(f *sim.Frame, s theme.Scale, card geom.Rect, visit func(id sched.ThreadID, box geom.Rect) (found bool)) bool {
	all := linesOf(f)
	if all == nil {
		return false
	}
	g := layLines(f, s, card, all)
	g.visit(all, func(_ *line, id sched.ThreadID, box geom.Rect) bool { return !visit(id, box) })
	return true
}

// lines draws them.
func (d *pen) lines(card geom.Rect) bool {
	all := linesOf(d.f)
	if all == nil {
		return false
	}
	g := layLines(d.f, d.s, card, all)
	if h := g.height(); h < card.H {
		card.H = h
	}
	d.card(card, 10)
	if g.top(len(all)-1)+g.h > card.Bottom() {
		return true
	}
	st := scene.Style{Font: d.fonts.CPU, Color: d.p.Dim}
	for k := range all {
		n := &all[k]
		y, x := g.top(k), card.X+d.s.Px(12)
		base := y + g.h/2 + d.s.Px(4)
		if n.expired {
			st.Align = scene.Right
			x = g.area.X - d.s.Px(8)
		}
		d.Text(st, x, base, n.label)
		st.Align = scene.Left
		if n.count() == 0 {
			d.Text(scene.Style{Font: d.fonts.CPU, Color: d.p.Dim}, g.area.X, base, "empty")
		}
		b := g.boxes
		b.area.Y = y
		if shown := max(0, b.shown(n.count())); shown < n.count() {
			d.more(&b, shown, n.count()-shown)
		}
	}
	last := (*line)(nil)
	g.visit(all, func(n *line, id sched.ThreadID, box geom.Rect) bool {
		if t := thread(d.f, id); n != last && t != nil && (t.Key != 0 || !n.tree) {
			last, d.first = n, t.Key
		}
		d.back = n.expired
		d.entry(box, id, g.small)
		return true
	})
	d.back = false
	return true
}

// lineHeading is the heading's forms, long to short.
func lineHeading(f *sim.Frame, values []value) (titles []string, _ []value, ok bool) {
	all := linesOf(f)
	if all == nil {
		return nil, nil, false
	}
	if !all[0].tree {
		return []string{"Run queue — two arrays for each CPU, by priority", "Run queue — active and expired arrays", "Run queue"}, values, true
	}
	if hasField(f, "lag") {
		_, eligible := waitingIn(f, all)
		text := strconv.Itoa(f.Totals.Waiting) + " waiting · " + strconv.Itoa(eligible) + " eligible"
		return []string{"Run queue — a tree for each CPU, by virtual deadline", "Run queue — by virtual deadline", "Run queue"},
			append([]value{{text: text}}, values...), true
	}
	return []string{"Run queue — a tree for each CPU, by virtual runtime", "Run queue — by virtual runtime", "Run queue"}, values, true
}

func hasField(f *sim.Frame, name string) bool {
	for i := range f.Fields {
		if f.Fields[i].Name == name {
			return true
		}
	}
	return false
}

// waitingIn counts those in expired arrays, and those that are eligible.
func waitingIn(f *sim.Frame, all []line) (expired, eligible int) {
	for k := range all {
		n := &all[k]
		if n.expired {
			expired += n.count()
		}
		for i := range n.count() {
			if t := thread(f, n.at(i)); t != nil && !t.Owing {
				eligible++
			}
		}
	}
	return expired, eligible
}

// lineText says in words what lines show beside the order.
func lineText(f *sim.Frame) string {
	all := linesOf(f)
	if all == nil {
		return ""
	}
	expired, eligible := waitingIn(f, all)
	switch {
	case !all[0].tree:
		return " Of them " + strconv.Itoa(expired) + " are in expired arrays."
	case hasField(f, "lag"):
		return " Of them " + strconv.Itoa(eligible) + " are eligible."
	}
	return ""
}

// appendMillis writes microseconds of virtual time as milliseconds with a sign.
func appendMillis(b []byte, us int64) []byte {
	sign := byte('+')
	if us < 0 {
		sign, us = '-', -us
	}
	b = append(b, sign)
	b = strconv.AppendInt(b, us/1000, 10)
	if us < 10_000 {
		b = append(b, '.', byte('0'+us/100%10))
	}
	return b
}
