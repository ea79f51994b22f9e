package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	scratch string
	once    = sync.OnceValue(func() error { return prepare("../..", scratch) })
)

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "slim"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	if err := os.RemoveAll(scratch); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// prepared returns a folder with what the command makes.
func prepared(t *testing.T) string {
	t.Helper()
	require.NoError(t, once())
	return scratch
}

func TestThePageLinksNothingHeavy(t *testing.T) {
	modfile, err := filepath.Abs(filepath.Join(prepared(t), "slim.mod"))
	require.NoError(t, err)
	assert.Empty(t, heavy(t, "-modfile="+modfile), "imported by cmd/strandscope or by what it imports; "+
		"`GOOS=js GOARCH=wasm go list -modfile=build/slim.mod -deps -f '{{.ImportPath}}: {{.Imports}}' ./cmd/strandscope` tells by which")

	plain := heavy(t)
	for _, needed := range []string{"text/template", "archive/zip", "go/parser", "go/constant", "regexp"} {
		assert.Contains(t, plain, needed, "the published Ebitengine; else this test would notice nothing")
	}
}

// heavy lists what the page's program should not link: what switches off the
// removal of unused methods, and what weighs more than 100 kB without need.
func heavy(t *testing.T, flags ...string) (list []string) {
	t.Helper()
	args := append(append([]string{"list"}, flags...), "-deps", "./cmd/strandscope")
	out, err := run("../..", []string{"GOOS=js", "GOARCH=wasm"}, args...)
	require.NoError(t, err)
	deps := strings.Fields(string(out))
	require.Contains(t, deps, module)
	for _, dep := range deps {
		switch dep {
		case "text/template", "html/template", "net/http", "testing", "archive/zip",
			"go/parser", "go/constant", "regexp":
			list = append(list, dep)
		default:
			if strings.HasPrefix(dep, "github.com/stretchr/testify") {
				list = append(list, dep)
			}
		}
	}
	return list
}

func TestTheSameComesOutTwice(t *testing.T) {
	again := t.TempDir()
	require.NoError(t, prepare("../..", again))
	first, second := tree(t, prepared(t)), tree(t, again)
	assert.Equal(t, first, second)
	assert.Contains(t, first, filepath.Join("ebiten", filepath.FromSlash(compiled)))

	require.NoError(t, prepare("../..", again), "over an older one")
	assert.Equal(t, first, tree(t, again))
}

// tree returns the texts of the files below dir, which it calls DIR.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		files[rel] = strings.ReplaceAll(string(text), dir, "DIR")
		return err
	}))
	return files
}

func TestTheCopyDiffersInOurFilesAlone(t *testing.T) {
	from, err := published("../..")
	require.NoError(t, err)
	original, copied := tree(t, from), tree(t, filepath.Join(prepared(t), "ebiten"))
	var changed []string
	for name, text := range copied {
		if original[name] != text {
			changed = append(changed, filepath.ToSlash(name))
		}
	}
	slices.Sort(changed)
	assert.Equal(t, []string{
		"imagedumper.go",
		"input.go",
		"internal/builtinshader/shader.go",
		"internal/gamepad/gamepad_js.go",
		"internal/graphics/shader.go",
		"internal/graphicscommand/image_js.go",
		"internal/graphicscommand/thread.go",
		"internal/graphicsdriver/opengl/gl/default_js.go",
		"internal/restorable/image.go",
		"internal/restorable/images.go",
		"internal/shaderir/glsl/compiled.go",
		"internal/shaderir/glsl/glsl.go",
		"internal/shaderir/program.go",
		"internal/shaderir/type.go",
		"internal/thread/thread.go",
		"internal/ui/context.go",
		"internal/ui/input.go",
		"internal/ui/input_js.go",
		"internal/ui/keys.go",
		"internal/ui/run.go",
		"internal/ui/ui_js.go",
	}, changed)
	assert.Contains(t, copied, "LICENSE")
}

func TestOnlyThePublishedVersionWillDo(t *testing.T) {
	var none *goModule
	_, err := none.dir()
	require.ErrorContains(t, err, "no module")
	_, err = (&goModule{Version: "v2.9.0", Dir: "/m"}).dir()
	require.ErrorContains(t, err, "go.mod requires github.com/hajimehoshi/ebiten/v2 v2.9.0, but the files below scripts/slim are for v2.8.8")
	m := &goModule{Version: version, Dir: "/m"}
	dir, err := m.dir()
	require.NoError(t, err)
	assert.Equal(t, "/m", dir)
	m.Replace = &struct{ Path string }{"../fork"}
	_, err = m.dir()
	assert.ErrorContains(t, err, "replaces github.com/hajimehoshi/ebiten/v2 by ../fork")
}

func TestAFileWithoutANamesakeIsRefused(t *testing.T) {
	assert.ErrorContains(t, replace(t.TempDir(), ""), "has no imagedumper.go to replace")
}

func TestEachFunctionOfWebGLIsStillBound(t *testing.T) {
	from, err := published("../..")
	require.NoError(t, err)
	each, end := &edits[0], &edits[1]
	before, err := os.ReadFile(filepath.Join(from, each.file))
	require.NoError(t, err)
	after, err := os.ReadFile(filepath.Join(prepared(t), "ebiten", each.file))
	require.NoError(t, err)

	names := regexp.MustCompile(each.old).FindAllStringSubmatch(string(before), -1)
	require.Greater(t, len(names), 60)
	text, found := strings.CutSuffix(string(after), end.new)
	require.True(t, found)
	for _, name := range names {
		text = strings.Replace(text, `bound(v, "`+name[1]+`")`, name[0], 1)
	}
	assert.Equal(t, string(before), text)
}

func TestAnEditOfNothingIsRefused(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.go"), []byte("package a\n"), 0o644))
	e := edit{file: "a.go", old: "b+"}
	assert.ErrorContains(t, e.apply(dir), "a.go has nothing like b+")
}

func TestPlace(t *testing.T) {
	root := t.TempDir()
	for dir, want := range map[string]string{
		filepath.Join(root, "build", "ebiten"):      "./build/ebiten",
		filepath.Join(filepath.Dir(root), "ebiten"): filepath.ToSlash(filepath.Join(filepath.Dir(root), "ebiten")),
	} {
		got, err := place(root, dir)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
}
