//go:build browser

package e2e

import (
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/record"
	"strandscope/sim/recorded"
)

const oneCPU = "../../sim/record/testdata/real/traces/ftrace_6.1_one_cpu_4hogs_sleeper.txt.gz"

// give drops a file onto the page that has the bytes of an expression, a list of parts.
func (p *page) give(name, parts string) {
	p.Helper()
	p.eval(fmt.Sprintf(`{
		const d = new DataTransfer();
		d.items.add(new File(%s, %q));
		document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: d, bubbles: true, cancelable: true }));
	}`, parts, name))
}

// reads is the text of an element.
func (p *page) reads(selector string) string {
	p.Helper()
	return eval[string](p, fmt.Sprintf("document.querySelector(%q).textContent", selector))
}

func packed(bytes []byte) string {
	return fmt.Sprintf("[Uint8Array.from(atob('%s'), (c) => c.charCodeAt(0))]", base64.StdEncoding.EncodeToString(bytes))
}

// A packed ftrace file that is dropped becomes the run that Go makes of it; what if shows
// its fidelity before it runs anything, and what is run is the derived workload.
func TestARecordingIsDroppedReadAndAskedWhatIf(t *testing.T) {
	file, err := os.ReadFile(oneCPU)
	require.NoError(t, err)
	z, err := gzip.NewReader(strings.NewReader(string(file)))
	require.NoError(t, err)
	text, err := io.ReadAll(z)
	require.NoError(t, err)
	r := record.NewReader()
	r.KeepAccounts(true)
	require.NoError(t, r.Feed(text))
	tr, err := r.Close()
	require.NoError(t, err)
	run, err := recorded.New(tr, recorded.Options{Name: "trace.txt.gz", Kernel: "linux-6.1", HZ: 250})
	require.NoError(t, err)
	require.NoError(t, run.AdvanceTo(run.End()))

	p := open(t, look{noPlay: true, width: 1440, height: 900, before: axe(t)})
	p.theme("dark")
	p.eval("document.getElementById('recording-kernel').value = 'linux-6.1'")
	p.give("trace.txt.gz", packed(file))
	p.until("strandscope.state.scenario.recorded && strandscope.settled && !document.getElementById('recording').open")
	assert.Equal(t, fmt.Sprintf("%016x", run.Digest()), p.digest())
	assert.Equal(t, fmt.Sprint(int64(run.End())), p.now())
	assert.Equal(t, "trace.txt.gz linux-6.1 share-open", eval[string](p, "`${strandscope.state.scenario.title} ${strandscope.state.scenario.kernel} ${document.activeElement.id}`"))
	assert.Equal(t, fmt.Sprintf("ftrace text: %s records of %d threads.", thousands(tr.Len()), len(tr.Threads)), p.reads("#recorded-facts"))
	for i := range tr.Threads {
		want := run.WhyThread(i)
		p.send("select", fmt.Sprintf("{thread: %d}", i))
		assert.Equal(t, strings.Join(append([]string{want.Title}, want.Lines...), "\n"),
			eval[string](p, "[strandscope.state.why.title, ...strandscope.state.why.lines].join('\\n')"))
	}
	p.send("select", "{}")
	assert.Equal(t, "fixed 0 "+fmt.Sprint(int64(run.End())), eval[string](p, "((r) => [r.kind, r.fromNs, r.toNs].join(' '))(strandscope.state.range)"), "all of it is in view")
	p.keep("recording-dark")
	p.audit("a recording")
	assert.False(t, eval[bool](p, "['class', 'editor', 'compare-start'].some((id) => document.getElementById(id).checkVisibility())"))

	p.focus("#what-if-open")
	p.press(kb.Enter)
	p.until("!document.getElementById('what-if-form').hidden")
	said := eval[string](p, "document.getElementById('what-if-fidelity').textContent")
	assert.Contains(t, said, "721 of 721 choices at switches agree (100.0 %).")
	assert.Contains(t, said, "99.9 % of the CPU time went to the same threads as recorded.")
	p.keep("recording-what-if-dark")
	p.audit("what if")
	p.choose("#what-if-kernel", "linux-6.12")
	p.eval("document.getElementById('what-if-form').requestSubmit()")
	p.until("strandscope.state.scenario.recorded === false && strandscope.state.scenario.kernel === 'linux-6.12' && strandscope.settled")
	assert.Equal(t, fmt.Sprint(int64(run.End())), p.now())
	p.keep("recording-derived-dark")

	// What is no recording leaves the run as it is, and says so in a sentence.
	before := p.digest()
	p.give("tale.txt", "['Once upon a time\\n'.repeat(100)]")
	p.until("!document.getElementById('recording-wrong').hidden")
	assert.Regexp(t, `^tale\.txt cannot be read: .*\.$`, p.reads("#recording-wrong"))
	assert.Equal(t, before, p.digest())
	p.press(kb.Escape)
	p.until("!document.getElementById('recording').open")
	assert.Equal(t, "share-open", p.active())
	// A scenario that is dropped is opened as one.
	p.give("mine.json", `['{"machine": "up", "scheduler": {"kernel": "linux-2.2.8"}, "tasks": {"a": {"run": 1000}}}']`)
	p.until("strandscope.state.scenario.kernel === 'linux-2.2.8' && strandscope.settled")
	assert.Empty(t, p.faults())
}

