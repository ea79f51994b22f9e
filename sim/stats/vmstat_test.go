package stats_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
	"strandscope/sim/trace"
)

// watch returns a history of a machine with so many CPUs and its vmstat.
func watch(cpus int) (*history, *stats.Vmstat) {
	time := stats.NewCPUTime(cpus)
	v := stats.NewVmstat(time, cpus, 10*clock.Millisecond)
	return &history{obs: []trace.Observer{time, v}}, v
}

// hogs lets so many threads run from now on and as many more wait.
func hogs(h *history, running, waiting int) {
	for c := range running {
		h.run(h.create(c), c, c)
	}
	for range waiting {
		h.create(0)
	}
}

func TestTwelveOfThirtyTwoBusyRoundToTheEvenNumbers(t *testing.T) {
	h, v := watch(32)
	hogs(h, 12, 20)
	h.seconds(1)
	assert.Equal(t, 20, v.Waiting())
	// 37.5 and 62.5: printf rounds both to the even neighbour (FACTS §10.1).
	assert.Equal(t, stats.VmstatRow{R: 20, Runnable: 32, User: 38, Idle: 62, Switches: 12}, v.Second)
	assert.Equal(t, 1, v.Seconds)
}

func TestALittleLessUserTimeRoundsDown(t *testing.T) {
	h, v := watch(32)
	hogs(h, 12, 20)
	h.seconds(1)
	h.charge(0, 40*clock.Millisecond)
	h.charge(5, 40*clock.Millisecond)
	h.seconds(1)
	assert.Equal(t, stats.VmstatRow{R: 20, Runnable: 32, User: 37, Idle: 62}, v.Second)
}

func TestPercentagesRoundToTheNearestAndTiesToEven(t *testing.T) {
	for _, c := range []struct{ cpus, busy, user, idle int }{
		{200, 1, 0, 100}, // 0.5 and 99.5
		{200, 3, 2, 98},  // 1.5 and 98.5
		{200, 5, 2, 98},  // 2.5 and 97.5
		{200, 7, 4, 96},
		{3, 1, 33, 67},
		{3, 2, 67, 33},
		{8, 1, 12, 88},
		{32, 32, 100, 0},
		{32, 0, 0, 100},
	} {
		h, v := watch(c.cpus)
		hogs(h, c.busy, 0)
		h.seconds(1)
		assert.Equal(t, [2]int{c.user, c.idle}, [2]int{v.Second.User, v.Second.Idle}, "%d of %d", c.busy, c.cpus)
	}
}

func TestRIsTheMeanOfTheSamplesOfWaitingThreads(t *testing.T) {
	h, v := watch(1)
	r := stats.NewVmstatReport(v, 3)
	h.obs = append(h.obs, r)
	h.seconds(1)
	hogs(h, 1, 4)
	h.seconds(1)
	for range 3 {
		h.create(0)
	}
	h.seconds(1) // samples 0, 4, 7: the mean is cut, not rounded
	assert.Equal(t, "3", strings.Fields(r.Lines[3])[0])
	assert.Equal(t, int64(7), v.Second.R)
}

func TestAThreadThatLeavesWaitingIsNotCountedAnyMore(t *testing.T) {
	h, v := watch(2)
	a, b := h.create(0), h.create(0)
	assert.Equal(t, 2, v.Waiting())
	h.run(a, 0, 0)
	h.run(b, 1, 0)
	assert.Zero(t, v.Waiting())
	h.stop(a, 0, sched.Preempted)
	assert.Equal(t, 1, v.Waiting())
	h.stop(b, 1, sched.Blocked)
	assert.Equal(t, 1, v.Waiting())
	h.wake(b, 0)
	assert.Equal(t, 2, v.Waiting())
	h.run(b, 0, 1)
	h.stop(b, 0, sched.Exited)
	assert.Equal(t, 1, v.Waiting())
}

func TestSwitchesAreThosePerSecond(t *testing.T) {
	h, v := watch(1)
	r := stats.NewVmstatReport(v, 2)
	h.obs = append(h.obs, r)
	a := h.create(0)
	for range 5 {
		h.run(a, 0, 0)
		h.stop(a, 0, sched.Preempted)
	}
	h.seconds(2)
	f := strings.Fields(r.Lines[3])
	assert.Equal(t, "5", f[len(f)-4], "10 switches in 2 s, those to idle among them")
}

