package sim_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

var linux26 = []string{"linux-2.6.22", "linux-2.6.24"}

// open26 opens a document with the given tasks on a machine of four CPUs, or one.
func open26(t *testing.T, kernel, machine, tasks string) *sim.Session {
	t.Helper()
	s, err := sim.OpenDocument("x.json", []byte(fmt.Sprintf(
		`{"machine": %q, "scheduler": {"kernel": %q}, "tasks": {%s}, "seed": 1}`, machine, kernel, tasks)))
	require.NoError(t, err)
	return s
}

const up, four = "up", "smp4"

// shares are the CPU times of the threads, in permille of all.
func shares(s *sim.Session) (list []int) {
	f := s.Frame()
	total := clock.Duration(0)
	for _, x := range f.Threads {
		total += x.Ran
	}
	for _, x := range f.Threads {
		list = append(list, int(x.Ran*1000/total))
	}
	return list
}

// FACTS-O1 §16 and FACTS-CFS §11: nice −20, −10, 0, 10 and 19 on one CPU.
func TestSharesByNiceValueAreThoseOfTheRecordedRuns(t *testing.T) {
	const hogs = `"a": {"priority": -20, "run": 1000000}, "b": {"priority": -10, "run": 1000000}, "c": {"run": 1000000},
		"d": {"priority": 10, "run": 1000000}, "e": {"priority": 19, "run": 1000000}`
	for kernel, want := range map[string][]int{
		"linux-2.6.22": {520, 382, 63, 31, 3}, // 31200/22910/3800/1900/190 of 60000, slices 800/600/100/50/5
		"linux-2.6.24": {892, 96, 10, 1, 0},   // 10708/1152/124/14/2 of 12000
	} {
		s := open26(t, kernel, up, hogs)
		require.NoError(t, s.Advance(60*clock.Second))
		for i, got := range shares(s) {
			assert.InDelta(t, want[i], got, 8, "%s: %v", kernel, shares(s))
		}
	}
}

// FACTS-O1 §12 and FACTS-CFS §9: five hogs on four CPUs.
func TestFiveHogsOnFourCPUsRotateUnderCFSAlone(t *testing.T) {
	for kernel, rotates := range map[string]bool{"linux-2.6.22": false, "linux-2.6.24": true} {
		s := open26(t, kernel, four, `"hog": {"instance": 5, "run": 1000000}`)
		require.NoError(t, s.Advance(60*clock.Second))
		half := 0
		for _, share := range shares(s) {
			if share < 150 {
				half++
			}
		}
		assert.Equal(t, !rotates, half == 2, "%s: %v", kernel, shares(s))
	}
}

// FACTS §16 and §11: a ping beside 250 hogs runs at once.
func TestAPingBeside250HogsRunsAtOnce(t *testing.T) {
	for _, kernel := range linux26 {
		s := open26(t, kernel, four, `"hog": {"instance": 250, "run": 1000000}, "ping": {"run": 100, "sleep": 999000}`)
		w := &wakeWatch{of: 250}
		s.Observe(w)
		require.NoError(t, s.Advance(60*clock.Second))
		late := 0
		for _, d := range w.waits[3:] {
			if d > 0 {
				late++
			}
		}
		assert.Greater(t, len(w.waits), 50)
		assert.Zero(t, late, "%s: %v", kernel, w.waits)
	}
}

// The load average is exact: that of 250 tasks, sampled every 5 s and a tick later,
// or every 5.001 s.
func TestLoadAveragesOf2622And2624AreSampledAtTheirTimes(t *testing.T) {
	for kernel, first := range map[string]clock.Time{"linux-2.6.22": 5001, "linux-2.6.24": 5002} {
		s := open26(t, kernel, four, `"hog": {"instance": 250, "run": 1000000}`)
		first *= clock.Time(clock.Millisecond)
		require.NoError(t, s.Advance(clock.Duration(first)-1))
		assert.Equal(t, [3]string{"0.00", "0.00", "0.00"}, s.Frame().Load.Text, kernel)
		require.NoError(t, s.Advance(1))
		assert.Equal(t, [3]string{"20.02", "4.15", "1.34"}, s.Frame().Load.Text, kernel) // j_calc_load_step_up_down, sample 1
	}
}

