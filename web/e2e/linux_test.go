//go:build browser

package e2e

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTheMailsFrameStandsBesideOurs(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1440, height: 900})
	p.send("load", "{scenario: 'linux22-250-hogs'}")
	p.at(1146)
	// It looks when a frame is drawn, up to some seconds before.
	top := eval[string](p, "document.getElementById('top').textContent")
	assert.Regexp(t, `(?m)^289 processes: \d+ sleeping, 25\d running, 0 zombie, 0 stopped$`, top)
	assert.Regexp(t, `(?m)^CPU states: (400\.0|399\.\d)% user, 0\.0% system, 0\.0% nice, 0\.0% idle$`, top)
	assert.Equal(t, []string{"agrees"}, eval[[]string](p, "[...new Set([...document.querySelectorAll('#figures tr')].map((r) => r.className))]"),
		"every figure that the mail prints comes out")
	assert.Contains(t, eval[string](p, "document.getElementById('work-text').textContent"), "of one CPU")
	p.until("document.getElementById('twin').textContent.includes('ping woke')")
	p.keep("mail")

	p.eval("document.querySelector('#tools [data-tool=vmstat]').click()")
	assert.True(t, eval[bool](p, "document.getElementById('top').hidden && document.getElementById('vmstat').textContent.includes('swpd')"))
	assert.Equal(t, "true", eval[string](p, "document.querySelector('[data-tool=vmstat]').ariaPressed"))
	p.eval("document.querySelector('#tools [data-tool=top]').click()")
	assert.False(t, eval[bool](p, "document.getElementById('top').hidden"))

	p.send("load", "{scenario: 't2000-ts'}")
	p.at(10)
	assert.True(t, eval[bool](p, "!document.querySelector('[data-tool=top]').checkVisibility() && !document.getElementById('vmstat').hidden && document.getElementById('work').hidden"))
	assert.Empty(t, p.faults())
}

func TestTheCostCurveIsPlotted(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1440, height: 900})
	p.send("load", "{scenario: 'linux22-recalculation'}")
	p.until("strandscope.settled && strandscope.state.text.includes('From 10 to 1000 of loop the evaluations grow')")
	p.keep("curve")
	assert.Empty(t, p.faults())
}
