package linux26

import (
	"fmt"
	"hash/fnv"
	"path/filepath"
	"slices"
	"strings"
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

// onEngine reports whether the engine has what a run is made of: its kinds of tasks,
// that begin without a past, sleeps that end where they began, which are never
// uninterruptible (CFS does not care), and the model's clock rate.
func onEngine(s *summary, rows map[int]definition) bool {
	kinds := []string{"hog", "sleeper", "yielder", "forker"}
	if s.Build.Kernel == "2.6.24" {
		kinds = append(kinds, "iosleeper")
	}
	if s.Build.SleepAvg != 0 || s.Build.HZ != linux26.HZ || s.Build.SMP && s.Build.Hot != 0 && s.Build.Hot != linuxo1.CacheHot {
		return false
	}
	for _, pid := range s.Build.StartOrder {
		d := rows[pid]
		if d.wakeCPU >= 0 || !slices.Contains(kinds, d.kind) {
			return false
		}
	}
	return true
}

func programOf(t *testing.T, s *summary, d *definition) *workload.Program {
	t.Helper()
	var b workload.Builder
	tick := workload.Instr{Op: workload.Run, Ticks: 1}
	switch d.kind {
	case "hog":
		return workload.Forever
	case "mortal":
		b.Do(workload.Instr{Op: workload.Run, Ticks: d.burst})
	case "sleeper", "iosleeper":
		b.Repeat(-1, func() {
			if d.burst > 0 {
				b.Do(workload.Instr{Op: workload.Run, Ticks: d.burst})
			}
			b.Do(workload.Instr{Op: workload.Sleep, Ticks: d.sleep})
		})
	case "yielder":
		i := slices.IndexFunc(s.Build.Yielders, func(y yielder) bool { return y.PID == d.pid })
		y := s.Build.Yielders[i]
		yields := func(n int) {
			for range n {
				b.Do(workload.Instr{Op: workload.Yield})
			}
		}
		yields(y.AtStart)
		b.Repeat(-1, func() { b.Do(tick); yields(y.PerTick) })
	case "forker":
		i := slices.IndexFunc(s.Build.Forkers, func(f forker) bool { return f.PID == d.pid })
		f := s.Build.Forkers[i]
		child := programOf(t, s, &definition{kind: f.ChildKind, burst: f.ChildBurst})
		quota := f.AtStart
		for n := 0; n < f.Children; n++ {
			for quota == 0 {
				b.Do(tick)
				quota = f.PerTick
			}
			quota--
			b.Do(workload.Instr{Op: workload.Fork, Name: "child", Child: child})
		}
		b.Do(workload.Instr{Op: workload.Block})
	}
	p, err := b.Program()
	require.NoError(t, err)
	return p
}

// driven runs a scenario on the engine and returns the hash of its decisions.
func driven(t *testing.T, s *summary, rows map[int]definition) string {
	t.Helper()
	m, err := machine.Grid(s.CPUs, 1)
	require.NoError(t, err)
	o1, cfs := linuxo1.New(""), linuxcfs.New("")
	kernel, pol, driver := "linux-2.6.22", sched.Policy(o1), &o1.Driver
	if s.Build.Kernel == "2.6.24" {
		kernel, pol, driver = "linux-2.6.24", cfs, &cfs.Driver
	}
	k, err := kernels.Find(kernel)
	require.NoError(t, err)
	history := check.New(s.CPUs)
	cfg := engine.Config{Machine: m, Policy: pol, HZ: k.HZ, Observers: []trace.Observer{history}}
	k.Configure(&cfg)
	e, err := engine.New(cfg)
	require.NoError(t, err)
	pids := map[sched.ThreadID]int{}
	pid := func(id sched.ThreadID) int {
		if id == sched.None {
			return 0
		}
		if _, known := pids[id]; !known { // a child: each forker counts its own
			f := s.Build.Forkers[slices.IndexFunc(s.Build.Forkers, func(f forker) bool { return f.PID == pids[e.Threads()[id].Parent] })]
			n := f.First
			for _, t := range e.Threads()[:id] {
				if t.Parent == e.Threads()[id].Parent {
					n++
				}
			}
			pids[id] = n
		}
		return pids[id]
	}
	h := fnv.New64a()
	driver.Watch = func(cpu int, prev, next sched.ThreadID) {
		fmt.Fprintf(h, "%d,%d,%d,%d\n", int64(e.Now())/int64(clock.Millisecond), cpu, pid(prev), pid(next))
	}
	for _, p := range s.Build.StartOrder {
		d := rows[p]
		as := sched.Params{Nice: d.nice, Priority: d.rtPri, Class: []string{"OTHER", "FIFO", "RR"}[d.policy]}
		th, err := e.Create(engine.Spec{Name: d.kind, PID: int32(p), Bound: sched.NoCPU, Prog: programOf(t, s, &d), As: as})
		require.NoError(t, err)
		pids[th.ID] = p
	}
	start := slices.Clone(e.Threads())
	require.NoError(t, e.StartOn(start, func(t *sched.Thread) int { return rows[pids[t.ID]].startCPU }))
	require.NoError(t, e.SettleStart())
	require.NoError(t, e.AdvanceTo(clock.Time(s.Ticks)*clock.Time(clock.Millisecond)))
	require.NoError(t, history.Err())
	return fmt.Sprintf("%016x", h.Sum64())
}

// The engine's policies and the replay drive one core. That they also call it at the
// same moments is seen here: run by the engine, the scenarios have the very decisions
// that the kernels made.
func TestTheEngineMakesTheRecordedDecisions(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("testdata", "*", "*.summary.json.gz"))
	require.NoError(t, err)
	ran := map[string]int{}
	for _, p := range paths {
		run := strings.TrimSuffix(p, ".summary.json.gz")
		s, all, err := readSummary(run + ".summary.json")
		require.NoError(t, err)
		rows, err := readTasks(run + ".tasks.csv")
		require.NoError(t, err)
		if !onEngine(s, rows) {
			continue
		}
		ran[s.Build.Kernel]++
		assert.Equal(t, strings.Trim(string(all["decision_fnv1a64"]), `"`), driven(t, s, rows), run)
	}
	assert.Greater(t, ran["2.6.22.6"], 8)
	assert.Greater(t, ran["2.6.24"], 8)
}
