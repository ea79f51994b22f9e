//go:build browser

package e2e

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"strandscope/render/theme"
)

// TestThePageFitsEveryWidth also writes the pictures that people look at.
func TestThePageFitsEveryWidth(t *testing.T) {
	p := open(t, look{noPlay: true})
	p.at(31)
	assert.Empty(t, eval[[]string](p, "[...document.querySelectorAll('#scenario > option')].map((o) => o.label)"), "each scenario is in a group")
	assert.Equal(t, "T2000 · 32 CPU hogs, no default class", eval[string](p, "document.getElementById('scenario').title"))
	for _, size := range [][2]int64{{1920, 1080}, {1440, 900}, {1024, 768}, {820, 1180}, {390, 844}} {
		p.resize(size[0], size[1])
		for _, name := range theme.Names {
			p.theme(name)
			p.keep(fmt.Sprintf("page-%d-%s", size[0], name))
		}
		assert.Equal(t, size[0], eval[int64](p, "document.documentElement.scrollWidth"), "scrolls sideways at %d", size[0])
		assert.Empty(t, eval[[]string](p, outside), "cut off at %d", size[0])
		assert.Empty(t, eval[[]string](p, unseen), "not in view at %d", size[0])
		assert.Empty(t, eval[[]string](p, clipped), "text is cut off at %d", size[0])
	}
}

// theme chooses a theme as a reader does.
func (p *page) theme(name string) {
	p.Helper()
	p.choose("#theme", name)
}

// outside lists visible controls that reach beyond the window's sides.
const outside = `[...document.querySelectorAll('button, select, input, output, h1, h2, legend, .clock')]
	.filter((e) => e.checkVisibility() && !e.closest('.unseen') && (e.getBoundingClientRect().right > innerWidth + 0.5 || e.getBoundingClientRect().left < -0.5))
	.map((e) => e.id || e.textContent)`