const mixed = `"hog": {"instance": 6, "run": 1000000}, "nice": {"instance": 2, "priority": 10, "run": 700000},
	"s": {"instance": 4, "loop": -1, "run": 3000, "sleep": 40000}, "rt": {"policy": "SCHED_RR", "priority": 5, "loop": -1, "run": 9000, "sleep": 200000}`

func TestTimeGoesBackUnder2622And2624(t *testing.T) {
	for _, kernel := range linux26 {
		s, straight := open26(t, kernel, four, mixed), open26(t, kernel, four, mixed)
		require.NoError(t, s.Advance(30*clock.Second))
		end := s.Digest()
		require.NoError(t, s.SeekTo(clock.Time(7*clock.Second)+12345))
		require.NoError(t, straight.Advance(7*clock.Second+12345))
		same(t, straight, s, kernel)
		require.NoError(t, s.SeekTo(clock.Time(30*clock.Second)))
		assert.Equal(t, end, s.Digest(), kernel)
	}
}

// whyWatch gathers the reasons that a run gives.
type whyWatch map[sched.Reason]bool

func (w whyWatch) Observe(e *trace.Event) {
	if e.Kind == trace.On || e.Kind == trace.Queued || e.Kind == trace.Idle {
		w[e.Why] = true
	}
}

func TestEveryReasonOf2622And2624HasASentenceAndASource(t *testing.T) {
	for _, kernel := range linux26 {
		s := open26(t, kernel, four, mixed+`, "sh": {"loop": 1, "phases": {"fork": {"loop": 30, "run": 2000, "fork": "kid"},
			"wait": {"loop": -1, "run": 10, "sleep": 3000000}}}, "kid": {"instance": 0, "loop": 3, "run": 5000},
			"y": {"loop": -1, "run": 1000, "yield": true}`)
		w := whyWatch{}
		s.Observe(w)
		require.NoError(t, s.Advance(20*clock.Second))
		codes := map[uint16]bool{}
		for why := range w {
			codes[why.Code] = true
			assert.NotEmpty(t, s.Explain(why), "%s: %+v", kernel, why)
			assert.True(t, strings.HasSuffix(s.Explain(why), "."), s.Explain(why))
		}
		assert.Greater(t, len(codes), 8, "%s: %v", kernel, codes)
		for cpu := range 4 {
			a := s.WhyStrand(cpu)
			assert.Contains(t, fmt.Sprint(a), "kernel/sched", "%s: %+v", kernel, a)
			assert.NotEmpty(t, a.Candidates, kernel)
		}
	}
}

func TestTheShellOf2622And2624NamesItsKernelAndShowsItsTasks(t *testing.T) {
	for _, kernel := range linux26 {
		s := open26(t, kernel, four, mixed)
		require.NoError(t, s.Advance(10*clock.Second))
		for line, want := range map[string]string{
			"uname -a":          strings.TrimPrefix(kernel, "linux-"),
			"cat /proc/version": "Linux version " + strings.TrimPrefix(kernel, "linux-"),
			"ps aux":            "hog",
		} {
			out, err := s.Do(line)
			require.NoError(t, err, line)
			assert.Contains(t, out, want, "%s: %s", kernel, line)
		}
		// A hog's PRI is 20, and 5 more where priority goes by sleep; a sleeper's 5 less.
		var top sim.Top
		text := strings.Join(top.Lines(s.Frame()), "\n")
		hog, sleeper := " 25   0 ", " 15   0 "
		if kernel == "linux-2.6.24" {
			hog, sleeper = " 20   0 ", " 20   0 "
		}
		assert.Regexp(t, "(?m)"+hog+".* hog$", text)
		assert.Regexp(t, "(?m)"+sleeper+".* s$", text)
	}
}