// thousands writes a number as the page does.
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}

// megabytes is an expression for the parts of an ftrace text of so many MB: a hundred
// threads on four CPUs that sleep and are woken.
func megabytes(n int) string {
	return fmt.Sprintf(`(() => {
		const parts = [];
		let at = 1000000000, i = 0, size = 0;
		const prev = [0, 0, 0, 0];
		while (size < %d * 1e6) {
			let s = '';
			for (let k = 0; k < 2000; k++, i++) {
				const cpu = i %% 4, next = i %% 8 < 4 ? 101 + (i * 7) %% 100 : 0;
				at += 3;
				const t = Math.floor(at / 1e6) + '.' + String(at %% 1e6).padStart(6, '0');
				const name = (pid) => (pid ? 'task' + pid : 'swapper/' + cpu), prio = (pid) => 120;
				s += '          ' + name(prev[cpu]) + '-' + prev[cpu] + '  [00' + cpu + '] d..2. ' + t + ': ';
				if (next) s += 'sched_wakeup: comm=' + name(next) + ' pid=' + next + ' prio=120 target_cpu=00' + cpu + '\n          ' + name(prev[cpu]) + '-' + prev[cpu] + '  [00' + cpu + '] d..2. ' + t + ': ';
				s += 'sched_switch: prev_comm=' + name(prev[cpu]) + ' prev_pid=' + prev[cpu] + ' prev_prio=120 prev_state=' + (prev[cpu] ? 'S' : 'R') + ' ==> next_comm=' + name(next) + ' next_pid=' + next + ' next_prio=120\n';
				prev[cpu] = next;
			}
			parts.push(new Blob([s]));
			size += s.length;
		}
		return parts;
	})()`, n)
}

// A larger text is read with progress while the page lives, is cancelled without a trace,
// and then read to its end.
func TestALargeRecordingIsReadWithProgressAndCancelled(t *testing.T) {
	size := 6
	if all {
		size = 100
	}
	p := open(t, look{noPlay: true, alone: true, width: 1440, height: 900, before: `{
		const make = WebAssembly.instantiateStreaming;
		WebAssembly.instantiateStreaming = async (...all) => { const made = await make(...all); window.made = made.instance; return made; };
	}`})
	memory := "document.getElementById('stage').contentWindow.made.exports.mem.buffer.byteLength / 1e6"
	before := p.digest()
	p.eval(`strandscope.on('reading', (m) => { (window.told ??= []).push(m); if (window.soon) { window.soon = false; document.getElementById('recording-cancel').click(); } });
		{ let last = performance.now(); window.longest = 0; setInterval(() => { const now = performance.now(); if (window.told?.length && !window.told.at(-1).closing && !window.told.at(-1).done) window.longest = Math.max(window.longest, now - last); last = now; }, 5); }`)
	p.eval(fmt.Sprintf("window.parts = %s", megabytes(size)))
	p.eval("window.soon = true")
	p.give("large.txt", "parts")
	p.until("!document.getElementById('recording-wrong').hidden")
	assert.Equal(t, "Cancelled. What was shown before is as it was.", p.reads("#recording-wrong"))
	p.settle()
	assert.Equal(t, before, p.digest())

	empty := eval[float64](p, memory)
	p.eval("window.told = []; window.longest = 0")
	began := time.Now()
	p.give("large.txt", "parts")
	p.until("strandscope.state.scenario.recorded && !document.getElementById('recording').open")
	read := time.Since(began)
	p.settle()
	t.Logf("%d MB read in %v, shown in %v; the page waited %.0f ms at most; records %.0f; the program's memory grew from %.0f to %.0f MB, the scripts' is %.0f MB", size, read.Round(time.Millisecond), time.Since(began).Round(time.Millisecond),
		eval[float64](p, "longest"), eval[float64](p, "told.at(-1).records"), empty, eval[float64](p, memory), eval[float64](p, "performance.memory.usedJSHeapSize / 1e6"))
	assert.Less(t, read, 60*time.Second)
	assert.True(t, eval[bool](p, "told.length > 3 && told.every((m, i) => !i || m.done || m.loaded >= told[i - 1].loaded) && told.at(-1).records > 1000"))
	p.keep("recording-large")
	assert.Empty(t, p.faults())
}

// Whatever is said of a recording is said in German, too.
func TestARecordingIsSpokenOfInGerman(t *testing.T) {
	file, err := os.ReadFile(oneCPU)
	require.NoError(t, err)
	p := open(t, look{noPlay: true, path: "?lang=de"})
	p.give("trace.txt.gz", packed(file))
	p.until("strandscope.state.scenario.recorded && strandscope.settled && !document.getElementById('recording').open")
	p.eval("document.getElementById('what-if-open').click()")
	p.until("!document.getElementById('what-if-form').hidden")
	assert.Contains(t, p.reads("#what-if-fidelity"), "von 721 Entscheidungen bei Wechseln stimmen überein")
	for _, m := range p.missing() { // names of threads, files and sources stay
		assert.NotRegexp(t, "(?i)recor|^what|\\d} threads|fidelity|timeline|machine|^Source", m)
	}
}
