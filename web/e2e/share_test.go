//go:build browser

package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/scenario"
)

// link is the text behind the # of the page's present state.
func (p *page) link() string {
	p.Helper()
	return eval[string](p, "strandscope.address.encode(strandscope.address.take(strandscope.state))")
}

// visit opens a link as one does who has never been here.
func (p *page) visit(hash string) {
	p.Helper()
	p.eval("localStorage.clear(); sessionStorage.clear()")
	p.do(chromedp.Navigate("about:blank"), chromedp.Navigate(site.URL+"/#"+hash))
	p.until("strandscope.settled && !strandscope.address.opening")
}

// whole is what a link has to bring back.
type whole struct {
	Digest, NowNs, Class, Settings, Range string
	Panels                                []string
	Speed                                 int
}

func (p *page) whole() (w whole) {
	p.Helper()
	text := eval[string](p, `JSON.stringify((({digest, nowNs, scenario, settings, speed, range, panels, selected}) => ({digest, nowNs, speed,
		class: scenario.id + ' ' + scenario.class + ' ' + scenario.explanation, range: range.text + ' ' + range.plotsLastNs + ' ' + selected.strand + ' ' + selected.thread,
		settings: JSON.stringify([...settings, ...strandscope.typed(strandscope.state)]),
		panels: panels.list.filter((q) => q.shown).map((q) => q.id)}))(strandscope.state))`)
	require.NoError(p, json.Unmarshal([]byte(text), &w))
	return w
}

func TestTheLinkOfEveryScenarioWithTwentyChangesIsShortAndReopensToTheSameDigest(t *testing.T) {
	small := look{noPlay: true, width: 900, height: 500}
	p, q := open(t, small), open(t, small)
	longest := 0
	for i, id := range scenario.Library {
		if i%2 != 0 && !all { // each takes seconds
			continue
		}
		eval[int](p, fmt.Sprintf("strandscope.send('load', {scenario: %q})", id))
		p.send("pause", "{}")
		// The class, and nineteen lines typed, each at its own time.
		p.eval(`{ const c = strandscope.state.choices.classes; if (c.length > 1) strandscope.send('set', {key: 'class', value: c[1].value}); }
			for (let i = 0; i < 20; i++) strandscope.send('set', {key: 'type@' + (137000001 * i + i * i) + 'ns', value: 'renice ' + (1 + i % 19) + ' -p ' + (100 + 7 * i)});`)
		p.send("seek", "{atNs: '3000000000'}")
		hash := p.link()
		n := len(site.URL) + len("/#") + len(hash)
		longest = max(longest, n)
		assert.LessOrEqual(t, n, 2000, id)
		want := p.whole()
		require.Equal(t, "3000000000", want.NowNs, id)
		require.GreaterOrEqual(t, strings.Count(want.Settings, `"key"`), 20, id)
		// In a page that begins with it, which takes seconds, or else one that is open.
		if i%8 == 0 || all {
			q.visit(hash)
		} else {
			q.eval("location.hash = " + quoted("#"+hash))
			q.until("!strandscope.address.opening && strandscope.settled && strandscope.state.scenario.id === " + quoted(id))
		}
		assert.Equal(t, want, q.whole(), id)
		assert.Empty(t, q.linked(), id)
	}
	t.Logf("of %d scenarios, the longest link has %d characters", len(scenario.Library), longest)
	assert.Empty(t, q.faults())
}

// linked is what the page says about the link that it opened.
func (p *page) linked() string {
	p.Helper()
	return eval[string](p, "document.getElementById('linked').hidden ? '' : document.getElementById('linked-text').textContent")
}

