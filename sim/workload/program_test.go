package workload_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
	"strandscope/sim/workload"
)

const ms = clock.Millisecond

func run(d clock.Duration) workload.Instr   { return workload.Instr{Op: workload.Run, D: d} }
func sleep(d clock.Duration) workload.Instr { return workload.Instr{Op: workload.Sleep, D: d} }

var (
	yield = workload.Instr{Op: workload.Yield}
	exit  = workload.Instr{Op: workload.Exit}
	spin  = workload.Instr{Op: workload.Spin}
	fork  = workload.Instr{Op: workload.Fork, Child: workload.Forever}
)

// build makes a program with the help of a function.
func build(f func(b *workload.Builder)) (*workload.Program, error) {
	var b workload.Builder
	f(&b)
	return b.Program()
}

// trace follows a program's loops and lists the durations of its steps, at
// most so many.
func trace(p *workload.Program, most int) []clock.Duration {
	var list []clock.Duration
	loops := make([]int64, p.Slots)
	for pc := 0; pc < len(p.Steps) && len(list) < most; {
		in := p.Steps[pc]
		pc++
		if in.Op != workload.Loop {
			list = append(list, in.D)
			continue
		}
		loops[in.Slot]++
		if in.Count < 0 || loops[in.Slot] < in.Count {
			pc = int(in.To)
		} else {
			loops[in.Slot] = 0
		}
	}
	return list
}

func TestStepsAreKeptInTheirOrder(t *testing.T) {
	p, err := build(func(b *workload.Builder) { b.Do(run(1)); b.Do(yield); b.Do(sleep(2)); b.Do(exit) })
	require.NoError(t, err)
	assert.Equal(t, []workload.Instr{run(1), yield, sleep(2), exit}, p.Steps)
	assert.Zero(t, p.Slots)
}

func TestALoopIsPassedAsOftenAsItSays(t *testing.T) {
	for _, c := range []struct {
		count int64
		want  []clock.Duration
	}{
		{0, nil},
		{1, []clock.Duration{1, 2}},
		{2, []clock.Duration{1, 2, 1, 2}},
		{3, []clock.Duration{1, 2, 1, 2, 1, 2}},
		{-1, []clock.Duration{1, 2, 1, 2, 1, 2, 1}},
	} {
		p, err := build(func(b *workload.Builder) {
			b.Repeat(c.count, func() { b.Do(run(1)); b.Do(run(2)) })
		})
		require.NoError(t, err)
		assert.Equal(t, c.want, trace(p, 7), "%d times", c.count)
	}
}

func TestLoopsInsideLoopsCountAnewInEachPass(t *testing.T) {
	p, err := build(func(b *workload.Builder) {
		b.Repeat(2, func() {
			b.Do(run(1))
			b.Repeat(3, func() {
				b.Do(run(2))
				b.Repeat(2, func() { b.Do(sleep(3)) })
			})
			b.Do(run(4))
		})
	})
	require.NoError(t, err)
	inner := []clock.Duration{2, 3, 3}
	var once []clock.Duration
	once = append(once, 1)
	for range 3 {
		once = append(once, inner...)
	}
	once = append(once, 4)
	assert.Equal(t, append(once, once...), trace(p, 100))
	assert.Equal(t, 3, p.Slots, "each loop has a counter of its own")
}

func TestAnEndlessLoopInWhichNoTimePassesIsRefused(t *testing.T) {
	for name, body := range map[string][]workload.Instr{
		"empty": {}, "a yield": {yield}, "a run of 0": {run(0)}, "a sleep of 0": {sleep(0)},
		"forks": {fork}, "all of them": {run(0), yield, fork, sleep(0)},
	} {
		_, err := build(func(b *workload.Builder) {
			b.Do(run(ms)) // before the loop: of no help
			b.Repeat(-1, func() {
				for _, in := range body {
					b.Do(in)
				}
			})
			b.Do(run(ms))
		})
		require.ErrorContains(t, err, "an endless loop in which no time passes", name)
	}
	for name, in := range map[string]workload.Instr{"a run": run(1), "a sleep": sleep(1), "an exit": exit, "spinning": spin} {
		_, err := build(func(b *workload.Builder) {
			b.Repeat(-1, func() { b.Do(yield); b.Repeat(2, func() { b.Do(in) }) })
		})
		require.NoError(t, err, "%s lets time pass, or ends the loop", name)
	}
}

func TestAProgramThatHardlyEverLetsTimePassIsRefused(t *testing.T) {
	const most = workload.MaxIdleSteps
	repeat := func(n int64, ins ...workload.Instr) func(b *workload.Builder) {
		return func(b *workload.Builder) {
			b.Repeat(n, func() {
				for _, in := range ins {
					b.Do(in)
				}
			})
		}
	}
	nested := func(b *workload.Builder) {
		b.Repeat(1<<40, func() { b.Repeat(1<<40, func() { b.Repeat(1<<40, func() { b.Do(yield) }) }) })
	}
	across := func(n int64) func(b *workload.Builder) {
		// From the end of one pass to the beginning of the next.
		return func(b *workload.Builder) {
			b.Repeat(2, func() { repeat(n, yield)(b); b.Do(run(1)); repeat(n, run(0))(b) })
		}
	}
	for _, c := range []struct {
		name string
		prog func(b *workload.Builder)
		ok   bool
	}{
		{"many yields", repeat(1<<40, yield), false},
		{"an empty loop", repeat(1 << 40), false},
		{"loops in loops", nested, false},
		{"just too many", repeat(most/2+1, yield), false},
		{"as many as allowed", repeat(most/2, yield), true},
		{"many passes that take time", repeat(1<<40, yield, run(1)), true},
		{"too many across two passes", across(most / 4), false},
		{"few enough across two passes", across(most/4 - 1), true},
		{"a long list", func(b *workload.Builder) {
			for range most + 1 {
				b.Do(run(0))
			}
		}, false},
		{"a long list with a rest", func(b *workload.Builder) {
			for i := range most + 1 {
				b.Do(run(clock.Duration(i % 2)))
			}
		}, true},
	} {
		_, err := build(c.prog)
		if c.ok {
			require.NoError(t, err, c.name)
		} else {
			require.ErrorContains(t, err, "steps in a row in which no time passes", c.name)
		}
	}
}

func TestDurationsMustBeNeitherNegativeNorBeyondCounting(t *testing.T) {
	_, err := build(func(b *workload.Builder) { b.Do(run(1)); b.Do(run(-4)) })
	require.EqualError(t, err, "step 1: negative duration")
	_, err = build(func(b *workload.Builder) { b.Do(sleep(-1)) })
	require.EqualError(t, err, "step 0: negative duration")
	_, err = build(func(b *workload.Builder) { b.Do(run(workload.MaxRun + 1)) })
	require.EqualError(t, err, "step 0: more than 100 days")
	p, err := build(func(b *workload.Builder) { b.Do(run(workload.MaxRun)) })
	require.NoError(t, err)
	assert.Positive(t, int64(p.Steps[0].D)*1000, "in thousandths of a nanosecond it still fits")
}

func TestForeverSpins(t *testing.T) {
	assert.Equal(t, []workload.Instr{spin}, workload.Forever.Steps)
}
