package recorded_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/derive"
	"strandscope/sim/record/recordtest"
	"strandscope/sim/recorded"
)

// anything reads whatever it is given in two sizes of pieces, and runs it. What is read
// has its bounds, and is a history that can be.
func anything(t *testing.T, text []byte) {
	const most = 1 << 16
	if len(text) > most {
		return
	}
	tr, err := read(t, text, 1<<20)
	again, errAgain := read(t, text, 7)
	require.Equal(t, err, errAgain)
	if err != nil {
		require.NotEmpty(t, err.Error())
		return
	}
	require.Equal(t, tr.Len(), again.Len())
	require.LessOrEqual(t, len(tr.Notes.List), 128)
	require.LessOrEqual(t, len(tr.Events), 513)
	if !bytes.HasPrefix(text, []byte("\x17\x08\x44tracing7")) { // which may be compressed
		require.LessOrEqual(t, tr.Len(), 3*len(text))
	}
	require.LessOrEqual(t, tr.CPUs, 4096)
	for i := range tr.Len() {
		x := tr.At(i)
		require.Equal(t, x, again.At(i))
		require.GreaterOrEqual(t, x.At, int64(0))
		require.Less(t, int(x.CPU), tr.CPUs)
		require.Less(t, int(x.Thread), len(tr.Threads))
	}
	if tr.End() > 60e9 || tr.CPUs > 16 {
		return // it would only take long
	}
	r, err := recorded.New(tr, recorded.Options{})
	require.NoError(t, err)
	require.NoError(t, r.AdvanceTo(r.End()))
	require.NoError(t, r.Finish())
	f := r.Frame()
	require.Len(t, f.Threads, len(tr.Threads))
	r.WhyStrand(0)
	for i := range min(len(f.Threads), 3) {
		r.WhyThread(i)
	}
	w, err := derive.From(tr, derive.Options{Kernel: "linux-6.12"})
	if err == nil && tr.CPUs <= 8 && tr.Len() < 200 {
		_, err := sim.OpenDocument("derived", w.Document("x", "linux-6.12", ""))
		require.NoError(t, err, "%s", w.Document("x", "linux-6.12", ""))
	}
}

// seed adds the first lines of the recordings whose names have a part, whole and damaged.
func seed(f *testing.F, parts ...string) {
	files, err := recordtest.Files(2)
	require.NoError(f, err)
	for _, name := range files {
		for _, p := range parts {
			if !strings.Contains(name, p) {
				continue
			}
			text, err := recordtest.Read(name)
			require.NoError(f, err)
			if i := bytes.Index(text, []byte("sched_switch")); i > 2000 {
				text = text[i-500:]
			}
			text = text[:min(len(text), 900)]
			f.Add(text)
			f.Add(bytes.ReplaceAll(text, []byte("prev_pid"), []byte("prev_pi")))
			f.Add(bytes.ReplaceAll(text, []byte("000]"), []byte("4095]")))
			f.Add(bytes.ReplaceAll(text, []byte("prev_state=R"), []byte("prev_state=X")))
		}
	}
}

func FuzzFtrace(f *testing.F) {
	seed(f, "odd_names", "fork_exec_exit", "full_events", "cmd_report", "lisa", "trappy", "systrace")
	f.Add([]byte("CPU:3 [LOST 7 EVENTS]\n x-1 [003] d..2. 1.0: sched_switch: a:1 [120] R ==> b:2 [120]\n"))
	f.Fuzz(anything)
}

func FuzzPerf(f *testing.F) {
	seed(f, "perf_6.1_script", "perf_6.1_sched_script")
	f.Fuzz(anything)
}

func FuzzTimehist(f *testing.F) {
	seed(f, "timehist", "sched_map")
	f.Fuzz(anything)
}

func FuzzTraceDat(f *testing.F) {
	files, err := recordtest.Files(2)
	require.NoError(f, err)
	for _, name := range files {
		if strings.Contains(name, ".dat") {
			text, err := recordtest.Read(name)
			require.NoError(f, err)
			f.Add(text[:min(len(text), 1<<16)])
			f.Add(text[:300])
			f.Add(text[:min(len(text), 24_000)])
		}
		if strings.Contains(name, "schedviz") {
			text, err := recordtest.Read(name)
			require.NoError(f, err)
			text = collection(f, text)
			f.Add(text)
			f.Add(text[:len(text)-5000])
		}
	}
	f.Fuzz(anything)
}

// collection is a SchedViz collection of the first three pages of each CPU.
func collection(f testing.TB, text []byte) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for r := tar.NewReader(bytes.NewReader(text)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(f, err)
		if !strings.HasPrefix(h.Name, "formats/") && !strings.HasPrefix(h.Name, "traces/") {
			continue
		}
		h.Size = min(h.Size, 3*4096)
		part := make([]byte, h.Size)
		_, err = io.ReadFull(r, part)
		require.NoError(f, err)
		require.NoError(f, w.WriteHeader(h))
		_, err = w.Write(part)
		require.NoError(f, err)
	}
	require.NoError(f, w.Close())
	return b.Bytes()
}

func FuzzChrome(f *testing.F) {
	for _, text := range []string{
		`{"traceEvents":[{"name":"thread_name","ph":"M","pid":1,"tid":0,"args":{"name":"cpu0"}},{"name":"a 7","ph":"X","ts":1.5,"dur":2,"pid":1,"tid":0,"args":{"pid":7,"left":"blocked"}}]}`,
		`[{"name":"thread_name","ph":"M","tid":0,"args":{"name":"CPU 63"}},{"name":"a","ph":"B","ts":1,"tid":0},{"ph":"E","ts":2e3,"tid":0}`,
		`{"systemTraceEvents":{"events":[{"ph":"k","ts":1.5,"cpu":1,"out":{"pid":0,"tid":3,"state":1},"in":{"pid":20,"tid":21,"prio":16}}]}}`,
		`{"traceEvents":[],"systemTraceEvents":" x-1 [000] d..2. 1.0: sched_switch: prev_comm=\u0061 prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 next_prio=120\n"}`,
		`{"traceEvents":[{"ph":"X","ts":1e300,"dur":-1},{"ph":"X","cat":"sched","name":"q","ts":1,"dur":1,"args":{"cpu":5}}]}`,
		strings.Repeat(`[{"a":`, 200),
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(anything)
}