func TestTenChangesMadeByHandComeBackInAFreshProfile(t *testing.T) {
	p := open(t, look{noPlay: true})
	p.choose("#scenario", "t2000-fss")
	p.send("speed", "{permille: 25000}")
	p.at(2)
	for _, line := range []string{"psradm -f 3", "renice 5 -p 1210", "psradm -f 9"} {
		p.send("do", fmt.Sprintf("{line: %q}", line))
	}
	p.at(4)
	p.send("type", "{line: 'vmstat 1 3'}")
	p.at(9)
	p.send("zoom", "{fromNs: '1000000000', toNs: '2500000000'}")
	p.send("plots", "{lastNs: '60000000000'}")
	p.choose("#theme", "light")
	p.eval("document.getElementById('view-open').click()")
	p.until("!document.getElementById('view').hidden")
	p.eval("document.querySelector('[data-panel=rqlen] input').click(); document.getElementById('cores').click()")
	p.settle()
	p.send("select", "{strand: 14}")
	want := p.whole()
	p.eval("document.getElementById('view-close').click(); document.getElementById('share-open').click()")
	p.until("document.getElementById('share').open && document.getElementById('share-link').value !== ''")
	p.keep("share")
	link := eval[string](p, "document.getElementById('share-link').value")
	require.True(t, strings.HasPrefix(link, site.URL+"/#1z"), link)
	assert.Regexp(t, `^[\w-]+$`, link[len(site.URL)+2:], "mail and Markdown leave it whole")
	code := eval[string](p, "document.getElementById('share-embed').value")
	assert.Contains(t, code, ` loading="lazy" `)
	assert.Contains(t, code, ` title="Strandscope: `+eval[string](p, "strandscope.state.scenario.title")+`"`)

	q := open(t, look{noPlay: true, path: link[len(site.URL)+1:]})
	q.until("!strandscope.address.opening && strandscope.settled && strandscope.state.selected.strand === 14")
	assert.Equal(t, want, q.whole())
	assert.Equal(t, "light", eval[string](q, "document.documentElement.dataset.theme"))
	assert.True(t, eval[bool](q, "document.getElementById('cores').checked"))
	assert.Empty(t, q.linked())
	assert.Empty(t, eval[[]string](q, "Object.keys(localStorage).filter((k) => k.startsWith('strandscope.'))"), "a link changes nothing of the reader's own")

	// The embed code is a figure of the same state.
	src := eval[string](p, "new DOMParser().parseFromString(document.getElementById('share-embed').value, 'text/html').querySelector('iframe').src")
	q.do(chromedp.Navigate(src))
	q.until("strandscope.settled && !strandscope.address.opening && strandscope.state.nowNs === '9000000000'")
	assert.Equal(t, want.Digest, eval[string](q, "strandscope.state.digest"))
	assert.Empty(t, q.faults())
}

func TestALinkToAMomentShowsItInTheMiddle(t *testing.T) {
	p := open(t, look{noPlay: true})
	p.at(20)
	p.send("point", "{strand: 5, atNs: '12500000000'}")
	p.eval("document.getElementById('share-open').click()")
	p.until("document.getElementById('share').open && !document.getElementById('copy-moment').hidden && document.getElementById('share-link').value !== ''")
	p.eval("document.getElementById('copy-moment').click()")
	p.until("document.getElementById('share-said').textContent !== ''")
	link := eval[string](p, "document.getElementById('share-link').value")
	q := open(t, look{noPlay: true, path: link[len(site.URL)+1:]})
	at := eval[int64](p, "Number(strandscope.state.why.atNs)")
	require.InDelta(t, 12.5e9, float64(at), 2e8, "the slice that the cursor is in began a little before")
	q.until(fmt.Sprintf("!strandscope.address.opening && strandscope.settled && strandscope.state.why.atNs === '%d'", at))
	assert.Equal(t, 5, eval[int](q, "strandscope.state.why.strand"))
	assert.Equal(t, []int64{at - 5e9, at + 5e9}, eval[[]int64](q, "[Number(strandscope.state.range.fromNs), Number(strandscope.state.range.toNs)]"), "V-6")
}

