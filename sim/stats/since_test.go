package stats_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
	"strandscope/sim/stats"
)

func TestSinceBootCountsTheQuietTimeBeforeTheRun(t *testing.T) {
	h, v := watch(4)
	hogs(h, 4, 4)
	h.seconds(10)
	now := clock.Time(10 * clock.Second)
	busy := stats.NewVmstatReportIn(stats.SolarisVmstat, v, 1)
	assert.True(t, strings.HasSuffix(busy.Lines[2], "100 0  0"), busy.Lines[2])
	half := stats.NewVmstatReportSince(stats.SolarisVmstat, v, 1, 10*clock.Second, now, stats.Marks{})
	assert.True(t, strings.HasPrefix(half.Lines[2], " 2 0 0 "), half.Lines[2]) // 4 waiting in half of the samples
	assert.True(t, strings.HasSuffix(half.Lines[2], "50  0 50"), half.Lines[2])

	m := stats.NewMpstatReportSince(v, 1, stats.PerCPU, make([]int, 4), 30*clock.Second, now, stats.Listing{})
	require.Len(t, m.Lines, 5)
	assert.True(t, strings.HasSuffix(m.Lines[1], " 25   0   0  75"), m.Lines[1])
}

func TestMarksStandAroundDecorationAndNowhereElse(t *testing.T) {
	h, v := watch(2)
	hogs(h, 1, 0)
	h.seconds(1)
	marks := stats.Marks{On: "<", Off: ">"}
	plain := strings.NewReplacer("<", "", ">", "").Replace
	now := clock.Time(clock.Second)
	with := stats.NewVmstatReportSince(stats.SolarisVmstat, v, 1, 0, now, marks).Lines[2]
	assert.True(t, strings.HasPrefix(with, " 0< 0 0"), with)
	assert.Contains(t, with, "575  197>")
	assert.Equal(t, stats.NewVmstatReportIn(stats.SolarisVmstat, v, 1).Lines[2], plain(with))

	sets := make([]int, 2)
	row := stats.NewMpstatReportSince(v, 1, stats.PerCPU, sets, 0, now, stats.Listing{Marks: marks}).Lines[1]
	assert.Equal(t, 2, strings.Count(row, "<"))
	assert.Equal(t, stats.NewMpstatReport(v, 1, stats.PerCPU, sets, stats.Listing{}).Lines[1], plain(row))
}
