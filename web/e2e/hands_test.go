//go:build browser

package e2e

import (
	"context"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// cell is a strand's place on the canvas, in device pixels.
type cell struct {
	CPU, X, Y, W, H int
	Busy            bool
	Color           string
}

// cells asks the program where it draws each strand.
func (p *page) cells() []cell {
	p.Helper()
	cells := eval[[]cell](p, `new Promise((done) => { strandscope.on('cells', (m) => done(m.cells)); strandscope.send('cells'); })`)
	require.NotEmpty(p, cells)
	if p.coarse { // they come in device pixels, and hands go by the page's
		for i := range cells {
			c := &cells[i]
			c.X, c.Y, c.W, c.H = 2*c.X, 2*c.Y, 2*c.W, 2*c.H
		}
	}
	return cells
}

type box struct{ x, y, w, h float64 }

// stageBox is where the stage stands in the window, in CSS pixels.
func (p *page) stageBox() box {
	p.Helper()
	b := eval[[]float64](p, `(({x, y, width, height}) => [x, y, width, height])(document.getElementById('stage').getBoundingClientRect())`)
	return box{b[0], b[1], b[2], b[3]}
}

// clickStage clicks at device pixels of the canvas.
func (p *page) clickStage(x, y int) {
	p.Helper()
	b := p.stageBox()
	p.do(chromedp.MouseClickXY(b.x+float64(x), b.y+float64(y)))
}

func (p *page) wheel(x, y, by float64) {
	p.Helper()
	p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, input.DispatchMouseEvent, input.DispatchMouseEventParams{
			Type: input.DispatchMouseEventTypeMouseWheel, X: x, Y: y, DeltaY: by, DeltaX: 1e-9, // nought would be left out, and it must not be
		})
		return err
	}))
}

func (p *page) focus(selector string) {
	p.Helper()
	require.True(p, eval[bool](p, fmt.Sprintf("(document.querySelector(%q).focus(), document.activeElement.matches(%q))", selector, selector)))
}

// choose picks a value of a select as a reader does.
func (p *page) choose(selector, value string) {
	p.Helper()
	p.eval(fmt.Sprintf(`{ const s = document.querySelector(%q); s.value = %q; s.dispatchEvent(new Event('change', {bubbles: true})); }`, selector, value))
	p.settle()
}

// eval runs a statement for its effect.
func (p *page) eval(statement string) {
	p.Helper()
	eval[bool](p, "(() => { "+statement+"; return true; })()")
}

// sleep lets real time pass: only to see that nothing happens meanwhile.
func (p *page) sleep(milliseconds int) { time.Sleep(time.Duration(milliseconds) * time.Millisecond) }

func itoa(n int) string { return fmt.Sprint(n) }

func hex(n uint64) string { return fmt.Sprintf("%016x", n) }
