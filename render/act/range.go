package act

import (
	"fmt"

	"strandscope/sim"
	"strandscope/sim/clock"
)

// Limits of what a timeline shows: at least so much, and at most until MaxTime,
// 30 simulated days, which is also as far as one may seek.
const (
	MinZoom = clock.Microsecond
	MaxTime = clock.Time(30 * 24 * clock.Hour)
)

// Range is a part of simulated time. The zero value is the last
// sim.TimelineSpan.
type Range struct {
	Kind     RangeKind
	From, To clock.Time     // of Fixed
	Last     clock.Duration // of Latest; 0: sim.TimelineSpan
}

// RangeKind says how a range moves.
type RangeKind uint8

// The kinds of range.
const (
	Latest RangeKind = iota // the last so much time, up to now
	Whole                   // from the start of the run until now
	Fixed                   // does not move
)

// PlotRange is what time the plots show. The zero value is the whole run.
type PlotRange struct {
	Last clock.Duration // up to now
	Same bool           // as the timeline
}

// Pointing is what moment the pointer is at.
type Pointing struct {
	On   bool
	Plot bool // in a plot; otherwise on a strand of the timeline
	CPU  int
	At   clock.Time
}

// Until is where timeline and plots end: now, or where they were frozen.
func (v *View) Until(now clock.Time) clock.Time {
	if v.Frozen {
		return min(v.FrozenAt, now)
	}
	return now
}

// leastWhole is the shortest time that stands for a whole run, so that one just
// begun does not look like an old one.
const leastWhole = 10 * clock.Second

// Shown is the part of simulated time that the timeline shows. It may begin
// before the run, and end after now.
func (v *View) Shown(now clock.Time) (from, to clock.Time) {
	r, end := v.Timeline, v.Until(now)
	switch r.Kind {
	case Fixed:
		return r.From, r.To
	case Whole:
		return 0, max(end, clock.Time(leastWhole))
	case Latest:
	}
	last := r.Last
	if last == 0 {
		last = sim.TimelineSpan
	}
	return end.Add(-last), end
}

// ShownInPlots is the part of simulated time that plots show, at least so much
// of a whole run.
func (v *View) ShownInPlots(now clock.Time, least clock.Duration) (from, to clock.Time) {
	end := v.Until(now)
	switch {
	case v.Plots.Same:
		from, to = v.Shown(now)
		if from < 0 {
			from, to = 0, to-from
		}
		return from, to
	case v.Plots.Last > 0:
		to = max(end, clock.Time(v.Plots.Last))
		return to.Add(-v.Plots.Last), to
	}
	return 0, max(end, clock.Time(least))
}

// Cursored is where the cursor stands: at the pointer, else where keys left it.
func (v *View) Cursored() sim.Cursor {
	if p := v.Pointing; p.On && !p.Plot {
		return sim.Cursor{On: true, CPU: p.CPU, At: p.At}
	}
	return v.Cursor
}

// Apply obeys the commands that only change how the run is shown. It reports
// whether c is one of them; what is out of bounds is refused in a sentence.
func (v *View) Apply(c Command, now clock.Time, cpus int) (mine bool, err error) {
	switch c := c.(type) {
	case Zoom:
		switch {
		case c.From < 0 || c.To > MaxTime:
			err = fmt.Errorf("zoom: from %v to %v, want times from 0 to %v", c.From, c.To, MaxTime)
		case c.To.Sub(c.From) < MinZoom:
			err = fmt.Errorf("zoom: to is %d ns after from, want %d ns or more", c.To.Sub(c.From), MinZoom)
		default:
			v.Timeline, v.Band = Range{Kind: Fixed, From: c.From, To: c.To}, Band{}
		}
	case Follow:
		switch {
		case c.Last == 0:
			v.Timeline = Range{Kind: Whole}
		case c.Last < MinZoom || c.Last > clock.Duration(MaxTime):
			err = fmt.Errorf("follow: last is %d ns, want 0 for the whole run, or %d to %d", c.Last, MinZoom, MaxTime)
		default:
			v.Timeline = Range{Last: c.Last}
		}
		v.Band = Band{}
	case Point:
		if c.Cursor.On && (c.Cursor.CPU < 0 || c.Cursor.CPU >= cpus) {
			return true, fmt.Errorf("point: strand %d does not exist, want 0 to %d", c.Cursor.CPU, cpus-1)
		}
		v.Cursor = c.Cursor
		v.Cursor.At = max(0, min(v.Cursor.At, now))
	case Freeze:
		v.Frozen, v.FrozenAt = c.On, now
	case Plots:
		if c.Last < 0 || c.Last > clock.Duration(MaxTime) {
			return true, fmt.Errorf("plots: last is %d ns, want 0 for the whole run, or up to %d", c.Last, MaxTime)
		}
		v.Plots = c.PlotRange
	case Band:
		v.Band = c
	case Arrange:
		if err := c.check(); err != nil {
			return true, fmt.Errorf("panels: %w", err)
		}
		v.Panels = c.Panels
	case Cores:
		v.Cores = c.On
	case Quiet:
		v.Quiet = c.On
	default:
		return false, nil
	}
	return true, err
}

// Restarted forgets what does not outlive a run.
func (v *View) Restarted() {
	v.Frozen, v.FrozenAt, v.Band = false, 0, Band{}
	v.Cursor, v.Pointing = sim.Cursor{}, Pointing{}
}
