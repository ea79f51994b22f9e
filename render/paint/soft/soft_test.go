package soft

import (
	"image"
	"image/color"
	"testing"

	"github.com/stretchr/testify/assert"

	"strandscope/render/geom"
	"strandscope/render/paint"
	"strandscope/render/scene"
)

type noGlyphs struct{ scene.Fixed }

func (noGlyphs) Rasterize(scene.Font, rune) paint.Glyph { return paint.Glyph{} }

func picture(f func(l *scene.List)) *image.RGBA {
	p := New(noGlyphs{})
	var l scene.List
	l.Reset(geom.Size{W: 40, H: 40}, p.Metrics())
	l.Fill(geom.Rect{W: 40, H: 40}, scene.Hex(0x000000))
	f(&l)
	img := image.NewRGBA(image.Rect(0, 0, 40, 40))
	p.Paint(img, &l)
	return img
}

var white, black = color.RGBA{255, 255, 255, 255}, color.RGBA{0, 0, 0, 255}

func TestEdgesOfRectanglesAreCrisp(t *testing.T) {
	img := picture(func(l *scene.List) { l.Fill(geom.Rect{X: 10, Y: 12, W: 7, H: 5}, scene.Hex(0xffffff)) })
	for y := range 40 {
		for x := range 40 {
			want := black
			if x >= 10 && x < 17 && y >= 12 && y < 17 {
				want = white
			}
			assert.Equal(t, want, img.RGBAAt(x, y), "%d, %d", x, y)
		}
	}
}

func TestTranslucentRectanglesHaveNoSeams(t *testing.T) {
	img := picture(func(l *scene.List) {
		l.Rect(geom.Rect{X: 4, Y: 4, W: 30, H: 30}, scene.Box{Fill: scene.Hex(0xffffff).Alpha(128), Radius: 8})
	})
	for y := 12; y < 26; y++ {
		for x := 4; x < 34; x++ {
			assert.Equal(t, uint8(128), img.RGBAAt(x, y).R, "%d, %d", x, y)
		}
	}
}

func TestRoundCornersAreSymmetricAndSoft(t *testing.T) {
	for _, box := range []scene.Box{
		{Fill: scene.Hex(0xffffff), Radius: 9}, {Border: scene.Hex(0xffffff), Radius: 9}, {Border: scene.Hex(0xffffff), Radius: 9, Width: 2},
	} {
		img := picture(func(l *scene.List) { l.Rect(geom.Rect{X: 5, Y: 5, W: 30, H: 30}, box) })
		soft := 0
		for y := range 40 {
			for x := range 40 {
				c := img.RGBAAt(x, y)
				assert.Equal(t, c, img.RGBAAt(39-x, y))
				assert.Equal(t, c, img.RGBAAt(x, 39-y))
				assert.Equal(t, c, img.RGBAAt(y, x))
				if c.R > 0 && c.R < 255 {
					soft++
				}
			}
		}
		assert.Greater(t, soft, 16)
		assert.Equal(t, black, img.RGBAAt(5, 5))
		assert.Equal(t, white, img.RGBAAt(20, 5))
		assert.Equal(t, box.Fill.A > 0, img.RGBAAt(20, 20) == white)
	}
}

func TestUprightLinesOnWholePixelsAreCrisp(t *testing.T) {
	img := picture(func(l *scene.List) {
		l.Line(scene.Stroke{Color: scene.Hex(0xffffff), Width: 2 * scene.Sub},
			geom.Point{X: 5 * scene.Sub, Y: 30 * scene.Sub}, geom.Point{X: 20 * scene.Sub, Y: 30 * scene.Sub},
			geom.Point{X: 20 * scene.Sub, Y: 10 * scene.Sub}, geom.Point{X: 35 * scene.Sub, Y: 10 * scene.Sub})
	})
	for x := 5; x < 21; x++ {
		assert.Equal(t, white, img.RGBAAt(x, 29), "%d", x)
		assert.Equal(t, white, img.RGBAAt(x, 30), "%d", x)
		assert.Equal(t, black, img.RGBAAt(x, 31), "%d", x)
	}
	assert.Equal(t, white, img.RGBAAt(20, 30), "the corner is filled")
	assert.Equal(t, white, img.RGBAAt(19, 9), "and the other one")
	assert.Equal(t, black, img.RGBAAt(18, 20))
}

func TestSlantedLinesAreAsDarkAllAlong(t *testing.T) {
	img := picture(func(l *scene.List) {
		l.BeginLine()
		for x := 2; x <= 38; x++ {
			l.To(x*scene.Sub, 5*scene.Sub+x*12)
		}
		l.EndLine(scene.Stroke{Color: scene.Hex(0xffffff), Width: 2 * scene.Sub})
	})
	for x := 5; x < 35; x++ {
		sum := 0
		for y := range 40 {
			sum += int(img.RGBAAt(x, y).R)
		}
		// 2 px across the line are 2 / cos(36.9°) = 2.5 px down a column.
		assert.InDelta(t, 2.5*255, sum, 60, "column %d", x)
	}
}

func TestHatchedNeighboursLookLikeOneCloth(t *testing.T) {
	box := scene.Box{Hatch: scene.Hex(0xffffff), HatchPitch: 6, HatchWidth: 1}
	whole := picture(func(l *scene.List) { l.Rect(geom.Rect{X: 3, Y: 3, W: 30, H: 30}, box) })
	parts := picture(func(l *scene.List) {
		l.Rect(geom.Rect{X: 3, Y: 3, W: 11, H: 30}, box)
		l.Rect(geom.Rect{X: 14, Y: 3, W: 19, H: 13}, box)
		l.Rect(geom.Rect{X: 14, Y: 16, W: 19, H: 17}, box)
	})
	assert.Equal(t, whole.Pix, parts.Pix)
	lit := 0
	for x := range 40 {
		if whole.RGBAAt(x, 20).R > 100 {
			lit++
		}
	}
	assert.InDelta(t, 30/6, lit, 6)
}
