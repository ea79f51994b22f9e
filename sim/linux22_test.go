package sim_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// wakeWatch notes how long each wake of a thread waited.
type wakeWatch struct {
	of      sched.ThreadID
	woke    clock.Time
	waits   []clock.Duration
	waiting bool
}

func (w *wakeWatch) Observe(e *trace.Event) {
	if e.Thread != w.of {
		return
	}
	switch {
	case e.Kind == trace.Woke && e.Cause == sched.Woken:
		w.woke, w.waiting = e.At, true
	case e.Kind == trace.On && w.waiting:
		w.waits = append(w.waits, e.At.Sub(w.woke))
		w.waiting = false
	}
}

// within counts the waits shorter than a clock tick, and all.
func (w *wakeWatch) within() (inTick, all int) {
	for _, d := range w.waits {
		if d < 10*clock.Millisecond {
			inTick++
		}
	}
	return inTick, len(w.waits)
}

// wakes runs a scenario and watches the wakes of its first thread.
func wakes(t *testing.T, id string, d clock.Duration) (inTick, all int) {
	t.Helper()
	s, err := sim.Open(id)
	require.NoError(t, err)
	w := &wakeWatch{of: 0}
	s.Observe(w)
	require.NoError(t, s.Advance(d))
	require.NoError(t, s.Finish())
	return w.within()
}

// The mail's frame: FACTS §17's table of what a right simulator must reproduce.
func TestTheMailsFrameComesOut(t *testing.T) {
	s := run(t, (1146-79)*clock.Second, "linux22-250-hogs")
	var top sim.Top
	top.Lines(s.Frame())
	require.NoError(t, s.Advance(79*clock.Second))
	f := s.Frame()
	lines := top.Lines(f)
	text := strings.Join(lines, "\n")
	assert.Regexp(t, `^ 10:57am  up 25 min,  8 users,  load average: 2(49\.[5-9]|50\.[0-5])\d, 24[234]\.\d\d, 17[0-5]\.\d\d$`, lines[0])
	assert.Equal(t, "289 processes: 38 sleeping, 251 running, 0 zombie, 0 stopped", lines[1])
	assert.Regexp(t, `^CPU states: (400\.0|399\.9)% user, 0\.[01]% system, 0\.0% nice, 0\.0% idle$`, lines[2])
	for pid, time := range map[string]string{"727": "0:19", "785": "0:18", "858": "0:18", "931": "0:17", "770": "0:18", "818": "0:18"} {
		assert.Regexp(t, `(?m)^  `+pid+` root .*  `+time+` loop$`, text)
	}
	for _, p := range f.Printed {
		assert.True(t, p.Agrees, "%s: %s, ours %s", p.Label, p.Printed, p.Simulated)
	}
	// PRI is ticks left: 20 or 10 for who waits, others for the four that run and
	// those that ping and top pushed aside in this epoch of 13 s.
	odd := 0
	for _, th := range f.Threads {
		if th.Name == "loop" && th.Priority != 20 && th.Priority != 10 {
			odd++
		}
	}
	assert.LessOrEqual(t, odd, 4+13+3)
	mean := 0.0
	for _, th := range f.Threads {
		if th.Name == "loop" {
			mean += float64(th.Ticks) / 250
		}
	}
	assert.InDelta(t, 1146/62.5*100, mean, 20, "mean time of a hog, in ticks")
}

// L-1 and L-2.
func TestAPingIsServedInTheTickInWhichItWakes(t *testing.T) {
	inTick, all := wakes(t, "linux22-ping-under-load", 1000*clock.Second)
	assert.Greater(t, all, 900)
	assert.GreaterOrEqual(t, float64(inTick)/float64(all), 0.98)
	inTick, all = wakes(t, "linux22-nice19", 300*clock.Second)
	assert.Greater(t, all, 280)
	assert.Equal(t, all, inTick, "with hogs at nice 19, all of them")
	inTick, all = wakes(t, "linux22-typing", 300*clock.Second)
	assert.Greater(t, all, 1400)
	assert.GreaterOrEqual(t, float64(inTick)/float64(all), 0.98)
}

// heap is the memory in use.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestADayOf250HogsEndsWithoutDrift(t *testing.T) {
	s, err := sim.OpenDocument("day.json", []byte(`{
		"machine": "xeon-smp4-1999", "scheduler": {"kernel": "linux-2.2.8", "costs": {"evaluation_ns": 0}},
		"tasks": {"loop": {"instance": 250, "run": 1000000}}}`))
	require.NoError(t, err)
	s.KeepPast(0) // checkpoints have a bound of their own
	require.NoError(t, s.Advance(2*clock.Hour))
	require.NoError(t, s.Advance(18*clock.Hour))
	after := heap()
	assert.Less(t, after, uint64(48<<20), "bytes when the timeline is full")
	require.NoError(t, s.Advance(4*clock.Hour))
	assert.Less(t, heap(), after+2<<20, "and hardly more later: only the plots fill up to their room")
	require.NoError(t, s.Finish())
	f := s.Frame()
	assert.Equal(t, [3]string{"249.99", "249.97", "249.91"}, f.Load.Text)
	var ticks int64
	for _, th := range f.Threads {
		ticks += th.Ticks
	}
	// Each CPU's own tick comes a little after the timer chip's: the last one of
	// the day has not come yet.
	assert.Equal(t, int64(4*24*3600*100-4), ticks)
}

func TestRoundRobinDoesNotRotate(t *testing.T) {
	s := run(t, 400*clock.Millisecond, "linux22-rr-does-not-rotate")
	f := s.Frame()
	ran := [2]clock.Duration{find(t, f, "first").Ran, find(t, f, "second").Ran}
	assert.Contains(t, [][2]clock.Duration{{400 * clock.Millisecond, 0}, {0, 400 * clock.Millisecond}}, ran, "two slices of one, none of the other")
}

