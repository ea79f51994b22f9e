package engine_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"strandscope/sim/check"
	"strandscope/sim/clock"
	"strandscope/sim/engine"
	"strandscope/sim/machine"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
	"strandscope/sim/workload"
)

const ms = clock.Millisecond

// at is a point of time in milliseconds.
func at(millis int) clock.Time { return clock.Time(clock.Duration(millis) * ms) }

// fifo is a small policy: one queue for all CPUs, first come, first served.
// With a quantum it is round robin. It writes down how it is called.
type fifo struct {
	k       sched.Kernel
	queue   []*sched.Thread
	quantum clock.Duration
	ticks   bool // write down ticks too
	log     []string
	boot    func(p *fifo) error
	onTick  func(c *sched.CPU)
	onPick  func(c *sched.CPU)
	choose  func(c *sched.CPU) *sched.Thread // instead of the queue's own
	fork    bool                             // a forking parent gives way
}

// job is a func as a sched.Job.
type job func()

func (f job) Do() { f() }

func (p *fifo) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	p.log = append(p.log, fmt.Sprintf("%d: %s", p.k.Now()/clock.Time(ms), text))
}

func (p *fifo) Boot(k sched.Kernel) error {
	p.k = k
	if p.boot != nil {
		return p.boot(p)
	}
	return nil
}
func (p *fifo) Admit(*sched.Thread, *sched.Params) error { return nil }
func (p *fifo) Set(t *sched.Thread, par *sched.Params) error {
	p.note("set %s to %d", t.Name, par.Nice)
	if par.Nice > 19 {
		return fmt.Errorf("nice %d", par.Nice)
	}
	return nil
}

func (p *fifo) Enqueue(t *sched.Thread, why sched.Cause) {
	p.note("%v %s on cpu%d", why, t.Name, p.k.Here().ID)
	p.queue = append(p.queue, t)
	p.k.Place(t, nil, sched.Reason{})
	for _, c := range p.k.CPUs() {
		if c.Free() && t.May(c) {
			p.k.Kick(c)
			break
		}
	}
	if p.fork && why == sched.Forked && t.Parent != sched.None {
		p.k.GiveWay(p.k.Here())
	}
}

func (p *fifo) Dequeue(t *sched.Thread, why sched.Cause) {
	p.note("%v %s on cpu%d", why, t.Name, p.k.Here().ID)
}

func (p *fifo) Pick(c *sched.CPU) (*sched.Thread, sched.Reason) {
	if p.onPick != nil {
		p.onPick(c)
	}
	if p.choose != nil {
		return p.choose(c), sched.Reason{}
	}
	i := slices.IndexFunc(p.queue, func(t *sched.Thread) bool { return t.May(c) })
	if i < 0 {
		return nil, sched.Reason{}
	}
	t := p.queue[i]
	p.queue = slices.Delete(p.queue, i, i+1)
	if p.quantum > 0 {
		p.k.Slice(c, p.quantum)
	}
	return t, sched.Reason{Code: 7, A: int32(c.ID)}
}

func (p *fifo) Tick(c *sched.CPU) {
	if p.ticks {
		p.note("tick of cpu%d on cpu%d", c.ID, p.k.Here().ID)
	}
	if p.onTick != nil {
		p.onTick(c)
	}
}

func (p *fifo) Expire(c *sched.CPU) {
	p.note("expire on cpu%d, here cpu%d", c.ID, p.k.Here().ID)
	p.k.Kick(c)
}
func (p *fifo) Explain(sched.Reason) string { return "" }

// full is a fifo that also has the stages that Solaris has.
type full struct {
	fifo
	idles int
}

func (p *full) ReturnToUser(c *sched.CPU) { p.note("return %s", c.Thread.Name) }
func (p *full) Idle(c *sched.CPU) (*sched.Thread, sched.Reason) {
	p.idles++
	return p.Pick(c)
}

// world is an engine under a checker of histories.
type world struct {
	*engine.Engine
	t       *testing.T
	digest  trace.Digest
	history *check.History
	events  []trace.Event
	forget  bool // events are not kept
}

func (w *world) Observe(e *trace.Event) {
	if !w.forget {
		w.events = append(w.events, *e)
	}
}

type config func(c *engine.Config)

