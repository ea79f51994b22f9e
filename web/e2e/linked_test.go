//go:build browser

package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
)

// What two scripts of the page add to a link comes back with it.
func TestALinkHoldsTheComparisonAndTheLessonsStep(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1440, height: 900})
	p.send("load", "{scenario: 't2000-ts'}")
	p.send("compare", "{alone: true, settings: [{key: 'class', value: 'FSS'}]}")
	p.at(5)
	link := eval[string](p, "strandscope.address.encode(strandscope.address.take(strandscope.state))")
	left, right := eval[string](p, "strandscope.state.compare.left.figures"), eval[string](p, "strandscope.state.compare.right.figures")
	q := open(t, look{noPlay: true, path: "#" + link, width: 1440, height: 900})
	q.until("strandscope.settled && strandscope.state.compare && strandscope.state.nowNs === '5000000000'")
	assert.Equal(t, left, eval[string](q, "strandscope.state.compare.left.figures"))
	assert.Equal(t, right, eval[string](q, "strandscope.state.compare.right.figures"))

	p.send("uncompare", "{}")
	p.eval("strandscope.lessons.open('load', 1)")
	p.until("strandscope.lessons.at?.step === 1 && strandscope.settled")
	p.at(7)
	link = eval[string](p, "strandscope.address.encode(strandscope.address.take(strandscope.state))")
	q.do(chromedp.Navigate("about:blank"), chromedp.Navigate(site.URL+"/#"+link))
	q.until("strandscope.settled && strandscope.lessons?.at?.id === 'load' && strandscope.lessons.at.step === 1")
	q.until("strandscope.state.nowNs === '7000000000'")
	assert.Equal(t, "linux22-ping-under-load", eval[string](q, "strandscope.state.scenario.id"), "the step did not begin its own run")
	assert.Empty(t, p.faults())
	assert.Empty(t, q.faults())
}
