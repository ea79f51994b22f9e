//go:build browser

package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
)

// load opens a scenario and goes to a time.
func (p *page) load(id string, seconds int) {
	p.Helper()
	p.send("load", "{scenario: '"+id+"'}")
	p.at(seconds)
}

// enter gives a control a value as a reader does, and waits for the answer.
func (p *page) enter(selector, value string) {
	p.Helper()
	n := eval[int](p, "strandscope.state.seq")
	p.choose(selector, value)
	p.until("strandscope.settled && strandscope.state.seq > " + itoa(n))
}

func (p *page) shows(selector string) string {
	p.Helper()
	return eval[string](p, "document.querySelector('"+selector+"').value")
}

func TestAClassIsChangedWhileTheRunGoesOn(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1440, height: 900})
	p.load("t2000-ts", 5)
	assert.True(t, eval[bool](p, "document.getElementById('typed').hidden"))
	p.focus("#groups select")
	assert.Equal(t, "TS", p.shows("#groups select"))
	p.enter("#groups select", "FX")
	assert.Equal(t, "FX", eval[string](p, "strandscope.state.tasks[0].class"))
	assert.Equal(t, "TS", eval[string](p, "strandscope.state.scenario.class"), "the default class is as it was")
	assert.Equal(t, "5000000000", eval[string](p, "strandscope.state.nowNs"), "no reboot")
	assert.Contains(t, eval[string](p, "document.getElementById('typed').innerText"), "00:00:05.00 priocntl -s -c FX -i name perl")
	p.at(8)
	assert.Equal(t, "FX", p.shows("#groups select"))
	// The default class is a reboot, which forgets it.
	p.send("set", "{key: 'class', value: 'IA'}")
	assert.Equal(t, "IA", p.shows("#groups select"))
	assert.True(t, eval[bool](p, "document.getElementById('typed').hidden"))
}

func TestWhatTheScenarioTypesIsListedToo(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1440, height: 900})
	p.load("strand-offline", 5)
	p.send("do", "{line: 'psradm -f 0'}")
	lines := `[...document.querySelectorAll('#typed-lines li')].map((e) => e.textContent)`
	want := []string{"00:00:05.00 psradm -f 0 you", "00:00:10.00 psradm -f 12-31 scenario", "00:00:30.00 psradm -n 12-31 scenario"}
	assert.Equal(t, want, eval[[]string](p, lines))
	p.at(2)
	assert.Equal(t, want, eval[[]string](p, lines), "going back does not list it twice")
}

func TestNiceIsChangedAndARefusalIsSaid(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1440, height: 900})
	p.load("ts-nice-ladder", 2)
	p.enter("#groups li:nth-child(3) input", "7")
	assert.Equal(t, 7, eval[int](p, "strandscope.state.tasks[2].nice"))
	p.focus("#groups li:nth-child(3) input")
	p.enter("#groups li:nth-child(3) input", "99")
	assert.Contains(t, eval[string](p, "document.getElementById('notice').innerText"), "99, want -20 to 19")
	assert.Equal(t, "7", p.shows("#groups li:nth-child(3) input"), "the control shows what is so")
	assert.Equal(t, 1, eval[int](p, "strandscope.state.typed.length"))
	p.send("play", "{}")
	p.until("BigInt(strandscope.state.nowNs) > 3000000000n")
}

func TestSharesAreChangedWithASlider(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1440, height: 900})
	p.load("fss-1-3", 5)
	assert.Equal(t, "of 4", eval[string](p, "document.querySelector('#shares .of').textContent"))
	p.enter("#shares input[type=range]", "9")
	assert.Equal(t, []int{9, 3}, eval[[]int](p, "strandscope.state.projects.map((x) => x.shares)"))
	assert.Equal(t, "9", p.shows("#shares input[type=number]"))
	p.enter("#shares input[type=number]", "40")
	assert.Equal(t, "40", p.shows("#shares input[type=range]"))
	assert.Equal(t, "of 43", eval[string](p, "document.querySelector('#shares .of').textContent"))
}

