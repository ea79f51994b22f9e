package trace_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// teller knows a few threads.
type teller []*sched.Thread

func (t teller) Thread(id sched.ThreadID) *sched.Thread { return t[id] }
func (t teller) Explain(why sched.Reason) string {
	if why.Code == 0 {
		return ""
	}
	return fmt.Sprintf("reason %d", why.Code)
}

var people = teller{
	{ID: 0, Name: "updates", Kernel: true},
	{ID: 1, Name: `odd "name" <&>`, PID: 1204},
	{ID: 2, Name: "a name of more than fifteen octets", PID: 1205},
}

const ms = clock.Time(clock.Millisecond)

// story is a short run on two CPUs.
var story = []trace.Event{
	{Kind: trace.Created, CPU: -1, Thread: 1, Other: -1},
	{Kind: trace.Woke, Cause: sched.Forked, CPU: 0, Thread: 1, Other: -1, Pri: 29},
	{Kind: trace.Queued, CPU: 1, Thread: 1, Other: -1, Pri: 29},
	{Kind: trace.On, CPU: 1, Thread: 1, Other: -1, Pri: 29, Why: sched.Reason{Code: 3}},
	{At: 10 * ms, Kind: trace.Note, CPU: 1, Thread: 1, Other: -1, Pri: 19, Why: sched.Reason{Code: 4}},
	{At: 10 * ms, Kind: trace.Woke, Cause: sched.Woken, CPU: 1, Thread: 2, Other: -1, Pri: 59},
	{At: 10 * ms, Kind: trace.Queued, CPU: 1, Thread: 2, Other: -1, Pri: 59},
	{At: 10*ms + 1, Kind: trace.Preempt, Cause: sched.Preempted, CPU: 1, Thread: 1, Other: -1, Pri: 19},
	{At: 10*ms + 1, Kind: trace.Queued, CPU: 1, Thread: 1, Other: -1, Pri: 19},
	{At: 10*ms + 1, Kind: trace.Off, Cause: sched.Preempted, CPU: 1, Thread: 1, Other: -1, Pri: 19},
	{At: 10*ms + 1, Kind: trace.On, CPU: 1, Thread: 2, Other: -1, Pri: 59},
	{At: 12 * ms, Kind: trace.Off, Cause: sched.Blocked, CPU: 1, Thread: 2, Other: -1, Pri: 59},
	{At: 12 * ms, Kind: trace.On, CPU: 1, Thread: 1, Other: -1, Pri: 19},
	{At: 12 * ms, Kind: trace.Woke, Cause: sched.Woken, CPU: 0, Thread: 0, Other: -1, Pri: 99},
	{At: 12 * ms, Kind: trace.Queued, CPU: -1, Thread: 0, Other: -1, Pri: 99},
	{At: 12 * ms, Kind: trace.On, CPU: 0, Thread: 0, Other: -1, Pri: 99},
	{At: 12 * ms, Kind: trace.Off, Cause: sched.Blocked, CPU: 0, Thread: 0, Other: -1, Pri: 99},
	{At: 12 * ms, Kind: trace.Idle, Cause: sched.Blocked, CPU: 0, Thread: -1, Other: 0, Pri: -1},
	{At: 15 * ms, Kind: trace.Off, Cause: sched.Exited, CPU: 1, Thread: 1, Other: -1, Pri: 19},
	{At: 15 * ms, Kind: trace.Idle, Cause: sched.Exited, CPU: 1, Thread: -1, Other: 1, Pri: -1},
}

func tell(o trace.Observer, events []trace.Event) {
	for i := range events {
		o.Observe(&events[i])
	}
}

type chromeEvent struct {
	Name, Ph, S string
	Ts, Dur     float64
	PID, TID    int
	Args        map[string]any
}

// chrome reads a trace back.
func chrome(t *testing.T, text []byte) []chromeEvent {
	t.Helper()
	var doc struct{ TraceEvents []chromeEvent }
	require.NoError(t, json.Unmarshal(text, &doc), string(text))
	return doc.TraceEvents
}

func TestPerfettoHasASpanForEachTimeOnACPU(t *testing.T) {
	var b bytes.Buffer
	p := trace.NewPerfetto(&b, people, "a machine", 2)
	tell(p, story)
	require.NoError(t, p.Close(20*ms))
	var spans, notes []string
	names := map[int]string{}
	for _, e := range chrome(t, b.Bytes()) {
		switch e.Ph {
		case "X":
			spans = append(spans, fmt.Sprintf("cpu%d %s %.3f+%.3f %v", e.TID, e.Name, e.Ts, e.Dur, e.Args["left"]))
		case "i":
			notes = append(notes, fmt.Sprintf("cpu%d %s %.3f %s %v %v", e.TID, e.Name, e.Ts, e.S, e.Args["why"], e.Args["priority"]))
		case "M":
			if e.Name == "thread_name" {
				names[e.TID] = e.Args["name"].(string)
			}
		default:
			assert.Fail(t, "a phase that is not expected: "+e.Ph)
		}
	}
	assert.Equal(t, []string{
		`cpu1 odd "name" <&> 1204 0.000+10000.001 preempted`,
		`cpu1 a name of more than fifteen octets 1205 10000.001+1999.999 blocked`,
		`cpu0 updates 12000.000+0.000 blocked`,
		`cpu1 odd "name" <&> 1204 12000.000+3000.000 exited`,
	}, spans)
	assert.Equal(t, []string{`cpu1 odd "name" <&> 1204 10000.000 t reason 4 19`}, notes)
	assert.Equal(t, map[int]string{0: "cpu0", 1: "cpu1"}, names)
}

