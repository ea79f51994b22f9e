package stats_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"strandscope/sim/clock"
	"strandscope/sim/stats"
)

func plain(text string) string { return text }

func commands(lines []string) []string {
	var list []string
	for _, l := range lines[7:] {
		f := strings.Fields(l)
		list = append(list, f[len(f)-1])
	}
	return list
}

// FACTS §14: tenths are cut, nice counts twice, idle is what is left of one CPU.
func TestTopDividesByNoNumberOfCPUs(t *testing.T) {
	var top stats.Top
	tasks := []stats.TopTask{
		{ID: 0, PID: 10, Name: "a", State: 'R', Ticks: 100},
		{ID: 1, PID: 11, Name: "b", State: 'R', Nice: 19, Ticks: 100},
		{ID: 2, PID: 12, Name: "c", State: 'S', Nice: -5, Ticks: 7000},
		{ID: 3, PID: 13, Name: "d", State: 'Z'},
	}
	top.Look(clock.Time(100*clock.Second), "", tasks)
	tasks[0].Ticks += 30
	tasks[1].Ticks += 41
	tasks[2].Ticks++
	f := top.Look(clock.Time(101300*clock.Millisecond), "head", tasks)
	lines := f.Lines(math.MaxInt, plain)
	assert.Equal(t, "head", lines[0])
	assert.Equal(t, "4 processes: 1 sleeping, 2 running, 1 zombie, 0 stopped", lines[1])
	assert.Equal(t, "CPU states: 55.3% user, 0.0% system, 31.5% nice, 44.8% idle", lines[2])
	assert.Equal(t, "   11 root       0  19   216  216   176 R N     0 31.5  0.0   0:01 b", lines[7])
	assert.Equal(t, "   12 root       0  -5   216  216   176 S <     0  0.7  0.0   1:10 c", lines[9])
	assert.Equal(t, []string{"b", "a", "c", "d"}, commands(lines))
	f.Sort(stats.TopByTime)
	assert.Equal(t, []string{"c", "b", "a", "d"}, commands(f.Lines(math.MaxInt, plain)))
	f.Sort(stats.TopByPID)
	assert.Equal(t, []string{"a", "b"}, commands(f.Lines(9, plain)))
	f.Keep([]int32{10, 13}, false)
	assert.Equal(t, []string{"a", "d"}, commands(f.Lines(math.MaxInt, plain)))
	f.Keep(nil, true)
	assert.Equal(t, []string{"a"}, commands(f.Lines(math.MaxInt, plain)))
}

func TestLinuxUptimeCutsMinutes(t *testing.T) {
	load := [3]string{"0.00", "0.01", "0.05"}
	for _, c := range []struct {
		now   clock.Duration
		up    clock.Duration
		users int
		want  string
	}{
		{59 * clock.Second, 0, 1, " 11:58pm  up 0 min,  1 user,  load average: 0.00, 0.01, 0.05"},
		{2 * clock.Minute, 6 * clock.Minute, 8, " 12:00am  up 8 min,  8 users,  load average: 0.00, 0.01, 0.05"},
		{13 * clock.Hour, 0, 0, " 12:58pm  up 13:00,  0 users,  load average: 0.00, 0.01, 0.05"},
		{25 * clock.Hour, clock.Minute, 12, " 12:58am  up 1 day,  1:01, 12 users,  load average: 0.00, 0.01, 0.05"},
		{48 * clock.Hour, 0, 1, " 11:58pm  up 2 days, 0 min,  1 user,  load average: 0.00, 0.01, 0.05"},
	} {
		assert.Equal(t, c.want, stats.LinuxUptime(clock.Time(c.now), 23*60+58, c.up, c.users, load))
	}
}
