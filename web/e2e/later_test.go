//go:build browser

package e2e

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A later scenario is chosen in the page; the fuller program takes the place of the
// first, with theme and speed, runs it, compares two kernels of it, sets all beside
// each other, and goes back.
func TestALaterScenarioRunsWithTheFullerProgram(t *testing.T) {
	p := open(t, look{alone: true, noPlay: true, width: 1440, height: 900})
	fetched := fullDownloads.Load()
	p.theme("light")
	p.send("speed", "{permille: 5000}")
	p.eval(`(() => { const s = document.getElementById('scenario'); s.value = 'hogs-through-the-ages'; s.dispatchEvent(new Event('change', { bubbles: true })); })()`)
	p.until("strandscope.state.scenario.id === 'hogs-through-the-ages' && strandscope.settled")
	assert.Equal(t, fetched+1, fullDownloads.Load())
	assert.Equal(t, "light 5000", eval[string](p, "`${strandscope.state.theme} ${strandscope.state.speed}`"))
	assert.True(t, eval[bool](p, "document.getElementById('cover').hidden && document.getElementById('kernel').checkVisibility()"))
	assert.Equal(t, 5, eval[int](p, "document.querySelectorAll('#kernel input').length"))

	p.eval("document.querySelector('#kernel input[value=\"linux-6.1\"]').click()")
	p.until("strandscope.state.scenario.kernel === 'linux-6.1'")
	p.at(20)
	p.keep("ages-6.1-light")

	// 2.2 beside 6.12, by the dialog.
	p.eval("document.querySelector('#kernel input[value=\"linux-2.2.8\"]').click()")
	p.until("strandscope.state.scenario.kernel === 'linux-2.2.8'")
	p.at(20)
	p.eval("document.getElementById('compare-open').click()")
	assert.Equal(t, "linux-6.12", eval[string](p, "document.getElementById('compare-kernel').value"))
	p.eval("document.getElementById('compare-form').requestSubmit()")
	p.until("strandscope.state.compare?.level && strandscope.settled")
	assert.Equal(t, "Kernel (A linux-2.2.8, B linux-6.12).", eval[string](p, "document.getElementById('compare-differs').textContent"))
	assert.Equal(t, "Linux 2.2.8-pre5 | Linux 6.12 (EEVDF)", eval[string](p, "`${strandscope.state.compare.left.title} | ${strandscope.state.compare.right.title}`"))
	p.keep("ages-compare-light")
	p.eval("document.getElementById('compare-end').click()")
	p.until("!strandscope.state.compare")

	p.eval("document.getElementById('kernels-open').click()")
	p.until("document.querySelectorAll('#kernels-columns th').length === 6 && document.getElementById('kernels-said').textContent.startsWith('Each ran')")
	assert.Equal(t, "202.00", eval[string](p, "document.querySelector('#kernels-rows tr:nth-child(2) td').textContent"))
	p.keep("ages-kernels-light")
	p.eval("document.getElementById('kernels-close').click()")

	// Back is the first scenario, by whatever program.
	p.eval("history.back()")
	p.until("strandscope.state.scenario.kernel === 'linux-6.1' || strandscope.state.scenario.id === 't2000-unset'")
	assert.Empty(t, p.faults())
}

// A link to one fetches nothing but the fuller program.
func TestAFreshLinkToALaterScenarioFetchesTheFullerProgramAlone(t *testing.T) {
	first := open(t, look{alone: true, noPlay: true})
	hash := eval[string](first, "strandscope.address.encode({ s: 'nice-means-what', t: 5000000000, c: [['kernel', 'linux-6.18']] })")
	was, full := downloads.Load(), fullDownloads.Load()
	p := open(t, look{alone: true, noPlay: true, path: "#" + hash})
	p.until("strandscope.settled && !strandscope.address.opening")
	assert.Equal(t, "nice-means-what linux-6.18 5000000000", eval[string](p, "(({ scenario: s, nowNs }) => `${s.id} ${s.kernel} ${nowNs}`)(strandscope.state)"))
	assert.Equal(t, []int64{was, full + 1}, []int64{downloads.Load(), fullDownloads.Load()})
	assert.True(t, eval[bool](p, "document.getElementById('linked').hidden"), "nothing is to be said")
	// What writes events has the kernels, too, and comes to the same digest.
	p.exporting()
	p.ask("ftrace")
	p.until("/bytes|digest|written/.test(document.getElementById('export-said').textContent) && !/Being/.test(document.getElementById('export-said').textContent)")
	assert.Regexp(t, `nice-means-what.*\.ftrace\.txt: \d+ bytes\.$`, p.said())
	// An embedded figure fetches one program as well.
	e := open(t, look{alone: true, noPlay: true, path: "web/embed.html?scenario=eevdf-slices&start=2s", noWait: true})
	e.until("strandscope.state.scenario?.id === 'eevdf-slices' && strandscope.settled")
	assert.Equal(t, []int64{was, full + 2}, []int64{downloads.Load(), fullDownloads.Load()})
	assert.Empty(t, append(p.faults(), e.faults()...))
}
