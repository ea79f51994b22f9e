//go:build browser

package e2e

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestADecisionShowsWhereThreadsWent(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1440, height: 900})
	p.send("load", "{scenario: 'linux22-250-hogs'}")
	p.at(20)
	p.until("(strandscope.settled ? (strandscope.state.text.includes('Since the last step') || (document.getElementById('on-decision').click(), false)) : false)")
	assert.Contains(t, eval[string](p, "strandscope.state.text"), "came from the queue onto cpu")
	p.keep("motion-linux")
	p.send("load", "{scenario: 't2000-unset'}")
	p.at(10)
	p.until("(strandscope.settled ? (strandscope.state.text.includes('Since the last step') || (document.getElementById('on-decision').click(), false)) : false)")
	p.keep("motion-t2000")
	// At rest again nothing is drawn.
	draws := eval[int](p, "strandscope.state.draws")
	p.send("select", "{}")
	p.send("select", "{}")
	assert.LessOrEqual(t, eval[int](p, "strandscope.state.draws")-draws, 2)
	// Fast: rates in the run queue's heading.
	p.send("speed", "{permille: 100000}")
	p.send("play", "{}")
	p.until("BigInt(strandscope.state.nowNs) > 15000000000n")
	p.keep("motion-fast")
	p.send("pause", "{}")
}
