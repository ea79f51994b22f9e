//go:build browser

package e2e

import (
	"fmt"
	"image"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestOnAPhoneNothingIsBlankOrCutOff scrolls through the page and turns the
// phone, in both themes: each time every cell in sight has the colour it should
// have, and no part of the picture is empty.
func TestOnAPhoneNothingIsBlankOrCutOff(t *testing.T) {
	p := open(t, look{sharp: true, noPlay: true, width: 390, height: 844})
	p.at(31)
	for _, theme := range []string{"dark", "light"} {
		p.theme(theme)
		for turn, size := range [][2]int64{{390, 844}, {844, 390}, {390, 844}} {
			p.resize(size[0], size[1])
			p.until(fmt.Sprintf("innerWidth === %d && strandscope.settled", size[0]))
			assert.Equal(t, size[0], eval[int64](p, "document.documentElement.scrollWidth"), "scrolls sideways")
			assert.Empty(t, eval[[]string](p, outside), "cut off at %d", size[0])
			assert.GreaterOrEqual(t, eval[int](p, "document.getElementById('stage').clientHeight"), eval[int](p, "strandscope.state.height"))
			seen := map[int]bool{}
			end := eval[int](p, "document.documentElement.scrollHeight - innerHeight")
			for _, y := range []int{0, end / 10, end / 5, end * 3 / 10, end * 2 / 5, end / 2, end * 3 / 5, end * 7 / 10, end * 4 / 5, end * 9 / 10, end, end / 3, 0} {
				p.eval(fmt.Sprintf("scrollTo(0, %d)", y))
				p.until("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(strandscope.settled))))")
				picture := p.screenshot()
				p.cellsInSight(picture, seen)
				p.noGap(picture, fmt.Sprintf("%s, turn %d, scrolled to %d of %d", theme, turn, y, end))
				if y == end/3 || y == end {
					p.keep(fmt.Sprintf("phone-%d-%s-%d", size[0], theme, y*100/max(1, end)))
				}
			}
			assert.Len(t, seen, 32, "every strand was seen")
		}
	}
	p.send("play", "{}")
	for _, size := range [][2]int64{{844, 390}, {390, 844}} {
		p.resize(size[0], size[1])
		p.until(fmt.Sprintf("innerWidth === %d && strandscope.settled", size[0]))
		p.noGap(p.screenshot(), "turned while the run plays")
	}
}

// cellsInSight checks the colours of the cells that are wholly in the window.
func (p *page) cellsInSight(picture image.Image, seen map[int]bool) {
	p.Helper()
	box, size := p.stageBox(), picture.Bounds().Size()
	for _, c := range p.cells() {
		x, y := int(box.x)+c.X, int(box.y)+c.Y
		if y < 0 || y+c.H > size.Y {
			continue
		}
		seen[c.CPU] = true
		assert.Equal(p, c.Color, common(picture, x+c.W*6/10, y+8, 8), "cpu%d at %d, %d", c.CPU, x, y)
	}
}

// noGap looks for rows of the stage without anything on them: panels stand so
// close that there are never many.
func (p *page) noGap(picture image.Image, where string) {
	p.Helper()
	box, size := p.stageBox(), picture.Bounds().Size()
	empty, most, at := 0, 0, 0
	for y := max(0, int(box.y)); y < min(size.Y, int(box.y+box.h)); y++ {
		plain := true
		first := picture.At(int(box.x), y)
		for x := int(box.x); x < min(size.X, int(box.x+box.w)) && plain; x += 2 {
			plain = picture.At(x, y) == first
		}
		if empty++; !plain {
			empty = 0
		}
		if empty > most {
			most, at = empty, y
		}
	}
	assert.LessOrEqual(p, most, 40, "%s: nothing is drawn on %d rows up to %d", where, most, at)
}
