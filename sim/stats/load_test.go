package stats_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
	"strandscope/sim/trace"
)

func texts(a [3]int64) [3]string {
	return [3]string{stats.LoadText(a[0]), stats.LoadText(a[1]), stats.LoadText(a[2])}
}

// filtered is a filter that has idled for a ring full of seconds.
func filtered() *stats.SolarisFilter {
	f := &stats.SolarisFilter{}
	for range 11 {
		f.Second(0)
	}
	return f
}

// FACTS §9; the rows are those of golden/loadavg.
func TestThirtyTwoHogsReachTheRecordedLoadAverages(t *testing.T) {
	f := filtered()
	for sec := 1; sec <= 60; sec++ {
		f.Second(32 * int64(clock.Second))
		if sec == 1 {
			assert.Equal(t, int64(409), f.Load(), "a tenth of 32 threads, cut to 128ths")
			assert.Equal(t, [3]string{"0.05", "0.01", "0.00"}, texts(f.Avenrun()))
		}
	}
	assert.Equal(t, [3]string{"19.26", "5.36", "1.89"}, texts(f.Avenrun()))
	assert.Equal(t, [3]int64{1262278, 350995, 124082}, f.HP())
	assert.Equal(t, int64(32*128), f.Load())
}

func Test250HogsReach249Point78AfterSevenMinutes(t *testing.T) {
	f := filtered()
	for range 180 {
		f.Second(32 * int64(clock.Second))
	}
	for range 420 {
		f.Second(250 * int64(clock.Second))
	}
	assert.Equal(t, "249.78", stats.LoadText(f.Avenrun()[0]))
}

func TestTheAverageOfAYoungMachineIsOverTheSecondsItHas(t *testing.T) {
	var f stats.SolarisFilter
	assert.Zero(t, f.Load())
	f.Second(4 * int64(clock.Second))
	assert.Equal(t, int64(4*128), f.Load())
	f.Second(0)
	assert.Equal(t, int64(2*128), f.Load())
	for range 9 {
		f.Second(0)
	}
	assert.Zero(t, f.Load(), "after ten seconds it is forgotten")
}

func TestAvenrunIsCapped(t *testing.T) {
	var f stats.SolarisFilter
	f.SetHP([3]int64{1 << 60, 256, 255})
	assert.Equal(t, [3]int64{0x7fffffff, 1, 0}, f.Avenrun())
}

// loaded is a history with a load average of a machine that was up before.
func loaded(cpus int) (*history, *stats.SolarisLoad, *stats.CPUTime) {
	time := stats.NewCPUTime(cpus)
	l := stats.NewSolarisLoad(time, cpus)
	l.Booted(20)
	return &history{obs: []trace.Observer{time, l}}, l, time
}

func TestTimeIsAddedOnlyWhenACPUChangesItsMode(t *testing.T) {
	h, l, time := loaded(1)
	a := h.create(0)
	h.run(a, 0, 0)
	h.seconds(3)
	assert.Zero(t, l.Load(), "a hog that never traps adds nothing")
	assert.Zero(t, time.Closed(0, trace.UserMode))
	h.stop(a, 0, sched.Blocked)
	h.seconds(1)
	assert.Equal(t, int64(3*128/10), l.Load(), "then three seconds come in one lump")
	assert.Equal(t, 3*clock.Second, time.Closed(0, trace.UserMode))
}

func TestWaitIsAddedToTheCPUThatRunsTheThread(t *testing.T) {
	h, _, time := loaded(2)
	a := h.create(0)
	h.now = second
	h.run(a, 1, 0)
	assert.Zero(t, time.Wait(0))
	assert.Equal(t, clock.Second, time.Wait(1))
	h.now = 2 * second
	h.stop(a, 1, sched.Preempted)
	h.now = 5 * second
	h.run(a, 0, 1)
	assert.Equal(t, 3*clock.Second, time.Wait(0), "from when the CPU switched away from it")
	h.stop(a, 0, sched.Blocked)
	h.now = 9 * second
	h.wake(a, 0)
	h.run(a, 0, 0)
	assert.Equal(t, 3*clock.Second, time.Wait(0), "sleep is no wait")
}

func TestWaitInASharedQueueIsNotCounted(t *testing.T) {
	h, _, time := loaded(1)
	a := h.create(sched.NoCPU)
	h.now = second
	h.run(a, 0, 0)
	assert.Zero(t, time.Wait(0))
}

func TestACPUThatWasNeverReadAddsNothingInItsFirstSecond(t *testing.T) {
	for _, booted := range []int{0, 20} {
		time := stats.NewCPUTime(1)
		l := stats.NewSolarisLoad(time, 1)
		if booted > 0 {
			l.Booted(booted)
		}
		h := &history{obs: []trace.Observer{time, l}}
		a := h.create(0)
		h.run(a, 0, 0)
		h.now = second - 1
		h.stop(a, 0, sched.Blocked)
		h.seconds(1)
		assert.Equal(t, booted > 0, l.Load() > 0, "booted %d s ago", booted)
	}
}

func TestChargedWorkMovesTimeToTheSystem(t *testing.T) {
	h, _, time := loaded(1)
	h.run(h.create(0), 0, 0)
	h.now = second
	h.charge(0, 5)
	assert.Equal(t, clock.Second-5, time.Time(0, trace.UserMode, h.now))
	assert.Equal(t, clock.Duration(5), time.Time(0, trace.SystemMode, h.now))
	assert.Zero(t, time.Time(0, trace.IdleMode, h.now))
	assert.Equal(t, trace.UserMode, time.Mode(0))
}
