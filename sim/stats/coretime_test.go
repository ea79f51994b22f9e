package stats_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
	"strandscope/sim/machine"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
	"strandscope/sim/trace"
)

// cores returns a scene on a preset whose threads have the CPI given.
func cores(t *testing.T, preset string, cpi machine.CPI, seconds int) (*scene, *stats.CoreReport) {
	t.Helper()
	m, ok := machine.Find(preset)
	require.True(t, ok)
	s := newScene()
	r := stats.NewCoreReport(m, func(sched.ThreadID) machine.CPI { return cpi }, seconds, stats.Listing{})
	s.watch(r)
	return s, r
}

// spin lets a hog run on each of some CPUs.
func (s *scene) spin(cpus ...int) {
	for _, c := range cpus {
		s.on(s.add("hog", c), c)
	}
}

// figures are the three columns of the row of a core, or of all.
func figures(t *testing.T, r *stats.CoreReport, core string) []string {
	t.Helper()
	for i := len(r.Lines) - 1; i >= 0; i-- {
		if f := strings.Fields(r.Lines[i]); f[0] == core {
			return f[1:]
		}
	}
	require.Fail(t, "no row of core "+core)
	return nil
}

// S-6 of the cases: eight spinners are a quarter of the strands wherever they
// run; how many cores they keep busy mpstat does not show.
func TestEightSpinnersSpreadOrPacked(t *testing.T) {
	s, r := cores(t, "t2000", 2000, 10)
	s.spin(0, 4, 8, 12, 16, 20, 24, 28)
	s.pass(10 * clock.Second)
	assert.Equal(t, []string{"25.0", "100.0", "50.0"}, figures(t, r, "all"))
	assert.Equal(t, []string{"25.0", "100.0", "50.0"}, figures(t, r, "7"))

	s, r = cores(t, "t2000", 2000, 10)
	s.spin(0, 1, 2, 3, 4, 5, 6, 7)
	s.pass(10 * clock.Second)
	assert.Equal(t, []string{"25.0", "25.0", "24.6"}, figures(t, r, "all"), "2 of 8 cores")
	assert.Equal(t, []string{"100.0", "100.0", "98.5"}, figures(t, r, "1"))
	assert.Equal(t, []string{"0.0", "0.0", "0.0"}, figures(t, r, "2"))
}

// S-7: two busy threads on 2 cores × 2 strands are 50 % of the strands and 100 %
// of the cores.
func TestTwoSpinnersOnTwoCoresOfTwo(t *testing.T) {
	m, err := machine.Grid(4, 2)
	require.NoError(t, err)
	s := newScene()
	r := stats.NewCoreReport(m, func(sched.ThreadID) machine.CPI { return 2000 }, 1, stats.Listing{})
	s.watch(r)
	s.spin(0, 2)
	s.pass(clock.Second)
	assert.Contains(t, r.Lines[0], "strand util %  core busy %")
	assert.Equal(t, []string{"50.0", "100.0"}, figures(t, r, "all")[:2])
}

// S-8: a core's figure is the mean of its strands, and totals do not change.
func TestACoreIsTheMeanOfItsStrands(t *testing.T) {
	s, r := cores(t, "t2000", 2000, 10)
	s.spin(0, 1, 5)
	s.pass(2 * clock.Second)
	s.off(0, sched.Blocked)
	s.pass(8 * clock.Second)
	assert.Equal(t, "30.0", figures(t, r, "0")[0], "(2 + 10 of 4·10 s)")
	assert.Equal(t, "25.0", figures(t, r, "1")[0])
	assert.Equal(t, "6.9", figures(t, r, "all")[0], "22 of 320")
	assert.Equal(t, "25.0", figures(t, r, "all")[1], "two of eight cores all the time")
}

func TestIssueSlotsAreAddedUpExactly(t *testing.T) {
	s, r := cores(t, "t1000", 2000, 1)
	s.spin(0) // alone: half of the slots
	s.pass(250 * clock.Millisecond)
	s.spin(1, 2, 3) // FACTS §11.3: .98 with four
	s.pass(250 * clock.Millisecond)
	for id := range sched.ThreadID(4) {
		s.off(id, sched.Blocked)
	}
	s.pass(500 * clock.Millisecond)
	speeds := make([]machine.Permille, 4)
	solo := machine.Issue([]machine.CPI{2000}, speeds)
	four := machine.Issue([]machine.CPI{2000, 2000, 2000, 2000}, speeds)
	want := clock.Duration(solo+four) * 250 * clock.Microsecond
	assert.Equal(t, want, r.Core(0, s.now).Slots)
	assert.Equal(t, want, r.Core(0, s.now.Add(clock.Hour)).Slots, "and none later")
	assert.Equal(t, 500*clock.Millisecond, r.Core(0, s.now).Busy)
	assert.Equal(t, []string{"31.2", "50.0", "37.1"}, figures(t, r, "0"))
}

func TestEachPipelineOfACoreCounts(t *testing.T) {
	s, r := cores(t, "t5120", 2000, 1)
	s.spin(0, 1, 2, 3) // the first of two pipelines of core 0
	s.pass(clock.Second)
	assert.Equal(t, []string{"50.0", "100.0", "49.2"}, figures(t, r, "0"))
}

func TestStrandsThatAreOfflineAreNotInTheMean(t *testing.T) {
	s, r := cores(t, "t2000", 2000, 4)
	s.spin(0, 1)
	for _, cpu := range []int{2, 3, 4, 5, 6, 7} {
		s.changed(cpu, -1)
	}
	s.pass(4 * clock.Second)
	assert.Equal(t, "100.0", figures(t, r, "0")[0])
	assert.Equal(t, "off-line", figures(t, r, "1")[0])
	s.pass(2 * clock.Second)
	s.changed(2, 0)
	s.pass(2 * clock.Second)
	assert.Equal(t, "80.0", figures(t, r, "0")[0], "8 of 10 strand-seconds")
}

func TestAYearOfSlotsFits(t *testing.T) {
	s, r := cores(t, "t2000", 1010, 86_400)
	s.spin(0, 1, 2, 3)
	const day = 24 * clock.Hour
	for range 400 {
		s.now = s.now.Add(day)
		s.event(trace.Second, sched.NoCPU, sched.None) // a second every day is enough
	}
	assert.InDelta(t, float64(400*day), float64(r.Core(0, s.now).Slots), float64(day))
}

func TestEachSecondGivesMeansOfThatSecond(t *testing.T) {
	m, _ := machine.Find("t2000")
	s := newScene()
	var rows []stats.SecondRow
	latest := func() (stats.VmstatRow, [3]int64) { return stats.VmstatRow{R: 4}, [3]int64{1, 2, 3} }
	s.watch(stats.NewEachSecond(latest, m, func(sched.ThreadID) machine.CPI { return 2000 }, func(r stats.SecondRow) { rows = append(rows, r) }))
	s.pass(500 * clock.Millisecond)
	s.spin(0, 1, 4)
	s.pass(1500 * clock.Millisecond)
	require.Len(t, rows, 2)
	assert.Equal(t, []string{"1.500", "1.000"}, []string{rows[0].BusyStrands(), rows[0].BusyCores()})
	assert.Equal(t, []string{"3.000", "2.000"}, []string{rows[1].BusyStrands(), rows[1].BusyCores()})
	assert.Equal(t, int64(4), rows[1].R)
	assert.Equal(t, [3]int64{1, 2, 3}, rows[1].Load)
	assert.Equal(t, 2*second, rows[1].At)
}
