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
