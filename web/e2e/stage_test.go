//go:build browser

package e2e

import (
	"fmt"
	"image"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTwelveCellsAreLitAndThenAll(t *testing.T) {
	p := open(t, look{sharp: true, noPlay: true, width: 1440, height: 900})
	p.at(10)
	assert.Equal(t, 12, p.lit())
	p.send("set", "{key: 'class', value: 'FSS'}")
	p.at(10)
	assert.Equal(t, 32, p.lit())
}

// lit counts the cells whose ground on the screen is that of a busy strand,
// and checks that every cell has just the colour it should have.
func (p *page) lit() (n int) {
	p.Helper()
	cells := p.cells()
	box := p.stageBox()
	picture := p.screenshot()
	scale := float64(picture.Bounds().Dx()) / eval[float64](p, "innerWidth")
	for _, c := range cells {
		// Between name and sign there is no text. Some pixels may be hatch:
		// what most have is the ground.
		got := common(picture, int(box.x*scale)+c.X+c.W*6/10, int(box.y*scale)+c.Y+8, 8)
		assert.Equal(p, c.Color, got, "cpu%d, busy: %v", c.CPU, c.Busy)
		if c.Busy && got == c.Color {
			n++
		}
	}
	return n
}

func common(m image.Image, x0, y0, size int) string {
	count := map[string]int{}
	best := ""
	for y := y0; y < y0+size; y++ {
		for x := x0; x < x0+size; x++ {
			r, g, b, _ := m.At(x, y).RGBA()
			c := fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
			if count[c]++; count[c] > count[best] {
				best = c
			}
		}
	}
	return best
}

func TestTheCanvasHasExactlyTheDevicePixelsOfItsBox(t *testing.T) {
	for _, scale := range []float64{1, 1.25, 1.5, 2, 3} {
		p := open(t, look{noPlay: true, scale: scale, width: 603, height: 401})
		var before float64
		for _, change := range []string{"", "document.querySelector('main').style.marginRight = '33.3px'"} {
			p.eval(change)
			p.until("strandscope.settled && strandscope.canvas().width !== " + fmt.Sprint(before))
			got := eval[[]float64](p, `(() => { const c = strandscope.canvas(), b = c.getBoundingClientRect();
				return [c.width, c.height, b.width * devicePixelRatio, b.height * devicePixelRatio]; })()`)
			assert.InDelta(t, got[2], got[0], 0.51, "width at %v", scale)
			assert.InDelta(t, got[3], got[1], 0.51, "height at %v", scale)
			before = got[0]
		}
	}
}

// A picture on a canvas of another size stands beside its place.
func TestAfterEachResizeThePictureStandsInItsPlace(t *testing.T) {
	p := open(t, look{sharp: true, noPlay: true, width: 1440, height: 900})
	p.at(10)
	for _, padding := range []int{40, 3, 77, 0, 21} {
		p.eval(fmt.Sprintf("document.getElementById('twin').style.paddingBottom = '%dpx'", padding))
		p.until("Math.abs(strandscope.canvas().getBoundingClientRect().height - document.getElementById('stage').clientHeight) < 1")
		p.settle()
		assert.Equal(t, 12, p.lit(), "padding %d", padding)
	}
}

func TestTheWheelOverTheCanvasScrollsThePage(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1024, height: 500})
	box := p.stageBox()
	p.wheel(box.x+200, box.y+100, 120)
	p.until("scrollY > 60")
}

func TestTabLeavesTheCanvasBothWays(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1440, height: 900})
	for _, back := range []bool{false, true} {
		p.clickStage(300, 5)
		p.until("document.activeElement.id === 'stage' && strandscope.canvas() === document.getElementById('stage').contentDocument.activeElement")
		if back {
			p.do(chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(chromedp.ModifierShift)))
		} else {
			p.do(chromedp.KeyEvent(kb.Tab))
		}
		p.until("document.activeElement.id !== 'stage'")
	}
}

