//go:build browser

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/chromedp/chromedp"

	"strandscope/sim"
)

// page measures the site as a reader has it.
func (w *work) page(ctx context.Context) error {
	path, err := chromiumPath()
	if err != nil {
		return err
	}
	w.env.Chromium = cmp.Or(w.env.Chromium, said(path, "--version"))
	files, err := siteHandler()
	if err != nil {
		return err
	}
	address, stop, err := serve(files)
	if err != nil {
		return err
	}
	defer stop()
	var failed []error // what was measured stands in the table all the same
	for _, measure := range []func(context.Context, string) error{w.start, w.speed, w.standing, w.remembered, w.embeds} {
		if err := measure(ctx, address); err != nil {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

const settled = "window.strandscope?.settled === true"

// start is how long an embedded figure takes until it moves, the first time and when it
// is loaded again, each time in a browser that knew nothing of it.
func (w *work) start(ctx context.Context, address string) error {
	var paint, first, reload []float64
	for range w.rounds {
		if err := moving(ctx, address, &first, &reload); err != nil {
			return err
		}
		if err := painted(ctx, address, &paint); err != nil {
			return err
		}
	}
	w.figures["page/first"], w.figures["page/reload"], w.figures["page/progress"] = slices.Min(first), slices.Min(reload), slices.Min(paint)
	return nil
}

// moving adds when a figure first moved, and when it did so loaded again, in seconds.
func moving(ctx context.Context, address string, first, reload *[]float64) error {
	b, err := open(ctx, 800, 520)
	if err != nil {
		return err
	}
	defer b.cancel()
	const moves = "window.benchMoving"
	if err := b.moment(first, chromedp.Navigate(address+"/web/embed.html?scenario=t2000-unset&autoplay=1"), moves); err != nil {
		return err
	}
	time.Sleep(2 * time.Second) // time for what browsers keep
	return b.moment(reload, chromedp.Reload(), moves)
}

// painted adds when the whole page was first painted, in seconds.
func painted(ctx context.Context, address string, paint *[]float64) error {
	b, err := open(ctx, 1280, 800)
	if err != nil {
		return err
	}
	defer b.cancel()
	return b.moment(paint, chromedp.Navigate(address+"/"), "performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
}

// moment visits a page and adds a moment of its clock, which an expression gives in ms
// once it has come, in seconds.
func (b *browser) moment(list *[]float64, visit chromedp.Action[chromedp.Void], ms string) error {
	if err := b.do(visit); err != nil {
		return err
	}
	if err := b.until(ms + " > 0"); err != nil {
		return err
	}
	at, err := eval[float64](b, ms)
	if err != nil {
		return err
	}
	*list = append(*list, at/1000)
	return nil
}

// highest asks for the highest speed.
const highest = "strandscope.send('speed', {permille: 10000000}); strandscope.send('play')"

// speed is how much simulated time passes in real time at the highest speed while the
// page draws. Both ends are the moments at which the program told its time.
func (w *work) speed(ctx context.Context, address string) error {
	b, err := open(ctx, 1280, 800)
	if err != nil {
		return err
	}
	defer b.cancel()
	if err := b.do(chromedp.Navigate(address + "/")); err != nil {
		return err
	}
	for _, id := range []string{"t2000-ts", "linux22-250-hogs"} {
		if err := b.load(id); err != nil {
			return err
		}
		figures, err := eval[[]float64](b, highest+`; new Promise((done) => {
			const began = performance.now();
			let first;
			strandscope.on('state', (s) => {
				const now = [performance.now(), Number(s.nowNs) / 1e6, s.draws];
				if (now[0] < began + 2000) return;
				first ??= now;
				if (now[0] > first[0] + 5000) done(now.map((v, i) => v - first[i]));
			});
		})`)
		if err != nil {
			return err
		}
		if len(figures) != 3 {
			return fmt.Errorf("the page told %v, want three figures", figures)
		}
		w.figures["page/speed/"+id] = figures[1] / figures[0]
		w.figures["page/fps/"+id] = figures[2] / figures[0] * 1000
	}
	return nil
}

// load opens a built-in scenario and waits for it.
func (b *browser) load(id string) error {
	if err := b.until(settled); err != nil {
		return err
	}
	if _, err := eval[int](b, fmt.Sprintf("strandscope.send('load', {scenario: %q})", id)); err != nil {
		return err
	}
	return b.until(fmt.Sprintf("%s && strandscope.state.scenario.id === %q", settled, id))
}

// standing is what the page does while it is paused, and while nobody sees it, and for
// comparison what the browser does with an empty page.
func (w *work) standing(ctx context.Context, address string) error {
	b, err := open(ctx, 1280, 800)
	if err != nil {
		return err
	}
	defer b.cancel()
	if err := w.idle(b, "blank", "0"); err != nil {
		return err
	}
	if err := b.do(chromedp.Navigate(address + "/")); err != nil {
		return err
	}
	if err := b.until(settled + " && strandscope.state.draws > 3"); err != nil {
		return err
	}
	for _, x := range []struct{ name, command string }{
		{"paused", "strandscope.send('pause')"},
		// What the page sends when its tab is left; the run itself goes on playing.
		{"hidden", "strandscope.send('play'); strandscope.send('show', {visible: false})"},
	} {
		if _, err := eval[int](b, x.command); err != nil {
			return err
		}
		if err := w.idle(b, x.name, "document.getElementById('stage').contentWindow.benchDraws"); err != nil {
			return err
		}
	}
	return nil
}

// idle lets five seconds pass and counts draw calls and processor time. counter tells the
// calls so far.
func (w *work) idle(b *browser, name, counter string) error {
	time.Sleep(2 * time.Second)
	before, err := eval[int](b, counter)
	if err != nil {
		return err
	}
	start, used := time.Now(), cpuTime(b.pid)
	time.Sleep(5 * time.Second)
	passed, more := time.Since(start), cpuTime(b.pid)-used
	after, err := eval[int](b, counter)
	if err != nil {
		return err
	}
	if before == 0 && name != "blank" {
		return errors.New("no draw call was counted")
	}
	w.figures["page/"+name+"/draws"] = float64(after - before)
	if used > 0 {
		w.figures["page/"+name+"/cpu"] = 100 * float64(more) / float64(passed)
	}
	return nil
}

// remembered is the memory of a page that has run every built-in scenario for a while:
// WebAssembly's, which never gets less, and that of the page's scripts.
func (w *work) remembered(ctx context.Context, address string) error {
	b, err := open(ctx, 1280, 800)
	if err != nil {
		return err
	}
	defer b.cancel()
	if err := b.do(chromedp.Navigate(address + "/")); err != nil {
		return err
	}
	for _, x := range sim.Library() {
		if err := b.load(x.ID); err != nil {
			return err
		}
		if _, err := eval[int](b, highest); err != nil {
			return err
		}
		time.Sleep(2 * time.Second)
	}
	sizes, err := eval[[]float64](b, "[document.getElementById('stage').contentWindow.benchMemory.buffer.byteLength, performance.memory.usedJSHeapSize]")
	if err != nil {
		return err
	}
	w.figures["page/memory"], w.figures["page/memory/wasm"] = (sizes[0]+sizes[1])*megabyte, sizes[0]*megabyte
	return nil
}

// embeds is what a page with several figures needs.
func (w *work) embeds(ctx context.Context, site string) error {
	hosts := http.NewServeMux()
	hosts.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>host</title><link rel="icon" href="data:,"><style>body { display: grid; grid-template-columns: 1fr 1fr 1fr }</style>
<script>addEventListener('alive', (e) => { e.target.dataset.alive = e.detail; }, true)</script><script src="%s/web/embed.js"></script><body>`, site)
		for range map[string]int{"/1": 1, "/4": 4, "/6": 6}[r.URL.Path] {
			fmt.Fprint(w, `<strand-scope scenario="t2000-unset" start="10s" autoplay></strand-scope>`)
		}
	})
	host, stop, err := serve(hosts)
	if err != nil {
		return err
	}
	defer stop()
	used := map[int]int64{}
	for _, n := range []int{1, 4, 6} {
		if err := func() error {
			b, err := open(ctx, 1500, 1300)
			if err != nil {
				return err
			}
			defer b.cancel()
			if err := b.do(chromedp.Navigate(fmt.Sprint(host, "/", n))); err != nil {
				return err
			}
			const alive = "[...document.querySelectorAll('strand-scope')].filter((e) => e.dataset.alive === 'true').length"
			if err := b.until(fmt.Sprintf("%s >= %d", alive, min(n, 4))); err != nil {
				return err
			}
			time.Sleep(10 * time.Second)
			if n == 6 {
				is, err := eval[int](b, alive)
				w.figures["page/alive"] = float64(is)
				return err
			}
			used[n] = memoryOf(b.pid)
			return nil
		}(); err != nil {
			return err
		}
	}
	if used[1] > 0 && used[4] > 0 {
		w.figures["page/further"] = float64(used[4]-used[1]) / 3 * megabyte
	}
	return nil
}
