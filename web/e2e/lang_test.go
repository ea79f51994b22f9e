//go:build browser

package e2e

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
)

// goThrough is all of the page that a reader comes to, one after the other.
func (p *page) goThrough(scenarios []string) {
	p.Helper()
	for _, id := range scenarios {
		p.send("load", "{scenario: '"+id+"'}")
		p.at(3)
		p.send("select", "{strand: 0}")
		p.eval("strandscope.send('select', {thread: strandscope.state.selected.thread >= 0 ? strandscope.state.selected.thread : 0})")
		p.settle()
		p.eval("for (const o of document.getElementById('ask').options) strandscope.words.say(o.text)")
		for range 3 {
			p.send("stepDecision", "{}")
		}
		p.eval("if (document.getElementById('describe').getAttribute('aria-expanded') !== 'true') document.getElementById('describe').click()")
		p.settle()
	}
}

// missing are sentences that the language's catalogue lacks.
func (p *page) missing() []string {
	p.Helper()
	m := eval[[]string](p, "[...strandscope.words.missing]")
	slices.Sort(m)
	return m
}

// Whatever a reader comes to is said in the other language.
func TestEverySentenceIsSaidInGerman(t *testing.T) {
	p := open(t, look{noPlay: true, width: 1440, height: 900, path: "?lang=de"})
	var ids []string
	for i, s := range sim.Library() {
		if all || i%6 == 0 || s.ID == "linux22-ping-under-load" {
			ids = append(ids, s.ID)
		}
	}
	defer func() {
		if file := os.Getenv("E2E_MISSING"); file != "" { // what a translator has to do
			b, err := json.MarshalIndent(p.missing(), "", " ")
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(file, b, 0o644))
		}
	}()
	p.goThrough(ids)
	p.send("load", "{scenario: 't2000-unset'}")
	p.at(20)
	p.keep("german-dark")
	for _, button := range []string{"view-open", "view-close", "keys", "sheet-close", "share-open", "export-open", "export-close", "share-open", "share-close", "compare-open", "exercises-open", "exercises-close"} {
		p.eval("document.getElementById('" + button + "').click()")
	}
	for _, words := range eventWords {
		p.eval("strandscope.words.say(" + strconv.Quote(words) + ")")
	}
	for _, tool := range eval[[]string](p, "[...document.querySelectorAll('#tools [data-tool]')].map((b) => b.dataset.tool)") {
		p.eval("document.querySelector('#tools [data-tool=" + tool + "]').click()")
		p.until("strandscope.state.idle")
	}
	p.eval("document.querySelectorAll('dialog[open]').forEach((d) => d.close())")
	p.send("compare", "{settings: [{key: 'class', value: 'FSS'}]}")
	p.until("strandscope.settled && strandscope.state.compare?.level === true")
	p.keep("german-compare")
	p.send("load", "{scenario: 'linux22'}")
	p.send("runTo", "{to: 'migration'}")
	p.settle()
	p.choose("#lessons", "tip")
	p.until("strandscope.lessons.at?.id === 'tip' && strandscope.settled")
	assert.Equal(t, "Ein Server, der nicht voll wurde", eval[string](p, "document.getElementById('lesson-title').textContent"))
	p.eval("document.querySelector('#lesson-choices input').click(); document.getElementById('lesson-check').click(); document.getElementById('lesson-notes').click()")
	p.until("strandscope.settled && document.getElementById('lesson-because').checkVisibility()")
	p.keep("german-lesson")
	p.resize(390, 844)
	p.settle()
	p.keep("german-phone")
	assert.Empty(t, p.missing())
	assert.Empty(t, p.faults())
}
