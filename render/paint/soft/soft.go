// Package soft paints a display list without a graphics card. It rasterises
// the very triangles that render/paint hands to Ebitengine, so what it shows is
// what the page shows; it serves tests, and pictures made without a browser.
package soft

import (
	"image"
	"math"

	"strandscope/render/paint"
	"strandscope/render/scene"
)

// Painter paints lists. It keeps its glyphs between pictures.
type Painter struct {
	atlas *paint.Atlas
	batch paint.Batch
}

// New returns a painter that takes its glyphs from r.
func New(r paint.Rasterizer) *Painter { return &Painter{atlas: paint.NewAtlas(r)} }

// Metrics measures texts as the painter draws them.
func (p *Painter) Metrics() scene.Metrics { return p.atlas }

// Paint paints a list over an image, whose origin must be 0, 0.
func (p *Painter) Paint(dst *image.RGBA, l *scene.List) {
	if p.atlas.Full {
		p.atlas.Reset()
	}
	p.batch.Build(l, p.atlas)
	p.batch.Calls(func(c paint.Call) {
		for i := 0; i+2 < len(c.Indices); i += 3 {
			triangle(dst, p.atlas, &c.Vertices[c.Indices[i]], &c.Vertices[c.Indices[i+1]], &c.Vertices[c.Indices[i+2]])
		}
	})
}

// edge is twice the area of the triangle a, b, (x, y).
func edge(a, b *paint.Vertex, x, y float32) float32 {
	return (b.DstX-a.DstX)*(y-a.DstY) - (b.DstY-a.DstY)*(x-a.DstX)
}

// owns reports whether pixels exactly on the edge a→b belong to the triangle:
// on the top and left edges only, or two triangles would share them.
func owns(a, b *paint.Vertex) bool {
	return a.DstY == b.DstY && b.DstX > a.DstX || b.DstY < a.DstY
}

func triangle(dst *image.RGBA, atlas *paint.Atlas, a, b, c *paint.Vertex) {
	area := edge(a, b, c.DstX, c.DstY)
	if area < 0 {
		b, c, area = c, b, -area
	}
	if area == 0 {
		return
	}
	low := func(f ...float32) int { return int(math.Floor(float64(min(f[0], f[1], f[2])))) }
	high := func(f ...float32) int { return int(math.Ceil(float64(max(f[0], f[1], f[2])))) }
	size := dst.Bounds()
	x0, x1 := max(0, low(a.DstX, b.DstX, c.DstX)), min(size.Dx(), high(a.DstX, b.DstX, c.DstX))
	y0, y1 := max(0, low(a.DstY, b.DstY, c.DstY)), min(size.Dy(), high(a.DstY, b.DstY, c.DstY))
	in := func(w float32, p, q *paint.Vertex) bool { return w > 0 || w == 0 && owns(p, q) }
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			px, py := float32(x)+0.5, float32(y)+0.5
			wa, wb, wc := edge(b, c, px, py), edge(c, a, px, py), edge(a, b, px, py)
			if !in(wa, b, c) || !in(wb, c, a) || !in(wc, a, b) {
				continue
			}
			wa, wb, wc = wa/area, wb/area, wc/area
			u := int(wa*a.SrcX + wb*b.SrcX + wc*c.SrcX)
			v := int(wa*a.SrcY + wb*b.SrcY + wc*c.SrcY)
			alpha := (wa*a.ColorA + wb*b.ColorA + wc*c.ColorA) * float32(atlas.Alpha[v*atlas.Width+u]) / 255
			blend(dst.Pix[dst.PixOffset(x, y):], alpha, a)
		}
	}
}

// blend lays a vertex's colour over a pixel. All vertices of a triangle have
// the same colour, only their alphas differ.
func blend(pix []byte, alpha float32, v *paint.Vertex) {
	mix := func(under byte, over float32) byte {
		return byte(float32(under)*(1-alpha) + over*255*alpha + 0.5)
	}
	pix[0], pix[1], pix[2] = mix(pix[0], v.ColorR), mix(pix[1], v.ColorG), mix(pix[2], v.ColorB)
	pix[3] = mix(pix[3], 1)
}
