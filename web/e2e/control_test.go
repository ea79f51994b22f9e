//go:build browser

package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"

	"strandscope/sim"
	"strandscope/sim/clock"
)

func TestAClassIsChosenByKeyboard(t *testing.T) {
	p := open(t, look{noPlay: true})
	p.at(10)
	p.until("document.getElementById('twin').textContent.startsWith('12 of 32 strands busy') && strandscope.state.vmstat.r === 20")
	p.focus("#class input:checked")
	for range 2 { // unset, TS, FSS
		p.do(chromedp.KeyEvent(kb.ArrowDown))
	}
	p.settle()
	assert.Equal(t, "FSS", eval[string](p, "strandscope.state.scenario.class"))
	assert.Equal(t, "FSS", eval[string](p, "document.activeElement.value"), "focus stays in the group")
	p.at(10)
	p.until("document.getElementById('twin').textContent.startsWith('32 of 32 strands busy') && strandscope.state.vmstat.r === 0")
	assert.Contains(t, eval[string](p, "document.getElementById('twin').textContent"), "r = 0")
	assert.True(t, eval[bool](p, "document.getElementById('explanation').hidden"))
}

func TestTheExplanationOfNotSetCanBeChanged(t *testing.T) {
	p := open(t, look{noPlay: true})
	assert.NotEmpty(t, eval[string](p, "document.getElementById('note').textContent"))
	p.focus("#explanation input:checked")
	p.do(chromedp.KeyEvent(kb.ArrowDown))
	p.settle()
	assert.Equal(t, "kernel", eval[string](p, "strandscope.state.scenario.explanation"))
	p.at(10)
	assert.Equal(t, 32, eval[int](p, "strandscope.state.totals.busy"))
}

func TestShortcutsLeaveNativeKeysAlone(t *testing.T) {
	p := open(t, look{noPlay: true})
	p.do(chromedp.KeyEvent(" "))
	p.until("strandscope.state.playing")
	p.do(chromedp.KeyEvent("."))
	p.until("!strandscope.state.playing && strandscope.settled")
	p.do(chromedp.KeyEvent("r"))
	p.until("strandscope.state.nowNs === '0'")
	p.do(chromedp.KeyEvent("."))
	p.until("strandscope.state.nowNs !== '0'")
	// Space on a button is that button's: reset, once, and no play.
	p.focus("#reset")
	p.do(chromedp.KeyEvent(" "))
	p.until("strandscope.settled && strandscope.state.nowNs === '0'")
	assert.False(t, eval[bool](p, "strandscope.state.playing"))
	assert.Equal(t, "reset", eval[string](p, "document.activeElement.id"), "focus stays where it was")
	// A slider keeps its arrows, and letters go through to the page.
	p.focus("#speed")
	p.do(chromedp.KeyEvent(kb.ArrowRight))
	p.settle()
	assert.Equal(t, 13000, eval[int](p, "strandscope.state.speed"))
}

func TestTheSpeedIsShownAndSaid(t *testing.T) {
	p := open(t, look{noPlay: true})
	p.focus("#speed")
	p.do(chromedp.KeyEvent(kb.End))
	p.settle()
	assert.Equal(t, 10_000_000, eval[int](p, "strandscope.state.speed"))
	assert.Equal(t, "×10,000", eval[string](p, "document.getElementById('speed-value').textContent"))
	p.do(chromedp.KeyEvent(kb.Home))
	p.settle()
	assert.Equal(t, 10, eval[int](p, "strandscope.state.speed"))
	assert.Equal(t, "0.01 times real time", eval[string](p, "document.getElementById('speed').getAttribute('aria-valuetext')"))
}

func TestABadMessageIsAnsweredAndTheRunGoesOn(t *testing.T) {
	p := open(t, look{})
	p.until("strandscope.state.playing")
	p.send("load", "{scenario: 't2000-unse'}")
	notice := eval[string](p, "document.getElementById('notice').innerText")
	assert.Contains(t, notice, "t2000-unse")
	before := eval[string](p, "strandscope.state.nowNs")
	p.until("BigInt(strandscope.state.nowNs) > " + before + "n")
	assert.Equal(t, "t2000-unset", eval[string](p, "strandscope.state.scenario.id"))
	p.send("fly", "{}")
	assert.Contains(t, eval[string](p, "strandscope.state.error"), `cmd "fly" is not known`)
	p.send("pause", "{}")
	assert.True(t, eval[bool](p, "document.getElementById('notice').hidden"))
}

func TestADocumentOfOnesOwnIsNamedInTheSelect(t *testing.T) {
	p := open(t, look{noPlay: true})
	eval[int](p, "strandscope.loadText('mine.json', '{\"machine\": \"t5240\", \"tasks\": {\"hog\": {\"instance\": 40, \"run\": 1000}}}')")
	p.until("strandscope.settled && strandscope.state.strands === 128")
	assert.Equal(t, "mine.json", eval[string](p, "document.getElementById('scenario').selectedOptions[0].label"))
	p.choose("#scenario", "t2000-ts")
	assert.Equal(t, "t2000-ts", eval[string](p, "strandscope.state.scenario.id"))
	assert.Zero(t, eval[int](p, "document.querySelectorAll('#scenario > option').length"))
}

func TestReducedMotionStartsPaused(t *testing.T) {
	p := open(t, look{noPlay: true})
	assert.False(t, eval[bool](p, "strandscope.state.playing"))
	assert.Equal(t, "0", eval[string](p, "strandscope.state.nowNs"))
	p.focus("#step")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.settle()
	assert.Equal(t, "00:00:00.01", eval[string](p, "document.getElementById('clock').textContent"))
}

func TestTheDigestIsThatOfANativeRun(t *testing.T) {
	p := open(t, look{})
	for _, s := range sim.Library() {
		run, err := sim.Open(s.ID)
		assert.NoError(t, err)
		assert.NoError(t, run.Advance(5*clock.Second))
		p.send("load", "{scenario: '"+s.ID+"'}")
		p.at(5)
		f := run.Frame()
		assert.Equal(t, f.Events, eval[int64](p, "strandscope.state.events"), s.ID)
		assert.Equal(t, hex(f.Digest), eval[string](p, "strandscope.state.digest"), s.ID)
	}
}

func TestWhyIsAskedByKeyboardAndByClick(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1440, height: 900})
	p.at(10)
	p.choose("#ask", "strand 14")
	assert.Contains(t, eval[string](p, "document.querySelector('.why').innerText"), "cpu14")
	// A click on a cell asks about that strand; arrows go on from there.
	c := p.cells()[5]
	p.clickStage(c.X+c.W/2, c.Y+c.H/2)
	p.until("strandscope.state.selected.strand === 5")
	p.do(chromedp.KeyEvent(kb.ArrowRight))
	p.until("strandscope.state.selected.strand === 6")
	assert.Equal(t, "strand 6", eval[string](p, "document.getElementById('ask').value"))
	first := eval[string](p, "document.querySelector('#ask optgroup:last-child option').value")
	p.choose("#ask", first)
	assert.Equal(t, first, eval[string](p, "'thread ' + strandscope.state.selected.thread"))
	assert.Contains(t, eval[string](p, "document.getElementById('why-head').textContent"), "perl")
}
