package sim_test

import (
	"encoding/csv"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/clock"
)

// later are the scenarios that offer kernels after 2.2.
var later = []string{"hogs-through-the-ages", "ping-under-load-through-the-ages", "nice-means-what", "eevdf-slices", "o1-interactivity"}

// onAll runs a scenario on every kernel that it offers.
func onAll(t *testing.T, id string, span clock.Duration) map[string]sim.KernelRow {
	t.Helper()
	s, err := sim.Open(id)
	require.NoError(t, err)
	before := s.Digest()
	require.NoError(t, s.CompareKernels(span))
	for s.Plotting() {
		require.NoError(t, s.PlotNext())
	}
	assert.Equal(t, before, s.Digest(), "the run itself is not touched")
	rows := map[string]sim.KernelRow{}
	list, left := s.Kernels()
	require.Zero(t, left)
	for _, r := range list {
		rows[r.Kernel] = r
	}
	choices := s.Choices().Kernels
	require.Len(t, rows, len(choices))
	for i, c := range choices {
		assert.Equal(t, c.Value, list[i].Kernel)
		assert.Equal(t, c.Label, list[i].Title)
	}
	return rows
}

func TestLaterScenariosRunOnEveryKernelTheyOfferAndAreChecked(t *testing.T) {
	for _, id := range later {
		s, err := sim.Open(id)
		require.NoError(t, err)
		kernels := s.Choices().Kernels
		require.Greater(t, len(kernels), 1, id)
		for _, k := range kernels {
			require.NoError(t, s.Set("kernel", k.Value))
			require.NoError(t, s.Advance(2*clock.Second))
			require.NoError(t, s.Finish(), "%s on %s", id, k.Value)
			assert.Equal(t, k.Value, s.Frame().Scenario.Kernel)
			for _, p := range s.Frame().Printed {
				assert.NotEmpty(t, p.Simulated, "%s on %s: %s", id, k.Value, p.Label)
			}
		}
		require.ErrorContains(t, s.Set("kernel", "linux-5.4"), `kernel: "linux-5.4", want `)
	}
}

// All figures that are printed come out; but for the delay of an emulator, of which the
// scenario's note tells.
func TestPrintedFiguresOfRealKernelsComeOut(t *testing.T) {
	emulated := 0
	for _, id := range later {
		s, err := sim.Open(id)
		require.NoError(t, err)
		printed := 0
		for _, k := range s.Choices().Kernels {
			require.NoError(t, s.Set("kernel", k.Value))
			if len(s.Frame().Printed) == 0 {
				continue
			}
			for at := clock.Time(0); at < clock.Time(480*clock.Second); at += clock.Time(15 * clock.Second) {
				require.NoError(t, s.AdvanceTo(at))
				if pending(s.Frame()) == 0 {
					break
				}
			}
			switch id { // figures of a moment
			case "hogs-through-the-ages":
				require.NoError(t, s.SeekTo(clock.Time(479100*clock.Millisecond)))
			case "o1-interactivity":
				require.NoError(t, s.SeekTo(clock.Time(25*clock.Second)))
			}
			for _, p := range s.Frame().Printed {
				require.False(t, p.Pending, "%s: %s", id, p.Label)
				printed++
				if strings.HasPrefix(p.Label, "6.1:") && strings.HasSuffix(p.Label, ", ms") {
					assert.Equal(t, "0.00", p.Simulated)
					emulated++
					continue
				}
				assert.True(t, p.Agrees, "%s: %s is %s, printed %s", id, p.Label, p.Simulated, p.Printed)
			}
		}
		if id != "eevdf-slices" { // a paper prints none
			assert.GreaterOrEqual(t, printed, 4, id)
		}
	}
	assert.Equal(t, 2, emulated)
}

func pending(f *sim.Frame) (n int) {
	for _, p := range f.Printed {
		if p.Pending {
			n++
		}
	}
	return n
}

// The loads of 250 hogs under 6.1, as /proc/loadavg had them every 5 s for eight minutes,
// are those of the real kernel to the last digit.
func TestLoadAveragesOf250HogsAreThoseOfTheRealKernel(t *testing.T) {
	f, err := os.Open("testdata/real/loadavg_n250_5s_6.1.csv")
	require.NoError(t, err)
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	lines, err := r.ReadAll()
	require.NoError(t, err)
	s, err := sim.Open("hogs-through-the-ages", set("kernel", "linux-6.1"))
	require.NoError(t, err)
	n := 0
	for _, row := range lines[1:] {
		if row[7] != "250" {
			continue
		}
		// The measured hogs were released at 30 s, ours at 4.1 s.
		at, err := clockSeconds(row[0])
		require.NoError(t, err)
		require.NoError(t, s.AdvanceTo(at-clock.Time(25900*clock.Millisecond)))
		assert.Equal(t, [3]string{row[1], row[2], row[3]}, s.Frame().Load.Text, "at %s s", row[0])
		n++
	}
	assert.Equal(t, 96, n)
}

func clockSeconds(text string) (clock.Time, error) {
	var n int64
	for _, d := range text {
		n = 10*n + int64(d-'0')
	}
	return clock.Time(n * int64(clock.Second)), nil
}

