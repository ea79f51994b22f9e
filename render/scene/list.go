package scene

import "strandscope/render/geom"

// Sub is the number of line units in a device pixel. Points of lines are given
// in sixteenths, or slow curves would climb in steps.
const Sub = 16

// Op says what an Item draws.
type Op uint8

// The operations.
const (
	RectOp Op = iota
	LineOp
	TextOp
	ClipOp
)

// Dash is a pattern of a line.
type Dash uint8

// The dashes.
const (
	Solid Dash = iota
	Dashed
	Dotted
)

// Align says which part of a text stands at its x.
type Align uint8

// The alignments.
const (
	Left Align = iota
	Center
	Right
)

// Box is the style of a rectangle. A colour with alpha 0 draws nothing.
type Box struct {
	Fill   Color
	Border Color // drawn inside the rectangle
	Width  int   // of the border in device pixels; 0 means 1
	Radius int   // of the corners in device pixels
	// Hatch strokes the inside with diagonals of one device pixel per
	// HatchWidth, HatchPitch apart: the sign for idle beside waiting work.
	Hatch      Color
	HatchPitch int
	HatchWidth int
}

// Stroke is the style of a line.
type Stroke struct {
	Color Color
	Width int // device pixels × Sub
	Dash  Dash
	Unit  int // length of a dash in device pixels; 0 means three times the width
}

// Style is the style of a text.
type Style struct {
	Font  Font
	Color Color
	Align Align
}

// Item is one entry of a list. Which fields count depends on Op.
type Item struct {
	Op     Op
	Rect   geom.Rect // RectOp, ClipOp
	Box    Box       // RectOp
	Stroke Stroke    // LineOp
	Style  Style     // TextOp
	X, Y   int       // TextOp: the aligned x and the baseline
	// from and to cut the points of a line or the octets of a text.
	from, to int
}

// Words puts a text of the picture into the reader's language; what it does not know
// it returns as it is.
type Words func(s string) string

// List is a display list.
type List struct {
	Items   []Item
	metrics Metrics
	words   Words
	points  []geom.Point
	text    []byte
	size    geom.Size
	whole   geom.Size
	origin  geom.Point // what is drawn is moved by it
}

// Reset empties the list for a picture of the given size, keeping its storage.
func (l *List) Reset(size geom.Size, m Metrics) {
	l.Items, l.points, l.text = l.Items[:0], l.points[:0], l.text[:0]
	l.metrics, l.size = m, size
	l.whole, l.origin = size, geom.Point{}
}

// Speak lets texts be measured and drawn in another language from now on; nil leaves
// them as they are. Octets (TextBytes) are figures and names, and stay.
func (l *List) Speak(w Words) { l.words = w }

// Say is a text in the reader's language.
func (l *List) Say(s string) string {
	if l.words == nil {
		return s
	}
	return l.words(s)
}

// SayBytes is Say for octets; those that have to be said are new.
func (l *List) SayBytes(s []byte) []byte {
	if l.words == nil {
		return s
	}
	return []byte(l.words(string(s)))
}

// Within lets what follows draw in a part of the picture as if that were all of it,
// until the next Within or Everywhere.
func (l *List) Within(r geom.Rect) {
	l.origin, l.size = geom.Point{X: r.X, Y: r.Y}, geom.Size{W: r.W, H: r.H}
	l.Unclip()
}

// Everywhere ends a Within.
func (l *List) Everywhere() { l.Within(geom.Rect{W: l.whole.W, H: l.whole.H}) }

func (l *List) moved(r geom.Rect) geom.Rect {
	r.X += l.origin.X
	r.Y += l.origin.Y
	return r
}

// Size is the size of the picture.
func (l *List) Size() geom.Size { return l.size }

// Grow makes the picture higher by so many device pixels, for what stands below.
func (l *List) Grow(h int) { l.size.H += h }

// Metrics is what measures the list's texts.
func (l *List) Metrics() Metrics { return l.metrics }

// Rect draws a rectangle. Empty ones are left out.
func (l *List) Rect(r geom.Rect, b Box) {
	if r.Empty() {
		return
	}
	l.Items = append(l.Items, Item{Op: RectOp, Rect: l.moved(r), Box: b})
}

// Fill draws a plain rectangle.
func (l *List) Fill(r geom.Rect, c Color) { l.Rect(r, Box{Fill: c}) }

