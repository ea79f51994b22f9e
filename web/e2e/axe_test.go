//go:build browser

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// axe is the source of axe-core, which the page then has in every frame.
func axe(t *testing.T) string {
	t.Helper()
	cmd := exec.Command("sh", filepath.Join(root, "scripts", "axe.sh"))
	var stderr strings.Builder
	cmd.Stderr = &stderr
	path, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	source, err := os.ReadFile(strings.TrimSpace(string(path)))
	require.NoError(t, err)
	return string(source)
}

// finding is a rule that the page breaks.
type finding struct {
	ID, Impact, Help string
	Nodes            []string
}

func (f finding) String() string {
	return fmt.Sprintf("%s (%s): %s\n\t%s", f.ID, f.Impact, f.Help, strings.Join(f.Nodes, "\n\t"))
}

// audit runs all rules of axe-core, none switched off, in the page and its frame.
// What is serious or critical fails the test; the rest is logged.
func (p *page) audit(state string) {
	p.Helper()
	for _, f := range p.findings() {
		if len(serious([]finding{f})) > 0 {
			assert.Fail(p, state+": "+f.String())
		} else {
			p.Logf("%s: %v", state, f)
		}
	}
}

func (p *page) findings() []finding {
	p.Helper()
	return eval[[]finding](p, `axe.run(document, {resultTypes: ['violations']}).then((r) => r.violations.map((v) => ({
		ID: v.id, Impact: v.impact, Help: v.help,
		Nodes: v.nodes.slice(0, 6).map((n) => n.target.join(' ') + ' ' + (n.any[0]?.message ?? n.all[0]?.message ?? n.none[0]?.message ?? '')) })))`)
}

func serious(found []finding) (ids []string) {
	for _, f := range found {
		if f.Impact == "serious" || f.Impact == "critical" {
			ids = append(ids, f.ID)
		}
	}
	return ids
}

func TestAnAuditFindsNothingSerious(t *testing.T) {
	source := axe(t)
	p := open(t, look{noPlay: true, width: 1440, height: 900, before: source})
	p.at(31)
	// It has to find what is wrong: a button that says nothing.
	p.eval("document.getElementById('range').append(document.createElement('button'))")
	require.Equal(t, []string{"button-name"}, serious(p.findings()))
	p.eval("document.querySelector('#range > button:last-child').remove()")
	for _, theme := range []string{"dark", "light", "projector"} {
		p.theme(theme)
		p.audit(theme + ", paused")
	}
	p.eval("document.getElementById('view-open').click()")
	p.audit("menu of the view")
	p.keep("view-menu")
	p.eval("document.getElementById('view-close').click(); document.getElementById('describe').click()")
	p.audit("words of each panel")
	p.eval("document.getElementById('keys').click()")
	p.audit("shortcuts")
	p.keep("shortcuts")
	p.eval("document.getElementById('sheet').close(); document.getElementById('export-open').click()")
	p.eval("document.getElementById('export-bar').hidden = document.getElementById('export-cancel').hidden = false")
	p.audit("export, a file being written")
	p.eval("document.getElementById('export').close()")
	p.send("load", "{scenario: 't2000'}")
	p.eval("document.querySelector('#tools [data-tool=console]').click()")
	p.send("type", "{line: 'help'}")
	p.audit("console")
	p.send("load", "{scenario: 'fss-1-3'}")
	p.send("select", "{strand: 3}")
	p.audit("shares, a question, an answer")
	p.theme("dark")
	p.resize(390, 844)
	p.eval("document.getElementById('settings').open = document.getElementById('questions').open = true")
	p.settle()
	p.audit("phone")
	p.send("play", "{}")
	p.audit("phone, playing")
	assert.Empty(t, p.faults())
}

func TestAnAuditFindsNothingSeriousWithoutWebGL(t *testing.T) {
	p := open(t, look{noPlay: true, before: "HTMLCanvasElement.prototype.getContext = () => null;" + axe(t)})
	p.at(31)
	require.False(t, eval[bool](p, "strandscope.state.picture"))
	for _, theme := range []string{"dark", "light", "projector"} {
		p.theme(theme)
		p.audit(theme + ", no WebGL")
	}
	p.keep("no-webgl-projector")
}
