//go:build browser

package e2e

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// range_ types a range into the field and sends it.
func (p *page) typeRange(text string) {
	p.Helper()
	eval[bool](p, fmt.Sprintf(`(() => { const f = document.getElementById('range-text'); f.focus(); f.value = %q;
		document.getElementById('range').requestSubmit(); f.blur(); return true; })()`, text))
	p.settle()
}

func (p *page) shown() string {
	return eval[string](p, "((r) => `${r.kind} ${r.fromNs} ${r.toNs}`)(strandscope.state.range)")
}

// V-7 in the page: what is typed is what is shown.
func TestATypedRangeIsShownExactly(t *testing.T) {
	p := open(t, look{noPlay: true})
	p.at(60)
	p.typeRange("10.0–12.5 s")
	assert.Equal(t, "fixed 10000000000 12500000000", p.shown())
	assert.Equal(t, "10 s – 12.5 s", eval[string](p, "document.getElementById('range-text').value"))
	assert.Contains(t, eval[string](p, "strandscope.state.text"), "From 10 s to 12.5 s the strands were busy")
	p.keep("range-typed")
	p.typeRange("12 to 10")
	assert.Contains(t, eval[string](p, "document.getElementById('range-wrong').textContent"), "not after")
	assert.Equal(t, "fixed 10000000000 12500000000", p.shown(), "and stays as it was")
	p.typeRange("last 20 ms")
	assert.Equal(t, "latest 59980000000 60000000000", p.shown())
	p.typeRange("all")
	assert.Equal(t, "whole 0 60000000000", p.shown())
	assert.Empty(t, p.faults())
}

func TestButtonsZoomAndFreeze(t *testing.T) {
	p := open(t, look{noPlay: true})
	p.at(60)
	eval[bool](p, "(document.getElementById('range-in').click(), true)")
	p.settle()
	assert.Equal(t, "true", eval[string](p, "String(Number(strandscope.state.range.toNs) - Number(strandscope.state.range.fromNs) < 6e9)"))
	eval[bool](p, "(document.getElementById('range-all').click(), true)")
	p.settle()
	assert.Equal(t, "whole 0 60000000000", p.shown())
	eval[bool](p, "(document.getElementById('range-freeze').click(), true)")
	p.settle()
	p.at(90)
	assert.Equal(t, "whole 0 60000000000", p.shown(), "frozen while the run goes on")
	assert.Empty(t, p.faults())
}
