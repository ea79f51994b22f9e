//go:build browser

package e2e

import (
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/web/static"
)

// faulty serves the page with a program that has kernels which break after three
// seconds (build tag faulty).
func faulty(t *testing.T) string {
	t.Helper()
	cmd := exec.Command("make", "build/faulty.wasm.gz")
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	files, err := static.Handler(root)
	require.NoError(t, err)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.URL.Path = strings.ReplaceAll(r.URL.Path, "strandscope.wasm", "faulty.wasm")
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

const breaks = `{"title": "one that breaks", "machine": "up", "scheduler": {"kernel": "faulty-HOW"}, "tasks": {
	"short": {"loop": 1, "run": 500000}, "a": {"run": 40000, "sleep": 9000}, "b": {"run": 30000, "sleep": 1000}}}`

// What breaks stops the run, or ends the program; the page says what, and gives a link
// by which anybody has the same before them.
func TestABrokenRunSaysSoAndItsLinkBreaksAgain(t *testing.T) {
	p := open(t, look{noPlay: true, path: "web/poster.svg", noWait: true})
	p.do(chromedp.Navigate(faulty(t) + "/"))
	p.settle()
	notice := func() string { return eval[string](p, "document.getElementById('notice').innerText") }
	for how, want := range map[string]string{
		"pick":    "was picked for CPU 0 while",
		"history": "cannot be queued",
		"picture": "the picture asks for a queue that is gone",
	} {
		p.eval("document.getElementById('fault').hidden = true")
		p.eval("strandscope.loadText('breaks.json', " + quoted(strings.ReplaceAll(breaks, "HOW", how)) + ")")
		p.eval("strandscope.send('play')")
		broken := "!document.getElementById('fault').hidden && !document.getElementById('notice').hidden"
		p.until(broken)
		assert.Contains(t, notice(), want, how)
		assert.Equal(t, "alert", eval[string](p, "document.getElementById('fault').getAttribute('role')"))
		link := eval[string](p, "document.getElementById('fault-link').href")
		require.Regexp(t, "/#1z", link, how)
		if how == "picture" {
			// The program ended: the link begins before that, and starts another one.
			p.eval("document.getElementById('fault').hidden = true; document.getElementById('notice').hidden = true")
			p.eval("document.getElementById('fault-link').click()")
		} else {
			assert.Contains(t, notice(), "one that breaks, time 00:00:0", how)
			assert.Contains(t, notice(), "Reset starts it again.")
			p.send("reset", "{}")
			assert.True(t, eval[bool](p, "document.getElementById('fault').hidden && document.getElementById('notice').hidden"))
			p.do(chromedp.Navigate("about:blank"), chromedp.Navigate(link))
		}
		p.until("typeof strandscope === 'object' && " + broken)
		assert.Contains(t, notice(), want, "by its link: %s", how)
		p.do(chromedp.Navigate("about:blank"), chromedp.Navigate(strings.Split(link, "#")[0]))
		p.settle()
	}
}
