package linux26_test

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
	kernels "strandscope/sim/policy"
	"strandscope/sim/policy/linux26"
	"strandscope/sim/policy/linuxcfs"
	"strandscope/sim/policy/linuxo1"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
	"strandscope/sim/workload"
)

const ms = clock.Millisecond

var both = []string{"linux-2.6.22", "linux-2.6.24"}

// policyOf is what the two policies have in common.
type policyOf interface {
	sched.Policy
	sched.Inspector
}

// box is a random machine with random tasks, watched closely.
type box struct {
	*engine.Engine
	r       *rand.Rand
	p       policyOf
	history *check.History
	digest  trace.Digest
	hogs    bool // tasks of nice 0 that never sleep, and nothing else
	where   string
}

func newBox(t testing.TB, kernel string, cpus int, seed uint64) *box {
	t.Helper()
	m, err := machine.Grid(cpus, 1)
	require.NoError(t, err)
	k, err := kernels.Find(kernel)
	require.NoError(t, err)
	b := &box{history: check.New(cpus), r: rand.New(rand.NewPCG(seed, 26)), where: fmt.Sprintf("%s, %d CPUs, seed %d", kernel, cpus, seed)}
	b.p = linuxo1.New("")
	if kernel == "linux-2.6.24" {
		b.p = linuxcfs.New("")
	}
	cfg := engine.Config{Machine: m, Policy: b.p, HZ: k.HZ, Seed: seed, Observers: []trace.Observer{b.history, &b.digest}}
	k.Configure(&cfg)
	b.Engine, err = engine.New(cfg)
	require.NoError(t, err)
	return b
}

func randomBox(t testing.TB, kernel string, seed uint64) *box {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 2626))
	cpus := 1 + r.IntN(32)
	if r.IntN(3) == 0 {
		cpus = 1 + r.IntN(2)
	}
	return newBox(t, kernel, cpus, seed)
}

func (b *box) program(t testing.TB) *workload.Program {
	t.Helper()
	if b.hogs || b.r.IntN(3) == 0 {
		return workload.Forever
	}
	var w workload.Builder
	w.Repeat(int64(1+b.r.IntN(50)), func() {
		for range 1 + b.r.IntN(3) {
			d := clock.Duration(1+b.r.IntN(60_000)) * clock.Microsecond
			switch b.r.IntN(8) {
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
				w.Do(workload.Instr{Op: workload.Post, Name: "s"})
			case 5:
				w.Do(workload.Instr{Op: workload.Acquire, Name: "s"})
			default:
				w.Do(workload.Instr{Op: workload.Run, D: d})
			}
		}
		w.Do(workload.Instr{Op: workload.Run, D: ms})
	})
	p, err := w.Program()
	require.NoError(t, err)
	return p
}

func (b *box) populate(t testing.TB) {
	t.Helper()
	b.hogs = b.r.IntN(3) == 0
	for i := range 1 + b.r.IntN(60) {
		s := engine.Spec{Name: fmt.Sprint("t", i), Bound: sched.NoCPU, Prog: b.program(t)}
		if !b.hogs {
			s.As.Nice = b.r.IntN(40) - 20
			switch b.r.IntN(12) {
			case 0:
				s.As.Class, s.As.Priority = "FIFO", 1+b.r.IntN(99)
			case 1:
				s.As.Class, s.As.Priority = "RR", 1+b.r.IntN(99)
			case 2:
				s.Bound = b.r.IntN(len(b.CPUs()))
			}
		}
		if b.hogs && i == 0 { // children begin where their parent is
			var w workload.Builder
			w.Repeat(int64(2+b.r.IntN(40)), func() { w.Do(workload.Instr{Op: workload.Fork, Child: workload.Forever}) })
			var err error
			s.Prog, err = w.Program()
			require.NoError(t, err)
		}
		th, err := b.Create(s)
		require.NoError(t, err)
		b.StartAt(th, clock.Time(b.r.IntN(int(clock.Second))))
	}
}

