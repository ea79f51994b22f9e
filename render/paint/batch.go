package paint

import (
	"unicode/utf8"

	"strandscope/render/geom"
	"strandscope/render/scene"
)

// maxVertices is how many vertices one call may have: indices are 16 bits.
const maxVertices = 1 << 16

// Call is a part of a batch that is drawn at once.
type Call struct {
	Vertices []Vertex
	Indices  []uint16
}

// Batch is a display list as triangles. It reuses its storage.
type Batch struct {
	atlas *Atlas
	vs    []Vertex
	is    []uint16
	// cuts are where calls end in vs and is.
	cuts [][2]int
	base int // first vertex of the present call
	clip bounds

	path []vec // scratch of the line being drawn
	dash []vec
	rows []Vertex
}

type vec struct{ x, y float32 }

type bounds struct{ x0, y0, x1, y1 float32 }

func boundsOf(r geom.Rect) bounds {
	return bounds{float32(r.X), float32(r.Y), float32(r.Right()), float32(r.Bottom())}
}

func (b bounds) and(c bounds) bounds {
	return bounds{max(b.x0, c.x0), max(b.y0, c.y0), min(b.x1, c.x1), min(b.y1, c.y1)}
}

// Build turns a list into triangles, drawing missing glyphs into the atlas.
func (b *Batch) Build(l *scene.List, a *Atlas) {
	b.atlas = a
	b.vs, b.is, b.cuts, b.base = b.vs[:0], b.is[:0], b.cuts[:0], 0
	size := l.Size()
	b.clip = bounds{0, 0, float32(size.W), float32(size.H)}
	for i := range l.Items {
		switch it := &l.Items[i]; it.Op {
		case scene.RectOp:
			b.rect(it.Rect, &it.Box)
		case scene.LineOp:
			b.line(l.Points(it), &it.Stroke)
		case scene.TextOp:
			b.text(it, l.Bytes(it), l.Metrics())
		case scene.ClipOp:
			b.clip = boundsOf(it.Rect)
		}
	}
	b.cuts = append(b.cuts, [2]int{len(b.vs), len(b.is)})
}

// Calls visits the parts of the batch in order.
func (b *Batch) Calls(visit func(c Call)) {
	v, i := 0, 0
	for _, cut := range b.cuts {
		if cut[1] > i {
			visit(Call{b.vs[v:cut[0]], b.is[i:cut[1]]})
		}
		v, i = cut[0], cut[1]
	}
}

// reserve makes room for n vertices in the present call and returns the index
// of the first.
func (b *Batch) reserve(n int) int {
	if len(b.vs)+n-b.base > maxVertices {
		b.cuts = append(b.cuts, [2]int{len(b.vs), len(b.is)})
		b.base = len(b.vs)
	}
	return len(b.vs) - b.base
}

func vertex(x, y, u, v float32, c scene.Color) Vertex {
	return Vertex{
		DstX: x, DstY: y, SrcX: u, SrcY: v,
		ColorR: float32(c.R) / 255, ColorG: float32(c.G) / 255, ColorB: float32(c.B) / 255, ColorA: float32(c.A) / 255,
	}
}

// quad draws an upright rectangle with a part of the atlas, cut at the clip.
// u1 < u0 or v1 < v0 mirrors.
func (b *Batch) quad(q bounds, u0, v0, u1, v1 float32, c scene.Color) {
	in := q.and(b.clip)
	if in.x0 >= in.x1 || in.y0 >= in.y1 {
		return
	}
	if in != q {
		du, dv := (u1-u0)/(q.x1-q.x0), (v1-v0)/(q.y1-q.y0)
		u0, u1 = u0+du*(in.x0-q.x0), u1+du*(in.x1-q.x1)
		v0, v1 = v0+dv*(in.y0-q.y0), v1+dv*(in.y1-q.y1)
	}
	i := uint16(b.reserve(4))
	b.vs = append(b.vs,
		vertex(in.x0, in.y0, u0, v0, c), vertex(in.x1, in.y0, u1, v0, c),
		vertex(in.x0, in.y1, u0, v1, c), vertex(in.x1, in.y1, u1, v1, c))
	b.is = append(b.is, i, i+1, i+2, i+1, i+3, i+2)
}

