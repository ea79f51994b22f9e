//go:build browser

package e2e

import (
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A-10 in the page: what makes other programs hang is refused at once, in words, and
// the run stays as it was.
func TestHostileValuesAreRefusedInThePage(t *testing.T) {
	p := open(t, look{noPlay: true})
	p.at(10)
	digest := p.digest()
	for _, c := range [][2]string{
		{`{"scheduler": {"kernel": "textbook-rr", "quantum": 0}, "jobs": "A 0 5"}`, "quantum: 0, want"},
		{`{"scheduler": {"kernel": "textbook-rr"}, "machine": "smp0", "jobs": "A 0 5"}`, "smp0"},
		{`{"scheduler": {"kernel": "textbook-lottery"}, "jobs": "A 0 5 tickets=0"}`, "tickets"},
		{`{"scheduler": {"kernel": "textbook-rr"}, "jobs": "A 0 -4"}`, "burst"},
	} {
		eval[int](p, fmt.Sprintf("strandscope.loadText('mine.json', %q)", c[0]))
		p.until(fmt.Sprintf("strandscope.settled && document.getElementById('notice').innerText.includes(%q)", c[1]))
		assert.Equal(t, digest, p.digest(), c[0])
	}
	// What is typed into fields with limits is sent as it is, and answered.
	p.eval("document.getElementById('add').open = true; document.getElementById('add-form').noValidate = true; document.getElementById('add-count').value = '0'")
	p.do(chromedp.Click("#add-form button"))
	p.until("strandscope.settled && !document.getElementById('notice').hidden")
	assert.Empty(t, eval[[]any](p, "strandscope.state.started"), "nobody was started")
}

// V-6 in the page: a moment of a task, as a link asks for it.
func TestAMomentAskedForIsChosenAndCentred(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1440, height: 900})
	p.load("linux22-ping-under-load", 20)
	p.send("zoom", "{fromNs: '14000000000', toNs: '16000000000'}")
	p.send("point", "{strand: 2, atNs: '15000000000'}")
	p.until("document.getElementById('why-head').textContent.includes('cpu2')")
	assert.Equal(t, "fixed 14000000000 16000000000", p.shown())
	assert.Equal(t, 2, eval[int](p, "strandscope.state.why.strand"))
	assert.Contains(t, eval[string](p, "strandscope.state.panels.list.find((q) => q.id === 'timeline').words"), "Cursor at 15 s on cpu2: loop ")
	p.keep("moment-1440")
}

// with reduced motion nothing moves until it is told to, and steps move it.
func TestWithReducedMotionStepsWorkAndNothingElseMoves(t *testing.T) {
	p := open(t, look{noPlay: true, before: countFrames})
	draws := eval[int](p, "strandscope.state.draws")
	for n, k := range []string{".", ".", ","} {
		p.do(chromedp.KeyEvent(k))
		p.until(fmt.Sprintf("strandscope.settled && strandscope.state.nowNs === '%d'", []int{10, 20, 10}[n]*1e6))
	}
	p.until("strandscope.settled")
	assert.LessOrEqual(t, eval[int](p, "strandscope.state.draws")-draws, 6, "a step is drawn as it ends, without pictures on the way")
	draws = eval[int](p, "strandscope.state.draws")
	p.sleep(500)
	p.send("hello", "{}")
	assert.Equal(t, draws, eval[int](p, "strandscope.state.draws"))
	assert.False(t, eval[bool](p, "strandscope.state.playing"))
}

// the key as well as the button.
func TestResetLeavesTheFocusWhereItIs(t *testing.T) {
	p := open(t, look{noPlay: true})
	for _, id := range []string{"step", "speed", "reset", "describe"} {
		p.at(10)
		p.focus("#" + id)
		p.do(chromedp.KeyEvent("r"))
		p.until("strandscope.settled && strandscope.state.nowNs === '0'")
		assert.Equal(t, id, p.active())
	}
	p.at(10)
	p.eval("scrollTo(0, 0)")
	p.clickStage(300, 5)
	p.until("document.activeElement.id === 'stage'")
	p.do(chromedp.KeyEvent("r"))
	p.until("strandscope.settled && strandscope.state.nowNs === '0'")
	assert.Equal(t, "stage", p.active())
}

