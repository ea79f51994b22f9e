package stats_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
	"strandscope/sim/trace"
)

// mpstat returns a scene of so many CPUs with a report that begins now.
func mpstat(seconds int, view stats.MpstatView, sets ...int) (*scene, *stats.MpstatReport) {
	s := newScene()
	s.sets = sets
	time := stats.NewCPUTime(len(sets))
	v := stats.NewVmstat(time, len(sets), 10*clock.Millisecond)
	r := stats.NewMpstatReport(v, seconds, view, sets, stats.Listing{})
	s.watch(time, v, r)
	return s, r
}

const mpstatTop = "CPU minf mjf xcal  intr ithr  csw icsw migr smtx  srw syscl  usr sys  wt idl"

// FACTS §10.2: "%3d %4.0f %3.0f %4.0f %5.0f %4.0f %4.0f %4.0f %4.0f %4.0f %4.0f
// %5.0f  %3.0f %3.0f %3.0f %3.0f".
func TestMpstatRowsStandInItsColumns(t *testing.T) {
	s, r := mpstat(1, stats.PerCPU, 0, 0)
	hog := s.add("hog", 0)
	s.on(hog, 1)
	s.pass(clock.Second)
	require.Len(t, r.Lines, 6)
	assert.Equal(t, []string{
		mpstatTop,
		"  0    0   0    0    18    1    0    0    0    0    0     6    0   0   0 100",
		"  1    0   0    0    18    1    0    0    0    0    0     6    0   0   0 100",
		mpstatTop,
		"  0    0   0    0    18    1    0    0    0    0    0     6    0   0   0 100",
		"  1    0   0    0    18    1    1    0    1    0    0     6  100   0   0   0",
	}, r.Lines)
}

// field returns a column of a row by its heading.
func field(t *testing.T, heading, row, name string) string {
	t.Helper()
	names, cells := strings.Fields(heading), strings.Fields(row)
	require.Len(t, cells, len(names), row)
	for i, n := range names {
		if n == name {
			return cells[i]
		}
	}
	require.Fail(t, "no column "+name)
	return ""
}

func TestAPreemptionThatPicksTheSameThreadAgainIsNoSwitch(t *testing.T) {
	s, r := mpstat(1, stats.PerCPU, 0)
	a, b := s.add("a", 0), s.add("b", 0)
	s.on(a, 0)
	s.preempt(a) // picked again
	s.preempt(a)
	s.off(a, sched.Preempted)
	s.on(b, 0) // a, idle, b: three switches
	s.pass(clock.Second)
	row := r.Lines[len(r.Lines)-1]
	assert.Equal(t, "3", field(t, mpstatTop, row, "csw"))
	assert.Equal(t, "2", field(t, mpstatTop, row, "icsw"))
}

func TestOnlyAThreadFromAnotherCPUHasMigrated(t *testing.T) {
	s, r := mpstat(1, stats.PerCPU, 0, 0, 0)
	a := s.add("a", 0)
	for _, cpu := range []int{0, 0, 2, 2, 0, 2} { // moves to 2, 0, 2
		s.on(a, cpu)
		s.off(a, sched.Yielded)
	}
	s.pass(clock.Second)
	rows := r.Lines[len(r.Lines)-3:]
	for cpu, want := range []string{"1", "0", "2"} {
		assert.Equal(t, want, field(t, mpstatTop, rows[cpu], "migr"), "cpu%d", cpu)
	}
}

func TestMpstatRatesArePerSecondAndRoundToTheEvenNeighbour(t *testing.T) {
	s, r := mpstat(2, stats.PerCPU, 0)
	a := s.add("a", 0)
	s.on(a, 0)
	for range 5 {
		s.preempt(a) // 5 in 2 s: 2.5
	}
	s.pass(2 * clock.Second)
	assert.Equal(t, "2", field(t, mpstatTop, r.Lines[2], "icsw"))
	for range 7 {
		s.preempt(a) // 3.5
	}
	s.pass(2 * clock.Second)
	assert.Equal(t, "4", field(t, mpstatTop, r.Lines[3], "icsw"), "of the interval alone")
}

func TestMpstatPercentagesAreOfWholeTicks(t *testing.T) {
	s, r := mpstat(1, stats.PerCPU, 0)
	a := s.add("a", 0)
	s.on(a, 0)
	s.pass(375 * clock.Millisecond) // 37 ticks of user time, 62 of idle time
	s.off(a, sched.Blocked)
	s.pass(625 * clock.Millisecond)
	row := r.Lines[2]
	assert.Equal(t, "37", field(t, mpstatTop, row, "usr")) // 37 of 99 is 37.4
	assert.Equal(t, "63", field(t, mpstatTop, row, "idl")) // 62 of 99 is 62.6
	assert.Equal(t, "0", field(t, mpstatTop, row, "wt"))
}

