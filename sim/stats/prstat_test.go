package stats_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
	"strandscope/sim/trace"
)

// one is 1 in the fraction of PctCPU.
const one = 1 << 31

// FACTS §10.3: Δ is ns/10 in units of 2^−31; e^−x by halving x below 1/4, 1 − x,
// then squaring.
func TestRecentCPUFollowsTheKernelsArithmetic(t *testing.T) {
	const unit = clock.Duration(10) // ns that are 2^−31
	for _, c := range []struct {
		d    clock.Duration
		want uint64
	}{
		{1 * unit, 1},
		{9, 0}, // less than a unit
		{one / 8 * unit, one / 8},
		{(one/4 - 1) * unit, one/4 - 1},        // the last that is not halved
		{one / 4 * unit, one - 49*(one/64)},    // (1 − 1/8)²
		{one / 2 * unit, one - 2401*(one>>12)}, // (1 − 1/8)⁴
		{one * 64 * unit, one},
		{clock.Hour * 24 * 365, one},
	} {
		var p stats.PctCPU
		p.Update(clock.Time(c.d), true)
		assert.Equal(t, c.want, p.At(clock.Time(c.d), true), "%d ns on CPU", c.d)
		assert.Equal(t, uint64(0), stats.PctCPU{}.At(clock.Time(c.d), false), "%d ns off it", c.d)
	}
}

func TestRecentCPUIsAnExponentialAverageOf21AndAHalfSeconds(t *testing.T) {
	const tau = 21.47483648
	var p stats.PctCPU
	exact := 0.0
	var now clock.Time
	for _, s := range []struct {
		d  clock.Duration
		on bool
	}{
		{clock.Second, true},
		{300 * clock.Millisecond, false},
		{7 * clock.Second, true},
		{clock.Second, false},
		{20 * clock.Second, true},
		{40 * clock.Second, false},
		{90 * clock.Second, true},
	} {
		for range 10 { // in pieces, as microstates are
			now = now.Add(s.d / 10)
			p.Update(now, s.on)
		}
		e := math.Exp(-float64(s.d) / 1e9 / tau)
		if exact *= e; s.on {
			exact += 1 - e
		}
		assert.InDelta(t, exact, float64(p.At(now, s.on))/one, 0.02)
	}
	assert.InDelta(t, 1, exact, 0.02)
}

// averages are load averages that stay as they are.
type averages [3]int64

func (a averages) Avenrun() [3]int64 { return a }

// prstat returns a scene of so many CPUs and a report that prints when asked.
func prstat(cpus int, view stats.PrstatView) (*scene, *stats.PrstatReport) {
	s := newScene()
	s.sets = make([]int, cpus)
	r := stats.NewPrstatReport(s, cpus, 0, view, averages{4930, 1371, 484}, stats.Listing{})
	s.watch(r)
	return s, r
}

func TestALoneHogOn32CPUsShows3Point1Percent(t *testing.T) {
	s, r := prstat(32, stats.PrProcesses)
	hog := s.add("perl", 5)
	s.standing[hog] = stats.Standing{Class: "TS", Priority: 0, Nice: 0}
	s.on(hog, 5)
	s.pass(3*clock.Hour + 125*clock.Second)
	r.Print(s.now)
	assert.Equal(t, []string{
		"   PID USERNAME  SIZE   RSS STATE  PRI NICE      TIME  CPU PROCESS/NLWP",
		"  1204 root     4096K 2048K cpu5     0    0   3:02:05 3.1% perl/1",
		"Total: 1 processes, 1 lwps, load averages: 19.26, 5.36, 1.89",
	}, r.Lines)
	for cpu := 1; cpu < 32; cpu++ {
		s.changed(cpu, -1)
	}
	r.Lines = nil
	r.Print(s.now)
	assert.Contains(t, r.Lines[1], "3:02:05 100% perl/1", "of all CPUs that are on-line")
}

func TestPrstatShowsStatesAndSortsByRecentUse(t *testing.T) {
	s, r := prstat(4, stats.PrProcesses)
	sh, hog, light, waiter := s.add("sh", 0), s.add("hog", 0), s.add("light", 1), s.add("wait", 0)
	child, orphan := s.add("child", 2), s.add("orphan", 3)
	s.fakeRoster.threads[child].Parent = hog
	s.standing[waiter] = stats.Standing{Class: "FSS", Priority: 31, Nice: -5}
	s.standing[light] = stats.Standing{Class: "RT", Priority: 120}
	s.thread("updates").Kernel = true
	kernel := s.create(0)

	s.on(sh, 0)
	s.off(sh, sched.Blocked)
	s.on(hog, 0)
	s.on(light, 1)
	s.on(child, 2)
	s.on(orphan, 3)
	s.pass(clock.Second)
	s.off(light, sched.Blocked)
	s.off(child, sched.Exited)
	s.off(orphan, sched.Exited)
	s.on(kernel, 3)
	s.pass(clock.Second)
	s.again(light, 1)
	s.on(light, 1)
	r.Print(s.now)

	var got []string
	for _, l := range r.Lines[1 : len(r.Lines)-1] {
		f := strings.Fields(l)
		got = append(got, strings.Join([]string{f[9], f[4], f[5], f[6], f[7]}, " "))
	}
	// The child's parent lives and does not wait for it; the orphan has nobody,
	// and the kernel's own threads are no processes.
	assert.Equal(t, []string{
		"hog/1 cpu0 0 0 0:00:02", "light/1 cpu1 120 - 0:00:01", "sh/1 sleep 0 0 0:00:00",
		"wait/1 run 31 -5 0:00:00", "child/1 zombie 0 - 0:00:01",
	}, got)
	assert.Contains(t, r.Lines[len(r.Lines)-1], "Total: 5 processes, 5 lwps")
}

