package svg

import (
	"strconv"

	"strandscope/render/geom"
	"strandscope/render/scene"
)

// families are the page's own font stacks (web/style.css, render/paint).
var families = [...]string{
	scene.Sans: `system-ui, 'DejaVu Sans', sans-serif`,
	scene.Mono: `ui-monospace, 'DejaVu Sans Mono', monospace`,
}

// writer appends one picture to b.
type writer struct {
	b       []byte
	l       *scene.List
	clipped bool
}

// Append appends a list as an SVG document. Title is its name and desc the same
// facts in words, for those who do not see it.
func Append(b []byte, l *scene.List, title, desc string) []byte {
	w := writer{b: b, l: l}
	size := l.Size()
	w.str(`<svg xmlns="http://www.w3.org/2000/svg"`)
	w.num("width", size.W)
	w.num("height", size.H)
	w.str(` viewBox="0 0 `)
	w.int(size.W)
	w.str(" ")
	w.int(size.H)
	w.str(`" role="img">` + "\n<title>")
	w.text(title)
	w.str("</title>\n<desc>")
	w.text(desc)
	w.str("</desc>\n")
	for i := range l.Items {
		switch it := &l.Items[i]; it.Op {
		case scene.RectOp:
			w.rect(it.Rect, &it.Box)
		case scene.LineOp:
			w.line(l.Points(it), &it.Stroke)
		case scene.TextOp:
			w.label(it)
		case scene.ClipOp:
			w.clip(it.Rect)
		}
	}
	w.unclip()
	w.str("</svg>\n")
	return w.b
}

func (w *writer) str(s string) { w.b = append(w.b, s...) }
func (w *writer) int(n int)    { w.b = strconv.AppendInt(w.b, int64(n), 10) }

// part writes n/of with three decimals at most.
func (w *writer) part(n, of int) {
	thousandths := (n*1000 + of/2) / of
	if n < 0 {
		w.str("-")
		thousandths = (-n*1000 + of/2) / of
	}
	w.int(thousandths / 1000)
	if f := thousandths % 1000; f > 0 {
		digits := [4]byte{'.', byte('0' + f/100), byte('0' + f/10%10), byte('0' + f%10)}
		n := len(digits)
		for digits[n-1] == '0' {
			n--
		}
		w.b = append(w.b, digits[:n]...)
	}
}

func (w *writer) name(name string) {
	w.str(" ")
	w.str(name)
	w.str(`="`)
}

func (w *writer) num(name string, n int) { w.sub(name, n, 1) }

func (w *writer) sub(name string, n, of int) {
	w.name(name)
	w.part(n, of)
	w.str(`"`)
}

func (w *writer) attr(name, value string) {
	w.name(name)
	w.str(value)
	w.str(`"`)
}

// color writes a colour as the attribute and, unless opaque, its opacity.
func (w *writer) color(name string, c scene.Color) {
	const digits = "0123456789abcdef"
	w.name(name)
	w.str("#")
	for _, v := range [...]uint8{c.R, c.G, c.B} {
		w.b = append(w.b, digits[v>>4], digits[v&15])
	}
	w.str(`"`)
	if c.A < 255 {
		w.sub(name+"-opacity", int(c.A), 255)
	}
}

// text writes characters so that a reader of XML gets them back. What XML does not
// allow becomes the sign for that, as do octets that are no UTF-8.
func (w *writer) text(s string) {
	for _, r := range s {
		switch {
		case r == '&':
			w.str("&amp;")
		case r == '<':
			w.str("&lt;")
		case r == '>':
			w.str("&gt;")
		case r < ' ' && r != '\n' && r != '\t', r == 0xfffe, r == 0xffff:
			w.str("\uFFFD")
		default:
			w.b = append(w.b, string(r)...)
		}
	}
}

func (w *writer) clip(r geom.Rect) {
	w.unclip()
	size := w.l.Size()
	if r.X <= 0 && r.Y <= 0 && r.Right() >= size.W && r.Bottom() >= size.H {
		return
	}
	// An svg within an svg cuts off what leaves it, and needs no identifier for it.
	w.str("<svg")
	w.box(r)
	w.str(` viewBox="`)
	for i, n := range [...]int{r.X, r.Y, max(0, r.W), max(0, r.H)} {
		if i > 0 {
			w.str(" ")
		}
		w.int(n)
	}
	w.str("\">\n")
	w.clipped = true
}

