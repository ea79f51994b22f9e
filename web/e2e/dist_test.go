//go:build browser

package e2e

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// folder is where a host may put the site: not at its root.
const folder = "/some/project/"

var makeSite = sync.OnceValues(func() ([]byte, error) {
	cmd := exec.Command("make", "site")
	cmd.Dir = root
	return cmd.CombinedOutput()
})

// dist is what `make site` writes.
func dist(t *testing.T) string {
	t.Helper()
	out, err := makeSite()
	require.NoError(t, err, "%s", out)
	return filepath.Join(root, "dist")
}

// host is the plainest server of files: it knows four types, and no packing, length
// or cache.
type host struct {
	*httptest.Server
	newer atomic.Bool // another version of the site is there

	mu    sync.Mutex
	asked []string
}

const newerVersion = "feedfeed00"

var versions = regexp.MustCompile(`(VERSION = '|data-version=")[0-9a-f]{10}`)

func dumb(t *testing.T, dir string) *host {
	t.Helper()
	h := &host{}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, inside := strings.CutPrefix(r.URL.Path, folder)
		h.mu.Lock()
		h.asked = append(h.asked, r.URL.Path)
		h.mu.Unlock()
		if name == "" {
			name = "index.html"
		}
		b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(path.Clean("/"+name))))
		if !inside || err != nil {
			http.NotFound(w, r)
			return
		}
		if h.newer.Load() {
			b = versions.ReplaceAll(b, []byte("${1}"+newerVersion))
		}
		kind, known := map[string]string{".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}[path.Ext(name)]
		if !known {
			kind = "application/octet-stream"
		}
		w.Header().Set("Content-Type", kind)
		_ = http.NewResponseController(w).Flush() // and so without a length
		if strings.Contains(name, ".wasm") {
			w = &trickle{w, r.Context(), 0}
		}
		_, _ = w.Write(b) // a browser that left is no fault
	}))
	t.Cleanup(h.Close)
	return h
}

func (h *host) requests() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]string(nil), h.asked...)
}

// visit opens the site of a host in a browser of its own.
func visit(t *testing.T, h *host, l look) *page {
	t.Helper()
	l.path, l.noWait = "web/poster.svg", true
	p := open(t, l)
	p.do(chromedp.Navigate(h.URL + folder))
	return p
}

// kept waits until the worker has everything.
func (p *page) kept() {
	p.Helper()
	p.settle()
	eval[bool](p, "navigator.serviceWorker.ready.then(() => true)")
}

func TestTheSiteRunsInAFolderOfAHostThatSetsNoHeaders(t *testing.T) {
	h := dumb(t, dist(t))
	p := visit(t, h, look{noPlay: true})
	p.kept()
	p.at(10)
	assert.Equal(t, "00:00:10.00", eval[string](p, "document.getElementById('clock').textContent"))
	assert.Empty(t, p.faults())

	var programs int
	hashed := regexp.MustCompile(`\.[0-9a-f]{10}\.(html|js|css|svg|txt|wasm|wasm\.gz)$`)
	for _, name := range h.requests() {
		require.True(t, strings.HasPrefix(name, folder), "%s is outside of the site's folder", name)
		if strings.Contains(name, ".wasm") {
			programs++
			assert.Regexp(t, `\.wasm\.gz$`, name, "a packed program is enough")
		}
		switch name = strings.TrimPrefix(name, folder); {
		case name == "", name == "sw.js", strings.HasPrefix(name, "web/lessons/"), strings.HasPrefix(name, "web/lang/"):
		default:
			assert.Regexp(t, hashed, name)
		}
	}
	assert.Positive(t, programs)
}

func TestAnEmbeddedFigureRunsInTheSite(t *testing.T) {
	h := dumb(t, dist(t))
	p := openAt(t, h.URL+folder+"?embed=1&scenario=t2000-unset&start=10s", look{noPlay: true})
	p.until("location.pathname.endsWith('/web/embed.html') && window.strandscope?.settled && strandscope.state.nowNs === '10000000000'")
	assert.Positive(t, eval[int](p, "strandscope.state.draws"))
	host := hosting(t, `<script src="`+h.URL+folder+`web/embed.js"></script><strand-scope scenario="t2000-ts" start="10s"></strand-scope>`)
	q := openAt(t, host.URL, look{noPlay: true})
	q.until("told.some((m) => m.type === 'height')")
	assert.Empty(t, p.faults())
	assert.Empty(t, q.faults())
}

func TestThePolicyOfTheSiteStopsAScriptInThePage(t *testing.T) {
	p := visit(t, dumb(t, dist(t)), look{noPlay: true})
	p.settle()
	require.Empty(t, p.faults())
	p.eval(`{ const s = document.createElement('script'); s.textContent = 'window.ran = true'; document.body.append(s); }`)
	assert.False(t, eval[bool](p, "window.ran === true"))
	assert.NotEmpty(t, p.faults(), "and a test would hear of it")
}

