//go:build browser

package e2e

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/clock"
)

// soakHelp is put into every frame: what a hand would do to a control, nothing that
// leaves the page, and the program's memory where the page can be asked for it.
const soakHelp = `(() => {
	for (const name of ['instantiate', 'instantiateStreaming']) {
		const real = WebAssembly[name];
		WebAssembly[name] = async (...args) => { const r = await real.apply(WebAssembly, args); top.soakMemory = (r.instance ?? r).exports.mem; return r; };
	}
	if (top !== window) {
		addEventListener('message', (e) => { const list = top.soakSent ??= []; list.push(String(e.data).slice(0, 300)); list.splice(0, list.length - 8); });
		return;
	}
	window.print = () => {};
	window.open = () => null;
	const press = HTMLElement.prototype.click;
	HTMLElement.prototype.click = function () { if (this.type !== 'file') press.call(this); };
	addEventListener('click', (e) => { if (e.target.download) e.preventDefault(); }, true);
	const visible = (el) => el.checkVisibility() && !el.disabled;
	window.soak = (what, a, b, words) => {
		const scope = document.querySelector('dialog[open]') ?? document;
		const all = (sel) => [...scope.querySelectorAll(sel)].filter(visible);
		const fire = (el, ...types) => types.forEach((t) => el.dispatchEvent(new Event(t, { bubbles: true })));
		const pick = (list) => list[a % list.length];
		let el;
		switch (what) {
		case 'click':
			el = pick(all('button, summary, input[type=radio], input[type=checkbox]').filter((x) => x.id !== 'restart'));
			el?.click();
			break;
		case 'select':
			el = pick(all('select').filter((x) => x.id !== 'language' && x.options.length));
			if (el) { el.value = el.options[b % el.options.length].value; fire(el, 'input', 'change'); }
			break;
		case 'slide':
			el = pick(all('input[type=range]'));
			if (el) { const low = Number(el.min || 0), high = Number(el.max || 100); el.value = low + (high - low) * (b % 1000) / 1000; fire(el, 'input', 'change'); }
			break;
		case 'write':
			el = pick(all('input[type=number], input[type=text]:not(#typing), textarea'));
			if (el) { el.value = el.type === 'number' && isNaN(words) ? '' : words; fire(el, 'input', 'change'); } // nor could a hand write more
			break;
		case 'line':
			document.querySelector('dialog[open]')?.close();
			document.querySelector('[data-tool=console]').click();
			el = document.getElementById('typing');
			el.value = words;
			document.getElementById('line').requestSubmit();
			break;
		case 'close': document.querySelector('dialog[open]')?.close(); break;
		case 'scroll': scrollTo(0, b % Math.max(1, document.documentElement.scrollHeight)); break;
		}
		return what + ' ' + (el?.id || el?.textContent?.slice(0, 30) || '') + ' ' + words;
	};
})();`

var soakSizes = [][2]int64{{390, 844}, {640, 900}, {768, 1024}, {1024, 768}, {1280, 800}, {1440, 900}, {1920, 1080}}

var soakLines = []string{
	"help", "uptime", "ps -ef", "./loop &", "kill %1", "jobs", "sleep 2", "vmstat 1 3", "top -b -n 1", "psrinfo", "psradm -f 3", "psradm -n 3",
	"psrset -c 4-7", "psrset -d 1", "dispadmin -d", "dispadmin -d FSS", "priocntl -s -c FX -i pid 1204", "renice 5 1204", "run -n 4 'run 5ms; sleep 20ms'",
	"pkill spinner", "perl -e 'while (--$ARGV[0] and fork) {}; while () {}' 9 &", "for i in 1 2 3; do sleep 0.2 & done; wait", "reboot", "! (", "echo $((1/0))",
	"ping -c 2 195.4.7.3", "prstat 1 2", "kill -9 1205 99999", "nonsense \u2603 'x", "man priocntl",
}

var soakWords = []string{"", "0", "1", "-1", "5", "99999999999999999999", "x", "0.5", "A 0 5, B 1 3", "run 5ms; sleep 20ms", "<b>&", "17s"}

// soaker gives a page random input.
type soaker struct {
	*page
	r    *rand.Rand
	done []string // the last ones
}

