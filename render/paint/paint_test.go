package paint

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/render/geom"
	"strandscope/render/scene"
)

// boxes is a rasterizer whose glyphs are full boxes as wide as a third of the
// size; it counts what it is asked.
type boxes struct{ asked int }

func (b *boxes) Advance(f scene.Font, _ rune) int { return int(f.Size) / 2 }

func (b *boxes) Rasterize(f scene.Font, r rune) Glyph {
	b.asked++
	if r == ' ' {
		return Glyph{}
	}
	size := int(f.Size) / scene.Unit
	g := Glyph{X: 1, Y: -size, W: size / 3, H: size}
	g.Alpha = make([]byte, g.W*g.H)
	for i := range g.Alpha {
		g.Alpha[i] = byte(r)
	}
	return g
}

func font(px int) scene.Font { return scene.Font{Size: int32(px) * scene.Unit} }

func build(f func(l *scene.List)) (*Batch, *Atlas) {
	a := NewAtlas(&boxes{})
	var l scene.List
	l.Reset(geom.Size{W: 100, H: 100}, a)
	f(&l)
	var b Batch
	b.Build(&l, a)
	return &b, a
}

func TestGlyphsAreRasterizedOnceAndKeepTheirPlace(t *testing.T) {
	r := &boxes{}
	a := NewAtlas(r)
	first := *a.drawn(font(12), 'x')
	assert.Equal(t, byte('x'), a.Alpha[first.y*a.Width+first.x])
	for px := 5; px < 60; px++ {
		for c := '!'; c < '~'; c++ {
			a.drawn(font(px), c)
		}
	}
	asked := r.asked
	assert.Equal(t, first, *a.drawn(font(12), 'x'))
	assert.Equal(t, asked, r.asked)
	assert.Greater(t, a.Height, atlasHeight, "the image has grown")
	assert.Len(t, a.Alpha, a.Width*a.Height)
	assert.Equal(t, byte('x'), a.Alpha[first.y*a.Width+first.x], "and what was there still is")
}

func TestGlyphsDoNotOverlap(t *testing.T) {
	a := NewAtlas(&boxes{})
	for px := 9; px < 30; px += 3 {
		for c := '!'; c < '~'; c++ {
			a.drawn(font(px), c)
		}
	}
	for px := 9; px < 30; px += 3 {
		for c := '!'; c < '~'; c++ {
			s := a.drawn(font(px), c)
			for y := range s.h {
				for x := range s.w {
					require.Equal(t, byte(c), a.Alpha[(s.y+y)*a.Width+s.x+x], "%c at %d", c, px)
				}
			}
		}
	}
}

func TestFullAtlasLeavesGlyphsOutAndSaysSo(t *testing.T) {
	a := NewAtlas(&boxes{})
	for c := rune(0); c < 3000 && !a.Full; c++ {
		a.drawn(font(90), 0x4e00+c)
	}
	require.True(t, a.Full)
	assert.LessOrEqual(t, a.Height, atlasMost)
	a.Reset()
	assert.False(t, a.Full)
	assert.NotZero(t, a.drawn(font(90), 'x').w)
}

func TestDirtyRowsCoverWhatChanged(t *testing.T) {
	a := NewAtlas(&boxes{})
	assert.Equal(t, [2]int{0, a.Height}, [2]int{a.DirtyFrom, a.DirtyTo}, "all of a new atlas")
	a.Clean()
	assert.GreaterOrEqual(t, a.DirtyFrom, a.DirtyTo)
	s := a.drawn(font(12), 'x')
	assert.Equal(t, [2]int{s.y, s.y + s.h}, [2]int{a.DirtyFrom, a.DirtyTo})
}

func TestTextIsAsLongAsItWasMeasured(t *testing.T) {
	b, a := build(func(l *scene.List) {
		l.Text(scene.Style{Font: font(11), Color: scene.Hex(0), Align: scene.Right}, 90, 50, "abcd")
	})
	require.Len(t, b.vs, 16)
	w := scene.Width(a, font(11), "abcd")
	assert.Equal(t, 22, w)
	assert.Equal(t, 90-w+1, int(b.vs[0].DstX))
	for i := range b.vs {
		assert.Zero(t, b.vs[i].DstX-float32(int(b.vs[i].DstX)), "whole pixels")
	}
}

