package solaris_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"strandscope/sim/check"
	"strandscope/sim/clock"
	"strandscope/sim/engine"
	"strandscope/sim/machine"
	"strandscope/sim/policy/solaris"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
	"strandscope/sim/trace"
	"strandscope/sim/workload"
)

const ms = clock.Millisecond

// lab is Solaris on a machine, under a checker of histories.
type lab struct {
	*engine.Engine
	t       *testing.T
	pol     *solaris.Policy
	ledger  *stats.Ledger
	history *check.History
}

func newLab(t *testing.T, m *machine.Machine, o solaris.Options, sets ...engine.Set) *lab {
	t.Helper()
	n := len(m.CPUs)
	l := &lab{t: t, pol: solaris.New(o), ledger: stats.NewLedger(n), history: check.New(n)}
	e, err := engine.New(engine.Config{
		Machine: m, Policy: l.pol, Timing: engine.Clock, HZ: solaris.HZ, SleepOnTicks: true, Sets: sets,
		Observers: []trace.Observer{l.history, l.ledger},
	})
	require.NoError(t, err)
	l.Engine = e
	t.Cleanup(func() { require.NoError(t, l.history.Finish(l.Now())) })
	return l
}

func grid(cpus int) *machine.Machine {
	m, err := machine.Grid(cpus, 1)
	if err != nil {
		panic(err)
	}
	return m
}

func t2000() *machine.Machine { m, _ := machine.Find("t2000"); return m }

type opt func(s *engine.Spec)

func class(name string) opt        { return func(s *engine.Spec) { s.As.Class = name } }
func level(pri int) opt            { return func(s *engine.Spec) { s.As.Priority = pri } }
func nice(n int) opt               { return func(s *engine.Spec) { s.As.Nice = n } }
func boost(n int) opt              { return func(s *engine.Spec) { s.As.Boost = n } }
func project(id sched.GroupID) opt { return func(s *engine.Spec) { s.Group = id } }
func boundTo(cpu int) opt          { return func(s *engine.Spec) { s.Bound = cpu } }
func inSet(id int) opt             { return func(s *engine.Spec) { s.Set = id } }
func does(in ...workload.Instr) opt {
	return func(s *engine.Spec) { s.Prog = &workload.Program{Steps: in} }
}

func run(millis int) workload.Instr {
	return workload.Instr{Op: workload.Run, D: clock.Duration(millis) * ms}
}

func sleep(millis int) workload.Instr {
	return workload.Instr{Op: workload.Sleep, D: clock.Duration(millis) * ms}
}

func forked(p *workload.Program) workload.Instr { return workload.Instr{Op: workload.Fork, Child: p} }

// start lets n equal threads, hogs by default, start now, one by one.
func (l *lab) start(n int, opts ...opt) []*sched.Thread {
	l.t.Helper()
	var list []*sched.Thread
	for range n {
		s := engine.Spec{Name: "x", Bound: sched.NoCPU}
		for _, o := range opts {
			o(&s)
		}
		th, err := l.Create(s)
		require.NoError(l.t, err)
		require.NoError(l.t, l.Start(th))
		list = append(list, th)
	}
	return list
}

func (l *lab) advance(millis int) {
	l.t.Helper()
	require.NoError(l.t, l.AdvanceTo(l.Now().Add(clock.Duration(millis)*ms)))
}

// ran is the time that threads were on CPU in the next stretch of time, all of
// them together, as a share of one CPU.
func (l *lab) shares(millis int, groups ...[]*sched.Thread) []float64 {
	l.t.Helper()
	sum := func(g []*sched.Thread) (d clock.Duration) {
		for _, th := range g {
			d += l.ledger.Entry(th.ID).Ran(l.Now())
		}
		return d
	}
	before := make([]clock.Duration, len(groups))
	for i, g := range groups {
		before[i] = sum(g)
	}
	l.advance(millis)
	var list []float64
	for i, g := range groups {
		list = append(list, float64(sum(g)-before[i])/float64(clock.Duration(millis)*ms))
	}
	return list
}

func (l *lab) busy() (cpus []int) {
	for _, c := range l.CPUs() {
		if !c.Idle() {
			cpus = append(cpus, c.ID)
		}
	}
	return cpus
}
