package plot

import (
	"strandscope/render/geom"
	"strandscope/render/scene"
	"strandscope/sim/clock"
)

// Axes draws the grid and writes the ticks.
type Axes struct {
	Values, Time Ticker
	Label        scene.Style
	Grid         scene.Color
	Line         int // thickness of the grid in device pixels
	// Gap is the room between a label and the area.
	Gap int
	// Card bounds the labels: none is written beyond it.
	Card geom.Rect
}

// count is how many ticks fit into a length without crowding, with room for each of
// perTick times the size of the font.
func (a *Axes) count(length, perTick int) int {
	size := int(a.Label.Font.Size) / scene.Unit
	return max(1, min(6, length/max(1, size*perTick)))
}

// Round lifts a greatest figure to the next tick, so that the top of the axis
// has a label and the curve some air.
func (a *Axes) Round(most int64, height int) int64 {
	most = max(1, most)
	step := a.Values.Step(most, a.count(height, 3))
	return (most + step - 1) / step * step
}

// Draw draws the axes of c.
func (a *Axes) Draw(l *scene.List, c *Chart) {
	a.values(l, c)
	a.time(l, c)
}

func (a *Axes) values(l *scene.List, c *Chart) {
	var buf [32]byte
	size := int(a.Label.Font.Size) / scene.Unit
	step := a.Values.Step(c.Top, a.count(c.Area.H, 3))
	st := a.Label
	st.Align = scene.Right
	for v := int64(0); v <= c.Top; v += step {
		y := c.Y(v, 1) / scene.Sub
		l.Fill(geom.Rect{X: c.Area.X, Y: min(y, c.Area.Bottom()-a.Line), W: c.Area.W, H: a.Line}, a.Grid)
		l.TextBytes(st, c.Area.X-a.Gap, y+size*36/100, a.Values.Label(buf[:0], v, step))
	}
}

func (a *Axes) time(l *scene.List, c *Chart) {
	var buf [32]byte
	span := int64(c.Time.To - c.Time.From)
	step := a.Time.Step(span, a.count(c.Area.W, 7))
	from := int64(c.Time.From)
	if t, ok := a.Time.(Clock); ok {
		from = t.First(from, step)
	}
	base := c.Area.Bottom() + a.Gap*3/2 + int(a.Label.Font.Size)*3/4/scene.Unit
	st := a.Label
	st.Align = scene.Left
	free := a.Card.X
	for at := from; at <= int64(c.Time.To); at += step {
		x := c.Time.Pixel(clock.Time(at), 1)
		text := l.SayBytes(a.Time.Label(buf[:0], at, step))
		w := scene.Width(l.Metrics(), st.Font, text)
		l.Fill(geom.Rect{X: min(x, c.Area.Right()-a.Line), Y: c.Area.Bottom(), W: a.Line, H: max(a.Line, a.Gap*2/3)}, a.Grid)
		left := max(a.Card.X+a.Gap, min(x-w/2, a.Card.Right()-a.Gap-w))
		if left < free {
			continue
		}
		free = left + w + a.Gap
		l.TextBytes(st, left, base, text)
	}
}

// Key is an entry of a legend. The sample shows dash and colour, so that
// neither alone has to tell curves apart.
type Key struct {
	Label  string
	Stroke scene.Stroke
	// Area shows the sample as a filled box.
	Area bool
}

// Legend writes entries in a line that ends at the right of r, as many as fit;
// the last ones give way first. It returns the x where the line begins.
func Legend(l *scene.List, r geom.Rect, st scene.Style, keys ...Key) int {
	size := int(st.Font.Size) / scene.Unit
	sample, gap := size*2, size/2
	entry := func(k *Key) int { return sample + gap + l.Width(st.Font, k.Label) }
	n, total := 0, 0
	for i := range keys {
		w := entry(&keys[i])
		if i > 0 {
			w += 2 * gap
		}
		if total+w > r.W {
			break
		}
		n, total = i+1, total+w
	}
	x, base := r.Right()-total, r.Y+(r.H+size*7/10)/2
	for i := range keys[:n] {
		k := &keys[i]
		y := base - size*36/100
		if k.Area {
			l.Fill(geom.Rect{X: x + sample - size, Y: base - size*3/4, W: size, H: size * 3 / 4}, k.Stroke.Color)
		} else {
			l.Line(k.Stroke, geom.Point{X: x * scene.Sub, Y: y * scene.Sub}, geom.Point{X: (x + sample) * scene.Sub, Y: y * scene.Sub})
		}
		l.Text(st, x+sample+gap, base, k.Label)
		x += entry(k) + 2*gap
	}
	return r.Right() - total
}