func (b *Batch) fill(x0, y0, x1, y1 int, c scene.Color) {
	b.quad(bounds{float32(x0), float32(y0), float32(x1), float32(y1)}, white, white, white, white, c)
}

func (b *Batch) rect(r geom.Rect, box *scene.Box) {
	radius := max(0, min(box.Radius, r.W/2, r.H/2))
	if box.Fill.A > 0 {
		b.round(r, radius, 0, box.Fill)
	}
	if box.Hatch.A > 0 && box.HatchPitch > 0 {
		b.hatch(r.Inset(radius*3/10), box)
	}
	if box.Border.A > 0 {
		b.round(r, radius, max(1, box.Width), box.Border)
	}
}

// round draws a rectangle with round corners, filled if width is 0, else as a
// frame of that width.
func (b *Batch) round(r geom.Rect, radius, width int, c scene.Color) {
	if width > 0 && 2*width >= min(r.W, r.H) {
		width = 0
	}
	if radius < width {
		radius = 0 // such a frame would be square inside anyway
	}
	x0, y0, x3, y3 := r.X, r.Y, r.Right(), r.Bottom()
	k := max(radius, width) // the size of what is cut off at each corner
	x1, y1, x2, y2 := x0+k, y0+k, x3-k, y3-k
	if radius > 0 {
		if s, ok := b.atlas.corner(corner{radius, width}); ok {
			b.corners(r, radius, s, c)
		}
	}
	switch width {
	case 0:
		b.fill(x1, y0, x2, y1, c)
		b.fill(x0, y1, x3, y2, c)
		b.fill(x1, y2, x2, y3, c)
	default:
		b.fill(x1, y0, x2, y0+width, c)
		b.fill(x1, y3-width, x2, y3, c)
		b.fill(x0, y1, x0+width, y2, c)
		b.fill(x3-width, y1, x3, y2, c)
	}
	if radius == 0 && width > 0 {
		b.fill(x0, y0, x1, y1, c)
		b.fill(x2, y0, x3, y1, c)
		b.fill(x0, y2, x1, y3, c)
		b.fill(x2, y2, x3, y3, c)
	}
}

func (b *Batch) corners(r geom.Rect, k int, s sprite, c scene.Color) {
	u0, v0, u1, v1 := float32(s.x), float32(s.y), float32(s.x+k), float32(s.y+k)
	l, t, w, h := float32(r.X), float32(r.Y), float32(r.W), float32(r.H)
	n := float32(k)
	b.quad(bounds{l, t, l + n, t + n}, u0, v0, u1, v1, c)
	b.quad(bounds{l + w - n, t, l + w, t + n}, u1, v0, u0, v1, c)
	b.quad(bounds{l, t + h - n, l + n, t + h}, u0, v1, u1, v0, c)
	b.quad(bounds{l + w - n, t + h - n, l + w, t + h}, u1, v1, u0, v0, c)
}

// text draws a text glyph by glyph. Origins are rounded to whole pixels, the
// pen itself is not, so that the text is as long as it was measured.
func (b *Batch) text(it *scene.Item, text []byte, m scene.Metrics) {
	x := it.X * scene.Unit
	if it.Style.Align != scene.Left {
		x = it.Left(scene.Width(m, it.Style.Font, text)) * scene.Unit
	}
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		i += n
		s := b.atlas.drawn(it.Style.Font, r)
		if s.w > 0 {
			at := geom.Point{X: (x+scene.Unit/2)/scene.Unit + s.dx, Y: it.Y + s.dy}
			b.quad(boundsOf(geom.Rect{X: at.X, Y: at.Y, W: s.w, H: s.h}),
				float32(s.x), float32(s.y), float32(s.x+s.w), float32(s.y+s.h), it.Style.Color)
		}
		x += s.advance
	}
}
