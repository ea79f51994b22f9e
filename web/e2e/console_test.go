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

// log is what the console shows, line by line.
const logText = "[...document.getElementById('log').children].map((l) => l.textContent).join('\\n')"

func (p *page) log() string { p.Helper(); return eval[string](p, logText) }

// write types a line by keyboard into what has the focus.
func (p *page) write(line string) { p.Helper(); p.do(chromedp.KeyEvent(line)) }

// line types a line and Enter.
func (p *page) line(line string) { p.Helper(); p.write(line); p.do(chromedp.KeyEvent(kb.Enter)) }

// logged waits for a line of the log.
func (p *page) logged(line string) {
	p.Helper()
	p.until(fmt.Sprintf("(%s).split('\\n').includes(%q)", logText, line))
}

func (p *page) typing() string {
	p.Helper()
	return eval[string](p, "document.getElementById('typing').value")
}

func (p *page) active() string { p.Helper(); return eval[string](p, "document.activeElement.id") }

func TestTheConsoleIsDrivenByKeyboardAloneWhileTimeRuns(t *testing.T) {
	p := open(t, look{width: 1440, height: 900})
	p.send("load", "{scenario: 't2000'}")
	require.True(t, eval[bool](p, "document.getElementById('shell').checkVisibility()"), "a machine with a prompt shows it")
	for range 60 {
		if p.active() == "typing" {
			break
		}
		p.do(chromedp.KeyEvent(kb.Tab))
	}
	require.Equal(t, "typing", p.active(), "Tab reaches the line")
	p.line("./loop &")
	p.line("sleep 3; echo done")
	p.logged("done")
	assert.True(t, eval[bool](p, "strandscope.state.playing"))
	assert.Equal(t, "typing", p.active())
	p.until("strandscope.state.totals.busy === 1")
	p.line("nosuchcommand")
	p.until("document.querySelector('#log .error') !== null")
	p.theme("dark")
	p.keep("console-dark")
	p.theme("light")
	p.keep("console-light")
}

func TestAPausedCommandSaysThatItWaits(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1440, height: 900})
	p.send("load", "{scenario: 't2000'}")
	p.focus("#typing")
	p.line("echo at once")
	p.logged("at once")
	p.line("sleep 3; echo later")
	p.until("!document.getElementById('waits').hidden")
	assert.Equal(t, "“sleep 3; echo later” waits for simulated time: press Play.", eval[string](p, "document.getElementById('waits-text').textContent"))
	p.line("echo after that")
	p.until("document.getElementById('waits-text').textContent.includes('Typed ahead: “echo after that”')")
	p.keep("console-waits")
	assert.Equal(t, "0", eval[string](p, "strandscope.state.nowNs"), "it does not start by itself")
	p.focus("#waits-play")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.logged("after that")
	p.until("document.getElementById('waits').hidden")
	p.send("pause", "{}")
	p.focus("#typing")
	p.line("sleep 500; echo far")
	p.until("!document.getElementById('finish').hidden")
	p.focus("#finish")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.logged("far")
	assert.False(t, eval[bool](p, "strandscope.state.playing"), "paused as before")
}

func TestHistoryIsRecalledWithArrows(t *testing.T) {
	p := open(t, look{noPlay: true})
	p.send("load", "{scenario: 't2000'}")
	p.focus("#typing")
	p.line("echo one")
	p.line("echo two")
	p.write("half")
	for _, want := range []string{"echo two", "echo one", "echo one"} {
		p.do(chromedp.KeyEvent(kb.ArrowUp))
		assert.Equal(t, want, p.typing())
	}
	p.do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown))
	assert.Equal(t, "half", p.typing(), "what was begun is kept")
	p.do(chromedp.Reload())
	p.settle()
	p.send("load", "{scenario: 't2000'}")
	p.focus("#typing")
	p.do(chromedp.KeyEvent(kb.ArrowUp))
	assert.Equal(t, "echo two", p.typing(), "for as long as the tab is open")
}

