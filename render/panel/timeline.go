package panel

import (
	"fmt"
	"strconv"

	"strandscope/render/act"
	"strandscope/render/geom"
	"strandscope/render/plot"
	"strandscope/render/scene"
	"strandscope/render/theme"
	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
)

// Timeline shows what each strand ran in a part of the run: a row for each
// strand, by core. Machines of many strands get a row for each core, and then
// one for several cores. The height of a column's colour is the exact share of
// its time that the row's strands were busy, within one pixel; the colour is
// that of the thread with the longest stay. A strip below shows the whole run.
type Timeline struct{}

// ID implements Panel.
func (Timeline) ID() string { return "timeline" }

// Title implements Panel.
func (Timeline) Title() string { return "Timeline" }

// Column implements Panel.
func (Timeline) Column() Column { return Main }

// MinSize implements Panel.
func (Timeline) MinSize() geom.Size {
	return geom.Size{W: 280, H: headingHeight + 2*lanesPad + 24 + axisHeight + overviewHeight}
}

// Height implements Panel.
func (Timeline) Height(f *sim.Frame, s theme.Scale, _, most int) int {
	around := s.Px(headingHeight) + 2*s.Px(lanesPad) + s.Px(axisHeight) + s.Px(overviewHeight)
	height := s.Px(lanesHeight)
	if most > 0 {
		height = max(s.Px(24), most-around)
	}
	g := layLanes(f.Machine, s, height)
	return around + max(s.Px(24), g.height())
}

// Draw implements Panel.
func (Timeline) Draw(l *scene.List, f *sim.Frame, v *act.View, r geom.Rect) {
	d := newPen(l, f, v)
	t := viewTime(f.Machine, d.s, r)
	w := &f.Timeline
	d.heading(r, timelineTitles(f, v), timelineValues(f, t.kind)...)
	if t.card.Trim(d.s.Px(lanesPad), 0, d.s.Px(lanesPad), 0).Empty() || t.n == 0 {
		return
	}
	d.card(t.card, 8)
	d.laneLabels(&t)
	if w.Rows() != t.lanes.n || w.Columns == 0 {
		return
	}
	d.timeAxis(&t)
	for lane := range t.lanes.n {
		d.lane(w, lane, t.row(t.area, lane), t.px)
	}
	d.markLane(&t.lanes, t.area)
	d.overview(&t)
	d.band(&t)
	d.timeCursor(&t)
}

// timelineTitles say what time is shown, from long to short.
func timelineTitles(f *sim.Frame, v *act.View) []string {
	what := shownWords(f, v)
	return []string{"Timeline — " + what, "Timeline", what}
}

// shownWords names the time shown.
func shownWords(f *sim.Frame, v *act.View) string {
	from, to := v.Shown(f.Now)
	switch {
	case v.Timeline.Kind == act.Whole && !v.Frozen:
		return "the whole run"
	case v.Timeline.Kind == act.Latest && !v.Frozen:
		return "last " + length(to.Sub(from))
	}
	step := max(1, int64(to-from)/1000)
	return moment(max(0, from), step) + " to " + moment(to, step)
}

// timelineValues say what the marks mean, and what is missing.
func timelineValues(f *sim.Frame, kind laneKind) []value {
	w := &f.Timeline
	var v value
	var beside clock.Duration
	for i := range w.Sums {
		beside += w.Sums[i].Beside
	}
	switch {
	case w.Whole > max(0, w.From):
		v.warn = fmt.Sprintf("before %s only sums of %s are kept", moment(w.Whole, int64(clock.Second)), length(w.Step))
	case beside > 0:
		v.text = "hatched: idle while work waits"
	}
	long := v
	if kind != strandLanes {
		long.text = "height: share of strands busy"
		if v.text != "" {
			long.text += " · " + v.text
		}
	}
	return []value{long, v, {warn: v.warn}}
}