func timing(x engine.Timing) config   { return func(c *engine.Config) { c.Timing = x } }
func clockCPU(id int) config          { return func(c *engine.Config) { c.ClockCPU = id } }
func onTicks(c *engine.Config)        { c.SleepOnTicks = true }
func sets(s ...engine.Set) config     { return func(c *engine.Config) { c.Sets = s } }
func on(m *machine.Machine) config    { return func(c *engine.Config) { c.Machine = m } }
func grid(cpus int) *machine.Machine  { m, _ := machine.Grid(cpus, 1); return m }
func oneCore(n int) *machine.Machine  { return shared(1, n) }
func must(err error, t *testing.T)    { t.Helper(); require.NoError(t, err) }
func millis(n int) clock.Duration     { return clock.Duration(n) * ms }
func bound(cpu int) func(*spec)       { return func(s *spec) { s.Bound = cpu } }
func inSet(set int) func(*spec)       { return func(s *spec) { s.Set = set } }
func starting(when int) func(s *spec) { return func(s *spec) { s.at = at(when) } }

// shared is a machine whose strands share pipelines as on a T1.
func shared(cores, strands int) *machine.Machine {
	m, err := machine.Build("", "", machine.Node{Kind: machine.Chip, Count: 1, Of: &machine.Node{
		Kind: machine.Core, Count: cores, Of: &machine.Node{
			Kind: machine.Pipeline, Count: 1, Rate: []machine.Permille{1000, 800, 630, 490},
			Of: &machine.Node{Kind: machine.Strand, Count: strands},
		},
	}})
	if err != nil {
		panic(err)
	}
	return m
}

// boot makes an engine on two CPUs with precise timing unless told otherwise.
func boot(t *testing.T, p sched.Policy, opts ...config) *world {
	t.Helper()
	w := &world{t: t}
	c := engine.Config{Machine: grid(2), Policy: p, Timing: engine.Precise, HZ: 100}
	for _, o := range opts {
		o(&c)
	}
	w.history = check.New(len(c.Machine.CPUs))
	c.Observers = []trace.Observer{&w.digest, w.history, w}
	e, err := engine.New(c)
	must(err, t)
	w.Engine = e
	t.Cleanup(func() {
		require.NoError(t, w.history.Err(), "the history must be possible")
		require.NoError(t, w.history.Finish(w.Now()))
	})
	return w
}

type spec struct {
	engine.Spec
	at clock.Time
}

// thread creates a thread that starts at time 0 unless told otherwise.
func (w *world) thread(name string, prog *workload.Program, opts ...func(*spec)) *sched.Thread {
	w.t.Helper()
	s := spec{Spec: engine.Spec{Name: name, Bound: sched.NoCPU, Prog: prog}}
	for _, o := range opts {
		o(&s)
	}
	th, err := w.Create(s.Spec)
	must(err, w.t)
	w.StartAt(th, s.at)
	return th
}

func (w *world) to(millis int) {
	w.t.Helper()
	must(w.AdvanceTo(at(millis)), w.t)
}

// offs lists when and why threads left their CPUs.
func (w *world) offs() []string {
	var list []string
	for _, e := range w.events {
		if e.Kind == trace.Off {
			list = append(list, fmt.Sprintf("%s %v at %v", w.Threads()[e.Thread].Name, e.Cause, micros(e.At)))
		}
	}
	return list
}

func micros(t clock.Time) string {
	return fmt.Sprintf("%d.%03d", t/clock.Time(ms), t/clock.Time(clock.Microsecond)%1000)
}

// Steps of programs, in milliseconds.
func run(n int) workload.Instr   { return workload.Instr{Op: workload.Run, D: millis(n)} }
func sleep(n int) workload.Instr { return workload.Instr{Op: workload.Sleep, D: millis(n)} }

var yield = workload.Instr{Op: workload.Yield}

func fork(p *workload.Program) workload.Instr { return workload.Instr{Op: workload.Fork, Child: p} }

// does is a program of the given steps, done once.
func does(steps ...workload.Instr) *workload.Program { return loops(1, steps...) }

// loops is a program that goes through the given steps so many times.
func loops(n int64, steps ...workload.Instr) *workload.Program {
	var b workload.Builder
	b.Repeat(n, func() {
		for _, s := range steps {
			b.Do(s)
		}
	})
	p, err := b.Program()
	if err != nil {
		panic(err)
	}
	return p
}