func TestOfflineCPUsAreLeftOutAndTheBlockIsSinceBootAgain(t *testing.T) {
	s, r := mpstat(1, stats.PerCPU, 0, 0, 0)
	a := s.add("a", 0)
	s.on(a, 0)
	s.pass(clock.Second)
	s.off(a, sched.Blocked)
	s.pass(clock.Second)
	s.changed(1, -1)
	s.pass(clock.Second)
	last := r.Lines[len(r.Lines)-3:]
	assert.Equal(t, mpstatTop, last[0])
	assert.Equal(t, "0", strings.Fields(last[1])[0])
	assert.Equal(t, "33", field(t, mpstatTop, last[1], "usr"), "one second of three, since boot")
	assert.Equal(t, "2", strings.Fields(last[2])[0], "cpu1 is off-line")
	s.pass(clock.Second)
	assert.Equal(t, "0", field(t, mpstatTop, r.Lines[len(r.Lines)-2], "usr"), "then of the interval again")
	s.changed(1, 0)
	s.pass(clock.Second)
	assert.Equal(t, "1", strings.Fields(r.Lines[len(r.Lines)-2])[0], "it is back")
}

func TestMpstatPSaysTheSetOfEachCPU(t *testing.T) {
	s, r := mpstat(1, stats.PerCPUWithSet, 0, 3)
	assert.Equal(t, mpstatTop+" set", r.Lines[0])
	assert.Equal(t, "3", field(t, r.Lines[0], r.Lines[2], "set"))
	s.changed(1, 0)
	s.pass(clock.Second)
	assert.Equal(t, "0", field(t, r.Lines[0], r.Lines[5], "set"))
}

func TestMpstatAAddsUpEachSetAndSaysItsSize(t *testing.T) {
	s, r := mpstat(1, stats.PerSet, 0, 0, 2, 2, 0)
	a, b := s.add("a", 2), s.add("b", 2)
	s.on(a, 2)
	s.on(b, 3)
	s.preempt(a)
	s.preempt(b)
	s.changed(4, -1)
	s.pass(clock.Second)
	s.pass(clock.Second)
	top := "SET minf mjf xcal  intr ithr  csw icsw migr smtx  srw syscl  usr sys  wt idl sze"
	assert.Equal(t, []string{
		top,
		"  0    0   0    0    54    3    0    0    0    0    0    18    0   0   0 100   3",
		"  2    0   0    0    36    2    0    0    0    0    0    12    0   0   0 100   2",
		top, // the configuration changed: since boot
		"  0    0   0    0    36    2    0    0    0    0    0    12    0   0   0 100   2",
		"  2    0   0    0    36    2    2    2    2    0    0    12  100   0   0   0   2",
		top,
		"  0    0   0    0    36    2    0    0    0    0    0    12    0   0   0 100   2",
		"  2    0   0    0    36    2    0    0    0    0    0    12  100   0   0   0   2",
	}, r.Lines)
}

func TestASetThatChangesMattersWhereSetsAreShown(t *testing.T) {
	for view, want := range map[stats.MpstatView]string{stats.PerCPU: "0", stats.PerCPUWithSet: "50"} {
		s, r := mpstat(1, view, 0, 0)
		a := s.add("a", 0)
		s.on(a, 0)
		s.pass(clock.Second)
		s.off(a, sched.Blocked)
		s.changed(1, 5)
		s.pass(clock.Second)
		n := len(r.Lines)
		assert.Equal(t, want, field(t, r.Lines[n-3], r.Lines[n-2], "usr"), "view %d", view)
	}
}

func TestOneCPUHasAHeadingEvery20Rows(t *testing.T) {
	s, r := mpstat(1, stats.PerCPU, 0)
	s.pass(45 * clock.Second)
	var at []int
	rows := 0
	for _, l := range r.Lines {
		if l == mpstatTop {
			at = append(at, rows)
		} else {
			rows++
		}
	}
	assert.Equal(t, 46, rows)
	assert.Equal(t, []int{0, 20, 40}, at)
}

func TestAListingKeepsWhatItIsAskedToOrHandsItOn(t *testing.T) {
	v := stats.NewVmstat(stats.NewCPUTime(1), 1, 10*clock.Millisecond)
	var told []string
	r := stats.NewMpstatReport(v, 1, stats.PerCPU, []int{0}, stats.Listing{To: func(l string) { told = append(told, l) }})
	assert.Empty(t, r.Lines)
	assert.Len(t, told, 2)
	kept := stats.NewMpstatReport(v, 1, stats.PerCPU, []int{0}, stats.Listing{Keep: 3})
	for sec := range 5 {
		kept.Observe(&trace.Event{Kind: trace.Second, At: second * clock.Time(sec+1)})
	}
	assert.Len(t, kept.Lines, 3)
}
