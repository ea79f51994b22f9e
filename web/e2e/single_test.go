//go:build browser

package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// alone puts the single file into a folder where nothing else is, and gives its address.
func alone(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dist(t), "strandscope.html"))
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "to hand out.html")
	require.NoError(t, os.WriteFile(name, b, 0o644))
	return "file://" + name
}

func TestTheSingleFileRunsFromDisk(t *testing.T) {
	p := open(t, look{noWait: true, noPlay: true, path: "web/poster.svg", width: 1440, height: 900})
	p.do(chromedp.Navigate(alone(t)))
	p.settle()
	p.offline()
	p.send("set", "{key: 'class', value: 'FSS'}")
	p.at(30)
	assert.Equal(t, "00:00:30.00", eval[string](p, "document.getElementById('clock').textContent"))
	assert.True(t, eval[bool](p, "strandscope.state.picture && document.getElementById('poster').naturalWidth > 0"))
	assert.Empty(t, eval[[]string](p, `[...performance.getEntriesByType('resource'),
		...document.getElementById('stage').contentWindow.performance.getEntriesByType('resource')]
		.map((e) => e.name).filter((n) => !n.startsWith('data:') && !n.startsWith('about:'))`), "nothing is fetched")
	p.keep("single")

	assert.True(t, eval[bool](p, "strandscopeFiles['web/licences.txt'].includes('ebiten')"), "whose code it has goes with it")
	// What would have to be fetched is not offered.
	p.eval("document.getElementById('export-open').click()")
	assert.False(t, eval[bool](p, "document.querySelector('[data-events]').checkVisibility()"))
	assert.Contains(t, eval[string](p, "document.getElementById('export-how').textContent"), "This page is one file, and cannot fetch the program that writes them.")
	assert.Contains(t, eval[string](p, "document.getElementById('export-line').textContent"), "-o events t2000-unset")
	p.eval("document.getElementById('export').close()")

	// Nor can the kernels after 2.2 be fetched.
	p.choose("#scenario", "nice-means-what")
	assert.Equal(t, "The page in one file has no room for the kernels after Linux 2.2. The page on a web server has them.",
		eval[string](p, "document.getElementById('linked-text').textContent"))
	p.eval("document.getElementById('linked-close').click()")

	// The stage can be brought back, as after a lost picture.
	p.eval("strandscope.restart()")
	p.settle()
	assert.Equal(t, "30000000000", eval[string](p, "strandscope.state.nowNs"))
	assert.Equal(t, "FSS", eval[string](p, "strandscope.state.scenario.class"))
	require.Empty(t, p.faults(), "its own policy is kept")

	p.eval(`{ const s = document.createElement('script'); s.textContent = 'window.ran = true'; document.body.append(s); }`)
	assert.False(t, eval[bool](p, "window.ran === true"), "only scripts of the file run")
}

func TestTheSingleFileRunsFromDiskInFirefox(t *testing.T) {
	o := &other{t, firefox(t, firefoxPath(t), "")}
	require.NoError(t, o.visit(alone(t)))
	o.until("window.strandscope?.settled === true")
	o.eval("strandscope.send('pause')")
	o.eval("strandscope.send('seek', {atNs: '20000000000'})")
	o.until("strandscope.settled && strandscope.state.nowNs === '20000000000'")
	assert.Equal(t, "00:00:20.00", ask[string](o, "document.getElementById('clock').textContent"))
	assert.True(t, ask[bool](o, "document.getElementById('poster').naturalWidth > 0"))
	o.eval("strandscope.restart()")
	o.until("strandscope.settled && strandscope.state.nowNs === '20000000000'")
	o.keep("single-firefox")
}
