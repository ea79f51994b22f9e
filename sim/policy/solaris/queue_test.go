package solaris

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/sched"
)

// naive is a dispatch queue as one would write it without thinking of speed.
type naive struct {
	waiting []waiter // best priority first, first come first within one
}

type waiter struct {
	id    sched.ThreadID
	pri   int
	bound bool
}

func (n *naive) push(w waiter, front bool) {
	i := 0
	for i < len(n.waiting) && (n.waiting[i].pri > w.pri || n.waiting[i].pri == w.pri && !front) {
		i++
	}
	n.waiting = slices.Insert(n.waiting, i, w)
}

func (n *naive) remove(id sched.ThreadID) {
	n.waiting = slices.DeleteFunc(n.waiting, func(w waiter) bool { return w.id == id })
}

func (n *naive) firstUnbound() waiter {
	for _, w := range n.waiting {
		if !w.bound {
			return w
		}
	}
	return waiter{id: sched.None, pri: idlePri}
}

// insert does what the dispatcher does around a push.
func insert(q *dispQueue, w waiter, front bool) {
	q.push(w.id, w.pri, front, w.bound)
	q.maxRun = max(q.maxRun, w.pri)
	if !w.bound {
		q.maxUnbound = max(q.maxUnbound, w.pri)
	}
}

func contents(q *dispQueue) []waiter {
	var list []waiter
	q.visit(nil, func(pri int, ids []sched.ThreadID) {
		for _, id := range ids {
			list = append(list, waiter{id, pri, q.links.At(id).bound})
		}
	})
	return list
}

func TestADispatchQueueAgreesWithANaiveOne(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 5))
		var links sched.Table[link]
		q, model := newDispQueue(0, &links), &naive{}
		some := []int{0, 1, 29, 59, 60, 63, 64, 99, 100, 127, 128, 159, 169}
		var free []sched.ThreadID
		for id := range sched.ThreadID(40) {
			free = append(free, id)
		}
		for op := range 1500 {
			switch n := r.IntN(10); {
			case n < 5 && len(free) > 0:
				i := r.IntN(len(free))
				w := waiter{free[i], some[r.IntN(len(some))], r.IntN(3) == 0}
				free = slices.Delete(free, i, i+1)
				front := r.IntN(2) == 0
				insert(q, w, front)
				model.push(w, front)
			case n < 7 && len(model.waiting) > 0:
				require.Equal(t, model.waiting[0].id, q.first())
				free = append(free, q.first())
				model.remove(q.first())
				q.remove(q.first())
			case n < 8 && len(model.waiting) > 0:
				id := model.waiting[r.IntN(len(model.waiting))].id
				free = append(free, id)
				model.remove(id)
				q.remove(id)
			case n < 9:
				// A thief looks: it gets the best unbound thread there is, or
				// nothing and a better idea of where to look.
				want := model.firstUnbound()
				before := q.maxUnbound
				got := q.bestUnbound()
				if got == sched.None {
					require.True(t, want.id == sched.None || before > want.pri, "seed %d, operation %d", seed, op)
					require.Equal(t, want.pri, q.maxUnbound)
					got = q.bestUnbound()
				}
				require.Equal(t, want.id, got, "seed %d, operation %d", seed, op)
			}
			best := idlePri
			if len(model.waiting) > 0 {
				best = model.waiting[0].pri
			}
			require.Equal(t, best, q.maxRun, "seed %d, operation %d", seed, op)
			require.Equal(t, len(model.waiting), q.n)
			require.GreaterOrEqual(t, q.maxUnbound, model.firstUnbound().pri, "it may be too high, never too low")
			require.LessOrEqual(t, q.maxUnbound, q.maxRun)
			if op%50 != 0 {
				continue
			}
			require.Equal(t, append([]waiter{}, model.waiting...), append([]waiter{}, contents(q)...), "seed %d", seed)
			for pri := range levels {
				n := 0
				for _, w := range model.waiting {
					if w.pri == pri {
						n++
					}
				}
				require.Equal(t, int32(n), q.levels[pri].n)
			}
		}
	}
}

func TestAThreadThatWasRemovedIsInNoQueue(t *testing.T) {
	var links sched.Table[link]
	q := newDispQueue(3, &links)
	insert(q, waiter{7, 59, false}, false)
	assert.Same(t, q, links.At(7).queue)
	q.remove(7)
	assert.Nil(t, links.At(7).queue)
	assert.Equal(t, int32(-1), links.At(7).pri)
	assert.Equal(t, [3]int{0, idlePri, idlePri}, [3]int{q.n, q.maxRun, q.maxUnbound})
	assert.Empty(t, contents(q))
	assert.Equal(t, sched.None, q.bestUnbound())
}

// order is a Disp in which threads are numbered as their ids.
type order struct {
	fakeDisp
	threads []*sched.Thread
}

func (o *order) CreationIndex(t *sched.Thread) int      { return int(t.ID) }
func (o *order) Thread(id sched.ThreadID) *sched.Thread { return o.threads[id] }
func (o *order) newThread(id sched.ThreadID) *sched.Thread {
	t := &sched.Thread{ID: id}
	o.threads = append(o.threads, t)
	return t
}

func TestUpdateListsAreWalkedNewestFirstFromTheMarkerOn(t *testing.T) {
	d := &order{}
	var u updateLists
	for id := range sched.ThreadID(40) {
		u.add(d, d.newThread(id))
	}
	walk := func(changed ...sched.ThreadID) []sched.ThreadID {
		var seen []sched.ThreadID
		u.walk(d, func(t *sched.Thread) bool {
			seen = append(seen, t.ID)
			return slices.Contains(changed, t.ID)
		})
		return seen
	}
	// Thread k is in list k mod 16; a new thread goes to the head of its list.
	var first []sched.ThreadID
	for n := range 16 {
		for id := sched.ThreadID(39); id >= 0; id-- {
			if int(id)%16 == n {
				first = append(first, id)
			}
		}
	}
	assert.Equal(t, []sched.ThreadID{32, 16, 0, 33, 17, 1}, first[:6])
	assert.Equal(t, first, walk())
	assert.Equal(t, first, walk(16), "a change in the marker's own list does not move it")
	assert.Equal(t, first, walk(21, 3), "but one in another list moves it to the first such list")
	from := slices.Index(first, 35)
	assert.Equal(t, append(slices.Clone(first[from:]), first[:from]...), walk(2))
	from = slices.Index(first, 34)
	assert.Equal(t, append(slices.Clone(first[from:]), first[:from]...), walk(), "the walk is circular, the marker stays without a change")

	u.remove(d, d.threads[18])
	u.remove(d, d.threads[18])
	assert.Equal(t, []sched.ThreadID{34, 2, 35}, walk()[:3])
}
