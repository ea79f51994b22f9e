package outline_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/render/paint/outline"
	"strandscope/render/scene"
)

func TestGlyphsHaveInkWhereTheyShould(t *testing.T) {
	r, err := outline.New()
	require.NoError(t, err)
	small, large := scene.Font{Size: 12 * scene.Unit}, scene.Font{Size: 24 * scene.Unit}
	ink := func(f scene.Font, c rune) (sum, w, h int) {
		g := r.Rasterize(f, c)
		require.Len(t, g.Alpha, g.W*g.H)
		for _, a := range g.Alpha {
			sum += int(a)
		}
		return sum, g.W, g.H
	}
	m, w, h := ink(small, 'M')
	assert.Positive(t, m)
	m2, w2, h2 := ink(large, 'M')
	assert.InDelta(t, 4, float64(m2)/float64(m), 0.3, "twice as large in both directions")
	assert.Greater(t, w2, w)
	assert.Greater(t, h2, h)
	bold, _, _ := ink(scene.Font{Size: 12 * scene.Unit, Bold: true}, 'M')
	assert.Greater(t, bold, m)
	assert.Negative(t, r.Rasterize(small, 'M').Y, "it stands on the line")

	mono := scene.Font{Family: scene.Mono, Size: 12 * scene.Unit}
	assert.Equal(t, r.Advance(mono, 'i'), r.Advance(mono, 'W'))
	assert.Less(t, r.Advance(small, 'i'), r.Advance(small, 'W'))
	assert.Zero(t, r.Rasterize(small, ' ').W)
	for _, c := range "×−·→äöü" {
		n, _, _ := ink(small, c)
		assert.Positive(t, n, string(c))
	}
}
