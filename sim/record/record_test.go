package record_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/record"
)

func read(t testing.TB, text string) (*record.Trace, error) {
	t.Helper()
	r := record.NewReader()
	if err := r.Feed([]byte(text)); err != nil {
		return nil, err
	}
	return r.Close()
}

// line is a switch of CPU 0 at a time in seconds.
func line(at, prev, next string) string {
	return fmt.Sprintf("  x-1  [000] d..2. %s: sched_switch: prev_comm=%s prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=%s next_pid=2 next_prio=120\n", at, prev, next)
}

// notes are those of a text, as sentences about the file f.
func notes(t testing.TB, text string) string {
	t.Helper()
	tr, err := read(t, text)
	require.NoError(t, err, text)
	return strings.Join(tr.Notes.Text("f"), "\n")
}

func TestWhatCannotBeReadIsToldByLineAndField(t *testing.T) {
	good := line("1.000000", "a", "b")
	for text, want := range map[string]string{
		strings.Replace(good, "next_prio=120", "next_prio=120 next_color=red", 1): "f:2: next_color: a field of sched_switch that is not known here; it is left out",
		strings.Replace(good, "prev_state=S", "prev_class=rt prev_state=S", 1):    "f:2: prev_class: a field of sched_switch that is not known here; it is left out",
		strings.Replace(good, " next_prio=120", "", 1):                            "f:2: next_prio: missing in sched_switch; the line is left out",
		good[:70]: "f:2: prev_prio: missing in sched_switch; the line is left out",
		good[:60]: "f:2: prev_pid: missing or no number in sched_switch; the line is left out",
		strings.Replace(good, "prev_pid=1", "prev_pid=99999999999", 1):                                 `f:2: prev_pid: want a number from 0 to 2147483647, not "99999999999", in sched_switch; the line is left out`,
		strings.Replace(good, "prev_state=S", "prev_state=?", 1):                                       `f:2: prev_state: "?" is no state that is known here; read as sleeping`,
		strings.Replace(good, "[000]", "[9999]", 1):                                                    "f:2: CPU: more than 4095; the line is left out",
		strings.Replace(good, "1.000000:", "1.0000000000:", 1):                                         "f:2: time: want seconds with one to nine decimals, at most 4000000000; the line is left out",
		strings.Replace(good, "1.000000:", "x:", 1):                                                    "f:2: line: no task, CPU and time before the event; the line is left out:",
		"CPU:0 [LOST 17 EVENTS]\n":                                                                     "f:2: 17 events of CPU 0 were lost before this",
		"CPU:0 [EVENTS DROPPED]\n":                                                                     "f:2: events of CPU 0 were lost before this",
		line("0.500000", "b", "a"):                                                                     "f:2: time: the clock of CPU 0 goes back by 500.000 ms; what follows is read as if it went on without a gap",
		line("0.999999", "b", "a"):                                                                     "f:2: time: 1000 ns before the line above of CPU 0; read as the same time",
		line("9000.000000", "b", "a"):                                                                  "f:2: time: the clock jumps forward by 8999 s; the time in between is empty",
		"  x-1  [000] d..2. 1.1: sched_wakeup: comm=a pid=1 prio=120 target_cpu=x\n":                   `f:2: target_cpu: want a number from 0 to 4095, not "x", in sched_wakeup; the line is left out`,
		"  x-1  [000] d..2. 1.1: sched_wakeup: a:1 [120\n":                                             `f:2: comm: missing in sched_wakeup; the line is left out`,
		"  x-1  [000] d..2. 1.1: sched_switch: a:1 [120] S ==> b [120]\n":                              `f:2: prev_pid: want NAME:PID [PRIORITY] STATE ==> NAME:PID [PRIORITY], not "a:1 [120] S ==> b [120]" in sched_switch; the line is left out`,
		"  x-1  [000] d..2. 1.1: sched_migrate_task: comm=a pid=1 prio=120 orig_cpu=0 dest_cpu=5000\n": `f:2: dest_cpu: want a number from 0 to 4095, not "5000", in sched_migrate_task; the line is left out`,
		"  x-1  [000] d..2. 1.1: sched_process_fork: comm=a pid=1 child_comm=b child_pid=0\n":          `f:2: child_pid: want a number from 1 to 2147483647, not "0", in sched_process_fork; the line is left out`,
	} {
		assert.Contains(t, notes(t, good+text), want, text)
	}
	assert.Empty(t, notes(t, good+line("1.5", "b", "a")))
}

// A clock that jumps by years does not let a run take years.
func TestTimeInWhichNothingIsRecordedIsBounded(t *testing.T) {
	tr, err := read(t, line("1.0", "a", "b")+line("3999999990.0", "b", "a")+line("3999999992.0", "a", "b"))
	require.NoError(t, err)
	assert.Equal(t, int64(3e9), tr.End())
	assert.Contains(t, strings.Join(tr.Notes.Text("f"), "\n"), "f:2: time: nothing is recorded for 3999999989 s before this; read as one second")

	var b strings.Builder
	for i := range 100 {
		b.WriteString(line(fmt.Sprintf("%d.0", i*80_000+1), "a", "b"))
	}
	tr, err = read(t, b.String())
	require.NoError(t, err)
	assert.Less(t, tr.End(), int64(8*24*3600e9))
	assert.Contains(t, strings.Join(tr.Notes.Text("f"), "\n"), "nothing is recorded for 80000 s before this; read as one second")
}

func TestNotesAreBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString(line("1.0", "a", "b"))
	for i := range 5000 {
		fmt.Fprintf(&b, "  x-1  [000] d..2. 1.1: sched_switch: prev_comm=a f%d=1 prev_pid=z\n", i)
		fmt.Fprintf(&b, "  x-1  [000] d..2. 1.1: sched_wakeup: comm=a pid=1 prio=1 target_cpu=000 g%d=1\n", i)
	}
	tr, err := read(t, b.String())
	require.NoError(t, err)
	assert.LessOrEqual(t, len(tr.Notes.List), 128)
	assert.LessOrEqual(t, len(tr.Notes.Text("f")), 200)
	assert.EqualValues(t, 10_000, tr.Notes.Total())
}

// A clock that goes back on one CPU is a jump; a file in which each CPU's part stands by
// itself is only unsorted.
func TestPartsOfCPUsMayFollowEachOther(t *testing.T) {
	text := line("1.0", "a", "b") + line("3.0", "b", "a") + strings.ReplaceAll(line("2.0", "c", "d"), "[000]", "[001]")
	text = strings.ReplaceAll(text, "=c prev_pid=1", "=c prev_pid=7")
	tr, err := read(t, text)
	require.NoError(t, err)
	assert.Empty(t, tr.Notes.List)
	assert.Equal(t, []int64{0, 1e9, 2e9}, []int64{tr.At(0).At, tr.At(1).At, tr.At(2).At})
	assert.Equal(t, int16(1), tr.At(1).CPU)
}

func TestAProcessIDThatIsUsedAgainIsAnotherThread(t *testing.T) {
	const text = `  sh-1  [000] d..2. 1.0: sched_process_fork: comm=sh pid=1 child_comm=sh child_pid=9
  sh-1  [000] d..2. 1.0: sched_wakeup_new: comm=sh pid=9 prio=120 target_cpu=000
  sh-1  [000] d..2. 1.1: sched_switch: prev_comm=sh prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=sh next_pid=9 next_prio=120
  ls-9  [000] d..2. 1.2: sched_switch: prev_comm=ls prev_pid=9 prev_prio=120 prev_state=Z ==> next_comm=sh next_pid=1 next_prio=120
  sh-1  [000] d..2. 1.3: sched_process_fork: comm=sh pid=1 child_comm=sh child_pid=9
  sh-1  [000] d..2. 1.4: sched_switch: prev_comm=sh prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=wc next_pid=9 next_prio=120
`
	tr, err := read(t, text)
	require.NoError(t, err)
	require.Len(t, tr.Threads, 3)
	assert.Equal(t, "ls", tr.Threads[1].Name)
	assert.Equal(t, "sh", tr.Threads[1].First)
	assert.Equal(t, "wc", tr.Threads[2].Name)
	assert.Equal(t, int32(0), tr.Threads[2].Parent)
	assert.Equal(t, record.None, tr.Threads[0].Parent)
}

func TestFilesInOtherFormsAreRefusedWithWhatReadsThem(t *testing.T) {
	for text, want := range map[string]string{
		"\x17\x08\x44tracing8\x00":     "it is a file of trace-cmd of version 8; `trace-cmd convert --file-version 6 -i FILE -o six.dat`, or `trace-cmd report FILE > trace.txt`, makes one of it that can be read",
		"\x17\x08\x44tracing6\x00\x00": "it is a file of trace-cmd whose head cannot be read; `trace-cmd report FILE > trace.txt` makes text of it, which can be read",
		"PERFILE2\x00\x00":             "it is a file of perf record; `perf script --ns -i FILE > trace.txt` makes text of it, which can be read",
		"\x1f\x8b\x08\x00":             "it is compressed with gzip; unpack it first",
		"\x0a\x24\x08\x00\x00\x01":     "it is a Perfetto trace in its binary form; `traceconv systrace FILE` makes text of it, which can be read",
		"":                             "the file is empty",
		"hello\nworld\n":               "no recording of a scheduler that can be read here",
		`{"a": 1}`:                     "no recording of a scheduler that can be read here",
		`{"traceEvents": [{"ph": "X", "name": "f", "ts": 1, "dur": 2, "pid": 1, "tid": 1}]}`: "no scheduling in it: it has ph X, and no sched_switch or sched_wakeup",
		"  x-1  [000] d..2. 1.0: cpu_idle: state=1 cpu_id=0\n":                               "no scheduling in it: it has cpu_idle, and no sched_switch or sched_wakeup",
	} {
		_, err := read(t, text)
		require.ErrorContains(t, err, want, text)
	}
}

