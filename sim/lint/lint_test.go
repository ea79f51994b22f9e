// Package lint holds the tests that keep the simulation deterministic and its
// imports pointing down. It reads the source, so it has no code of its own.
package lint

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "strandscope/"

// pkg is a package's files, without its tests, and what the compiler knows.
type pkg struct {
	path  string
	files []*ast.File
	info  *types.Info
}

// loader checks packages from source, each once.
type loader struct {
	root string
	fset *token.FileSet
	std  types.Importer
	done map[string]*types.Package
	pkgs map[string]*pkg
	list []*pkg // those below sim, in order
}

func newLoader(root string) *loader {
	fset := token.NewFileSet()
	return &loader{
		root: root, fset: fset, std: importer.ForCompiler(fset, "source", nil),
		done: map[string]*types.Package{}, pkgs: map[string]*pkg{},
	}
}

// Import implements types.Importer. What is neither ours nor the standard
// library's is taken as empty: types of ours never depend on it here.
func (l *loader) Import(name string) (*types.Package, error) {
	if p, ok := l.done[name]; ok {
		return p, nil
	}
	var p *types.Package
	var err error
	switch {
	case strings.HasPrefix(name, module):
		return l.load(name)
	case strings.Contains(strings.Split(name, "/")[0], "."):
		p = types.NewPackage(name, path.Base(name))
		p.MarkComplete()
	default:
		p, err = l.std.Import(name)
	}
	l.done[name] = p
	return p, err
}

