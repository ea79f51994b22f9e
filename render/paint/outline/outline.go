// Package outline draws glyphs of Go's own fonts, which come with the program: a window
// has no browser to ask for others.
package outline

import (
	"image"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/gomonobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"strandscope/render/paint"
	"strandscope/render/scene"
)

// rasterizer implements paint.Rasterizer.
type rasterizer struct {
	fonts [2][2]*opentype.Font // by family, then bold
	faces map[scene.Font]font.Face
	alpha []byte
}

// New returns a rasterizer that needs no fonts of the system. An error would be a fault of
// the fonts that come with it.
func New() (paint.Rasterizer, error) {
	o := &rasterizer{faces: map[scene.Font]font.Face{}}
	for i, family := range [2][2][]byte{{goregular.TTF, gobold.TTF}, {gomono.TTF, gomonobold.TTF}} {
		for j, ttf := range family {
			f, err := opentype.Parse(ttf)
			if err != nil {
				return nil, err
			}
			o.fonts[i][j] = f
		}
	}
	return o, nil
}

func (o *rasterizer) face(f scene.Font) font.Face {
	if face, ok := o.faces[f]; ok {
		return face
	}
	family, weight := 0, 0
	if f.Family == scene.Mono {
		family = 1
	}
	if f.Bold {
		weight = 1
	}
	// At 72 dots an inch a point is a pixel.
	face, err := opentype.NewFace(o.fonts[family][weight], &opentype.FaceOptions{
		Size: float64(f.Size) / scene.Unit, DPI: 72, Hinting: font.HintingNone,
	})
	if err != nil {
		panic(err) // never for fonts that were parsed
	}
	o.faces[f] = face
	return face
}

// Advance implements paint.Rasterizer.
func (o *rasterizer) Advance(f scene.Font, c rune) int {
	a, _ := o.face(f).GlyphAdvance(c)
	return int(math.Round(float64(a) * scene.Unit / 64))
}

// Rasterize implements paint.Rasterizer.
func (o *rasterizer) Rasterize(f scene.Font, c rune) paint.Glyph {
	r, mask, at, _, ok := o.face(f).Glyph(fixed.Point26_6{}, c)
	if !ok || r.Empty() {
		return paint.Glyph{}
	}
	g := paint.Glyph{X: r.Min.X, Y: r.Min.Y, W: r.Dx(), H: r.Dy()}
	o.alpha = append(o.alpha[:0], make([]byte, g.W*g.H)...)
	g.Alpha = o.alpha
	m := mask.(*image.Alpha) // so opentype draws
	for y := range g.H {
		for x := range g.W {
			g.Alpha[y*g.W+x] = m.AlphaAt(at.X+x, at.Y+y).A
		}
	}
	return g
}
