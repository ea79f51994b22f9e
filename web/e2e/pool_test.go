//go:build browser

package e2e

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// instance is a running Chromium, used by one test at a time.
type instance struct {
	ctx    context.Context
	cancel func()
}

// Browsers that wait for a test, by what it asks for. One that has shown the page before
// has its program compiled: it opens in a third of the time.
var (
	poolLock sync.Mutex
	pool     = map[kind][]*instance{}
)

// kind is how a shared browser differs from others.
type kind struct{ still, coarse bool }

// sharp asks for all pictures as a reader sees them.
var sharp = os.Getenv("E2E_SHARP") != "" || all

// coarse reports whether a test can do with half as many device pixels as CSS pixels
// each way. Without a graphics card a browser's time goes by pixels.
func coarse(l *look) bool { return shareable(l) && !l.sharp && !sharp }

// closePool ends the browsers that wait.
func closePool() {
	for _, list := range pool {
		for _, b := range list {
			b.cancel()
		}
	}
}

// shareable reports whether a test gets along with a browser that others have used.
// One that looks at how the page starts, or asks for flags, does not.
func shareable(l *look) bool {
	return !l.noWait && l.scale == 0 && l.before == "" && len(l.flags) == 0
}

var besides sync.Map // names of tests

// beside lets a test run beside another one, as a page waits a third of its time. One
// that hinders the site, which all share, or counts what it sends, runs alone.
func beside(t *testing.T, l *look) {
	t.Helper()
	if l.alone || strings.Contains(t.Name(), "/") {
		return
	}
	if _, done := besides.LoadOrStore(t.Name(), true); !done {
		t.Parallel()
	}
}

// tab opens a tab for a test, in a browser that nobody else uses meanwhile.
func tab(t *testing.T, l *look) context.Context {
	t.Helper()
	if !shareable(l) {
		b := start(t, l, t.TempDir())
		t.Cleanup(b.cancel)
		return b.ctx
	}
	of := kind{l.noPlay, coarse(l)}
	poolLock.Lock()
	var b *instance
	if list := pool[of]; len(list) > 0 {
		b, pool[of] = list[len(list)-1], list[:len(list)-1]
	}
	poolLock.Unlock()
	if b == nil {
		dir, err := os.MkdirTemp("", "strandscope-e2e-")
		require.NoError(t, err)
		b = start(t, l, dir)
		kill := b.cancel
		b.cancel = func() { kill(); os.RemoveAll(dir) }
	}
	limited, cancel := context.WithTimeout(b.ctx, 8*time.Minute)
	ctx, cancelTab := chromedp.NewContext(limited)
	t.Cleanup(func() {
		cancelTab()
		cancel()
		poolLock.Lock()
		defer poolLock.Unlock()
		pool[of] = append(pool[of], b)
	})
	require.NoError(t, chromedp.Do(ctx, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, storage.ClearDataForOrigin, storage.ClearDataForOriginParams{
			Origin: site.URL, StorageTypes: "cookies,local_storage,indexeddb,service_workers,cache_storage",
		})
		return err
	})))
	return ctx
}

// executable is Chromium; for tests that share one it is its build without windows, where
// that is installed: it paints the page alone, in two thirds of the time.
func executable(t *testing.T, l *look) string {
	t.Helper()
	if path, err := exec.LookPath("chromium-headless-shell"); err == nil && shareable(l) {
		return path
	}
	return chromium(t)
}

// start starts a browser with its data in a folder.
func start(t *testing.T, l *look, dir string) *instance {
	t.Helper()
	opts := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(executable(t, l)), chromedp.NoSandbox, chromedp.NoFirstRun, chromedp.UserDataDir(dir),
		chromedp.Flag("headless", "new"), chromedp.Flag("use-gl", "angle"), chromedp.Flag("use-angle", "swiftshader"),
		chromedp.Flag("enable-unsafe-swiftshader", true), chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.Flag("force-color-profile", "srgb"),
		chromedp.Flag("hide-scrollbars", true), chromedp.Flag("disable-dev-shm-usage", true),
	}
	if l.noPlay {
		opts = append(opts, chromedp.Flag("force-prefers-reduced-motion", true))
	}
	if coarse(l) {
		opts = append(opts, chromedp.Flag("force-device-scale-factor", "0.5"))
	}
	if l.scale != 0 {
		opts = append(opts, chromedp.Flag("force-device-scale-factor", fmt.Sprint(l.scale)))
	}
	for name, value := range l.flags {
		opts = append(opts, chromedp.Flag(name, value))
	}
	opts = append(opts, chromedp.Flag("window-size", fmt.Sprintf("%d,%d", l.width, l.height)))
	ctx := context.Background()
	cancelTime := func() {}
	if !shareable(l) {
		ctx, cancelTime = context.WithTimeout(ctx, cmp.Or(l.lasts, 8*time.Minute))
	}
	ctx, cancelBrowser := chromedp.NewExecAllocator(ctx, opts...)
	ctx, cancelTab := chromedp.NewContext(ctx)
	require.NoError(t, chromedp.Do(ctx)) // it starts now, and lives as long as this context
	return &instance{ctx, func() { cancelTab(); cancelBrowser(); cancelTime() }}
}
