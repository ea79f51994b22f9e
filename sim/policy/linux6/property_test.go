package linux6_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/check"
	"strandscope/sim/clock"
	"strandscope/sim/engine"
	"strandscope/sim/machine"
	"strandscope/sim/policy/linux6"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
	"strandscope/sim/trace"
	"strandscope/sim/workload"
)

var versions = []linux6.Version{linux6.V61, linux6.V612, linux6.V618}

// box is a random machine with random tasks.
type box struct {
	*engine.Engine
	p        *linux6.Policy
	history  *check.History
	digest   trace.Digest
	load     *stats.Linux6Load
	told     *told
	r        *rand.Rand
	version  linux6.Version
	realtime bool
}

func newBox(t testing.TB, cpus int, v linux6.Version, seed uint64) *box {
	t.Helper()
	m, err := machine.Grid(cpus, 1)
	require.NoError(t, err)
	b := &box{history: check.New(cpus), r: rand.New(rand.NewPCG(seed, 6)), version: v}
	b.load = stats.NewLinux6Load(clock.Second/linux6.HZ, linux6.NoteDelayed, linux6.NoteAwake, linux6.NoteDequeued)
	b.p = linux6.New(linux6.Options{Version: v})
	b.told = &told{p: b.p, seen: map[uint16]bool{}}
	b.Engine, err = engine.New(engine.Config{
		Machine: m, Policy: b.p, Timing: engine.Hires, HZ: linux6.HZ, Seed: seed,
		Observers: []trace.Observer{&b.digest, b.history, b.load, b.told},
	})
	require.NoError(t, err)
	return b
}

// told collects the reasons that were given, and those without words.
type told struct {
	p      *linux6.Policy
	seen   map[uint16]bool
	silent []sched.Reason
}

// Observe implements trace.Observer.
func (o *told) Observe(e *trace.Event) {
	if c := e.Why.Code; c != 0 && !o.seen[c] {
		o.seen[c] = true
		if o.p.Explain(e.Why) == "" || o.p.Source(e.Why) == "" {
			o.silent = append(o.silent, e.Why)
		}
	}
}

// randomBox has 1 to 32 CPUs.
func randomBox(t testing.TB, seed uint64) *box {
	r := rand.New(rand.NewPCG(seed, 61))
	cpus := 1 + r.IntN(32)
	if r.IntN(3) == 0 {
		cpus = 1 + r.IntN(4)
	}
	b := newBox(t, cpus, versions[r.IntN(3)], seed)
	b.populate(t)
	return b
}

func (b *box) program(t testing.TB) *workload.Program {
	t.Helper()
	if b.r.IntN(3) == 0 {
		return workload.Forever
	}
	var w workload.Builder
	w.Repeat(int64(1+b.r.IntN(50)), func() {
		for range 1 + b.r.IntN(3) {
			d := clock.Duration(1+b.r.IntN(30_000)) * clock.Microsecond
			switch b.r.IntN(7) {
			case 0:
				w.Do(workload.Instr{Op: workload.Yield})
			case 1:
				w.Do(workload.Instr{Op: workload.Run, D: d})
				if b.r.IntN(6) == 0 {
					w.Do(workload.Instr{Op: workload.Fork, Child: workload.Forever})
				}
			case 2, 3:
				w.Do(workload.Instr{Op: workload.Sleep, D: d})
			case 4:
				name := fmt.Sprint("s", b.r.IntN(3))
				w.Do(workload.Instr{Op: workload.Post, Name: name})
				w.Do(workload.Instr{Op: workload.Run, D: d / 10})
				w.Do(workload.Instr{Op: workload.Acquire, Name: name})
			default:
				w.Do(workload.Instr{Op: workload.Run, D: d})
			}
		}
		w.Do(workload.Instr{Op: workload.Run, D: clock.Millisecond})
	})
	p, err := w.Program()
	require.NoError(t, err)
	return p
}

func (b *box) params(calm bool) sched.Params {
	as := sched.Params{Nice: b.r.IntN(40) - 20}
	if b.version != linux6.V61 && b.r.IntN(4) == 0 {
		as.Slice = clock.Duration(1 + b.r.IntN(200_000_000))
	}
	switch b.r.IntN(12) {
	case 0:
		as.Class, as.Priority = "FIFO", 1+b.r.IntN(99)
	case 1:
		as.Class, as.Priority = "RR", 1+b.r.IntN(5)
	case 2:
		as.Class = "BATCH"
	case 3:
		as.Class = "IDLE"
	}
	if calm && as.Priority > 0 {
		as.Class, as.Priority = "", 0
	}
	b.realtime = b.realtime || as.Priority > 0
	return as
}

func (b *box) populate(t testing.TB) {
	t.Helper()
	calm := b.r.IntN(2) == 0
	for i := range 1 + b.r.IntN(60) {
		bound := sched.NoCPU
		if b.r.IntN(8) == 0 {
			bound = b.r.IntN(len(b.CPUs()))
		}
		th, err := b.Create(engine.Spec{Name: fmt.Sprint("t", i), Bound: bound, Prog: b.program(t), As: b.params(calm)})
		require.NoError(t, err)
		b.StartAt(th, clock.Time(b.r.IntN(int(clock.Second))))
	}
}

