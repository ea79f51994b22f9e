package paint

import (
	"math"

	"strandscope/render/geom"
	"strandscope/render/scene"
)

// corner is the upper left quarter of a disc, or of a ring if width is not 0.
type corner struct{ radius, width int }

// corner returns the sprite of a corner, drawing it at first use.
func (a *Atlas) corner(c corner) (sprite, bool) {
	s, ok := a.corners[c]
	if ok {
		return s, true
	}
	if s, ok = a.place(c.radius, c.radius); !ok {
		return s, false
	}
	for y := range c.radius {
		for x := range c.radius {
			v := coverage(c.radius, c.radius, x, y)
			if c.width > 0 && c.width < c.radius {
				v -= coverage(c.radius, c.radius-c.width, x, y)
			}
			a.Alpha[(s.y+y)*a.Width+s.x+x] = uint8(max(0, v))
		}
	}
	a.corners[c] = s
	return s, true
}

// coverage is how much of pixel x, y the disc of radius r around (at, at)
// covers, 0 to 255, by 16 × 16 samples.
func coverage(at, r, x, y int) int {
	const n = 16
	hits := 0
	for j := range n {
		for i := range n {
			dx, dy := 2*n*(at-x)-2*i-1, 2*n*(at-y)-2*j-1
			if dx*dx+dy*dy <= 4*n*n*r*r {
				hits++
			}
		}
	}
	return hits * 255 / (n * n)
}

// hatch is a cloth of diagonals.
type hatch struct{ pitch, width int }

// clothSize is the size of a cloth in the atlas; larger rectangles are covered
// by several.
const clothSize = 128

// cloth returns the sprite of a hatch, drawing it at first use. Its diagonals
// run where x + y is a multiple of the pitch.
func (a *Atlas) cloth(h hatch) (sprite, bool) {
	s, ok := a.hatches[h]
	if ok {
		return s, true
	}
	if s, ok = a.place(clothSize, clothSize); !ok {
		return s, false
	}
	for y := range clothSize {
		for x := range clothSize {
			// The distance of the pixel's middle from the nearest diagonal.
			d := float64((x+y+1)%h.pitch) / math.Sqrt2
			d = min(d, float64(h.pitch)/math.Sqrt2-d)
			a.Alpha[(s.y+y)*a.Width+s.x+x] = uint8(255 * max(0, min(1, float64(h.width)/2+0.5-d)))
		}
	}
	a.hatches[h] = s
	return s, true
}

// hatch covers a rectangle with a cloth. Its phase is that of the picture, so
// neighbouring rectangles look like cut from one piece.
func (b *Batch) hatch(r geom.Rect, box *scene.Box) {
	h := hatch{min(box.HatchPitch, clothSize/2), max(1, box.HatchWidth)}
	s, ok := b.atlas.cloth(h)
	if !ok {
		return
	}
	step := clothSize - h.pitch
	for y := r.Y; y < r.Bottom(); y += step {
		for x := r.X; x < r.Right(); x += step {
			q := r.Intersect(geom.Rect{X: x, Y: y, W: step, H: step})
			u := s.x + ((x+y)%h.pitch+h.pitch)%h.pitch
			b.quad(boundsOf(q), float32(u), float32(s.y), float32(u+q.W), float32(s.y+q.H), box.Hatch)
		}
	}
}