func TestAForkingShellGrowsPoor(t *testing.T) {
	s := run(t, 30*clock.Millisecond, "linux22-fork-poverty")
	children := 0
	for _, th := range s.Frame().Threads {
		if th.Name == "loop" {
			children++
		}
	}
	assert.InDelta(t, 6, children, 1, "20, 10, 5, 2, 1, 0, and as many as fit into the tick")
	require.NoError(t, s.Advance(60*clock.Second))
	assert.Len(t, s.Frame().Threads, 21, "in the end it has started them all")
}

func TestRecalculationIsNotTheBottleneck(t *testing.T) {
	s := run(t, 120*clock.Second, "linux22-recalculation")
	st, ok := s.SchedulerWork()
	require.True(t, ok)
	assert.InDelta(t, 2, st.Recalculations, 1, "one in about 52 s")
	assert.Greater(t, st.Evaluations, 100*st.Recalculated)
}

// 2,000 threads that wake each other, 200 at a time: the scan takes a part of the
// machine that counts, the recalculation never comes.
func TestManyThreadsThatWakeEachOtherMakeTheScanExpensive(t *testing.T) {
	s := run(t, 20*clock.Second, "linux22-chat")
	st, ok := s.SchedulerWork()
	require.True(t, ok)
	assert.Zero(t, st.Recalculations)
	assert.Greater(t, float64(st.Evaluations), 150*float64(st.Decisions), "each walks the whole run queue")
	share := float64(st.Cost) / float64(s.Now()) / 4
	assert.InDelta(t, 0.20, share, 0.04, "of the machine")
	require.NoError(t, s.Advance(clock.Second))
	next, _ := s.SchedulerWork()
	second := s.Frame().Vmstat
	assert.InDelta(t, 100*float64(next.Cost-st.Cost)/float64(4*clock.Second), second.System, 2, "and vmstat counts it as system time")
	assert.InDelta(t, 100, second.User+second.System, 1)
	assert.Len(t, s.Frame().Threads, 2001)
}

// Each scenario of the mail has its figures beside ours, and says why they
// differ where they do.
func TestTheMailsFiguresStandBesideOurs(t *testing.T) {
	for _, id := range []string{"linux22-ping-under-load", "linux22-nice19", "linux227-250-hogs"} {
		f := run(t, 300*clock.Second, id).Frame()
		assert.NotEmpty(t, f.Scenario.PrintedNote, id)
		require.NotEmpty(t, f.Printed, id)
		for _, p := range f.Printed {
			assert.True(t, p.Agrees && !p.Pending, "%s: %s, printed %s, ours %s", id, p.Label, p.Printed, p.Simulated)
		}
	}
}

// The mail says of typing that it is immediate, and prints no figure.
func TestTypingHasAWordButNoFigure(t *testing.T) {
	f := run(t, 600*clock.Second, "linux22-typing").Frame()
	assert.Empty(t, f.Printed)
	assert.Contains(t, f.Scenario.PrintedNote, "12 keys wait for two ticks, all in the first 40 seconds")
	assert.EqualValues(t, 12, f.Probes[0].Count-f.Probes[0].InTick)
	early := run(t, 40*clock.Second, "linux22-typing").Frame().Probes[0]
	assert.EqualValues(t, 12, early.Count-early.InTick)
}

func TestOldAndNewDecideTheMailsTestAlike(t *testing.T) {
	a, ok := run(t, 60*clock.Second, "linux22-ping-under-load").SchedulerWork()
	require.True(t, ok)
	b, ok := run(t, 60*clock.Second, "linux227-250-hogs").SchedulerWork()
	require.True(t, ok)
	assert.InDelta(t, float64(a.Decisions), float64(b.Decisions), float64(a.Decisions)/20)
	assert.Equal(t, a.Recalculations, b.Recalculations)
}

// FACTS §15: 0.1 % of one CPU within a factor of three.
func TestTheSchedulerCostsATenthOfAPercentOfOneCPU(t *testing.T) {
	s := run(t, 600*clock.Second, "linux22-ping-under-load")
	st, ok := s.SchedulerWork()
	require.True(t, ok)
	share := float64(st.Cost) / float64(s.Now())
	assert.Greater(t, share, 0.001/3)
	assert.Less(t, share, 0.001*3)
}

func TestToolsOfTheKernelsOwnForm(t *testing.T) {
	s := run(t, 0, "linux22-250-hogs")
	r := s.Vmstat(3)
	require.NoError(t, s.Advance(1146*clock.Second))
	f := s.Frame()
	assert.Contains(t, r.Lines[1], "swpd   free   buff  cache")
	assert.Regexp(t, `^25[01]  0  0 .* 100   0   0$`, r.Lines[len(r.Lines)-1], "r counts those that run as well")
	assert.Equal(t, " 10:57am  up 25 min,  8 users,  load average: "+strings.Join(f.Load.Text[:], ", "), sim.Uptime(f))
	ps := sim.PS(f)
	assert.Len(t, ps, 1+289)
	assert.Equal(t, "  720 ?   R     0:19 loop", ps[1+58])
	require.NotNil(t, f.Work)
	assert.Regexp(t, `^2\d decisions a second, 2\d\d evaluations each, .* 0\.1\d\d % of one CPU, 0\.0[23]\d % of the machine`, f.Work.Text(f.Now, 4))

	solaris := run(t, 90*clock.Second, "t2000-unset").Frame()
	assert.Nil(t, solaris.Work)
	assert.Regexp(t, `^ 10:01am  up 2 min\(s\),  1 user,  load average: `, sim.Uptime(solaris))
}