func TestChromeTracesHaveSlicesOnTracksOfCPUs(t *testing.T) {
	const text = `{"displayTimeUnit":"ms","traceEvents":[
{"name":"thread_name","ph":"M","pid":1,"tid":0,"args":{"name":"cpu0"}},
{"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{"name":"CPU 1"}},
{"name":"thread_name","ph":"M","pid":9,"tid":9,"args":{"name":"render"}},
{"name":"perl \"x\" 1204","ph":"X","ts":10.5,"dur":1000.25,"pid":1,"tid":0,"args":{"pid":1204,"left":"preempted"}},
{"name":"gzip 1205","ph":"X","ts":1010.75,"dur":1e3,"pid":1,"tid":0,"args":{"pid":1205,"left":"blocked"}},
{"name":"idle","ph":"X","ts":1010.75,"dur":5,"pid":1,"tid":1},
{"name":"make","ph":"B","ts":20,"pid":1,"tid":1},{"ph":"E","ts":30,"pid":1,"tid":1},
{"name":"draw","ph":"X","ts":1,"dur":2,"pid":9,"tid":9},
{"name":"bad","ph":"X","ts":-1,"dur":2,"pid":1,"tid":0},
{"name":"cut","ph":"X","ts"`
	tr, err := read(t, text)
	require.NoError(t, err)
	require.Equal(t, 6, tr.Len())
	assert.Equal(t, 2, tr.CPUs)
	assert.Equal(t, int64(10_500), tr.Base)
	assert.Equal(t, `perl "x"`, tr.Threads[0].Name)
	assert.EqualValues(t, 1204, tr.Threads[0].PID)
	assert.Equal(t, "gzip", tr.Threads[1].Name)
	kinds := []record.Kind{}
	for i := range tr.Len() {
		kinds = append(kinds, tr.At(i).Kind)
	}
	assert.Equal(t, []record.Kind{record.In, record.In, record.Out, record.Out, record.In, record.Out}, kinds)
	assert.Equal(t, record.Preempted, tr.At(3).State)
	assert.Equal(t, int64(2_000_250+0), tr.End())
	said := strings.Join(tr.Notes.Text("f"), "\n")
	assert.Contains(t, said, "f:10: ts: object 10: want a number that is not negative; the object is left out")
	assert.Contains(t, said, "the file ends in the middle of an object")
	assert.Contains(t, said, "1 slices are on tracks that are no CPUs")
}

func TestChromeTracesMayHoldFtraceTextOrFuchsiasSwitches(t *testing.T) {
	text := strings.ReplaceAll(strings.ReplaceAll(line("1.0", "a", `q\"`)+line("1.5", "b", "aé"), "\n", `\n`), "é", `\u00e9`)
	tr, err := read(t, `{"traceEvents":[],"systemTraceEvents":"# tracer: nop\n`+text+`"}`)
	require.NoError(t, err)
	assert.Equal(t, "Chrome trace JSON with ftrace text", tr.Format)
	assert.Equal(t, 2, tr.Len())
	assert.Equal(t, "aé", tr.Threads[1].Name)

	tr, err = read(t, `{"systemTraceEvents":{"type":"fuchsia","events":[
	{"ph":"k","ts":1.5,"cpu":1,"out":{"pid":0,"tid":3,"state":1,"prio":0},"in":{"pid":20,"tid":21,"prio":16}},
	{"ph":"w","ts":2,"cpu":1,"tid":22},
	{"ph":"k","ts":3,"cpu":1,"out":{"pid":20,"tid":21,"state":3,"prio":16},"in":{"pid":20,"tid":22,"prio":16}}]}}`)
	require.NoError(t, err)
	require.Equal(t, 3, tr.Len())
	assert.Equal(t, record.None, tr.At(0).Thread)
	assert.Equal(t, record.Wakeup, tr.At(1).Kind)
	assert.Equal(t, record.Sleeping, tr.At(2).State)
}

// A file is the same however it is cut into pieces.
func TestPiecesMakeNoDifference(t *testing.T) {
	text := line("1.0", "a", "b") + "# CPU\n" + line("1.5", "b", "c: [001] 2.0: x") + "cpus=3\r\n" + line("2.5", "d", "a")
	want, err := read(t, text)
	require.NoError(t, err)
	for size := 1; size < len(text); size += 1 + size/3 {
		r := record.NewReader()
		for rest := []byte(text); len(rest) > 0; {
			n := min(size, len(rest))
			require.NoError(t, r.Feed(rest[:n]))
			rest = rest[n:]
		}
		have, err := r.Close()
		require.NoError(t, err)
		require.Equal(t, want.Len(), have.Len(), size)
		for i := range want.Len() {
			require.Equal(t, want.At(i), have.At(i))
		}
		require.Equal(t, want.Threads, have.Threads)
		require.Equal(t, want.CPUs, have.CPUs)
	}
}
