package sim_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/clock"
)

var linux6Kernels = []string{"linux-6.1", "linux-6.12", "linux-6.18"}

// onLinux6 opens a scenario of hogs and sleepers on one of the kernels.
func onLinux6(t *testing.T, kernel, machine, more string) *sim.Session {
	t.Helper()
	s, err := openLinux6(kernel, machine, more)
	require.NoError(t, err)
	return s
}

func openLinux6(kernel, machine, more string) (*sim.Session, error) {
	return sim.OpenDocument("test", fmt.Appendf(nil, `{
		"title": "t", "machine": %q, "scheduler": {"kernel": %q}, "seed": 3, "boot": {"clock_minutes": 60, "up_seconds": 100, "users": 1},
		"tasks": {
			"hog": {"instance": 6, "run": 1000000},
			"nice": {"nice": 5, "run": 1000000},
			"sleeper": {"run": 2000, "sleep": 20000},
			"batch": {"policy": "SCHED_BATCH", "run": 3000, "sleep": 7000},
			"idle": {"policy": "IDLE", "run": 1000000},
			"rt": {"policy": "SCHED_RR", "priority": 5, "run": 500, "sleep": 90000},
			"maker": {"run": 1500, "sem_post": "x", "sleep": 15000}, "taker": {"sem_wait": "x", "run": 700},
			"sh": {"run": 10, "sleep": 3600000000},
			%s
		},
		"console": {"task": "sh"}}`, machine, kernel, more))
}

func TestLinux6GoesBackAndOnTheSame(t *testing.T) {
	for _, k := range linux6Kernels {
		for _, m := range []string{"up", "smp4"} {
			straight := onLinux6(t, k, m, "")
			straight.KeepPast(0)
			require.NoError(t, straight.Advance(3*clock.Second))
			s := onLinux6(t, k, m, "")
			require.NoError(t, s.Advance(7*clock.Second), k)
			require.NoError(t, s.SeekTo(clock.Time(clock.Second)))
			require.NoError(t, s.Advance(2*clock.Second))
			same(t, straight, s, k+" on "+m)
		}
	}
}

func TestLinux6SaysWhyInTheKernelsTerms(t *testing.T) {
	for _, k := range linux6Kernels {
		s := onLinux6(t, k, "up", "")
		require.NoError(t, s.Advance(2*clock.Second))
		answer := s.WhyStrand(0)
		assert.Contains(t, strings.Join(answer.Text(), "\n"), "Rule: kernel/sched/", k)
		for _, th := range s.Frame().Threads {
			answer := s.WhyThread(int(th.ID))
			assert.NotEmpty(t, answer.Text(), "%s: %s", k, th.Name)
		}
	}
}

func TestTasksAskForSlicesOnlyWhereTheKernelHasThem(t *testing.T) {
	const asks = `"short": {"slice": 100, "run": 1000000}`
	for _, k := range []string{"linux-6.1", "linux-2.2.8", "solaris10"} {
		_, err := sim.OpenDocument("test", fmt.Appendf(nil, `{"title": "t", "machine": "up", "scheduler": {"kernel": %q}, "tasks": {%s}}`, k, asks))
		require.ErrorContains(t, err, "tasks.short.slice: "+k+" has no slices of a task's own", k)
	}
	short := onLinux6(t, "linux-6.18", "up", asks)
	long := onLinux6(t, "linux-6.18", "up", strings.Replace(asks, "100,", "50000,", 1))
	require.NoError(t, short.Advance(5*clock.Second))
	require.NoError(t, long.Advance(5*clock.Second))
	assert.NotEqual(t, short.Digest(), long.Digest())
	a, b := find(t, short.Frame(), "short").Ran, find(t, long.Frame(), "short").Ran
	assert.InDelta(t, int64(a), int64(b), float64(100*clock.Millisecond), "the share is the same")
}

func TestTheShellKnowsLinux6(t *testing.T) {
	for i, k := range linux6Kernels {
		s := onLinux6(t, k, "smp4", "")
		s.Console().Notices = false
		p := &prompt{T: t, s: s}
		release := []string{"6.1.176", "6.12.95", "6.18.15"}[i]
		assert.Contains(t, p.types("uname -a")[0], release)
		assert.Contains(t, strings.Join(p.types("cat /proc/version"), ""), release)
		p.types("./loop &")
		p.types("sleep 12")
		loop := strings.Join(p.types("ps ax"), "\n")
		assert.Contains(t, loop, "loop")
		assert.Contains(t, strings.Join(p.types("chrt -f -p 7 $(pgrep loop)"), "\n")+strings.Join(p.types("chrt -p $(pgrep loop)"), "\n"), "SCHED_FIFO")
		assert.Contains(t, strings.Join(p.types("chrt -o -p $(pgrep loop)"), "\n")+strings.Join(p.types("renice 7 $(pgrep loop)"), "\n"), "new priority 7")
		pings := strings.Join(p.types("ping -c 3 localhost"), "\n")
		assert.Contains(t, pings, "3 packets transmitted, 3 packets received")
		assert.Contains(t, strings.Join(p.types("uptime"), ""), "load average")
	}
}

// Of two equal hogs the one that is owed more when they begin runs first, and keeps what
// it was owed.
func TestATaskMayBeginWithWhatItIsOwed(t *testing.T) {
	for _, k := range linux6Kernels {
		s, err := sim.OpenDocument("test", fmt.Appendf(nil, `{"title": "t", "machine": "up", "scheduler": {"kernel": %q},
			"tasks": {"late": {"lag": -30000000, "run": 1000000}, "early": {"lag": 30000000, "run": 1000000}}}`, k))
		require.NoError(t, err)
		require.NoError(t, s.Advance(20*clock.Millisecond))
		assert.GreaterOrEqual(t, find(t, s.Frame(), "early").Ran, 16*clock.Millisecond, k)
		require.NoError(t, s.Advance(10*clock.Second))
		early, late := find(t, s.Frame(), "early").Ran, find(t, s.Frame(), "late").Ran
		assert.InDelta(t, int64(60*clock.Millisecond), int64(early-late), float64(12*clock.Millisecond), k)
	}
}
