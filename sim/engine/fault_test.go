package engine_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
	"strandscope/sim/engine"
	"strandscope/sim/sched"
	"strandscope/sim/workload"
)

// restless never settles: what it does is up to again.
type restless struct {
	full
	again func(p *restless, c *sched.CPU)
}

func (p *restless) ReturnToUser(c *sched.CPU) { p.again(p, c) }

func TestAPolicyThatPicksWhatItMustNotStopsTheRun(t *testing.T) {
	for _, c := range []struct {
		name string
		pick func(w *world) *sched.Thread
		want string
	}{
		{"a sleeper", func(w *world) *sched.Thread { return w.Threads()[1] }, "thread 1 (sleeper) was picked for CPU 0 while sleeping"},
		{"a thread that runs elsewhere", func(w *world) *sched.Thread { return w.Threads()[2] }, "thread 2 (other) was picked for CPU 0 while running"},
		{"a thread that is gone", func(w *world) *sched.Thread { return w.Threads()[3] }, "thread 3 (gone) was picked for CPU 0 while exited"},
		{"a thread that never started", func(w *world) *sched.Thread { return w.Threads()[4] }, "thread 4 (new) was picked for CPU 0 while new"},
		{"a thread bound elsewhere", func(w *world) *sched.Thread { return w.Threads()[5] }, "thread 5 (bound) may not run on CPU 0"},
		{"a thread of another set", func(w *world) *sched.Thread { return w.Threads()[7] }, "thread 7 (set) may not run on CPU 0"},
		{"the thread that goes to sleep", func(w *world) *sched.Thread { return w.Threads()[0] }, "thread 0 (hog) was picked for CPU 0 while sleeping"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &fifo{}
			w := boot(t, p, on(grid(4)), sets(engine.Set{ID: 1, CPUs: []int{3}}))
			w.thread("hog", does(run(20), sleep(100)), bound(0))
			w.thread("sleeper", does(sleep(500)))
			w.thread("other", nil, bound(1))
			w.thread("gone", does())
			w.thread("new", nil, starting(1000))
			w.thread("bound", nil, bound(1))
			w.thread("set hog", nil, inSet(1))
			w.thread("set", nil, inSet(1))
			w.to(10)
			p.choose = func(*sched.CPU) *sched.Thread { return c.pick(w) }
			err := w.AdvanceTo(at(30))
			require.EqualError(t, err, "engine: at 00:00:00.02: "+c.want)
			assert.Equal(t, at(20), w.Now(), "the run stands where it broke")
			assert.Equal(t, err, w.AdvanceTo(at(50)), "and stays broken")
			there, err2 := w.AdvanceSome(at(50), 10)
			assert.False(t, there)
			assert.Equal(t, err, err2)
		})
	}
}

func TestAPolicyThatNeverSettlesIsStopped(t *testing.T) {
	kick := func(p *restless, c *sched.CPU) { p.k.Kick(c) }
	other := func(p *restless, c *sched.CPU) {
		p.k.Kick(c)
		p.k.Kick(p.k.CPUs()[1-c.ID])
	}
	post := func(p *restless, c *sched.CPU) { p.k.Post(c) }
	idle := func(p *fifo) func(c *sched.CPU) { return func(c *sched.CPU) { p.k.Kick(c) } }
	swap := func(p *fifo) func(c *sched.CPU) {
		return func(c *sched.CPU) { p.k.Kick(p.k.CPUs()[1-c.ID]) }
	}
	for _, x := range []engine.Timing{engine.Clock, engine.Local, engine.Precise} {
		for name, again := range map[string]func(*restless, *sched.CPU){"itself": kick, "each other": other, "by posting": post} {
			t.Run(x.String()+", in return to user, "+name, func(t *testing.T) {
				p := &restless{again: again}
				w := boot(t, p, timing(x))
				w.thread("a", nil, starting(5))
				w.thread("b", nil, starting(5))
				w.to(4)
				w.digestOnly()
				require.Error(t, w.AdvanceTo(at(100)))
				assert.Equal(t, at(5), w.Now())
			})
		}
		for name, f := range map[string]func(*fifo) func(*sched.CPU){"itself": idle, "each other": swap} {
			t.Run(x.String()+", while idle, "+name, func(t *testing.T) {
				p := &full{}
				w := boot(t, p, timing(x))
				w.to(5)
				p.onPick = f(&p.fifo)
				p.k.Kick(w.CPUs()[0])
				require.ErrorContains(t, w.Set(nobody, &sched.Params{}), "the policy never settles")
			})
		}
	}
}

