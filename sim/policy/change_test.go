package policy_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/workload"
)

// command changes something in mid-run, as a console would. A refusal is fine;
// what it leaves behind is checked by the caller.
func (b *bench) command() string {
	if len(b.Threads()) == 0 {
		return "nothing"
	}
	t := b.Threads()[b.r.IntN(len(b.Threads()))]
	cpu := b.r.IntN(len(b.CPUs()))
	set := b.r.IntN(b.sets + 2)
	say := func(err error, format string, args ...any) string {
		return fmt.Sprintf(format, args...) + fmt.Sprintf(": %v", err)
	}
	switch b.r.IntN(14) {
	case 0:
		n := b.r.IntN(60) - 30
		_, err := b.Nice(t, n)
		return say(err, "nice %d of thread %d", n, t.ID)
	case 1:
		class := b.pol.ClassOf(t)
		p := b.params(class)
		p.Class = class
		return say(b.Set(t, &p), "thread %d to %+v", t.ID, p)
	case 2, 3:
		p := b.params([...]string{"TS", "FSS", "FX", "IA", "RT", "SYS", "XX"}[b.r.IntN(7)])
		return say(b.Set(t, &p), "thread %d to %+v", t.ID, p)
	case 4:
		b.bound, b.even = true, false
		return say(b.Bind(t, cpu), "thread %d to CPU %d", t.ID, cpu)
	case 5:
		return say(b.Bind(t, sched.NoCPU), "thread %d free", t.ID)
	case 6:
		return say(b.Join(t, set), "thread %d to set %d", t.ID, set)
	case 7:
		g := sched.GroupID(b.r.IntN(b.projects + 3))
		return say(b.Regroup(t, g), "thread %d to project %d", t.ID, g)
	case 8:
		b.sets, b.even = max(b.sets, set), false
		return say(b.Assign(cpu, set), "CPU %d to set %d", cpu, set)
	case 9:
		online := b.r.IntN(2) == 0
		b.even = false
		return say(b.SetOnline(cpu, online), "CPU %d on-line %v", cpu, online)
	case 10:
		g := sched.GroupID(b.r.IntN(b.projects + 1))
		return say(b.SetShares(g, b.shares()), "shares of %d", g)
	case 11:
		if b.r.IntN(3) == 0 {
			return say(b.Kill(t), "kill thread %d", t.ID)
		}
		return say(b.Start(t), "start thread %d", t.ID)
	case 12:
		_, err := b.Fork(t, "child", b.child(1))
		return say(err, "thread %d forks", t.ID)
	default:
		s, ok := b.spec([]string{"TS", "FSS", "FX", "IA", "RT"})
		if !ok || len(b.Threads()) > 300 {
			return "nothing"
		}
		th, err := b.Create(s)
		if err == nil {
			b.StartAt(th, b.Now().Add(b.duration(100)))
		}
		return say(err, "a new thread %+v", s.As)
	}
}

// disturb lets a case run for a while under random commands.
func (b *bench) disturb(commands int) {
	name := b.name
	for i := range commands {
		b.name = fmt.Sprintf("%s, command %d: %s", name, i, b.command())
		b.settled()
		if b.r.IntN(3) > 0 {
			b.advance(b.duration(200))
		}
	}
	b.advance(clock.Second)
	require.NoError(b.t, b.history.Finish(b.Now()), b.name)
}

func TestRandomCommandsInMidRunKeepEveryPromise(t *testing.T) {
	for seed := range uint64(400) {
		b := newBench(t, fmt.Sprintf("seed %d", seed), rand.New(rand.NewPCG(seed, 2)))
		b.populate()
		b.advance(b.duration(1500))
		b.disturb(40)
	}
}

func TestSkippedTicksChangeNothingUnderRandomCommands(t *testing.T) {
	for seed := range uint64(60) {
		run := func(everyTick bool) uint64 {
			b := makeBench(t, fmt.Sprintf("seed %d", seed), rand.New(rand.NewPCG(seed, 4)), everyTick)
			b.populate()
			b.advance(b.duration(1500))
			b.disturb(15)
			return b.digest.Sum()
		}
		require.Equal(t, run(true), run(false), "seed %d", seed)
	}
}

func TestEverybodyEndsWhenEverybodyIsKilled(t *testing.T) {
	for seed := range uint64(60) {
		b := newBench(t, fmt.Sprintf("seed %d", seed), rand.New(rand.NewPCG(seed, 3)))
		b.populate()
		b.advance(2 * clock.Second)
		for range 4 { // children may be born while their parents wait to exit
			for _, th := range b.Threads() {
				if !th.Kernel && th.State != sched.Gone {
					require.NoError(t, b.Kill(th), b.name)
				}
			}
			b.settled()
			b.advance(20 * clock.Second)
		}
		for _, th := range b.Threads() {
			if !th.Kernel && th.State != sched.Gone {
				b.fail("thread %d is %v after it was killed", th.ID, th.State)
			}
		}
	}
}

// FuzzRun: a random case under random commands. The input seeds the case and
// the commands.
func FuzzRun(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, uint64(9), uint8(20))
	}
	f.Fuzz(func(t *testing.T, a, c uint64, commands uint8) {
		b := newBench(t, fmt.Sprintf("case %d, %d", a, c), rand.New(rand.NewPCG(a, c)))
		b.populate()
		b.disturb(int(commands % 64))
	})
}

// FuzzProgram: whatever a Builder accepts runs without breaking an invariant.
func FuzzProgram(f *testing.F) {
	f.Add([]byte{0, 10, 1, 20, 5, 2, 3}, true)
	f.Add([]byte{5, 0, 4, 0, 6, 3, 7, 255, 0, 1}, false)
	f.Add([]byte{5, 255, 5, 200, 4, 4, 6, 6}, false)
	f.Fuzz(func(t *testing.T, steps []byte, forever bool) {
		var w workload.Builder
		at := 0
		next := func() int {
			if at >= len(steps) {
				return 0
			}
			at++
			return int(steps[at-1])
		}
		var body func(depth int)
		body = func(depth int) {
			for at < len(steps) {
				switch next() % 8 {
				case 0, 1:
					w.Do(workload.Instr{Op: workload.Run, D: clock.Duration(next()) * ms})
				case 2, 3:
					w.Do(workload.Instr{Op: workload.Sleep, D: clock.Duration(next()) * ms})
				case 4:
					w.Do(workload.Instr{Op: workload.Yield})
				case 5:
					if depth < 5 {
						w.Repeat(int64(next()-2), func() { body(depth + 1) })
					}
				case 6:
					if depth > 0 {
						return
					}
				case 7:
					w.Do(workload.Instr{Op: workload.Exit})
				}
			}
		}
		count := int64(1)
		if forever {
			count = -1
		}
		w.Repeat(count, func() { body(0) })
		p, err := w.Program()
		if err != nil {
			return
		}
		b := newBench(t, "program", rand.New(rand.NewPCG(1, uint64(len(steps)))))
		for _, class := range []string{"TS", "FSS", "RT"} {
			s, ok := b.spec([]string{class})
			if !ok {
				continue
			}
			s.Prog = p
			th, err := b.Create(s)
			require.NoError(t, err)
			require.NoError(t, b.Start(th))
		}
		// Thousands of yields in a millisecond are allowed: so many are enough.
		_, err = b.AdvanceSome(clock.Time(500*ms), 50_000)
		require.NoError(t, err)
		b.settled()
		require.NoError(t, b.history.Finish(b.Now()))
	})
}
