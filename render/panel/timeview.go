package panel

import (
	"strconv"

	"strandscope/render/act"
	"strandscope/render/geom"
	"strandscope/render/scene"
	"strandscope/render/theme"
	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/machine"
	"strandscope/sim/stats"
)

// maxColumns bounds the columns of a timeline; in wider pictures a column is
// more than a CSS pixel wide.
const maxColumns = 1920

// timeView is where the parts of the timeline stand in its panel.
type timeView struct {
	lanes
	card, area geom.Rect // the rows, with and without their names
	axis       geom.Rect // below the card
	overview   geom.Rect // the whole run
	px, n      int       // columns: width and number
}

// viewTime lays the timeline out in r; the columns are 0 where there is no room.
func viewTime(m *machine.Machine, s theme.Scale, r geom.Rect) timeView {
	_, rest := r.CutTop(s.Px(headingHeight))
	pad, below := s.Px(lanesPad), s.Px(axisHeight)+s.Px(overviewHeight)
	t := timeView{lanes: layLanes(m, s, max(s.Px(24), rest.H-below-2*pad))}
	t.card = rest
	t.card.H = min(max(0, rest.H-below), max(s.Px(24), t.height())+2*pad)
	t.area = t.card.Trim(pad, s.Px(6), pad, s.Px(6))
	t.area.Y += max(0, t.area.H-t.height()) / 2
	_, t.area = t.area.CutLeft(t.gutter(s))
	t.px = max(s.Px(1), geom.CeilDiv(t.area.W, maxColumns))
	if t.n = t.area.W / t.px; t.n < 8 || t.h < 1 {
		t.n = 0
	}
	t.area.X, t.area.W = t.area.Right()-t.n*t.px, t.n*t.px
	t.axis = geom.Rect{X: t.card.X, Y: t.card.Bottom(), W: t.card.W, H: s.Px(axisHeight)}
	t.overview = geom.Rect{X: t.area.X, Y: t.axis.Bottom() + s.Px(2), W: t.area.W, H: s.Px(overviewHeight) - s.Px(2)}
	if t.overview.Bottom() > r.Bottom() {
		t.overview.H = 0
	}
	return t
}

// gutter is the room for the names of rows, 0 where they would take too much.
func (t *timeView) gutter(s theme.Scale) int {
	name := len(t.name(nil, t.lanes.n-1))
	w := name*int(s.Fonts().Tick.Size)*62/100/scene.Unit + s.Px(10)
	if w > t.area.W/3 {
		return 0
	}
	return w
}

// name appends what a row is called.
func (g *lanes) name(dst []byte, lane int) []byte {
	core, place := g.core(lane)
	if g.kind == heatLanes || len(g.m.CPUs) == len(g.m.Cores) {
		return strconv.AppendInt(append(dst, "cpu"...), int64(g.m.Cores[core][place]), 10)
	}
	return strconv.AppendInt(append(dst, "core "...), int64(core), 10)
}

// Look says which part of the past the panel wants to show when it is drawn in r.
func (Timeline) Look(f *sim.Frame, v *act.View, r geom.Rect, now clock.Time) stats.Query {
	t := viewTime(f.Machine, theme.ScaleOf(v.ScalePermille), r)
	q := stats.Query{Columns: t.n, Rows: make([]int32, len(f.CPUs))}
	q.From, q.To = v.Shown(now)
	for lane := range t.lanes.n {
		t.each(lane, func(cpu int) { q.Rows[cpu] = int32(lane) })
	}
	switch {
	case t.n == 0:
	case v.Timeline.Kind == act.Whole && v.Playing && !v.Frozen:
		// A window that grew with each frame would be made anew each time: it
		// grows by a sixteenth now and then.
		step := clock.Time(1)
		for step*32 <= q.To {
			step *= 2
		}
		q.To = (q.To + step - 1) / step * step
	case v.Timeline.Kind == act.Latest:
		// Columns begin at whole multiples of their width, so that what is past
		// looks the same in every frame.
		width := max(1, q.To.Sub(q.From)/clock.Duration(t.n))
		last := (int64(q.To) + int64(width) - 1) / int64(width)
		q.From, q.To = clock.Time((last-int64(t.n))*int64(width)), clock.Time(last*int64(width))
	}
	return q
}

// time is the scale of what is drawn.
func (t *timeView) time(w *stats.Window) geom.TimeScale {
	return geom.TimeScale{From: w.From, To: w.To, X: t.area.X, W: t.area.W}
}

// whole is the scale of the overview.
func (t *timeView) whole(w *stats.Window) geom.TimeScale {
	return geom.TimeScale{To: max(1, w.Now), X: t.overview.X, W: t.overview.W}
}

// laneAt is the row at a height, −1 if there is none.
func (t *timeView) laneAt(y int) int {
	for lane := range t.lanes.n {
		if r := t.row(t.area, lane); y >= r.Y && y < r.Bottom() {
			return lane
		}
	}
	return -1
}

// cpuOf is the CPU that a row stands for: its first.
func (t *timeView) cpuOf(lane int) int {
	cpu := -1
	t.each(lane, func(id int) {
		if cpu < 0 {
			cpu = id
		}
	})
	return cpu
}
