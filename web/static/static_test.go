package static

import (
	"net/http"
	"net/http/httptest"
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