// micro returns the columns of prstat -m by name.
func micro(t *testing.T, r *stats.PrstatReport, row int) map[string]string {
	t.Helper()
	names, cells := strings.Fields(r.Lines[0]), strings.Fields(r.Lines[row])
	require.Len(t, cells, len(names), r.Lines[row])
	m := map[string]string{}
	for i, n := range names {
		m[n] = cells[i]
	}
	return m
}

func TestLATIsTheWaitInRunQueues(t *testing.T) {
	s, r := prstat(1, stats.PrMicrostates)
	a := s.add("a", 0)
	s.pass(clock.Second) // 1 s of waiting
	s.on(a, 0)
	s.pass(5 * clock.Second)
	for range 4 {
		s.preempt(a)
	}
	s.off(a, sched.Preempted)
	s.pass(clock.Second) // another
	s.on(a, 0)
	s.off(a, sched.Blocked)
	s.pass(3 * clock.Second)
	r.Print(s.now)
	m := micro(t, r, 1)
	assert.Equal(t, map[string]string{
		"PID": "1204", "USERNAME": "root", "USR": "50", "SYS": "0.0", "TRP": "0.0", "TFL": "0.0", "DFL": "0.0", "LCK": "0.0",
		"SLP": "30", "LAT": "20", "VCX": "0", "ICX": "2", "SCL": "0", "SIG": "0", "PROCESS/NLWP": "a/1",
	}, m, "of its life of 10 s; counts are those of an average interval of 5 s")

	// From then on it is the interval that counts.
	s.again(a, 0)
	s.on(a, 0)
	s.mode(0, trace.SystemMode)
	s.pass(clock.Second)
	s.mode(0, trace.UserMode)
	s.pass(3 * clock.Second)
	s.off(a, sched.Yielded)
	s.on(a, 0)
	s.off(a, sched.Blocked)
	r.Lines = nil
	r.Print(s.now)
	m = micro(t, r, 1)
	assert.Equal(t, []string{"75", "25", "0.0", "0.0", "2", "0"}, []string{m["USR"], m["SYS"], m["SLP"], m["LAT"], m["VCX"], m["ICX"]})
}

func TestMicrostatesAddUpToTheLifeOfAThread(t *testing.T) {
	s, r := prstat(1, stats.PrMicrostates)
	s.pass(1500 * clock.Millisecond)
	a := s.add("a", 0)
	for i := range 20 {
		s.pass(clock.Duration(i*7) * clock.Millisecond)
		s.on(a, 0)
		s.pass(clock.Duration(i*3) * clock.Millisecond)
		if i%3 == 0 {
			s.off(a, sched.Blocked)
			s.pass(11 * clock.Millisecond)
			s.again(a, 0)
		} else {
			s.off(a, sched.Preempted)
		}
	}
	var sum clock.Duration
	for m := stats.MicroUser; m <= stats.MicroLatency; m++ {
		sum += r.Micro(a, m, s.now)
	}
	assert.Equal(t, s.now.Sub(clock.Time(1500*clock.Millisecond)), sum)
}

func TestPrstatJAddsUpProjects(t *testing.T) {
	s, r := prstat(4, stats.PrProjects)
	for i := range 3 {
		id := s.add("x", i)
		if i == 2 {
			s.fakeRoster.threads[id].Group = 7
		}
		s.on(id, i)
	}
	s.pass(1000 * clock.Second)
	r.Print(s.now)
	assert.Equal(t, []string{
		"PROJID    NPROC  SWAP   RSS MEMORY      TIME  CPU PROJECT",
		"     1        2 8192K 4096K   0.0%   0:33:20  50% project1",
		"     7        1 4096K 2048K   0.0%   0:16:40  25% project7",
		"Total: 3 processes, 3 lwps, load averages: 19.26, 5.36, 1.89",
	}, r.Lines[4:])
}

func TestAPrstatWithAnIntervalPrintsByItself(t *testing.T) {
	s := newScene()
	r := stats.NewPrstatReport(s, 1, 3, stats.PrProcesses, averages{}, stats.Listing{})
	s.watch(r)
	s.on(s.add("a", 0), 0)
	s.pass(10 * clock.Second)
	tables := 0
	for _, l := range r.Lines {
		if strings.HasPrefix(l, "Total:") {
			tables++
		}
	}
	assert.Equal(t, 3, tables)
	assert.Contains(t, r.Lines[1], "0:00:03")
	assert.Contains(t, r.Lines[7], "0:00:09")
}
