//go:build browser

package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// hosting serves a page of another origin, with {{SITE}} standing for ours. It also
// collects what figures tell it, in the array told.
func hosting(t *testing.T, body string) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><html lang="en"><title>A host</title><link rel="icon" href="data:,"><script>
const told = []; addEventListener('message', (e) => { if (e.data && e.data.strandscope) told.push({from: e.origin, ...e.data}); });
const ask = (frame, m) => new Promise((done) => { const id = Math.random(); addEventListener('message', (e) => { if (e.data.id === id) done(e.data); });
  frame.contentWindow.postMessage({strandscope: 1, id, ...m}, '*'); });
</script><body style="font: 16px sans-serif">%s</body></html>`, strings.ReplaceAll(body, "{{SITE}}", site.URL))
	}))
	t.Cleanup(s.Close)
	return s
}

// openAt opens a page of another origin.
func openAt(t *testing.T, address string, l look) *page {
	t.Helper()
	l.path, l.noWait = "web/icon.svg", true
	p := open(t, l)
	p.do(chromedp.Navigate(address))
	return p
}

const alive = `[...document.querySelectorAll('strand-scope')].filter((e) => e.dataset.alive === 'true').length`

// noteAlive keeps in each element whether its figure is alive.
const noteAlive = `<script>addEventListener('alive', (e) => { e.target.dataset.alive = e.detail; }, true)</script><script src="{{SITE}}/web/embed.js"></script>`

func TestAFigureIsWholeFrom320To1200Pixels(t *testing.T) {
	for _, width := range []int64{320, 480, 768, 1200} {
		p := open(t, look{path: "web/embed.html?scenario=t2000-unset&start=151s&theme=light", width: width, height: 560, noPlay: true, noWait: true})
		p.until("strandscope.settled && !strandscope.address.opening && strandscope.state.nowNs === '151000000000'")
		p.until("document.getElementById('words').textContent === '20 wait while 20 strands idle'")
		p.keep(fmt.Sprintf("embed-%d", width))
		assert.Empty(t, eval[[]string](p, outside), "cut off at %d", width)
		assert.LessOrEqual(t, eval[int](p, "document.documentElement.scrollWidth"), int(width))
		assert.LessOrEqual(t, eval[int](p, "strandscope.state.height"), 680)
		assert.Equal(t, []string{"strands", "runqueue", "loadavg"}, eval[[]string](p, "strandscope.state.panels.list.filter((q) => q.shown).map((q) => q.id)"))
		assert.Equal(t, "not set", eval[string](p, "document.getElementById('class').selectedOptions[0].text"))
		assert.Empty(t, p.faults())
	}
}

func TestTheWholePagesAddressLeadsToTheFigureAndBackWithTheSameState(t *testing.T) {
	p := open(t, look{path: "?embed=1&scenario=t2000-unset&class=FSS&start=10s&speed=20", noPlay: true, noWait: true})
	p.until("location.pathname === '/web/embed.html' && strandscope.settled && !strandscope.address.opening && strandscope.state.nowNs === '10000000000'")
	assert.Zero(t, eval[int](p, "document.querySelectorAll('form, #editor, #typing, #settings, #reset').length"), "C-7: nothing to edit with")
	p.until("document.getElementById('whole').hash && strandscope.address.decode(document.getElementById('whole').hash).then((l) => l.g === strandscope.state.digest)")
	want := p.whole()
	back := eval[string](p, "document.getElementById('whole').hash")
	require.Equal(t, "FSS", eval[string](p, "strandscope.state.scenario.class"))
	p.until("document.getElementById('why').checkVisibility() && document.getElementById('why').hash.length > 9")
	why := eval[string](p, "document.getElementById('why').hash")
	p.visit(why[1:])
	p.until("strandscope.state.selected.strand === 0 && document.getElementById('why-head').textContent.includes('cpu0')")
	p.visit(back[1:])
	got := p.whole()
	assert.Equal(t, want.Digest, got.Digest)
	assert.Equal(t, want.Class, got.Class)
	assert.Equal(t, want.Speed, got.Speed)
	assert.Len(t, got.Panels, 7, "but with all panels")
}

func TestWrongKeysOfAFigureAreSaidByName(t *testing.T) {
	p := open(t, look{path: "web/embed.html?speed=fast&panels=strands,x&start=-1&locked=all", noPlay: true, noWait: true})
	p.until("strandscope.settled && document.getElementById('words').textContent.includes('locked')")
	said := eval[string](p, "document.getElementById('words').textContent")
	for _, want := range []string{
		"speed is “fast”, want a number from 0.01 to 10000.", "panels is “strands,x”, want some of strands, runqueue",
		"start is “-1”, want a time such as 10s", "locked is “all”, want some of play, class, speed, keys, picture.",
	} {
		assert.Contains(t, said, want)
	}
	assert.Equal(t, "t2000-unset", eval[string](p, "strandscope.state.scenario.id"))
}

func TestKeysWorkInAFigureThatHasTheFocusAndNotBefore(t *testing.T) {
	h := hosting(t, `<input id="field" value="mine"><div style="height: 300px"></div>
		<iframe id="f" src="{{SITE}}/web/embed.html?start=10s&amp;hosts=`+"*;state;metrics"+`" title="figure" width="700" height="520"></iframe><div style="height: 2000px"></div>`)
	p := openAt(t, h.URL, look{width: 900, height: 700})
	p.focus("#field")
	p.until("told.some((m) => m.type === 'height')")
	state := func(want string) {
		t.Helper()
		p.until("ask(document.getElementById('f'), {cmd: 'state'}).then((r) => r.ok && (({playing, seconds}) => " + want + ")(r.result))")
	}
	state("!playing && seconds === 10")
	assert.Equal(t, "field", p.active(), "E-4: a field keeps the focus while a figure starts")
	assert.Zero(t, eval[int](p, "scrollY"))
	p.press("x")
	assert.Equal(t, "xmine", eval[string](p, "document.getElementById('field').value"))
	b := eval[[]float64](p, `(({x, y, width, height}) => [x, y, width, height])(document.getElementById('f').getBoundingClientRect())`)
	p.do(chromedp.MouseClickXY(b[0]+350, b[1]+56)) // beside everything in the picture
	p.until("document.activeElement.id === 'f'")
	p.press(" ")
	state("playing")
	p.press(" ")
	state("!playing")
	p.press(".", ",", ",")
	state("!playing && Math.round(seconds * 1e9) % 1e7 === 0")
	p.press(">", "<", "r")
	state("seconds === 0")
	p.press(".")
	state("seconds === 0.01")
	p.press(kb.ArrowDown, kb.ArrowRight, "o")
	state("seconds === 0.01")
	assert.Zero(t, eval[int](p, "scrollY"), "E-15: Space and arrows do not scroll the host")
	metrics := eval[map[string]any](p, "ask(document.getElementById('f'), {cmd: 'metrics'}).then((r) => r.result)")
	assert.EqualValues(t, 32, metrics["strands"], "O takes no strand off-line in a figure")
	assert.Empty(t, p.faults())
}

func TestAHostOfAnotherOriginMayOnlySendWhatItIsGranted(t *testing.T) {
	frame := func(id, hosts string) string {
		return fmt.Sprintf(`<iframe id=%q src="{{SITE}}/web/embed.html?start=5s&amp;hosts=%s" title="figure" width="600" height="500"></iframe>`, id, url.QueryEscape(hosts))
	}
	h := hosting(t, frame("none", "https://other.example")+frame("some", "*;state;seek;set")+frame("all", "ORIGIN"))
	all := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.RequestURI = ""
		h.Config.Handler.ServeHTTP(rewriter{w, url.QueryEscape("ORIGIN"), url.QueryEscape("http://" + r.Host)}, r)
	}))
	t.Cleanup(all.Close)
	p := openAt(t, all.URL, look{width: 1300, height: 1100})
	p.until("new Set(told.filter((m) => m.type === 'height')).size >= 3")
	reply := func(id, m string) (text string) {
		t.Helper()
		return eval[string](p, fmt.Sprintf("ask(document.getElementById(%q), %s).then((r) => r.ok ? 'ok ' + JSON.stringify(r.result) : r.error)", id, m))
	}
	for _, cmd := range []string{"load", "set", "play", "pause", "seek", "state", "metrics"} {
		assert.Contains(t, reply("none", fmt.Sprintf("{cmd: %q}", cmd)), "may not “"+cmd+"” here; granted: nothing")
	}
	assert.Contains(t, reply("some", "{cmd: 'play'}"), "may not “play” here; granted: state, seek, set")
	assert.Equal(t, "ok {}", reply("some", "{cmd: 'seek', seconds: 12.5}"))
	assert.Contains(t, reply("some", "{cmd: 'state'}"), `"seconds":12.5`)

	assert.Equal(t, "ok {}", reply("all", "{cmd: 'load', scenario: 't2000-fss'}"))
	assert.Equal(t, "ok {}", reply("all", "{cmd: 'set', key: 'class', value: 'TS'}"))
	assert.Equal(t, "ok {}", reply("all", "{cmd: 'set', key: 'speed', value: '2'}"))
	assert.Equal(t, "ok {}", reply("all", "{cmd: 'play'}"))
	assert.Equal(t, "ok {}", reply("all", "{cmd: 'pause'}"))
	assert.Equal(t, "ok {}", reply("all", "{cmd: 'seek', seconds: 10}"))
	assert.Contains(t, reply("all", "{cmd: 'state'}"), `"scenario":"t2000-fss"`)
	assert.Contains(t, reply("all", "{cmd: 'state'}"), `"class":"TS"`)
	assert.Contains(t, reply("all", "{cmd: 'metrics'}"), `"strands":32,"busy":32`)

	for m, want := range map[string]string{
		"{cmd: 'fly'}":                           `cmd is "fly", want one of load, set, play`,
		"{cmd: 'play', strandscope: 2}":          "strandscope is 2, want 1",
		"{cmd: 'seek'}":                          "seek: seconds is undefined, want a number of seconds",
		"{cmd: 'seek', seconds: '3'}":            `seek: seconds is "3", want a number`,
		"{cmd: 'play', now: 1}":                  "play: the field “now” is not known",
		"{cmd: 'load', scenario: 'nosuch'}":      `"nosuch"`,
		"{cmd: 'set', key: 'theme', value: 'x'}": "value is “x”, want one of auto, dark, light, projector",
		"{cmd: 'constructor'}":                   "want one of load",
	} {
		assert.Contains(t, reply("all", m), want, m)
	}
	assert.Contains(t, reply("all", "{cmd: 'state'}"), `"seconds":10,`, "a refusal changes nothing")
	assert.Equal(t, site.URL, eval[string](p, "told.find((m) => m.type === 'height').from"))
	assert.Empty(t, p.faults())
}

// rewriter replaces a text in what is written.
type rewriter struct {
	http.ResponseWriter
	from, to string
}

func (w rewriter) Write(b []byte) (int, error) {
	_, err := w.ResponseWriter.Write([]byte(strings.ReplaceAll(string(b), w.from, w.to)))
	return len(b), err
}

func TestThreeFiguresFarDownDoNotMoveThePageAndShareOneDownload(t *testing.T) {
	h := hosting(t, noteAlive+`<input id="field"><div style="height: 2000px"></div>
		<strand-scope scenario="t2000-unset" autoplay></strand-scope><strand-scope scenario="t2000-fss" autoplay></strand-scope>
		<div id="plain"></div><div style="height: 3000px"></div>
		<script>strandScope.mount(document.getElementById('plain'), {scenario: 'linux22', autoplay: true, style: 'max-width: 520px'})</script>`)
	downloads.Store(0)
	p := openAt(t, h.URL, look{alone: true, width: 900, height: 1000})
	p.focus("#field")
	p.sleep(300) // nothing may happen meanwhile
	p.until("(({src, complete, naturalWidth}) => /stills\\/t2000-fss-(light|dark).svg$/.test(src) && complete && naturalWidth > 300)(document.querySelectorAll('strand-scope')[1].shadowRoot.querySelector('img'))")
	assert.Zero(t, eval[int](p, alive))
	assert.Zero(t, eval[int](p, "[...document.querySelectorAll('strand-scope')].filter((e) => e.shadowRoot.querySelector('iframe')).length"), "nothing is loaded before it is near")
	p.eval("scrollTo(0, 2000)")
	before := eval[int](p, "scrollY")
	p.until(alive + " >= 2")
	p.until("told.filter((m) => m.type === 'height').length >= 2")
	assert.Equal(t, before, eval[int](p, "scrollY"), "E-3: the page stays where it is")
	assert.Equal(t, "field", p.active())
	p.eval("scrollTo(0, 2500)")
	p.until(alive + " === 3 && told.filter((m) => m.type === 'height').length >= 3")
	assert.Equal(t, 2500, eval[int](p, "scrollY"))
	assert.Equal(t, "field", p.active())
	boxes := eval[[]int](p, "[...document.querySelectorAll('strand-scope')].map((e) => e.getBoundingClientRect().width)")
	assert.Equal(t, 520, boxes[2], "E-14: sizes follow their containers")
	p.keep("embeds-host")
	assert.EqualValues(t, 1, downloads.Load(), "one download for all")

	// Out of sight nothing is drawn, and time stands still.
	running := "Promise.all([...document.querySelectorAll('strand-scope')].map((e) => e.send('state'))).then((all) => all.map((s) => s.playing).join())"
	p.until(running + ".then((v) => v === 'false,true,true' || v === 'true,true,true')")
	p.eval("scrollTo(0, 0)")
	p.until(running + ".then((v) => v === 'false,false,false')")
	first := eval[[]int](p, "Promise.all([...document.querySelectorAll('strand-scope')].map((e) => e.send('state'))).then((all) => all.map((s) => s.events))")
	p.sleep(700)
	assert.Equal(t, first, eval[[]int](p, "Promise.all([...document.querySelectorAll('strand-scope')].map((e) => e.send('state'))).then((all) => all.map((s) => s.events))"))
	p.eval("scrollTo(0, 2000)")
	p.until(running + ".then((v) => v.startsWith('true'))")
	assert.Empty(t, p.faults())
}

func TestAtMostFourFiguresAreAlive(t *testing.T) {
	figure := `<strand-scope scenario="t2000-unset" panels="loadavg"></strand-scope><div style="height: 900px"></div>`
	h := hosting(t, noteAlive+strings.Repeat(figure, 6))
	p := openAt(t, h.URL, look{width: 700, height: 700})
	for i := range 6 {
		p.eval(fmt.Sprintf("document.querySelectorAll('strand-scope')[%d].scrollIntoView({block: 'center'})", i))
		p.until(fmt.Sprintf("document.querySelectorAll('strand-scope')[%d].dataset.alive === 'true'", i))
		p.until(fmt.Sprintf("%s === %d", alive, min(i+1, 4)))
	}
	assert.Equal(t, []string{"false", "false", "true", "true", "true", "true"}, eval[[]string](p, "[...document.querySelectorAll('strand-scope')].map((e) => e.dataset.alive)"),
		"those that were unseen longest gave way")
	p.eval("document.querySelectorAll('strand-scope')[0].scrollIntoView({block: 'center'})")
	p.until("document.querySelectorAll('strand-scope')[0].dataset.alive === 'true' && " + alive + " === 4")
	assert.Empty(t, p.faults())
}

func TestTheDocumentationPageHasFiveLiveFigures(t *testing.T) {
	p := open(t, look{path: "docs/examples/embeds.html", width: 860, height: 800, noWait: true, before: "addEventListener('alive', (e) => { e.target.dataset.alive = e.detail; }, true)"})
	p.until("customElements.get('strand-scope') !== undefined")
	show := func(id string) {
		t.Helper()
		p.eval(fmt.Sprintf("document.getElementById(%q).scrollIntoView({block: 'center'})", id))
	}
	state := func(id, want string) {
		t.Helper()
		p.until(fmt.Sprintf("document.getElementById(%q).send('state').then((s) => %s)", id, want))
	}
	for id, want := range map[string]string{
		"unset": "s.scenario === 't2000-unset' && s.class === 'unset' && s.seconds > 150 && s.playing",
		"fss":   "s.scenario === 't2000-unset' && s.class === 'FSS' && s.seconds >= 150 && s.speed === 20",
		"hogs":  "s.scenario === 'linux22-250-hogs' && s.seconds === 20",
	} {
		show(id)
		p.until(fmt.Sprintf("document.getElementById(%q).dataset.alive === 'true'", id))
		state(id, "s.title && "+want)
		p.keep("embeds-" + id)
	}
	show("nice")
	assert.Nil(t, eval[any](p, "document.getElementById('nice').dataset.alive ?? null"), "this one waits for a click")
	p.eval("document.getElementById('nice').shadowRoot.querySelector('button').click()")
	p.until("document.getElementById('nice').dataset.alive === 'true'")
	state("nice", "s.scenario === 'ts-nice-ladder' && s.playing && s.seconds > 0.1 && s.speed === 0.5")
	p.keep("embeds-nice")
	show("plain")
	p.until("document.getElementById('plain').contentWindow.strandscope?.state.playing")
	p.until(alive + " <= 3") // the frame is the fourth
	p.keep("embeds-plain")
	assert.Empty(t, p.faults())
}

func TestTheShortcutsOfTheWholePageWorkInsideAFrame(t *testing.T) {
	p := open(t, look{path: "docs/examples/embeds.html", width: 1300, height: 950, noPlay: true, noWait: true})
	p.until("document.readyState === 'complete'")
	p.eval(`document.body.innerHTML = '<iframe id="f" src="../../" title="page" width="1200" height="800"></iframe><div></div>'; document.body.lastChild.style.height = '2000px'`)
	p.until("document.getElementById('f').contentWindow.strandscope?.settled")
	p.eval("window.s = () => document.getElementById('f').contentWindow.strandscope; window.$ = (id) => document.getElementById('f').contentDocument.getElementById(id); $('reset').focus()")
	after := func(key, want string) {
		t.Helper()
		p.press(key)
		p.until("s().settled && " + want)
	}
	p.eval("document.getElementById('f').focus(); document.getElementById('f').contentDocument.activeElement.blur()")
	p.press(" ")
	p.until("s().state.playing")
	after(" ", "!s().state.playing")
	after("r", "s().state.nowNs === '0'")
	after(".", "s().state.nowNs === '10000000'")
	after(".", "s().state.nowNs === '20000000'")
	after(",", "s().state.nowNs === '10000000'")
	after(">", "BigInt(s().state.nowNs) > 10000000n")
	after("<", "BigInt(s().state.nowNs) <= 10000000n")
	eval[int](p, "s().send('do', {line: 'psradm -f 3'})")
	p.until("s().settled && s().state.undo !== ''")
	after("u", "s().state.undo === '' && s().state.redo !== ''")
	after("U", "s().state.undo !== ''")
	after("?", "$('sheet').open")
	after(kb.Escape, "!$('sheet').open")
	after("g", "document.getElementById('f').contentDocument.activeElement.id.startsWith('run-to')")
	assert.Zero(t, eval[int](p, "scrollY"), "E-15: the host does not scroll")
	assert.Empty(t, p.faults())
}

func TestAnAuditOfAFigureFindsNothingSerious(t *testing.T) {
	p := open(t, look{path: "web/embed.html?start=10s", width: 640, height: 520, noPlay: true, noWait: true, before: axe(t)})
	p.until("strandscope.settled && !strandscope.address.opening")
	p.audit("a figure that runs")
	p.do(chromedp.Navigate(site.URL + "/web/embed.html?load=click"))
	p.until("document.getElementById('run') && !document.getElementById('run').hidden")
	p.audit("a still")
}