func (l *loader) load(name string) (*types.Package, error) {
	dir := filepath.Join(l.root, strings.TrimPrefix(name, module))
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	x := &pkg{path: name, info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(l.fset, filepath.Join(dir, e.Name()), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		x.files = append(x.files, f)
	}
	conf := types.Config{Importer: l, Error: func(error) {}} // other people's packages are empty
	p, _ := conf.Check(name, l.fset, x.files, x.info)
	l.done[name], l.pkgs[name] = p, x
	return p, nil
}

// all loads every package below sim.
func (l *loader) all() error {
	var names []string
	err := filepath.WalkDir(filepath.Join(l.root, "sim"), func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if d.Name() == "testdata" {
			return filepath.SkipDir
		}
		files, err := filepath.Glob(filepath.Join(p, "*.go"))
		for _, f := range files {
			if !strings.HasSuffix(f, "_test.go") {
				rel, err := filepath.Rel(l.root, p)
				names = append(names, module+filepath.ToSlash(rel))
				return err
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, n := range names {
		if _, err := l.Import(n); err != nil {
			return err
		}
		l.list = append(l.list, l.pkgs[n])
	}
	return nil
}

// wallClock and chance are what a simulation must not ask.
var wallClock = map[string]bool{
	"Now": true, "Since": true, "Until": true, "Sleep": true, "After": true, "AfterFunc": true, "Tick": true,
	"NewTimer": true, "NewTicker": true,
}

// whole names the packages whose figures are whole numbers, as in kernels: the
// model itself, not what reads it.
var whole = []string{"clock", "machine", "sched", "engine", "policy", "workload", "trace", "check"}

func isWhole(name string) bool {
	for _, w := range whole {
		if name == module+"sim/"+w || strings.HasPrefix(name, module+"sim/"+w+"/") {
			return true
		}
	}
	return false
}

// simulates reports whether what a package does belongs to a run. Comparing a run
// with recorded files does not.
func simulates(name string) bool { return !strings.HasPrefix(name, module+"sim/golden") }

// faults lists what a package must not do, with its place.
func (l *loader) faults(p *pkg) []string {
	var list []string
	add := func(n ast.Node, format string, args ...any) {
		at := l.fset.Position(n.Pos())
		list = append(list, fmt.Sprintf("%s:%d: %s", filepath.Base(at.Filename), at.Line, fmt.Sprintf(format, args...)))
	}
	for _, f := range p.files {
		for _, imp := range f.Imports {
			name := strings.Trim(imp.Path.Value, `"`)
			if name == "math/rand" || name == "math/rand/v2" || name == "crypto/rand" {
				add(imp, "imports %s; random numbers come from clock.Rand", name)
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				add(n, "starts a goroutine")
			case *ast.SelectStmt:
				add(n, "selects among channels, which is decided by chance")
			case *ast.RangeStmt:
				if t := p.info.TypeOf(n.X); t != nil && simulates(p.path) {
					if _, ok := t.Underlying().(*types.Map); ok {
						add(n, "ranges over a map, whose order is chance")
					}
				}
			case *ast.SelectorExpr:
				if o, ok := p.info.Uses[n.Sel].(*types.Func); ok && o.Pkg() != nil && o.Pkg().Path() == "time" && wallClock[o.Name()] {
					add(n, "asks the wall clock by time.%s", o.Name())
				}
			case ast.Expr:
				if !isWhole(p.path) {
					break
				}
				if t, ok := p.info.Types[n]; ok && t.Type != nil {
					if b, ok := t.Type.Underlying().(*types.Basic); ok && b.Info()&(types.IsFloat|types.IsComplex) != 0 && b.Kind() != types.UntypedFloat {
						add(n, "uses the floating-point type %s", t.Type)
					}
				}
			}
			return true
		})
	}
	sort.Strings(list)
	return list
}

// layers says what each package below sim may import of ours, at most (STYLE
// §2: imports point down). A name that ends in a slash stands for what is below.
var layers = map[string]string{
	"clock":    "",
	"machine":  "",
	"workload": "clock",
	"sched":    "clock machine",
	"trace":    "clock sched jsonc",
	"check":    "clock sched trace",
	"order":    "",
	"stats":    "clock sched trace machine order",
	"engine":   "clock machine sched trace workload",
	"joblist":  "clock workload",
	"jsonc":    "",
	"scenario": "clock machine sched workload joblist jsonc order",
	"policy":   "joblist clock machine sched trace workload engine scenario stats policy/ console console/",
	"policy/":  "clock machine sched policy/textbook policy/linux26",

	"policy/linuxfair":  "",
	"policy/linuxcfs6":  "policy/linuxfair",
	"policy/linuxeevdf": "policy/linuxfair",
	"policy/linux6":     "clock machine sched policy/linuxfair policy/linuxcfs6 policy/linuxeevdf",

	"golden":   "",
	"golden/":  "clock machine sched trace workload engine check stats policy/ golden golden/",
	"console":  "clock machine sched trace workload stats order",
	"console/": "clock machine sched trace workload stats console order",

	"console/solaris":  "clock machine sched trace workload stats console console/solaris/ order",
	"console/solaris/": "clock workload",

	"": "order joblist clock machine sched trace workload engine scenario stats check policy policy/ console document checkpoint compare",

	// What recordings need and the page's program does without. sim stands for package sim.
	"record":   "jsonc",
	"recorded": "sim record policy sched stats trace clock machine compare console",
	"derive":   "sim record recorded jsonc clock trace compare stats policy/linuxfair policy/linuxcfs6 policy/linuxeevdf",

	"compare":    "clock",
	"checkpoint": "", // it copies whatever it is given and knows none of it
}

// rule finds the layer of a package, by its name below sim.
func rule(name string) (string, bool) {
	if r, ok := layers[name]; ok {
		return r, true
	}
	for n := name; strings.Contains(n, "/"); {
		n = n[:strings.LastIndexByte(n, '/')]
		if r, ok := layers[n+"/"]; ok {
			return r, true
		}
	}
	return "", false
}

// forbidden reports why a package may not import another; "" if it may.
func forbidden(from, to string) string {
	for _, bad := range []string{"syscall/js", "unsafe", "net", "net/http", "os/exec"} {
		// Unexported fields cannot be copied otherwise; nobody else may.
		copies := bad == "unsafe" && from == module+"sim/checkpoint"
		if to == bad && !copies {
			return "the simulation does without " + bad
		}
	}
	if strings.HasPrefix(to, "github.com/hajimehoshi/") {
		return "the simulation draws nothing"
	}
	if !strings.HasPrefix(to, module) {
		return ""
	}
	below, ok := strings.CutPrefix(to+"/", module+"sim/")
	if !ok {
		return "imports point down: web → render → sim"
	}
	if below = strings.TrimSuffix(below, "/"); below == "" {
		below = "sim"
	}
	name := strings.TrimPrefix(strings.TrimPrefix(from, module+"sim"), "/")
	allowed, ok := rule(name)
	if !ok {
		return fmt.Sprintf("package %q has no place in the layers of this test yet", name)
	}
	for _, a := range strings.Fields(allowed) {
		if below == a || strings.HasSuffix(a, "/") && strings.HasPrefix(below, a) {
			return ""
		}
	}
	return fmt.Sprintf("%q may import of ours only: %s", name, allowed)
}

// source loads the packages of this repository, once.
var source = sync.OnceValues(func() (*loader, error) {
	l := newLoader("../..")
	return l, l.all()
})

func TestTheSimulationIsDeterministicAndItsModelCountsInWholeNumbers(t *testing.T) {
	l, err := source()
	require.NoError(t, err)
	require.Greater(t, len(l.list), 10)
	for _, p := range l.list {
		assert.Empty(t, l.faults(p), p.path)
	}
}

func TestImportsPointDown(t *testing.T) {
	l, err := source()
	require.NoError(t, err)
	for _, p := range l.list {
		for _, f := range p.files {
			for _, imp := range f.Imports {
				to := strings.Trim(imp.Path.Value, `"`)
				assert.Empty(t, forbidden(p.path, to), "%s imports %s", p.path, to)
			}
		}
	}
}

// The tests above must be able to fail.
func TestTheLintFindsWhatItLooksFor(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "sim", "engine")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "bad.go"), []byte(`package engine

import (
	"math/rand"
	"time"
)

type table map[int]float32

func bad(t table, c chan int) (n int) {
	for range t {
	}
	for range map[string]bool{} {
	}
	for _, x := range []int{1} {
		n += x
	}
	go bad(t, c)
	select {
	case <-c:
	default:
	}
	time.Sleep(time.Second)
	f := time.Now
	_ = f
	var d time.Duration
	n += int(float64(d) * 1.5)
	const half = 0.5
	return n + rand.Int()
}
`), 0o644))
	l := newLoader(root)
	require.NoError(t, l.all())
	require.Len(t, l.list, 1)
	var found []string
	for _, f := range l.faults(l.list[0]) {
		found = append(found, strings.TrimPrefix(f, "bad.go:"))
	}
	for _, want := range []string{
		"4: imports math/rand; random numbers come from clock.Rand",
		"8: uses the floating-point type float32",
		"11: ranges over a map, whose order is chance",
		"13: ranges over a map, whose order is chance",
		"18: starts a goroutine",
		"19: selects among channels, which is decided by chance",
		"23: asks the wall clock by time.Sleep",
		"24: asks the wall clock by time.Now",
		"27: uses the floating-point type float64",
	} {
		assert.Contains(t, found, want)
	}
	for _, line := range found {
		assert.NotRegexp(t, `^(15|26):`, line, "lists and durations are fine")
	}

	for _, c := range []struct{ from, to string }{
		{"sim/clock", module + "sim/machine"},
		{"sim/sched", module + "sim/trace"},
		{"sim/engine", module + "sim/policy"},
		{"sim/policy/solaris", module + "sim/engine"},
		{"sim/policy/solaris/deep", module + "sim/engine"},
		{"sim/scenario", module + "sim/engine"},
		{"sim/stats", module + "sim"},
		{"sim/engine", module + "render/geom"},
		{"sim", module + "web/proto"},
		{"sim", module + "cmd/strandsim"},
		{"sim", "syscall/js"},
		{"sim/novel", module + "sim/clock"},
		{"sim/stats", "github.com/hajimehoshi/ebiten/v2"},
	} {
		assert.NotEmpty(t, forbidden(module+c.from, c.to), "%s imports %s", c.from, c.to)
	}
	assert.Empty(t, forbidden(module+"sim/policy", module+"sim/policy/solaris"))
	assert.Empty(t, forbidden(module+"sim/engine", module+"sim/clock"))
	assert.Empty(t, forbidden(module+"sim/engine", "fmt"))
	assert.Empty(t, forbidden(module+"sim/checkpoint", "unsafe"))
	assert.NotEmpty(t, forbidden(module+"sim", "unsafe"), "and nobody else")
}
