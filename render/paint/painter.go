//go:build js || desktop

package paint

import (
	"image"

	"github.com/hajimehoshi/ebiten/v2"

	"strandscope/render/scene"
)

// Painter paints display lists with Ebitengine.
type Painter struct {
	atlas *Atlas
	batch Batch
	image *ebiten.Image // the atlas on the graphics card
	rgba  []byte        // scratch for uploads
	draw  func(Call)
	dst   *ebiten.Image
}

// New returns a painter that takes its glyphs from r.
func New(r Rasterizer) *Painter {
	p := &Painter{atlas: NewAtlas(r)}
	options := &ebiten.DrawTrianglesOptions{}
	p.draw = func(c Call) { p.dst.DrawTriangles(c.Vertices, c.Indices, p.image, options) }
	return p
}

// Metrics measures texts as the painter draws them.
func (p *Painter) Metrics() scene.Metrics { return p.atlas }

// Paint paints a list over dst. Glyphs not seen before are drawn into the
// atlas first, so that one upload and, for all but the largest machines, one
// draw call make the picture.
func (p *Painter) Paint(dst *ebiten.Image, l *scene.List) {
	p.batch.Build(l, p.atlas)
	if p.atlas.Full { // filled by glyphs of scales and texts gone by
		p.atlas.Reset()
		p.batch.Build(l, p.atlas)
	}
	p.upload()
	p.dst = dst
	p.batch.Calls(p.draw)
	p.dst = nil
}

// upload takes over the rows of the atlas that have changed.
func (p *Painter) upload() {
	a := p.atlas
	size := image.Rect(0, 0, a.Width, a.Height)
	if p.image == nil || p.image.Bounds() != size {
		if p.image != nil {
			p.image.Deallocate()
		}
		// Unmanaged: as a texture of its own it is never moved about.
		p.image = ebiten.NewImageWithOptions(size, &ebiten.NewImageOptions{Unmanaged: true})
		a.DirtyFrom, a.DirtyTo = 0, a.Height
	}
	if a.DirtyFrom >= a.DirtyTo {
		return
	}
	p.rgba = p.rgba[:0]
	for _, v := range a.Alpha[a.DirtyFrom*a.Width : a.DirtyTo*a.Width] {
		p.rgba = append(p.rgba, v, v, v, v) // white, premultiplied
	}
	rows := image.Rect(0, a.DirtyFrom, a.Width, a.DirtyTo)
	p.image.SubImage(rows).(*ebiten.Image).WritePixels(p.rgba)
	a.Clean()
}
