package tracefile_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/cmd/internal/tracefile"
	"strandscope/sim"
	"strandscope/sim/clock"
)

// traced runs a scenario for three seconds into a file, and gives how many CPUs it has
// and how many events a run of the same has.
func traced(t *testing.T, id string, format tracefile.Format) (text string, cpus int, events int64) {
	t.Helper()
	s, err := sim.Open(id)
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, format.Write(&out, s, clock.Time(3*clock.Second), nil))
	plain, err := sim.Open(id)
	require.NoError(t, err)
	require.NoError(t, plain.Advance(3*clock.Second))
	require.Equal(t, plain.Digest(), s.Digest(), "to be written changes nothing")
	f := plain.Frame()
	return out.String(), len(f.CPUs), f.Events
}

var tracedScenarios = []string{"t2000-fss", "t2000-perl-fork", "linux22-ping-under-load", "textbook-lottery"}

// members are those of the Trace Event Format by phase, besides name, ph, pid, tid and
// args: the ones that must be there, and those that may.
var members = map[string]struct{ must, may string }{
	"X": {"ts dur", "cat tts tdur sf stack esf estack cname"},
	"B": {"ts", "cat tts sf stack cname"},
	"E": {"ts", "cat tts sf stack cname"},
	"i": {"ts", "cat tts s sf stack cname"},
	"C": {"ts", "cat id cname"},
	"s": {"ts id", "cat cname"}, "t": {"ts id", "cat cname"}, "f": {"ts id", "cat bp cname"},
	"M": {"", "ts cat"},
}

// What the format asks of each phase, in our words: every event has a name, a phase and
// numbers for process and thread, and no member that its phase does not know; all but
// metadata have a time in microseconds, not negative; complete events have a length,
// begins and ends are nested on their thread, instant events may say their scope,
// counters have numbers, and flow events have an id.
func checkTraceEvent(e map[string]any, open map[string]int) error {
	ph, _ := e["ph"].(string)
	known, ok := members[ph]
	if !ok {
		return fmt.Errorf("phase %q is not known", ph)
	}
	if name, ok := e["name"].(string); (!ok || name == "") && ph != "E" {
		return fmt.Errorf("phase %q without a name", ph)
	}
	for _, key := range strings.Fields(known.must) {
		if e[key] == nil {
			return fmt.Errorf("phase %q without %s", ph, key)
		}
	}
	all := strings.Fields("name ph pid tid args " + known.must + " " + known.may)
	for key := range e {
		if !slices.Contains(all, key) {
			return fmt.Errorf("phase %q has no %s", ph, key)
		}
	}
	number := func(key string) (float64, bool) { v, ok := e[key].(float64); return v, ok }
	for _, key := range []string{"pid", "tid"} {
		if v, ok := number(key); !ok || v < 0 || v != float64(int64(v)) {
			return fmt.Errorf("%s is %v", key, e[key])
		}
	}
	if ts, ok := number("ts"); ph != "M" && (!ok || ts < 0) {
		return fmt.Errorf("ts is %v", e["ts"])
	}
	args, isObject := e["args"].(map[string]any)
	if e["args"] != nil && !isObject {
		return fmt.Errorf("args is %v", e["args"])
	}
	return checkPhase(ph, e, args, open)
}

func checkPhase(ph string, e, args map[string]any, open map[string]int) error {
	thread := fmt.Sprint(e["pid"], " ", e["tid"])
	switch ph {
	case "X":
		if dur, ok := e["dur"].(float64); !ok || dur < 0 {
			return fmt.Errorf("dur is %v", e["dur"])
		}
	case "B":
		open[thread]++
	case "E":
		if open[thread]--; open[thread] < 0 {
			return fmt.Errorf("an end without a beginning on %s", thread)
		}
	case "i":
		if s, has := e["s"]; has && s != "g" && s != "p" && s != "t" {
			return fmt.Errorf("scope is %v", s)
		}
	case "C":
		if len(args) == 0 {
			return fmt.Errorf("a counter without figures")
		}
		for key, v := range args {
			if _, ok := v.(float64); !ok {
				return fmt.Errorf("counter %s is %v", key, v)
			}
		}
	case "M":
		return checkMetadata(e["name"], args)
	}
	return nil
}

func checkMetadata(name any, args map[string]any) error {
	switch name {
	case "process_name", "thread_name":
		if s, ok := args["name"].(string); !ok || s == "" {
			return fmt.Errorf("%v has no name", name)
		}
	case "process_sort_index", "thread_sort_index":
		if _, ok := args["sort_index"].(float64); !ok {
			return fmt.Errorf("%v has no index", name)
		}
	default:
		return fmt.Errorf("metadata %v is not known", name)
	}
	return nil
}