func TestPerfettoClosesWhatStillRuns(t *testing.T) {
	// After so many events: what the spans add up to, in microseconds.
	for cut, want := range map[int]float64{0: 0, 3: 0, 4: 20_000, 9: 20_000, 11: 20_000, 13: 20_000, 18: 20_000, 20: 15_000} {
		var b bytes.Buffer
		p := trace.NewPerfetto(&b, people, "a machine", 2)
		tell(p, story[:cut])
		require.NoError(t, p.Close(20*ms))
		var busy float64
		for _, e := range chrome(t, b.Bytes()) {
			busy += e.Dur
		}
		assert.InDelta(t, want, busy, 0.001, "after %d events", cut)
	}
}

// The lines of shared/reference/real/traces/ftrace_6.12_8hogs_2sleepers.txt, with the
// nine decimals of trace-cmd report -t.
var ftraceLine = regexp.MustCompile(`^ *(.+)-(\d+) +\[(\d{3})\] ([d.][N.][h.][\d.][\d.]) +(\d+\.\d{9}): (?:` +
	`sched_switch: prev_comm=(.*) prev_pid=(\d+) prev_prio=(\d+) prev_state=([RSZ]) ==> next_comm=(.*) next_pid=(\d+) next_prio=(\d+)|` +
	`sched_wakeup(?:_new)?: comm=(.*) pid=(\d+) prio=(\d+) target_cpu=(\d{3}))$`)

func TestFtraceWritesTheKernelsLines(t *testing.T) {
	var b bytes.Buffer
	f := trace.NewFtrace(&b, people, trace.SolarisPrio, 2)
	tell(f, story)
	require.NoError(t, f.Close())
	var lines []string
	for _, l := range strings.Split(strings.TrimSpace(b.String()), "\n") {
		if !strings.HasPrefix(l, "#") {
			lines = append(lines, l)
			assert.Regexp(t, ftraceLine, l)
		}
	}
	assert.Equal(t, strings.Split(strings.TrimSpace(`
          <idle>-0       [000] dNh3.     0.000000000: sched_wakeup_new: comm=odd "name" <&> pid=1204 prio=140 target_cpu=001
          <idle>-0       [001] d..2.     0.000000000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=170 prev_state=R ==> next_comm=odd "name" <&> next_pid=1204 next_prio=140
  odd "name" <&>-1204    [001] dNh3.     0.010000000: sched_wakeup: comm=a name of more  pid=1205 prio=110 target_cpu=001
  odd "name" <&>-1204    [001] d..2.     0.010000001: sched_switch: prev_comm=odd "name" <&> prev_pid=1204 prev_prio=150 prev_state=R ==> next_comm=a name of more  next_pid=1205 next_prio=110
 a name of more -1205    [001] d..2.     0.012000000: sched_switch: prev_comm=a name of more  prev_pid=1205 prev_prio=110 prev_state=S ==> next_comm=odd "name" <&> next_pid=1204 next_prio=150
          <idle>-0       [000] dNh3.     0.012000000: sched_wakeup: comm=updates pid=2 prio=70 target_cpu=000
          <idle>-0       [000] d..2.     0.012000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=170 prev_state=R ==> next_comm=updates next_pid=2 next_prio=70
         updates-2       [000] d..2.     0.012000000: sched_switch: prev_comm=updates prev_pid=2 prev_prio=70 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=170
  odd "name" <&>-1204    [001] d..2.     0.015000000: sched_switch: prev_comm=odd "name" <&> prev_pid=1204 prev_prio=150 prev_state=Z ==> next_comm=swapper/1 next_pid=0 next_prio=170
`), "\n"), trimFirst(lines))
	assert.Contains(t, b.String(), "#P:2")
	assert.Contains(t, b.String(), "# simulated; prio is 169 - the global priority, 170 for the idle loop\n")
}

// trimFirst matches TrimSpace on the text above.
func trimFirst(lines []string) []string {
	lines[0] = strings.TrimLeft(lines[0], " ")
	return lines
}

func TestLinesHasAnObjectForEachEvent(t *testing.T) {
	var b bytes.Buffer
	l := trace.NewLines(&b, people)
	tell(l, story)
	require.NoError(t, l.Close())
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	require.Len(t, lines, len(story))
	for _, line := range lines {
		require.True(t, json.Valid([]byte(line)), line)
	}
	want := []string{ // octet by octet: another order of members would be another file
		`{"t_ns":0,"ev":"created","thread":1,"pri":0}`,
		`{"t_ns":0,"ev":"on","cpu":1,"thread":1,"pri":29,"why":"reason 3"}`,
		`{"t_ns":12000000,"ev":"idle","cpu":0,"other":0,"cause":"blocked"}`,
	}
	assert.Equal(t, want, []string{lines[0], lines[3], lines[17]})
}

// full fails after so many octets.
type full struct{ left int }

var errFull = errors.New("full")

func (w *full) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestAnEncoderSaysThatItCouldNotWrite(t *testing.T) {
	for _, room := range []int{0, 5000} {
		p := trace.NewPerfetto(&full{room}, people, "a machine", 2)
		f := trace.NewFtrace(&full{room}, people, trace.SolarisPrio, 2)
		l := trace.NewLines(&full{room}, people)
		for range 200 {
			tell(p, story)
			tell(f, story)
			tell(l, story)
		}
		require.ErrorIs(t, p.Close(20*ms), errFull)
		require.ErrorIs(t, f.Close(), errFull)
		require.ErrorIs(t, l.Close(), errFull)
	}
}