func (s *soaker) note(what string) {
	s.done = append(s.done, what)
	if len(s.done) > 40 {
		s.done = s.done[1:]
	}
}

func (s *soaker) act() {
	r := s.r
	do := func(what, words string) {
		s.note(eval[string](s.page, fmt.Sprintf("soak(%q, %d, %d, %s)", what, r.IntN(10_000), r.IntN(10_000), quoted(words))))
	}
	switch r.IntN(24) {
	case 0:
		size := soakSizes[r.IntN(len(soakSizes))]
		s.note(fmt.Sprint("resize ", size))
		s.resize(size[0], size[1])
	case 1, 2, 3, 4, 5, 6:
		do("click", "")
	case 7, 8, 9:
		do("select", "")
	case 10, 11:
		do("slide", "")
	case 12:
		do("write", soakWords[r.IntN(len(soakWords))])
	case 13, 14:
		do("line", soakLines[r.IntN(len(soakLines))])
	case 15, 16:
		do("close", "")
	case 17:
		do("scroll", "")
	case 18, 19:
		keys := []string{" ", ".", ",", "<", ">", "u", "U", "x", "o", "t", "+", "-", "0", kb.Escape, kb.Tab, kb.ArrowLeft, kb.ArrowDown, kb.PageDown, kb.Enter}
		k := keys[r.IntN(len(keys))]
		s.note("key " + k)
		s.do(chromedp.KeyEvent(k))
	case 20, 21:
		b := s.stageBox()
		x, y := b.x+r.Float64()*b.w, b.y+r.Float64()*b.h
		s.note("click in the picture")
		if y > 0 {
			s.do(chromedp.MouseClickXY(x, y))
		}
	case 22:
		b := s.stageBox()
		s.note("wheel")
		s.wheel(b.x+b.w/2, max(1, b.y+b.h/3), float64(r.IntN(400)-200))
	case 23:
		theme := []string{"dark", "light", "projector"}[r.IntN(3)]
		s.note("theme " + theme)
		s.eval("strandscope.send('theme', {name: '" + theme + "'})")
	}
}

// still waits until the page has done all; a long way is cut short.
func (s *soaker) still() {
	s.Helper()
	s.eval("if (strandscope.state.seeking) setTimeout(() => { if (strandscope.state.seeking) strandscope.send('stop'); }, 3000)")
	for range 60 * 20 {
		if eval[bool](s.page, "strandscope.obeyed") {
			return
		}
		s.sleep(50)
	}
	s.Fatalf("a minute has not been enough\nafter %q\nsent %q\nseq %d", s.done, eval[[]string](s.page, "top.soakSent"), eval[int](s.page, "strandscope.state.seq"))
}

func (s *soaker) sound() {
	s.Helper()
	require.Empty(s, s.faults(), "after %q", s.done)
	require.Empty(s, eval[string](s.page, "strandscope.state.fault"), "after %q", s.done)
	require.False(s, eval[bool](s.page, "document.documentElement.classList.contains('failed')"), "after %q", s.done)
}

// compared runs natively what a link to the page's present would hold.
func (s *soaker) compared() {
	s.Helper()
	s.send("pause", "{}")
	s.eval("document.querySelector('dialog[open]')?.close(); if (strandscope.state.compare) strandscope.send('uncompare')")
	s.still()
	if eval[float64](s.page, "Number(strandscope.state.nowNs)") > 20e9 {
		s.send("seek", fmt.Sprintf("{atNs: '%d'}", s.r.Int64N(20e9)))
		s.still()
	}
	var parts struct {
		S, G string
		D    []string
		C    [][2]string
		T    int64
	}
	text := eval[string](s.page, "strandscope.address.encode(strandscope.address.take(strandscope.state)).then((b) => strandscope.address.decode('#' + b)).then(JSON.stringify)")
	require.NoError(s, json.Unmarshal([]byte(text), &parts))
	var settings []sim.Setting
	for _, c := range parts.C {
		settings = append(settings, sim.Setting{Key: c[0], Value: c[1]})
	}
	var run *sim.Session
	var err error
	if len(parts.D) == 2 {
		run, err = sim.OpenDocument(parts.D[0], []byte(parts.D[1]), settings...)
	} else {
		run, err = sim.Open(parts.S, settings...)
	}
	require.NoError(s, err, text)
	require.NoError(s, run.AdvanceTo(clock.Time(parts.T)), text)
	require.Equal(s, parts.G, hex(run.Digest()), "%s\nafter %q", text, s.done)
}

