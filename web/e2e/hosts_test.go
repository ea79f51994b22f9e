//go:build browser

package e2e

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// hosts serves, beside the page, pages of tests alone: hosts that frame it, and a
// script that notes what goes wrong in browsers which do not tell us otherwise.
func hosts(page http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch p := r.URL.Path; {
		case p == "/favicon.ico": // browsers ask for it beside a page without an icon
			w.WriteHeader(http.StatusNoContent)
		case p == "/host":
			hostPage(w, r)
		case p == "/watch.js":
			w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
			fmt.Fprint(w, watch)
		case (p == "/" || p == "/index.html" || p == "/web/stage.html") && !strings.Contains(r.UserAgent(), "Chrome"):
			watched(w, p)
		default:
			page.ServeHTTP(w, r)
		}
	})
}

// hostPage is a long page with room of above pixels, then the page in frames, then room
// again: /host?above=2000&frames=2&width=700&height=500.
func hostPage(w http.ResponseWriter, r *http.Request) {
	number := func(name string, other int) int {
		if n, err := strconv.Atoi(r.FormValue(name)); err == nil {
			return n
		}
		return other
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><title>Host</title><script src="/web/keys.js"></script><body style="margin:0">
		<input id="before" aria-label="before"><div style="height:%dpx"></div>`, number("above", 0))
	for n := range number("frames", 1) {
		fmt.Fprintf(w, `<iframe id="f%d" src="/index.html" title="figure %d" style="display:block;border:0;width:%dpx;height:%dpx"></iframe>`,
			n, n, number("width", 900), number("height", 600))
	}
	fmt.Fprint(w, `<input id="after" aria-label="after"><div style="height:3000px"></div></body></html>`)
}

// watched serves a document of the page with the script of watch before its own.
func watched(w http.ResponseWriter, path string) {
	if path == "/" {
		path = "/index.html"
	}
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(bytes.Replace(text, []byte("<title>"), []byte(`<script src="/watch.js"></script><title>`), 1)) // a browser that left is no fault
}

// watch keeps what the consoles of the page and of its frame are told.
const watch = `'use strict';
(() => {
	const list = top.watchedFaults ??= [];
	for (const kind of ['error', 'warn']) {
		const say = console[kind].bind(console);
		console[kind] = (...all) => { list.push('console.' + kind + ': ' + all.join(' ')); say(...all); };
	}
	addEventListener('error', (e) => list.push('error: ' + (e.message ?? e.target.src ?? e.target.href)), true);
	addEventListener('unhandledrejection', (e) => list.push('rejected: ' + e.reason));
	addEventListener('securitypolicyviolation', (e) => list.push('policy: ' + e.violatedDirective + ' ' + e.blockedURI));
})();
`
