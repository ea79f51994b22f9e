//go:build browser

package e2e

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"strandscope/web/static"
)

// root is the repository, as seen from this package.
const root = "../.."

var site *httptest.Server

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	if err := build(); err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return 1
	}
	files, err := static.Handler(root)
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return 1
	}
	site = httptest.NewServer(hosts(hinder(files)))
	defer site.Close()
	defer closePool()
	return m.Run()
}

// build makes the program where it is missing or older than its sources.
func build() error {
	cmd := exec.Command("make", "wasm")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building the program: %w\n%s", err, out)
	}
	return nil
}

// slow makes the site send the program at about 8 Mbit/s, and not all of it; gone takes it
// away.
var slow, gone atomic.Bool

// hinder puts what slow and gone ask for before the site.
func hinder(files http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "strandfull.wasm") {
			w = fuller{w}
		}
		if strings.Contains(r.URL.Path, "strandscope.wasm") { // in whatever form it is packed
			if gone.Load() {
				http.NotFound(w, r)
				return
			}
			w = counted{&trickle{w, r.Context(), 0}}
		}
		files.ServeHTTP(w, r)
	})
}

// downloads counts the answers that carry the program, fullDownloads those with the
// fuller one.
var downloads, fullDownloads atomic.Int64

type fuller struct{ http.ResponseWriter }

func (f fuller) WriteHeader(code int) {
	if code == http.StatusOK {
		fullDownloads.Add(1)
	}
	f.ResponseWriter.WriteHeader(code)
}

func (f fuller) Unwrap() http.ResponseWriter { return f.ResponseWriter }

type counted struct{ http.ResponseWriter }

func (c counted) WriteHeader(code int) {
	if code == http.StatusOK {
		downloads.Add(1)
	}
	c.ResponseWriter.WriteHeader(code)
}

func (c counted) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// trickle sends so much of the program at about 8 Mbit/s while the site is slow, and then
// no more until it is not: a busy browser must not miss that it was.
type trickle struct {
	http.ResponseWriter
	ctx  context.Context
	sent int
}

func (t *trickle) Write(b []byte) (n int, err error) {
	const step, most = 20_000, 600_000
	for len(b) > 0 && err == nil {
		var m int
		m, err = t.ResponseWriter.Write(b[:min(step, len(b))])
		n, b = n+m, b[m:]
		t.sent += m
		if slow.Load() {
			_ = http.NewResponseController(t.ResponseWriter).Flush() // a browser that left is no fault
			time.Sleep(20 * time.Millisecond)
		}
		for t.sent > most && slow.Load() && t.ctx.Err() == nil {
			time.Sleep(20 * time.Millisecond)
		}
	}
	return n, err
}
