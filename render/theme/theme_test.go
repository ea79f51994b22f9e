package theme

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"strandscope/render/scene"
	"strandscope/sim/sched"
)

func each(t *testing.T, f func(t *testing.T, p *Palette)) {
	for _, name := range Names {
		t.Run(name, func(t *testing.T) { f(t, Find(name)) })
	}
}

func TestTextIsLegibleOnEveryGroundItStandsOn(t *testing.T) {
	each(t, func(t *testing.T, p *Palette) {
		grounds := map[string]scene.Color{
			"background": p.Background, "panel": p.Panel, "raise": p.Raise, "idle": p.Idle,
			"hatched": Over(p.Hatch, p.Idle),
		}
		for name, ground := range grounds {
			assert.GreaterOrEqual(t, Contrast(p.Ink, ground), 4.5, "ink on %s", name)
			if name != "hatched" {
				assert.GreaterOrEqual(t, Contrast(p.Dim, ground), 4.5, "dim on %s", name)
			}
		}
		assert.GreaterOrEqual(t, Contrast(p.Warn, p.Background), 4.5, "warnings in headings")
	})
}

func TestCellTextIsLegibleOnEveryThreadHue(t *testing.T) {
	each(t, func(t *testing.T, p *Palette) {
		for id := range sched.ThreadID(720) {
			assert.GreaterOrEqual(t, Contrast(p.Cell, p.Thread(id)), 4.5, "thread %d", id)
		}
	})
}

func TestCellsAndLinesStandOutFromTheirGround(t *testing.T) {
	each(t, func(t *testing.T, p *Palette) {
		for _, class := range []string{"TS", "FSS", "FX", "IA", "RT", "SYS", "unset"} {
			assert.GreaterOrEqual(t, Contrast(p.Class(class), p.Panel), 3.0, "class %s", class)
		}
		assert.GreaterOrEqual(t, Contrast(p.Accent, p.Panel), 3.0)
	})
}

func TestProjectorHasMoreContrast(t *testing.T) {
	p := Find("projector")
	for _, ground := range []scene.Color{p.Background, p.Panel, p.Raise, p.Idle} {
		for _, text := range []scene.Color{p.Ink, p.Dim, p.Warn} {
			assert.GreaterOrEqual(t, Contrast(text, ground), 7.0, "%v on %v", text, ground)
		}
	}
	assert.GreaterOrEqual(t, Contrast(p.Ink, Over(p.Hatch, p.Idle)), 7.0, "names of hatched cells")
	assert.GreaterOrEqual(t, Contrast(p.Line, p.Panel), 3.0, "frames of idle cells")
	for id := range sched.ThreadID(720) {
		assert.GreaterOrEqual(t, Contrast(p.Cell, p.Thread(id)), 7.0, "text on thread %d", id)
		assert.GreaterOrEqual(t, Contrast(p.Panel, p.Thread(id)), 3.0, "thread %d", id)
	}
}

func TestThreadHuesAreThoseOfTheDesign(t *testing.T) {
	// hsl(200 42% 63%), hsl(337.5 42% 63%) and hsl(200 48% 74%) as a browser computes them.
	assert.Equal(t, scene.Hex(0x79aec8), Find("dark").Thread(0))
	assert.Equal(t, scene.Hex(0xc87997), Find("dark").Thread(1))
	assert.Equal(t, scene.Hex(0x9dc7dd), Find("light").Thread(0))
}

func TestSizesRoundToDevicePixels(t *testing.T) {
	assert.Equal(t, 0, Scale(1500).Px(0))
	assert.Equal(t, 1, Scale(500).Px(1))
	assert.Equal(t, 15, Scale(1250).Px(12))
	assert.Equal(t, scene.Sub, Scale(1000).Sub(5), "no line is thinner than a device pixel")
	assert.Equal(t, int32(11.5*1.5*scene.Unit), Scale(1500).Size(115))
	assert.Equal(t, Scale(1000), ScaleOf(0))
	assert.Equal(t, MaxScale, ScaleOf(99999))
}