// heap are the bytes in use after a collection: JavaScript's, and the program's memory.
func (s *soaker) heap() [2]float64 {
	s.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, heapprofiler.CollectGarbage, cdp.Empty{})
		return err
	}))
	h := eval[[]float64](s.page, "[performance.memory.usedJSHeapSize, top.soakMemory?.buffer.byteLength ?? 0]")
	return [2]float64{h[0] / 1e6, h[1] / 1e6}
}

// warm lets the program take the memory that its largest runs need, since a program of
// WebAssembly gives none back: every scenario, and two of many threads beside each other.
func (s *soaker) warm() {
	s.Helper()
	for _, i := range sim.Library() {
		s.send("load", "{scenario: '"+i.ID+"'}")
		s.at(3)
	}
	for _, id := range []string{"t2000-oltp", "linux22-250-hogs"} {
		s.send("load", "{scenario: '"+id+"'}")
		s.send("compare", "{settings: []}")
		for _, to := range []int{60, 20, 60} { // checkpoints stand closer on the way back
			s.at(to)
		}
		s.send("uncompare", "{}")
	}
	s.send("load", "{scenario: 't2000-unset'}")
	s.sound()
}

func median(list []float64) float64 {
	list = slices.Sorted(slices.Values(list))
	return list[len(list)/2]
}

// For as long as SOAK says (make soak), a page gets random input of all kinds at all sizes;
// SOAK_SEED draws another. It says nothing in the console, breaks no invariant, has the
// digests of native runs, and its memory does not grow. What is drawn meets the page at
// other moments each time, so this is no part of make test.
func TestASoakOfRandomInputLeavesThePageSound(t *testing.T) {
	if os.Getenv("SOAK") == "" {
		t.Skip("make soak runs it")
	}
	span, err := time.ParseDuration(os.Getenv("SOAK"))
	require.NoError(t, err, "SOAK")
	p := open(t, look{alone: true, before: soakHelp, lasts: 2*span + 5*time.Minute, flags: map[string]any{"enable-precise-memory-info": true}})
	seed, err := strconv.ParseUint(cmp.Or(os.Getenv("SOAK_SEED"), "1"), 10, 64)
	require.NoError(t, err, "SOAK_SEED")
	s := &soaker{page: p, r: rand.New(rand.NewPCG(seed, 5))}
	long := span >= 5*time.Minute
	if long {
		s.warm()
	}
	began := time.Now()
	var js, wasm []float64
	actions, compared := 0, 0
	next := began.Add(span / 20)
	for time.Since(began) < span {
		for range 5 {
			s.act()
			actions++
		}
		s.still()
		s.sound()
		if time.Now().After(next) {
			next = time.Now().Add(span / 20)
			s.compared()
			compared++
			h := s.heap()
			js, wasm = append(js, h[0]), append(wasm, h[1])
			t.Logf("%4.0f s: %d actions, JavaScript %.1f MB, program %.1f MB", time.Since(began).Seconds(), actions, h[0], h[1])
		}
		if eval[float64](p, "Number(strandscope.state.nowNs)") > 120e9 || s.r.IntN(40) == 0 {
			p.send("reset", "{}")
		}
	}
	s.compared()
	s.sound()
	t.Logf("%d actions, %d runs compared", actions, compared+1)
	assert.Greater(t, actions, 20)
	if n := len(js) / 5; n >= 2 && long {
		for what, list := range map[string][]float64{"JavaScript": js, "the program": wasm} {
			second, last := median(list[n:2*n]), median(list[len(list)-n:])
			t.Logf("%s: %.1f MB in the second fifth, %.1f MB in the last", what, second, last)
			assert.LessOrEqual(t, last, second*1.2+8, "%s grows: %v", what, list)
		}
	}
}