// checkPlaces: every task that waits is in one queue, of a CPU that it may use, and
// nobody else is in any; the load average counts those that run or wait, and the
// sleepers that are queued still.
func (b *box) checkPlaces(t testing.TB) (idle, waiting int) {
	t.Helper()
	require.NoError(t, b.history.Err())
	queued := map[sched.ThreadID]bool{}
	b.p.Queues(func(q sched.Queue, ids []sched.ThreadID) {
		for _, id := range ids {
			require.False(t, queued[id], "thread %d is in two queues", id)
			queued[id] = true
			require.True(t, b.Threads()[id].May(b.CPUs()[q.CPU]), "thread %d waits where it may not run", id)
		}
	})
	running, delayed := 0, 0
	row := make([]int64, len(b.p.Fields()))
	for _, th := range b.Threads() {
		require.Equal(t, th.State == sched.Waiting, queued[th.ID], "thread %d is %v", th.ID, th.State)
		switch th.State {
		case sched.Running:
			running++
		case sched.Waiting:
			waiting++
		default:
		}
		if b.p.Values(th, row); b.version != linux6.V61 && row[6] == 1 {
			require.Equal(t, sched.Sleeping, th.State, "thread %d is delayed", th.ID)
			delayed++
		}
	}
	require.Equal(t, running+waiting+delayed, b.load.Active())
	return len(b.CPUs()) - running, waiting
}

func TestRandomTasksOnRandomMachinesKeepEveryPromise(t *testing.T) {
	reasons := map[uint16]bool{}
	for seed := range uint64(90) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			b := randomBox(t, seed)
			for b.Now() < clock.Time(3*clock.Second) {
				require.NoError(t, b.AdvanceTo(b.Now().Add(clock.Duration(1+b.r.IntN(int(9*clock.Millisecond))))))
				idle, waiting := b.checkPlaces(t)
				if len(b.CPUs()) == 1 {
					require.False(t, idle > 0 && waiting > 0, "one CPU never idles beside work")
				}
			}
			require.NoError(t, b.history.Finish(b.Now()))
			assert.Empty(t, b.told.silent, "reasons without words or source")
			for c := range b.told.seen {
				reasons[c] = true
			}
		})
	}
	assert.Len(t, reasons, 18, "of 20; a protected or continuing task makes no event")
}

func TestRandomCommandsKeepThem(t *testing.T) {
	for seed := range uint64(60) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			b := randomBox(t, 1000+seed)
			for b.Now() < clock.Time(2*clock.Second) {
				require.NoError(t, b.AdvanceTo(b.Now().Add(clock.Duration(1+b.r.IntN(int(20*clock.Millisecond))))))
				b.disturb(t)
				b.checkPlaces(t)
			}
			require.NoError(t, b.history.Finish(b.Now()))
		})
	}
}

// disturb does one random thing to the machine. Some are refused.
func (b *box) disturb(t testing.TB) {
	th := b.Threads()[b.r.IntN(len(b.Threads()))]
	cpu := b.r.IntN(len(b.CPUs()))
	switch b.r.IntN(8) {
	case 0:
		_, err := b.Nice(th, b.r.IntN(80)-40)
		require.NoError(t, err)
	case 1:
		as := b.params(false)
		_ = b.Set(th, &as)
	case 2:
		_ = b.Kill(th)
	case 3:
		_ = b.Bind(th, cpu)
	case 4:
		_ = b.Bind(th, sched.NoCPU)
	case 5:
		_ = b.SetOnline(cpu, b.r.IntN(2) == 0)
	case 6:
		_ = b.Assign(cpu, b.r.IntN(3))
	case 7:
		_ = b.Join(th, b.r.IntN(3))
	}
}

func TestEqualSeedsMakeEqualRunsHoweverTheyAdvance(t *testing.T) {
	for seed := range uint64(12) {
		a, b := randomBox(t, seed), randomBox(t, seed)
		end := clock.Time(clock.Second)
		require.NoError(t, a.AdvanceTo(end))
		for b.Now() < end {
			require.NoError(t, b.AdvanceTo(min(end, b.Now().Add(clock.Duration(1+b.r.IntN(3_000_000))))))
		}
		assert.Equal(t, a.digest.Sum(), b.digest.Sum(), "seed %d", seed)
	}
}

func TestNothingIsAllocatedOnceWarm(t *testing.T) {
	for _, v := range versions {
		for _, cpus := range []int{1, 4} {
			b := newBox(t, cpus, v, 7)
			for i := range 40 {
				var w workload.Builder
				w.Repeat(-1, func() {
					w.Do(workload.Instr{Op: workload.Run, D: clock.Duration(300+i*50) * clock.Microsecond})
					w.Do(workload.Instr{Op: workload.Sleep, D: clock.Duration(5+i) * clock.Millisecond})
				})
				p, err := w.Program()
				require.NoError(t, err)
				th, err := b.Create(engine.Spec{Name: "x", Bound: sched.NoCPU, Prog: p, As: sched.Params{Nice: i%40 - 20}})
				require.NoError(t, err)
				require.NoError(t, b.Start(th))
			}
			require.NoError(t, b.AdvanceTo(clock.Time(5*clock.Second)))
			n := testing.AllocsPerRun(20, func() { require.NoError(t, b.AdvanceTo(b.Now().Add(100*clock.Millisecond))) })
			assert.LessOrEqual(t, n, 1.0, "version %d, %d CPUs", v, cpus)
		}
	}
}
