package linuxfair

import (
	"math/rand/v2"
	"sort"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// check returns the number of black nodes on each way down from e, and fails where the
// tree is none.
func check(t *testing.T, e *Entity) int {
	if e == nil {
		return 0
	}
	least := e.V
	for side, c := range e.child {
		if c == nil {
			continue
		}
		require.Same(t, e, c.parent)
		require.False(t, e.red && c.red, "a red node below a red one")
		if side == 0 {
			require.LessOrEqual(t, c.key, e.key)
		} else {
			require.GreaterOrEqual(t, c.key, e.key)
		}
		least = min(least, c.minV)
	}
	require.Equal(t, least, e.minV, "the least V below and here")
	a, b := check(t, e.child[0]), check(t, e.child[1])
	require.Equal(t, a, b, "as many black nodes on each side")
	if e.red {
		return a
	}
	return a + 1
}

func TestATreeKeepsItsEntitiesInOrder(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 9))
		var tree Tree
		var in []*Entity // in order: by key, then by when they came
		for range 400 {
			if len(in) > 0 && r.IntN(100) < 48 {
				i := r.IntN(len(in))
				tree.Remove(in[i])
				in = append(in[:i], in[i+1:]...)
			} else {
				e := &Entity{V: r.Int64N(100), Slice: r.Int64N(5)}
				key := r.Int64N(60)
				i := sort.Search(len(in), func(i int) bool { return in[i].key > key })
				tree.Insert(e, key)
				in = append(in[:i], append([]*Entity{e}, in[i:]...)...)
			}
			check(t, tree.Root)
			require.False(t, isRed(tree.Root))
			e := tree.First()
			for i := range in {
				require.Same(t, in[i], e)
				e = tree.Next(e)
			}
			require.Nil(t, e)
			limit := r.Int64N(100)
			var want *Entity
			for _, x := range in {
				if want == nil && x.V <= limit {
					want = x
				}
			}
			require.Same(t, want, tree.FirstWithin(limit))
		}
	}
}

// With equal slices the root's figure is right; with mixed ones it may be out of date,
// as the kernel's is.
func TestTheLeastSliceOfEqualOnesIsRight(t *testing.T) {
	var tree Tree
	_, ok := tree.MinSlice()
	assert.False(t, ok)
	for i := range int64(50) {
		tree.Insert(&Entity{V: i, Slice: 700_000}, i)
	}
	slice, ok := tree.MinSlice()
	assert.True(t, ok)
	assert.Equal(t, int64(700_000), slice)
}

func TestScaleCutsItsFactorTo32Bits(t *testing.T) {
	var nine, zero Entity
	nine.SetNice(9, false)
	zero.SetNice(0, false)
	assert.Equal(t, int64(29_897_809), nine.Virtual(4_000_000), "FACTS §2; division gives 29,897,810")
	assert.Equal(t, int64(4_000_000), zero.Virtual(4_000_000))
	var idle Entity
	idle.SetNice(0, true)
	assert.Equal(t, int64(1_365_333_333), idle.Virtual(4_000_000), "weight 3")
}