func TestAStrandIsTakenOffLineAndBack(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1440, height: 900})
	p.load("t2000-ts", 5)
	assert.True(t, eval[bool](p, "document.getElementById('online').hidden"))
	p.send("select", "{strand: 14}")
	p.focus("#online")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until("strandscope.state.totals.strands === 31 && strandscope.settled")
	assert.Equal(t, "Bring cpu14 back on line", eval[string](p, "document.getElementById('online').getAttribute('aria-label')"))
	p.at(7)
	p.keep("offline")
	assert.Equal(t, 1, eval[int](p, "strandscope.state.totals.waiting"), "32 hogs on 31 strands")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until("strandscope.state.totals.strands === 32")
}

func TestWhatWasTypedSurvivesGoingBackAndALostPicture(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1440, height: 900})
	p.load("t2000-ts", 5)
	p.send("do", "{line: 'psradm -f 0-3'}")
	p.send("do", "{line: 'priocntl -s -c FX -i pid 1204'}")
	p.at(12)
	digest := eval[string](p, "strandscope.state.digest")
	same := func(what string) {
		t.Helper()
		assert.Equal(t, digest, eval[string](p, "strandscope.state.digest"), what)
		assert.Equal(t, []string{"psradm -f 0-3", "priocntl -s -c FX -i pid 1204"}, eval[[]string](p, "strandscope.state.typed.map((x) => x.line)"), what)
		assert.Equal(t, 2, eval[int](p, "document.querySelectorAll('#typed-lines li').length"), what)
	}
	p.at(3)
	assert.Equal(t, 32, eval[int](p, "strandscope.state.totals.strands"), "before it was typed")
	p.at(12)
	same("went back")
	for range 2 { // the second time they come from the settings of the first
		p.eval("strandscope.canvas().getContext('webgl2').getExtension('WEBGL_lose_context').loseContext()")
		p.until("!strandscope.settled")
		p.until("strandscope.settled && strandscope.state.draws > 0 && document.getElementById('cover').hidden")
		same("came back")
	}
	p.send("reset", "{}")
	p.at(12)
	assert.Empty(t, eval[[]string](p, "strandscope.state.typed.map((x) => x.line)"))
	assert.NotEqual(t, digest, eval[string](p, "strandscope.state.digest"))
	assert.Equal(t, 32, eval[int](p, "strandscope.state.totals.strands"))
}

func TestAPredictionIsMadeByKeyboard(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1440, height: 900})
	assert.True(t, eval[bool](p, "document.getElementById('questions').hidden"), "the tip's scenario asks nothing")
	p.load("ts-lone-hog", 0)
	p.until("document.getElementById('questions').open")
	assert.True(t, eval[bool](p, "document.getElementById('check').disabled"))
	verdict := "document.getElementById('verdict').innerText"
	p.focus("#choices input")
	p.do(chromedp.KeyEvent(" "))
	p.do(chromedp.KeyEvent(kb.Tab))
	assert.Equal(t, "check", eval[string](p, "document.activeElement.id"))
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until("!document.getElementById('verdict').hidden")
	assert.Contains(t, eval[string](p, verdict), "✗ Not so: it falls to 0")
	assert.Equal(t, []string{"✗ your choice", "", "✓ right"}, eval[[]string](p, "[...document.querySelectorAll('#choices small')].map((e) => e.textContent)"))
	assert.Equal(t, "verdict", eval[string](p, "document.activeElement.id"))
	p.keep("question")
	p.focus("#another")
	p.do(chromedp.KeyEvent(kb.Enter))
	assert.Contains(t, eval[string](p, "document.getElementById('questions-count').textContent"), "2 of")
	right := "document.querySelectorAll('#choices input')[strandscope.state.scenario.questions[1].answer]"
	p.eval(right + ".click(); document.getElementById('check').click()")
	assert.Contains(t, eval[string](p, verdict), "✓ Right.")
	assert.False(t, eval[bool](p, "strandscope.state.playing"), "an answer does not start the run")
}
