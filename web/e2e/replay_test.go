//go:build browser

package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// play is a document with commands that every machine has.
const play = `{"title": "A play", "console": {}, "document": [
	{"remark": "First a look."},
	{"type": "sleep 2; echo r 20 us 37 id 63", "prints": ["r 20 us 37 id 62"]},
	{"type": "sleep 4000; seq 3", "prints": ["1", "2", "3"]},
	{"remark": "The end."}]}`

func (p *page) openPlay() {
	p.Helper()
	eval[int](p, "strandscope.loadText('play.json', "+"`"+play+"`"+")")
	p.until("strandscope.settled && strandscope.state.scenario.title === 'A play'")
	p.until("document.getElementById('replay').checkVisibility()")
}

func TestTheDocumentIsReplayedAtAReadersPace(t *testing.T) {
	p := open(t, look{width: 1440, height: 900})
	p.openPlay()
	p.focus("#replay")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.logged("remark: First a look.")
	assert.Equal(t, "replay-next", p.active(), "the focus goes on where the button was")
	assert.False(t, eval[bool](p, "strandscope.state.console.told.step > 0"), "the remark can be read first")
	p.until("document.querySelector('#log mark') !== null")
	assert.Equal(t, "63", eval[string](p, "document.querySelector('#log mark').textContent"))
	assert.Equal(t, "the document printed 62", eval[string](p, "document.querySelector('#log mark').title"))
	p.logged("r 20 us 37 id 63 (differs: the document printed 62)")
	p.logged("remark: Beside the document, sleep: 2 of 3 figures as printed; 1 differs: 63 (printed 62).")
	// Pause holds it; what takes long is skipped by hand.
	p.focus("#replay-pause")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until("!strandscope.state.playing")
	p.theme("dark")
	p.keep("replay-dark")
	p.theme("light")
	p.keep("replay-light")
	assert.LessOrEqual(t, eval[int](p, "strandscope.state.console.told.step"), 2)
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until("strandscope.state.playing")
	p.logged("remark: Beside the document, sleep: 3 of 3 figures as printed.")
	p.until("!document.getElementById('replaying').checkVisibility() || document.getElementById('replay-step').textContent === 'The end of the document'")
	p.logged("remark: The end.")
	p.focus("#replay-stop")
	p.do(chromedp.KeyEvent(kb.Enter))
	assert.Equal(t, "replay", p.active())
}

func TestWithReducedMotionTheReplayWaitsForNext(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1440, height: 900})
	p.openPlay()
	p.focus("#replay")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.logged("remark: First a look.")
	p.settle()
	p.sleep(2500)
	assert.Zero(t, eval[int](p, "strandscope.state.console.told.step"), "nothing goes on by itself")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.logged("remark: Beside the document, sleep: 2 of 3 figures as printed; 1 differs: 63 (printed 62).")
	assert.False(t, eval[bool](p, "strandscope.state.playing"))
	p.settle()
	p.do(chromedp.KeyEvent(kb.Enter))
	p.logged("remark: Beside the document, sleep: 3 of 3 figures as printed.")
	p.settle()
	p.send("load", "{scenario: 't2000-ts'}")
	assert.False(t, eval[bool](p, "document.getElementById('replaying').checkVisibility()"), "another scenario ends it")
}

func TestTheConsoleFitsOnAPhone(t *testing.T) {
	p := open(t, look{noPlay: true, width: 390, height: 844})
	p.openPlay()
	p.focus("#typing")
	p.line("sleep 3; echo " + "a-line-that-is-longer-than-the-phone-is-wide-and-has-to-scroll-in-its-place")
	p.until("!document.getElementById('waits').hidden")
	assert.EqualValues(t, 390, eval[int](p, "document.documentElement.scrollWidth"), "scrolls sideways")
	assert.Empty(t, eval[[]string](p, outside))
	small := eval[[]string](p, `[...document.querySelectorAll('#shell button, #shell input, #shell-tools button')]
		.filter((e) => e.checkVisibility() && e.getBoundingClientRect().height < 43.5).map((e) => e.id)`)
	assert.Empty(t, small)
	require.True(t, eval[bool](p, "document.getElementById('typing').getBoundingClientRect().top < innerHeight"), "in view")
	p.theme("dark")
	p.keep("console-phone-dark")
	p.theme("light")
	p.keep("console-phone-light")
	for _, size := range [][2]int64{{1280, 800}, {1000, 700}} {
		p.resize(size[0], size[1])
		p.until("scrollTo(0, 0), strandscope.settled && innerWidth > 900")
		assert.True(t, eval[bool](p, "document.getElementById('enter').getBoundingClientRect().bottom < innerHeight"), "the line is in view at %d", size[0])
		assert.Empty(t, eval[[]string](p, outside))
		p.keep("console-" + itoa(int(size[0])))
	}
}

func TestTheConsolesPartsHaveRolesAndNames(t *testing.T) {
	p := open(t, look{noPlay: true})
	p.openPlay()
	named := eval[map[string][]string](p, `Object.fromEntries(['log', 'typing', 'enter', 'replay', 'copy-log', 'larger'].map((id) => {
		const e = document.getElementById(id);
		return [id, [e.computedRole ?? e.getAttribute('role') ?? e.tagName, e.computedName ?? e.ariaLabel ?? e.labels?.[0]?.textContent ?? e.textContent]];
	}))`)
	for id, has := range named {
		assert.NotEmpty(t, has[1], id)
	}
	p.until("document.getElementById('log').ariaLive === 'polite'") // off while old lines are put back
	assert.Equal(t, "log", eval[string](p, "document.getElementById('log').getAttribute('role')"))
	assert.Contains(t, eval[string](p, "document.getElementById('typing').labels[0].textContent"), "Command line of the simulated machine")
	assert.Contains(t, eval[string](p, "document.getElementById(document.getElementById('typing').getAttribute('aria-describedby')).textContent"), "Esc, then Tab leaves")
}
