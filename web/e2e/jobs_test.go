//go:build browser

package e2e

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
)

func TestAJobListIsWrittenRunAndCompared(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1440, height: 900})
	p.send("load", "{scenario: 'textbook-rr'}")
	p.at(24)
	assert.Equal(t, "ABACBDACBDACDACDCDCDCC", eval[string](p, "document.querySelector('#book .order code').textContent"))
	assert.Contains(t, eval[string](p, "document.querySelector('#book tfoot').textContent"), "59/4 = 14.75")
	assert.False(t, eval[bool](p, "document.querySelector('[data-tool=vmstat]').checkVisibility()"), "books have none")
	p.keep("jobs-table")
	p.focus("#all-policies")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until("document.querySelectorAll('#policies tbody tr').length > 5")
	assert.Contains(t, eval[string](p, "document.querySelector('#policies table').textContent"), "★")
	p.keep("jobs-policies")

	p.eval("document.getElementById('list-fold').open = true")
	p.eval("document.getElementById('list-text').value = 'name,arrival,burst\\nP,0,4\\nQ,1,2'")
	p.choose("#list-policy", "textbook-srtf")
	p.eval("document.getElementById('list').requestSubmit()")
	p.until("strandscope.settled && strandscope.state.scenario.list === 'P 0 4, Q 1 2'")
	p.at(8)
	assert.Equal(t, "PQQPPP", eval[string](p, "strandscope.state.book.order[0]"))
	p.choose("#list-policy", "solaris10")
	p.eval("document.getElementById('list').requestSubmit()")
	p.until("strandscope.settled && strandscope.state.scenario.kernel === 'solaris10'")
	p.at(2)
	assert.Equal(t, 2, eval[int](p, "strandscope.state.book.rows.length"), "the same jobs under a real kernel")
	p.keep("jobs-solaris")

	p.eval("document.getElementById('list-text').value = 'P 0 -4'")
	p.eval("document.getElementById('list').requestSubmit()")
	p.until("strandscope.settled && strandscope.state.error !== ''")
	assert.Contains(t, eval[string](p, "strandscope.state.error"), "-4")
	assert.Equal(t, "P 0 4, Q 1 2", eval[string](p, "strandscope.state.scenario.list"), "the run is as it was")
	p.eval("document.getElementById('list-seed').value = 3, document.getElementById('list-draw').click()")
	p.until("strandscope.settled && strandscope.state.scenario.list.startsWith('A 0')")
	assert.Equal(t, 5, eval[int](p, "strandscope.state.scenario.groups.length"))
}

func TestExercisesAreAnsweredAndPrinted(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1024, height: 768})
	p.eval("document.getElementById('list-fold').open = true")
	p.focus("#exercises-open")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until("document.querySelectorAll('#exercises-list > section').length === 4")
	p.keep("exercises")
	// The second one is answered from its own answer, but for one figure.
	p.eval(`(() => {
		const s = document.querySelectorAll('#exercises-list > section')[1];
		const inputs = [...s.querySelectorAll('.answers input')];
		inputs[0].value = s.querySelector('.solution .order code').textContent.toLowerCase();
		const rows = [...s.querySelectorAll('.solution tbody tr')].map((r) => [...r.children].map((c) => c.textContent));
		rows.forEach((r, i) => { inputs[1 + 2 * i].value = r[6]; inputs[2 + 2 * i].value = r[7] + '.0'; });
		inputs.at(-2).value = '999';
		inputs.at(-1).value = s.querySelector('.solution tfoot').lastChild.textContent.split(' = ').at(-1);
		s.querySelector('button.main').click();
	})()`)
	n := eval[int](p, "document.querySelectorAll('#exercises-list > section')[1].querySelectorAll('.answers input').length")
	assert.Equal(t, " "+itoa(n-1)+" of "+itoa(n)+" right", eval[string](p, "document.querySelectorAll('#exercises-list > section')[1].querySelector('[role=status]').textContent"))
	assert.Equal(t, []bool{true, true, true, false, false, false},
		eval[[]bool](p, `[['37/4', '9.25'], ['9 1/4', '37/4'], ['18/2', '9'], ['9.2', '9.25'], ['', '0'], ['x', '1']].map(([g, w]) => strandscope.exercises.same(g, w))`))
	// What is printed: the questions without answers, the answers without fields.
	for what, sees := range map[string]bool{"questions": false, "answers": true} {
		p.eval("document.documentElement.dataset.print = '" + what + "'")
		p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
			return err
		}))
		assert.Equal(t, sees, eval[bool](p, "document.querySelector('#exercises .solution').checkVisibility()"), what)
		assert.False(t, eval[bool](p, "document.querySelector('#exercises .answers').checkVisibility()"), what)
		assert.True(t, eval[bool](p, "document.querySelector('#exercises h3').checkVisibility()"), what)
	}
}
