package geom

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"strandscope/sim/clock"
)

func TestColumnsShareTheWidthAndEndAtTheEdge(t *testing.T) {
	for width := 50; width < 400; width += 7 {
		r := Rect{10, 0, width, 20}
		for n := 1; n < 9; n++ {
			at, least, most := r.X, width, 0
			for i := range n {
				c := r.Column(i, n, 4)
				assert.Equal(t, at, c.X, "column %d of %d in %d", i, n, width)
				at = c.Right() + 4
				least, most = min(least, c.W), max(most, c.W)
			}
			assert.Equal(t, r.Right(), at-4)
			assert.LessOrEqual(t, most-least, 1)
		}
	}
}

func TestCutsLoseNothing(t *testing.T) {
	r := Rect{3, 5, 100, 60}
	top, rest := r.CutTop(22)
	assert.Equal(t, Rect{3, 5, 100, 22}, top)
	assert.Equal(t, Rect{3, 27, 100, 38}, rest)
	bottom, rest := r.CutBottom(70)
	assert.Equal(t, r, bottom)
	assert.True(t, rest.Empty())
	left, rest := r.CutLeft(40)
	assert.Equal(t, rest.X, left.Right())
	right, rest := r.CutRight(40)
	assert.Equal(t, right.X, rest.Right())
	assert.True(t, r.Contains(right))
	assert.Equal(t, Rect{10, 10, 10, 10}, Rect{0, 0, 20, 20}.Intersect(Rect{10, 10, 50, 50}))
}

func TestTimeScaleGoesThereAndBack(t *testing.T) {
	s := TimeScale{From: 0, To: clock.Time(clock.Hour), X: 100, W: 360}
	assert.Equal(t, 100, s.Pixel(0, 1))
	assert.Equal(t, 460, s.Pixel(clock.Time(clock.Hour), 1))
	assert.Equal(t, 280*16, s.Pixel(clock.Time(30*clock.Minute), 16))
	assert.Equal(t, 94, s.Pixel(-clock.Time(clock.Minute), 1), "times before the scale lie left of it")
	for x := 100; x <= 460; x++ {
		assert.Equal(t, x, s.Pixel(s.Time(x), 1))
	}
	year := TimeScale{To: clock.Time(365 * 24 * clock.Hour), W: 1900}
	assert.Equal(t, 950*16, year.Pixel(year.To/2, 16), "no overflow")
}
