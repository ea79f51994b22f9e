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

// The tip's commands, by keyboard alone, while the animation runs.
func TestVmstatIsTypedWhileTheAnimationRuns(t *testing.T) {
	p := open(t, look{width: 1440, height: 900})
	p.send("load", "{scenario: 't2000'}")
	for range 60 {
		if p.active() == "typing" {
			break
		}
		p.do(chromedp.KeyEvent(kb.Tab))
	}
	require.Equal(t, "typing", p.active())
	p.line("dispadmin -d")
	p.logged("error: dispadmin: Default scheduling class is not set")
	p.line("perl -e 'while (--$ARGV[0] and fork) {}; while () {}' 32 &")
	p.until("strandscope.state.totals.busy === 12 && strandscope.state.totals.waiting === 20")
	p.line("vmstat 3 3; echo over")
	p.logged("over")
	assert.True(t, eval[bool](p, "strandscope.state.playing"), "the animation runs on")
	var rows [][]string
	for _, l := range strings.Split(p.log(), "\n") {
		if f := strings.Fields(l); len(f) == 22 && f[0] == "20" {
			rows = append(rows, f)
		}
	}
	require.Len(t, rows, 2, p.log())
	for _, f := range rows {
		assert.Equal(t, []string{"37", "0"}, f[19:21])
		assert.Contains(t, []string{"62", "63"}, f[21])
	}
	assert.Positive(t, eval[int](p, "document.querySelectorAll('#log .deco').length"), "memory and disks are greyed")
	p.keep("console-vmstat")
}

// A program that fills the screen is shown in place and gets the keys.
func TestTopFillsTheScreenUntilQ(t *testing.T) {
	p := open(t, look{width: 1440, height: 900})
	p.send("load", "{scenario: 'linux22'}")
	p.focus("#typing")
	p.line("./loop & ./loop &")
	p.line("top -d 1")
	p.until("(strandscope.state.console.screen || []).some((l) => l.text.includes('COMMAND'))")
	p.until("document.body.innerText.includes('3 running')")
	p.keep("console-top")
	p.write("q")
	p.until("!(strandscope.state.console.screen || []).length && !strandscope.state.console.busy")
	assert.Equal(t, "typing", p.active())
	p.line("echo back")
	p.logged("back")
}