func TestNiceIsAWeightSinceCFSAndALengthOfSlicesBefore(t *testing.T) {
	rows := onAll(t, "nice-means-what", 60*clock.Second)
	each := func(kernel string, i int) float64 {
		x := rows[kernel].Tasks[i]
		return float64(x.Least+x.Most) / 2 / float64(clock.Second)
	}
	for _, k := range []string{"linux-2.6.24", "linux-6.1", "linux-6.12", "linux-6.18"} {
		for i, weight := range []float64{1024, 335, 110, 15} {
			assert.InDelta(t, 60*weight/2968, each(k, i), 0.06, "%s: %d, to 0.1 %% of the CPU", k, i)
		}
	}
	assert.InDelta(t, 20, each("linux-2.6.22", 0)/each("linux-2.6.22", 3), 0.5)
	assert.InDelta(t, 9, each("linux-2.2.8", 0)/each("linux-2.2.8", 3), 0.5)
}

func TestHogsAndPingThroughTheAges(t *testing.T) {
	hogs := onAll(t, "hogs-through-the-ages", sim.KernelSpan)
	old, o1, cfs, eevdf := hogs["linux-2.2.8"], hogs["linux-2.6.22"], hogs["linux-6.1"], hogs["linux-6.12"]
	assert.Less(t, old.Figures.Switches, o1.Figures.Switches)
	assert.Less(t, o1.Figures.Switches, cfs.Figures.Switches)
	for _, r := range []sim.KernelRow{cfs, eevdf} {
		assert.InDelta(t, 1000*56, r.Figures.Switches, 300, "a clock tick each: %s", r.Title)
	}
	for _, r := range []sim.KernelRow{old, o1, hogs["linux-2.6.24"], cfs} {
		assert.Zero(t, r.Usual, r.Title)
	}
	assert.Greater(t, eevdf.Usual, 3*clock.Millisecond)

	ping := onAll(t, "ping-under-load-through-the-ages", 30*clock.Second)
	assert.InDelta(t, 3.99, float64(ping["linux-6.12"].Usual)/1e6, 0.01)
	for k, r := range ping {
		if k != "linux-2.2.8" {
			assert.Less(t, r.Worst, ping["linux-2.2.8"].Worst, k)
		}
	}
}

func TestShorterSlicesAreSoonerTurnsForTheSameShare(t *testing.T) {
	for _, k := range []string{"linux-6.12", "linux-6.18"} {
		f := run(t, 60*clock.Second, "eevdf-slices", set("kernel", k)).Frame()
		require.Len(t, f.Probes, 3)
		short, own, long := &f.Probes[0], &f.Probes[1], &f.Probes[2]
		for _, percent := range []int{50, 95} {
			assert.Less(t, short.Quantile(percent), own.Quantile(percent), k)
			assert.Less(t, own.Quantile(percent), long.Quantile(percent), k)
		}
		// Each got what it asked for: less than an eleventh of the CPU, its fair share.
		for _, name := range []string{"short", "own", "long"} {
			x := find(t, f, name)
			assert.Less(t, x.Ran, 60*clock.Second/11, name)
		}
	}
}

func TestUnderO1SleepersStarveHogs(t *testing.T) {
	s, err := sim.Open("o1-interactivity")
	require.NoError(t, err)
	// The longest time in which a hog did not run.
	last, since := [2]clock.Duration{}, [2]clock.Duration{}
	longest := clock.Duration(0)
	for range 250 {
		require.NoError(t, s.Advance(100*clock.Millisecond))
		for i, name := range []string{"hog", "nice"} {
			since[i] += 100 * clock.Millisecond
			if ran := find(t, s.Frame(), name).Ran; ran != last[i] {
				last[i], since[i] = ran, 0
			}
			longest = max(longest, since[i])
		}
	}
	assert.Greater(t, longest, 9*clock.Second)
	// The recorded run of the kernel's own functions: ticks of 1 ms by task.
	for name, ticks := range map[string]clock.Duration{
		"hog": 451, "nice": 340, "s1": 2900, "s2": 2942, "s3": 2420, "s4": 2925, "s5": 2510, "s6": 1640, "s7": 1730, "s8": 2600, "s9": 1920, "s10": 2622,
	} {
		assert.Equal(t, ticks*clock.Millisecond, find(t, s.Frame(), name).Ran, name)
	}
	cfs := onAll(t, "o1-interactivity", 25*clock.Second)["linux-2.6.24"].Tasks
	assert.InDelta(t, float64(cfs[0].Least), float64(cfs[2].Least), float64(100*clock.Millisecond), "a hog and a sleeper")
}

func TestTwoKernelsOfOneScenarioAreToldApart(t *testing.T) {
	a, err := sim.Open("hogs-through-the-ages")
	require.NoError(t, err)
	b, err := sim.Open("hogs-through-the-ages", set("kernel", "linux-6.12"))
	require.NoError(t, err)
	x, y := a.Facts(), b.Facts()
	assert.Equal(t, [2]string{"Linux 2.2.8-pre5", "Linux 6.12 (EEVDF)"}, sim.Titles(&x, &y))
	assert.Equal(t, "Kernel (A linux-2.2.8, B linux-6.12).", x.DiffersFrom(y))
	require.ErrorContains(t, must(t, "t2000").CompareKernels(1), "offers no kernels to compare")
}

func must(t *testing.T, id string) *sim.Session {
	t.Helper()
	s, err := sim.Open(id)
	require.NoError(t, err)
	return s
}