// E-12: paused, the page costs next to nothing. What it costs is said, since a busy
// machine would make a limit in time fail; that nothing is drawn is asserted.
func TestPausedThePageRestsAndSaysWhatItCosts(t *testing.T) {
	p := open(t, look{before: countFrames, alone: true})
	p.until("strandscope.state.playing && BigInt(strandscope.state.nowNs) > 2000000000n")
	p.send("pause", "{}")
	p.until("document.getElementById('twin').textContent === strandscope.state.text")
	p.sleep(500) // words and figures that lag on purpose
	const frames = "document.getElementById('stage').contentWindow.framesAsked + framesAsked"
	asked, draws, before := eval[int](p, frames), eval[int](p, "strandscope.state.draws"), p.costs()
	p.sleep(10_000)
	after := p.costs()
	assert.Equal(t, asked, eval[int](p, frames), "frames asked for")
	p.send("hello", "{}")
	assert.Equal(t, draws, eval[int](p, "strandscope.state.draws"))
	span := after["Timestamp"] - before["Timestamp"]
	t.Logf("paused for %.1f s: tasks %.2f %% of a core, scripts %.2f %%", span,
		100*(after["TaskDuration"]-before["TaskDuration"])/span, 100*(after["ScriptDuration"]-before["ScriptDuration"])/span)
}

// costs are the browser's own figures of the page, in seconds.
func (p *page) costs() map[string]float64 {
	p.Helper()
	costs := map[string]float64{}
	p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		if _, err := cdp.Call(ctx, t, performance.Enable, performance.EnableParams{}); err != nil {
			return err
		}
		got, err := cdp.Call(ctx, t, performance.GetMetrics, cdp.Empty{})
		for _, m := range got.Metrics {
			costs[m.Name] = m.Value
		}
		return err
	}))
	return costs
}

// E-17: a finger on every control of a phone is heard by that control.
func TestEveryControlReactsToAFinger(t *testing.T) {
	p := open(t, look{noPlay: true, width: 390, height: 844})
	p.resize(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch, chromedp.EmulatePortrait)
	p.load("fss-1-3", 10)
	p.eval(`window.heard = new Set(); for (const kind of ['click', 'input']) {
			addEventListener(kind, (e) => { const c = e.target.closest('[data-n]'); if (c) heard.add(c.dataset.n); }, true); // a slider is moved, not clicked
		}
		HTMLSelectElement.prototype.showPicker = () => {};
		document.getElementById('settings').open = true;
		document.querySelector('#tools [data-tool=console]').click(); document.getElementById('view-open').click();
		const own = document.querySelectorAll('button, summary, input[type=radio], input[type=checkbox], input[type=number], input[type=range], input[type=text], select');
		[...own].forEach((e, n) => { e.dataset.n = n; })`)
	deaf := []string{}
	for n := range eval[int](p, "document.querySelectorAll('[data-n]').length") {
		// In sight and to be hit, if it can be: what others cover or hide is left.
		at := eval[[]float64](p, fmt.Sprintf(`(async () => { for (const d of document.querySelectorAll('dialog[open]')) d.close(); const e = document.querySelector('[data-n="%d"]');
			document.getElementById('view').hidden = !e?.closest('#view'); if (!e || e.disabled || !e.checkVisibility()) return [];
			e.scrollIntoView({block: 'center'}); await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
			const b = (e.closest('label') && e.matches('[type=radio], [type=checkbox]') ? e.closest('label') : e).getBoundingClientRect(); return [b.x + b.width * (e.type === 'range' ? 0.3 : 0.5), b.y + b.height / 2]; })()`, n))
		if len(at) == 0 {
			continue
		}
		p.tap(at[0], at[1])
		if !eval[bool](p, fmt.Sprintf("new Promise((done) => setTimeout(() => done(heard.has('%d')), 30))", n)) &&
			!eval[bool](p, fmt.Sprintf("new Promise((done) => setTimeout(() => done(heard.has('%d')), 500))", n)) {
			deaf = append(deaf, eval[string](p, fmt.Sprintf(`(e => e.id || e.ariaLabel || e.textContent)(document.querySelector('[data-n="%d"]'))`, n)))
		}
	}
	assert.Empty(t, deaf)
	assert.Greater(t, eval[int](p, "heard.size"), 40)
	p.settle()
	// And the picture: a tap on a strand chooses it.
	p.eval("for (const d of document.querySelectorAll('dialog[open]')) d.close(); document.getElementById('stage').scrollIntoView({block: 'start'})")
	p.send("load", "{scenario: 't2000-unset'}")
	require.True(t, eval[bool](p, "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"))
	c, b := p.cells()[9], p.stageBox()
	p.tap(b.x+float64(c.X+c.W/2), b.y+float64(c.Y+c.H/2))
	p.until("strandscope.state.selected.strand === 9")
	assert.Empty(t, p.faults())
}

func (p *page) tap(x, y float64) {
	p.Helper()
	for _, kind := range []input.DispatchTouchEventType{input.DispatchTouchEventTypeTouchStart, input.DispatchTouchEventTypeTouchEnd} {
		points := []*input.TouchPoint{{X: x, Y: y}}
		if kind == input.DispatchTouchEventTypeTouchEnd {
			points = []*input.TouchPoint{}
		}
		p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := cdp.Call(ctx, t, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: points})
			return err
		}))
	}
}
