package plot

import (
	"strandscope/render/geom"
	"strandscope/render/scene"
	"strandscope/sim/clock"
	"strandscope/sim/stats"
)

// Chart is an area with a time axis and a value axis from 0 to Top.
type Chart struct {
	Area geom.Rect
	Time geom.TimeScale
	Now  clock.Time // curves end here: later is not known yet
	Top  int64      // whole figures, at least 1
}

// New lays a chart over an area. With span 0 it shows the whole run, but at
// least the time least, so that a run just begun does not look like an old one;
// otherwise it shows the last span, once that has passed.
func New(area geom.Rect, now clock.Time, span, least clock.Duration, top int64) Chart {
	from, to := clock.Time(0), max(now, clock.Time(least))
	if span > 0 {
		to = max(now, clock.Time(span))
		from = to.Add(-span)
	}
	return Over(area, now, from, to, top)
}

// Over lays a chart of a part of simulated time over an area.
func Over(area geom.Rect, now, from, to clock.Time, top int64) Chart {
	return Chart{
		Area: area, Now: now, Top: max(1, top),
		Time: geom.TimeScale{From: from, To: max(to, from+1), X: area.X, W: area.W},
	}
}

// Y is the height of a figure v/scale in line units, kept inside the area.
func (c *Chart) Y(v int64, scale int32) int {
	h := int64(c.Area.H) * scene.Sub
	up := v * h / (c.Top * int64(scale))
	return c.Area.Bottom()*scene.Sub - int(max(0, min(up, h)))
}

// column is what a pixel column, or a bucket wider than one, shows.
type column struct {
	x            int // line units
	lo, hi, last int32
}

// columns walks over a series in order of time, merging the buckets that fall
// into one pixel.
type columns struct {
	c    *Chart
	s    *stats.Series
	i, n int
	column
}

func (c *Chart) columns(s *stats.Series) columns {
	it := columns{c: c, s: s}
	if s.Step <= 0 || s.Len() == 0 {
		return it
	}
	it.i = max(0, int(int64(c.Time.From)/int64(s.Step))-s.First)
	it.n = min(s.Len(), int(int64(min(c.Now, c.Time.To))/int64(s.Step))+1-s.First)
	return it
}

func (it *columns) pixel(i int) int {
	return max(it.c.Area.X, it.c.Time.Pixel(it.s.Start(i), 1))
}

func (it *columns) next() bool {
	if it.i >= it.n {
		return false
	}
	i, px := it.i, it.pixel(it.i)
	it.lo, it.hi, it.last = it.s.Min[i], it.s.Max[i], it.s.Last[i]
	it.x = max(it.c.Area.X*scene.Sub, it.c.Time.Pixel(it.s.Start(i), scene.Sub))
	for i++; i < it.n && it.pixel(i) == px; i++ {
		it.lo, it.hi, it.last = min(it.lo, it.s.Min[i]), max(it.hi, it.s.Max[i]), it.s.Last[i]
	}
	it.i = i
	return true
}

// end is where curves end.
func (c *Chart) end() int {
	return min(c.Area.Right()*scene.Sub, c.Time.Pixel(c.Now, scene.Sub))
}

// Shape is how samples are joined.
type Shape uint8

// The shapes: Sloped for figures that change smoothly, Stepped for counts that
// hold until the next sample.
const (
	Sloped Shape = iota
	Stepped
)

// Line draws a series as a line. Stepped lines run on whole pixels, so that
// they come out crisp.
func (c *Chart) Line(l *scene.List, s *stats.Series, st scene.Stroke, shape Shape) {
	at := place{c: c, l: l, scale: s.Scale}
	if shape == Stepped {
		at.width = max(1, (st.Width+scene.Sub/2)/scene.Sub)
		st.Width = at.width * scene.Sub
	}
	it := c.columns(s)
	var held int32
	begun := false
	l.BeginLine()
	for it.next() {
		if shape == Stepped && begun {
			if it.lo == held && it.hi == held {
				continue
			}
			at.to(it.x, held)
		}
		if it.lo != it.hi {
			// The extreme farther from where the column ends comes first.
			first, second := it.lo, it.hi
			if it.last-it.lo < it.hi-it.last {
				first, second = second, first
			}
			at.to(it.x, first)
			at.to(it.x, second)
		}
		at.to(it.x, it.last)
		held, begun = it.last, true
	}
	if begun {
		at.to(max(it.x, c.end()), held)
	}
	l.EndLine(st)
}

// place puts points of a series onto a line; with a width, in whole device
// pixels, so that a line of that width fills whole pixels.
type place struct {
	c     *Chart
	l     *scene.List
	scale int32
	width int
}

func (p *place) to(x int, v int32) {
	y := p.c.Y(int64(v), p.scale)
	if p.width > 0 {
		half := p.width % 2 * scene.Sub / 2
		x = x/scene.Sub*scene.Sub + half
		y = (y+scene.Sub/2)/scene.Sub*scene.Sub - half
	}
	p.l.To(x, y)
}

// Fill draws a series as an area standing on another, or on the axis when base
// is nil. Between the least and the greatest sample of a column the colour is
// half as strong.
func (c *Chart) Fill(l *scene.List, s, base *stats.Series, color scene.Color) {
	weak := color
	weak.A /= 2
	it := c.columns(s)
	more := it.next()
	for more {
		x, lo, hi := it.x, int64(it.lo), int64(it.hi)
		i := it.i - 1
		more = it.next()
		to := c.end()
		if more {
			to = it.x
		}
		var under int64
		if base != nil && i < base.Len() {
			under = int64(base.Last[i]) * int64(s.Scale) / int64(base.Scale)
		}
		c.bar(l, x, to, under, under+lo, s.Scale, color)
		c.bar(l, x, to, under+lo, under+hi, s.Scale, weak)
	}
}

func (c *Chart) bar(l *scene.List, x0, x1 int, lo, hi int64, scale int32, color scene.Color) {
	round := func(v int) int { return (v + scene.Sub/2) / scene.Sub }
	x, y := round(x0), round(c.Y(hi, scale))
	l.Fill(geom.Rect{X: x, Y: y, W: round(x1) - x, H: round(c.Y(lo, scale)) - y}, color)
}

// Greatest is the greatest sample in sight, in whole figures rounded up.
func (c *Chart) Greatest(s *stats.Series) int64 {
	var most int32
	for it := c.columns(s); it.next(); {
		most = max(most, it.hi)
	}
	if s.Scale == 0 {
		return 0
	}
	return (int64(most) + int64(s.Scale) - 1) / int64(s.Scale)
}