func TestADamagedLinkIsSaidInASentenceAndTheFirstSceneShows(t *testing.T) {
	p := open(t, look{noPlay: true, width: 900, height: 500})
	p.send("load", "{scenario: 't2000-fss'}")
	p.at(5)
	hash := p.link()
	other := eval[string](p, "strandscope.address.encode({...strandscope.address.take(strandscope.state), g: '0123456789abcdef'})")
	more := eval[string](p, "strandscope.address.encode({...strandscope.address.take(strandscope.state), zebra: {v: 1}})")
	gone := eval[string](p, "strandscope.address.encode({s: 'nosuch', t: 5})")
	odd := eval[string](p, "strandscope.address.encode({s: 't2000', t: -5})")
	refused := eval[string](p, "strandscope.address.encode({s: 't2000-fss', c: [['class', 'XX']]})")
	for _, tt := range []struct{ hash, says, scenario string }{
		{hash[:len(hash)-9], "was cut off or changed on its way", "t2000-unset"},
		{strings.ToLower(hash), "was cut off or changed on its way", "t2000-unset"},
		{"1", "was cut off or changed on its way", "t2000-unset"},
		{"2" + hash[1:], "is of version 2, and this page reads version 1", "t2000-unset"},
		{odd, "its field t is -5, want a whole number from 0 to", "t2000-unset"},
		{gone, "“nosuch”, which this page does not have", "t2000-unset"},
		{refused, "changes “class” to “XX”, which this page refuses", "t2000-fss"},
		{other, "its digest is 0123456789abcdef, here it is", "t2000-fss"},
		{more, "also holds “zebra”, which this page does not know", "t2000-fss"},
	} {
		p.visit(tt.hash)
		p.until("!document.getElementById('linked').hidden")
		said := p.linked()
		assert.Contains(t, said, tt.says)
		assert.Equal(t, 1, strings.Count(said, ". ")+1-strings.Count(said, "This is the first scene"), said)
		assert.Equal(t, tt.scenario, eval[string](p, "strandscope.state.scenario.id"), said)
	}
	p.eval("document.getElementById('linked-close').click()")
	assert.Empty(t, p.linked())
	assert.Empty(t, p.faults())
}

func TestBackAndForwardGoThroughWhatWasShown(t *testing.T) {
	p := open(t, look{noPlay: true})
	p.at(7)
	first := p.whole()
	p.choose("#scenario", "t2000-fss")
	p.at(3)
	second := p.whole()
	p.until("location.hash.length > 20 && history.length === 3") // about:blank before
	p.send("set", "{key: 'class', value: 'TS'}")
	p.at(1)
	third := p.whole()
	p.until("history.length === 4 && strandscope.share.kept")
	shows := func(w whole) {
		t.Helper()
		p.until(fmt.Sprintf("strandscope.settled && !strandscope.address.opening && strandscope.state.digest === %q", w.Digest))
		assert.Equal(t, w, p.whole())
	}
	p.eval("history.back()")
	shows(second)
	p.eval("history.back()")
	shows(first)
	p.eval("history.forward()")
	shows(second)
	p.eval("history.forward()")
	shows(third)
	p.do(chromedp.Reload())
	p.settle()
	shows(third)
	assert.Empty(t, p.faults())
}

func TestADocumentOfOnesOwnIsInTheLinkOrElseInAFile(t *testing.T) {
	p := open(t, look{noPlay: true})
	text, err := json.Marshal(`{"title": "mine é", "machine": "t5240", "tasks": {"hog": {"instance": 40, "run": 1000}}}`)
	require.NoError(t, err)
	eval[int](p, fmt.Sprintf("strandscope.loadText('own.json', %s)", text))
	p.settle()
	require.Empty(t, eval[string](p, "strandscope.state.error"))
	p.at(2)
	p.until("strandscope.state.scenario.title === 'mine é'")
	want := p.whole()
	q := open(t, look{noPlay: true})
	q.visit(p.link())
	assert.Equal(t, want, q.whole())
	assert.Equal(t, "mine é", eval[string](q, "strandscope.state.scenario.title"))
	assert.Empty(t, q.linked())

	p.eval(`let noise = ''; for (let i = 0; i < 3000; i++) noise += Math.random().toString(36).slice(2); strandscope.wanted.text.text += '\n// ' + noise`)
	p.eval("document.getElementById('share-open').click()")
	p.until("document.getElementById('share-said').textContent.includes('too many for a link. Save it as a file.')")
	assert.Empty(t, eval[string](p, "document.getElementById('share-link').value"))
	// What the button saves can be opened again, here as a file that is chosen.
	saved := eval[string](p, `new Promise((done) => { const make = URL.createObjectURL; URL.createObjectURL = (b) => { b.text().then(done); return make(b); };
		addEventListener('click', (e) => { if (e.target.download) e.preventDefault(); }); document.getElementById('share-save').click(); })`)
	q.send("load", "{scenario: 't2000'}")
	q.eval(fmt.Sprintf(`{ const files = new DataTransfer(); files.items.add(new File([%s], 'state.json')); const f = document.getElementById('share-file');
		f.files = files.files; f.dispatchEvent(new Event('change')); }`, quoted(saved)))
	q.until("!strandscope.address.opening && strandscope.settled && strandscope.state.scenario.title === 'mine é'")
	assert.Equal(t, want.Digest, q.whole().Digest)
	assert.Empty(t, p.faults())
}

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}
