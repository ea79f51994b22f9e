package clock_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
)

// keys lists keys in their order: each differs from the one before in one part
// only, and every less important part points the other way.
var keys = []clock.Key{
	{At: -5, Order: 9, Tie: 9, Seq: 9},
	{At: 0, Order: 0, Tie: -1, Seq: 9},
	{At: 0, Order: 0, Tie: 3, Seq: 8},
	{At: 0, Order: 0, Tie: 3, Seq: 9},
	{At: 0, Order: 1, Tie: -7, Seq: 1},
	{At: 0, Order: 255, Tie: -7, Seq: 0},
	{At: 1, Order: 0, Tie: -9, Seq: 0},
	{At: clock.Never, Order: 0, Tie: 0, Seq: 0},
}

func TestKeysAreOrderedByTimeThenOrderThenTieThenSequence(t *testing.T) {
	for i, a := range keys {
		for j, b := range keys {
			assert.Equal(t, i < j, a.Less(&b), "%+v before %+v", a, b)
		}
	}
}

func TestOfTwoDifferentKeysExactlyOneComesFirst(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	random := func() clock.Key {
		return clock.Key{
			At: clock.Time(r.IntN(3)), Order: clock.Order(r.IntN(3)), Tie: int32(r.IntN(3)) - 1, Seq: uint64(r.IntN(3)),
		}
	}
	for range 20_000 {
		a, b, c := random(), random(), random()
		if a == b {
			assert.False(t, a.Less(&b) || b.Less(&a), "%+v is not before itself", a)
			continue
		}
		assert.NotEqual(t, a.Less(&b), b.Less(&a), "%+v and %+v", a, b)
		if a.Less(&b) && b.Less(&c) {
			assert.True(t, a.Less(&c), "%+v, %+v, %+v", a, b, c)
		}
	}
}

func TestAQueueGivesEventsInTheOrderOfASortedList(t *testing.T) {
	type event struct {
		key clock.Key
		val int
	}
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 0))
		var q clock.Queue[int]
		var sorted []event
		seq := uint64(0)
		for op := range 2000 {
			if r.IntN(5) < 3 || len(sorted) == 0 {
				seq++
				k := clock.Key{At: clock.Time(r.IntN(50)), Order: clock.Order(r.IntN(3)), Tie: int32(r.IntN(4)), Seq: seq}
				q.Push(k.At, k.Order, k.Tie, op)
				i, _ := slices.BinarySearchFunc(sorted, k, func(e event, k clock.Key) int {
					if e.key.Less(&k) {
						return -1
					}
					return 1
				})
				sorted = slices.Insert(sorted, i, event{k, op})
			} else {
				next, ok := q.Peek()
				require.True(t, ok)
				key, val := q.Pop()
				want := sorted[0]
				require.Equal(t, want, event{key, val}, "seed %d, operation %d", seed, op)
				require.Equal(t, want.key, next, "what is seen first comes first")
				sorted = sorted[1:]
			}
			require.Equal(t, len(sorted), q.Len())
		}
	}
}

func TestEventsOfEqualRankComeInTheOrderInWhichTheyWereAdded(t *testing.T) {
	var q clock.Queue[int]
	for i := range 1000 {
		q.Push(7, 1, 2, i)
	}
	for i := range 1000 {
		_, v := q.Pop()
		require.Equal(t, i, v)
	}
}

func TestAnEmptyQueueHasNothingToShow(t *testing.T) {
	var q clock.Queue[string]
	key, ok := q.Peek()
	assert.False(t, ok)
	assert.Equal(t, clock.Never, key.At)
	assert.Zero(t, q.Len())
	q.Push(1, 0, 0, "x")
	q.Pop()
	_, ok = q.Peek()
	assert.False(t, ok)
	assert.Panics(t, func() { q.Pop() })
}

func TestPruningKeepsWhatIsWantedInItsOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	var whole, pruned clock.Queue[int]
	for i := range 500 {
		at, tie := clock.Time(r.IntN(40)), int32(r.IntN(3))
		whole.Push(at, 0, tie, i)
		pruned.Push(at, 0, tie, i)
	}
	pruned.Prune(func(v int) bool { return v%3 == 0 })
	assert.Equal(t, 167, pruned.Len())
	for pruned.Len() > 0 {
		k, v := whole.Pop()
		if v%3 != 0 {
			continue
		}
		key, val := pruned.Pop()
		require.Equal(t, k, key)
		require.Equal(t, v, val)
	}
}

func TestAQueueAllocatesNothingOnceItHasGrown(t *testing.T) {
	var q clock.Queue[[3]int64]
	for i := range 100 {
		q.Push(clock.Time(i), 0, 0, [3]int64{})
	}
	n := testing.AllocsPerRun(100, func() {
		_, v := q.Pop()
		q.Push(1000, 0, 0, v)
	})
	assert.Zero(t, n)
}
