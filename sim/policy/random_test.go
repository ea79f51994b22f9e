package policy_test

import (
	"fmt"
	"math/rand/v2"
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

// bench is a random machine with a random workload on it, watched closely.
type bench struct {
	*engine.Engine
	t        testing.TB
	r        *rand.Rand
	name     string
	pol      *solaris.Policy
	history  *check.History
	ledger   *stats.Ledger
	vmstat   *stats.Vmstat
	digest   trace.Digest
	projects int
	sets     int
	exact    bool // strands do not share pipelines and nothing is charged
	hogs     bool // no thread ever sleeps
	even     bool // hogs only, CPUs in one set, as many to each core, no thread bound
	bound    bool // some thread is, or was, bound
	endless  bool // some quantum never ends
}

// newBench builds a case from a source of random numbers.
func newBench(t testing.TB, name string, r *rand.Rand) *bench { return makeBench(t, name, r, false) }

func makeBench(t testing.TB, name string, r *rand.Rand, everyTick bool) *bench {
	b := &bench{t: t, r: r, name: name}
	m, shared := b.machine()
	n := len(m.CPUs)
	o := solaris.Options{DefaultClass: "TS"}
	if r.IntN(3) == 0 {
		o.ClockCost, o.DeviceCost = clock.Duration(r.IntN(100))*clock.Microsecond, clock.Duration(r.IntN(5))*ms
	}
	b.exact = !shared && o.ClockCost == 0 && o.DeviceCost == 0
	zones := r.IntN(3)
	for z := range zones {
		o.Zones = append(o.Zones, solaris.Zone{ID: z, Shares: b.shares()})
	}
	b.projects = r.IntN(4)
	for p := range b.projects {
		o.Projects = append(o.Projects, solaris.Project{ID: sched.GroupID(p), Shares: b.shares(), Zone: r.IntN(max(1, zones))})
	}
	b.pol = solaris.New(o)
	time := stats.NewCPUTime(n)
	b.history, b.ledger, b.vmstat = check.New(n), stats.NewLedger(n), stats.NewVmstat(time, n, 10*ms)
	e, err := engine.New(engine.Config{
		Machine: m, Policy: b.pol, Timing: engine.Clock, HZ: solaris.HZ, Seed: r.Uint64(), SleepOnTicks: r.IntN(2) == 0,
		Sets: b.makeSets(n), Observers: []trace.Observer{b.history, time, b.ledger, b.vmstat, &b.digest},
		EveryTick: everyTick,
	})
	require.NoError(t, err, name)
	b.Engine = e
	b.hogs = r.IntN(3) == 0
	b.even = b.hogs && b.sets == 0
	for _, ids := range m.Cores {
		b.even = b.even && len(ids) == len(m.Cores[0])
	}
	return b
}

func (b *bench) shares() int {
	return [...]int{0, 1, 1, 2, 5, 99, 65535}[b.r.IntN(7)]
}

// machine is one of 1 to 256 strands, most of them small.
func (b *bench) machine() (m *machine.Machine, shared bool) {
	n := 1 + b.r.IntN([...]int{2, 4, 8, 32, 256}[b.r.IntN(5)])
	perCore := 1 + b.r.IntN(8)
	if b.r.IntN(2) == 0 {
		m, err := machine.Grid(n, perCore)
		require.NoError(b.t, err)
		return m, false
	}
	rate := []machine.Permille{1000, 810, 630, 490, 400, 333, 290, 251}
	m, err := machine.Build("", "", machine.Node{Kind: machine.Chip, Count: 1, Of: &machine.Node{
		Kind: machine.Core, Count: max(1, n/perCore), Of: &machine.Node{
			Kind: machine.Pipeline, Count: 1, Rate: rate, Of: &machine.Node{Kind: machine.Strand, Count: perCore},
		},
	}})
	require.NoError(b.t, err)
	return m, true
}

// makeSets gives each CPU to one of up to three sets; CPU 0 or the last one
// stays in the default set.
func (b *bench) makeSets(cpus int) []engine.Set {
	b.sets = b.r.IntN(3)
	var sets []engine.Set
	for id := 1; id <= b.sets; id++ {
		sets = append(sets, engine.Set{ID: id})
	}
	keep := [...]int{0, cpus - 1}[b.r.IntN(2)]
	for c := range cpus {
		if s := b.r.IntN(b.sets + 2); s > 0 && s <= b.sets && c != keep {
			sets[s-1].CPUs = append(sets[s-1].CPUs, c)
		}
	}
	return sets
}

// duration is up to so many ms, a whole number of them half of the time.
func (b *bench) duration(millis int) clock.Duration {
	d := clock.Duration(b.r.IntN(millis*1000)) * clock.Microsecond
	if b.r.IntN(2) == 0 {
		d = d / ms * ms
	}
	return d + 100*clock.Microsecond
}

// program is a random list of steps, looped; nil spins.
func (b *bench) program(depth int) *workload.Program {
	if b.r.IntN(4) == 0 {
		return nil
	}
	if b.hogs {
		return &workload.Program{Steps: []workload.Instr{{Op: workload.Run, D: b.duration(3000)}}}
	}
	var w workload.Builder
	body := func() {
		for range 1 + b.r.IntN(4) {
			switch b.r.IntN(9) {
			case 0, 1, 2, 3:
				w.Do(workload.Instr{Op: workload.Run, D: b.duration(60)})
			case 4, 5:
				w.Do(workload.Instr{Op: workload.Sleep, D: b.duration(300)})
			case 6:
				w.Do(workload.Instr{Op: workload.Yield})
			case 7:
				if depth < 2 {
					w.Do(workload.Instr{Op: workload.Sleep, D: b.duration(500) + 100*ms})
					w.Do(workload.Instr{Op: workload.Fork, Child: b.child(depth + 1)})
				}
			case 8:
				if b.r.IntN(4) == 0 {
					w.Do(workload.Instr{Op: workload.Exit})
				}
			}
		}
		w.Do(workload.Instr{Op: workload.Run, D: b.duration(20)})
	}
	count := int64(1 + b.r.IntN(40))
	if b.r.IntN(2) == 0 {
		count = -1
	}
	w.Repeat(count, body)
	p, err := w.Program()
	require.NoError(b.t, err, b.name)
	return p
}

// child is a program that ends.
func (b *bench) child(depth int) *workload.Program {
	p := b.program(depth)
	if p == nil {
		return &workload.Program{Steps: []workload.Instr{{Op: workload.Run, D: b.duration(200)}}}
	}
	c := *p
	c.Steps = append([]workload.Instr{}, p.Steps...)
	for i := range c.Steps {
		if c.Steps[i].Op == workload.Loop && c.Steps[i].Count < 0 {
			c.Steps[i].Count = 3
		}
	}
	return &c
}

// classes are mixes from which a case takes its threads' classes.
var classes = [][]string{
	{"TS"}, {"FSS"}, {"FX"}, {"RT"}, {"IA"}, {"TS", "IA"}, {"TS", "FX"}, {"TS", "FSS", "FX", "IA", "RT"}, {"TS", "TS", "RT"},
}

func (b *bench) params(class string) sched.Params {
	p := sched.Params{Class: class}
	switch class {
	case "TS", "FSS", "IA":
		if b.r.IntN(2) == 0 {
			p.Nice = b.r.IntN(40) - 20
		}
		if class == "IA" {
			p.Boost = [...]int{0, 10, -10}[b.r.IntN(3)]
		}
	case "FX":
		p.Priority = b.r.IntN(61)
		p.Quantum = [...]int{0, 0, 1, 7, -2}[b.r.IntN(5)]
		b.endless = b.endless || p.Quantum == -2
	case "RT":
		p.Priority = b.r.IntN(60)
		p.Quantum = [...]int{0, 1, 5, -2}[b.r.IntN(4)]
		b.endless = b.endless || p.Quantum == -2
	}
	return p
}

// spec is a thread of one of the given classes that may run somewhere.
func (b *bench) spec(mix []string) (engine.Spec, bool) {
	s := engine.Spec{
		Name: "x", Bound: sched.NoCPU, Set: b.r.IntN(b.sets + 1), Group: sched.GroupID(b.r.IntN(b.projects + 2)),
		Prog: b.program(0), As: b.params(mix[b.r.IntN(len(mix))]),
	}
	var cpus []int
	for _, c := range b.CPUs() {
		if c.Set == s.Set && c.Online {
			cpus = append(cpus, c.ID)
		}
	}
	if len(cpus) == 0 {
		return s, false
	}
	if b.r.IntN(6) == 0 {
		s.Bound = cpus[b.r.IntN(len(cpus))]
		b.bound, b.even = true, false
	}
	return s, true
}

// populate creates threads that start within the first second.
func (b *bench) populate() {
	mix := classes[b.r.IntN(len(classes))]
	for range 1 + b.r.IntN([...]int{3, 10, 60, 2 * len(b.CPUs())}[b.r.IntN(4)]) {
		s, ok := b.spec(mix)
		if !ok {
			continue
		}
		th, err := b.Create(s)
		require.NoError(b.t, err, b.name)
		at := clock.Time(0)
		if b.r.IntN(2) == 0 {
			at = clock.Time(b.duration(1000))
		}
		b.StartAt(th, at)
	}
}

// settled checks all that must hold between two instants.
func (b *bench) settled() {
	require.NoError(b.t, b.history.Err(), b.name)
	queued := map[sched.ThreadID]sched.Queue{}
	b.pol.Queues(func(q sched.Queue, waiting []sched.ThreadID) {
		for _, id := range waiting {
			if other, twice := queued[id]; twice {
				b.fail("thread %d waits in two queues: %+v and %+v", id, other, q)
			}
			queued[id] = q
		}
	})
	var count [5]int
	for _, t := range b.Threads() {
		count[t.State]++
		b.checkThread(t, queued)
	}
	b.checkCPUs()
	running, waiting := count[sched.Running], count[sched.Waiting]
	if total := running + waiting + count[sched.Sleeping] + count[sched.Gone] + count[sched.Embryo]; total != len(b.Threads()) {
		b.fail("%d threads of %d are in a state", total, len(b.Threads()))
	}
	if running > len(b.CPUs()) {
		b.fail("%d threads run on %d strands", running, len(b.CPUs()))
	}
	if b.vmstat.Waiting() != waiting {
		b.fail("%d threads wait, by the events it is %d", waiting, b.vmstat.Waiting())
	}
	b.checkShares()
}

func (b *bench) fail(format string, args ...any) {
	b.t.Helper()
	b.t.Fatalf("%s, at %v: %s", b.name, b.Now(), fmt.Sprintf(format, args...))
}

func (b *bench) checkThread(t *sched.Thread, queued map[sched.ThreadID]sched.Queue) {
	if pri := b.pol.Priority(t); pri < 0 || pri > 159 {
		b.fail("thread %d (%s) has priority %d", t.ID, b.pol.ClassOf(t), pri)
	}
	q, in := queued[t.ID]
	if in != (t.State == sched.Waiting) {
		b.fail("thread %d (%s) is %v and in a queue: %v", t.ID, b.pol.ClassOf(t), t.State, in)
	}
	if in {
		if q.Priority != b.pol.Priority(t) {
			b.fail("thread %d of priority %d waits at level %d", t.ID, b.pol.Priority(t), q.Priority)
		}
		if q.Set != t.Set || q.CPU != sched.NoCPU && !t.May(b.CPUs()[q.CPU]) {
			b.fail("thread %d of set %d, bound to %d, waits in %+v", t.ID, t.Set, t.Bound, q)
		}
	}
	if t.State == sched.Running {
		c := b.CPUs()[t.CPU]
		if c.Thread != t || !t.May(c) {
			b.fail("thread %d runs on CPU %d, which runs %v", t.ID, t.CPU, c.Thread)
		}
	}
	ran, work := b.ledger.Entry(t.ID).Ran(b.Now()), b.Work(t)
	if work < 0 || work > ran || b.exact && !t.Kernel && work != ran {
		b.fail("thread %d was on CPU for %d ns and did %d ns of work", t.ID, ran, work)
	}
}

// checkCPUs: no strand idles beside a thread that waits and may run on it for
// longer than the policy declares; where only hogs fill even cores, not at all.
func (b *bench) checkCPUs() {
	for _, c := range b.CPUs() {
		if c.Thread != nil {
			continue
		}
		if c.Kicked && c.Online {
			b.fail("CPU %d is kicked and does nothing", c.ID)
		}
		for _, t := range b.Threads() {
			if t.State != sched.Waiting || !t.May(c) {
				continue
			}
			waited := b.Now().Sub(b.ledger.Entry(t.ID).Since)
			if b.even || t.Bound != sched.NoCPU || waited > solaris.IdleBeside && !b.endless && !b.bound {
				b.fail("CPU %d of set %d idles beside thread %d (%s, priority %d), which waits for %d ms",
					c.ID, c.Set, t.ID, b.pol.ClassOf(t), b.pol.Priority(t), waited/ms)
			}
		}
	}
}

// checkShares: FSS counts exactly the threads that run or wait.
func (b *bench) checkShares() {
	type key struct {
		set   int
		group sched.GroupID
	}
	runnable := map[key]uint64{}
	for _, t := range b.Threads() {
		if b.pol.ClassOf(t) == "FSS" {
			k := key{t.Set, t.Group}
			if t.State == sched.Running || t.State == sched.Waiting {
				runnable[k]++
			} else {
				runnable[k] += 0
			}
		}
	}
	for k, n := range runnable {
		a, err := b.pol.ProjectAccounts(k.set, k.group)
		require.NoError(b.t, err, b.name)
		if a.Runnable != n {
			b.fail("project %d in set %d counts %d runnable threads, there are %d", k.group, k.set, a.Runnable, n)
		}
	}
}

func (b *bench) advance(d clock.Duration) {
	require.NoError(b.t, b.AdvanceTo(b.Now().Add(d)), b.name)
	require.NoError(b.t, b.pol.CheckRanks(), b.name)
	b.settled()
}