func TestKeysOnTheCanvasAreThePagesShortcuts(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1024, height: 500})
	p.clickStage(300, 5)
	p.do(chromedp.KeyEvent(" "))
	p.until("strandscope.state.playing")
	p.do(chromedp.KeyEvent(" "))
	p.until("!strandscope.state.playing")
	p.do(chromedp.KeyEvent(kb.ArrowDown))
	p.until("strandscope.state.selected.strand === 0")
	assert.Zero(t, eval[float64](p, "scrollY"), "arrows and Space must not scroll while the picture has the focus")
}

func TestFocusIsNotStolen(t *testing.T) {
	p := open(t, look{noPlay: true, noWait: true})
	p.focus("#scenario")
	p.settle()
	p.at(10)
	p.send("set", "{key: 'class', value: 'FSS'}")
	assert.Equal(t, "scenario", eval[string](p, "document.activeElement.id"))
	p.focus("#reset")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.settle()
	assert.Equal(t, "reset", eval[string](p, "document.activeElement.id"))
}

func TestPausedNothingIsDrawnAndNoFrameIsAskedFor(t *testing.T) {
	p := open(t, look{before: countFrames})
	p.until("strandscope.state.draws > 3")
	p.send("pause", "{}")
	const frames = "document.getElementById('stage').contentWindow.framesAsked"
	// The frame under way when the pause came may still ask for one more.
	p.sleep(300)
	before, draws := eval[int](p, frames), eval[int](p, "strandscope.state.draws")
	p.sleep(1500)
	assert.Equal(t, before, eval[int](p, frames))
	p.send("hello", "{}")
	assert.Equal(t, draws, eval[int](p, "strandscope.state.draws"))
}

const countFrames = `(() => { const ask = window.requestAnimationFrame.bind(window); window.framesAsked = 0;
	window.requestAnimationFrame = (f) => { window.framesAsked++; return ask(f); }; })()`

func TestALostPictureComesBackWithScenarioAndTime(t *testing.T) {
	p := open(t, look{sharp: true, noPlay: true})
	p.send("set", "{key: 'class', value: 'FSS'}")
	p.send("speed", "{permille: 2000}")
	p.at(42)
	digest := eval[string](p, "strandscope.state.digest")
	p.eval("strandscope.canvas().getContext('webgl2').getExtension('WEBGL_lose_context').loseContext()")
	p.until("!strandscope.settled")
	p.until("strandscope.settled && strandscope.state.draws > 0 && document.getElementById('cover').hidden")
	assert.Equal(t, "42000000000", eval[string](p, "strandscope.state.nowNs"))
	assert.Equal(t, "FSS", eval[string](p, "strandscope.state.scenario.class"))
	assert.Equal(t, 2000, eval[int](p, "strandscope.state.speed"))
	assert.Equal(t, digest, eval[string](p, "strandscope.state.digest"))
	assert.Equal(t, 32, p.lit())
}

func TestWithoutWebGLTheRunGoesOnInWords(t *testing.T) {
	for name, l := range map[string]look{
		"switched off": {flags: map[string]any{"disable-gpu": true, "disable-software-rasterizer": true, "use-gl": "disabled", "use-angle": false, "enable-unsafe-swiftshader": false}},
		"refused":      {before: `HTMLCanvasElement.prototype.getContext = () => null`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // mostly waiting: the words may change every two seconds only
			p := open(t, l)
			p.until("strandscope.state.playing && BigInt(strandscope.state.nowNs) > 1000000000n")
			require.False(t, eval[bool](p, "strandscope.state.picture"))
			assert.Contains(t, eval[string](p, "document.getElementById('cover').innerText"), "no WebGL 2")
			p.at(10)
			p.until("document.getElementById('twin').textContent.startsWith('12 of 32 strands busy')")
			assert.Equal(t, 12, eval[int](p, "document.querySelectorAll('#plain .busy').length"))
			p.keep("no-webgl")
		})
	}
}
