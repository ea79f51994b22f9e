//go:build browser

package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// framed opens a host page with the page in frames; see host for its query.
func framed(t *testing.T, query string, frames int) *page {
	t.Helper()
	p := open(t, look{noPlay: true, noWait: true, path: "host?" + query})
	for n := range frames {
		p.framedSettles(n)
	}
	return p
}

func inner(n int) string { return fmt.Sprintf("document.getElementById('f%d').contentWindow.", n) }

// framedSettles waits until the page in a frame did what it was told. That it is drawn,
// too, is not waited for: far out of view nothing is.
func (p *page) framedSettles(n int) {
	p.Helper()
	p.until(inner(n) + "strandscope?.state.idle === true")
}

// framedSend sends a command to the page in a frame and waits for its effect.
func (p *page) framedSend(n int, cmd, rest string) {
	p.Helper()
	number := eval[int](p, fmt.Sprintf("%sstrandscope.send(%q, %s)", inner(n), cmd, rest))
	p.until(fmt.Sprintf("((s) => s.idle && s.seq >= %d)(%sstrandscope.state)", number, inner(n)))
}

// clickFramed clicks the picture in a frame, at CSS pixels of it; again where the page
// moved under the click, as words still took their room.
func (p *page) clickFramed(x, y float64) {
	p.Helper()
	there := "document.activeElement.id === 'f0' && " + inner(0) + "document.activeElement.id === 'stage'"
	for range 10 {
		p.eval(inner(0) + "scrollTo(0, 0); if (document.getElementById('f0').getBoundingClientRect().top < 0) scrollTo(0, 0)")
		b := eval[[]float64](p, `(() => { const f = document.getElementById('f0').getBoundingClientRect(),
			s = document.getElementById('f0').contentDocument.getElementById('stage').getBoundingClientRect(); return [f.x + s.x, f.y + s.y]; })()`)
		p.do(chromedp.MouseClickXY(b[0]+x, b[1]+y))
		if eval[bool](p, "new Promise((done) => { const end = Date.now() + 3000; (function look() { if ("+there+") done(true); else if (Date.now() > end) done(false); else setTimeout(look, 20); })(); })") {
			return
		}
	}
	p.until(there)
}

// E-2: five presses are enough to leave the picture either way, and some more to
// leave the frame.
func TestTheFocusLeavesAFramedPictureBothWays(t *testing.T) {
	p := framed(t, "", 1)
	forward, back := chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(chromedp.ModifierShift))
	for to, tab := range map[string]chromedp.Action[chromedp.Void]{"after": forward, "before": back} {
		p.clickFramed(300, 5)
		for range 5 {
			p.do(tab)
		}
		require.NotEqual(t, "stage", eval[string](p, inner(0)+"document.activeElement.id"), "the picture keeps the focus")
		for n := 0; p.active() != to; n++ {
			require.Less(t, n, 150, "the frame keeps the focus")
			p.do(tab)
		}
	}
}

// E-3, E-4, E-8: a figure that starts in a page elsewhere leaves the host alone, and
// has its full size all the same.
func TestAFramedPageStartsWithoutMovingItsHostOrTakingItsFocus(t *testing.T) {
	p := framed(t, "above=2000", 1)
	assert.Zero(t, eval[float64](p, "scrollY"))
	for _, y := range []int{0, 1900, 3500} {
		p.eval(fmt.Sprintf("document.getElementById('before').focus({preventScroll: true}); scrollTo(0, %d)", y))
		p.eval("document.getElementById('f0').contentWindow.old = true; document.getElementById('f0').contentWindow.location.reload()")
		p.until("!" + inner(0) + "old")
		p.do(chromedp.KeyEvent("x"))
		p.framedSettles(0)
		p.framedSend(0, "seek", "{atNs: '10000000000'}")
		// The key comes to the field, which the browser scrolls to by itself.
		assert.Equal(t, "before", p.active())
		p.eval(fmt.Sprintf("scrollTo(0, %d)", y))
		p.framedSend(0, "set", "{key: 'class', value: 'FSS'}")
		assert.Equal(t, float64(y), eval[float64](p, "scrollY"))
		assert.Equal(t, "before", p.active())
	}
	assert.Equal(t, "xxx", eval[string](p, "document.getElementById('before').value"))
	p.until("Math.abs(" + inner(0) + "strandscope.state.pixels[0] - " + inner(0) + "document.getElementById('stage').clientWidth) <= 1")
	// A click that gives it the focus scrolls nothing either, and does what it says.
	p.eval("scrollTo(0, 1990)")
	p.clickFramed(300, 5)
	assert.Equal(t, 1990.0, eval[float64](p, "scrollY"))
	p.do(chromedp.KeyEvent(kb.ArrowDown))
	p.until(inner(0) + "strandscope.state.selected.strand === 0")
	assert.Equal(t, "solid 2px", eval[string](p, `(({outlineStyle, outlineWidth}) => outlineStyle + ' ' + outlineWidth)(
		document.getElementById('f0').contentWindow.getComputedStyle(`+inner(0)+`strandscope.canvas()))`), "the ring of who has the focus")
}