func TestPerfettoKeepsToTheTraceEventFormat(t *testing.T) {
	for _, id := range tracedScenarios {
		text, cpus, _ := traced(t, id, tracefile.Perfetto)
		var doc struct {
			DisplayTimeUnit string           `json:"displayTimeUnit"`
			TraceEvents     []map[string]any `json:"traceEvents"`
		}
		in := json.NewDecoder(strings.NewReader(text))
		in.DisallowUnknownFields()
		require.NoError(t, in.Decode(&doc), id)
		assert.Contains(t, []string{"ms", "ns"}, doc.DisplayTimeUnit)
		open, until, tracks := map[string]int{}, map[any]float64{}, map[any]any{}
		spans, processes := 0, map[any]any{}
		for i, e := range doc.TraceEvents {
			require.NoError(t, checkTraceEvent(e, open), "%s: event %d: %v", id, i, e)
			args, _ := e["args"].(map[string]any)
			switch e["name"] {
			case "process_name":
				processes[e["pid"]] = args["name"]
				continue // of no track
			case "thread_name":
				tracks[e["tid"]] = args["name"]
			}
			require.Contains(t, processes, e["pid"], "%s: event %d: a process is named first", id, i)
			require.Contains(t, tracks, e["tid"], "%s: event %d: a track is named first", id, i)
			if e["ph"] == "X" { // one thread at a time on a CPU
				ts, dur := e["ts"].(float64), e["dur"].(float64)
				require.GreaterOrEqual(t, ts+0.0005, until[e["tid"]], "%s: event %d: %v", id, i, e)
				require.LessOrEqual(t, ts+dur, 3e6+0.0005, "microseconds of a run of three seconds")
				until[e["tid"]] = ts + dur
				spans++
			}
		}
		assert.Positive(t, spans, id)
		assert.Len(t, processes, 1, "the machine")
		assert.Len(t, tracks, cpus, "and a track for each CPU")
		for tid, name := range tracks {
			assert.Equal(t, fmt.Sprintf("cpu%v", tid), name)
		}
		for thread, n := range open {
			assert.Zero(t, n, thread)
		}
	}
}

func TestTheCheckOfTraceEventsRefuses(t *testing.T) {
	for want, text := range map[string]string{
		"phase \"X\" without a name": `{"ph":"X","ts":1,"dur":1,"pid":1,"tid":1}`,
		"phase \"X\" without dur":    `{"name":"a","ph":"X","ts":1,"pid":1,"tid":1}`,
		"dur is -1":                  `{"name":"a","ph":"X","ts":1,"dur":-1,"pid":1,"tid":1}`,
		"phase \"i\" has no dur":     `{"name":"a","ph":"i","ts":1,"dur":1,"pid":1,"tid":1}`,
		"args is 1":                  `{"name":"a","ph":"i","ts":1,"pid":1,"tid":1,"args":1}`,
		"phase \"X\" without ts":     `{"name":"a","ph":"X","dur":1,"pid":1,"tid":1}`,
		"ts is -1":                   `{"name":"a","ph":"i","ts":-1,"pid":1,"tid":1}`,
		"pid is <nil>":               `{"name":"a","ph":"i","ts":1,"tid":1}`,
		"an end without a beginning": `{"ph":"E","ts":1,"pid":1,"tid":1}`,
		"scope is x":                 `{"name":"a","ph":"i","s":"x","ts":1,"pid":1,"tid":1}`,
		"phase \"s\" without id":     `{"name":"a","ph":"s","ts":1,"pid":1,"tid":1}`,
		"counter r is many":          `{"name":"a","ph":"C","ts":1,"pid":1,"tid":1,"args":{"r":"many"}}`,
		"phase \"Q\" is not known":   `{"name":"a","ph":"Q","ts":1,"pid":1,"tid":1}`,
		"thread_name has no name":    `{"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{}}`,
	} {
		var e map[string]any
		require.NoError(t, json.Unmarshal([]byte(text), &e))
		assert.ErrorContains(t, checkTraceEvent(e, map[string]int{}), want)
	}
}

func TestEventsAreOneJSONObjectALineAndAsManyAsTheRunHas(t *testing.T) {
	for _, id := range tracedScenarios {
		text, _, events := traced(t, id, tracefile.Events)
		lines := bytes.Split(bytes.TrimSuffix([]byte(text), []byte("\n")), []byte("\n"))
		assert.Len(t, lines, int(events), id)
		before := int64(0)
		for i, line := range lines {
			var e struct {
				At   *int64 `json:"t_ns"`
				Kind string `json:"ev"`
			}
			require.NoError(t, json.Unmarshal(line, &e), "%s: line %d", id, i)
			require.NotNil(t, e.At)
			require.NotEmpty(t, e.Kind)
			require.GreaterOrEqual(t, *e.At, before, "%s: line %d goes back in time", id, i)
			before = *e.At
		}
	}
}

// switchLine is a sched_switch as the files of shared/reference/real/traces have it, with
// nanoseconds.
var switchLine = regexp.MustCompile(`^ *(.+)-(\d+) +\[(\d{3})\] [a-zA-Z0-9.]{5} +(\d+\.\d{9}): sched_switch: ` +
	`prev_comm=(.+) prev_pid=(\d+) prev_prio=\d+ prev_state=[RSZ] ==> next_comm=(.+) next_pid=(\d+) next_prio=\d+$`)

func TestFtraceReadsBackAsAChainOfSwitchesOnEachCPU(t *testing.T) {
	for _, id := range tracedScenarios {
		text, _, _ := traced(t, id, tracefile.Ftrace)
		require.True(t, strings.HasPrefix(text, "# tracer: nop\n#\n# entries-in-buffer/entries-written: "), id)
		runs, switches, before := map[string]string{}, 0, -1.0
		for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
			if strings.HasPrefix(line, "#") || !strings.Contains(line, ": sched_switch: ") {
				continue
			}
			m := switchLine.FindStringSubmatch(line)
			require.NotNil(t, m, "%s: line %d: %s", id, i, line)
			switches++
			at, err := strconv.ParseFloat(m[4], 64)
			require.NoError(t, err)
			require.GreaterOrEqual(t, at, before, line)
			before = at
			require.Equal(t, m[2], m[6], "the task of the line is the one that leaves: %s", line)
			if ran, ok := runs[m[3]]; ok {
				require.Equal(t, ran, m[6], "who leaves CPU %s is who came to it: %s", m[3], line)
			}
			runs[m[3]] = m[8]
		}
		assert.Positive(t, switches, id)
	}
}
