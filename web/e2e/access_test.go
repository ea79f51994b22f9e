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

func (p *page) press(keys ...string) {
	p.Helper()
	for _, k := range keys {
		p.do(chromedp.KeyEvent(k))
	}
}

func TestPanelsAreChosenByKeyboardAndRemembered(t *testing.T) {
	p := open(t, look{noPlay: true})
	p.at(10)
	p.focus("#view-open")
	p.press(kb.Enter)
	p.until("!document.getElementById('view').hidden && document.getElementById('view-open').getAttribute('aria-expanded') === 'true'")
	shown := func() []string {
		p.settle()
		return eval[[]string](p, "strandscope.state.panels.list.filter((q) => q.shown).map((q) => q.id)")
	}
	require.Equal(t, []string{"strands", "runqueue", "timeline", "loadavg", "utilisation", "rqlen", "ladder"}, shown())

	p.focus("[data-panel=runqueue] input")
	p.press(" ")
	p.until("strandscope.settled && !strandscope.state.panels.list[1].shown")
	assert.NotContains(t, eval[string](p, "strandscope.state.text"), "first in the queue")
	p.focus("[data-panel=timeline] [data-act=Earlier]")
	p.press(kb.Enter, kb.Enter)
	p.until("strandscope.settled && strandscope.state.panels.list[0].id === 'timeline'")
	assert.Equal(t, "Earlier: Timeline", eval[string](p, "document.activeElement.getAttribute('aria-label')"), "the focus stays on the button")
	p.focus("[data-panel=loadavg] [data-act=Enlarge]")
	p.press(kb.Enter)
	p.until("strandscope.settled && strandscope.state.panels.large === 'loadavg' && document.activeElement.getAttribute('aria-pressed') === 'true'")
	p.keep("panel-large")
	p.press(kb.Escape)
	assert.Equal(t, "view-open", p.active(), "Esc closes the menu and gives the focus back")
	assert.True(t, eval[bool](p, "document.getElementById('view').hidden"))

	p.do(chromedp.Reload())
	p.settle()
	assert.Equal(t, []string{"timeline", "strands", "loadavg", "utilisation", "rqlen", "ladder"}, shown(), "kept for the next visit")
	assert.Empty(t, eval[string](p, "strandscope.state.panels.large"), "but a large panel is for now")
	p.eval("document.getElementById('panels-reset').click()")
	assert.Equal(t, []string{"strands", "runqueue", "timeline", "loadavg", "utilisation", "rqlen", "ladder"}, shown())
	assert.Empty(t, p.faults())
}

func TestTheLastPanelCannotBeHidden(t *testing.T) {
	p := open(t, look{noPlay: true})
	p.eval("document.getElementById('view-open').click()")
	for _, id := range []string{"strands", "runqueue", "timeline", "loadavg", "utilisation", "rqlen"} {
		p.eval(fmt.Sprintf("document.querySelector('[data-panel=%s] input').click()", id))
		p.settle()
	}
	p.until("document.querySelector('[data-panel=ladder] input').disabled")
	assert.Empty(t, eval[string](p, "strandscope.state.error"))
	p.keep("panel-one")
}

func TestTheViewOutlivesALostPicture(t *testing.T) {
	p := open(t, look{noPlay: true})
	p.eval("document.getElementById('cores').click()")
	p.eval("document.querySelector('[data-panel=ladder] [data-act=Enlarge]').click()")
	p.until("strandscope.settled && strandscope.state.panels.cores && strandscope.state.panels.large === 'ladder'")
	p.eval("strandscope.restart()")
	p.until("strandscope.settled && strandscope.state.panels.cores && strandscope.state.panels.large === 'ladder'")
	p.eval("document.getElementById('shrink').click()")
	p.until("strandscope.settled && strandscope.state.panels.large === '' && document.getElementById('shrink').hidden")
	p.keep("cores")
	assert.Equal(t, 32, eval[int](p, "strandscope.state.totals.strands"), "the totals are of strands")
}

func TestEscInTheEnlargedPictureShowsAllPanels(t *testing.T) {
	p := open(t, look{noPlay: true})
	p.eval("document.querySelector('[data-panel=timeline] [data-act=Enlarge]').click()")
	p.until("strandscope.settled && strandscope.state.panels.large === 'timeline'")
	p.eval("document.getElementById('stage').contentDocument.querySelector('canvas').focus()")
	p.press(kb.Escape)
	p.until("strandscope.settled && strandscope.state.panels.large === ''")
}