// E-14: two figures on one page.
func TestTwoFramedPagesRunIndependently(t *testing.T) {
	p := framed(t, "frames=2&width=700", 2)
	p.framedSend(0, "set", "{key: 'class', value: 'FSS'}")
	p.framedSend(0, "seek", "{atNs: '7000000000'}")
	p.framedSend(1, "seek", "{atNs: '3000000000'}")
	assert.Equal(t, []string{"FSS 7000000000", "unset 3000000000"}, eval[[]string](p,
		"['f0', 'f1'].map((id) => document.getElementById(id).contentWindow.strandscope.state).map((s) => s.scenario.class + ' ' + s.nowNs)"))
	for _, width := range []int{950, 433} {
		p.eval(fmt.Sprintf("document.getElementById('f0').style.width = '%dpx'", width))
		p.until(fmt.Sprintf("%sinnerWidth === %d && %sstrandscope.settled", inner(0), width, inner(0)))
		assert.True(t, eval[bool](p, "((w) => Math.abs(w.strandscope.canvas().width - w.document.getElementById('stage').clientWidth * devicePixelRatio) <= 1)(document.getElementById('f0').contentWindow)"))
		assert.Equal(t, 700, eval[int](p, inner(1)+"innerWidth"))
	}
	assert.Empty(t, p.faults())
}

// E-15: keys of who has the focus scroll nothing; without it they do as ever.
func TestKeysScrollTheHostOnlyWhenTheFigureHasNoFocus(t *testing.T) {
	p := framed(t, "above=100", 1)
	p.clickFramed(300, 5)
	p.do(chromedp.KeyEvent(" "))
	p.until(inner(0) + "strandscope.state.playing")
	for _, k := range []string{" ", kb.ArrowDown, kb.ArrowUp, kb.ArrowRight, kb.ArrowDown} {
		p.do(chromedp.KeyEvent(k))
	}
	p.until("!" + inner(0) + "strandscope.state.playing && " + inner(0) + "strandscope.state.selected.strand >= 0")
	assert.Equal(t, []float64{0, 0}, eval[[]float64](p, "[scrollY, "+inner(0)+"scrollY]"))
	p.eval("document.activeElement.blur()")
	p.do(chromedp.MouseClickXY(1200, 400)) // beside the frame
	p.until("document.activeElement === document.body")
	for try := 0; try < 5 && eval[float64](p, "scrollY") <= 100; try++ {
		p.do(chromedp.KeyEvent(" ")) // a busy browser may not have moved the focus yet
		p.sleep(500)
	}
	p.until("scrollY > 100")
	assert.False(t, eval[bool](p, inner(0)+"strandscope.state.playing"))
}

// E-18: every key of the page's table does what it says, from the picture in a frame.
func TestEveryShortcutWorksInAFrame(t *testing.T) {
	p := framed(t, "", 1)
	p.clickFramed(300, 5)
	p.eval("const { acts } = " + inner(0) + "strandscope.shortcuts; window.heard = []; for (const a in acts) acts[a] = () => window.heard.push(a)")
	type entry struct {
		Act  string
		Keys []string
	}
	list := eval[[]entry](p, "strandscopeKeys.list.filter((k) => k.where === 'page')") // the host loads the table, too
	require.Greater(t, len(list), 8)
	for _, k := range list {
		p.eval("window.heard.length = 0")
		p.do(chromedp.KeyEvent(k.Keys[0]))
		p.until("heard.length > 0")
		assert.Equal(t, []string{k.Act}, eval[[]string](p, "heard"), k.Keys[0])
	}
	// And those of the picture come to the program.
	p.do(chromedp.KeyEvent(kb.ArrowDown))
	p.until(inner(0) + "strandscope.state.selected.strand === 0") // of none the first is chosen
	p.do(chromedp.KeyEvent(kb.End))
	p.until(inner(0) + "strandscope.state.selected.strand === 31")
	p.do(chromedp.KeyEvent("0"))
	p.until(inner(0) + "strandscope.state.range.kind === 'whole'")
	p.do(chromedp.KeyEvent("+"))
	p.until(inner(0) + "strandscope.state.range.kind !== 'whole'")
	p.do(chromedp.KeyEvent(kb.Escape))
	p.until(inner(0) + "strandscope.state.selected.strand === -1")
}
