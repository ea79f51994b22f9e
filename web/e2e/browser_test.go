//go:build browser

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// look says how a page is opened. The zero value is a 1280 × 800 window.
type look struct {
	path          string // "/" by default
	width, height int64
	scale         float64        // --force-device-scale-factor
	flags         map[string]any // of the browser
	before        string         // script run in every frame before the page's own
	noWait        bool           // do not wait for the program
	noPlay        bool           // prefer reduced motion: the run starts paused
	sharp         bool           // as many device pixels as CSS pixels: pictures are looked at
	lasts         time.Duration  // the browser is ended after so long; 8 minutes if nought
	alone         bool           // what the test measures suffers from others beside it
}

// all asks for every link and every picture, which takes a quarter of an hour; without
// it there is a fair choice.
var all = os.Getenv("E2E_ALL") != ""

// page is an open page.
type page struct {
	*testing.T
	ctx    context.Context
	coarse bool // half as many device pixels as CSS pixels

	mu       sync.Mutex
	problems []string // console errors and exceptions
}

func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{os.Getenv("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	// Whoever asks for these tests must not be told that they passed.
	require.Fail(t, "no Chromium found; `make test` installs one, or name it in CHROMIUM")
	return ""
}

// open opens the page in a tab of its own, so that no test sees another's storage.
func open(t *testing.T, l look) *page {
	t.Helper()
	if l.width == 0 {
		l.width, l.height = 1280, 800
	}
	beside(t, &l)
	ctx := tab(t, &l)
	p := &page{T: t, ctx: ctx}
	p.listen()
	if l.before != "" {
		p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := cdp.Call(ctx, t, cdppage.AddScriptToEvaluateOnNewDocument,
				cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: l.before})
			return err
		}))
	}
	p.coarse = coarse(&l)
	if l.scale == 0 { // emulation would hide the true scale from the page
		p.resize(l.width, l.height)
	}
	p.do(chromedp.Navigate(site.URL + "/" + l.path))
	if !l.noWait {
		p.settle()
	}
	return p
}

// resize gives the page a window of so many CSS pixels.
func (p *page) resize(width, height int64, how ...chromedp.EmulateViewportOption) {
	p.Helper()
	if p.coarse { // of nought the browser's own scale stays
		how = append(how, chromedp.EmulateScale(0))
	}
	p.do(chromedp.EmulateViewport(width, height, how...))
}

func (p *page) listen() {
	note := func(s string) {
		p.mu.Lock()
		p.problems = append(p.problems, s[:min(len(s), 400)])
		p.mu.Unlock()
	}
	err := chromedp.Listen(p.ctx, func(ev any) {
		switch ev := ev.(type) {
		case *runtime.EventConsoleAPICalled:
			if ev.Type == "error" || ev.Type == "warning" {
				b, _ := json.Marshal(ev.Args)
				note(fmt.Sprintf("console.%s %s", ev.Type, b))
			}
		case *runtime.EventExceptionThrown:
			b, _ := json.Marshal(ev.ExceptionDetails)
			note("exception " + string(b))
		case *log.EventEntryAdded: // what the browser itself complains of: 404, policy
			if ev.Entry.Level == "error" || ev.Entry.Level == "warning" {
				note(fmt.Sprintf("log %s %s %s", ev.Entry.Level, ev.Entry.Text, ev.Entry.URL))
			}
		}
	})
	require.NoError(p, err)
}

func (p *page) faults() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.problems...)
}

func (p *page) do(actions ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	require.NoError(p, chromedp.Do(p.ctx, actions...))
}

// eval runs an expression in the page.
func eval[T any](p *page, expression string) T {
	p.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	require.NoError(p, err, expression)
	return v
}

// until waits for an expression to become true.
func (p *page) until(expression string) {
	p.Helper()
	poll := func() error {
		_, err := chromedp.Run(p.ctx, chromedp.Poll[bool](expression, chromedp.WithPollingInterval(20*time.Millisecond),
			chromedp.WithPollingTimeout(2*time.Minute)))
		return err
	}
	err := poll()
	for range 20 { // a page that is loaded anew meanwhile takes what was asked with it
		if err == nil || !strings.Contains(err.Error(), "Cannot find context") && !strings.Contains(err.Error(), "Inspected target navigated") {
			break
		}
		err = poll()
	}
	if err != nil {
		state, _ := chromedp.Run(p.ctx, chromedp.Evaluate[string]("JSON.stringify(strandscope.state).slice(0, 600) + (document.getElementById('cover') ?? document.body).innerText"))
		faults := p.faults()
		require.NoError(p, err, "%s\nstate: %s\n%v", expression, state, faults[:min(len(faults), 4)])
	}
}

// settle waits until every command was obeyed and drawn.
func (p *page) settle() { p.Helper(); p.until("window.strandscope?.settled === true") }

// send sends a command of the page's own language and waits for its effect.
func (p *page) send(cmd string, rest string) {
	p.Helper()
	eval[int](p, fmt.Sprintf("strandscope.send(%q, %s)", cmd, rest))
	p.settle()
}

// at pauses and goes to a time in seconds.
func (p *page) at(seconds int) {
	p.Helper()
	p.send("pause", "{}")
	p.send("seek", fmt.Sprintf("{atNs: '%d'}", int64(seconds)*1e9))
}

func (p *page) screenshot() image.Image {
	p.Helper()
	b, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	require.NoError(p, err)
	m, err := png.Decode(bytes.NewReader(b))
	require.NoError(p, err)
	return m
}

func (p *page) keep(name string) image.Image {
	p.Helper()
	b, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	require.NoError(p, err)
	dir := filepath.Join(root, "build", "screenshots")
	require.NoError(p, os.MkdirAll(dir, 0o755))
	require.NoError(p, os.WriteFile(filepath.Join(dir, name+".png"), b, 0o644))
	m, err := png.Decode(bytes.NewReader(b))
	require.NoError(p, err)
	return m
}
