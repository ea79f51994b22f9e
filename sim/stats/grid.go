package stats

import (
	"math/bits"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
)

// gridBlock is how many buckets a block of a grid has.
const gridBlock = 64

// gridSum is a bucket: its sums are those up to its end, and its thread had the longest stay within it.
type gridSum struct {
	Sums
	thread sched.ThreadID
	best   clock.Duration
}

// grid keeps sums up to each whole multiple of its step over a whole run. When
// buckets are too many, two become one.
type grid struct {
	step clock.Duration
	most int
	blocks[gridSum, [gridBlock]gridSum]
}

// next is when the next bucket ends.
func (g *grid) next() clock.Time { return clock.Time(int64(g.step) * int64(g.n()+1)) }

// push adds the bucket that ends at next.
func (g *grid) push(b gridSum) {
	g.blocks.push(b)
	if n := g.n(); n >= g.most && n%2 == 0 {
		g.halve()
	}
}

// halve builds the grid anew, since blocks may be shared.
func (g *grid) halve() {
	h := grid{step: 2 * g.step, most: g.most}
	for i := 0; i < g.n(); i += 2 {
		a, b := g.get(i), *g.get(i + 1)
		if a.best > b.best {
			b.thread, b.best = a.thread, a.best
		}
		h.blocks.push(b)
	}
	*g = h
}

// upTo are the sums up to a time that lies within the grid or before a later
// moment whose sums are known. Between buckets they grow evenly.
func (g *grid) upTo(t, later clock.Time, known Sums) Sums {
	i := int(int64(t) / int64(g.step)) // buckets that end at t or before
	var a Sums
	var from clock.Time
	if k := min(i, g.n()); k > 0 {
		a, from = g.get(k-1).Sums, clock.Time(int64(g.step)*int64(k))
	}
	to, b := later, known
	if i < g.n() {
		if end := clock.Time(int64(g.step) * int64(i+1)); end <= later {
			to, b = end, g.get(i).Sums
		}
	}
	if t <= from || to <= from {
		return a
	}
	d := b.Minus(a)
	part, whole := min(t, to).Sub(from), to.Sub(from)
	a.Add(Sums{
		share(d.User, part, whole), share(d.System, part, whole), share(d.Beside, part, whole),
		share(d.Off, part, whole), int64(share(clock.Duration(d.Switches), part, whole)),
	})
	return a
}

// longest is the thread of the longest stay in the buckets that a span touches.
func (g *grid) longest(from, to clock.Time) (th sched.ThreadID, best clock.Duration) {
	th = sched.None
	last := min(int(int64(to-1)/int64(g.step)), g.n()-1)
	for i := int(int64(from) / int64(g.step)); i <= last; i++ {
		if b := g.get(i); b.best > best {
			th, best = b.thread, b.best
		}
	}
	return th, best
}

// share is d·part/whole for values that are not negative and part ≤ whole.
func share(d, part, whole clock.Duration) clock.Duration {
	hi, lo := bits.Mul64(uint64(max(0, d)), uint64(part))
	q, _ := bits.Div64(hi, lo, uint64(whole))
	return clock.Duration(q)
}