// nobody stands for a thread where the policy does not care.
var nobody = &sched.Thread{Name: "nobody"}

// digestOnly stops keeping events, where millions come.
func (w *world) digestOnly() { w.forget = true }

func TestAProgramThatMakesNoProgressIsStopped(t *testing.T) {
	w := boot(t, &fifo{})
	// By hand: a Builder refuses it.
	w.thread("a", &workload.Program{Steps: []workload.Instr{{Op: workload.Loop, To: 0, Count: -1}}, Slots: 1}, starting(3))
	require.ErrorContains(t, w.AdvanceTo(at(10)), "thread 0 (a) makes 20000 steps in which no time passes")

	w = boot(t, &fifo{})
	w.thread("a", &workload.Program{Steps: []workload.Instr{yield, {Op: workload.Loop, To: 0, Count: -1}}, Slots: 1})
	w.digestOnly()
	require.ErrorContains(t, w.AdvanceTo(at(10)), "CPU 0 finds no rest in one instant")
}

func TestTheMostStepsThatABuilderAllowsAreRun(t *testing.T) {
	w := boot(t, &fifo{})
	a := w.thread("a", loops(workload.MaxIdleSteps/2, run(0)))
	b := w.thread("b", loops(workload.MaxIdleSteps/2, yield))
	w.to(1)
	assert.Equal(t, sched.Gone, a.State)
	assert.Equal(t, sched.Gone, b.State)
}

func TestABadConfigurationIsRefused(t *testing.T) {
	good := engine.Config{Machine: grid(4), Policy: &fifo{}, HZ: 100}
	_, err := engine.New(good)
	require.NoError(t, err)
	for _, c := range []struct {
		change func(c *engine.Config)
		want   string
	}{
		{func(c *engine.Config) { c.Machine = nil }, "engine: a machine and a policy are needed"},
		{func(c *engine.Config) { c.Policy = nil }, "engine: a machine and a policy are needed"},
		{func(c *engine.Config) { c.HZ = 0 }, "engine: hz 0, want 1 to 10000"},
		{func(c *engine.Config) { c.HZ = -100 }, "engine: hz -100, want 1 to 10000"},
		{func(c *engine.Config) { c.HZ = 10_001 }, "engine: hz 10001, want 1 to 10000"},
		{func(c *engine.Config) { c.ClockCPU = 4 }, "engine: clock CPU 4, the machine has 0 to 3"},
		{func(c *engine.Config) { c.ClockCPU = -1 }, "engine: clock CPU -1, the machine has 0 to 3"},
		{func(c *engine.Config) { c.Sets = []engine.Set{{ID: 0, CPUs: []int{1}}} }, "engine: processor set 0, ids begin at 1"},
		{func(c *engine.Config) { c.Sets = []engine.Set{{ID: 1, CPUs: []int{4}}} }, "engine: processor set 1: CPU 4, the machine has 0 to 3"},
		{func(c *engine.Config) { c.Sets = []engine.Set{{ID: 1, CPUs: []int{-1}}} }, "engine: processor set 1: CPU -1, the machine has 0 to 3"},
		{
			func(c *engine.Config) { c.Sets = []engine.Set{{ID: 1, CPUs: []int{2}}, {ID: 2, CPUs: []int{2}}} },
			"engine: CPU 2 is in processor sets 1 and 2",
		},
		{
			func(c *engine.Config) { c.Sets = []engine.Set{{ID: 1, CPUs: []int{0, 1, 2, 3}}} },
			"engine: the default processor set must keep a CPU",
		},
	} {
		cfg := good
		c.change(&cfg)
		_, err := engine.New(cfg)
		require.EqualError(t, err, c.want)
	}
}

func TestABadThreadIsRefused(t *testing.T) {
	w := boot(t, &fifo{}, on(grid(4)), sets(engine.Set{ID: 1, CPUs: []int{3}}, engine.Set{ID: 2}))
	for _, c := range []struct {
		spec engine.Spec
		want string
	}{
		{engine.Spec{Name: "x", Bound: 4}, `engine: thread "x" is bound to CPU 4, the machine has 0 to 3`},
		{engine.Spec{Name: "x", Bound: -2}, `engine: thread "x" is bound to CPU -2, the machine has 0 to 3`},
		{engine.Spec{Name: "x", Bound: sched.NoCPU, Set: 7}, `engine: thread "x": processor set 7 has no CPU`},
		{engine.Spec{Name: "x", Bound: sched.NoCPU, Set: 2}, `engine: thread "x": processor set 2 has no CPU`},
		{engine.Spec{Name: "x", Bound: 3}, `engine: thread "x" of processor set 0 is bound to CPU 3, which is in set 1`},
		{engine.Spec{Name: "x", Bound: 0, Set: 1}, `engine: thread "x" of processor set 1 is bound to CPU 0, which is in set 0`},
	} {
		_, err := w.Create(c.spec)
		require.EqualError(t, err, c.want)
	}
	assert.Empty(t, w.Threads(), "nothing is left of them")
}

