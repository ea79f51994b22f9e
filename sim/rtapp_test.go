package sim_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/sched"
)

// rtApp runs tasks on a machine, on each kernel that has a turn to take.
func rtApp(t *testing.T, machine, tasks string, d clock.Duration, look func(t *testing.T, f *sim.Frame)) {
	for _, kernel := range []string{"solaris10", "linux-2.2.8"} {
		t.Run(kernel, func(t *testing.T) {
			s, err := sim.OpenDocument("rt.json", []byte(`{"machine": "`+machine+`", "scheduler": {"kernel": "`+kernel+`"}, "tasks": `+tasks+`}`))
			require.NoError(t, err)
			require.NoError(t, s.Advance(d))
			require.NoError(t, s.Finish())
			look(t, s.Frame())
			again, err := sim.OpenDocument("rt.json", []byte(`{"machine": "`+machine+`", "scheduler": {"kernel": "`+kernel+`"}, "tasks": `+tasks+`}`))
			require.NoError(t, err)
			require.NoError(t, again.Advance(d/3))
			require.NoError(t, again.Advance(d-d/3))
			assert.Equal(t, s.Digest(), again.Digest(), "whole or in pieces")
		})
	}
}

func named(f *sim.Frame, name string) *sim.Thread {
	for i := range f.Threads {
		if f.Threads[i].Name == name && !f.Threads[i].Kernel {
			return &f.Threads[i]
		}
	}
	return nil
}

func TestATimerKeepsItsPeriodWhateverTheWorkTakes(t *testing.T) {
	rtApp(t, "up", `{"a": {"run": 3000, "timer": {"ref": "unique", "period": 10000}}}`, 10*clock.Second, func(t *testing.T, f *sim.Frame) {
		a := named(f, "a")
		assert.InDelta(t, int64(3*clock.Second), int64(a.Ran), float64(20*clock.Millisecond), "3 of every 10 ms")
	})
}

func TestALateTimerBeginsAnewOrCatchesUp(t *testing.T) {
	// Once 35 ms late; then 1 ms of work each 10 ms.
	for mode, want := range map[string]clock.Duration{"relative": 45 * clock.Millisecond, "absolute": 50 * clock.Millisecond} {
		rtApp(t, "up", `{"a": {"loop": 1, "phases": {
			"late": {"run": 35000, "timer": {"ref": "unique", "period": 10000, "mode": "`+mode+`"}},
			"then": {"loop": 4, "run": 1, "timer": {"ref": "unique", "period": 10000, "mode": "`+mode+`"}},
			"end": {"run": 1}}}}`, clock.Second, func(t *testing.T, f *sim.Frame) {
			a := named(f, "a")
			assert.Equal(t, sched.Gone, a.State)
			at := clock.Duration(a.Since)
			if mode == "relative" { // the grid begins at 35 ms: 45, 55, 65, 75
				want = 75 * clock.Millisecond
			}
			assert.InDelta(t, int64(want), int64(at), float64(2*10*clock.Millisecond), "%s, within two ticks", mode)
		})
	}
}

func TestBusyTimeEndsByTheClockWhoeverHadTheCPU(t *testing.T) {
	rtApp(t, "up", `{"a": {"loop": 1, "runtime": 1000000}, "hog": {"run": 1000}}`, 3*clock.Second, func(t *testing.T, f *sim.Frame) {
		a := named(f, "a")
		assert.Equal(t, sched.Gone, a.State)
		assert.Less(t, a.Ran, 900*clock.Millisecond, "it shared the CPU")
		assert.InDelta(t, int64(clock.Second), int64(a.Since), float64(300*clock.Millisecond), "and ended when its time was over")
	})
}

func TestAMutexLetsOneInAtATime(t *testing.T) {
	rtApp(t, "xeon-smp4-1999", `{"a": {"instance": 4, "loop": 10, "lock": "m", "run": 10000, "unlock": "m"}}`, 2*clock.Second, func(t *testing.T, f *sim.Frame) {
		last := clock.Time(0)
		for i := range f.Threads {
			if th := &f.Threads[i]; th.Name == "a" {
				assert.Equal(t, sched.Gone, th.State)
				last = max(last, th.Since)
			}
		}
		assert.GreaterOrEqual(t, last, clock.Time(400*clock.Millisecond), "40 times 10 ms, one after the other, on four CPUs")
		assert.Less(t, last, clock.Time(500*clock.Millisecond))
	})
}

func TestAConditionIsWaitedForAndASignalNobodyWaitsForIsLost(t *testing.T) {
	rtApp(t, "xeon-smp4-1999", `{
		"early": {"loop": 1, "signal": "c", "run": 10},
		"waits": {"loop": 1, "delay": 50000, "lock": "m", "wait": {"ref": "c", "mutex": "m"}, "run": 1000, "unlock": "m"},
		"signals": {"loop": 1, "delay": 200000, "lock": "m", "run": 5000, "signal": "c", "run": 5000, "unlock": "m"},
		"never": {"loop": 1, "delay": 300000, "lock": "n", "wait": {"ref": "c", "mutex": "n"}}}`, clock.Second, func(t *testing.T, f *sim.Frame) {
		w, s := named(f, "waits"), named(f, "signals")
		require.Equal(t, sched.Gone, w.State)
		assert.Greater(t, w.Since, s.Since, "it needs the mutex back")
		assert.Equal(t, sched.Sleeping, named(f, "never").State)
	})
}

func TestThoseAtABarrierGoOnTogether(t *testing.T) {
	rtApp(t, "xeon-smp4-1999", `{
		"fast": {"loop": 5, "run": 1000, "barrier": "b"},
		"slow": {"loop": 5, "run": 20000, "barrier": "b"}}`, clock.Second, func(t *testing.T, f *sim.Frame) {
		fast, slow := named(f, "fast"), named(f, "slow")
		assert.Equal(t, sched.Gone, fast.State)
		assert.GreaterOrEqual(t, fast.Since, clock.Time(100*clock.Millisecond), "as slow as the slowest")
		assert.InDelta(t, int64(fast.Since), int64(slow.Since), float64(15*clock.Millisecond))
	})
}

func TestAPhaseChangesWhereAndHowItRuns(t *testing.T) {
	rtApp(t, "xeon-smp4-1999",
		`{"a": {"loop": 1, "phases": {"one": {"cpus": [1], "run": 50000}, "two": {"cpus": [2], "priority": 10, "run": 5000000}}}}`,
		clock.Second, func(t *testing.T, f *sim.Frame) {
			a := named(f, "a")
			assert.Equal(t, sched.Running, a.State)
			if strings.HasSuffix(t.Name(), "solaris10") { // Linux 2.2 has no affinity
				assert.Equal(t, 2, a.CPU)
			}
			assert.Equal(t, 10, a.Nice)
		})
}
