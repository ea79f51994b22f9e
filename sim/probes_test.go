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

func TestAProbeIsMeasuredBesideItselfAlone(t *testing.T) {
	s := run(t, 300*clock.Second, "linux22-ping-under-load")
	probes := s.Frame().Probes
	require.Len(t, probes, 1)
	p := probes[0]
	assert.Equal(t, "ping", p.Name)
	assert.InDelta(t, 300, p.Count, 1)
	assert.InDelta(t, 300, p.Alone.Count, 1)
	assert.Equal(t, p.Alone.Count, p.Alone.InTick)
	assert.Equal(t, p.Alone.Count, p.Alone.Bins[0], "nobody is in its way")
	assert.Len(t, p.Recent, 120, "the last two minutes")
	assert.Greater(t, p.Recent[119].At, p.Recent[118].At)
	var all int64
	for i, n := range p.Bins {
		all += n
		assert.NotEmpty(t, sim.WakeBin(i))
	}
	assert.Equal(t, p.Count, all)

	// It agrees with an observer of its own.
	inTick, n := wakes(t, "linux22-ping-under-load", 300*clock.Second)
	assert.Equal(t, []int64{p.InTick, p.Count}, []int64{int64(inTick), int64(n)})

	require.NoError(t, s.Reset())
	assert.Zero(t, s.Frame().Probes[0].Count)
	assert.Empty(t, s.Frame().Probes[0].Alone.Recent)
}

func TestProbesChangeNothing(t *testing.T) {
	const doc = `{"machine": "smp4", "scheduler": {"kernel": "linux-2.2.8"}, "tasks": {
		"p": {"run": 700, "sleep": 30000, "probe": %}, "hog": {"instance": 9, "run": 1000}}}`
	var digests []uint64
	for _, probe := range []string{"true", "false"} {
		s, err := sim.OpenDocument("x", []byte(strings.Replace(doc, "%", probe, 1)))
		require.NoError(t, err)
		for range 50 {
			require.NoError(t, s.Advance(100*clock.Millisecond))
			assert.Equal(t, probe == "true", len(s.Frame().Probes) == 1)
		}
		digests = append(digests, s.Digest())
	}
	assert.Equal(t, digests[0], digests[1])

	alone, err := sim.OpenDocument("x", []byte(`{"tasks": {"p": {"run": 700, "sleep": 30000, "probe": true}}}`))
	require.NoError(t, err)
	require.NoError(t, alone.Advance(clock.Second))
	assert.Positive(t, alone.Frame().Probes[0].Count)
	assert.Zero(t, alone.Frame().Probes[0].Alone.Count, "it is alone already")
}

func TestACurveIsARunForEachPoint(t *testing.T) {
	s := run(t, 0, "linux22-recalculation")
	c := s.Curve()
	require.NotNil(t, c)
	digest := s.Digest()
	p, err := s.CurvePoint(50)
	require.NoError(t, err)
	assert.Equal(t, digest, s.Digest(), "the session itself stays as it is")
	assert.Equal(t, 50, p.Instances)
	own, err := sim.OpenDocument("x", []byte(`{"machine": "xeon-smp4-1999", "seed": 1999,
		"scheduler": {"kernel": "linux-2.2.8", "costs": {"evaluation_ns": 200}, "first_pid": 700},
		"tasks": {"loop": {"instance": 50, "run": 1000000}}}`))
	require.NoError(t, err)
	require.NoError(t, own.Advance(clock.Duration(c.Seconds)*clock.Second))
	w, _ := own.SchedulerWork()
	assert.Equal(t, w, p.Work)
	assert.Equal(t, sched.Running, own.Frame().Threads[own.Frame().CPUs[0].Thread].State)

	assert.Nil(t, run(t, 0, "t2000-ts").Curve())
}

func TestACurveThatCannotBeDrawnIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		`{"task": "loup", "instances": [1, 2]}`:            `x: curve.task: "loup" is no task; did you mean "loop"?`,
		`{"instances": [1, 2]}`:                            "x: curve: task: missing; a curve varies the instances of one task",
		`{"task": "loop", "instances": [1]}`:               "x: curve: instances: 1, want 2 to 50 numbers",
		`{"task": "loop", "instances": [2, 1]}`:            "x: curve: instances: not in rising order",
		`{"task": "loop", "instances": [0, 1]}`:            "x: curve.instances[0]: 0, want 1 to 100000",
		`{"task": "loop", "instances": [1, 2], "secs": 1}`: `x: curve.secs: unknown key`,
	} {
		_, err := sim.OpenDocument("x", []byte(`{"tasks": {"loop": {"run": 5}}, "curve": `+text+`}`))
		require.ErrorContains(t, err, want)
	}
}

// With hogs of nice 0 a few pings are late: "Why?" says why.
func TestALatePingIsExplained(t *testing.T) {
	s := run(t, 600*clock.Second, "linux22-ping-under-load")
	text := strings.Join(s.WhyThread(0).Lines, "\n")
	assert.Regexp(t, `(?m)^Served late the last time at 00:\d\d:\d\d\.\d\d, after \d+ ms\.$`, text)
	assert.Regexp(t, `(?m)^Then: It became runnable with counter \d+, at the head of the one run queue; (cpu\d was told to look again|no CPU runs a task that is worth less, so none was told to look again) \(reschedule_idle\)\. Whoever looked`, text)
	assert.NotContains(t, strings.Join(s.WhyThread(5).Lines, "\n"), "Served late", "a hog is no probe")
	assert.NotContains(t, strings.Join(run(t, 60*clock.Second, "linux22-nice19").WhyThread(0).Lines, "\n"), "Served late")
}
