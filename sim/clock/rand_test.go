package clock_test

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
)

func draw(r clock.Rand, n int) []uint64 {
	var list []uint64
	for range n {
		list = append(list, r.Uint64())
	}
	return list
}

// The first outputs of SplitMix64 from state 0 are published with the
// algorithm; a zero Rand is that state.
func TestTheGeneratorIsSplitMix64(t *testing.T) {
	assert.Equal(t, []uint64{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f}, draw(clock.Rand{}, 3))
}

// A scenario's digest depends on these values: they must never change.
func TestStreamsArePinned(t *testing.T) {
	for _, c := range []struct {
		seed, stream uint64
		want         []uint64
	}{
		{0, 0, []uint64{0xa61a689af2561417, 0x833ba85dda04d9de}},
		{2008, 0, []uint64{0x8a7b28cd73b70be7, 0x6e2850184496cca3}},
		{2008, 1 << 32, []uint64{0x13991a9a7b043996, 0xa31e6dbd62d74724}},
	} {
		assert.Equal(t, c.want, draw(clock.NewRand(c.seed, c.stream), 2), "seed %d, stream %d", c.seed, c.stream)
	}
}

func TestStreamsOfOneSeedDoNotRepeatEachOther(t *testing.T) {
	seen := map[uint64]bool{}
	for _, seed := range []uint64{0, 1, 2008} {
		for stream := range uint64(64) {
			for _, v := range draw(clock.NewRand(seed, stream), 64) {
				require.False(t, seen[v], "seed %d, stream %d gives %x again", seed, stream, v)
				seen[v] = true
			}
		}
	}
}

func TestBitsAreEvenlySetAndNeighbouringStreamsDiffer(t *testing.T) {
	set, differ := 0, 0
	a, b := draw(clock.NewRand(7, 0), 4000), draw(clock.NewRand(7, 1), 4000)
	for i := range a {
		set += bits.OnesCount64(a[i])
		differ += bits.OnesCount64(a[i] ^ b[i])
	}
	assert.InDelta(t, 32, float64(set)/4000, 0.3)
	assert.InDelta(t, 32, float64(differ)/4000, 0.3)
}

func TestDrawingFromOneStreamLeavesAnotherAlone(t *testing.T) {
	a, b := clock.NewRand(1, 1), clock.NewRand(1, 2)
	want := draw(b, 5)
	draw(a, 1)
	a.Uint64()
	assert.Equal(t, want, draw(b, 5))
}

func TestInt63nStaysBelowItsBound(t *testing.T) {
	r := clock.NewRand(5, 5)
	var counts [7]int
	for range 7000 {
		v := r.Int63n(7)
		require.GreaterOrEqual(t, v, int64(0))
		require.Less(t, v, int64(7))
		counts[v]++
	}
	for v, n := range counts {
		assert.InDelta(t, 1000, n, 150, "value %d", v)
	}
	for range 1000 {
		require.GreaterOrEqual(t, r.Int63n(1<<63-1), int64(0))
	}
	assert.Zero(t, r.Int63n(1))
}