func (w *writer) unclip() {
	if w.clipped {
		w.str("</svg>\n")
	}
	w.clipped = false
}

func (w *writer) box(r geom.Rect) {
	w.num("x", r.X)
	w.num("y", r.Y)
	w.num("width", max(0, r.W))
	w.num("height", max(0, r.H))
}

func (w *writer) rect(r geom.Rect, box *scene.Box) {
	radius := max(0, min(box.Radius, r.W/2, r.H/2))
	width := max(1, box.Width)
	framed := box.Border.A > 0
	hatched := box.Hatch.A > 0 && box.HatchPitch > 0
	if box.Fill.A > 0 {
		w.str("<rect")
		w.box(r)
		if radius > 0 {
			w.num("rx", radius)
		}
		w.color("fill", box.Fill)
		w.str("/>\n")
	}
	if hatched {
		w.hatch(r.Inset(radius*3/10), box)
	}
	if !framed {
		return
	}
	// A stroke lies half on either side of its path; the border lies inside.
	w.str("<rect")
	w.sub("x", 2*r.X+width, 2)
	w.sub("y", 2*r.Y+width, 2)
	w.num("width", max(0, r.W-width))
	w.num("height", max(0, r.H-width))
	if radius > 0 {
		w.sub("rx", max(0, 2*radius-width), 2)
	}
	w.attr("fill", "none")
	w.color("stroke", box.Border)
	if width > 1 {
		w.num("stroke-width", width)
	}
	w.str("/>\n")
}

// hatch strokes diagonals that run where x + y is a multiple of the pitch, so that
// neighbouring rectangles look like cut from one piece.
func (w *writer) hatch(r geom.Rect, box *scene.Box) {
	if r.Empty() {
		return
	}
	w.str(`<svg`)
	w.box(r)
	w.str(`><path d="`)
	pitch := box.HatchPitch
	for x := pitch - ((r.X+r.Y)%pitch+pitch)%pitch; x < r.W+r.H; x += pitch {
		w.str("M")
		w.int(x)
		w.str(" 0L")
		w.int(x - r.H)
		w.str(" ")
		w.int(r.H)
	}
	w.str(`" fill="none"`)
	w.color("stroke", box.Hatch)
	w.num("stroke-width", max(1, box.HatchWidth))
	w.str("/></svg>\n")
}

func (w *writer) line(points []geom.Point, s *scene.Stroke) {
	w.str(`<polyline points="`)
	for i, p := range points {
		if i > 0 {
			w.str(" ")
		}
		w.part(p.X, scene.Sub)
		w.str(",")
		w.part(p.Y, scene.Sub)
	}
	w.str(`" fill="none"`)
	w.color("stroke", s.Color)
	width := max(s.Width, scene.Sub)
	w.sub("stroke-width", width, scene.Sub)
	if s.Dash != scene.Solid {
		unit := s.Unit * scene.Sub
		if unit <= 0 {
			unit = 3 * width
		}
		on, off := 16*unit, 10*unit
		if s.Dash == scene.Dotted {
			on, off = 10*unit, 12*unit
		}
		w.name("stroke-dasharray")
		w.part(on, 10*scene.Sub)
		w.str(" ")
		w.part(off, 10*scene.Sub)
		w.str(`"`)
	}
	w.str("/>\n")
}

func (w *writer) label(it *scene.Item) {
	w.str("<text")
	w.num("x", it.X)
	w.num("y", it.Y)
	switch it.Style.Align {
	case scene.Left:
	case scene.Center:
		w.attr("text-anchor", "middle")
	case scene.Right:
		w.attr("text-anchor", "end")
	}
	f := it.Style.Font
	w.attr("font-family", families[f.Family])
	w.sub("font-size", int(f.Size), scene.Unit)
	if f.Bold {
		w.attr("font-weight", "600")
	}
	w.color("fill", it.Style.Color)
	w.str(` xml:space="preserve">`)
	w.text(string(w.l.Bytes(it)))
	w.str("</text>\n")
}
