package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	policyMeta = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'">` + "\n"
	indexText  = "<!doctype html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n" + policyMeta +
		`<link rel="icon" href="web/icon.svg">` + "\n" + `<link rel="stylesheet" href="web/style.css">` + "\n" +
		`<script src="web/tool.js" data-wasm="build/strandtool.wasm.gz" data-glue="wasm_exec.js" data-worker="web/toolworker.js" defer></script>` + "\n" +
		`<script src="web/app.js" defer></script>` + "\n</head>\n<body>\n" +
		`<iframe id="stage" data-src="web/stage.html" data-full="web/stagefull.html"></iframe> <a href="#stage">x</a>` + "\n</body>\n</html>\n"
	stageText = "<!doctype html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n" + policyMeta +
		`<script src="../wasm_exec.js" defer></script>` + "\n" +
		`<script src="stage.js" data-wasm="../build/strandscope.wasm.gz" defer></script>` + "\n</head>\n<body></body>\n</html>\n"
)

// project writes a small project and gives its folder; files replace or add.
func project(t *testing.T, files map[string]string) string {
	t.Helper()
	all := map[string]string{
		"index.html": indexText, "wasm_exec.js": "/* glue */\n", "build/strandscope.wasm": "\x00asm program",
		"build/strandfull.wasm": "\x00asm fuller one", "web/stagefull.html": strings.Replace(stageText, "strandscope.wasm", "strandfull.wasm", 1),
		"build/strandtool.wasm": "\x00asm second", "web/tool.js": "/* tool */\n", "web/toolworker.js": "/* its worker */\n",
		"web/stage.html": stageText, "web/stage.js": "/* stage */\n", "web/style.css": "b { color: red }\n", "web/icon.svg": "<svg/>",
		"web/app.js":     "fetch('web/lessons/index.json'); fetch(`web/lessons/${id}.md`);\n",
		"web/embed.js":   "// for others\n",
		"web/proto/x.go": "package proto\n", "web/proto/not-served.json": "{}",
		"web/lessons/index.json": "[]", "web/lessons/tip.md": "# Tip </script>\n",
		workerPath: workerLine + "\n", "web/site/offline.js": "/* register */\n", "web/site/offline.css": "#update {}\n",
	}
	for name, text := range files {
		all[name] = text
	}
	dir := t.TempDir()
	for name, text := range all {
		require.NoError(t, replace(filepath.Join(dir, name), []byte(text)))
	}
	for _, program := range programs {
		var gz bytes.Buffer
		z := gzip.NewWriter(&gz)
		_, err := z.Write([]byte(all[program.path]))
		require.NoError(t, err)
		require.NoError(t, z.Close())
		require.NoError(t, replace(filepath.Join(dir, program.path+".gz"), gz.Bytes()))
	}
	return dir
}

// made runs the command on a project and gives the folder it wrote.
func made(t *testing.T, dir string) string {
	t.Helper()
	out := filepath.Join(dir, "dist")
	require.NoError(t, run(dir, out, filepath.Join(dir, "build", "packed"), io.Discard))
	return out
}

// names are the files of a folder, packed ones left out.
func names(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	require.NoError(t, filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasSuffix(name, ".gz") && !strings.HasSuffix(name, ".br") {
			rel, _ := filepath.Rel(dir, name)
			all = append(all, filepath.ToSlash(rel))
		}
		return err
	}))
	return all
}

func text(t *testing.T, parts ...string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(parts...))
	require.NoError(t, err)
	require.Len(t, found, 1, "%v", parts)
	b, err := os.ReadFile(found[0])
	require.NoError(t, err)
	return string(b)
}

