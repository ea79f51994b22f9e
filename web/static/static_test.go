package static

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestThePolicyOfThePageIsAHeaderToo(t *testing.T) {
	h, err := Handler("../..")
	require.NoError(t, err)
	for _, name := range []string{"index.html", "web/stage.html"} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/"+name, nil))
		policy := w.Header().Get("Content-Security-Policy")
		require.NotEmpty(t, policy, name)
		page, err := os.ReadFile(filepath.Join("../..", name))
		require.NoError(t, err)
		assert.Contains(t, string(page), policy, name)
		assert.Contains(t, policy, "default-src 'none'", name)
		for _, loose := range []string{"'unsafe-inline'", "'unsafe-eval'", "*"} {
			assert.NotContains(t, strings.Fields(strings.ReplaceAll(policy, ";", " ")), loose, name)
		}
	}
}

func TestAFolderOfTheSiteIsServedAsWell(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"index.html", "sw.js", "strandscope.html", "wasm_exec.0123456789.js", "go.mod"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o644))
	}
	h, err := Handler(dir)
	require.NoError(t, err)
	for name, want := range map[string]int{
		"": 200, "sw.js": 200, "strandscope.html": 200, "wasm_exec.0123456789.js": 200, "go.mod": 404, "sw.js.map": 404,
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/"+name, nil))
		assert.Equal(t, want, w.Code, name)
	}
}

func TestTheSecondProgramAndItsWorkerAreServedWithTheirTypes(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"index.html", "build/strandtool.wasm", "build/strandtool.wasm.gz", "web/toolworker.js"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o644))
	}
	h, err := Handler(dir)
	require.NoError(t, err)
	for name, want := range map[string]string{
		"build/strandtool.wasm": "application/wasm", "build/strandtool.wasm.gz": "application/gzip", "web/toolworker.js": "text/javascript; charset=utf-8",
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/"+name, nil))
		assert.Equal(t, http.StatusOK, w.Code, name)
		assert.Equal(t, want, w.Header().Get("Content-Type"), name)
	}
}

func TestNothingBesideThePageIsServedHoweverItIsAskedFor(t *testing.T) {
	above := t.TempDir()
	dir := filepath.Join(above, "page")
	for _, name := range []string{
		"page/index.html", "page/go.mod", "page/.git/config", "page/web/static/static.go", "page/web/.hidden", "page/web/noending", "secret.js", "secret.txt",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(above, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(above, name), []byte("secret"), 0o644))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "index.html"), []byte("the page"), 0o644))
	h, err := Handler(dir)
	require.NoError(t, err)
	for _, path := range []string{
		"/../secret.js", "/web/../../secret.js", "/web/%2e%2e/%2e%2e/secret.js", "/web/..%2f..%2fsecret.js", "/web/..\\..\\secret.js", "/.//secret.js",
		"/web//../../secret.txt", "/./../secret.js", "/web/./../go.mod", "/go.mod", "/.git/config", "/web/.git/config", "/web/static/static.go", "/web/.hidden",
		"/web/noending", "/web", "/web/", "/build/", "/web/x%00.js", "/C:/secret.js", "/" + strings.Repeat("web/../", 1000) + "secret.js", "/web/secret.js/..",
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.URL, err = r.URL.Parse(path)
		if err != nil {
			r.URL = &url.URL{Path: path}
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		assert.NotEqual(t, http.StatusOK, w.Code, path)
		assert.NotContains(t, w.Body.String(), "secret", path)
	}
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodOptions, "TRACE"} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(method, "/", nil))
		assert.Equal(t, http.StatusMethodNotAllowed, w.Code, method)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	assert.Equal(t, http.StatusOK, w.Code)
	for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Permissions-Policy": "camera=(), geolocation=(), microphone=()"} {
		assert.Equal(t, want, w.Header().Get(name))
	}
}

func TestLicencesAreServedAsText(t *testing.T) {
	h, err := Handler("../..")
	require.NoError(t, err)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/web/licences.txt", nil))
	assert.Equal(t, http.StatusOK, w.Code)
	assert.Equal(t, "text/plain; charset=utf-8", w.Header().Get("Content-Type"))
	assert.Contains(t, w.Body.String(), "ebiten")
}
