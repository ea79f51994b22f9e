//go:build browser

package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
)

// Scales of devices in five sizes of windows; 1 is that of the test of every width.
func TestThePageFitsEveryScaleAndSize(t *testing.T) {
	for _, scale := range []float64{1.25, 2} {
		p := open(t, look{noPlay: true, scale: scale})
		p.at(10)
		for _, size := range [][2]int64{{1920, 1080}, {1440, 900}, {1024, 768}, {820, 1180}, {390, 844}} {
			where := fmt.Sprintf("%d × %d at %v", size[0], size[1], scale)
			// Of nought the browser's own scale stays, which an emulated one would hide.
			p.do(chromedp.EmulateViewport(size[0], size[1], chromedp.EmulateScale(0)))
			p.until(fmt.Sprintf("innerWidth === %d && strandscope.settled", size[0]))
			assert.Equal(t, []float64{float64(size[0]), scale}, eval[[]float64](p, "[innerWidth, devicePixelRatio]"))
			p.until("document.getElementById('twin').textContent.startsWith('12 of 32')")
			p.until("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(strandscope.settled))))") // the words took their room
			got := eval[[]float64](p, `(() => { const c = strandscope.canvas(), b = c.getBoundingClientRect();
				return [c.width, c.height, b.width * devicePixelRatio, b.height * devicePixelRatio]; })()`)
			assert.InDelta(t, got[2], got[0], 0.51, "width of the canvas, %s", where)
			assert.InDelta(t, got[3], got[1], 0.51, "height of the canvas, %s", where)
			assert.Equal(t, size[0], eval[int64](p, "document.documentElement.scrollWidth"), "scrolls sideways, %s", where)
			assert.Empty(t, eval[[]string](p, outside), "cut off, %s", where)
			assert.Empty(t, eval[[]string](p, unseen), "not in view, %s", where)
			assert.Empty(t, eval[[]string](p, clipped), "text is cut off, %s", where)
			p.keep(fmt.Sprintf("scale-%v-%d", scale, size[0]))
		}
		assert.Empty(t, p.faults(), "at %v", scale)
	}
}

// unseen lists the controls of the run that a reader must have before them at once.
const unseen = `['scenario', 'reset', 'play', 'step', 'speed', 'clock', 'view-open', 'keys'].filter((id) => {
	const b = document.getElementById(id).getBoundingClientRect();
	return b.width === 0 || b.top < 0 || b.bottom > innerHeight || document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2)?.closest('#' + id) === null; })`

// clipped lists visible controls with words that do not fit into them. What is made for
// the eyes of a screen reader is small on purpose.
const clipped = `[...document.querySelectorAll('button, summary, label, output, legend, h1, h2, h3, .clock')]
	.filter((e) => e.checkVisibility() && !e.closest('.unseen, .skip') && e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1)
	.map((e) => (e.id || e.textContent.trim().slice(0, 30)) + ' ' + e.scrollWidth + ' > ' + e.clientWidth)`
