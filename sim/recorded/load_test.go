package recorded_test

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
	"strandscope/sim/recorded"
)

// measuredLoad is a file of load averages measured on a kernel, in 1/2048.
type measuredLoad struct {
	start, stop int64      // ms: when the tasks were released and killed
	rows        [][5]int64 // t_ms, jiffies, averages
}

func readLoad(t *testing.T, name string) (m measuredLoad) {
	path := filepath.Join("../../../shared/reference/real", name)
	if _, err := os.Stat(path); err != nil {
		path = filepath.Join("../policy/linux6/testdata/real", name)
	}
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		line := s.Text()
		if rest, ok := strings.CutPrefix(line, "#"); ok {
			w := strings.Fields(rest)
			for i := range w {
				if i+1 < len(w) && w[i] == "start" {
					m.start, _ = strconv.ParseInt(w[i+1], 10, 64)
				}
				if i+1 < len(w) && w[i] == "stop" {
					m.stop, _ = strconv.ParseInt(w[i+1], 10, 64)
				}
			}
			continue
		}
		var row [5]int64
		n := 0
		for i, x := range strings.Split(line, ",") {
			if v, err := strconv.ParseInt(x, 10, 64); err == nil && i < len(row) {
				row[i] = v
				n++
			}
		}
		if n == len(row) {
			m.rows = append(m.rows, row)
		}
	}
	require.Positive(t, m.start, name)
	require.Greater(t, m.stop, m.start, name)
	return m
}

// trace is what ftrace would have of the measurement: tasks that compute from start to
// stop, or, with disk, that sleep uninterruptibly as long.
func (m measuredLoad) trace(tasks int, disk bool, end int64) string {
	var b strings.Builder
	b.WriteString("# entries-in-buffer/entries-written: 1/1   #P:1\n")
	at := func(ms, us int64) string { return fmt.Sprintf("%d.%06d", ms/1000, ms%1000*1000+us) }
	sw := func(ms, us int64, a, s, n string) {
		id := func(x string) string {
			if x == "swapper/0" {
				return "0"
			}
			return x[1:]
		}
		fmt.Fprintf(&b, " x-0 [000] d..2. %s: sched_switch: prev_comm=%s prev_pid=%s prev_prio=120 prev_state=%s ==> next_comm=%s next_pid=%s next_prio=120\n",
			at(ms, us), a, id(a), s, n, id(n))
	}
	wake := func(ms, us int64, x string) {
		fmt.Fprintf(&b, " <idle>-0 [000] dNh2. %s: sched_wakeup: comm=%s pid=%s prio=120 target_cpu=000\n", at(ms, us), x, x[1:])
	}
	name := func(i int) string { return fmt.Sprintf("t%d", 1000+i) }
	sw(0, 0, "t999", "S", "swapper/0") // the recording begins
	for i := range tasks {
		wake(m.start, int64(i), name(i))
	}
	if disk {
		for i := range tasks {
			last := "swapper/0"
			sw(m.start, int64(500+2*i), last, "R", name(i))
			sw(m.start, int64(501+2*i), name(i), "D", last)
		}
		for i := range tasks {
			wake(m.stop, int64(i), name(i))
		}
	}
	ms := m.stop
	sw(map[bool]int64{true: ms, false: m.start}[disk], 400, "swapper/0", "R", name(0))
	for i := range tasks - 1 {
		sw(ms, int64(450+i), name(i), "Z", name(i+1))
	}
	sw(ms, 950, name(tasks-1), "Z", "swapper/0")
	wake(end, 0, "t999")
	return b.String()
}

// The load average of a recorded run is the kernel's: with the tasks of the measurements
// on 6.1, every change of the three averages that was seen comes out to the last bit, of
// tasks that run and of tasks in uninterruptible sleep.
func TestTheLoadAverageOfARecordingIsTheKernels(t *testing.T) {
	for name, tasks := range map[string]int{"n4": 4, "n8": 8, "n32": 32, "n250": 250, "d4": 4} {
		m := readLoad(t, "linux-6.1/loadavg_"+name+"_exact.csv")
		end := m.rows[len(m.rows)-1][0] + 1
		first := m.rows[0]
		// Updates are 1251 ticks of 4 ms apart; one that changes nothing leaves no row, and
		// jiffies tell how many there were. The count is taken 40 ms before; a change is
		// seen up to 100 ms after.
		const every = 5004
		phase := m.rows[1][0] % every
		for _, r := range m.rows[1:] {
			phase = min(phase, r[0]%every)
		}
		r := whole(t, []byte(m.trace(tasks, name == "d4", end)), recorded.Options{
			Load:   [3]uint64{uint64(first[2]), uint64(first[3]), uint64(first[4])},
			LoadAt: clock.Time(phase-60) * clock.Time(clock.Millisecond),
		})
		require.NoError(t, r.Reset())
		n := 0
		for _, row := range m.rows[1:] {
			require.NoError(t, r.AdvanceTo(clock.Time(row[0])*clock.Time(clock.Millisecond)))
			require.Equal(t, [3]uint64{uint64(row[2]), uint64(row[3]), uint64(row[4])}, r.LoadRaw(), "%s at %d ms", name, row[0])
			n++
		}
		assert.GreaterOrEqual(t, n, 54, name)
	}
}
