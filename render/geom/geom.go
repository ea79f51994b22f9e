package geom

import "fmt"

// Point is a place in device pixels, x to the right and y downwards.
type Point struct{ X, Y int }

// In reports whether p lies in r. The right and lower edges are outside.
func (p Point) In(r Rect) bool {
	return p.X >= r.X && p.X < r.X+r.W && p.Y >= r.Y && p.Y < r.Y+r.H
}

// Size is a width and a height.
type Size struct{ W, H int }

// Rect is a rectangle by its upper left corner and its size.
type Rect struct{ X, Y, W, H int }

func (r Rect) String() string { return fmt.Sprintf("%d,%d %d×%d", r.X, r.Y, r.W, r.H) }

// Right is the first x beyond r.
func (r Rect) Right() int { return r.X + r.W }

// Bottom is the first y beyond r.
func (r Rect) Bottom() int { return r.Y + r.H }

// Empty reports whether r holds no pixel.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Inset moves all four edges inwards by d; the result is never negative.
func (r Rect) Inset(d int) Rect { return r.Trim(d, d, d, d) }

// Trim takes pixels off the top, right, bottom and left, as CSS orders them.
func (r Rect) Trim(top, right, bottom, left int) Rect {
	return Rect{r.X + left, r.Y + top, max(0, r.W-left-right), max(0, r.H-top-bottom)}
}

// Contains reports whether s lies wholly in r.
func (r Rect) Contains(s Rect) bool {
	return s.X >= r.X && s.Y >= r.Y && s.Right() <= r.Right() && s.Bottom() <= r.Bottom()
}

// Intersect is the part common to r and s; it is empty if there is none.
func (r Rect) Intersect(s Rect) Rect {
	x, y := max(r.X, s.X), max(r.Y, s.Y)
	return Rect{x, y, max(0, min(r.Right(), s.Right())-x), max(0, min(r.Bottom(), s.Bottom())-y)}
}

// CutTop cuts a strip of height h off the top and returns it with the rest.
func (r Rect) CutTop(h int) (top, rest Rect) {
	h = max(0, min(h, r.H))
	return Rect{r.X, r.Y, r.W, h}, Rect{r.X, r.Y + h, r.W, r.H - h}
}

// CutBottom cuts a strip of height h off the bottom and returns it with the rest.
func (r Rect) CutBottom(h int) (bottom, rest Rect) {
	h = max(0, min(h, r.H))
	return Rect{r.X, r.Y + r.H - h, r.W, h}, Rect{r.X, r.Y, r.W, r.H - h}
}

// CutLeft cuts a strip of width w off the left and returns it with the rest.
func (r Rect) CutLeft(w int) (left, rest Rect) {
	w = max(0, min(w, r.W))
	return Rect{r.X, r.Y, w, r.H}, Rect{r.X + w, r.Y, r.W - w, r.H}
}

// CutRight cuts a strip of width w off the right and returns it with the rest.
func (r Rect) CutRight(w int) (right, rest Rect) {
	w = max(0, min(w, r.W))
	return Rect{r.X + r.W - w, r.Y, w, r.H}, Rect{r.X, r.Y, r.W - w, r.H}
}

// Column is column i of n equal columns of r with gaps between them. Pixels
// that do not divide evenly are spread, so columns differ by one at most and
// the last one ends at r's edge.
func (r Rect) Column(i, n, gap int) Rect {
	a, b := share(r.W, i, n, gap)
	return Rect{r.X + a, r.Y, b - a, r.H}
}

// Row is row i of n equal rows of r with gaps between them.
func (r Rect) Row(i, n, gap int) Rect {
	a, b := share(r.H, i, n, gap)
	return Rect{r.X, r.Y + a, r.W, b - a}
}

// Cell is the cell of a grid of cols × rows with the same gap both ways.
func (r Rect) Cell(col, cols, row, rows, gap int) Rect {
	return r.Column(col, cols, gap).Row(row, rows, gap)
}

func share(total, i, n, gap int) (from, to int) {
	body := max(0, total-gap*(n-1))
	return body*i/n + gap*i, body*(i+1)/n + gap*i
}

// CeilDiv is a/b rounded up, for counting rows.
func CeilDiv(a, b int) int { return (a + b - 1) / b }
