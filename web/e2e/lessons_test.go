//go:build browser

package e2e

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each lesson is gone through from first to last, the right choice made: the run must
// hold what the lesson claims of it, and nothing may be refused.
func TestEveryLessonHoldsWhatItClaims(t *testing.T) {
	files, err := filepath.Glob("../lessons/*.md")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 8)
	p := open(t, look{noPlay: true, width: 1440, height: 900})
	p.until("document.querySelectorAll('#lessons option').length === " + itoa(len(files)+1))
	for _, f := range files {
		id := strings.TrimSuffix(filepath.Base(f), ".md")
		p.choose("#lessons", id)
		p.until("strandscope.lessons.at?.id === '" + id + "'")
		n := eval[int](p, "strandscope.lessons.steps")
		claims := 0
		for i := range n {
			where := id + " step " + itoa(i+1)
			p.until("strandscope.settled && strandscope.lessons.at.step === " + itoa(i))
			require.Empty(t, eval[string](p, "strandscope.state.error"), where)
			right := eval[int](p, `(async () => strandscopeLesson.read(await (await fetch('web/lessons/`+id+`.md')).text()).steps[strandscope.lessons.at.step].answer)()`)
			p.eval("document.querySelectorAll('#lesson-choices input')[" + itoa(right) + "].click(), document.getElementById('lesson-check').click()")
			p.until("strandscope.settled")
			p.settle()
			require.Empty(t, eval[string](p, "strandscope.state.error"), where)
			said := eval[string](p, "document.getElementById('lesson-checks').textContent")
			claims += strings.Count(said, "✓")
			assert.NotContains(t, said, "✗", where)
			if i == 0 && (id == "tip" || id == "books") {
				p.keep("lesson-" + id)
			}
			assert.True(t, eval[bool](p, "document.getElementById('lesson-because').checkVisibility()"), where)
			p.eval("document.getElementById('lesson-next').click()")
		}
		assert.Equal(t, itoa(n)+" of "+itoa(n)+" predicted", eval[string](p, "document.getElementById('lesson-score').textContent"), id)
		assert.Positive(t, claims, "%s is checked against its run", id)
	}
	_, err = os.Stat("../lessons/index.json")
	require.NoError(t, err)
}

func TestALessonIsPresentedWithTheKeysOfAClicker(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1024, height: 768, path: "?lesson=load.2"})
	p.until("strandscope.lessons.at?.step === 1 && strandscope.settled")
	assert.Equal(t, "linux22-ping-under-load", eval[string](p, "strandscope.state.scenario.id"), "of the step before")
	assert.Equal(t, "11000000000", eval[string](p, "strandscope.state.nowNs"))
	assert.Equal(t, "After a minute", eval[string](p, "document.getElementById('lesson-step').textContent"))
	p.do(chromedp.KeyEvent(kb.PageDown))
	p.until("strandscope.lessons.at.step === 2")
	p.do(chromedp.KeyEvent(kb.PageUp))
	p.until("strandscope.lessons.at.step === 1")
	p.do(chromedp.KeyEvent("b"))
	p.until("document.getElementById('black').checkVisibility()")
	p.do(chromedp.KeyEvent("b"))
	p.until("!document.getElementById('black').checkVisibility()")
	p.eval("document.getElementById('lesson-large').click(), document.getElementById('lesson-notes').click()")
	assert.Equal(t, "20px", eval[string](p, "getComputedStyle(document.getElementById('lesson')).fontSize"))
	assert.True(t, eval[bool](p, "document.getElementById('lesson-teacher').checkVisibility()"))
	p.keep("lesson-large")
	// A wrong prediction is told, with the reason; the score stays.
	p.eval("document.querySelectorAll('#lesson-choices input')[0].click(), document.getElementById('lesson-check').click()")
	p.until("document.getElementById('lesson-because').checkVisibility()")
	assert.Equal(t, "0 of 4 predicted", eval[string](p, "document.getElementById('lesson-score').textContent"))
	assert.Contains(t, eval[string](p, "document.querySelector('#lesson-choices .wrong').textContent"), "✗ your choice")
	p.eval("window.print = () => { window.printed = document.getElementById('handout').textContent; }, document.getElementById('lesson-print').click()")
	assert.Contains(t, eval[string](p, "window.printed"), "1 − 1/e is 63 %", "notes are on, so answers are printed")
	p.eval("document.getElementById('lesson-notes').click(), document.getElementById('lesson-print').click()")
	assert.NotContains(t, eval[string](p, "window.printed"), "1 − 1/e is 63 %")
	p.eval("document.getElementById('lesson-close').click()")
	assert.Equal(t, "lessons", eval[string](p, "document.activeElement.id"))
	p.eval("strandscope.lessons.open('nothing')")
	p.until("document.getElementById('notice').textContent.includes('The lesson “nothing” cannot be shown')")
}

func TestAFaultyLessonIsRefusedByLine(t *testing.T) {
	p := open(t, look{noPlay: true})
	for text, want := range map[string]string{
		"":                           "a lesson needs a title and a step",
		"# T\n\ntext":                "line 3: text before the first step",
		"# T\n## S\n```scope\nfly\n": "line 4: “fly” is no command",
		"# T\n## S\n```scope\nplay":  "a block has no end",
		"# T\n## S\nPredict: q\n- [ ] a\n- [ ] b\n": "“S”: a question needs choices, the right one marked, and a reason",
	} {
		got := eval[string](p, "(() => { try { strandscopeLesson.read("+strconv.Quote(text)+"); return ''; } catch (e) { return e.message; } })()")
		assert.Contains(t, got, want)
	}
}
