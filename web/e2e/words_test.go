//go:build browser

package e2e

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
)

func TestEveryControlHasARoleAndAName(t *testing.T) {
	p := open(t, look{noPlay: true})
	p.at(10)
	var tree accessibility.GetFullAXTreeResult
	p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) (err error) {
		tree, err = cdp.Call(ctx, t, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
		return err
	}))
	seen := map[string]int{}
	for _, n := range tree.Nodes {
		if n.Ignored || n.Role == nil {
			continue
		}
		role := string(n.Role.Value)
		switch role {
		case `"button"`, `"combobox"`, `"radio"`, `"radiogroup"`, `"slider"`, `"spinbutton"`, `"table"`, `"Iframe"`, `"timer"`, `"status"`, `"main"`, `"group"`:
			seen[role]++
			if role != `"status"` && role != `"table"` {
				require.NotNil(t, n.Name, role)
				assert.NotEqual(t, `""`, string(n.Name.Value), role)
			}
			if role == `"slider"` || role == `"spinbutton"` || role == `"combobox"` {
				assert.NotNil(t, n.Value, "%s %s has no value", role, n.Name.Value)
			}
		}
	}
	for role, least := range map[string]int{
		`"button"`: 4, `"combobox"`: 2, `"radio"`: 6, `"slider"`: 1, `"spinbutton"`: 1, `"table"`: 1, `"Iframe"`: 1, `"timer"`: 1, `"status"`: 1,
	} {
		assert.GreaterOrEqual(t, seen[role], least, role)
	}
}

func TestFingersHitTheirTargets(t *testing.T) {
	p := open(t, look{noPlay: true, width: 390, height: 844})
	p.send("load", "{scenario: 'fss-1-3'}")
	p.eval("document.getElementById('settings').open = document.getElementById('questions').open = true")
	small := eval[[]string](p, `[...document.querySelectorAll('button, select, summary, .radios label, .speed, input[type=number]')]
		.filter((e) => e.checkVisibility() && e.getBoundingClientRect().height < 43.5).map((e) => e.id || e.textContent)`)
	assert.Empty(t, small)
}

func TestProgressIsShownAtOnceAndTheTextIsThereBefore(t *testing.T) {
	p := open(t, look{alone: true, noWait: true, path: "web/poster.svg"})
	slow.Store(true)
	defer slow.Store(false)
	p.do(chromedp.Navigate(site.URL + "/"))
	p.until("document.getElementById('progress').value > 0")
	// The bar is part of the page's text, so it is there with the first paint;
	// how many milliseconds that takes is for a benchmark on a quiet machine.
	p.until("performance.getEntriesByName('first-contentful-paint').length > 0")
	assert.True(t, eval[bool](p, "document.getElementById('cover').checkVisibility() && document.getElementById('play').checkVisibility()"))
	first := eval[float64](p, "document.getElementById('progress').value / document.getElementById('progress').max")
	assert.Less(t, first, 0.9)
	p.keep("loading")
	// What is asked for meanwhile is done when the program is there.
	p.eval("strandscope.send('set', {key: 'class', value: 'FSS'})")
	slow.Store(false)
	p.settle()
	assert.Equal(t, "FSS", eval[string](p, "strandscope.state.scenario.class"))
}

func TestFromAFileThePageSaysWhatToDo(t *testing.T) {
	p := open(t, look{noWait: true, path: "web/poster.svg"})
	path, err := filepath.Abs(filepath.Join(root, "index.html"))
	require.NoError(t, err)
	p.do(chromedp.Navigate("file://" + path))
	p.until("document.documentElement.classList.contains('failed')")
	assert.Contains(t, eval[string](p, "document.getElementById('cover').innerText"), "Start a web server")
	p.keep("file")
}

func TestAMissingProgramIsSaidAndCanBeTriedAgain(t *testing.T) {
	gone.Store(true)
	defer gone.Store(false)
	p := open(t, look{alone: true, noWait: true})
	p.until("document.documentElement.classList.contains('failed')")
	assert.Contains(t, eval[string](p, "document.getElementById('cover').innerText"), "404")
	gone.Store(false)
	p.eval("document.getElementById('restart').click()")
	p.settle()
	assert.True(t, eval[bool](p, "document.getElementById('cover').hidden && document.getElementById('notice').hidden"))
}

// TestPictures writes a picture of each built-in scenario (of the two documents' alone,
// unless all are asked for), of those of the tip in both themes.
func TestPictures(t *testing.T) {
	p := open(t, look{sharp: true, noPlay: true, width: 1440, height: 900})
	for _, s := range sim.Library() {
		if all || slices.Contains([]string{"t2000-unset", "t2000-ts", "t2000-fss", "linux22", "linux22-ping-under-load", "books"}, s.ID) {
			p.picture(s.ID)
		}
	}
	assert.Empty(t, p.faults())
}

func (p *page) picture(id string) {
	p.Helper()
	p.send("load", "{scenario: '"+id+"'}")
	themes, at := []string{"dark"}, 40
	if id == "t2000-unset" || id == "t2000-ts" || id == "t2000-fss" {
		themes, at = []string{"dark", "light"}, 151
	}
	p.at(at)
	p.send("select", "{strand: Math.min(14, strandscope.state.strands - 1)}")
	p.until("document.getElementById('twin').textContent === strandscope.state.text")
	for _, theme := range themes {
		p.theme(theme)
		p.keep(id + "-" + theme)
	}
}