// laneLabels names the rows.
func (d *pen) laneLabels(t *timeView) {
	left := t.card.X + d.s.Px(6)
	if t.area.X-left < d.s.Px(20) {
		return
	}
	st := scene.Style{Font: d.fonts.Tick, Color: d.p.Dim}
	size := int(st.Font.Size) / scene.Unit
	var buf [24]byte
	free, last := t.card.Y, -1
	for lane := range t.lanes.n {
		core, place := t.core(lane)
		if core == last {
			continue
		}
		last = core
		r := t.row(t.area, lane)
		if t.kind == strandLanes {
			r.H = t.h * len(t.m.Cores[core])
		}
		base := r.Y + (r.H+size*7/10)/2
		if r.H < size || t.kind == heatLanes {
			base = max(base, r.Y+size*7/10)
		}
		if place == 0 && base-size*8/10 >= free && base <= t.card.Bottom() {
			d.TextBytes(st, left+d.s.Px(1), base, t.name(buf[:0], lane))
			free = base + size*3/10
		}
	}
}

// timeAxis writes the time below the card: how long ago where the window moves
// along, else the time of the run.
func (d *pen) timeAxis(t *timeView) {
	st := scene.Style{Font: d.fonts.Tick, Color: d.p.Dim}
	w := &d.f.Timeline
	scale := t.time(w)
	ticker := plot.Clock{}
	if d.v.Timeline.Kind == act.Latest && !d.v.Frozen {
		ticker.Before = w.Now
	}
	size := int(st.Font.Size) / scene.Unit
	span := int64(w.To - w.From)
	step := ticker.Step(span, max(1, min(8, t.area.W/(size*11))))
	var buf [32]byte
	free := t.card.X
	for at := ticker.First(int64(w.From), step); at <= int64(w.To); at += step {
		x := min(scale.Pixel(clock.Time(at), 1), t.area.Right()-d.s.Px(1))
		if at < 0 || x < t.area.X {
			continue
		}
		d.Fill(geom.Rect{X: x, Y: t.axis.Y, W: d.s.Px(1), H: d.s.Px(3)}, d.p.Line)
		text := d.SayBytes(ticker.Label(buf[:0], at, step))
		width := scene.Width(d.Metrics(), st.Font, text)
		left := max(t.card.X, min(x-width/2, t.card.Right()-width-1))
		if left >= free {
			d.TextBytes(st, left, t.axis.Y+d.s.Px(14), text)
			free = left + width + size/2
		}
	}
}

// cover is how a stretch of a row looks.
type cover struct {
	px     int            // busy height
	thread sched.ThreadID // whose colour that has
	ground ground
}

type ground uint8

const (
	unknown ground = iota // before the run, or not yet
	quiet                 // idle
	beside                // idle while threads wait
	away                  // off-line
)

// lane draws a row: stretches of columns that look alike in one piece each.
func (d *pen) lane(w *stats.Window, lane int, r geom.Rect, px int) {
	b := bars{h: r.H}
	var now cover
	from := 0
	cpus := clock.Duration(w.RowCPUs[lane])
	cells := w.Row(lane)
	for i := range cells {
		next := coverOf(&cells[i], w.Passed(i)*cpus, &b)
		if i > 0 && next != now {
			d.stretch(geom.Rect{X: r.X + from*px, Y: r.Y, W: (i - from) * px, H: r.H}, now)
			from = i
		}
		now = next
	}
	// A window for another size of the picture is cut off.
	end := min(len(cells)*px, r.W)
	d.stretch(geom.Rect{X: r.X + from*px, Y: r.Y, W: max(0, end-from*px), H: r.H}, now)
}

// coverOf says how a column looks.
func coverOf(c *stats.Cell, whole clock.Duration, b *bars) cover {
	busy := c.Busy()
	x := cover{thread: sched.None, px: b.next(busy, whole)}
	if x.px > 0 {
		x.thread = c.Thread
	}
	idle := whole - busy - c.Off
	switch {
	case x.px == b.h || whole == 0:
	case c.Off > idle:
		x.ground = away
	case c.Beside > 0 && 2*c.Beside >= idle:
		x.ground = beside
	default:
		x.ground = quiet
	}
	return x
}

