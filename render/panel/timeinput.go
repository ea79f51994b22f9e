package panel

import (
	"strandscope/render/act"
	"strandscope/render/geom"
	"strandscope/render/theme"
	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/sched"
)

// PointAt implements Pointed: a moment of a strand.
func (Timeline) PointAt(at geom.Point, f *sim.Frame, v *act.View, r geom.Rect) act.Pointing {
	t := viewTime(f.Machine, theme.ScaleOf(v.ScalePermille), r)
	w := &f.Timeline
	lane := t.laneAt(at.Y)
	if t.n == 0 || lane < 0 || at.X < t.area.X || at.X >= t.area.Right() || w.To <= w.From {
		return act.Pointing{}
	}
	p := act.Pointing{On: true, CPU: t.cpuOf(lane), At: t.time(w).Time(at.X)}
	if p.At < 0 || p.At > w.Now {
		return act.Pointing{}
	}
	return p
}

// Handle implements Panel. A click on a row selects its strand, one on the
// overview moves the window there. Dragging moves the window; with Shift, or on
// the overview, it chooses a new one. The wheel zooms.
func (Timeline) Handle(in Input, f *sim.Frame, v *act.View, r geom.Rect) act.Command {
	t := viewTime(f.Machine, theme.ScaleOf(v.ScalePermille), r)
	w := &f.Timeline
	scale, strip := t.time(w), t.whole(w)
	if t.n == 0 {
		return nil
	}
	switch in.Kind {
	case Hover:
	case Click:
		if in.At.In(t.overview) {
			return centre(v, f.Now, strip.Time(in.At.X))
		}
		if lane := t.laneAt(in.At.Y); lane >= 0 && t.kind == strandLanes {
			return act.Select{Selection: act.Selection{Kind: act.StrandSelection, CPU: t.cpuOf(lane), Thread: sched.None}}
		}
	case Drag:
		switch {
		case in.Start.In(t.overview):
			return choose(strip, in, 0, w.Now)
		case !in.Start.In(t.card):
		case in.Shift:
			return choose(scale, in, max(0, w.From), w.To)
		default:
			from, to := v.Shown(f.Now)
			by := clock.Duration(int64(to-from) * int64(in.DX) / int64(t.area.W))
			return moved(from.Add(-by), to.Add(-by))
		}
	case Wheel:
		return zoomed(v, f.Now, scale.Time(in.At.X), in.Notches)
	}
	return nil
}

// moved is the command for a window that was moved; it never begins before the
// run.
func moved(from, to clock.Time) act.Command {
	if from < 0 {
		from, to = 0, to-from
	}
	if to > act.MaxTime {
		from, to = from-(to-act.MaxTime), act.MaxTime
	}
	if from < 0 || to.Sub(from) < act.MinZoom {
		return nil
	}
	return act.Zoom{From: from, To: to}
}

// centre moves the window to a moment.
func centre(v *act.View, now, at clock.Time) act.Command {
	from, to := v.Shown(now)
	half := (to - from) / 2
	return moved(at-half, at+(to-from-half))
}

// choose is what a drag from one moment to another does: it marks, and at its
// end it shows what was marked.
func choose(scale geom.TimeScale, in Input, least, most clock.Time) act.Command {
	a, b := scale.Time(in.Start.X), scale.Time(in.At.X)
	if a > b {
		a, b = b, a
	}
	a, b = max(least, a), min(b, most)
	switch {
	case !in.Done:
		return act.Band{From: a, To: b}
	case b.Sub(a) < act.MinZoom:
		return act.Band{}
	}
	return act.Zoom{From: a, To: b}
}

// zoomStep is what a notch of the wheel or a key does to the time shown, in
// hundredths.
const zoomStep = 80

// zoomed zooms in by so many notches, out where they are negative, around a
// moment. A window that moves along with a run keeps doing so.
func zoomed(v *act.View, now, at clock.Time, notches int) act.Command {
	from, to := v.Shown(now)
	span := to.Sub(from)
	least, most := act.MinZoom, clock.Duration(max(v.Until(now), clock.Time(10*clock.Second)))
	next := span
	for range min(max(notches, -notches), 40) {
		if notches > 0 {
			next = max(least, next/100*zoomStep+next%100*zoomStep/100)
		} else {
			next = next/zoomStep*100 + next%zoomStep*100/zoomStep + 1
		}
	}
	switch {
	case notches == 0 || next == span:
		return nil
	case next >= most:
		return act.Follow{}
	case v.Timeline.Kind != act.Fixed && v.Playing && !v.Frozen:
		return act.Follow{Last: next}
	}
	at = max(from, min(at, to))
	// The moment stays where it is on the screen.
	left := geom.TimeScale{To: clock.Time(next), W: int(span)}.Time(int(at - from))
	return moved(at-left, at-left+clock.Time(next))
}

// Key implements Keyed. Plus and minus zoom, nought shows the whole run. While
// the cursor stands in the timeline, arrows move it: by a pixel, with Shift to
// the stay before or after, up and down to other strands.
func (Timeline) Key(key string, shift bool, f *sim.Frame, v *act.View, r geom.Rect) act.Command {
	from, to := v.Shown(f.Now)
	c := v.Cursor
	around := (max(0, from) + min(to, max(f.Now, from+1))) / 2
	if c.On && c.At >= from && c.At < to {
		around = c.At
	}
	switch key {
	case "+", "=":
		return zoomed(v, f.Now, around, 3)
	case "-", "_":
		return zoomed(v, f.Now, around, -3)
	case "0":
		return act.Follow{}
	case "t", "T":
		cpu := 0
		if v.Selected.Kind == act.StrandSelection {
			cpu = v.Selected.CPU
		}
		return act.Point{Cursor: sim.Cursor{On: true, CPU: cpu, At: max(0, min(around, f.Now))}}
	}
	if !c.On {
		return nil
	}
	t := viewTime(f.Machine, theme.ScaleOf(v.ScalePermille), r)
	pixel := max(1, (to-from)/clock.Time(max(1, t.n)))
	switch key {
	case "Escape":
		return act.Point{}
	case "ArrowLeft", "ArrowRight":
		c.At = besides(f, c, key == "ArrowRight", shift, pixel)
	case "ArrowUp":
		c.CPU = max(0, c.CPU-1)
	case "ArrowDown":
		c.CPU = min(c.CPU+1, len(f.CPUs)-1)
	case "Home":
		c.At = max(0, from)
	case "End":
		c.At = min(to-1, f.Now)
	case "Enter":
		if p := f.Pointed; p != nil && p.Thread >= 0 {
			return act.Select{Selection: act.Selection{Kind: act.ThreadSelection, Thread: p.Thread, CPU: sched.NoCPU}}
		}
		return nil
	default:
		return nil
	}
	c.At = max(0, min(c.At, f.Now))
	return act.Point{Cursor: c}
}

// besides is the moment left or right of the cursor.
func besides(f *sim.Frame, c sim.Cursor, right, stay bool, pixel clock.Time) clock.Time {
	p := f.Pointed
	known := p != nil && p.CPU == c.CPU && p.At == c.At
	switch {
	case stay && known && right:
		return max(p.To, c.At+1)
	case stay && known && c.At > p.From:
		return p.From
	case stay && known:
		return p.From - 1
	case right:
		return c.At + pixel
	}
	return c.At - pixel
}
