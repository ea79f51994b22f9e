//go:build browser

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"strandscope/web/static"
)

// browser is a running Chromium with one tab, and its data in a folder of its own.
type browser struct {
	ctx    context.Context
	cancel func()
	pid    int
}

// chromiumPath is $CHROMIUM or the first that is installed.
func chromiumPath() (string, error) {
	for _, name := range []string{os.Getenv("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("no Chromium is installed, and CHROMIUM names none")
}

// watch is put before the scripts of each document: it counts draw calls, keeps the
// program's memory, and notes when the second frame after play was drawn, the first
// that can differ from the one before.
const watch = `(() => {
	let frame = 0, drawn = -1, frames = -1;
	window.benchDraws = 0;
	const ask = window.requestAnimationFrame.bind(window);
	window.requestAnimationFrame = (f) => ask((t) => { frame++; f(t); });
	addEventListener('message', (e) => { if (frames < 0 && typeof e.data === 'string' && e.data.includes('"cmd":"play"')) frames = 0; }, true);
	const draws = () => {
		window.benchDraws++;
		if (frame === drawn) return;
		drawn = frame;
		if (frames >= 0 && ++frames === 2) top.benchMoving ??= performance.timeOrigin + performance.now() - top.performance.timeOrigin;
	};
	for (const name of ['drawElements', 'drawArrays']) {
		const real = WebGL2RenderingContext.prototype[name];
		WebGL2RenderingContext.prototype[name] = function (...args) { draws(); return real.apply(this, args); };
	}
	for (const name of ['instantiate', 'instantiateStreaming']) {
		const real = WebAssembly[name];
		WebAssembly[name] = async (...args) => { const r = await real.apply(WebAssembly, args); window.benchMemory = (r.instance ?? r).exports.mem; return r; };
	}
})()`

// open starts a browser; it lives until closed. The picture is drawn without a
// graphics card, as in the tests.
func open(ctx context.Context, width, height int64) (*browser, error) {
	path, err := chromiumPath()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "strandscope-bench-")
	if err != nil {
		return nil, err
	}
	ctx, cancelTime := context.WithTimeout(ctx, 20*time.Minute)
	ctx, cancelBrowser := chromedp.NewExecAllocator(ctx,
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.NoFirstRun, chromedp.UserDataDir(dir),
		chromedp.Flag("headless", "new"), chromedp.Flag("use-gl", "angle"), chromedp.Flag("use-angle", "swiftshader"),
		chromedp.Flag("enable-unsafe-swiftshader", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true), chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.Flag("window-size", fmt.Sprintf("%d,%d", width, height)))
	ctx, cancelTab := chromedp.NewContext(ctx)
	b := &browser{ctx: ctx, cancel: func() {
		cancelTab()
		cancelBrowser()
		cancelTime()
		_ = os.RemoveAll(dir) // the system clears it away some day
	}}
	err = b.do(chromedp.EmulateViewport(width, height), chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: watch})
		return err
	}))
	if err != nil {
		b.cancel()
		return nil, err
	}
	if p := chromedp.FromContext(ctx).Browser.Process(); p != nil {
		b.pid = p.Pid
	}
	return b, nil
}

func (b *browser) do(actions ...chromedp.Action[chromedp.Void]) error {
	return chromedp.Do(b.ctx, actions...)
}

// eval runs an expression in the page.
func eval[T any](b *browser, expression string) (T, error) {
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		err = fmt.Errorf("%.60s: %w", expression, err)
	}
	return v, err
}

// until waits for an expression to become true.
func (b *browser) until(expression string) error {
	_, err := chromedp.Run(b.ctx, chromedp.Poll[bool](expression, chromedp.WithPollingInterval(20*time.Millisecond),
		chromedp.WithPollingTimeout(time.Minute)))
	if err != nil {
		err = fmt.Errorf("%.60s: %w", expression, err)
	}
	return err
}

// serve serves at a free port of this computer.
func serve(h http.Handler) (address string, stop func(), err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	s := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	go s.Serve(l) //nolint:errcheck // it ends when it is closed
	return "http://" + l.Addr().String(), func() { _ = s.Close() }, nil
}

func siteHandler() (http.Handler, error) { return static.Handler("dist") }

// runner is a page that runs a test program.
const runner = `<!doctype html><title>bench</title><link rel="icon" href="data:,"><body><script src="wasm_exec.js"></script><script>
window.bench = async (file, ...args) => {
	let out = '', code = 0;
	const decoder = new TextDecoder();
	globalThis.fs.writeSync = (fd, bytes) => { out += decoder.decode(bytes, { stream: true }); return bytes.length; };
	const go = new Go();
	go.argv = [file, ...args];
	go.exit = (c) => { code = c; };
	const { instance } = await WebAssembly.instantiateStreaming(fetch(file), go.importObject);
	await go.run(instance);
	return code + '\n' + out;
};
</script></body>`

// chromium runs the benchmarks in a page.
func (w *work) chromium(ctx context.Context) error {
	path, err := chromiumPath()
	if err != nil {
		return err
	}
	w.env.Chromium = said(path, "--version")
	files := http.NewServeMux()
	files.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, runner)
	})
	files.HandleFunc("/wasm_exec.js", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, filepath.Join(said("go", "env", "GOROOT"), "lib", "wasm", "wasm_exec.js"))
	})
	programs := []struct{ pkg, pattern string }{{"./sim", timed}, {"./render", frames}}
	for _, x := range programs {
		file, err := build(ctx, x.pkg, "js", strings.Fields(w.wasmFlags))
		if err != nil {
			return err
		}
		files.HandleFunc("/"+filepath.Base(x.pkg)+".wasm", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/wasm")
			http.ServeFile(w, r, file)
		})
	}
	address, stop, err := serve(files)
	if err != nil {
		return err
	}
	defer stop()
	for _, x := range programs {
		for range w.rounds {
			if err := w.inBrowser(ctx, address, filepath.Base(x.pkg)+".wasm", x.pattern); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *work) inBrowser(ctx context.Context, address, file, pattern string) error {
	b, err := open(ctx, 800, 600)
	if err != nil {
		return err
	}
	defer b.cancel()
	if err := b.do(chromedp.Navigate(address + "/")); err != nil {
		return err
	}
	out, err := eval[string](b, fmt.Sprintf("bench(%q, '-test.run=^$', %q)", file, "-test.bench="+pattern))
	if err != nil {
		return err
	}
	code, text, _ := strings.Cut(out, "\n")
	if _, err := w.benchmarks(inChrome, strings.NewReader(text)); err != nil {
		return err
	}
	if code != "0" {
		lines := strings.Split(strings.TrimSpace(text), "\n")
		return fmt.Errorf("%s ended with code %s: %s", file, code, lines[len(lines)-1])
	}
	return nil
}
