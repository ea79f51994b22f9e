package scene

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"strandscope/render/geom"
)

var mono10 = Font{Family: Mono, Size: 10 * Unit}

func example(l *List) {
	l.Reset(geom.Size{W: 200, H: 100}, Fixed{})
	l.Rect(geom.Rect{X: 1, Y: 2, W: 30, H: 20}, Box{Fill: Hex(0x151b24), Border: Hex(0x2a3544), Radius: 7, Hatch: Hex(0xffffff).Alpha(80), HatchPitch: 6})
	l.Rect(geom.Rect{}, Box{Fill: Hex(0xffffff)})
	l.Clip(geom.Rect{W: 100, H: 50})
	l.BeginLine()
	l.To(0, 0)
	l.To(0, 0)
	l.To(160, 168)
	l.EndLine(Stroke{Color: Hex(0xff0000), Width: 24, Dash: Dashed})
	l.Line(Stroke{Color: Hex(0xff0000)}, geom.Point{X: 3, Y: 3})
	l.Text(Style{Font: mono10, Color: Hex(0), Align: Right}, 90, 20, "p59")
	l.TextBytes(Style{Font: Font{Bold: true, Size: 736}}, 5, 20, nil)
	l.Unclip()
}

func TestListPrintsWhatWillBeDrawn(t *testing.T) {
	var l List
	example(&l)
	assert.Equal(t, `size 200×100
rect 1,2 30×20 fill #151b24 border #2a3544 radius 7 hatch #ffffff50/6
clip 0,0 100×50
line #ff0000 1.5 dashed 0,0 10,10.5
text 90,20 mono 10 #000000 right "p59"
clip 0,0 200×100
`, l.String())
}

func TestWarmListAllocatesNothing(t *testing.T) {
	var l List
	example(&l)
	assert.Zero(t, testing.AllocsPerRun(100, func() { example(&l) }))
}

func TestWidthCountsRunesNotOctets(t *testing.T) {
	assert.Equal(t, Width(Fixed{}, mono10, "abc"), Width(Fixed{}, mono10, "a—c"))
	assert.Equal(t, Width(Fixed{}, mono10, "a—c"), Width(Fixed{}, mono10, []byte("a—c")))
	assert.Equal(t, 19, Width(Fixed{}, mono10, "abc"))
}

func TestBoundsCoverTheItem(t *testing.T) {
	var l List
	example(&l)
	assert.Equal(t, geom.Rect{X: -1, Y: -1, W: 12, H: 13}, l.Bounds(&l.Items[2]))
	assert.Equal(t, geom.Rect{X: 71, Y: 10, W: 19, H: 12}, l.Bounds(&l.Items[3]))
}