func TestTheSheetOfShortcutsComesFromTheTableOfKeys(t *testing.T) {
	p := open(t, look{noPlay: true})
	p.focus("#step")
	p.press("?")
	p.until("document.getElementById('sheet').open")
	listed := eval[[]string](p, "[...document.querySelectorAll('#sheet kbd')].map((k) => k.textContent)")
	assert.Equal(t, eval[[]string](p, "strandscopeKeys.list.filter((k) => k.show).map((k) => k.show)"), listed)
	assert.Greater(t, len(listed), 12)
	assert.True(t, eval[bool](p, "document.getElementById('sheet').contains(document.activeElement)"))
	p.press("r") // behind the sheet nothing happens
	p.press(kb.Escape)
	p.until("!document.getElementById('sheet').open")
	assert.Equal(t, "step", p.active(), "the focus goes back to where it was")
	p.eval("document.getElementById('stage').contentDocument.querySelector('canvas').focus()")
	p.press("?")
	p.until("document.getElementById('sheet').open")
	p.eval("document.getElementById('keys-on').click(); document.getElementById('sheet-close').click()")
	p.focus("#step")
	p.press("?", " ")
	p.settle()
	assert.False(t, eval[bool](p, "document.getElementById('sheet').open"), "keys of one character are switched off")
	for _, act := range []string{"toggle", "step", "reset", "sheet"} {
		assert.True(t, eval[bool](p, "typeof strandscope.shortcuts.acts."+act+" === 'function'"), act)
	}
	assert.Empty(t, eval[[]string](p, "strandscopeKeys.list.map((k) => k.act).filter((a) => a && !strandscope.shortcuts.acts[a])"), "each key of the page does something")
}

func TestSkipLinksComeFirstAndLeadThere(t *testing.T) {
	p := open(t, look{noPlay: true})
	p.press(kb.Tab)
	assert.Equal(t, "To the picture", eval[string](p, "document.activeElement.textContent"))
	assert.True(t, eval[bool](p, "document.activeElement.getBoundingClientRect().top >= 0"), "seen while it has the focus")
	p.press(kb.Enter)
	assert.Equal(t, "stage", p.active())
	p.eval("document.querySelector('.skip[href=\"#twin\"]').click()")
	assert.Equal(t, "twin", p.active())
	p.eval("document.querySelector('.skip[href=\"#tools\"]').click()")
	assert.Equal(t, "tools", p.active())
	assert.Empty(t, eval[string](p, "location.hash"))
}

func TestTheAddressChoosesTheThemeForThisVisit(t *testing.T) {
	p := open(t, look{noPlay: true, path: "?theme=projector"})
	assert.Equal(t, "projector", eval[string](p, "strandscope.state.theme"))
	assert.Equal(t, "projector", eval[string](p, "document.getElementById('theme').value"))
	assert.Equal(t, "projector", eval[string](p, "document.getElementById('stage').contentDocument.documentElement.dataset.theme"))
	assert.Empty(t, eval[string](p, "localStorage.getItem('strandscope.theme') ?? ''"), "it is not kept")
	p.choose("#theme", "light")
	assert.Equal(t, "light", eval[string](p, "strandscope.state.theme"))
	assert.Equal(t, "light", eval[string](p, "localStorage.getItem('strandscope.theme')"))
}

func TestEachPanelIsToldInWordsUnderAHeading(t *testing.T) {
	p := open(t, look{noPlay: true})
	p.at(31)
	p.eval("document.getElementById('describe').click()")
	heads := eval[[]string](p, "[...document.querySelectorAll('#described h3')].map((h) => h.textContent)")
	assert.Equal(t, []string{"Strands", "Run queue", "Timeline", "Load average", "CPU utilisation", "Run queue (r)", "Priorities"}, heads)
	assert.True(t, eval[bool](p, "[...document.querySelectorAll('#described p')].every((q) => q.textContent.length > 10)"))
	p.at(5)
	p.until("document.querySelector('#described p').textContent.startsWith('12 of 32')")
	assert.False(t, eval[bool](p, "!!document.getElementById('described').closest('[aria-live], [role=status]')"), "it does not speak by itself")
}

// The words must not be announced more often than every two seconds.
func TestTheLiveRegionIsNotChatty(t *testing.T) {
	p := open(t, look{})
	p.until("strandscope.state.playing")
	changes := eval[int](p, `new Promise((done) => {
		let n = 0;
		new MutationObserver(() => n++).observe(document.getElementById('twin'), {childList: true, characterData: true, subtree: true});
		setTimeout(() => done(n), 7000);
	})`)
	assert.LessOrEqual(t, changes, 4)
}

