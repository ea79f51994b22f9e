package panel

import (
	"fmt"
	"strconv"

	"strandscope/render/act"
	"strandscope/render/geom"
	"strandscope/render/scene"
	"strandscope/render/theme"
	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
)

// Timeline shows what each strand ran during the last seconds: a row for each
// strand, by core. Machines of many strands get a row for each core, and then
// one for several cores, whose height tells how many of their strands are busy.
type Timeline struct{}

// ID implements Panel.
func (Timeline) ID() string { return "timeline" }

// Title implements Panel.
func (Timeline) Title() string { return "Timeline" }

// Column implements Panel.
func (Timeline) Column() Column { return Main }

// MinSize implements Panel.
func (Timeline) MinSize() geom.Size {
	return geom.Size{W: 280, H: headingHeight + 2*lanesPad + 24 + axisHeight}
}

// Height implements Panel.
func (Timeline) Height(f *sim.Frame, s theme.Scale, _, most int) int {
	around := s.Px(headingHeight) + 2*s.Px(lanesPad) + s.Px(axisHeight)
	height := s.Px(lanesHeight)
	if most > 0 {
		height = max(s.Px(24), most-around)
	}
	g := layLanes(f.Machine, s, height)
	return around + max(s.Px(24), g.height())
}

// place is where the rows stand in a panel drawn in r, whose heading is cut off
// already: the card, and the rows' area in it without the room for labels.
func (g *lanes) place(s theme.Scale, r geom.Rect) (card, area geom.Rect) {
	pad := s.Px(lanesPad)
	card = r
	card.H = min(max(0, r.H-s.Px(axisHeight)), max(s.Px(24), g.height())+2*pad)
	area = card.Trim(pad, s.Px(6), pad, s.Px(6))
	area.Y += max(0, area.H-g.height()) / 2
	return card, area
}

func lanesIn(f *sim.Frame, s theme.Scale, r geom.Rect) lanes {
	return layLanes(f.Machine, s, max(s.Px(24), r.H-s.Px(axisHeight)-2*s.Px(lanesPad)))
}

// Draw implements Panel.
func (Timeline) Draw(l *scene.List, f *sim.Frame, v *act.View, r geom.Rect) {
	d := newPen(l, f, v)
	titles := []string{"Timeline — last 10 s", "Timeline", "Last 10 s"}
	_, rest := r.CutTop(d.s.Px(headingHeight))
	g := lanesIn(f, d.s, rest)
	d.heading(r, titles, timelineValues(f, g.kind)...)
	card, area := g.place(d.s, rest)
	if area.Empty() || g.h < 1 || f.Timeline.CPUs() != len(f.CPUs) {
		return
	}
	d.card(card, 8)
	_, area = area.CutLeft(d.laneLabels(&g, card, area))
	px := max(d.s.Px(1), geom.CeilDiv(area.W, maxColumns))
	if area.W < 8*px {
		return
	}
	var cols laneTime
	cols.begin(&f.Timeline, sim.TimelineSpan, area.W/px)
	area.X, area.W = area.Right()-cols.n*px, cols.n*px
	d.timeAxis(&cols, card, area)
	for lane := range g.n {
		d.lane(&g, &cols, lane, g.row(area, lane), px)
	}
	d.markLane(&g, area)
}