// must is require.True without the cost of its arguments: it is asked millions of times.
func (b *box) must(t testing.TB, ok bool, format string, args ...any) {
	t.Helper()
	if !ok {
		require.Fail(t, fmt.Sprintf(b.where+": "+format, args...))
	}
}

// settled checks what must hold between two instants, and counts.
func (b *box) settled(t testing.TB) (idle, waiting int) {
	t.Helper()
	b.must(t, b.history.Err() == nil, "%v", b.history.Err())
	queued := map[sched.ThreadID]sched.Queue{}
	b.p.Queues(func(q sched.Queue, ids []sched.ThreadID) {
		for _, id := range ids {
			_, twice := queued[id]
			b.must(t, !twice, "thread %d waits in two queues", id)
			queued[id] = q
		}
	})
	running := make([]int, len(b.CPUs()))
	for _, th := range b.Threads() {
		q, in := queued[th.ID]
		b.must(t, in == (th.State == sched.Waiting), "thread %d is %v", th.ID, th.State)
		if in {
			waiting++
			running[q.CPU]++
			b.must(t, th.May(b.CPUs()[q.CPU]), "thread %d waits at cpu%d", th.ID, q.CPU)
		}
	}
	for _, c := range b.CPUs() {
		b.must(t, !c.Kicked, "cpu%d is kicked and does nothing", c.ID)
		if c.Thread == nil {
			idle++
			b.must(t, running[c.ID] == 0, "cpu%d idles beside its own queue", c.ID)
		} else {
			running[c.ID]++
		}
	}
	b.checkInside(t, running)
	return idle, waiting
}

// checkInside: loads are the sums of weights; slices, bonuses and trees are in range
// and in order.
func (b *box) checkInside(t testing.TB, runnable []int) {
	t.Helper()
	raw := make([]uint64, len(runnable))
	var cpus []linux26.CPU
	switch p := b.p.(type) {
	case *linuxo1.Policy:
		c := p.Core()
		cpus = c.CPUs
		for _, th := range b.Threads() {
			x := c.At(th.ID)
			b.must(t, x.Slice > 0, "thread %d has slice %d", th.ID, x.Slice)
			b.must(t, x.SleepAvg >= 0 && x.SleepAvg <= int64(clock.Second), "thread %d has sleep_avg %d", th.ID, x.SleepAvg)
			if x.Policy == linux26.Normal {
				b.must(t, x.Prio >= 100 && x.Prio < 140 && x.Prio >= x.Static-5 && x.Prio <= x.Static+5, "priority %d of %d", x.Prio, x.Static)
			}
			if x.Array >= 0 {
				raw[x.CPU] += uint64(x.Weight)
			}
		}
	case *linuxcfs.Policy:
		c := p.Core()
		cpus = c.CPUs
		for _, th := range b.Threads() {
			if x := c.At(th.ID); x.OnRQ {
				raw[x.CPU] += x.Weight
			}
		}
		for cpu := range cpus {
			tree := c.Tree(cpu)
			for i := 1; i < len(tree); i++ {
				b.must(t, c.At(tree[i-1]).Vruntime <= c.At(tree[i]).Vruntime, "the tree of cpu%d is out of order", cpu)
			}
		}
	}
	for cpu := range cpus {
		b.must(t, runnable[cpu] == cpus[cpu].NR, "cpu%d counts %d runnable tasks of %d", cpu, cpus[cpu].NR, runnable[cpu])
		b.must(t, raw[cpu] == cpus[cpu].Raw, "cpu%d has load %d, the sum is %d", cpu, cpus[cpu].Raw, raw[cpu])
	}
}

