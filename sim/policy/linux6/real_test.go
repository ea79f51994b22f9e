package linux6_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
	"strandscope/sim/engine"
	"strandscope/sim/golden/goldentest"
	"strandscope/sim/machine"
	"strandscope/sim/policy/linux6"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
	"strandscope/sim/trace"
	"strandscope/sim/workload"
)

// measured is where what was measured on real kernels is.
func measured() string {
	if dir := goldentest.Dir("real"); dir != "testdata" {
		return dir
	}
	return filepath.Join("testdata", "real")
}

// rows reads the numbers of a CSV file; head and comments are left out.
func rows(t *testing.T, path string) [][]int64 {
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	var list [][]int64
	for s := bufio.NewScanner(f); s.Scan(); {
		if line := s.Text(); line[0] != '#' && line[0] != 't' {
			var row []int64
			for _, x := range strings.Split(line, ",") {
				n, err := strconv.ParseInt(x, 10, 64)
				require.NoError(t, err, path)
				row = append(row, n)
			}
			list = append(list, row)
		}
	}
	return list
}

// step is the averages after some updates with the same count.
func step(old [3]uint32, count uint32, updates int64) [3]uint32 {
	for range updates {
		for i, f := range [3]uint32{1884, 2014, 2037} {
			old[i] = stats.CalcLoad6(old[i], f, count)
		}
	}
	return old
}

// Every measured change of the three averages is that of one whole number of tasks: the
// hogs that ran, and at five updates under 250 of them one more.
func TestTheLoadAveragesOfRealKernelsComeOutExactly(t *testing.T) {
	paths, err := filepath.Glob(measured() + "/*/loadavg_*_exact.csv")
	require.NoError(t, err)
	require.Len(t, paths, 12)
	more := map[string]int{"linux-6.12/loadavg_n250_exact.csv": 1, "linux-6.18/loadavg_n250_exact.csv": 4}
	updates := map[string]int{"d4": 54, "n250": 132, "n32": 90, "n4": 84, "n8": 90, "busy": 60}
	for _, p := range paths {
		name := filepath.Base(filepath.Dir(p)) + "/" + filepath.Base(p)
		list := rows(t, p)
		n, extra := 0, 0
		for i := 1; i < len(list); i++ {
			a, b := list[i-1], list[i]
			old, now := raw(a), raw(b)
			count, ok := explain(old, now, max(1, (b[1]-a[1]+625)/1251))
			require.True(t, ok, "%s at %d ms: no count of tasks makes %v of %v", name, b[0], now, old)
			n++
			if !strings.Contains(name, "busy") && int64(count) != b[5] {
				assert.Equal(t, b[5]+1, int64(count), "%s at %d ms", name, b[0])
				extra++
			}
		}
		want := updates[strings.Split(filepath.Base(p), "_")[1]]
		if name == "linux-6.18/loadavg_n250_exact.csv" {
			want = 48
		}
		assert.Equal(t, want, n, name)
		assert.Equal(t, more[name], extra, name)
	}
}

func raw(row []int64) [3]uint32 { return [3]uint32{uint32(row[2]), uint32(row[3]), uint32(row[4])} }

// explain finds the count that turns old averages into new ones in one update, or,
// where some in between changed nothing, in several.
func explain(old, now [3]uint32, updates int64) (uint32, bool) {
	for _, n := range []int64{1, updates} {
		for count := range uint32(320) {
			if step(old, count, n) == now {
				return count, true
			}
		}
	}
	return 0, false
}

// hogs run on one CPU with the tunables of the measured box, which had four, and
// returns what each has had at the times given, in ns.
func hogs(t *testing.T, v linux6.Version, nices []int, times []int64) [][]int64 {
	m, err := machine.Grid(1, 1)
	require.NoError(t, err)
	ledger := stats.NewLedger(1)
	e, err := engine.New(engine.Config{
		Machine: m, Policy: linux6.New(linux6.Options{Version: v, Factor: 3}), Timing: engine.Hires, HZ: linux6.HZ,
		Observers: []trace.Observer{ledger},
	})
	require.NoError(t, err)
	for i, n := range nices {
		th, err := e.Create(engine.Spec{Name: fmt.Sprint(i), Bound: sched.NoCPU, Prog: workload.Forever, As: sched.Params{Nice: n}})
		require.NoError(t, err)
		e.StartAt(th, 0)
	}
	var list [][]int64
	for _, at := range times {
		require.NoError(t, e.AdvanceTo(clock.Time(at*int64(clock.Second))))
		var row []int64
		for i := range nices {
			row = append(row, int64(ledger.Entry(sched.ThreadID(i)).Ran(e.Now())))
		}
		list = append(list, row)
	}
	return list
}

// Shares of hogs of different nice values on one CPU are those of the real kernels to
// 0.1 % of the CPU, at every time that was measured.
func TestSharesByNiceAreThoseOfRealKernels(t *testing.T) {
	files := 0
	for name, v := range map[string]linux6.Version{"linux-6.1": linux6.V61, "linux-6.12": linux6.V612, "linux-6.18": linux6.V618} {
		pairs, err := filepath.Glob(filepath.Join(measured(), name, "share_pair_*.csv"))
		require.NoError(t, err)
		for _, p := range append(pairs, filepath.Join(measured(), name, "share_8nice_one_cpu.csv")) {
			files++
			var nices []int
			var times []int64
			list := rows(t, p)
			for _, r := range list {
				if r[0] == list[0][0] {
					nices = append(nices, int(r[2]))
				}
				if r[1] == 0 {
					times = append(times, r[0])
				}
			}
			have := hogs(t, v, nices, times)
			for i, r := range list {
				span := r[0] * int64(clock.Second)
				off := have[i/len(nices)][r[1]] - r[5]
				assert.LessOrEqual(t, max(off, -off), span/1000, "%s: hog %d after %d s: model %d ns, measured %d ns", p, r[1], r[0], r[5]+off, r[5])
			}
		}
	}
	assert.Equal(t, 16, files)
}