func TestThereIsALimitOfThreads(t *testing.T) {
	p := &fifo{boot: func(p *fifo) error { // its thread is not counted
		return p.k.Every(clock.Second, clock.Second, "daemon", &sched.Params{}, job(func() {}))
	}}
	e, err := engine.New(engine.Config{Machine: grid(1), Policy: p, HZ: 100})
	require.NoError(t, err)
	one := does(run(1))
	for range engine.MaxThreads {
		_, err := e.Create(engine.Spec{Name: "x", Bound: sched.NoCPU, Prog: one})
		require.NoError(t, err)
	}
	_, err = e.Create(engine.Spec{Name: "x", Bound: sched.NoCPU, Prog: one})
	require.EqualError(t, err, "engine: more than 100000 threads")
	require.NoError(t, e.Start(e.Threads()[1]))
	_, err = e.Fork(e.Threads()[1], "x", one)
	require.EqualError(t, err, "engine: more than 100000 threads")
	require.NoError(t, e.AdvanceTo(at(1)))
	assert.Equal(t, sched.Gone, e.Threads()[1].State, "the parent that could not fork goes on")
	assert.Len(t, e.Threads(), engine.MaxThreads+1)
}

func TestAForkBombEndsAtTheLimitWithAnError(t *testing.T) {
	bomb := &workload.Program{Slots: 1}
	bomb.Steps = []workload.Instr{
		{Op: workload.Fork, Child: bomb}, {Op: workload.Run, D: clock.Microsecond}, {Op: workload.Loop, Count: -1},
	}
	e, err := engine.New(engine.Config{Machine: grid(64), Policy: &heap{}, HZ: 100})
	require.NoError(t, err)
	th, err := e.Create(engine.Spec{Name: "bomb", Bound: sched.NoCPU, Prog: bomb})
	require.NoError(t, err)
	require.NoError(t, e.Start(th))
	require.ErrorContains(t, e.AdvanceTo(at(10_000)), "more than 100000 threads")
}

// heap is a policy that finds threads and CPUs fast and forgets fairness.
type heap struct {
	fifo
	free []*sched.Thread
}

func (p *heap) Enqueue(t *sched.Thread, _ sched.Cause) {
	p.free = append(p.free, t)
	for _, c := range p.k.CPUs() {
		if c.Free() {
			p.k.Kick(c)
			return
		}
	}
}
func (p *heap) Dequeue(*sched.Thread, sched.Cause) {}
func (p *heap) Pick(*sched.CPU) (*sched.Thread, sched.Reason) {
	n := len(p.free) - 1
	if n < 0 {
		return nil, sched.Reason{}
	}
	t := p.free[n]
	p.free = p.free[:n]
	return t, sched.Reason{}
}

func TestARefusedChildStopsTheRun(t *testing.T) {
	p := &refuser{}
	w := boot(t, p)
	w.thread("a", does(run(3), fork(nil), run(9)))
	require.ErrorContains(t, w.AdvanceTo(at(10)), "no more")
	assert.Equal(t, at(3), w.Now())
}

type refuser struct{ fifo }

func (p *refuser) Admit(_ *sched.Thread, par *sched.Params) error {
	if par == nil {
		return errors.New("no more")
	}
	return nil
}

func TestTheQueueOfEventsDoesNotGrowWithBurstsThatAreTimedAnew(t *testing.T) {
	p := &fifo{}
	w := boot(t, p, on(oneCore(4)))
	hour := workload.Instr{Op: workload.Run, D: clock.Hour}
	w.thread("long", does(hour), bound(0))
	w.thread("flutter", loops(-1, run(1), sleep(1)), bound(1))
	w.to(100)
	w.digestOnly()
	before := w.Pending()
	w.to(60_000)
	assert.Less(t, w.Pending(), 10_000, "it was %d at first", before)
}
