//go:build browser

package e2e

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestThePageStartsAndRuns(t *testing.T) {
	p := open(t, look{width: 1440, height: 900})
	p.until("strandscope.state.playing && BigInt(strandscope.state.nowNs) > 2000000000n")
	assert.Equal(t, "Pause", eval[string](p, "document.querySelector('#play .word').textContent"))
	p.at(30)
	assert.Equal(t, "00:00:30.00", eval[string](p, "document.getElementById('clock').textContent"))
	assert.Contains(t, eval[string](p, "document.getElementById('vmstat').textContent"), "us sy")
	p.keep("start-1440")
	assert.Empty(t, p.faults())
}

func TestNothingComesFromAnywhereElse(t *testing.T) {
	p := open(t, look{noPlay: true})
	foreign := eval[[]string](p, `[...performance.getEntriesByType('resource'),
		...document.getElementById('stage').contentWindow.performance.getEntriesByType('resource')]
		.map((e) => e.name).filter((n) => !n.startsWith(location.origin) && !n.startsWith('data:'))`)
	assert.Empty(t, foreign)
	assert.Zero(t, eval[int](p, "document.querySelectorAll('script:not([src]), style, [style]:not(html):not(#stage), [onclick]').length"))
}

func TestAProgramThatEndsIsSaidWithWhatReplaysIt(t *testing.T) {
	p := open(t, look{noPlay: true})
	p.send("set", "{key: 'class', value: 'FSS'}")
	p.at(10)
	p.eval("document.getElementById('stage').contentWindow.dispatchEvent(new ErrorEvent('error', {error: new Error('unreachable')}))")
	p.until("document.documentElement.classList.contains('failed')")
	notice := eval[string](p, "document.getElementById('cover').innerText")
	assert.Contains(t, notice, "unreachable")
	assert.Contains(t, notice, "scenario t2000-unset, class=FSS, time 00:00:10.00, event ")
	p.eval("document.getElementById('restart').click()")
	p.settle()
	assert.Equal(t, "10000000000", eval[string](p, "strandscope.state.nowNs"))
	assert.Equal(t, "FSS", eval[string](p, "strandscope.state.scenario.class"))
}