func (d *pen) stretch(r geom.Rect, x cover) {
	bar, rest := r.CutBottom(x.px)
	switch x.ground {
	case unknown:
	case quiet:
		d.Fill(rest, d.p.Idle)
	case beside:
		d.Rect(rest, scene.Box{Fill: d.p.Idle, Hatch: d.p.Warn.Alpha(150), HatchPitch: max(4, d.s.Px(6)), HatchWidth: d.s.Px(1)})
	case away:
		line := max(1, d.s.Px(1)/2)
		d.Fill(geom.Rect{X: rest.X, Y: rest.Y + rest.H/2, W: rest.W, H: line}, d.p.Faint)
	}
	c := d.p.Accent
	if x.thread >= 0 {
		c = d.p.Thread(x.thread)
	}
	d.Fill(bar, c)
}

// markLane points at the row of the strand that is selected.
func (d *pen) markLane(g *lanes, area geom.Rect) {
	sel := d.v.Selected
	if sel.Kind != act.StrandSelection || sel.CPU < 0 || sel.CPU >= len(d.f.CPUs) {
		return
	}
	if lane := g.of(sel.CPU); lane >= 0 {
		r := g.row(area, lane)
		h := max(r.H, d.s.Px(3))
		d.Fill(geom.Rect{X: area.X - d.s.Px(6), Y: r.Y + (r.H-h)/2, W: d.s.Px(4), H: h}, d.p.Ink)
	}
}

// Describe implements Panel.
func (Timeline) Describe(f *sim.Frame, v *act.View) string {
	w := &f.Timeline
	from, to := max(0, w.From), min(w.To, w.Now)
	if from >= to || len(w.Sums) == 0 {
		if w.Now > 0 && w.From > w.Now {
			return fmt.Sprintf("Timeline: the run has not come to %s yet.", shownWords(f, v))
		}
		return "Timeline: no time has passed yet."
	}
	span := to.Sub(from)
	var all stats.Sums
	full, empty := 0, 0
	for i := range w.Sums {
		s := &w.Sums[i]
		all.Add(*s)
		if busy := s.Busy(); busy == 0 {
			empty++
		} else if busy == span {
			full++
		}
	}
	whole := span * clock.Duration(len(w.Sums))
	text := fmt.Sprintf("%s the strands were busy %s %% of the time", over(f, v, span), tenths(100*all.Busy(), whole))
	if all.Beside > 0 {
		text += fmt.Sprintf(" and idle while work waited %s %%", tenths(100*all.Beside, whole))
	}
	text += fmt.Sprintf("; %d of %d ran without a pause, %d ran nothing.", full, len(w.Sums), empty)
	if w.Whole > from {
		text += fmt.Sprintf(" Of what was before %s only sums over %s are kept: there was no room for more.",
			moment(w.Whole, int64(clock.Second)), length(w.Step))
	}
	if c := v.Cursor; c.On {
		text += " " + cursorInWords(f, c)
	}
	return text
}

// over begins the sentence about the time shown.
func over(f *sim.Frame, v *act.View, span clock.Duration) string {
	switch {
	case v.Timeline.Kind == act.Latest && !v.Frozen:
		return fmt.Sprintf("Over the last %s s", tenths(span, clock.Second))
	case v.Timeline.Kind == act.Whole && !v.Frozen:
		return "Over the whole run"
	}
	return "From " + shownWords(f, v)
}

// tenths writes a quotient to one decimal, which a whole number does without.
func tenths(a, b clock.Duration) string {
	for b > 1<<50 { // so that ten times it can be held
		a, b = a>>1, b>>1
	}
	n := (10*int64(a) + int64(b)/2) / int64(b)
	if n%10 == 0 {
		return strconv.FormatInt(n/10, 10)
	}
	return fmt.Sprintf("%d.%d", n/10, n%10)
}
