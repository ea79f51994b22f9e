//go:build browser

package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// row reads a line of the table of differences.
func (p *page) row(id string) []string {
	p.Helper()
	return eval[[]string](p, `[...document.querySelectorAll('#compare-rows [data-id="`+id+`"] td')].map((e) => e.textContent)`)
}

// press gives an element the focus and presses keys.
func (p *page) press(selector, keys string) {
	p.Helper()
	p.focus(selector)
	p.do(chromedp.KeyEvent(keys))
}

// beside compares t2000-unset with the class FSS, by keyboard alone.
func (p *page) beside() {
	p.Helper()
	p.press("#compare-open", kb.Enter)
	p.until("document.getElementById('compare-dialog').open")
	require.Equal(p, "compare-with", eval[string](p, "document.activeElement.id"), "the form has the focus")
	p.do(chromedp.KeyEvent(kb.Tab))
	require.Equal(p, "compare-class", eval[string](p, "document.activeElement.id"))
	p.do(chromedp.KeyEvent("FSS")) // chooses the entry that begins so
	require.Equal(p, "FSS", eval[string](p, "document.activeElement.value"))
	p.do(chromedp.KeyEvent(kb.Tab))
	for eval[string](p, "document.activeElement.type") != "submit" {
		p.do(chromedp.KeyEvent(kb.Tab))
	}
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until("strandscope.settled && strandscope.state.compare?.level === true")
}

func TestTwoRunsAreComparedByKeyboard(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1440, height: 900})
	p.load("t2000-unset", 151)
	digest := eval[string](p, "strandscope.state.digest")
	p.beside()
	assert.Equal(t, "151000000000", eval[string](p, "strandscope.state.nowNs"), "side B caught up")
	assert.Equal(t, []string{"12", "32", "+20"}, p.row("busy"))
	assert.Equal(t, []string{"20", "0", "−20"}, p.row("r"))
	assert.Equal(t, "Default class (A not set, B FSS).", eval[string](p, "document.getElementById('compare-differs').textContent"))
	heads := `[...document.querySelectorAll('#compare-columns th')].map((e) => e.textContent)`
	assert.Equal(t, []string{"figure, since boot", "A default class not set", "B FSS", "B − A"}, eval[[]string](p, heads))
	text := eval[string](p, "strandscope.state.text")
	assert.Contains(t, text, "A, default class not set: ")
	assert.Contains(t, text, "B, FSS, in focus: ")
	p.send("theme", "{name: 'dark'}")
	eval[bool](p, "document.documentElement.dataset.theme = 'dark', true")
	p.keep("compare-dark")
	p.send("theme", "{name: 'light'}")
	eval[bool](p, "document.documentElement.dataset.theme = 'light', true")
	p.keep("compare-light")

	p.press("#compare-swap", kb.Enter)
	p.until("strandscope.settled && strandscope.state.compare.focus === 'left'")
	assert.Equal(t, []string{"32", "12", "−20"}, p.row("busy"))
	assert.Equal(t, []string{"0", "20", "+20"}, p.row("r"))
	p.press("#compare-swap", kb.Enter)
	p.until("strandscope.settled && strandscope.state.compare.focus === 'right'")

	// Time passes for both, forward and back.
	p.at(160)
	assert.True(t, eval[bool](p, "strandscope.state.compare.level"))
	p.at(151)
	p.press("#compare-end", kb.Enter)
	p.until("strandscope.settled && strandscope.state.compare === null")
	assert.Equal(t, digest, eval[string](p, "strandscope.state.digest"), "A is as it was")
	assert.True(t, eval[bool](p, "document.getElementById('compare').hidden"))
	assert.Equal(t, "compare-open", eval[string](p, "document.activeElement.id"), "the focus is not lost")
	assert.Empty(t, p.faults())
}

func TestAForkDiffersByOneLine(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1440, height: 900})
	p.load("t2000-ts", 10)
	p.press("#compare-start [data-fork]", kb.Enter)
	p.until("document.getElementById('fork-dialog').open")
	p.focus("#fork-line")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until("strandscope.settled && strandscope.state.compare !== null")
	assert.Equal(t, []string{"32", "31", "−1"}, p.row("busy"))
	assert.Equal(t, []string{"0", "1", "+1"}, p.row("r"))
	assert.Contains(t, eval[string](p, "document.getElementById('compare-differs').textContent"), "psradm -f 0")
	p.at(12)
	assert.Equal(t, []string{"0.000", "2.000", "+2.000"}, p.row("waited"))

	// What is typed goes to the side in focus alone.
	p.send("focus", "{side: 'left'}")
	p.send("type", "{line: 'psradm -f 1 2'}")
	assert.Equal(t, []string{"30", "31", "+1"}, p.row("busy"))

	// A lost picture brings both sides back.
	digests := eval[[]string](p, "[strandscope.state.digest, strandscope.state.nowNs]")
	eval[bool](p, "strandscope.restart(), true")
	p.until("strandscope.settled && strandscope.state.compare?.level === true && strandscope.state.nowNs === '12000000000'")
	assert.Equal(t, digests, eval[[]string](p, "[strandscope.state.digest, strandscope.state.nowNs]"))
	assert.Equal(t, []string{"30", "31", "+1"}, p.row("busy"))
	p.send("load", "{scenario: 't2000-unset'}")
	assert.True(t, eval[bool](p, "strandscope.state.compare === null"), "another scenario ends a comparison")
	assert.Empty(t, p.faults())
}

func TestAClickOnASideGivesItTheFocus(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1280, height: 800})
	p.load("t2000-unset", 5)
	p.beside()
	require.Equal(t, "right", eval[string](p, "strandscope.state.compare.focus"))
	w := eval[int](p, "strandscope.state.pixels[0]")
	p.send("input", "{kind: 'tap', x: "+itoa(w/4)+", y: 90}")
	assert.Equal(t, "left", eval[string](p, "strandscope.state.compare.focus"))
	assert.True(t, eval[bool](p, "document.getElementById('compare-left').checked"))
	assert.True(t, strings.HasPrefix(eval[string](p, "document.getElementById('compare-settings').textContent"), "Settings of A"))
	assert.Empty(t, p.faults())
}

func TestSidesStandBelowEachOtherOnAPhone(t *testing.T) {
	p := open(t, look{noPlay: true, width: 390, height: 844})
	p.load("t2000-unset", 30)
	p.send("compare", "{settings: [{key: 'class', value: 'FSS'}]}")
	p.until("strandscope.state.compare?.level === true")
	p.settle()
	assert.LessOrEqual(t, eval[int](p, "document.documentElement.scrollWidth"), 390)
	p.keep("compare-phone")
	assert.Empty(t, p.faults())
}
