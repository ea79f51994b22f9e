//go:build browser

package e2e

import (
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// root is the repository, as seen from this package.
const root = "../.."

var site *httptest.Server

func TestMain(m *testing.M) {
	if err := build(); err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		os.Exit(1)
	}
	site = httptest.NewServer(http.HandlerFunc(serve))
	code := m.Run()
	site.Close()
	os.Exit(code)
}

// slow makes the site send the program at about 8 Mbit/s; gone takes it away.
var slow, gone atomic.Bool

type trickle struct{ http.ResponseWriter }

func (t trickle) Write(b []byte) (n int, err error) {
	const step = 20_000
	for len(b) > 0 && err == nil {
		var m int
		m, err = t.ResponseWriter.Write(b[:min(step, len(b))])
		n, b = n+m, b[m:]
		if slow.Load() {
			_ = http.NewResponseController(t.ResponseWriter).Flush() // a browser that left is no fault
			time.Sleep(20 * time.Millisecond)
		}
	}
	return n, err
}

// serve is a plain static host: right types, no content encoding.
func serve(w http.ResponseWriter, r *http.Request) {
	if strings.HasSuffix(r.URL.Path, ".wasm.gz") {
		if gone.Load() {
			http.NotFound(w, r)
			return
		}
		w = trickle{w}
	}
	switch path := r.URL.Path; {
	case strings.HasSuffix(path, ".wasm"):
		w.Header().Set("Content-Type", "application/wasm")
	case strings.HasSuffix(path, ".gz"):
		w.Header().Set("Content-Type", "application/gzip")
	}
	w.Header().Set("Cache-Control", "no-store")
	http.FileServer(http.Dir(root)).ServeHTTP(w, r)
}

// build makes the program where it is missing or older than its sources.
func build() error {
	packed := filepath.Join(root, "build", "strandscope.wasm.gz")
	sources, err := newest("sim", "render", "web/proto", "web/control", "web/bridge", "cmd/strandscope", "go.mod")
	if err != nil {
		return err
	}
	if s, err := os.Stat(packed); err == nil && s.ModTime().After(sources) {
		return nil
	}
	plain := strings.TrimSuffix(packed, ".gz")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", "build/strandscope.wasm", "./cmd/strandscope")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building the program: %w\n%s", err, out)
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	glue := filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec.js")
	if err := copyFile(filepath.Join(root, "wasm_exec.js"), glue, func(w io.Writer) io.WriteCloser { return keepOpen{w} }); err != nil {
		return err
	}
	return copyFile(packed, plain, func(w io.Writer) io.WriteCloser {
		z, _ := gzip.NewWriterLevel(w, gzip.BestCompression) // the level is valid
		return z
	})
}

type keepOpen struct{ io.Writer }

func (keepOpen) Close() error { return nil }

func copyFile(to, from string, through func(io.Writer) io.WriteCloser) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	w := through(out)
	if _, err := io.Copy(w, in); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return out.Close()
}

func newest(dirs ...string) (latest time.Time, err error) {
	for _, dir := range dirs {
		err = filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") {
				return err
			}
			i, err := d.Info()
			if err == nil && i.ModTime().After(latest) {
				latest = i.ModTime()
			}
			return err
		})
		if err != nil {
			return latest, err
		}
	}
	return latest, nil
}
