package sim_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/machine"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// run opens a built-in scenario, lets it run, and checks its history.
func run(t *testing.T, d clock.Duration, id string, settings ...sim.Setting) *sim.Session {
	t.Helper()
	s, err := sim.Open(id, settings...)
	require.NoError(t, err)
	require.NoError(t, s.Advance(d))
	require.NoError(t, s.Finish())
	return s
}

func set(key, value string) sim.Setting { return sim.Setting{Key: key, Value: value} }

// S-1 and S-2 of the cases: what the tip printed.
func TestTheTipsFiguresComeOut(t *testing.T) {
	cases := map[string]struct {
		id        string
		settings  []sim.Setting
		r, us     int
		ids       []int
		busy      int
		idleAside int
	}{
		"not set, as the tip saw it":          {"t2000-unset", nil, 20, 37, []int{62, 63}, 12, 20},
		"not set, as the kernel sources say":  {"t2000-unset", []sim.Setting{set("explanation", "kernel")}, 0, 100, []int{0}, 32, 0},
		"FSS":                                 {"t2000-fss", nil, 0, 100, []int{0}, 32, 0},
		"TS":                                  {"t2000-ts", nil, 0, 100, []int{0}, 32, 0},
		"FSS chosen in the scenario of unset": {"t2000-unset", []sim.Setting{set("class", "FSS")}, 0, 100, []int{0}, 32, 0},
		"unset chosen in the scenario of FSS": {"t2000-fss", []sim.Setting{set("class", "unset")}, 20, 37, []int{62, 63}, 12, 20},
		"FX runs all of them as well":         {"t2000-unset", []sim.Setting{set("class", "FX")}, 0, 100, []int{0}, 32, 0},
		"IA runs all of them as well":         {"t2000-unset", []sim.Setting{set("class", "IA")}, 0, 100, []int{0}, 32, 0},
		// Real-time spinners on all strands starve the kernel's own thread of
		// priority 99, which runs the once-a-second updates: it waits, and r counts it.
		"RT runs all of them as well":         {"t2000-unset", []sim.Setting{set("class", "RT")}, 1, 100, []int{0}, 32, 0},
		"another seed gives the same figures": {"t2000-unset", []sim.Setting{set("seed", "7")}, 20, 37, []int{62, 63}, 12, 20},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := run(t, 12*clock.Second, c.id, c.settings...).Frame()
			assert.Equal(t, c.r, f.Vmstat.Runnable)
			assert.Equal(t, c.us, f.Vmstat.User)
			assert.Zero(t, f.Vmstat.System)
			assert.Contains(t, c.ids, f.Vmstat.Idle)
			assert.Equal(t, c.busy, f.Totals.Busy)
			assert.Equal(t, c.idleAside, f.Totals.IdleBesideWork)
			for _, p := range f.Printed {
				if f.Scenario.Explanation == "kernel" {
					continue // the tip printed something else, and the page says so
				}
				assert.True(t, p.Agrees, "%s: printed %s, simulated %s", p.Label, p.Printed, p.Simulated)
			}
		})
	}
}

func TestEveryIntervalOfVmstatPrintsTheTipsRow(t *testing.T) {
	s, err := sim.Open("t2000-unset")
	require.NoError(t, err)
	r := s.Vmstat(3)
	require.NoError(t, s.Advance(12*clock.Second))
	require.Len(t, r.Lines, 2+1+4, "two headings, since boot, four intervals")
	assert.Equal(t, []string{"0", "0", "100"}, last(r.Lines[2], 3), "since boot: a quiet machine")
	for _, line := range r.Lines[3:] {
		f := strings.Fields(line)
		assert.Equal(t, "20", f[0])
		cpu := last(line, 3)
		assert.Equal(t, []string{"37", "0"}, cpu[:2])
		assert.Contains(t, []string{"62", "63"}, cpu[2])
	}
}

func last(line string, n int) []string {
	f := strings.Fields(line)
	return f[len(f)-n:]
}

func TestHoweverTimeIsCutTheSameEventsHappen(t *testing.T) {
	for _, id := range []string{"t2000-unset", "t2000-ts", "t2000-fss"} {
		t.Run(id, func(t *testing.T) {
			whole := run(t, 60*clock.Second, id)

			pieces, err := sim.Open(id)
			require.NoError(t, err)
			for range 60_000 {
				require.NoError(t, pieces.Advance(clock.Millisecond))
			}
			assert.Equal(t, whole.Digest(), pieces.Digest(), "in pieces of a millisecond")

			slices, err := sim.Open(id)
			require.NoError(t, err)
			for there := false; !there; {
				there, err = slices.AdvanceUpTo(clock.Time(60*clock.Second), 17)
				require.NoError(t, err)
				slices.Frame() // looking must not disturb
			}
			assert.Equal(t, whole.Digest(), slices.Digest(), "in slices of 17 events, looked at after each")
		})
	}
}

