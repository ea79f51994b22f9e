//go:build browser

package e2e

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/clock"
)

func (p *page) now() string { p.Helper(); return eval[string](p, "strandscope.state.nowNs") }

// digest is that of the run in the page, and straight that of one without a page.
func (p *page) digest() string { p.Helper(); return eval[string](p, "strandscope.state.digest") }

func straight(t *testing.T, id string, to clock.Duration) string {
	t.Helper()
	s, err := sim.Open(id)
	require.NoError(t, err)
	require.NoError(t, s.Advance(to))
	return hex(s.Digest())
}

// drag drags the mouse from one place of the window to another.
func (p *page) drag(x0, y0, x1, y1 float64) {
	p.Helper()
	mouse := func(kind input.DispatchMouseEventType, x, y float64, buttons int64) {
		p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := cdp.Call(ctx, t, input.DispatchMouseEvent, input.DispatchMouseEventParams{
				Type: kind, X: x, Y: y, Button: input.MouseButtonLeft, Buttons: buttons, ClickCount: 1,
			})
			return err
		}))
	}
	mouse(input.DispatchMouseEventTypeMousePressed, x0, y0, 1)
	for i := range 5 {
		f := float64(i+1) / 5
		mouse(input.DispatchMouseEventTypeMouseMoved, x0+(x1-x0)*f, y0+(y1-y0)*f, 1)
	}
	mouse(input.DispatchMouseEventTypeMouseReleased, x1, y1, 0)
	p.settle()
}

func TestStepsGoBothWaysByKeyAndByMouse(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1440, height: 900})
	p.load("t2000-ts", 5)
	five := p.digest()
	for _, way := range [][2]string{{",", "."}, {"<", ">"}} {
		p.eval("document.activeElement.blur()")
		p.do(chromedp.KeyEvent(way[0]))
		p.until("strandscope.settled && strandscope.state.nowNs < '5000000000'")
		back := p.now()
		p.do(chromedp.KeyEvent(way[1]))
		p.until("strandscope.settled && strandscope.state.nowNs > '" + back + "'")
		p.at(5)
	}
	for _, way := range [][2]string{{"#back-tick", "#on-tick"}, {"#back-decision", "#on-decision"}} {
		p.do(chromedp.Click(way[0]))
		p.until("strandscope.settled && strandscope.state.nowNs < '5000000000'")
		back := p.now()
		p.do(chromedp.Click(way[1]))
		p.until("strandscope.settled && strandscope.state.nowNs > '" + back + "'")
		p.at(5)
	}
	assert.Equal(t, five, p.digest())
	assert.Equal(t, straight(t, "t2000-ts", 5*clock.Second), p.digest())
	// While it plays, a step stops it where it is.
	p.send("play", "{}")
	p.do(chromedp.Click("#back-tick"))
	p.until("strandscope.settled && !strandscope.state.playing")
	// In the picture the same keys count, and do not scroll.
	p.at(5)
	p.do(chromedp.KeyEvent(kb.Tab)) // anywhere
	p.eval("strandscope.canvas().focus()")
	p.do(chromedp.KeyEvent(","))
	p.until("strandscope.settled && strandscope.state.nowNs === '4990000000'")
}