func TestTheSiteWorksWithoutANetworkOnceItWasOpen(t *testing.T) {
	h := dumb(t, dist(t))
	p := visit(t, h, look{noPlay: true})
	p.kept()
	h.Close()
	p.offline()
	p.do(chromedp.Reload())
	p.settle()
	p.at(20)
	assert.Equal(t, "00:00:20.00", eval[string](p, "document.getElementById('clock').textContent"))
	p.eval("strandscope.restart()") // the stage is fetched anew
	p.settle()
	p.keep("offline")
}

// offline takes the page's network away; that of a worker goes with the host's.
func (p *page) offline() {
	p.Helper()
	type conditions struct {
		Offline            bool    `json:"offline"`
		Latency            float64 `json:"latency"`
		DownloadThroughput float64 `json:"downloadThroughput"` // bytes a second; -1: no limit
		UploadThroughput   float64 `json:"uploadThroughput"`
	}
	emulate := cdp.Command[conditions, cdp.Empty]{Method: "Network.emulateNetworkConditions"}
	p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		if _, err := cdp.Call(ctx, t, network.Enable, network.EnableParams{}); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, t, emulate, conditions{Offline: true, DownloadThroughput: -1, UploadThroughput: -1})
		return err
	}))
}

func TestANewerVersionIsSaidInASentenceAndTheOldOneGoes(t *testing.T) {
	h := dumb(t, dist(t))
	p := visit(t, h, look{noPlay: true})
	p.kept()
	p.do(chromedp.Reload()) // now the worker stands between page and network
	p.kept()
	assert.True(t, eval[bool](p, "Boolean(navigator.serviceWorker.controller)"))
	assert.False(t, eval[bool](p, "Boolean(document.getElementById('update'))"))
	before := eval[[]string](p, "caches.keys()")
	require.Len(t, before, 1)
	h.newer.Store(true)
	p.eval("navigator.serviceWorker.getRegistration().then((r) => r.update())")
	p.until("Boolean(document.getElementById('update'))")
	assert.Contains(t, eval[string](p, "document.getElementById('update').textContent"), "A newer version of this page is ready")
	p.settle()
	p.keep("update")
	p.eval("document.querySelector('#update button').click()")
	p.until("document.querySelector('[data-version]')?.dataset.version === '" + newerVersion + "'")
	p.settle()
	p.until("(caches.keys().then((k) => { globalThis.left = `${k.length} ${k}`; }), /^1 .*" + newerVersion + "$/.test(globalThis.left))")
	assert.Len(t, eval[[]string](p, "caches.keys()"), 1, "the old version's files are gone")
	assert.False(t, eval[bool](p, "Boolean(document.getElementById('update'))"), "this page is the newer one")
}

func TestProgressIsExactWithoutALengthAndShownWithTheFirstPicture(t *testing.T) {
	dir := dist(t)
	packed, err := filepath.Glob(filepath.Join(dir, "build", "strandscope.*.wasm.gz"))
	require.NoError(t, err)
	require.Len(t, packed, 1)
	info, err := os.Stat(packed[0])
	require.NoError(t, err)
	slow.Store(true)
	defer slow.Store(false)
	p := visit(t, dumb(t, dir), look{alone: true, noPlay: true})
	p.until("performance.getEntriesByName('first-contentful-paint').length > 0")
	assert.True(t, eval[bool](p, "document.getElementById('progress').checkVisibility()"))
	p.until("document.getElementById('progress').value > 0")
	assert.InDelta(t, info.Size(), eval[float64](p, "document.getElementById('progress').max"), 0)
	assert.Less(t, eval[float64](p, "document.getElementById('progress').value"), 0.9*float64(info.Size()))
	slow.Store(false)
	p.settle()
}

// The sources stand in another folder, and outside of a repository.
func TestTheProgramIsTheSameBytesWhereverItIsBuilt(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"cmd", "sim", "render", "web", "scripts", "go.mod", "go.sum", "Makefile", "index.html"} {
		out, err := exec.Command("cp", "-R", filepath.Join(root, name), dir).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	cmd := exec.Command("make", "wasm")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, name := range []string{"strandscope.wasm", "strandtool.wasm"} {
		here, err := os.ReadFile(filepath.Join(root, "build", name))
		require.NoError(t, err)
		there, err := os.ReadFile(filepath.Join(dir, "build", name))
		require.NoError(t, err)
		assert.True(t, bytes.Equal(here, there), "%s has %d bytes here and %d there", name, len(here), len(there))
	}
}
