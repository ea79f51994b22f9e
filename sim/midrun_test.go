package sim_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/engine"
	"strandscope/sim/policy"
	"strandscope/sim/policy/fcfs"
	"strandscope/sim/scenario"
	"strandscope/sim/sched"
)

// laterKernels are those that no built-in scenario has.
var laterKernels = []string{"linux-2.6.22", "linux-2.6.24", "linux-6.1", "linux-6.12", "linux-6.18"}

// onKernel is a small workload of hogs, sleepers and threads with an end.
func onKernel(kernel string) []byte {
	return fmt.Appendf(nil, `{"machine": "xeon-smp4-1999", "scheduler": {"kernel": %q}, "tasks": {
		"hog": {"instance": 6, "run": 1000000},
		"sleeper": {"instance": 3, "run": 3000, "sleep": 7000},
		"short": {"instance": 4, "loop": 20, "run": 9000, "yield": "", "sleep": 500},
		"nice": {"instance": 2, "nice": 10, "run": 400000, "sleep": 1000}}}`, kernel)
}

// doing is one thing that is done to a run in mid-run.
type doing struct {
	at   clock.Time
	how  byte // d: Do, t: Type, i: Interrupt
	line string
}

// plan is a scenario under random commands.
type plan struct {
	id     string // of the library; empty: document
	doc    []byte
	doings []doing
	end    clock.Time
}

func newPlan(r *rand.Rand, commands int) plan {
	var p plan
	if n := r.IntN(len(scenario.Library) + len(laterKernels)); n < len(scenario.Library) {
		p.id = scenario.Library[n]
	} else {
		p.doc = onKernel(laterKernels[n-len(scenario.Library)])
	}
	s, err := p.open()
	if err != nil {
		panic(err) // built-in, or written above
	}
	w := liner{r: r, cpus: len(s.Frame().CPUs), kernel: s.Frame().Scenario.Kernel, pids: 6 + len(s.Frame().Threads)}
	for range commands {
		if r.IntN(4) > 0 {
			p.end = p.end.Add(w.pause())
		}
		d := doing{at: p.end, how: "ddddtti"[r.IntN(7)]}
		d.line = w.line()
		p.doings = append(p.doings, d)
	}
	p.end = p.end.Add(clock.Second / 2)
	return p
}

func (p *plan) open(settings ...sim.Setting) (*sim.Session, error) {
	if p.id != "" {
		return sim.Open(p.id, settings...)
	}
	return sim.OpenDocument("midrun", p.doc, settings...)
}

// do does one thing; that the machine refuses it is fine.
func (d *doing) do(s *sim.Session) {
	switch d.how {
	case 'd':
		_, _ = s.Do(d.line)
	case 't':
		s.Type(d.line)
	default:
		s.Interrupt()
	}
}

// liner writes lines that a machine mostly obeys.
type liner struct {
	r      *rand.Rand
	cpus   int
	kernel string
	pids   int // about so many processes
}

func (w *liner) one(of ...string) string { return of[w.r.IntN(len(of))] }

func (w *liner) pause() clock.Duration {
	d := clock.Duration(w.r.IntN(400_000)) * clock.Microsecond
	if w.r.IntN(2) == 0 { // on a tick
		d = d / (10 * clock.Millisecond) * (10 * clock.Millisecond)
	}
	return d
}

func (w *liner) pid() int  { return 1203 + w.r.IntN(w.pids+4) }
func (w *liner) cpu() int  { return w.r.IntN(w.cpus + 1) }
func (w *liner) nice() int { return w.r.IntN(50) - 25 }

func (w *liner) program() string {
	return w.one("spin", fmt.Sprintf("run %dms", 1+w.r.IntN(60)), fmt.Sprintf("run %dus; sleep %dms", 1+w.r.IntN(9000), w.r.IntN(40)),
		"yield; run 300us", fmt.Sprintf("run 1s; sleep %dus", w.r.IntN(30000)))
}