func TestTheDigestTellsRunsApart(t *testing.T) {
	a := run(t, clock.Second, "t2000-unset").Digest()
	assert.Equal(t, a, run(t, clock.Second, "t2000-unset").Digest())
	assert.NotEqual(t, a, run(t, clock.Second, "t2000-unset", set("seed", "1")).Digest())
	assert.NotEqual(t, a, run(t, clock.Second, "t2000-unset", set("explanation", "kernel")).Digest())
	assert.NotEqual(t, a, run(t, 2*clock.Second, "t2000-unset").Digest())
}

func TestFramesAreSoundAtEverySecond(t *testing.T) {
	for _, id := range []string{"t2000-unset", "t2000-fss"} {
		s, err := sim.Open(id)
		require.NoError(t, err)
		for range 30 {
			require.NoError(t, s.Advance(997*clock.Millisecond))
			f := s.Frame()
			assertSound(t, f)
			var work, ran clock.Duration
			for _, th := range f.Threads {
				work += th.Work
				ran += th.Ran
			}
			assert.LessOrEqual(t, work, ran, "nobody computes faster than alone")
		}
	}
}

// L-7: never more running than strands, and everybody is in one place.
func assertSound(t *testing.T, f *sim.Frame) {
	t.Helper()
	total := f.Totals
	assert.LessOrEqual(t, total.Running, total.Strands)
	assert.Equal(t, 32, total.Running+total.Waiting+total.Sleeping+total.Gone)
	onCPU := 0
	for i, c := range f.CPUs {
		if c.Thread == sched.None {
			continue
		}
		onCPU++
		assert.Equal(t, i, f.Threads[c.Thread].CPU)
		assert.Equal(t, sched.Running, f.Threads[c.Thread].State)
	}
	assert.Equal(t, total.Busy, onCPU)
	queued := 0
	for _, q := range f.Queues {
		for _, id := range q.Waiting {
			queued++
			assert.Equal(t, sched.Waiting, f.Threads[id].State)
			assert.Equal(t, q.Priority, f.Threads[id].Priority)
		}
	}
	assert.Equal(t, total.Waiting, queued, "who waits is in exactly one queue")
}

func TestAFrameIsNotChangedByWhatComesAfter(t *testing.T) {
	s := run(t, 5*clock.Second, "t2000-unset")
	f := s.Frame()
	now, digest, points := f.Now, f.Digest, f.Plots.RunQueue.Len()
	state := append([]sim.Thread(nil), f.Threads...)
	require.NoError(t, s.Advance(3*clock.Second))
	s.Frame()
	assert.Equal(t, now, f.Now)
	assert.Equal(t, digest, f.Digest)
	assert.Equal(t, points, f.Plots.RunQueue.Len())
	assert.Equal(t, state, f.Threads)
}

// S-6 in part: the pipeline makes packed strands slower, and us does not tell.
func TestPackedStrandsDoLessWorkThanSpreadOnes(t *testing.T) {
	packed := run(t, 10*clock.Second, "t2000-unset").Frame()
	spread := run(t, 10*clock.Second, "t2000-fss").Frame()
	assert.Equal(t, 3, packed.Totals.BusyCores)
	assert.Equal(t, 8, spread.Totals.BusyCores)
	assert.InDelta(t, 369, int(packed.Totals.IssueSlots), 1, "3 of 8 pipelines at 98 %")
	assert.InDelta(t, 984, int(spread.Totals.IssueSlots), 1)
	assert.Equal(t, machine.Permille(492), packed.CPUs[0].Speed)
}

func TestRefusedSettingsLeaveTheRunAsItWas(t *testing.T) {
	s := run(t, 3*clock.Second, "t2000-unset")
	before := s.Digest()
	for _, c := range []struct{ key, value, want string }{
		{"class", "FSX", `class "FSX" is not loaded in solaris10, want one of [unset TS FSS FX IA RT]; did you mean "FSS"?`},
		{"class", "", `class "" is not loaded`},
		{"explanation", "magic", `explanation: "magic", want "pset" or "kernel"`},
		{"explanation", "", "explanation: empty"},
		{"clss", "TS", `setting "clss" is unknown; there are class, explanation, kernel and seed (did you mean "class"?)`},
		{"seed", "-1", `seed: "-1", want a whole number`},
	} {
		err := s.Set(c.key, c.value)
		require.ErrorContains(t, err, c.want)
		assert.NotContains(t, err.Error(), "\n")
	}
	assert.Equal(t, before, s.Digest())
	require.NoError(t, s.Advance(clock.Second))
	assert.Equal(t, clock.Time(4*clock.Second), s.Now())
}

func TestSettingsStartTheRunAgain(t *testing.T) {
	s := run(t, 3*clock.Second, "t2000-unset")
	require.NoError(t, s.Set("class", "FSS"))
	assert.Zero(t, s.Now())
	assert.Equal(t, 32, s.Frame().Totals.Busy)
	require.NoError(t, s.Set("class", "unset"))
	assert.Equal(t, 12, s.Frame().Totals.Busy)
	assert.Equal(t, run(t, 0, "t2000-unset").Digest(), s.Digest())
}