func TestRandomTasksOnRandomMachinesKeepEveryPromise(t *testing.T) {
	for _, kernel := range both {
		longest := clock.Duration(0)
		for seed := range uint64(40) {
			b := randomBox(t, kernel, seed)
			b.populate(t)
			since, step := clock.Time(-1), 9*ms
			if b.hogs {
				step = 3 * ms
			}
			for b.Now() < clock.Time(2*clock.Second) {
				require.NoError(t, b.AdvanceTo(b.Now().Add(clock.Duration(1+b.r.IntN(int(step))))), b.where)
				idle, waiting := b.settled(t)
				if !b.hogs || idle == 0 || waiting == 0 {
					since = -1
					continue
				}
				if since < 0 {
					since = b.Now()
				}
				longest = max(longest, b.Now().Sub(since))
			}
			require.NoError(t, b.history.Finish(b.Now()), b.where)
		}
		assert.Positive(t, longest, "%s is not work-conserving", kernel)
		assert.LessOrEqual(t, longest, linux26.IdleBeside, "the bound that %s declares", kernel)
	}
}

func TestRandomCommandsKeepThem(t *testing.T) {
	for _, kernel := range both {
		for seed := range uint64(30) {
			b := randomBox(t, kernel, 1000+seed)
			b.populate(t)
			for b.Now() < clock.Time(2*clock.Second) {
				require.NoError(t, b.AdvanceTo(b.Now().Add(clock.Duration(1+b.r.IntN(int(30*ms))))), b.where)
				th := b.Threads()[b.r.IntN(len(b.Threads()))]
				switch b.r.IntN(4) {
				case 0:
					_, err := b.Nice(th, b.r.IntN(80)-40)
					require.NoError(t, err, b.where)
				case 1:
					_ = b.Set(th, &sched.Params{Class: []string{"OTHER", "FIFO", "RR", "TS"}[b.r.IntN(4)], Priority: b.r.IntN(101)})
				case 2:
					_ = b.Kill(th)
				case 3:
					if th.State != sched.Gone {
						_, err := b.Spawn(th, "child", b.program(t))
						require.NoError(t, err, b.where)
					}
				}
				b.settled(t)
			}
			require.NoError(t, b.history.Finish(b.Now()), b.where)
		}
	}
}

func TestARunIsTheSameInOnePieceAndInMany(t *testing.T) {
	for _, kernel := range both {
		for seed := range uint64(10) {
			var sums []string
			for pieces := range 2 {
				b := randomBox(t, kernel, 2000+seed)
				b.populate(t)
				for pieces == 1 && b.Now() < clock.Time(2*clock.Second) {
					require.NoError(t, b.AdvanceTo(min(b.Now().Add(777*clock.Microsecond), clock.Time(2*clock.Second))))
				}
				require.NoError(t, b.AdvanceTo(clock.Time(2*clock.Second)))
				sums = append(sums, fmt.Sprint(b.digest.Sum()))
			}
			assert.Equal(t, sums[0], sums[1], "%s, seed %d", kernel, seed)
		}
	}
}

func TestNothingIsAllocatedOnceARunIsWarm(t *testing.T) {
	for _, kernel := range both {
		for name, sleeps := range map[string]bool{"250 hogs": false, "sleepers": true} {
			b := newBox(t, kernel, 4, 1)
			for i := range 250 {
				prog := workload.Forever
				if sleeps {
					var w workload.Builder
					w.Repeat(-1, func() {
						w.Do(workload.Instr{Op: workload.Run, D: 700 * clock.Microsecond})
						w.Do(workload.Instr{Op: workload.Sleep, D: 13 * ms})
					})
					var err error
					prog, err = w.Program()
					require.NoError(t, err)
				}
				th, err := b.Create(engine.Spec{Name: "x", Bound: sched.NoCPU, Prog: prog, As: sched.Params{Nice: i % 5}})
				require.NoError(t, err)
				b.StartAt(th, 0)
			}
			require.NoError(t, b.AdvanceTo(clock.Time(60*clock.Second)))
			before := b.Events()
			n := testing.AllocsPerRun(10, func() {
				if err := b.AdvanceTo(b.Now().Add(clock.Second)); err != nil {
					t.Fatal(err)
				}
			})
			assert.Zero(t, n, "%s, %s: allocations in a second", kernel, name)
			assert.Greater(t, b.Events()-before, int64(100), name)
		}
	}
}