func (w *liner) line() string {
	classes := []string{"TS", "FSS", "FX", "IA", "RT"}
	lines := []func() string{
		func() string { return fmt.Sprintf("run -n %d '%s'", 1+w.r.IntN(6), w.program()) },
		func() string { return fmt.Sprintf("run -b %d -i %d '%s'", w.cpu(), w.nice(), w.program()) },
		func() string { return fmt.Sprintf("kill -9 %d", w.pid()) },
		func() string { return fmt.Sprintf("kill %d %d", w.pid(), w.pid()) },
		func() string { return fmt.Sprintf("sleep 0.%d &", w.r.IntN(1000)) },
		func() string {
			return w.one("wait", "jobs", "fg", "pkill sleeper", "pkill -x spinner", "sleep 0.3", "uptime", "echo $?")
		},
		func() string {
			return w.one("for i in 1 2 3; do sleep 0.02; done", "(sleep 0.1; false) || true", "! (")
		},
		func() string { return fmt.Sprintf("renice %d %d", w.nice(), w.pid()) },
	}
	if w.kernel == "solaris10" {
		lines = append(lines,
			func() string { return fmt.Sprintf("priocntl -s -c %s -i pid %d", w.one(classes...), w.pid()) },
			func() string {
				return fmt.Sprintf("priocntl -s -c %s -p %d -i pid %d", w.one(classes...), w.r.IntN(70)-5, w.pid())
			},
			func() string {
				return fmt.Sprintf("priocntl -s -c %s -i class %s", w.one(classes...), w.one(classes...))
			},
			func() string { return fmt.Sprintf("psradm -f %d", w.cpu()) },
			func() string { return fmt.Sprintf("psradm -f %d-%d", w.cpu()/2, w.cpu()) },
			func() string { return w.one("psradm -a -n", fmt.Sprintf("psradm -n %d", w.cpu())) },
			func() string { return fmt.Sprintf("psrset -c %d-%d", w.cpu()/2, w.cpu()) },
			func() string { return fmt.Sprintf("psrset -a %d %d", w.r.IntN(4), w.cpu()) },
			func() string { return fmt.Sprintf("psrset -b %d %d", w.r.IntN(4), w.pid()) },
			func() string { return w.one("psrset -d 1", "psrset -d 2", fmt.Sprintf("psrset -u %d", w.pid())) },
			func() string { return fmt.Sprintf("psrset -r %d", w.cpu()) },
			func() string { return fmt.Sprintf("pbind -b %d %d", w.cpu(), w.pid()) },
			func() string { return fmt.Sprintf("pbind -u %d", w.pid()) },
			func() string { return fmt.Sprintf("newtask -p %s -c %d", w.one("default", "system", "batch"), w.pid()) },
			func() string {
				return fmt.Sprintf("prctl -n project.cpu-shares -v %d -r -i project default", w.r.IntN(70000))
			},
			func() string {
				return fmt.Sprintf("perl -e 'while (--$ARGV[0] and fork) {}; while () {}' %d &", 1+w.r.IntN(6))
			},
		)
	} else {
		lines = append(lines,
			func() string { return fmt.Sprintf("chrt %s %d -p %d", w.one("-f", "-r"), w.r.IntN(101), w.pid()) },
			func() string { return fmt.Sprintf("chrt -o -p %d", w.pid()) },
			func() string {
				return w.one("./loop &", "nice -n 5 ./loop &", "chrt -r 3 ./loop &", "ping -c 2 195.4.7.3 &")
			},
			func() string { return w.one("top -b -n 1", "ps", "vmstat 1 2", "cat /proc/loadavg") },
		)
	}
	return lines[w.r.IntN(len(lines))]()
}

// mostDone bounds a straight run: a plan with more events is left out.
const mostDone = 400_000

// checkPlan runs a plan straight, in pieces with looks between, by way of the past, and
// as its own link would. All of them are the same run.
func checkPlan(t *testing.T, r *rand.Rand, commands int) {
	p := newPlan(r, commands)
	where := fmt.Sprintf("%s%s %+v", p.id, p.doc, p.doings)
	open := func(settings ...sim.Setting) *sim.Session {
		s, err := p.open(settings...)
		require.NoError(t, err, where)
		return s
	}

	straight := open()
	to := func(at clock.Time) bool {
		there, err := straight.AdvanceUpTo(at, mostDone)
		require.NoError(t, err, where)
		return there
	}
	for i := range p.doings {
		if !to(p.doings[i].at) {
			return
		}
		p.doings[i].do(straight)
	}
	if !to(p.end) {
		return
	}
	require.NoError(t, straight.Finish(), where)
	want := straight.Digest()

	cut := open()
	pieces := func(at clock.Time) {
		for there := false; !there; {
			var err error
			there, err = cut.AdvanceUpTo(at, 1+r.IntN(20_000))
			require.NoError(t, err, where)
			switch r.IntN(8) {
			case 0:
				cut.Frame()
			case 1:
				cut.WhyStrand(r.IntN(len(cut.Frame().CPUs)))
			case 2:
				cut.WhyThread(r.IntN(max(1, len(cut.Frame().Threads))))
			}
		}
	}
	for i := range p.doings {
		d := &p.doings[i]
		pieces(d.at)
		// To the past and back again, before anything of this time is done.
		if d.at > 0 && r.IntN(4) == 0 {
			require.NoError(t, cut.SeekTo(clock.Time(r.Int64N(int64(d.at)))), where)
			require.NoError(t, cut.SeekTo(d.at), where)
		}
		d.do(cut)
	}
	pieces(p.end)
	require.NoError(t, cut.Finish(), where)
	require.Equal(t, want, cut.Digest(), "in pieces: %s", where)
	require.NoError(t, cut.SeekTo(clock.Time(r.Int64N(int64(p.end)))), where)
	require.NoError(t, cut.SeekTo(p.end), where)
	require.Equal(t, want, cut.Digest(), "after going back: %s", where)

	linked := open(straight.Typed()...)
	require.NoError(t, linked.AdvanceTo(p.end), where)
	require.Equal(t, want, linked.Digest(), "by its link: %s", where)
}

