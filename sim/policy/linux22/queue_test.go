package linux22

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/sched"
)

// A list kept the slow way says what the run queue and its best task are.
func TestTheRunQueueIsOneListAndTheBestIsTheFirstOfIt(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	p := New(Options{})
	p.cur = []sched.ThreadID{sched.None, sched.None}
	const tasks = 300
	for id := range sched.ThreadID(tasks) {
		*p.th.At(id) = task{counter: r.Int32N(3), priority: 1 + r.Int32N(3), mm: int32(id), cpu: r.Int32N(3), lock: -1}
	}
	var list []sched.ThreadID
	for step := range 20_000 {
		id := sched.ThreadID(r.IntN(tasks))
		x := p.th.At(id)
		switch in := x.at > 0; {
		case !in && r.IntN(4) > 0:
			p.push(id)
			list = slices.Insert(list, 0, id)
		case !in:
			p.pushTail(id)
			list = append(list, id)
		case r.IntN(2) == 0:
			p.unlink(id)
			list = slices.DeleteFunc(list, func(o sched.ThreadID) bool { return o == id })
		default:
			x.counter, x.cpu, x.hasCPU = r.Int32N(30), r.Int32N(3), r.IntN(10) == 0
			x.policy = [...]uint8{other, other, other, other, fifo}[r.IntN(5)]
			p.judge(id)
		}
		require.Equal(t, list, p.RunQueue(), step)
		require.Equal(t, len(list), p.queue.n)
		cpu := r.IntN(2)
		want, most := sched.None, int32(-1000)
		for _, id := range list {
			if x := p.th.At(id); !x.hasCPU {
				if g := p.goodness(x, cpu, -5); g > most {
					want, most = id, g
				}
			}
		}
		got, value := p.best(int32(cpu), sched.None, -1000)
		require.Equal(t, want, got, step)
		require.Equal(t, most, value, step)
	}
	assert.Less(t, len(p.queue.line), 4*tasks, "gaps are closed")
}