func TestRowsStandInVmstatsColumns(t *testing.T) {
	// Swap and free are five wider than their columns, r of 20 one more: re, mf,
	// pi and then po lose their padding.
	h, v := watch(32)
	r := stats.NewVmstatReport(v, 3)
	h.obs = append(h.obs, r)
	hogs(h, 12, 20)
	h.seconds(3)
	require.Len(t, r.Lines, 4)
	assert.Equal(t, " r b w   swap  free  re  mf pi po fr de sr s1 s2 s3 s4   in   sy   cs us sy id", r.Lines[1])
	assert.Equal(t, " 0 0 0 39127104 15498368 0 0 0  0  0  0  0  0  0  0  0  575  197    0  0  0 100", r.Lines[2])
	assert.Equal(t, " 20 0 0 39127104 15498368 0 0 0 0  0  0  0  0  0  0  0  575  197    4 38  0 62", r.Lines[3])
}

func TestTheExcessOfAWideValueIsTakenFromLaterPadding(t *testing.T) {
	narrow := stats.VmstatRow{R: 9, User: 50, Idle: 50, Switches: 1}
	wide := narrow
	wide.R = 12345
	a, b := narrow.String(), wide.String()
	assert.Len(t, b, len(a), "%q\n%q", a, b)
	assert.Equal(t, a[len(a)-12:], b[len(b)-12:], "the end of the line stands where it stood")
	full := stats.VmstatRow{User: 100, System: 100, Idle: 100, Switches: 1234567}.String()
	assert.True(t, strings.HasSuffix(full, " 1234567 100 100 100"), "no padding left to take back: %q", full)
}

func TestANewHeadingComesBeforeLine19AndThenAfterEvery19Lines(t *testing.T) {
	h, v := watch(1)
	r := stats.NewVmstatReport(v, 1)
	h.obs = append(h.obs, r)
	h.seconds(60)
	var at []int
	lines := 0
	for _, l := range r.Lines {
		switch {
		case strings.HasPrefix(l, " kthr"):
			at = append(at, lines)
		case strings.HasPrefix(l, " r b w"):
		default:
			lines++
		}
	}
	assert.Equal(t, 61, lines)
	assert.Equal(t, []int{0, 19, 38, 57}, at, "data lines before each heading")
}

func TestAReportKeepsNoMoreLinesThanItIsAskedTo(t *testing.T) {
	h, v := watch(1)
	r := stats.NewVmstatReport(v, 1)
	r.Keep = 5
	all := stats.NewVmstatReport(v, 1)
	h.obs = append(h.obs, r, all)
	h.seconds(30)
	assert.Equal(t, all.Lines[len(all.Lines)-5:], r.Lines)
}

func TestAReportThatBeginsLateStartsFromThatMoment(t *testing.T) {
	h, v := watch(4)
	hogs(h, 4, 0)
	h.seconds(10)
	for c := range 4 {
		h.stop(sched.ThreadID(c), c, sched.Blocked)
	}
	r := stats.NewVmstatReport(v, 3)
	h.obs = append(h.obs, r)
	h.seconds(2)
	require.Len(t, r.Lines, 3)
	assert.Equal(t, []string{"100", "0", "0"}, strings.Fields(r.Lines[2])[19:], "since boot everything was busy")
	h.seconds(1)
	require.Len(t, r.Lines, 4, "three seconds after it began")
	f := strings.Fields(r.Lines[3])
	assert.Equal(t, []string{"0", "0", "0", "100"}, f[18:], "in the last three seconds nothing was")
	assert.Equal(t, "0", f[0])
}

func TestAnIntervalBelowASecondIsASecond(t *testing.T) {
	for _, n := range []int{0, -5} {
		h, v := watch(1)
		var r *stats.VmstatReport
		require.NotPanics(t, func() {
			r = stats.NewVmstatReport(v, n)
			h.obs = append(h.obs, r)
			h.seconds(2)
		})
		assert.Len(t, r.Lines, 2+3, fmt.Sprint(n))
	}
}