func TestTabCompletesAndNeverTraps(t *testing.T) {
	p := open(t, look{noPlay: true})
	p.send("load", "{scenario: 't2000'}")
	p.focus("#typing")
	p.write("slee")
	p.do(chromedp.KeyEvent(kb.Tab))
	p.until("document.getElementById('typing').value === 'sleep '")
	p.do(chromedp.KeyEvent(kb.Escape), chromedp.KeyEvent(kb.Tab))
	assert.NotEqual(t, "typing", p.active(), "Escape, then Tab leaves")
	p.do(chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(8)))
	assert.Equal(t, "typing", p.active())
	p.do(chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(8)))
	assert.NotEqual(t, "typing", p.active(), "Shift+Tab leaves backwards, with text in the line")
	p.focus("#typing")
	p.eval("document.getElementById('typing').value = ''")
	p.do(chromedp.KeyEvent(kb.Tab))
	assert.NotEqual(t, "typing", p.active(), "an empty line lets Tab through")
	// Several are listed, and what they have in common is written.
	p.focus("#typing")
	p.write("echo a; psr")
	p.do(chromedp.KeyEvent(kb.Tab))
	p.until("document.querySelector('#log .page') !== null || document.getElementById('typing').value.endsWith(' ')")
	p.eval("document.getElementById('typing').value = ''")
	p.write("s")
	p.do(chromedp.KeyEvent(kb.Tab))
	p.until("[...document.querySelectorAll('#log .page')].some((l) => l.textContent.includes('seq') && l.textContent.includes('sleep'))")
	assert.Equal(t, "s", p.typing())
	// What cannot be completed lets go at the second Tab.
	p.eval("document.getElementById('typing').value = 'zzzz'")
	p.do(chromedp.KeyEvent(kb.Tab))
	p.until("document.getElementById('shell-said').textContent.startsWith('Nothing to complete')")
	assert.Equal(t, "typing", p.active())
	p.do(chromedp.KeyEvent(kb.Tab))
	assert.NotEqual(t, "typing", p.active())
}

func TestInterruptAndClear(t *testing.T) {
	p := open(t, look{})
	p.send("load", "{scenario: 't2000'}")
	p.focus("#typing")
	p.line("sleep 100000")
	p.until("!document.getElementById('interrupt').hidden")
	p.do(chromedp.KeyEvent("c", chromedp.KeyModifiers(2)))
	p.logged("^C")
	p.until("!strandscope.state.console.busy")
	p.line("sleep 100000")
	p.until("!document.getElementById('interrupt').hidden")
	p.focus("#interrupt")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until("!strandscope.state.console.busy && strandscope.settled")
	// With something selected Ctrl-C copies.
	p.focus("#typing")
	p.line("sleep 100000")
	p.until("strandscope.state.console.busy")
	p.eval("getSelection().selectAllChildren(document.getElementById('log'))")
	p.do(chromedp.KeyEvent("c", chromedp.KeyModifiers(2)))
	p.settle()
	assert.True(t, eval[bool](p, "strandscope.state.console.busy"))
	p.eval("getSelection().removeAllRanges()")
	p.focus("#typing")
	p.do(chromedp.KeyEvent("l", chromedp.KeyModifiers(2)))
	assert.Empty(t, p.log())
}

func TestTheConsoleNeverTakesTheFocus(t *testing.T) {
	p := open(t, look{})
	p.send("load", "{scenario: 't2000'}")
	p.focus("#typing")
	p.line("for i in 1 2 3 4 5 6; do sleep 2; echo turn $i; done")
	p.focus("#speed")
	p.logged("turn 6")
	assert.Equal(t, "speed", p.active())
	p.focus("#typing")
	p.write("half a li")
	p.until("strandscope.settled || true")
	p.sleep(500)
	assert.Equal(t, "typing", p.active())
	assert.Equal(t, "half a li", p.typing())
}

