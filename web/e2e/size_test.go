//go:build browser

package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/scripts/bench/budget"
)

func TestTheProgramIsSmallEnoughToWaitFor(t *testing.T) {
	dir := dist(t)
	wasm := found(t, dir, "build/strandscope.*.wasm")
	// Go notes in the program what it was built from.
	require.True(t, bytes.Contains(wasm, []byte("=>\t./build/ebiten")),
		"the program was built with Ebitengine as published, not by `make wasm`: run that")
	for _, c := range []struct {
		packer string
		most   int
	}{{"gz", budget.Gzip}, {"br", budget.Brotli}} {
		is := len(found(t, dir, "build/strandscope.*.wasm."+c.packer))
		t.Logf("the program is %d bytes as .%s, %d in the browser", is, c.packer, len(wasm))
		assert.LessOrEqual(t, is, c.most, "as .%s the program is %d bytes, %d more than the %d allowed; `make size` tells which packages weigh most",
			c.packer, is, is-c.most, c.most)
	}
}

func TestTheFullerProgramIsSmallEnoughToWaitFor(t *testing.T) {
	dir := dist(t)
	for packer, most := range map[string]int{"gz": budget.Full, "br": budget.FullBr} {
		is := len(found(t, dir, "build/strandfull.*.wasm."+packer))
		t.Logf("the fuller program is %d bytes as .%s", is, packer)
		assert.LessOrEqual(t, is, most, ".%s", packer)
	}
}

func TestTheSecondProgramWeighsWhatTheDialogSays(t *testing.T) {
	dir := dist(t)
	is := len(found(t, dir, "build/strandtool.*.wasm.gz"))
	t.Logf("what writes events is %d bytes under gzip, %d as brotli", is, len(found(t, dir, "build/strandtool.*.wasm.br")))
	assert.LessOrEqual(t, is, budget.Tool)
	assert.Contains(t, string(found(t, dir, "index.html")), "A program of 1.5 MB is fetched")
}

func TestThePageAndTheSingleFileAreSmallEnough(t *testing.T) {
	dir := dist(t)
	var page int
	for _, pattern := range []string{"index.html", "*.??????????.js", "web/*.??????????.*", "web/*/*.??????????.*"} {
		names, err := filepath.Glob(filepath.Join(dir, pattern+".gz"))
		require.NoError(t, err)
		for _, name := range names {
			switch filepath.Ext(strings.TrimSuffix(name, ".gz")) {
			case ".html", ".css", ".js":
				info, err := os.Stat(name)
				require.NoError(t, err)
				page += int(info.Size())
			}
		}
	}
	single := len(found(t, dir, "strandscope.html"))
	t.Logf("the page is %d bytes under gzip, the single file %d", page, single)
	assert.Greater(t, page, 20_000, "the page was counted")
	assert.LessOrEqual(t, page, budget.Page)
	assert.LessOrEqual(t, single, budget.Single)
}

// found reads the one file of a name.
func found(t *testing.T, dir, pattern string) []byte {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, pattern))
	require.NoError(t, err)
	require.Len(t, names, 1, pattern)
	b, err := os.ReadFile(names[0])
	require.NoError(t, err)
	return b
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
