package geom

import (
	"math/bits"

	"strandscope/sim/clock"
)

// TimeScale turns simulated time into pixels and back. It is the only place
// where that is done, so that everything drawn over time agrees to the pixel.
type TimeScale struct {
	From, To clock.Time // shown at X and at X+W
	X, W     int
}

// Pixel is the x of a time in units of 1/sub pixel. Times outside the scale
// give places outside it.
func (s TimeScale) Pixel(t clock.Time, sub int) int {
	span := int64(s.To - s.From)
	if span <= 0 {
		return s.X * sub
	}
	return s.X*sub + int(mulDiv(int64(t-s.From), int64(s.W*sub), span))
}

// Time is the time at an x.
func (s TimeScale) Time(x int) clock.Time {
	if s.W <= 0 {
		return s.From
	}
	return s.From + clock.Time(mulDiv(int64(x-s.X), int64(s.To-s.From), int64(s.W)))
}

// mulDiv is a·b/c rounded down for b ≥ 0 and c > 0, without overflow in the
// product: nanoseconds of a simulated year times pixels need more than 63 bits.
func mulDiv(a, b, c int64) int64 {
	neg := a < 0
	u := uint64(a)
	if neg {
		u = -u
	}
	hi, lo := bits.Mul64(u, uint64(b))
	q, r := bits.Div64(hi%uint64(c), lo, uint64(c))
	if !neg {
		return int64(q)
	}
	if r > 0 {
		q++
	}
	return -int64(q)
}
