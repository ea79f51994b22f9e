//go:build browser

package e2e

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a reader of a page has to wait for, in bytes.
const (
	mostGzip   = 2_000_000
	mostBrotli = 1_600_000
)

func TestTheProgramIsSmallEnoughToWaitFor(t *testing.T) {
	name := filepath.Join(root, "build", "strandscope.wasm.gz")
	packed, err := os.ReadFile(name)
	require.NoError(t, err)
	z, err := gzip.NewReader(bytes.NewReader(packed))
	require.NoError(t, err)
	wasm, err := io.ReadAll(z)
	require.NoError(t, err)
	t.Logf("%s: %d bytes under gzip, %d in the browser", filepath.Base(name), len(packed), len(wasm))

	// Go notes in the program what it was built from.
	require.True(t, bytes.Contains(wasm, []byte("=>\t./build/ebiten")),
		"%s was built with Ebitengine as published, not by `make wasm`: run that", name)
	assert.LessOrEqual(t, len(packed), mostGzip, tooBig("gzip", len(packed), mostGzip))

	plain := filepath.Join(t.TempDir(), "strandscope.wasm")
	require.NoError(t, os.WriteFile(plain, wasm, 0o644))
	// Quality 9 is quick, and what it makes is never smaller than the best.
	var n int
	for _, quality := range []string{"9", "11"} {
		if n = brotli(t, plain, quality); n <= mostBrotli {
			t.Logf("at most %d bytes under brotli (quality %s)", n, quality)
			return
		}
	}
	assert.Fail(t, tooBig("brotli", n, mostBrotli))
}

func tooBig(packer string, is, most int) string {
	return fmt.Sprintf("the program is %d bytes under %s, %d more than the %d allowed; `make size` tells which packages weigh most",
		is, packer, is-most, most)
}

func brotli(t *testing.T, name, quality string) int {
	t.Helper()
	cmd := exec.Command("go", "run", ".", "-quality", quality, name)
	cmd.Dir = filepath.Join(root, "tools", "brotli")
	out, err := cmd.Output()
	require.NoError(t, err)
	n, err := strconv.Atoi(strings.TrimSpace(string(out)))
	require.NoError(t, err)
	return n
}

// Another Go's wasm_exec.js may run the program until it does not.
func TestTheGlueIsThatOfTheGoThatBuiltTheProgram(t *testing.T) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	want, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec.js"))
	require.NoError(t, err)
	got, err := os.ReadFile(filepath.Join(root, "wasm_exec.js"))
	require.NoError(t, err)
	assert.True(t, bytes.Equal(want, got), "wasm_exec.js is not the one in GOROOT; run `make wasm`")
}
