//go:build browser

package e2e

import (
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/compare"
)

// row reads a line of the table of differences.
func (p *page) row(id string) []string {
	p.Helper()
	return eval[[]string](p, `[...document.querySelectorAll('#compare-rows [data-id="`+id+`"] td')].map((e) => e.textContent)`)
}

// pressOn gives an element the focus and presses keys.
func (p *page) pressOn(selector, keys string) {
	p.Helper()
	p.focus(selector)
	p.do(chromedp.KeyEvent(keys))
}

// clickOn clicks with the mouse at the middle of an element.
func (p *page) clickOn(selector string) {
	p.Helper()
	at := eval[[]float64](p, `(() => { const e = document.querySelector("`+selector+`"); e.scrollIntoView({block: 'nearest'}); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`)
	p.do(chromedp.MouseClickXY(at[0], at[1]))
}

// beside compares t2000-unset with the class FSS, by keyboard alone.
func (p *page) beside() {
	p.Helper()
	p.pressOn("#compare-open", kb.Enter)
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

	p.pressOn("#compare-swap", kb.Enter)
	p.until("strandscope.settled && strandscope.state.compare.focus === 'left'")
	assert.Equal(t, []string{"32", "12", "−20"}, p.row("busy"))
	assert.Equal(t, []string{"0", "20", "+20"}, p.row("r"))
	p.pressOn("#compare-swap", kb.Enter)
	p.until("strandscope.settled && strandscope.state.compare.focus === 'right'")

	// Time passes for both, forward and back.
	p.at(160)
	assert.True(t, eval[bool](p, "strandscope.state.compare.level"))
	p.at(151)
	p.pressOn("#compare-end", kb.Enter)
	p.until("strandscope.settled && strandscope.state.compare === null")
	assert.Equal(t, digest, eval[string](p, "strandscope.state.digest"), "A is as it was")
	assert.True(t, eval[bool](p, "document.getElementById('compare').hidden"))
	assert.Equal(t, "compare-open", eval[string](p, "document.activeElement.id"), "the focus is not lost")
	assert.Empty(t, p.faults())
}

func TestAForkDiffersByOneLine(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1440, height: 900})
	p.load("t2000-ts", 10)
	p.pressOn("#compare-start [data-fork]", kb.Enter)
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

// table is what the page shows, and told what strandsim compare would say of the same
// two runs: names, what they mean, left, right and difference; and what differs.
func (p *page) table() (rows [][]string, differs string) {
	p.Helper()
	rows = eval[[][]string](p, `[...document.querySelectorAll('#compare-rows tr')].map((tr) => [tr.dataset.id, tr.firstChild.title, ...[...tr.children].map((e) => e.textContent)])`)
	return rows, eval[string](p, "document.getElementById('compare-differs').textContent")
}

func told(t *testing.T, to clock.Duration, left, right *sim.Session) (rows [][]string, differs string) {
	t.Helper()
	for _, s := range []*sim.Session{left, right} {
		require.NoError(t, s.KeepSums())
		require.NoError(t, s.Advance(to))
	}
	l, r := left.Compared(), right.Compared()
	for _, row := range compare.Table(&l, &r) {
		rows = append(rows, []string{row.ID, row.Help, row.Label(), row.Text(row.Left), row.Text(row.Right), row.DifferenceText()})
	}
	return rows, left.Facts().DiffersFrom(right.Facts())
}

func opened(t *testing.T, id string, set ...sim.Setting) *sim.Session {
	t.Helper()
	s, err := sim.Open(id, set...)
	require.NoError(t, err)
	return s
}