func TestARunUnderRandomCommandsIsOneRunHoweverItIsReached(t *testing.T) {
	for seed := range uint64(40) {
		checkPlan(t, rand.New(rand.NewPCG(seed, 27)), 1+int(seed)%12)
	}
}

// FuzzMidRun: a random scenario under random commands keeps every invariant, and its
// digest is one. The input seeds the scenario and the commands.
func FuzzMidRun(f *testing.F) {
	for seed := range uint64(4) {
		f.Add(seed, seed*7, uint8(6))
	}
	f.Fuzz(func(t *testing.T, a, b uint64, commands uint8) {
		checkPlan(t, rand.New(rand.NewPCG(a, b)), int(commands%24))
	})
}

func TestALineThatFailsHalfwayChangesNothing(t *testing.T) {
	for _, c := range []struct{ id, line, want string }{
		{"t2000-ts", "kill 1204 99999", "99999"},
		{"t2000-ts", "./nothing & perl -e 'while () {}' &", "nothing"},
		{"linux22-250-hogs", "run -n 3 spin; chrt -f 200 -p 1300", "200"},
	} {
		s, err := sim.Open(c.id)
		require.NoError(t, err)
		require.NoError(t, s.AdvanceTo(clock.Time(1234*clock.Millisecond)))
		before := s.Digest()
		_, err = s.Do(c.line)
		require.ErrorContains(t, err, c.want, c.line)
		require.Equal(t, before, s.Digest(), c.line)
		require.Equal(t, clock.Time(1234*clock.Millisecond), s.Now())
		require.Empty(t, s.Typed(), "nothing of it is in a link")
		require.Empty(t, s.Undoable())
		other, err := sim.Open(c.id)
		require.NoError(t, err)
		require.NoError(t, other.AdvanceTo(clock.Time(3*clock.Second)))
		require.NoError(t, s.AdvanceTo(clock.Time(3*clock.Second)))
		require.Equal(t, other.Digest(), s.Digest(), c.line)
	}
}

// fragile panics when a thread of a name becomes ready.
type fragile struct{ *fcfs.Policy }

func (p *fragile) Enqueue(t *sched.Thread, why sched.Cause) {
	if t.Name == "boom" {
		panic("a name that it cannot bear")
	}
	p.Policy.Enqueue(t, why)
}

func TestALineThatMakesTheModelPanicIsInTheLinkThatReplaysIt(t *testing.T) {
	k, err := policy.Find("textbook-fcfs")
	require.NoError(t, err)
	good := k.New
	k.ID, k.New = "fragile", func(s *scenario.Scenario) (sched.Policy, error) {
		p, err := good(s)
		return &fragile{p.(*fcfs.Policy)}, err
	}
	policy.Kernels = append(policy.Kernels, k)
	defer func() { policy.Kernels = policy.Kernels[:len(policy.Kernels)-1] }()
	doc := []byte(`{"scheduler": {"kernel": "fragile"}, "tasks": {"a": {"run": 1000}}}`)
	s, err := sim.OpenDocument("x", doc)
	require.NoError(t, err)
	require.NoError(t, s.Advance(clock.Second))
	require.Panics(t, func() { _, _ = s.Do("run -t boom spin"); _ = s.Advance(clock.Second) })
	typed := s.Typed()
	require.Equal(t, []sim.Setting{{Key: "do@1000000000ns", Value: "run -t boom spin"}}, typed)
	again, err := sim.OpenDocument("x", doc, typed...)
	require.NoError(t, err)
	require.Panics(t, func() { _ = again.Advance(2 * clock.Second) })
}

func TestNoLineMakesMoreThreadsThanAreAccepted(t *testing.T) {
	for line, want := range map[string]string{
		"for i in $(seq 1 300); do run -n 1000 spin; done": "the machine takes process ids up to 100000",
		"while true; do run -n 1000 spin; done":            "more than 200000 steps in which no time passes; stopped",
		"perl -e 'while () { fork }'":                      "",
	} {
		s, err := sim.Open("t2000")
		require.NoError(t, err)
		s.Type(line)
		_, err = s.AdvanceUpTo(clock.Time(clock.Second), 500_000)
		require.NoError(t, err, line)
		require.LessOrEqual(t, len(s.Frame().Threads), engine.MaxThreads, line)
		lines, _ := s.Console().Log().From(0)
		require.Contains(t, lines[len(lines)-1].Text, want, line)
	}
}
