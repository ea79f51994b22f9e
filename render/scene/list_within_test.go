package scene_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"strandscope/render/geom"
	"strandscope/render/scene"
)

func TestAPartIsDrawnAsIfItWereAllOfThePicture(t *testing.T) {
	draw := func(l *scene.List) {
		l.Rect(geom.Rect{X: 1, Y: 2, W: 3, H: 4}, scene.Box{Fill: scene.Hex(1)})
		l.Line(scene.Stroke{Width: scene.Sub}, geom.Point{X: 16, Y: 16}, geom.Point{X: 32, Y: 48})
		l.Text(scene.Style{}, 5, 9, "x")
		l.Clip(geom.Rect{W: 2, H: 2})
	}
	var l scene.List
	l.Reset(geom.Size{W: 100, H: 80}, scene.Fixed{})
	draw(&l)
	first := len(l.Items)
	l.Within(geom.Rect{X: 50, Y: 20, W: 40, H: 30})
	assert.Equal(t, geom.Size{W: 40, H: 30}, l.Size())
	assert.Equal(t, geom.Rect{X: 50, Y: 20, W: 40, H: 30}, l.Items[first].Rect, "and nothing is drawn beside it")
	draw(&l)
	for i := range first {
		a, b := l.Bounds(&l.Items[i]), l.Bounds(&l.Items[first+1+i])
		a.X, a.Y = a.X+50, a.Y+20
		assert.Equal(t, a, b)
	}
	l.Everywhere()
	assert.Equal(t, geom.Size{W: 100, H: 80}, l.Size())
	draw(&l)
	assert.Equal(t, l.Items[0].Rect, l.Items[2*first+2].Rect)
	l.Reset(geom.Size{W: 7, H: 7}, scene.Fixed{})
	assert.Equal(t, geom.Size{W: 7, H: 7}, l.Size())
}