func TestTheSliderScrubsAndDoesNotFlood(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1440, height: 900})
	p.load("t2000-ts", 20)
	assert.Equal(t, "20.00 s of 20.00 s", eval[string](p, "document.getElementById('scrub').getAttribute('aria-valuetext')"))
	p.focus("#scrub")
	p.do(chromedp.KeyEvent(kb.Home))
	p.until("strandscope.settled && strandscope.state.nowNs === '0'")
	assert.Equal(t, "20000", eval[string](p, "document.getElementById('scrub').max"), "the run so far stays")
	p.do(chromedp.KeyEvent(kb.End))
	p.until("strandscope.settled && strandscope.state.nowNs === '20000000000'")
	p.do(chromedp.KeyEvent(kb.ArrowLeft))
	p.until("strandscope.settled && strandscope.state.nowNs < '20000000000'")
	assert.Equal(t, "scrub", eval[string](p, "document.activeElement.id"))
	// A hundred changes in one go are few seeks, and the last one counts.
	before := eval[int](p, "strandscope.send('hello')")
	p.eval(`const s = document.getElementById('scrub');
		for (let i = 1; i <= 100; i++) { s.value = i * 100; s.dispatchEvent(new Event('input', {bubbles: true})); }`)
	p.until("strandscope.settled && strandscope.state.nowNs === '10000000000'")
	assert.Less(t, eval[int](p, "strandscope.send('hello')")-before, 8)
	assert.Equal(t, straight(t, "t2000-ts", 10*clock.Second), p.digest())
	assert.Equal(t, "10.00 s", eval[string](p, "document.getElementById('scrub-value').textContent"))
}

func TestRunToFindsSaysAndCanBeStopped(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1440, height: 900})
	p.load("t2000-unset", 1)
	p.focus("#run-to-what")
	assert.True(t, eval[bool](p, "document.getElementById('run-to-with').hidden"))
	p.choose("#run-to-what", "load1 >")
	p.focus("#run-to-operand")
	p.do(chromedp.KeyEvent("2"), chromedp.KeyEvent(kb.Enter))
	p.until("strandscope.settled && strandscope.state.found !== ''")
	assert.Regexp(t, `^The load average of 1 min is 2\.`, eval[string](p, "document.getElementById('found').textContent"))
	assert.Equal(t, "status", eval[string](p, "document.getElementById('found').getAttribute('role')"), "announced")
	p.choose("#run-to-what", "migration")
	p.do(chromedp.Click("#run-to-go"))
	p.until("strandscope.settled && /moved from cpu/.test(strandscope.state.found)")
	// A time that is over is refused in a sentence.
	p.choose("#run-to-what", "time")
	p.focus("#run-to-operand")
	p.do(chromedp.KeyEvent("0"), chromedp.KeyEvent(".5"), chromedp.KeyEvent(kb.Enter))
	p.until("document.getElementById('notice').innerText.includes('is over')")
	// What never comes can be stopped.
	p.choose("#run-to-what", "load15 >")
	p.eval("document.getElementById('run-to-operand').value = '9999'")
	p.choose("#run-to-limit", "86400000000000")
	p.do(chromedp.Click("#run-to-go"))
	p.until("!document.getElementById('run-to-stop').hidden")
	p.do(chromedp.Click("#run-to-stop"))
	p.until("strandscope.settled && strandscope.state.found.startsWith('Stopped at ')")
	assert.True(t, eval[bool](p, "document.getElementById('run-to-stop').hidden"))
	assert.Less(t, eval[float64](p, "Number(strandscope.state.nowNs)/1e9"), 86400.0)
}