func TestCallsStayBelow65536Vertices(t *testing.T) {
	b, _ := build(func(l *scene.List) {
		for range 40000 {
			l.Fill(geom.Rect{X: 1, Y: 1, W: 5, H: 5}, scene.Hex(0xffffff))
		}
	})
	total := 0
	b.Calls(func(c Call) {
		assert.LessOrEqual(t, len(c.Vertices), maxVertices)
		for _, i := range c.Indices {
			require.Less(t, int(i), len(c.Vertices))
		}
		total += len(c.Indices)
	})
	assert.Equal(t, 40000*6, total)
	assert.Len(t, b.cuts, 3)
}

func TestClipCutsRectanglesTextAndLines(t *testing.T) {
	clip := geom.Rect{X: 20, Y: 20, W: 30, H: 30}
	b, _ := build(func(l *scene.List) {
		l.Clip(clip)
		l.Rect(geom.Rect{X: 10, Y: 10, W: 80, H: 80}, scene.Box{Fill: scene.Hex(1), Radius: 9, Border: scene.Hex(2), Hatch: scene.Hex(3), HatchPitch: 5})
		l.Text(scene.Style{Font: font(20), Color: scene.Hex(0)}, 15, 30, "wide text")
		l.Line(scene.Stroke{Color: scene.Hex(4), Width: 40}, geom.Point{}, geom.Point{X: 1600, Y: 1500}, geom.Point{X: 1600, Y: 0})
	})
	require.NotEmpty(t, b.vs)
	for i := range b.vs {
		v := &b.vs[i]
		assert.True(t, v.DstX >= 20 && v.DstX <= 50 && v.DstY >= 20 && v.DstY <= 50, "%v, %v", v.DstX, v.DstY)
	}
}

func TestNothingIsDrawnOutsideThePicture(t *testing.T) {
	b, _ := build(func(l *scene.List) {
		l.Fill(geom.Rect{X: 100, W: 50, H: 50}, scene.Hex(1))
		l.Line(scene.Stroke{Color: scene.Hex(4)}, geom.Point{X: -160, Y: -160}, geom.Point{X: -80, Y: 3200})
	})
	assert.Empty(t, b.vs)
}

func TestDashesCoverTheirShareOfALine(t *testing.T) {
	length := func(dash scene.Dash) float32 {
		b, _ := build(func(l *scene.List) {
			l.BeginLine()
			for x := 0; x <= 80; x++ { // many short pieces, as curves have
				l.To((10+x)*scene.Sub, 50*scene.Sub)
			}
			l.EndLine(scene.Stroke{Color: scene.Hex(4), Width: 2 * scene.Sub, Dash: dash, Unit: 4})
		})
		var sum float32
		for i := 0; i < len(b.vs); i += 8 {
			sum += b.vs[i+4].DstX - b.vs[i].DstX
		}
		return sum
	}
	assert.InDelta(t, 80, length(scene.Solid), 0.01)
	assert.InDelta(t, 80*1.6/2.6, length(scene.Dashed), 4)
	assert.InDelta(t, 80/2.2, length(scene.Dotted), 4)
}

func TestWarmBatchAllocatesNothing(t *testing.T) {
	a := NewAtlas(&boxes{})
	var l scene.List
	var b Batch
	l.Reset(geom.Size{W: 100, H: 100}, a)
	l.Rect(geom.Rect{X: 10, Y: 10, W: 80, H: 80}, scene.Box{Fill: scene.Hex(1), Radius: 9, Border: scene.Hex(2), Hatch: scene.Hex(3), HatchPitch: 5})
	l.Text(scene.Style{Font: font(12), Color: scene.Hex(0)}, 15, 30, "some text — más")
	l.Line(scene.Stroke{Color: scene.Hex(4), Width: 40, Dash: scene.Dashed}, geom.Point{}, geom.Point{X: 1600, Y: 1500})
	b.Build(&l, a)
	assert.Zero(t, testing.AllocsPerRun(50, func() { b.Build(&l, a) }))
}
