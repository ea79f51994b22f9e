package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/record/recordtest"
)

func recordingPath(t *testing.T, part string) string {
	t.Helper()
	files, err := recordtest.Files(2)
	require.NoError(t, err)
	for _, f := range files {
		if strings.Contains(filepath.Base(f), part) {
			return f
		}
	}
	t.Fatalf("no recording %s", part)
	return ""
}

func TestImportTellsWhatARecordingHas(t *testing.T) {
	code, out, errOut := strandsim("import", recordingPath(t, "ftrace_6.1_odd_names"), "-kernel", "linux-6.1")
	require.Zero(t, code, errOut)
	for _, want := range []string{
		"ftrace_6.1_odd_names.txt.gz: ftrace text of linux-6.1\n", "recorded, 4 CPUs, 0.500 s, 442 records of scheduling in 603 lines",
		"events: sched_switch 293, sched_waking 149, sched_wakeup 149", "utilisation 100.00 % of 4 CPUs",
		"wake-up latency of 149 wake-ups: p50 0.002 ms, p99 4.853 ms, max 5.050 ms", "a=b ==> c", "load average 0.00",
	} {
		assert.Contains(t, out, want)
	}
	for _, format := range []string{"latency", "waits", "switches", "vmstat:1", "mpstat", "figure", "timeline", "events", "perfetto", "digest"} {
		code, out, errOut := strandsim("import", recordingPath(t, "fork_exec_exit"), "-o", format)
		require.Zero(t, code, errOut)
		assert.NotEmpty(t, out, format)
	}
}

// A run that is written as ftrace text and imported again has the same switches and
// wake-ups; sim/recorded compares every one of them.
func TestImportReadsWhatRunWrites(t *testing.T) {
	code, text, errOut := strandsim("run", "linux22-250-hogs", "-for", "3s", "-o", "ftrace")
	require.Zero(t, code, errOut)
	var out, e bytes.Buffer
	require.Zero(t, mainCodeIn([]string{"strandsim", "import", "-", "-o", "ftrace"}, strings.NewReader(text), &out, &e), e.String())
	lines := func(text, event string) (list []string) {
		for _, l := range strings.Split(text, "\n") {
			if _, after, ok := strings.Cut(l, event+": "); ok && strings.Contains(l, event) {
				list = append(list, after)
			}
		}
		return list
	}
	assert.Equal(t, lines(text, "sched_switch"), lines(out.String(), "sched_switch"))
	assert.Equal(t, lines(text, "sched_wakeup"), lines(out.String(), "sched_wakeup"))
	assert.NotEmpty(t, lines(text, "sched_switch"))
}

func TestWhatIfTellsItsFidelityFirst(t *testing.T) {
	code, out, errOut := strandsim("import", recordingPath(t, "ftrace_6.12_one_cpu"), "-kernel", "linux-6.12", "-what-if", "linux-6.1")
	require.Zero(t, code, errOut)
	at := -1
	for _, want := range []string{
		"derived workload\n10 threads, 0 of them forked within it and 1 of a real-time class",
		"117 wake-ups, 4 of them by a thread",
		"driven by the recorded wake-ups, blocks and times: 756 of 756 choices at switches agree (100.0 %)",
		"of 32 calls of the scheduler that kept the task 32 agree",
		"was fitted; without it 657 agree",
		"run by itself under linux-6.12: 99.9 % of the CPU time went to the same threads",
		"what if: the derived workload under linux-6.1",
	} {
		i := strings.Index(out, want)
		require.Greater(t, i, at, want)
		at = i
	}
	again, out2, _ := strandsim("import", recordingPath(t, "ftrace_6.12_one_cpu"), "-kernel", "linux-6.12", "-what-if", "linux-6.1")
	require.Zero(t, again)
	assert.Equal(t, out, out2, "the same every time")
}

func TestADerivedScenarioRuns(t *testing.T) {
	code, doc, errOut := strandsim("import", recordingPath(t, "ftrace_6.18_one_cpu"), "-kernel", "linux-6.18", "-o", "scenario")
	require.Zero(t, code, errOut)
	path := filepath.Join(t.TempDir(), "derived.json")
	require.NoError(t, os.WriteFile(path, []byte(doc), 0o600))
	code, out, errOut := strandsim("run", path, "-for", "2500ms")
	require.Zero(t, code, errOut)
	assert.Contains(t, out, "sleeper")
	assert.Contains(t, out, "hog3")
}

func TestImportRefusesInOneSentence(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	for want, args := range map[string][]string{
		"strandsim: import needs a FILE; - is standard input\n":                                                                       {},
		"strandsim: nowhere.txt: no such file or directory\n":                                                                         {filepath.Join(dir, "nowhere.txt")},
		"strandsim: e.txt: the file is empty\n":                                                                                       {write("e.txt", "")},
		"strandsim: h.txt: no recording of a scheduler that can be read here":                                                         {write("h.txt", "hello\n")},
		"strandsim: x.dat: it is a file of trace-cmd whose head cannot be read; `trace-cmd report FILE > trace.txt` makes text of it": {write("x.dat", "\x17\x08\x44tracing6\x00")},
		`strandsim: -o "suminary" is no format of import, there are summary, latency`:                                                 {"-o", "suminary", "x"},
		`strandsim: -kernel: scheduler.kernel: "linux-7" is unknown`:                                                                  {"-kernel", "linux-7", "x"},
		`strandsim: -sleeps "never", want recorded or relative`:                                                                       {"-sleeps", "never", "x"},
	} {
		code, out, errOut := strandsim(append([]string{"import"}, args...)...)
		assert.Equal(t, exitUsage, code, args)
		assert.Empty(t, out)
		assert.True(t, strings.HasPrefix(errOut, want), "%s\n%s", want, errOut)
	}
}

// A compressed file that is cut is read as far as it goes.
func TestACutFileIsReadAsFarAsItGoes(t *testing.T) {
	text, err := recordtest.Read(recordingPath(t, "ftrace_6.1_odd_names"))
	require.NoError(t, err)
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err = z.Write(text)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	path := filepath.Join(t.TempDir(), "cut.txt.gz")
	require.NoError(t, os.WriteFile(path, b.Bytes()[:b.Len()*2/3], 0o600))
	code, out, errOut := strandsim("import", path)
	require.Zero(t, code, errOut)
	assert.Contains(t, out, "the compressed file ends too early; what came before is read")
	assert.Contains(t, out, "my task: 1")
}

// endless is text without an end.
type endless struct{ n int }

func (e *endless) Read(p []byte) (int, error) {
	n := 0
	for len(p)-n > 200 {
		e.n++
		n += copy(p[n:], fmt.Sprintf("  a-1  [000] d..2. %d.%06d: sched_wakeup: comm=b pid=2 prio=120 target_cpu=000\n", e.n/1_000_000, e.n%1_000_000))
	}
	return n, nil
}

func TestImportTellsHowFarItIsAndCanBeCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var said bytes.Buffer
	f := &imported{name: "x", progress: &said}
	in := &endless{}
	err := f.read(ctx, "-", readerFunc(func(p []byte) (int, error) {
		if in.n > 500_000 {
			cancel()
		}
		return in.Read(p)
	}))
	require.ErrorContains(t, err, "cancelled after ")
	assert.Contains(t, said.String(), "strandsim: x: 32 MB read, ")
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

var _ io.Reader = readerFunc(nil)