func TestWhyAnswersForAQueueEntryASwitchAndAGap(t *testing.T) {
	p := open(t, look{sharp: true, noPlay: true, width: 1440, height: 900})
	p.load("linux22-250-hogs", 20)
	// Below the strands is the run queue: a click on an entry asks about it.
	p.clickQueue()
	assert.Regexp(t, `^Why is \w+ \d+ waiting\?$`, eval[string](p, "document.getElementById('why-head').textContent"))
	text := eval[string](p, "document.getElementById('why-lines').innerText")
	assert.Contains(t, text, "kernel/sched.c: ")
	assert.Contains(t, text, "goodness, as it stands now")
	assert.Contains(t, text, "ran instead")
	// A name in the answer can be asked in turn, by keyboard.
	p.focus("#why-lines .winner .link")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until(`strandscope.settled && / on cpu\d\?$/.test(document.getElementById('why-head').textContent)`)
	p.theme("dark")
	p.keep("why-1440-dark")
	narrow := eval[float64](p, "document.getElementById('why-lines').clientWidth")
	p.focus("#why-large")
	p.do(chromedp.KeyEvent(" "))
	assert.Greater(t, eval[float64](p, "document.getElementById('why-lines').clientWidth"), 2*narrow)
	p.eval("document.querySelector('footer .why').scrollIntoView()")
	p.keep("why-large-1440-dark")
	assert.Equal(t, "why-large", eval[string](p, "document.activeElement.id"))
	p.do(chromedp.KeyEvent(" "))
	assert.LessOrEqual(t, eval[float64](p, "document.documentElement.scrollHeight - document.querySelector('footer').getBoundingClientRect().bottom - scrollY"), 1.0, "nothing below the page")
	// A moment of the past, at the cursor; then that moment itself.
	p.send("point", "{strand: 1, atNs: '15000000000'}")
	assert.Contains(t, eval[string](p, "document.getElementById('why-head').textContent"), "Why did cpu1 turn to ")
	assert.Contains(t, eval[string](p, "document.getElementById('why-lines').innerText"), "is not kept")
	p.do(chromedp.Click("#why-go"))
	p.until("strandscope.settled && strandscope.state.nowNs < '15000000001'")
	assert.Regexp(t, ` on cpu1\?$`, eval[string](p, "document.getElementById('why-head').textContent"))
	assert.True(t, eval[bool](p, "document.getElementById('why-go').hidden"))
	p.load("t2000-unset", 12)
	p.send("do", `{line: "run -b 14 'run 50ms; sleep 100ms'"}`)
	p.at(13)
	p.send("point", "{strand: 14, atNs: '12500000000'}")
	if head := eval[string](p, "document.getElementById('why-head').textContent"); assert.Regexp(t, `cpu14 (idle at|turn to)`, head) {
		p.keep("why-past-1440-dark")
	}
}

// clickQueue clicks the first entry of the run queue.
func (p *page) clickQueue() {
	p.Helper()
	cells := p.cells()
	x, y := cells[0].X+12, 0
	for _, c := range cells {
		y = max(y, c.Y+c.H)
	}
	for dy := 20; dy < 200; dy += 8 {
		p.clickStage(x, y+dy)
		p.sleep(150) // a click on the picture has no number to wait for
		p.settle()
		if eval[int](p, "strandscope.state.selected.thread") >= 0 {
			return
		}
	}
	require.Fail(p, "no entry of the run queue was hit")
}

func TestTheEditorAddsChangesAndTakesBack(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1440, height: 900})
	p.load("t2000-ts", 5)
	p.do(chromedp.Click("#add > summary"))
	p.choose("#add-kind", "sleep")
	p.eval("document.getElementById('add-count').value = '3'; document.getElementById('add-class').value = 'FX'")
	p.do(chromedp.Click("#add-form button"))
	p.until("strandscope.settled && strandscope.state.started.length === 1")
	assert.Equal(t, "run -n 3 -c FX 'run 5ms; sleep 20ms'", eval[string](p, "strandscope.state.undo"))
	assert.Contains(t, eval[string](p, "document.getElementById('started').innerText"), "sleeper × 3 FX")
	p.at(8)
	with := p.digest()
	p.keep("editor-1440-dark")
	// One of them, then all of them, are changed.
	p.do(chromedp.Click("#change > summary"))
	p.choose("#change-whom", "n sleeper")
	p.enter("#change-class", "TS")
	p.focus("#change-nice")
	p.enter("#change-nice", "7")
	p.until("strandscope.settled && strandscope.state.started[0].nice === 7")
	assert.Equal(t, "TS", eval[string](p, "strandscope.state.started[0].class"))
	// Both are undone with the keyboard, then the tasks themselves.
	p.eval("document.activeElement.blur()")
	p.do(chromedp.KeyEvent("u"))
	p.until("strandscope.settled && strandscope.state.started[0].nice === 0")
	assert.Contains(t, eval[string](p, "document.getElementById('found').textContent"), "Undone, as of 00:00:08.00: renice 7")
	p.do(chromedp.KeyEvent("u"))
	p.until("strandscope.settled && strandscope.state.started[0].class === 'FX'")
	assert.Equal(t, with, p.digest())
	p.do(chromedp.Click("#undo"))
	p.until("strandscope.settled && strandscope.state.started.length === 0")
	assert.Equal(t, straight(t, "t2000-ts", 8*clock.Second), p.digest(), "as if it had never been done")
	assert.Equal(t, "8000000000", p.now())
	assert.True(t, eval[bool](p, "document.getElementById('undo').disabled"))
	p.do(chromedp.Click("#redo"))
	p.until("strandscope.settled && strandscope.state.started.length === 1")
	assert.Equal(t, with, p.digest())
	// A refusal says why, and starts nothing.
	p.eval("document.getElementById('add-set').value = '77'")
	p.do(chromedp.Click("#add-form button"))
	p.until("document.getElementById('notice').innerText.includes('77')")
	assert.Equal(t, 3, eval[int](p, "strandscope.state.started[0].alive"))
	p.do(chromedp.Click("#started button"))
	p.until("strandscope.settled && strandscope.state.undo === 'pkill -x sleeper'")
}

