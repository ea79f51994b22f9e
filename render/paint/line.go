package paint

import (
	"math"

	"strandscope/render/geom"
	"strandscope/render/scene"
)

// line draws a polyline. Its edges are soft over one pixel: the outermost
// vertices are transparent, so no antialiasing pass is needed, and lines that
// lie on whole pixels still come out crisp.
func (b *Batch) line(points []geom.Point, s *scene.Stroke) {
	b.path = b.path[:0]
	for _, p := range points {
		b.path = append(b.path, vec{float32(p.X) / scene.Sub, float32(p.Y) / scene.Sub})
	}
	half := float32(max(s.Width, scene.Sub)) / scene.Sub / 2
	if s.Dash == scene.Solid {
		b.strip(b.path, half, s.Color)
		return
	}
	unit := float32(s.Unit)
	if unit <= 0 {
		unit = 6 * half
	}
	on, off := 1.6*unit, unit
	if s.Dash == scene.Dotted {
		on, off = unit, 1.2*unit
	}
	b.dashes(half, on, off, s.Color)
}

// dashes cuts the path into pieces of length on with gaps of length off.
func (b *Batch) dashes(half, on, off float32, c scene.Color) {
	left, drawing := on, true
	b.dash = append(b.dash[:0], b.path[0])
	for i := 1; i < len(b.path); i++ {
		p, q := b.path[i-1], b.path[i]
		length := float32(math.Hypot(float64(q.x-p.x), float64(q.y-p.y)))
		for done := float32(0); length > 0; {
			if done+left > length {
				left -= length - done
				if drawing {
					b.dash = append(b.dash, q)
				}
				break
			}
			done += left
			at := vec{p.x + (q.x-p.x)*done/length, p.y + (q.y-p.y)*done/length}
			if drawing {
				b.strip(append(b.dash, at), half, c)
				b.dash, left = b.dash[:0], off
			} else {
				b.dash, left = append(b.dash[:0], at), on
			}
			drawing = !drawing
		}
	}
	if drawing {
		b.strip(b.dash, half, c)
	}
}

// strip draws a path. Where it bends gently, both pieces share their vertices:
// overlapping soft edges would add up. At a sharp bend it begins anew, each
// piece reaching over the corner by half its width.
func (b *Batch) strip(path []vec, half float32, c scene.Color) {
	n := len(path)
	if n < 2 {
		return
	}
	var normal vec
	begun := false
	b.rows = b.rows[:0]
	for i := 1; i < n; i++ {
		p, q := path[i-1], path[i]
		dx, dy := q.x-p.x, q.y-p.y
		length := float32(math.Hypot(float64(dx), float64(dy)))
		if length == 0 {
			continue
		}
		dx, dy = dx/length, dy/length
		now := vec{-dy, dx}
		switch dot := now.x*normal.x + now.y*normal.y; {
		case begun && dot > 0.6:
			b.across(p, vec{(now.x + normal.x) / (1 + dot), (now.y + normal.y) / (1 + dot)}, half, c)
			b.join()
		case begun:
			d := vec{normal.y, -normal.x} // the way the piece before went
			b.across(vec{p.x + d.x*half, p.y + d.y*half}, normal, half, c)
			b.join()
			b.across(vec{p.x - dx*half, p.y - dy*half}, now, half, c)
		default:
			b.across(p, now, half, c)
		}
		normal, begun = now, true
	}
	if begun {
		b.across(path[n-1], normal, half, c)
		b.join()
	}
}

// across appends the four points of a strip at p to the scratch rows: the
// transparent edge, the opaque core, and the same on the other side.
func (b *Batch) across(p, normal vec, half float32, c scene.Color) {
	for _, k := range [...]struct {
		off   float32
		clear bool
	}{{-half - 0.5, true}, {-half + 0.5, false}, {half - 0.5, false}, {half + 0.5, true}} {
		v := vertex(p.x+normal.x*k.off, p.y+normal.y*k.off, white, white, c)
		if k.clear {
			v.ColorA = 0
		}
		b.rows = append(b.rows, v)
	}
}

// join draws the three bands between the last two rows of points given to
// across, and keeps the last row for what follows.
func (b *Batch) join() {
	rows := b.rows[len(b.rows)-8:]
	if b.inside(rows) {
		first := b.reserve(8)
		b.vs = append(b.vs, rows...)
		for k := range 3 {
			i := uint16(first + k)
			b.is = append(b.is, i, i+1, i+4, i+1, i+5, i+4)
		}
	} else {
		for k := range 3 {
			b.clipped([4]Vertex{rows[k], rows[k+1], rows[k+5], rows[k+4]})
		}
	}
	copy(b.rows, rows[4:])
	b.rows = b.rows[:4]
}

func (b *Batch) inside(vs []Vertex) bool {
	for i := range vs {
		if v := &vs[i]; v.DstX < b.clip.x0 || v.DstX > b.clip.x1 || v.DstY < b.clip.y0 || v.DstY > b.clip.y1 {
			return false
		}
	}
	return true
}

// clipped draws a convex polygon cut at the four edges of the clip
// (Sutherland and Hodgman's way: one edge after the other).
func (b *Batch) clipped(quad [4]Vertex) {
	var store [2][12]Vertex
	in := append(store[0][:0], quad[:]...)
	c := b.clip
	for edge := range 4 {
		dist := func(v *Vertex) float32 {
			return [...]float32{v.DstX - c.x0, c.x1 - v.DstX, v.DstY - c.y0, c.y1 - v.DstY}[edge]
		}
		out := store[(edge+1)%2][:0]
		for i := range in {
			p, q := &in[i], &in[(i+1)%len(in)]
			dp, dq := dist(p), dist(q)
			if dp >= 0 {
				out = append(out, *p)
			}
			if (dp >= 0) != (dq >= 0) {
				t := dp / (dp - dq)
				v := *p
				v.DstX += (q.DstX - p.DstX) * t
				v.DstY += (q.DstY - p.DstY) * t
				v.ColorA += (q.ColorA - p.ColorA) * t
				out = append(out, v)
			}
		}
		if in = out; len(in) < 3 {
			return
		}
	}
	first := b.reserve(len(in))
	b.vs = append(b.vs, in...)
	for i := 2; i < len(in); i++ {
		b.is = append(b.is, uint16(first), uint16(first+i-1), uint16(first+i))
	}
}
