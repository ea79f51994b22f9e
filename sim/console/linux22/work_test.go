package linux22_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// wakes notes the wake-ups of all threads, as the engine has them.
type wakes struct {
	woke  map[sched.ThreadID]clock.Time
	waits map[sched.ThreadID][]clock.Duration
}

func (w *wakes) Observe(e *trace.Event) {
	switch e.Kind {
	case trace.Woke:
		w.woke[e.Thread] = e.At
	case trace.On:
		if woke, ok := w.woke[e.Thread]; ok {
			w.waits[e.Thread] = append(w.waits[e.Thread], e.At.Sub(woke))
			delete(w.woke, e.Thread)
		}
	default:
	}
}

// of are the waits of the one thread of a name.
func (w *wakes) of(b *box, name string) []clock.Duration {
	for _, th := range b.Frame().Threads {
		if th.Name == name {
			return w.waits[th.ID]
		}
	}
	return nil
}

func TestPingPrintsTheWaitsOfTheModelAlsoTheLongOnes(t *testing.T) {
	b := open(t, "linux22")
	b.run("for i in $(seq 250); do ./loop & done")
	b.wait(2 * clock.Minute)
	watch := &wakes{map[sched.ThreadID]clock.Time{}, map[sched.ThreadID][]clock.Duration{}}
	b.Observe(watch)
	b.text()
	text := b.run("ping -c 60 195.4.7.3")
	found := regexp.MustCompile(`icmp_seq=(\d+) ttl=255 time=(\d+\.\d) ms`).FindAllStringSubmatch(text, -1)
	require.Len(t, found, 60)
	waits := watch.of(b, "ping")
	require.Len(t, waits, 60)
	late := 0
	for i, f := range found {
		assert.Equal(t, strconv.Itoa(i), f[1])
		shown, err := strconv.ParseFloat(f[2], 64)
		require.NoError(t, err)
		wait := float64(waits[i]) / float64(clock.Millisecond)
		assert.InDelta(t, 0.2+wait, shown, 0.1, f[0])
		if wait > 10 {
			late++
		}
	}
	// A child of a shell that has halved its counter begins with little, and waits
	// for the next recalculation with all others.
	assert.Positive(t, late)
	assert.Less(t, late, 5)
	assert.Regexp(t, `\n\n--- 195\.4\.7\.3 ping statistics ---\n60 packets transmitted, 60 packets received, 0% packet loss\nround-trip min/avg/max = 0\.2/`, text)
}

func TestCtrlCEndsPingWithItsSummary(t *testing.T) {
	b := open(t, "linux22")
	b.Type("ping 195.4.7.3")
	b.wait(3*clock.Second + clock.Millisecond)
	b.Interrupt()
	b.settle()
	text := b.text()
	assert.Contains(t, text, "icmp_seq=3 ")
	assert.NotContains(t, text, "icmp_seq=4 ")
	assert.Contains(t, text, "^C\n\n--- 195.4.7.3 ping statistics ---\n4 packets transmitted, 4 packets received, 0% packet loss\n")
	assert.Equal(t, 130, b.Console().Status())
	b.wait(clock.Second)
	assert.NotContains(t, b.run("ps"), "ping")
}

func TestAPingThatIsKilledSaysNothingMore(t *testing.T) {
	b := open(t, "linux22")
	b.run("ping 195.4.7.3 > /tmp/p &")
	b.wait(2500 * clock.Millisecond)
	b.run("kill 700")
	b.wait(clock.Second)
	text := b.run("tail -n 1 /tmp/p")
	assert.Contains(t, text, "icmp_seq=2 ")
}

func TestTopFillsTheScreenAndTakesKeys(t *testing.T) {
	b := open(t, "linux22")
	con := b.Console()
	key := func(k rune) []string {
		con.Key(k)
		b.wait(clock.Nanosecond)
		return con.Screen()
	}
	b.run("for i in $(seq 30); do ./loop & done")
	b.Type("top -d 10")
	require.NotNil(t, con.Screen(), "from the first moment on keys are top's")
	b.wait(2 * clock.Second)
	first := con.Screen()
	require.Len(t, first, 24)
	assert.Contains(t, first[1], "31 running")
	b.wait(5 * clock.Second)
	assert.Equal(t, first, con.Screen(), "it looks every ten seconds")
	looked := key(' ')
	assert.NotEqual(t, first, looked, "and when it is asked to")
	assert.Contains(t, looked[1], "31 running", "whoever looks runs")

	pids := func(lines []string) []string {
		var list []string
		for _, l := range lines[7:] {
			list = append(list, strings.Fields(l)[0])
		}
		return list
	}
	assert.IsIncreasing(t, pids(key('N')))
	byTime := key('T')
	assert.GreaterOrEqual(t, strings.Fields(byTime[7])[11], strings.Fields(byTime[23])[11])
	assert.Contains(t, strings.Join(key('h'), "\n"), "Sort by CPU usage")
	assert.Equal(t, pids(byTime), pids(key('x')), "any key leaves the help")
	assert.Equal(t, "Unknown command `x' -- hit `h' for help", key('x')[5])
	key('i')
	busy := key(' ')
	for _, l := range busy[7:] {
		assert.NotContains(t, l, " S ", "no sleeper")
	}
	b.text()
	key('q')
	assert.False(t, con.Busy())
	assert.Nil(t, con.Screen())
	assert.Contains(t, b.text(), "PID USER", "the last screen stays in the log, as on a terminal")
	b.wait(20 * clock.Second)
	assert.NotContains(t, b.run("ps"), "top")
}

func TestTopCostsWhatItsProcessCosts(t *testing.T) {
	b := open(t, "linux22")
	b.run("top -b -n 11 -d 1 > /dev/null")
	var used clock.Duration
	for _, th := range b.Frame().Threads {
		if th.Name == "top" {
			assert.Equal(t, sched.Gone, th.State)
			used = th.Ran
		}
	}
	assert.InDelta(t, 12*40, float64(used)/float64(clock.Millisecond), 1, "a look that is not shown, eleven, and the scheduler's own work")
}

func TestTopIsEndedWithThePipeThatReadsIt(t *testing.T) {
	b := open(t, "linux22")
	b.run("top -b -d 1 | head -n 3")
	assert.Less(t, b.Now(), clock.Time(10*clock.Second))
	b.wait(clock.Second)
	assert.NotContains(t, b.run("ps"), "top")
}
