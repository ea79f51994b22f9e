package linux22_test

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
	"strandscope/sim/policy/linux22"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
	"strandscope/sim/workload"
)

// box is a random machine with random tasks.
type box struct {
	*engine.Engine
	p        *linux22.Policy
	history  *check.History
	r        *rand.Rand
	old      bool // 2.2.7
	realtime bool // has FIFO or RR tasks
}

func newBox(t testing.TB, seed uint64) *box {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 22))
	cpus := 1 + r.IntN(32)
	if r.IntN(4) == 0 {
		cpus = 1
	}
	return newBoxOf(t, cpus, r.IntN(2) == 0, seed)
}

func newBoxOf(t testing.TB, cpus int, old bool, seed uint64) *box {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 2208))
	m, err := machine.Grid(cpus, 1)
	require.NoError(t, err)
	b := &box{history: check.New(cpus), r: r, old: old}
	b.p = linux22.New(linux22.Options{
		Old: b.old, UP: cpus == 1, EvaluationCost: clock.Duration(r.IntN(300)), RecalculationCost: clock.Duration(r.IntN(300)),
	})
	cfg := engine.Config{
		Machine: m, Policy: b.p, Timing: engine.Local, HZ: linux22.HZ, Seed: seed, NewestFirst: true,
		SleepTicks: func(d clock.Duration) int64 { return linux22.NanosleepJiffies(0, int64(d)) },
		Observers:  []trace.Observer{b.history},
	}
	if cpus == 1 {
		cfg.Timing = engine.Clock
	}
	for range cpus {
		cfg.LocalPhase = append(cfg.LocalPhase, clock.Duration(r.IntN(int(10*clock.Millisecond))))
	}
	b.Engine, err = engine.New(cfg)
	require.NoError(t, err)
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
			d := clock.Duration(1+b.r.IntN(60_000)) * clock.Microsecond
			switch b.r.IntN(6) {
			case 0:
				w.Do(workload.Instr{Op: workload.Yield})
			case 1:
				w.Do(workload.Instr{Op: workload.Run, D: d})
				if b.r.IntN(6) == 0 {
					w.Do(workload.Instr{Op: workload.Fork, Child: workload.Forever})
				}
			case 2, 3:
				w.Do(workload.Instr{Op: workload.Sleep, D: d})
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

func (b *box) populate(t testing.TB) {
	t.Helper()
	calm := b.r.IntN(2) == 0
	for i := range 1 + b.r.IntN(60) {
		as := sched.Params{Nice: b.r.IntN(40) - 20}
		switch b.r.IntN(12) {
		case 0:
			as.Class, as.Priority = "FIFO", 1+b.r.IntN(99)
		case 1:
			as.Class, as.Priority = "RR", 1+b.r.IntN(99)
		}
		if calm {
			as.Class, as.Priority = "", 0
		}
		b.realtime = b.realtime || as.Class != ""
		th, err := b.Create(engine.Spec{Name: fmt.Sprint("t", i), Bound: sched.NoCPU, Prog: b.program(t), As: as})
		require.NoError(t, err)
		b.StartAt(th, clock.Time(b.r.IntN(int(clock.Second))))
	}
}

// checkPlaces: every runnable task is in the run queue once, whether it runs or
// waits, and nobody else is; counters are never below zero.
func (b *box) checkPlaces(t testing.TB) (idle, waiting int) {
	t.Helper()
	queued := map[sched.ThreadID]int{}
	for _, id := range b.p.RunQueue() {
		queued[id]++
	}
	running := 0
	for _, th := range b.Threads() {
		want := 0
		if th.State == sched.Running || th.State == sched.Waiting {
			want = 1
		}
		require.Equal(t, want, queued[th.ID], "thread %d is %v", th.ID, th.State)
		require.GreaterOrEqual(t, b.p.TaskOf(th).Counter, int32(0))
		switch th.State {
		case sched.Running:
			running++
		case sched.Waiting:
			waiting++
		default:
		}
	}
	require.LessOrEqual(t, running, len(b.CPUs()))
	return len(b.CPUs()) - running, waiting
}

func TestRandomTasksOnRandomMachinesKeepEveryPromise(t *testing.T) {
	longest := clock.Duration(0)
	for seed := range uint64(60) {
		b := newBox(t, seed)
		b.populate(t)
		since := clock.Time(-1)
		for b.Now() < clock.Time(3*clock.Second) {
			require.NoError(t, b.AdvanceTo(b.Now().Add(clock.Duration(1+b.r.IntN(int(9*clock.Millisecond))))), "seed %d", seed)
			require.NoError(t, b.history.Err(), "seed %d", seed)
			idle, waiting := b.checkPlaces(t)
			if idle == 0 || waiting == 0 || b.old || b.realtime {
				since = -1
				continue
			}
			if since < 0 {
				since = b.Now()
			}
			longest = max(longest, b.Now().Sub(since))
		}
		require.NoError(t, b.history.Finish(b.Now()), "seed %d", seed)
	}
	assert.Positive(t, longest, "2.2.8 is not work-conserving")
	assert.LessOrEqual(t, longest, linux22.IdleBeside, "the bound that the policy declares")
}

// Three hogs that start one after another under 2.2.7: each is sent to the CPU
// that starts it, and two wait there while the other CPUs idle.
func Test227LeavesCPUsIdleBesideHogs(t *testing.T) {
	for _, old := range []bool{false, true} {
		b := newBoxOf(t, 4, old, 1)
		for i := range 3 {
			th, err := b.Create(engine.Spec{Name: fmt.Sprint("hog", i), Bound: sched.NoCPU, Prog: workload.Forever})
			require.NoError(t, err)
			b.StartAt(th, clock.Time(1+50*i)*clock.Time(clock.Millisecond))
		}
		require.NoError(t, b.AdvanceTo(clock.Time(2*clock.Second)))
		idle, waiting := b.checkPlaces(t)
		if !old {
			assert.Equal(t, []int{1, 0}, []int{idle, waiting})
			continue
		}
		assert.Equal(t, waiting+1, idle)
		assert.Positive(t, waiting)
	}
}

func TestRandomCommandsKeepThem(t *testing.T) {
	for seed := range uint64(30) {
		b := newBox(t, 1000+seed)
		b.populate(t)
		for b.Now() < clock.Time(2*clock.Second) {
			require.NoError(t, b.AdvanceTo(b.Now().Add(clock.Duration(1+b.r.IntN(int(30*clock.Millisecond))))))
			th := b.Threads()[b.r.IntN(len(b.Threads()))]
			switch b.r.IntN(3) {
			case 0:
				_, err := b.Nice(th, b.r.IntN(80)-40)
				require.NoError(t, err)
			case 1:
				_ = b.Set(th, &sched.Params{Class: []string{"OTHER", "FIFO", "RR"}[b.r.IntN(3)], Priority: b.r.IntN(101)})
			case 2:
				_ = b.Kill(th)
			}
			require.NoError(t, b.history.Err(), "seed %d", seed)
			b.checkPlaces(t)
		}
		require.NoError(t, b.history.Finish(b.Now()))
	}
}
