package lint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// docs/cases.md says which tests have which case. A name that is not in the tree, or a
// case without one, would be a claim that nobody checks.
func TestEveryCaseNamesTestsThatExist(t *testing.T) {
	text, err := os.ReadFile("../../docs/cases.md")
	require.NoError(t, err)
	row := regexp.MustCompile(`(?m)^\| ([A-Z]+-\d+) \|[^|]*\| (.*) \|$`)
	part := regexp.MustCompile("^`([a-z0-9/]+)`((?: (?:Test|Benchmark)\\w+)+)$")
	rows := row.FindAllStringSubmatch(string(text), -1)
	assert.Len(t, rows, len(regexp.MustCompile(`(?m)^\| [A-Z]+-`).FindAllString(string(text), -1)), "rows that cannot be read")
	known := map[string]map[string]bool{}
	seen := map[string]bool{}
	for _, r := range rows {
		id := r[1]
		assert.False(t, seen[id], "%s is there twice", id)
		seen[id] = true
		for _, p := range strings.Split(r[2], "; ") {
			m := part.FindStringSubmatch(p)
			if !assert.NotNil(t, m, "%s: %q, want `package` and names of tests", id, p) {
				continue
			}
			if known[m[1]] == nil {
				known[m[1]] = testsOf(t, m[1])
			}
			for _, name := range strings.Fields(m[2]) {
				assert.True(t, known[m[1]][name], "%s: there is no %s in %s", id, name, m[1])
			}
		}
	}
	for group, least := range map[string]int{"S": 10, "L": 6, "A": 7, "V": 8, "E": 15, "X": 4} {
		n := 0
		for id := range seen {
			if strings.HasPrefix(id, group+"-") {
				n++
			}
		}
		assert.GreaterOrEqual(t, n, least, "cases of group %s", group)
	}
}

// testsOf are the tests and benchmarks of a package, whatever its build tags.
func testsOf(t *testing.T, dir string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../..", filepath.FromSlash(dir), "*_test.go"))
	require.NoError(t, err)
	names := map[string]bool{}
	for _, f := range files {
		file, err := parser.ParseFile(token.NewFileSet(), f, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
				names[fn.Name.Name] = true
			}
		}
	}
	return names
}