// E-5: what was held when the window lost the focus does not go on.
func TestAHeldKeyEndsWithTheFocus(t *testing.T) {
	p := open(t, look{noPlay: true})
	p.at(1)
	p.eval("document.getElementById('stage').contentDocument.querySelector('canvas').focus()")
	p.eval(`{ const c = document.getElementById('stage').contentDocument.querySelector('canvas');
		c.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}));
		c.ownerDocument.defaultView.dispatchEvent(new Event('blur')); dispatchEvent(new Event('blur')); c.blur(); }`)
	p.until("strandscope.settled && strandscope.state.selected.strand === 0")
	at := eval[int](p, "strandscope.state.selected.strand")
	draws := eval[int](p, "strandscope.state.draws")
	p.sleep(600)
	p.settle()
	assert.Equal(t, at, eval[int](p, "strandscope.state.selected.strand"))
	assert.Equal(t, draws, eval[int](p, "strandscope.state.draws"))
}

// At 200 % a window of 1280 pixels has room for 640.
func TestTheZoomedPageHasEverythingWithinReach(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1440, height: 900})
	p.at(10)
	for _, size := range [][2]int64{{960, 540}, {720, 450}, {640, 400}, {512, 384}, {320, 512}} {
		p.resize(size[0], size[1])
		p.until(fmt.Sprintf("innerWidth === %d && strandscope.settled", size[0]))
		assert.Equal(t, size[0], eval[int64](p, "document.documentElement.scrollWidth"), "scrolls sideways at %d", size[0])
		assert.Empty(t, eval[[]string](p, outside), "cut off at %d", size[0])
		p.eval("document.getElementById('view-open').click()")
		assert.Empty(t, eval[[]string](p, outside), "the menu is cut off at %d", size[0])
		p.eval("document.getElementById('view-close').click()")
		p.keep(fmt.Sprintf("zoomed-%d", size[0]))
	}
}

func TestTargetsAreLargeEnough(t *testing.T) {
	small := func(p *page, least float64) []string {
		return eval[[]string](p, fmt.Sprintf(`[...document.querySelectorAll('button, select, summary, label:has(input), input[type=number], input[type=text], .speed')]
			.filter((e) => e.checkVisibility() && !e.closest('.unseen') && (e.getBoundingClientRect().height < %g || e.getBoundingClientRect().width < %g))
			.map((e) => (e.id || e.ariaLabel || e.textContent) + ' ' + e.getBoundingClientRect().width + '×' + e.getBoundingClientRect().height)`, least, least))
	}
	p := open(t, look{noPlay: true, width: 1440, height: 900})
	p.send("load", "{scenario: 'fss-1-3'}")
	p.eval("document.getElementById('view-open').click(); document.querySelector('#tools [data-tool=console]').click()")
	assert.Empty(t, small(p, 23.5))
	p.resize(390, 844)
	p.settle()
	assert.Empty(t, small(p, 43.5))
	p.eval("document.getElementById('keys').click()")
	assert.Empty(t, small(p, 43.5))
}

// Whatever can have the focus by Tab shows a ring that contrasts 3 to 1 at least: its
// colour is tested with the themes, here that it is there.
func TestTheFocusIsSeenEverywhereAndNeverTrapped(t *testing.T) {
	p := open(t, look{noPlay: true})
	p.eval("document.querySelector('#tools [data-tool=console]').click(); document.body.focus()")
	seen := map[string]bool{}
	for range 120 {
		p.press(kb.Tab)
		at := eval[string](p, "(document.activeElement.id || document.activeElement.dataset.act || document.activeElement.textContent.slice(0, 20) || document.activeElement.value || document.activeElement.tagName)")
		if at == "" || eval[bool](p, "document.activeElement === document.body") {
			break
		}
		seen[at] = true
		ring := eval[bool](p, `(() => { const e = document.activeElement, s = getComputedStyle(e), l = e.closest('label') && getComputedStyle(e.closest('label'));
			return e.id === 'stage' || [s, l].some((x) => x && x.outlineStyle !== 'none' && parseFloat(x.outlineWidth) >= 2); })()`)
		assert.True(t, ring, "no ring on %s", at)
	}
	for _, id := range []string{"scenario", "reset", "play", "step", "speed", "view-open", "keys", "stage", "range-text", "describe", "typing", "ask"} {
		assert.True(t, seen[id], "Tab does not come to %s", id)
	}
}