// Line draws a polyline through points in units of 1/Sub device pixel.
func (l *List) Line(s Stroke, points ...geom.Point) {
	l.BeginLine()
	for _, p := range points {
		l.points = append(l.points, l.moving(p.X, p.Y))
	}
	l.EndLine(s)
}

// BeginLine begins a polyline to be given point by point.
func (l *List) BeginLine() {
	l.Items = append(l.Items, Item{Op: LineOp, from: len(l.points)})
}

// To adds a point, in units of 1/Sub device pixel, to the line begun. A point
// equal to the one before is left out.
func (l *List) To(x, y int) {
	p := l.moving(x, y)
	if n := len(l.points); n > l.Items[len(l.Items)-1].from && l.points[n-1] == p {
		return
	}
	l.points = append(l.points, p)
}

func (l *List) moving(x, y int) geom.Point {
	return geom.Point{X: x + l.origin.X*Sub, Y: y + l.origin.Y*Sub}
}

// EndLine ends the line begun. A line of fewer than two points is left out.
func (l *List) EndLine(s Stroke) {
	it := &l.Items[len(l.Items)-1]
	it.Stroke, it.to = s, len(l.points)
	if it.to-it.from < 2 {
		l.points = l.points[:it.from]
		l.Items = l.Items[:len(l.Items)-1]
	}
}

// Text draws a text with its baseline at y.
func (l *List) Text(st Style, x, y int, s string) {
	from := len(l.text)
	l.text = append(l.text, l.Say(s)...)
	l.endText(st, x, y, from)
}

// TextBytes is Text for octets, which it copies: labels built in a buffer on
// the stack cost no allocation.
func (l *List) TextBytes(st Style, x, y int, s []byte) {
	from := len(l.text)
	l.text = append(l.text, s...)
	l.endText(st, x, y, from)
}

func (l *List) endText(st Style, x, y, from int) {
	if from == len(l.text) {
		return
	}
	l.Items = append(l.Items, Item{Op: TextOp, Style: st, X: x + l.origin.X, Y: y + l.origin.Y, from: from, to: len(l.text)})
}

// Clip limits what follows to r, until the next Clip or Unclip.
func (l *List) Clip(r geom.Rect) {
	l.Items = append(l.Items, Item{Op: ClipOp, Rect: l.moved(r)})
}

// Unclip ends a Clip.
func (l *List) Unclip() { l.Clip(geom.Rect{W: l.size.W, H: l.size.H}) }

// Points are the points of a LineOp.
func (l *List) Points(it *Item) []geom.Point { return l.points[it.from:it.to] }

// Bytes is the text of a TextOp.
func (l *List) Bytes(it *Item) []byte { return l.text[it.from:it.to] }

// Width measures a text.
func (l *List) Width(f Font, s string) int { return Width(l.metrics, f, l.Say(s)) }

// Bounds is the rectangle that an item may colour. A text reaches from its
// ascent, taken as the font's size, to a quarter of that below the baseline.
func (l *List) Bounds(it *Item) geom.Rect {
	switch it.Op {
	case TextOp:
		w := Width(l.metrics, it.Style.Font, l.Bytes(it))
		size := int(it.Style.Font.Size+Unit-1) / Unit
		return geom.Rect{X: it.Left(w), Y: it.Y - size, W: w, H: size + size/4}
	case LineOp:
		return lineBounds(l.Points(it), it.Stroke.Width)
	case RectOp, ClipOp:
	}
	return it.Rect
}

// Left is the x where a text of width w begins.
func (it *Item) Left(w int) int {
	switch it.Style.Align {
	case Left:
	case Center:
		return it.X - w/2
	case Right:
		return it.X - w
	}
	return it.X
}

func lineBounds(points []geom.Point, width int) geom.Rect {
	lo, hi := points[0], points[0]
	for _, p := range points {
		lo.X, lo.Y = min(lo.X, p.X), min(lo.Y, p.Y)
		hi.X, hi.Y = max(hi.X, p.X), max(hi.Y, p.Y)
	}
	half := width / 2
	x, y := floorDiv(lo.X-half, Sub), floorDiv(lo.Y-half, Sub)
	return geom.Rect{X: x, Y: y, W: -floorDiv(-hi.X-half, Sub) - x, H: -floorDiv(-hi.Y-half, Sub) - y}
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}