func TestEveryNameInTheSiteIsAFileOfIt(t *testing.T) {
	out := made(t, project(t, nil))
	index, stage, app := text(t, out, "index.html"), text(t, out, "web/stage.*.html"), text(t, out, "web/app.*.js")
	for _, name := range regexp.MustCompile(`(?:src|href|data-src|data-full|data-wasm|data-glue|data-worker)="([^"#]+)"`).FindAllStringSubmatch(index, -1) {
		assert.FileExists(t, filepath.Join(out, name[1]))
		assert.True(t, carriesHash(name[1]), name[1])
	}
	for _, name := range regexp.MustCompile(`(?:src|data-wasm)="([^"]+)"`).FindAllStringSubmatch(stage, -1) {
		assert.FileExists(t, filepath.Join(out, "web", name[1]))
		assert.True(t, carriesHash(name[1]), name[1])
	}
	json := regexp.MustCompile(`'(web/lessons/index\.[0-9a-f]{10}\.json)'`).FindStringSubmatch(app)
	require.NotNil(t, json, app)
	assert.FileExists(t, filepath.Join(out, json[1]))
	assert.Contains(t, app, "`web/lessons/${id}.md`", "what is put together while the page runs keeps its name")
	assert.FileExists(t, filepath.Join(out, "web/lessons/tip.md"))
	assert.FileExists(t, filepath.Join(out, "web/embed.js"), "others name it")
	assert.Contains(t, index, `href="#stage"`)
	assert.NoDirExists(t, filepath.Join(out, "web/proto"), "a folder of Go is not the page's")
	assert.Contains(t, stage, `data-plain="12"`)
	assert.Contains(t, text(t, out, "web/stagefull.*.html"), `data-plain="15"`)
	assert.Regexp(t, `data-wasm="build/strandtool\.[0-9a-f]{10}\.wasm" data-plain="11" data-gz="\d+" data-br="\d+" data-glue=`, index)
}

func TestTheSecondProgramIsKeptForNobodyWhoDoesNotAskForIt(t *testing.T) {
	out := made(t, project(t, nil))
	worker := text(t, out, "sw.js")
	assert.Regexp(t, `PROGRAM = 'build/strandscope\.`, worker)
	assert.Regexp(t, `FULL = 'build/strandfull\.`, worker)
	assert.Contains(t, worker, "'web/tool.")
	assert.NotContains(t, worker, "toolworker")
	assert.NotContains(t, worker, "strandtool")
	page := text(t, out, "strandscope.html")
	assert.NotContains(t, page, "strandtool.wasm", "one file can fetch nothing")
	assert.NotContains(t, page, "strandfull")
	assert.NotContains(t, page, "data-src", "its stage comes with it")
	assert.Contains(t, page, "<script>/* tool */\n</script>")
}

func TestTheReportTellsWhatEachProgramWeighs(t *testing.T) {
	dir := project(t, nil)
	var said strings.Builder
	require.NoError(t, run(dir, filepath.Join(dir, "dist"), filepath.Join(dir, "build", "packed"), &said))
	assert.Regexp(t, `(?m)^program +12 `, said.String())
	assert.Regexp(t, `(?m)^fuller program +15 `, said.String())
	assert.Regexp(t, `(?m)^tool +\d\d `, said.String())
}

// Scripts and other people's pages ask for the figure by its name; it asks for the
// stage by the name that is its own.
func TestTheEmbeddedFigureKeepsItsNameAndFindsTheStage(t *testing.T) {
	out := made(t, project(t, map[string]string{
		"web/embed.html": `<iframe id="stage" data-src="stage.html"></iframe>`,
		"web/embed.js":   "new URL('embed.html', home);\n",
		"web/share.js":   "new URL('web/embed.html', here());\n",
		"index.html":     strings.Replace(indexText, "</head>", `<script src="web/share.js" defer></script></head>`, 1),
	}))
	stage := regexp.MustCompile(`data-src="([^"]+)"`).FindStringSubmatch(text(t, out, "web/embed.html"))
	require.NotNil(t, stage)
	assert.True(t, carriesHash(stage[1]), stage[1])
	assert.FileExists(t, filepath.Join(out, "web", stage[1]))
	assert.Contains(t, text(t, out, "web/share.*.js"), "'web/embed.html'")
}

func TestEachFileStandsBesideItsPackedForms(t *testing.T) {
	out := made(t, project(t, nil))
	for _, name := range names(t, out) {
		want := text(t, out, name)
		z, err := gzip.NewReader(strings.NewReader(text(t, out, name+".gz")))
		require.NoError(t, err, name)
		got, err := io.ReadAll(z)
		require.NoError(t, err, name)
		assert.Equal(t, want, string(got), name)
		got, err = io.ReadAll(brotli.NewReader(strings.NewReader(text(t, out, name+".br"))))
		require.NoError(t, err, name)
		assert.Equal(t, want, string(got), name)
	}
}