func TestWhyNamesTheRule(t *testing.T) {
	s := run(t, 10*clock.Second, "t2000-unset")
	idle := strings.Join(s.WhyStrand(14).Lines, " ")
	assert.Equal(t, "Why is cpu14 idle?", s.WhyStrand(14).Title)
	assert.Contains(t, idle, "Its dispatch queue is empty.")
	assert.Contains(t, idle, "20 waiting threads may run only on the 12 strands of their processor set (cpu0–cpu11); cpu14 is outside")
	// The kernel's thread of the updates ran on cpu12 and left nothing behind.
	assert.Contains(t, strings.Join(s.WhyStrand(12).Lines, " "), "disp_getwork")

	busy := s.WhyStrand(3)
	assert.Regexp(t, `^Why is perl 12\d\d on cpu3\?$`, busy.Title)
	assert.Regexp(t, `\((disp|disp_getwork)\)`, strings.Join(busy.Lines, " "))

	f := s.Frame()
	waiting := f.Queues[0].Waiting[0]
	a := s.WhyThread(int(waiting))
	assert.Regexp(t, `^Why is perl 12\d\d waiting\?$`, a.Title)
	assert.Contains(t, strings.Join(a.Lines, " "), "runs perl")

	assert.Empty(t, s.WhyStrand(-1).Title)
	assert.Empty(t, s.WhyStrand(32).Title)
	assert.Empty(t, s.WhyThread(1000).Title)

	fss, told := run(t, clock.Second, "t2000-fss"), ""
	for cpu := range 32 {
		told += strings.Join(fss.WhyStrand(cpu).Lines, " ")
	}
	assert.Contains(t, told, "cmt_balance")
	assert.Contains(t, told, "Since then it gave way 9 times and was picked again each time.")
}

func TestADocumentOfOnesOwnRuns(t *testing.T) {
	s, err := sim.OpenDocument("mine.json", []byte(`{"tasks": {"a": {"instance": 3, "run": 5000, "sleep": 20000}}}`))
	require.NoError(t, err)
	require.NoError(t, s.Advance(clock.Second))
	require.NoError(t, s.Finish())
	f := s.Frame()
	assert.Equal(t, "mine.json", f.Scenario.Title)
	assert.Equal(t, "solaris10", f.Scenario.Kernel)
	assert.Equal(t, 3, f.Totals.Running+f.Totals.Waiting+f.Totals.Sleeping)
	_, err = sim.OpenDocument("mine.json", []byte(`{"tasks": {"a": {"runn": 5000}, "b": {"policy": "XX", "run": 1}}}`))
	require.Error(t, err)
	_, err = sim.OpenDocument("mine.json", []byte(`{"tasks": {"b": {"policy": "XX", "run": 1}}}`))
	require.ErrorContains(t, err, `tasks.b.policy: class "XX" is not loaded`)
}

func TestRewindRunsTypedCommandsAgainAndResetForgetsThem(t *testing.T) {
	s := run(t, 3*clock.Second, "t2000-fss")
	_, err := s.Do("psradm -f 31")
	require.NoError(t, err)
	require.NoError(t, s.Advance(2*clock.Second))
	with := s.Digest()
	for range 2 { // rewinding twice is no different
		require.NoError(t, s.Rewind())
		require.NoError(t, s.Advance(5*clock.Second))
		assert.Equal(t, with, s.Digest())
	}
	set := s.Typed()
	require.Len(t, set, 1)
	assert.Equal(t, with, run(t, 5*clock.Second, "t2000-fss", set...).Digest(), "as a setting")

	plain := run(t, 5*clock.Second, "t2000-fss").Digest()
	for _, again := range []func() error{s.Reset, func() error { return s.ResetWith(&trace.Digest{}) }} {
		require.NoError(t, s.Rewind())
		require.NoError(t, again())
		require.NoError(t, s.Advance(5*clock.Second))
		assert.Equal(t, plain, s.Digest())
		assert.Empty(t, s.Typed())
	}
}

func TestPrintedFiguresMayBeOffByWhatTheScenarioAllows(t *testing.T) {
	s, err := sim.OpenDocument("printed.json", []byte(`{
		"machine": "up", "tasks": {"a": {"run": 1000000}},
		"printed": [
			{"label": "exact", "figure": "us", "value": "99"},
			{"label": "near", "figure": "us", "value": "99", "within_permille": 11},
			{"label": "far", "figure": "us", "value": "99", "within_permille": 10},
			{"label": "no number", "figure": "us", "value": "all", "within_permille": 1000},
			{"label": "later", "figure": "us", "value": "100", "at": 60000000}
		]}`))
	require.NoError(t, err)
	require.NoError(t, s.Advance(5*clock.Second))
	var agrees, pending []bool
	for _, p := range s.Frame().Printed {
		agrees, pending = append(agrees, p.Agrees), append(pending, p.Pending)
	}
	assert.Equal(t, []bool{false, true, false, false, true}, agrees)
	assert.Equal(t, []bool{false, false, false, false, true}, pending)
	_, err = sim.OpenDocument("printed.json", []byte(`{"tasks": {"a": {"run": 1}}, "printed": [{"figure": "use"}]}`))
	require.ErrorContains(t, err, `printed[0].figure: "use", want one of [r us sy id`)
}