func TestAStrandIsDraggedOffLineAndBack(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1440, height: 900})
	p.load("t2000-ts", 5)
	c, b := p.cells()[3], p.stageBox()
	x, y := b.x+float64(c.X+c.W/2), b.y+float64(c.Y+c.H/2)
	away := b.y + b.h - 60
	p.drag(x, y, x+200, away)
	p.until("strandscope.settled && strandscope.state.undo === 'psradm -f 3'")
	assert.Equal(t, 31, eval[int](p, "strandscope.state.totals.strands"))
	p.drag(x, y, x+30, y+4)
	assert.Equal(t, "psradm -f 3", eval[string](p, "strandscope.state.undo"), "a drag that stays inside does nothing")
	p.drag(x, y, x+200, away)
	p.until("strandscope.settled && strandscope.state.undo === 'psradm -n 3'")
	// And by key.
	p.eval("strandscope.canvas().focus()")
	p.do(chromedp.KeyEvent("o"))
	p.until("strandscope.settled && strandscope.state.totals.strands === 31")
	assert.Equal(t, 3, eval[int](p, "strandscope.state.selected.strand"))
}

func TestThePanelsFitInBothThemesAndOnAPhone(t *testing.T) {
	p := open(t, look{noPlay: true})
	p.load("fss-1-3", 12)
	p.send("do", "{line: \"run -n 2 'run 5ms; sleep 20ms'\"}")
	p.at(14)
	p.send("runTo", "{to: 'decision'}")
	p.send("select", "{thread: 3}")
	p.eval("document.getElementById('add').open = true; document.getElementById('change').open = true")
	for _, size := range [][2]int64{{1440, 900}, {1024, 768}, {390, 844}} {
		p.resize(size[0], size[1])
		for _, theme := range []string{"dark", "light"} {
			p.theme(theme)
			if size[0] < 900 {
				p.eval("document.getElementById('settings').open = true; document.getElementById('transport').scrollIntoView()")
			}
			p.keep("transport-" + itoa(int(size[0])) + "-" + theme)
		}
		if size[0] < 900 {
			p.eval("document.getElementById('editor').scrollIntoView()")
			p.keep("editor-390-light")
			p.eval("document.querySelector('footer .why').scrollIntoView()")
			p.keep("why-390-light")
			small := eval[[]string](p, `[...document.querySelectorAll('#transport button, #transport select, #transport input, #editor button, #editor input, #editor select, .why button, .why select')]
				.filter((e) => e.checkVisibility() && e.getBoundingClientRect().height < 43.5).map((e) => e.id || e.textContent)`)
			assert.Empty(t, small, "too small for fingers")
		}
		assert.Equal(t, size[0], eval[int64](p, "document.documentElement.scrollWidth"), "scrolls sideways at %d", size[0])
		assert.Empty(t, eval[[]string](p, outside), "cut off at %d", size[0])
	}
}
