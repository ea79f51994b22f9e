package lint

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/golden"
	"strandscope/sim/golden/all"
	"strandscope/sim/policy"
	"strandscope/sim/scenario"
)

const (
	root      = "../.."
	reference = root + "/../shared/reference"
)

// card is a page of docs/models.
type card struct {
	name, text       string
	kernels, classes []string
}

var (
	quoted   = regexp.MustCompile("`([^`\n]+)`")
	head     = regexp.MustCompile(`(?s)\nKernels?: (.*?)\.( Class(?:es)?: (.*?)\.)?\n\n`)
	link     = regexp.MustCompile(`\]\(([^)#:]*)(?:#([^)]*))?\)`)
	hyphened = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9.]+)+$`)
	inTree   = regexp.MustCompile(`^(cmd|docs|render|scripts|sim|web)(/|$)`)
	aTest    = regexp.MustCompile(`\b(?:Test|Fuzz|Benchmark)[A-Z0-9]\w*`)
	tests    = regexp.MustCompile("`([a-z0-9/]+)`((?:\\s+(?:Test|Fuzz|Benchmark)[A-Z0-9]\\w*)+)")
	command  = regexp.MustCompile(`(?m)^ {4}go run \./cmd/strandsim (\w+) (.*)$`)
)

func words(text string) (list []string) {
	for _, m := range quoted.FindAllStringSubmatch(text, -1) {
		list = append(list, m[1])
	}
	return list
}

// cards reads docs/models; README.md, which is no card, comes first.
func cards(t *testing.T) (list []card) {
	t.Helper()
	paths, err := filepath.Glob(root + "/docs/models/*.md")
	require.NoError(t, err)
	for _, p := range paths {
		text, err := os.ReadFile(p)
		require.NoError(t, err)
		c := card{name: filepath.Base(p), text: string(text)}
		if c.name == "README.md" {
			list = slices.Insert(list, 0, c)
			continue
		}
		m := head.FindStringSubmatch(c.text)
		require.NotNil(t, m, "%s: want a paragraph such as: Kernel: `solaris10`. Class: `TS`.", p)
		c.kernels, c.classes = words(m[1]), words(m[3])
		list = append(list, c)
	}
	require.NotEmpty(t, list)
	require.Equal(t, "README.md", list[0].name)
	return list
}

func TestEveryPolicyHasACard(t *testing.T) {
	list := cards(t)
	for _, c := range list[1:] {
		assert.Contains(t, list[0].text, "("+c.name+")", "README.md has no row for it")
		assert.LessOrEqual(t, strings.Count(c.text, "\n"), 70, "%s: lines of a card", c.name)
		for _, section := range []string{"What is exact", "What is simplified", "How it is checked", "Numbers", "Try it"} {
			assert.Contains(t, c.text, "\n## "+section+"\n", c.name)
		}
		var loaded []string
		for _, id := range c.kernels {
			k, err := policy.Find(id)
			require.NoError(t, err, c.name)
			loaded = append(loaded, values(k)...)
		}
		for _, class := range c.classes {
			if class != "SYS" { // no class for processes
				assert.Contains(t, loaded, class, c.name)
			}
		}
	}
	for _, k := range policy.Kernels {
		for _, class := range values(k) {
			assert.True(t, slices.ContainsFunc(list[1:], func(c card) bool {
				return slices.Contains(c.kernels, k.ID) && (len(c.classes) == 0 || slices.Contains(c.classes, class))
			}), "class %s of %s has no card in docs/models", class, k.ID)
		}
	}
}

func values(k policy.Kernel) (list []string) {
	for _, c := range k.Classes {
		list = append(list, c.Value)
	}
	return list
}

// A file, a test, a scenario or a kernel that a card names and that is not in the tree
// would be a claim that nobody can check.
func TestCardsNameWhatExists(t *testing.T) {
	known := map[string]map[string]bool{}
	for _, c := range cards(t) {
		for _, m := range link.FindAllStringSubmatch(c.text, -1) {
			target := filepath.Join(root, "docs/models", filepath.FromSlash(m[1]))
			if assert.FileExists(t, target, "%s: link %s", c.name, m[0]) && m[2] != "" {
				assert.Contains(t, anchors(t, target), m[2], "%s: heading of %s", c.name, m[1])
			}
		}
		for _, w := range words(c.text) {
			if inTree.MatchString(w) {
				_, err := os.Stat(filepath.Join(root, filepath.FromSlash(w)))
				require.NoError(t, err, "%s names it", c.name)
			}
			if _, err := policy.Find(w); hyphened.MatchString(w) && err != nil {
				assert.Contains(t, scenario.Library, w, "%s: no kernel and no scenario", c.name)
			}
		}
		named := 0
		for _, m := range tests.FindAllStringSubmatch(c.text, -1) {
			if known[m[1]] == nil {
				known[m[1]] = testsOf(t, m[1])
			}
			for _, name := range strings.Fields(m[2]) {
				named++
				assert.True(t, known[m[1]][name], "%s: there is no %s in %s", c.name, name, m[1])
			}
		}
		assert.Len(t, aTest.FindAllString(c.text, -1), named, "%s: each test follows its package", c.name)
		for _, m := range command.FindAllStringSubmatch(c.text, -1) {
			operands := map[string]int{"run": 1, "why": 1, "figure": 1, "sh": 1, "compare": 2}[m[1]]
			for _, operand := range strings.Fields(m[2])[:operands] {
				opens(t, c.name, operand)
			}
		}
	}
}

// anchors are the headings of a page, as links name them.
func anchors(t *testing.T, file string) (list []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if title, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && line[0] == '#' {
			title = regexp.MustCompile(`[^\w\- ]`).ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), "")
			list = append(list, strings.ReplaceAll(title, " ", "-"))
		}
	}
	return list
}

// opens checks that a scenario opens: a built-in one, or a document of the tree.
func opens(t *testing.T, where, operand string) {
	t.Helper()
	if !strings.HasSuffix(operand, ".json") {
		_, err := sim.Open(operand)
		require.NoError(t, err, where)
		return
	}
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(operand)))
	require.NoError(t, err, where)
	_, err = sim.OpenDocument(operand, text)
	require.NoError(t, err, where)
}

// count is what a row of a card says of recorded data.
type count struct{ runs, files, rows int }

// counted finds the cells of a line that name recorded files and count them.
func counted(line string) (patterns []string, n count, ok bool) {
	cells := strings.Split(line, "|")
	for i := range max(0, len(cells)-3) {
		patterns = slices.DeleteFunc(words(cells[i]), func(w string) bool {
			return !strings.Contains(w, "/golden") && !strings.Contains(w, "/tables/")
		})
		var numbers [3]int
		good := len(patterns) > 0
		for j := range numbers {
			var err error
			numbers[j], err = strconv.Atoi(strings.ReplaceAll(strings.TrimSpace(cells[i+1+j]), ",", ""))
			good = good && err == nil
		}
		if good {
			return patterns, count{numbers[0], numbers[1], numbers[2]}, true
		}
	}
	return nil, count{}, false
}

// recorded replays the data of a kernel: what verify prints, by file. nil: only a part
// of them is in the tree, and the rest is not here.
func recorded(t *testing.T, kernel string) map[string]int {
	t.Helper()
	dir := filepath.Join(reference, kernel)
	if _, err := os.Stat(dir); err != nil {
		if kernel == "linux26" || kernel == "linux6" {
			return nil
		}
		dir = filepath.Join(root, "sim/golden", kernel, "testdata")
	}
	rows := map[string]int{}
	_, failed, _, err := golden.Verify([]string{dir}, all.Formats, func(r golden.Result) {
		rel, err := filepath.Rel(dir, r.Path)
		require.NoError(t, err)
		rows[path.Join(kernel, strings.TrimSuffix(filepath.ToSlash(rel), ".gz"))] = r.Rows
	})
	require.NoError(t, err)
	require.Zero(t, failed, dir)
	return rows
}

func TestCardsCountWhatVerifyPrints(t *testing.T) {
	replayed := map[string]map[string]int{}
	list := cards(t)
	for _, c := range list[1:] {
		lines, runs := 0, 0
		for line := range strings.Lines(c.text) {
			patterns, want, ok := counted(line)
			if !ok {
				continue
			}
			lines++
			runs += want.runs
			kernel, _, _ := strings.Cut(patterns[0], "/")
			if _, ok := replayed[kernel]; !ok {
				replayed[kernel] = recorded(t, kernel)
			}
			if replayed[kernel] != nil {
				assert.Equal(t, want, sum(t, replayed[kernel], patterns), "%s: runs, files and rows of %v", c.name, patterns)
			}
		}
		assert.Positive(t, lines, "%s has no recorded data", c.name)
		row := regexp.MustCompile(`(?m)^\|[^|]*\(` + regexp.QuoteMeta(c.name) + `\) \|.*\| (\d+) \|$`).FindStringSubmatch(list[0].text)
		if assert.NotNil(t, row, "%s: its row of README.md", c.name) {
			assert.Equal(t, strconv.Itoa(runs), row[1], "%s: runs in README.md", c.name)
		}
	}
}

// sum counts the files that match. Each run has one summary, or is one file.
func sum(t *testing.T, rows map[string]int, patterns []string) (n count) {
	t.Helper()
	for file, r := range rows {
		if !slices.ContainsFunc(patterns, func(p string) bool {
			ok, err := path.Match(p, file)
			require.NoError(t, err)
			return ok
		}) {
			continue
		}
		n.files++
		n.rows += r
		if strings.HasSuffix(file, ".summary.json") || strings.HasSuffix(file, ".jsonl") && !strings.Contains(file, "/vectors/") {
			n.runs++
		}
	}
	return n
}
