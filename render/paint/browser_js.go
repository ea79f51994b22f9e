//go:build js

package paint

import (
	"math"
	"strconv"
	"syscall/js"

	"strandscope/render/scene"
)

// families are the page's own font stacks (web/style.css), so that the picture
// and the controls around it are set in one type.
var families = [...]string{
	scene.Sans: `system-ui, "DejaVu Sans", sans-serif`,
	scene.Mono: `ui-monospace, "DejaVu Sans Mono", monospace`,
}

// browser draws glyphs with a 2D canvas of the browser.
type browser struct {
	canvas, context js.Value
	w, h            int
	font            scene.Font
	set             bool
	bytes           []byte // RGBA as read back
	alpha           []byte
}

// BrowserRasterizer returns a rasterizer that uses the browser's fonts. It
// works without a document too, as in a worker.
func BrowserRasterizer() Rasterizer {
	r := &browser{}
	if off := js.Global().Get("OffscreenCanvas"); off.Truthy() {
		r.canvas = off.New(1, 1)
		r.context = r.context2D()
	}
	if !r.context.Truthy() { // Safari before 16.4 has none, or none with 2D
		r.canvas = js.Global().Get("document").Call("createElement", "canvas")
		r.context = r.context2D()
	}
	r.resize(64, 64)
	return r
}

func (r *browser) context2D() js.Value {
	options := js.Global().Get("Object").New()
	options.Set("willReadFrequently", true) // keeps the canvas in main memory
	return r.canvas.Call("getContext", "2d", options)
}

// resize makes the canvas larger, which resets all its state.
func (r *browser) resize(w, h int) {
	r.w, r.h, r.set = w, h, false
	r.canvas.Set("width", w)
	r.canvas.Set("height", h)
}

func (r *browser) use(f scene.Font) {
	if r.set && r.font == f {
		return
	}
	weight := "400 "
	if f.Bold {
		weight = "600 "
	}
	size := strconv.FormatFloat(float64(f.Size)/scene.Unit, 'f', 3, 64)
	r.context.Set("font", weight+size+"px "+families[f.Family])
	// Browsers thicken dark text and thin out light text a little. One mask
	// serves both here, so it is taken from the middle.
	r.context.Set("fillStyle", "#808080")
	r.font, r.set = f, true
}

// Advance implements Rasterizer.
func (r *browser) Advance(f scene.Font, c rune) int {
	r.use(f)
	width := r.context.Call("measureText", string(c)).Get("width").Float()
	return int(math.Round(width * scene.Unit))
}

// Rasterize implements Rasterizer.
func (r *browser) Rasterize(f scene.Font, c rune) Glyph {
	r.use(f)
	text := string(c)
	m := r.context.Call("measureText", text)
	side := func(name string) float64 { return m.Get("actualBoundingBox" + name).Float() }
	left, right, up, down := side("Left"), side("Right"), side("Ascent"), side("Descent")
	if !(left+right > 0 && up+down > 0) { // a blank, or not a number
		return Glyph{}
	}
	// A pixel on each side for what hinting and soft edges add.
	g := Glyph{X: int(math.Floor(-left)) - 1, Y: int(math.Floor(-up)) - 1}
	g.W, g.H = int(math.Ceil(right))+1-g.X, int(math.Ceil(down))+1-g.Y
	if g.W > 512 || g.H > 512 {
		return Glyph{} // no theme asks for such letters
	}
	if g.W > r.w || g.H > r.h {
		r.resize(max(g.W, r.w), max(g.H, r.h))
		r.use(f)
	}
	r.context.Call("clearRect", 0, 0, r.w, r.h)
	r.context.Call("fillText", text, -g.X, -g.Y)
	data := r.context.Call("getImageData", 0, 0, g.W, g.H).Get("data")
	n := g.W * g.H
	if cap(r.bytes) < 4*n {
		r.bytes, r.alpha = make([]byte, 4*n), make([]byte, n)
	}
	js.CopyBytesToGo(r.bytes[:4*n], data)
	g.Alpha = r.alpha[:n]
	for i := range g.Alpha {
		g.Alpha[i] = r.bytes[4*i+3]
	}
	return g
}