func TestAChangeOfAFileChangesItsNameAndThoseThatNameIt(t *testing.T) {
	before := names(t, made(t, project(t, nil)))
	after := names(t, made(t, project(t, map[string]string{"web/stage.js": "/* another */\n"})))
	var gone []string
	for _, name := range before {
		if !strings.Contains(strings.Join(after, " "), name) {
			gone = append(gone, regexp.MustCompile(`\.[0-9a-f]{10}`).ReplaceAllString(name, ""))
		}
	}
	assert.ElementsMatch(t, []string{"web/stage.html", "web/stagefull.html", "web/stage.js"}, gone)
}

func TestTheWorkersVersionFollowsEveryFileAndThePageKnowsIt(t *testing.T) {
	version := func(files map[string]string) string {
		out := made(t, project(t, files))
		m := regexp.MustCompile(`VERSION = '([0-9a-f]{10})'`).FindStringSubmatch(text(t, out, "sw.js"))
		require.NotNil(t, m)
		assert.Contains(t, text(t, out, "index.html"), `data-version="`+m[1]+`"`)
		return m[1]
	}
	same := version(nil)
	assert.Equal(t, same, version(nil))
	for name, changed := range map[string]string{
		"web/lessons/tip.md": "# Another\n", "web/app.js": "// another\n",
		"index.html": strings.Replace(indexText, ">x<", ">y<", 1), workerPath: "// another\n" + workerLine,
	} {
		assert.NotEqual(t, same, version(map[string]string{name: changed}), name)
	}
}

func TestTheSingleFileNamesNoOtherAndItsPolicyNamesEachOfItsScripts(t *testing.T) {
	out := made(t, project(t, nil))
	page := text(t, out, "strandscope.html")
	assert.NotRegexp(t, `(?:src|href)="(?:\.\.|web|build|wasm)`, page)
	policies := regexp.MustCompile(`Content-Security-Policy" content="([^"]+)"`).FindAllStringSubmatch(page, -1)
	require.Len(t, policies, 1)
	assert.NotContains(t, policies[0][1], "unsafe-inline")
	assert.NotContains(t, policies[0][1], "'self'")
	for _, m := range regexp.MustCompile(`(?s)<(?:script|style)>(.*?)</(?:script|style)>`).FindAllStringSubmatch(page, -1) {
		assert.Contains(t, policies[0][1], digestOf(m[1]), m[1])
	}
	assert.Contains(t, policies[0][1], digestOf("/* stage */\n"), "and those of the frame")
	assert.Contains(t, page, `"web/lessons/tip.md":"# Tip \u003c/script\u003e\n"`, "data do not end their element")
	assert.NotContains(t, page, "/* register */", "no worker for a file")
}

func TestWhatCannotBeInOneFileIsSaid(t *testing.T) {
	for name, c := range map[string]struct{ file, text, want string }{
		"import":  {"web/app.js", "import {x} from './x.js';\n", "web/app.js imports or exports"},
		"ending":  {"web/app.js", "document.write('</script>');\n", "</script"},
		"picture": {"web/style.css", "b { background: url(x.png) }\n", "web/style.css names another file"},
		"missing": {"index.html", strings.Replace(indexText, "web/app.js", "web/none.js", 1), "web/none.js"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := project(t, map[string]string{c.file: c.text})
			assert.ErrorContains(t, run(dir, filepath.Join(dir, "dist"), filepath.Join(dir, "packed"), io.Discard), c.want)
		})
	}
}

func TestAFolderThatIsNotASiteIsNotReplaced(t *testing.T) {
	dir := project(t, nil)
	require.ErrorContains(t, run(dir, filepath.Join(dir, "web"), filepath.Join(dir, "packed"), io.Discard), "was not made by this command")
	assert.FileExists(t, filepath.Join(dir, "web/app.js"))
}

func TestAStalePackedProgramIsRefused(t *testing.T) {
	dir := project(t, nil)
	for _, program := range programs {
		was := []byte(text(t, dir, program.path))
		require.NoError(t, replace(filepath.Join(dir, program.path), []byte("\x00asm newer")))
		require.ErrorContains(t, run(dir, filepath.Join(dir, "dist"), filepath.Join(dir, "packed"), io.Discard), program.path+".gz does not hold")
		require.NoError(t, replace(filepath.Join(dir, program.path), was))
	}
}