// V-5, and the page's table against that of the command line.
func TestThePagesTableIsThatOfTheCommandLineToTheLastDigit(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1024, height: 768})
	p.load("t2000-unset", 31)
	for _, x := range []struct{ command, id, class string }{
		{"{settings: [{key: 'class', value: 'FSS'}]}", "t2000-unset", "FSS"},
		{"{settings: [{key: 'class', value: 'TS'}]}", "t2000-unset", "TS"},
		{"{scenario: 'fss-1-3', settings: []}", "fss-1-3", ""},
		{"{scenario: 'linux22-chat', settings: []}", "linux22-chat", ""},
	} {
		p.send("compare", x.command)
		p.until("strandscope.settled && strandscope.state.compare?.level === true")
		var set []sim.Setting
		if x.class != "" {
			set = []sim.Setting{{Key: "class", Value: x.class}}
		}
		rows, differs := told(t, 31*clock.Second, opened(t, "t2000-unset"), opened(t, x.id, set...))
		got, said := p.table()
		assert.Equal(t, rows, got, x.id)
		assert.Equal(t, differs, said)

		p.eval("document.getElementById('compare-swap').click()")
		p.settle()
		rows, differs = told(t, 31*clock.Second, opened(t, x.id, set...), opened(t, "t2000-unset"))
		got, said = p.table()
		assert.Equal(t, rows, got, "swapped: every difference is negated")
		assert.Equal(t, differs, said)
		p.eval("document.getElementById('compare-swap').click()")
		p.settle()
	}
	// Projects of both, and what was typed.
	p.load("fss-1-3", 20)
	p.send("fork", "{line: 'prctl -n project.cpu-shares -v 5 -r -i project one'}")
	p.until("strandscope.settled && strandscope.state.compare?.level === true")
	p.at(40)
	changed := opened(t, "fss-1-3")
	require.NoError(t, changed.Advance(20*clock.Second))
	_, err := changed.Do("prctl -n project.cpu-shares -v 5 -r -i project one")
	require.NoError(t, err)
	require.NoError(t, changed.KeepSums())
	rows, differs := told(t, 40*clock.Second, opened(t, "fss-1-3"), changed)
	got, said := p.table()
	assert.Equal(t, rows, got)
	assert.Equal(t, differs, said)
	assert.NotEmpty(t, p.row("project-"+changed.Compared().Projects[0].Name+"-received"))
	assert.Empty(t, p.faults())
}

func TestTwoRunsAreComparedByMouseWithAnotherScenario(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1440, height: 900})
	p.load("t2000-ts", 20)
	p.clickOn("#compare-open")
	p.until("document.getElementById('compare-dialog').open")
	p.keep("compare-form")
	p.choose("#compare-with", "linux22-250-hogs")
	assert.True(t, eval[bool](p, "document.getElementById('compare-class-field').hidden"), "another scenario has its own class")
	p.clickOn("#compare-form button.main")
	p.until("strandscope.settled && strandscope.state.compare?.level === true")
	assert.Equal(t, "20000000000", p.now())
	rows, differs := told(t, 20*clock.Second, opened(t, "t2000-ts"), opened(t, "linux22-250-hogs"))
	got, said := p.table()
	assert.Equal(t, rows, got)
	assert.Equal(t, differs, said)
	p.keep("compare-kernels")
	p.clickOn("#compare-swap")
	p.until("strandscope.settled && strandscope.state.compare.focus === 'left'")
	assert.Equal(t, rows[0][4], p.row("busy")[0])
	p.clickOn("#compare-end")
	p.until("strandscope.settled && strandscope.state.compare === null")
	assert.Equal(t, straight(t, "linux22-250-hogs", 20*clock.Second), p.digest(), "what is left stays")
	assert.Empty(t, p.faults())
}

func TestKeysCompareForkAndSwap(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1440, height: 900})
	p.load("t2000-ts", 5)
	p.eval("document.activeElement.blur()")
	p.do(chromedp.KeyEvent("c"))
	p.until("document.getElementById('compare-dialog').open")
	p.focus("#compare-form button.main")
	p.do(chromedp.KeyEvent("r")) // not a shortcut now
	p.do(chromedp.KeyEvent(kb.Escape))
	p.until("!document.getElementById('compare-dialog').open")
	assert.Equal(t, "5000000000", p.now(), "keys are not the run's while a form is open")
	p.eval("document.activeElement.blur()")
	p.do(chromedp.KeyEvent("f"))
	p.until("document.getElementById('fork-dialog').open")
	p.focus("#fork-line")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until("strandscope.settled && strandscope.state.compare?.level === true")
	assert.Equal(t, []string{"32", "31", "−1"}, p.row("busy"))
	p.eval("document.activeElement.blur()")
	p.do(chromedp.KeyEvent("x"))
	p.until("strandscope.settled && strandscope.state.compare.focus === 'left'")
	assert.Equal(t, []string{"31", "32", "+1"}, p.row("busy"))
	assert.Empty(t, p.faults())
}

// digests are those of both sides, with the focus where it was at the end.
func (p *page) digests() (both [2]string) {
	p.Helper()
	for i, side := range []string{"left", "right"} {
		p.send("focus", "{side: '"+side+"'}")
		both[i] = p.digest()
	}
	return both
}