// timelineValues say what the marks mean, and what is missing.
func timelineValues(f *sim.Frame, kind laneKind) []value {
	t := &f.Timeline
	var v value
	switch {
	case t.Whole > max(0, t.From):
		v.warn = fmt.Sprintf("only the last %.1f s are kept", float64(t.To-t.Whole)/float64(clock.Second))
	case t.Waited(max(0, t.From), t.To) > 0 && f.Totals.Busy < f.Totals.Strands:
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

// laneLabels names the rows and returns the width that the names take.
func (d *pen) laneLabels(g *lanes, card, area geom.Rect) int {
	st := scene.Style{Font: d.fonts.Tick, Color: d.p.Dim}
	size := int(st.Font.Size) / scene.Unit
	var buf [24]byte
	name := func(lane int) []byte {
		core, place := g.core(lane)
		if g.kind == heatLanes || len(g.m.CPUs) == len(g.m.Cores) {
			return strconv.AppendInt(append(buf[:0], "cpu"...), int64(g.m.Cores[core][place]), 10)
		}
		return strconv.AppendInt(append(buf[:0], "core "...), int64(core), 10)
	}
	width := scene.Width(d.Metrics(), st.Font, name(g.n-1)) + d.s.Px(10)
	if width > area.W/3 {
		return 0
	}
	free, last := card.Y, -1
	for lane := range g.n {
		core, place := g.core(lane)
		if core == last {
			continue
		}
		last = core
		r := g.row(area, lane)
		if g.kind == strandLanes {
			r.H = g.h * len(g.m.Cores[core])
		}
		base := r.Y + (r.H+size*7/10)/2
		if r.H < size || g.kind == heatLanes {
			base = max(base, r.Y+size*7/10)
		}
		if place == 0 && base-size*8/10 >= free && base <= card.Bottom() {
			d.TextBytes(st, area.X+d.s.Px(1), base, name(lane))
			free = base + size*3/10
		}
	}
	return width
}

// timeAxis writes how long ago, below the card.
func (d *pen) timeAxis(c *laneTime, card, area geom.Rect) {
	st := scene.Style{Font: d.fonts.Tick, Color: d.p.Dim, Align: scene.Center}
	size := int(st.Font.Size) / scene.Unit
	step := int64(2)
	if area.W < 6*size*6 {
		step = 5
	}
	span := clock.Duration(c.n) * c.width
	var buf [16]byte
	for ago := int64(0); ago <= 10; ago += step {
		x := area.Right() - int(ago*int64(clock.Second)*int64(area.W)/int64(span))
		x = max(area.X, min(x, area.Right()-d.s.Px(1)))
		d.Fill(geom.Rect{X: x, Y: card.Bottom(), W: d.s.Px(1), H: d.s.Px(3)}, d.p.Line)
		text := append(strconv.AppendInt(append(buf[:0], "−"...), ago, 10), " s"...)
		w := scene.Width(d.Metrics(), st.Font, text)
		d.TextBytes(st, max(card.X+w/2, min(x, card.Right()-w/2-1)), card.Bottom()+d.s.Px(14), text)
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
	unknown ground = iota // before the run, or dropped
	quiet                 // idle
	beside                // idle while threads wait
	away                  // off-line
)

// lane draws a row: stretches of columns that look alike in one piece each.
func (d *pen) lane(g *lanes, c *laneTime, lane int, r geom.Rect, px int) {
	c.clear()
	g.each(lane, func(cpu int) { c.add(d.f.Timeline.CPU(cpu)) })
	c.finish()
	b := bars{h: r.H}
	var now cover
	from := 0
	for i := range c.n {
		next := c.cover(i, &b)
		if i > 0 && next != now {
			d.stretch(geom.Rect{X: r.X + from*px, Y: r.Y, W: (i - from) * px, H: r.H}, now)
			from = i
		}
		now = next
	}
	d.stretch(geom.Rect{X: r.X + from*px, Y: r.Y, W: (c.n - from) * px, H: r.H}, now)
}

// cover says how a column looks.
func (c *laneTime) cover(i int, b *bars) cover {
	cell, whole := &c.cells[i], c.whole(i)
	busy, idle, off := cell.spent[colBusy], cell.spent[colIdle], cell.spent[colOff]
	x := cover{thread: sched.None, px: b.next(busy, whole)}
	if x.px > 0 && c.cpus == 1 {
		x.thread = cell.thread
	}
	if x.px == b.h {
		return x
	}
	switch {
	case 2*(busy+idle+off) < whole:
	case off > idle:
		x.ground = away
	case cell.beside > 0 && 2*cell.beside >= idle:
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

// Handle implements Panel: a click on a strand's row selects the strand.
func (Timeline) Handle(in Input, f *sim.Frame, v *act.View, r geom.Rect) act.Command {
	s := theme.ScaleOf(v.ScalePermille)
	_, rest := r.CutTop(s.Px(headingHeight))
	g := lanesIn(f, s, rest)
	_, area := g.place(s, rest)
	if in.Kind != Click || g.kind != strandLanes {
		return nil
	}
	for lane := range g.n {
		if in.At.In(g.row(area, lane)) {
			core, place := g.core(lane)
			cpu := g.m.Cores[core][place]
			return act.Select{Selection: act.Selection{Kind: act.StrandSelection, CPU: cpu, Thread: sched.None}}
		}
	}
	return nil
}

// Describe implements Panel.
func (Timeline) Describe(f *sim.Frame, _ *act.View) string {
	t := &f.Timeline
	from := max(0, t.From, t.Whole)
	span := t.To.Sub(from)
	if span <= 0 || t.CPUs() == 0 {
		return "Timeline: no time has passed yet."
	}
	var sum laneSums
	for cpu := range t.CPUs() {
		sum.add(t, cpu, from)
	}
	all := span * clock.Duration(t.CPUs())
	text := fmt.Sprintf("Over the last %s s the strands were busy %s %% of the time", tenths(span, clock.Second), tenths(100*sum.busy, all))
	if sum.beside > 0 {
		text += fmt.Sprintf(" and idle while work waited %s %%", tenths(100*sum.beside, all))
	}
	text += fmt.Sprintf("; %d of %d ran without a pause, %d ran nothing.", sum.full, t.CPUs(), sum.empty)
	if t.Whole > max(0, t.From) {
		text += " What was before that is not kept: there was no room for more."
	}
	return text
}

// tenths writes a quotient to one decimal, which a whole number does without.
func tenths(a, b clock.Duration) string {
	n := (10*int64(a) + int64(b)/2) / int64(b)
	if n%10 == 0 {
		return strconv.FormatInt(n/10, 10)
	}
	return fmt.Sprintf("%d.%d", n/10, n%10)
}

// laneSums add up what strands did.
type laneSums struct {
	busy, beside clock.Duration
	full, empty  int
}

func (s *laneSums) add(t *stats.Strip, cpu int, from clock.Time) {
	marks := t.CPU(cpu)
	var busy clock.Duration
	for i, m := range marks {
		a, b := max(m.At, from), t.To
		if i+1 < len(marks) {
			b = marks[i+1].At
		}
		switch {
		case a >= b:
		case m.Thread >= 0:
			busy += b.Sub(a)
		case m.Thread == sched.None:
			s.beside += t.Waited(a, b)
		}
	}
	s.busy += busy
	if busy == 0 {
		s.empty++
	} else if busy == t.To.Sub(from) {
		s.full++
	}
}
