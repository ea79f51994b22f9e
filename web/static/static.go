// Package static serves the page: the files of the project's root that belong
// to it and nothing else, with their right types, precompressed where a .gz
// file stands beside them, with its policy, and with caching headers.
package static

import (
	"fmt"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// types by file name ending. Browsers compile wasm while it arrives only when
// it comes as application/wasm.
var types = map[string]string{
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".svg":  "image/svg+xml",
	".wasm": "application/wasm",
	".gz":   "application/gzip",
	".br":   "application/octet-stream", // no name of its own
	".json": "application/json",
	".md":   "text/markdown; charset=utf-8",
	".txt":  "text/plain; charset=utf-8",
}

// Handler serves the page from a folder that holds index.html.
func Handler(dir string) (http.Handler, error) {
	if _, err := os.Stat(filepath.Join(dir, "index.html")); err != nil {
		return nil, fmt.Errorf("%s holds no index.html; run it in the project's folder or give -dir", dir)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { serve(dir, w, r) }), nil
}

// public are the places that may be asked for, below the folder.
func public(p string) bool {
	switch {
	case p == "index.html", p == "wasm_exec.js", p == "sw.js", p == "strandscope.html",
		strings.HasPrefix(p, "wasm_exec.") && path.Ext(p) == ".js": // as `make site` calls it
		return true
	case strings.HasPrefix(p, "web/"), strings.HasPrefix(p, "build/"), strings.HasPrefix(p, "docs/examples/"):
		return types[path.Ext(p)] != ""
	}
	return false
}

func serve(dir string, w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD are served", http.StatusMethodNotAllowed)
		return
	}
	p := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	if p == "" {
		p = "index.html"
	}
	file := filepath.Join(dir, filepath.FromSlash(p))
	if !public(p) {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", types[path.Ext(p)])
	h.Set("X-Content-Type-Options", "nosniff")
	// Other pages may frame a figure and load web/embed.js, so nothing forbids that.
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
	// The files of a working copy change under their names: browsers keep them
	// but ask again, and get 304 when nothing changed.
	h.Set("Cache-Control", "no-cache")
	h.Add("Vary", "Accept-Encoding")
	if path.Ext(p) == ".html" {
		if policy := policyOf(file); policy != "" {
			h.Set("Content-Security-Policy", policy)
		}
	}
	if gz := file + ".gz"; path.Ext(p) != ".gz" && acceptsGzip(r) && fresh(gz, file) {
		h.Set("Content-Encoding", "gzip")
		file = gz
	}
	f, err := os.Open(file)
	if err != nil {
		missing(w, r, p)
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.IsDir() {
		http.NotFound(w, r)
		return
	}
	http.ServeContent(w, r, "", info.ModTime(), f)
}

// policyOf gives the policy that a page states for itself. As a header it holds from
// the first byte on.
func policyOf(file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	_, rest, found := strings.Cut(string(text), `<meta http-equiv="Content-Security-Policy" content="`)
	policy, _, closed := strings.Cut(rest, `"`)
	if !found || !closed {
		return ""
	}
	return policy
}

// missing says what to do when what a build makes is not there.
func missing(w http.ResponseWriter, r *http.Request, p string) {
	if strings.HasPrefix(p, "build/") || p == "wasm_exec.js" {
		http.Error(w, p+" is made by `make wasm`", http.StatusNotFound)
		return
	}
	http.NotFound(w, r)
}

func acceptsGzip(r *http.Request) bool {
	for _, e := range strings.Split(r.Header.Get("Accept-Encoding"), ",") {
		name, q, _ := strings.Cut(strings.TrimSpace(e), ";")
		if name == "gzip" && strings.ReplaceAll(q, " ", "") != "q=0" {
			return true
		}
	}
	return false
}

// fresh reports whether the compressed file is not older than the plain one.
func fresh(gz, file string) bool {
	a, err := os.Stat(gz)
	if err != nil {
		return false
	}
	b, err := os.Stat(file)
	return err != nil || !a.ModTime().Before(b.ModTime())
}