func TestGreatAndStrangeInputDoesNoHarm(t *testing.T) {
	p := open(t, look{noPlay: true})
	p.send("load", "{scenario: 't2000'}")
	p.focus("#typing")
	paste := func(expression string) {
		p.eval(`const d = new DataTransfer(); d.setData('text/plain', ` + expression + `);
			const e = new ClipboardEvent('paste', { clipboardData: d, bubbles: true, cancelable: true });
			const t = document.getElementById('typing');
			if (t.dispatchEvent(e)) t.setRangeText(d.getData('text/plain'), t.selectionStart, t.selectionEnd, 'end')`)
	}
	paste("'x'.repeat(1 << 20)")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.logged("error: bash: a line of 1048576 bytes; at most 65536 are accepted")
	paste("Array.from({ length: 4000 }, (_, i) => String.fromCharCode(i * 37 % 65536)).join('').replace(/[\\r\\n\\u0003]/g, '')")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.settle()
	paste("'echo first\\necho second\\r\\necho thi'")
	p.logged("second")
	assert.Equal(t, "echo thi", p.typing(), "what has no end is not run")
	p.eval("document.getElementById('typing').value = ''")
	p.line("echo '<img src=x onerror=alert(1)><b>bold</b>'")
	p.logged("<img src=x onerror=alert(1)><b>bold</b>")
	assert.Zero(t, eval[int](p, "document.querySelectorAll('#log img, #log b').length"))
	p.line("seq 9000")
	p.until("[...document.querySelectorAll('#log > div')].at(-1).textContent === '9000'")
	assert.Equal(t, 2000, eval[int](p, "document.getElementById('log').children.length"), "a long log stays fast")
	// At the end unless the reader scrolled up.
	assert.True(t, eval[bool](p, "(({scrollTop, clientHeight, scrollHeight}) => scrollTop + clientHeight >= scrollHeight - 8)(document.getElementById('log'))"))
	p.eval("document.getElementById('log').scrollTop = 0")
	p.until("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
	p.send("type", "{line: 'echo elsewhere'}")
	assert.Less(t, eval[int](p, "document.getElementById('log').scrollTop"), 40)
	p.line("echo here")
	p.logged("here")
	assert.True(t, eval[bool](p, "(({scrollTop, clientHeight, scrollHeight}) => scrollTop + clientHeight >= scrollHeight - 8)(document.getElementById('log'))"))
	assert.Empty(t, p.faults())
}

func TestBackInTimeTheLogIsWhatItWas(t *testing.T) {
	p := open(t, look{noPlay: true})
	p.send("load", "{scenario: 't2000'}")
	p.focus("#typing")
	p.line("echo begin")
	p.at(5)
	p.line("echo later")
	p.logged("later")
	p.at(2)
	p.until("!(" + logText + ").includes('later')")
	p.logged("begin")
	p.at(6)
	p.logged("later")
	p.send("reset", "{}")
	assert.Empty(t, p.log())
}

func TestTheConsoleComesBackWithALostPicture(t *testing.T) {
	p := open(t, look{noPlay: true})
	p.send("load", "{scenario: 't2000'}")
	p.focus("#typing")
	p.line("./loop &")
	p.line("sleep 50")
	p.at(2)
	p.focus("#typing")
	p.do(chromedp.KeyEvent("c", chromedp.KeyModifiers(2)))
	p.line("echo 'still here'")
	p.logged("still here")
	p.at(4)
	log, digest := p.log(), eval[string](p, "strandscope.state.digest")
	eval[bool](p, "(strandscope.canvas().getContext('webgl2').getExtension('WEBGL_lose_context').loseContext(), true)")
	p.until("!strandscope.settled")
	p.settle()
	p.until("strandscope.state.nowNs === '4000000000'")
	assert.Equal(t, log, p.log())
	assert.Equal(t, digest, eval[string](p, "strandscope.state.digest"))
}
