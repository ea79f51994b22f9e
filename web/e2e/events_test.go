//go:build browser

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// strandsim runs command lines as the page gives them, in a folder.
func strandsim(t *testing.T, dir string) func(line string) string {
	t.Helper()
	bin := t.TempDir()
	out, err := exec.Command("go", "build", "-o", bin, root+"/cmd/strandsim").CombinedOutput()
	require.NoError(t, err, "%s", out)
	return func(line string) string {
		t.Helper()
		cmd := exec.Command("sh", "-c", line)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
		out, err := cmd.Output()
		require.NoError(t, err, line)
		return string(out)
	}
}

// exporting opens the dialog by keyboard.
func (p *page) exporting() {
	p.Helper()
	p.eval("document.getElementById('share-open').click()")
	p.focus("#export-open")
	p.press(kb.Enter)
	p.until("document.getElementById('export').open")
}

func (p *page) ask(format string) {
	p.Helper()
	p.focus("#export [data-events=" + format + "]")
	p.press(kb.Enter)
}

func (p *page) said() string {
	p.Helper()
	return eval[string](p, "document.getElementById('export-said').textContent")
}

var eventFiles = map[string]string{"events": ".jsonl", "perfetto": ".perfetto.json", "ftrace": ".ftrace.txt"}

// eventWords are what the dialog says of such files, but for what a run alone brings.
var eventWords = []string{
	"Being fetched and written…", "Being written…", "Cancelled: no file was written.", "t2000-fss-5s.jsonl: 11839 bytes.",
	"The file is not saved: its run has another digest than the page’s (0123456789abcdef ≠ fedcba9876543210). Please report it with a link to this run.",
	"What writes events could not be started. Check the connection and try again.",
	"The program that writes events could not be fetched (Failed to fetch). Check the connection and try again.",
	`The program that writes events was not found (404 Not Found, http://host/build/strandtool.wasm.gz). "make wasm" builds it.`,
	"The program that writes events ended early: panic: out of memory.",
	"This page is one file, and cannot fetch the program that writes them.",
	"the file would have more than 256 MB, the most that the page writes; an earlier time gives a smaller one, and the command line has no limit",
}

// askedForTool lists what of the second program a host was asked for.
func askedForTool(h *host) (list []string) {
	for _, name := range h.requests() {
		if strings.Contains(name, "tool") && !regexp.MustCompile(`/web/tool\.[0-9a-f]+\.js$`).MatchString(name) {
			list = append(list, filepath.Base(name))
		}
	}
	return list
}

func TestEventsAreWrittenByKeyboardAsTheCommandLineDoesAndNothingIsFetchedBefore(t *testing.T) {
	h := dumb(t, dist(t))
	p := visit(t, h, look{noPlay: true})
	p.kept()
	p.send("load", "{scenario: 't2000-fss'}")
	p.at(5)
	file := p.downloads()
	p.exporting()
	require.Empty(t, askedForTool(h), "nobody asked for it yet")
	line := eval[string](p, "document.getElementById('export-line').textContent")
	assert.Contains(t, line, "-for 5s -o events t2000-fss")
	native := strandsim(t, t.TempDir())
	for _, format := range []string{"events", "perfetto", "ftrace"} {
		p.ask(format)
		got := file("t2000-fss-5s" + eventFiles[format])
		want := native(strings.Replace(line, "-o events", "-o "+format, 1))
		assert.Greater(t, len(want), 10_000)
		assert.True(t, want == string(got), "%s: %d bytes from the page, %d from the command line", format, len(got), len(want))
		assert.Equal(t, "export", eval[string](p, "document.activeElement.closest('dialog').id"), "focus stays")
	}
	p.until("document.getElementById('export-bar').hidden && document.getElementById('export-cancel').hidden")
	p.keep("export-events")
	var programs []string
	for _, name := range askedForTool(h) {
		if strings.Contains(name, "wasm") {
			programs = append(programs, name)
		}
	}
	require.Len(t, programs, 1, "it is compiled once")
	assert.Regexp(t, `^strandtool\.[0-9a-f]{10}\.wasm\.(gz|br)$`, programs[0])
	assert.Empty(t, p.faults())

	h.Close()
	p.ask("events")
	p.until("document.getElementById('export-said').textContent.startsWith('What writes events could not be started')")
	assert.Contains(t, p.said(), "Check the connection and try again.")
}

func TestEventsOfADocumentWithChangesAreWrittenToo(t *testing.T) {
	const document = `{"machine": "t5240", "tasks": {"hog": {"instance": 200, "run": 1000000}}, /* one's own */}`
	p := open(t, look{noPlay: true})
	eval[int](p, "strandscope.loadText('mine.json', "+"`"+document+"`)")
	p.until("strandscope.settled && strandscope.state.scenario.title === 'mine.json'")
	p.send("set", "{key: 'class', value: 'FX'}")
	p.at(2)
	p.send("type", "{line: 'psradm -f 3'}")
	p.at(4)
	file := p.downloads()
	p.exporting()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "FILE.json"), []byte(document), 0o644))
	line := eval[string](p, "document.getElementById('export-line').textContent")
	assert.Contains(t, line, "psradm -f 3")
	p.ask("events")
	got := file("mine-json-4s.jsonl")
	want := strandsim(t, dir)(line)
	assert.True(t, want == string(got), "%d bytes from the page, %d from the command line", len(got), len(want))
	assert.Empty(t, p.faults())
}

func TestAFileOfEventsCanBeCancelledAndADigestThatDiffersIsTold(t *testing.T) {
	p := open(t, look{noPlay: true})
	p.send("load", "{scenario: 'linux22-250-hogs'}")
	p.at(7200)
	p.exporting()
	p.ask("perfetto")
	p.until("document.getElementById('export-bar').max > 1e10 && document.getElementById('export-bar').value > 1e10")
	assert.Equal(t, "Being written…", p.said())
	p.keep("export-writing")
	p.focus("#export-cancel")
	p.press(kb.Enter)
	p.until("document.getElementById('export-said').textContent === 'Cancelled: no file was written.'")
	assert.Equal(t, "perfetto", eval[string](p, "document.activeElement.dataset.events"), "focus is where it came from")
	assert.False(t, eval[bool](p, "document.getElementById('export-bar').checkVisibility()"))

	p.eval("strandscope.tool.write = async () => ({ parts: [], digest: '0123456789abcdef' })")
	p.ask("events")
	p.until("document.getElementById('export-said').textContent.startsWith('The file is not saved')")
	assert.Contains(t, p.said(), "another digest than the page’s (0123456789abcdef ≠ "+eval[string](p, "strandscope.state.digest")+").")
	assert.Empty(t, p.faults())
}
