package engine_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/engine"
	"strandscope/sim/policy/solaris"
	"strandscope/sim/sched"
)

// mover is a fifo whose threads may be moved, unless it refuses.
type mover struct {
	fifo
	refuse error
}

func (p *mover) Withdraw(t *sched.Thread) {
	for i, q := range p.queue {
		if q == t {
			p.queue = append(p.queue[:i], p.queue[i+1:]...)
			return
		}
	}
}
func (p *mover) Moved(*sched.Thread) error             { return p.refuse }
func (p *mover) WaitingAt(*sched.CPU) []sched.ThreadID { return nil }
func (p *mover) Reshape()                              {}

func TestAMoveThatThePolicyRefusesIsTakenBack(t *testing.T) {
	p := &mover{refuse: errors.New("not there")}
	w := boot(t, p, sets(engine.Set{ID: 1, CPUs: []int{1}}))
	hog := w.thread("hog", nil)
	waits := w.thread("waits", nil)
	w.to(5)
	require.Equal(t, sched.Waiting, waits.State)
	require.EqualError(t, w.Join(waits, 1), "not there")
	assert.Zero(t, waits.Set)
	require.NoError(t, w.Kill(hog))
	assert.Equal(t, sched.Running, waits.State, "it was not lost")

	p.refuse = nil
	require.NoError(t, w.Join(waits, 1))
	assert.Equal(t, 1, waits.CPU)
	assert.Equal(t, 1, waits.Set)
}

func TestThreadsThatAreGoneAreLeftAlone(t *testing.T) {
	w := boot(t, &mover{})
	a := w.thread("a", does(run(1)))
	w.to(5)
	for _, err := range []error{
		w.Bind(a, 0), w.Join(a, 0), w.Regroup(a, 3), w.Kill(a), w.Set(a, &sched.Params{}),
	} {
		require.EqualError(t, err, "engine: thread 0 (a) is gone")
	}
}

func TestNoThreadMayBeMadeWhereEveryCPUIsOffLine(t *testing.T) {
	w := boot(t, solaris.New(solaris.Options{}), on(grid(3)), sets(engine.Set{ID: 1, CPUs: []int{2}}))
	a := w.thread("a", nil)
	w.to(1)
	require.NoError(t, w.SetOnline(2, false))
	_, err := w.Create(engine.Spec{Name: "x", Set: 1, Bound: sched.NoCPU})
	require.ErrorContains(t, err, `thread "x": processor set 1 has no CPU`)
	require.ErrorContains(t, w.Join(a, 1), "processor set 1 has no CPU")
	require.NoError(t, w.SetOnline(1, false))
	_, err = w.Create(engine.Spec{Name: "x", Bound: 1})
	require.ErrorContains(t, err, `thread "x" is bound to CPU 1, which is off-line`)
	require.ErrorContains(t, w.Bind(a, 1), "CPU 1 is off-line")
	require.ErrorContains(t, w.SetOnline(0, false), "the last one of the default set")
	require.NoError(t, w.SetOnline(2, true))
	require.NoError(t, w.Join(a, 1))
	assert.Equal(t, 2, a.CPU)
	require.ErrorContains(t, w.SetOnline(2, false), "which still has threads")
}

func TestAKilledThreadEndsFromWhateverItDoes(t *testing.T) {
	for _, x := range []engine.Timing{engine.Clock, engine.Local, engine.Precise} {
		w := boot(t, &mover{}, timing(x), on(grid(1)))
		running, waiting := w.thread("running", does(run(20))), w.thread("waiting", nil)
		asleep, unborn := w.thread("asleep", does(sleep(500))), w.thread("unborn", nil, starting(70))
		w.to(1)
		require.NoError(t, w.Kill(waiting))
		w.to(20) // the sleeper gets its turn to begin sleeping
		w.to(40)
		require.Equal(t, sched.Gone, running.State)
		require.Equal(t, sched.Gone, waiting.State)
		require.Equal(t, sched.Sleeping, asleep.State)
		for _, th := range []*sched.Thread{asleep, unborn} {
			require.NoError(t, w.Kill(th))
		}
		assert.Equal(t, sched.Gone, asleep.State)
		assert.Equal(t, sched.Embryo, unborn.State)
		last := w.thread("last", does(run(20)))
		w.to(41)
		require.NoError(t, w.Kill(last))
		assert.Equal(t, sched.Gone, last.State)
		w.to(100)
		assert.Equal(t, sched.Gone, unborn.State, "it ends when it starts")
	}
}