func TestTheTransportMovesBothSides(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1440, height: 900})
	p.load("t2000-unset", 30)
	p.send("compare", "{settings: [{key: 'class', value: 'FSS'}]}")
	p.until("strandscope.settled && strandscope.state.compare?.level === true")
	level := func(what string) {
		t.Helper()
		p.until("strandscope.settled && strandscope.state.compare.level")
		at, err := strconv.ParseInt(p.now(), 10, 64)
		require.NoError(t, err)
		want := [2]string{straight(t, "t2000-unset", clock.Duration(at)), straight(t, "t2000-fss", clock.Duration(at))}
		assert.Equal(t, want, p.digests(), "%s: each is at %s as it is alone", what, p.now())
		assert.Equal(t, at, eval[int64](p, "Number(strandscope.state.nowNs)"))
	}
	level("caught up")
	for _, button := range []string{"back-tick", "back-decision", "on-tick", "on-decision"} {
		before := p.now()
		p.pressOn("#"+button, kb.Enter)
		p.until("strandscope.settled && strandscope.state.nowNs !== '" + before + "'")
		level(button)
	}
	p.eval("const s = document.getElementById('scrub'); s.value = String(s.max / 3); s.dispatchEvent(new Event('input', {bubbles: true})); s.dispatchEvent(new Event('change', {bubbles: true}))")
	p.until("strandscope.settled && Number(strandscope.state.nowNs) < 15e9")
	level("scrubbed")
	p.send("focus", "{side: 'left'}")
	p.choose("#run-to-what", "migration")
	p.eval("document.getElementById('run-to-go').click()")
	p.until("strandscope.settled && document.getElementById('found').textContent !== ''")
	level("run to a migration")
	assert.Empty(t, p.faults())
}

func TestSidesStandBesideOrBelowEachOtherAtEverySize(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1440, height: 900})
	p.load("t2000-unset", 151)
	p.send("compare", "{settings: [{key: 'class', value: 'FSS'}]}")
	p.until("strandscope.state.compare?.level === true")
	for _, x := range []struct {
		name          string
		width, height int64
		theme         string
		beside        bool
	}{
		{"1920", 1920, 1080, "projector", true},
		{"1440", 1440, 900, "dark", true},
		{"1024", 1024, 768, "light", true},
		{"tablet", 820, 1180, "dark", true},
		{"phone", 390, 844, "light", false},
	} {
		p.resize(x.width, x.height)
		p.theme(x.theme)
		p.settle()
		assert.LessOrEqual(t, eval[int64](p, "document.documentElement.scrollWidth"), x.width, x.name)
		cells := [2]cell{}
		for i, side := range []string{"left", "right"} {
			p.send("focus", "{side: '"+side+"'}")
			cells[i] = p.cells()[0]
		}
		if x.beside {
			assert.Equal(t, cells[0].Y, cells[1].Y, "%s: strand 0 of both at one height", x.name)
			assert.Greater(t, cells[1].X, cells[0].X, x.name)
		} else {
			assert.Equal(t, cells[0].X, cells[1].X, "%s: strand 0 of both in one column", x.name)
			assert.Greater(t, cells[1].Y, cells[0].Y, x.name)
		}
		p.keep("compare-" + x.name)
	}
	p.eval("document.getElementById('compare').scrollIntoView()")
	p.keep("compare-phone-table")
	words := eval[string](p, "strandscope.state.panels.list.find((x) => x.id === 'strands').words")
	assert.Regexp(t, `^A: .*12 of 32.* B: .*32 of 32`, words, "each panel's words tell both sides")
	assert.Empty(t, p.faults())
}

func TestAnAuditOfAComparisonFindsNothingSerious(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1440, height: 900, before: axe(t)})
	p.load("t2000-unset", 31)
	p.eval("document.getElementById('compare-open').click()")
	p.audit("form of a comparison")
	p.eval("document.getElementById('compare-dialog').close()")
	p.send("compare", "{settings: [{key: 'class', value: 'FSS'}]}")
	p.until("strandscope.settled && strandscope.state.compare?.level === true")
	for _, theme := range []string{"dark", "light", "projector"} {
		p.theme(theme)
		p.audit(theme + ", compared")
	}
	p.eval("document.querySelector('#compare [data-fork]').click()")
	p.audit("form of a fork")
	p.keep("compare-fork-form")
	p.eval("document.getElementById('fork-dialog').close(); document.getElementById('compare-settings').click(); document.getElementById('describe').click()")
	p.settle()
	p.audit("with settings, words by panel")
	p.keep("compare-settings")
	p.resize(390, 844)
	p.settle()
	p.audit("phone")
	assert.Empty(t, p.faults())
}
