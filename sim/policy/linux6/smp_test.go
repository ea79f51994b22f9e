package linux6_test

import (
	"fmt"
	"sort"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
	"strandscope/sim/engine"
	"strandscope/sim/machine"
	"strandscope/sim/policy/linux6"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
	"strandscope/sim/trace"
	"strandscope/sim/workload"
)

// onFour starts hogs of the given nice values on four CPUs.
func onFour(t *testing.T, v linux6.Version, nices []int, more ...trace.Observer) *engine.Engine {
	m, err := machine.Grid(4, 1)
	require.NoError(t, err)
	e, err := engine.New(engine.Config{
		Machine: m, Policy: linux6.New(linux6.Options{Version: v}), Timing: engine.Hires, HZ: linux6.HZ, Observers: more,
	})
	require.NoError(t, err)
	for i, n := range nices {
		th, err := e.Create(engine.Spec{Name: fmt.Sprint("hog", i), Bound: sched.NoCPU, Prog: workload.Forever, As: sched.Params{Nice: n}})
		require.NoError(t, err)
		e.StartAt(th, 0)
	}
	return e
}

// Of eight hogs on four CPUs those of nice 0 have a CPU each, and the six others share
// two, with both of nice 19 on one: 42.3 and 45.2 s for nice 5, 13.9 and 14.8 for nice
// 10 (shared/reference/real/README.md, section 3). Within half a second of 60.
func TestEightHogsOnFourCPUsShareThemAsMeasured(t *testing.T) {
	for _, v := range versions {
		ledger := stats.NewLedger(4)
		e := onFour(t, v, []int{0, 0, 5, 5, 10, 10, 19, 19}, ledger)
		require.NoError(t, e.AdvanceTo(clock.Time(60*clock.Second)))
		var had []int64
		for i := range 8 {
			had = append(had, int64(ledger.Entry(sched.ThreadID(i)).Ran(e.Now())/clock.Millisecond))
		}
		for i := 0; i < 8; i += 2 {
			sort.Slice(had[i:i+2], func(a, b int) bool { return had[i+a] < had[i+b] })
		}
		for i, want := range []int64{60_000, 60_000, 42_300, 45_200, 13_900, 14_800, 1_900, 1_900} {
			assert.InDelta(t, want, had[i], 500, "version %d, hog %d: %v ms", v, i, had)
		}
	}
}

// latency keeps how long each wake-up of a thread waited for a CPU.
type latency struct {
	of   sched.ThreadID
	woke clock.Time
	list []clock.Duration
}

// Observe implements trace.Observer.
func (l *latency) Observe(e *trace.Event) {
	switch {
	case e.Thread != l.of:
	case e.Kind == trace.Woke && e.Cause == sched.Woken:
		l.woke = e.At
	case e.Kind == trace.On && l.woke > 0:
		l.list = append(l.list, e.At.Sub(l.woke))
		l.woke = 0
	}
}

// median runs a sleeper of a nice value, which needs 20 µs each 100 ms, among hogs.
func median(t *testing.T, v linux6.Version, hogs, nice int) clock.Duration {
	l := &latency{of: sched.ThreadID(hogs)}
	e := onFour(t, v, make([]int, hogs), l)
	var w workload.Builder
	w.Repeat(-1, func() {
		w.Do(workload.Instr{Op: workload.Sleep, D: 100*clock.Millisecond + 50*clock.Microsecond})
		w.Do(workload.Instr{Op: workload.Run, D: 20 * clock.Microsecond})
	})
	p, err := w.Program()
	require.NoError(t, err)
	th, err := e.Create(engine.Spec{Name: "sleeper", Bound: sched.NoCPU, Prog: p, As: sched.Params{Nice: nice}})
	require.NoError(t, err)
	e.StartAt(th, 1000)
	require.NoError(t, e.AdvanceTo(clock.Time(30*clock.Second)))
	sort.Slice(l.list, func(a, b int) bool { return l.list[a] < l.list[b] })
	require.NotEmpty(t, l.list)
	return l.list[len(l.list)/2]
}

// The medians that were measured (section 4), less the emulator's 0.07 ms: a sleeper
// preempts hogs at once under CFS, however many they are, and waits for a tick under
// EEVDF when there are many; one of nice 19 waits for a tick under both.
func TestASleeperPreemptsHogsAsMeasured(t *testing.T) {
	const tick = 4 * clock.Millisecond
	for _, v := range versions {
		assert.Zero(t, median(t, v, 8, 0), "version %d: 8 hogs", v)
		assert.InDelta(t, int64(tick), int64(median(t, v, 8, 19)), float64(tick)/20, "version %d: 8 hogs, nice 19", v)
		many := median(t, v, 250, 0)
		if v == linux6.V61 {
			assert.Zero(t, many, "CFS")
		} else {
			assert.InDelta(t, int64(tick), int64(many), float64(tick)/20, "EEVDF, version %d", v)
		}
	}
}

// 250 hogs raise the load averages as on the real kernels: to 249.92, 199.90 and 100.94
// after 96 updates (section 2).
func TestTheLoadOf250HogsRisesAsMeasured(t *testing.T) {
	for _, v := range versions {
		load := stats.NewLinux6Load(clock.Second/linux6.HZ, linux6.NoteDelayed, linux6.NoteAwake, linux6.NoteDequeued)
		e := onFour(t, v, make([]int, 250), load)
		// An update each 5.004 s; the averages move ten ticks later.
		require.NoError(t, e.AdvanceTo(clock.Time(96*5004*clock.Millisecond+41*clock.Millisecond)))
		assert.Equal(t, "249.92 199.90 100.94", load.String(), "version %d", v)
	}
}

// A real-time task takes the CPU at once and keeps it; a second one goes to a CPU that
// runs nothing as urgent; of two equal RR tasks on one CPU each gets half.
func TestRealTimeTasksComeFirst(t *testing.T) {
	for _, v := range versions {
		ledger := stats.NewLedger(4)
		e := onFour(t, v, make([]int, 8), ledger)
		require.NoError(t, e.AdvanceTo(clock.Time(clock.Second)))
		create := func(class string, prio, cpu int) sched.ThreadID {
			th, err := e.Create(engine.Spec{Name: class, Bound: cpu, Prog: workload.Forever, As: sched.Params{Class: class, Priority: prio}})
			require.NoError(t, err)
			require.NoError(t, e.Start(th))
			return th.ID
		}
		a, b := create("FIFO", 50, sched.NoCPU), create("FIFO", 50, sched.NoCPU)
		c, d := create("RR", 10, 3), create("RR", 10, 3)
		require.NoError(t, e.AdvanceTo(clock.Time(3*clock.Second)))
		ran := func(id sched.ThreadID) clock.Duration { return ledger.Entry(id).Ran(e.Now()) }
		assert.Equal(t, 2*clock.Second, ran(a))
		assert.Equal(t, 2*clock.Second, ran(b))
		assert.Equal(t, clock.Second, ran(c))
		assert.Equal(t, clock.Second, ran(d))
		require.NoError(t, e.Set(e.Threads()[a], &sched.Params{Class: "OTHER"}))
		require.NoError(t, e.AdvanceTo(clock.Time(4*clock.Second)))
		assert.Less(t, ran(a), 2*clock.Second+700*clock.Millisecond, "it is ordinary now")
	}
}
