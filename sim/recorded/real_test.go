package recorded_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
	"strandscope/sim/record"
	"strandscope/sim/record/recordtest"
	"strandscope/sim/recorded"
	"strandscope/sim/sched"
)

// read reads a recording in pieces of a size.
func read(t testing.TB, text []byte, piece int) (*record.Trace, error) {
	t.Helper()
	r := record.NewReader()
	for len(text) > 0 {
		n := min(piece, len(text))
		if err := r.Feed(text[:n]); err != nil {
			return nil, err
		}
		text = text[n:]
	}
	return r.Close()
}

// whole runs a recording to its end.
func whole(t testing.TB, text []byte, o recorded.Options) *recorded.Run {
	t.Helper()
	tr, err := read(t, text, 1<<16)
	require.NoError(t, err)
	r, err := recorded.New(tr, o)
	require.NoError(t, err)
	require.NoError(t, r.AdvanceTo(r.End()))
	require.NoError(t, r.Finish())
	return r
}

// What the folders have beside recordings: what is said of it.
var refused = map[string]string{
	"perf_6.1_sched_latency.txt":     "no recording",
	"sched_debug_6.1_one_cpu.txt.gz": "no recording", "sched_debug_6.12_one_cpu.txt.gz": "no recording",
	"sched_debug_6.18_one_cpu.txt.gz": "no recording",
}

// Every recording imports, and its events, the time of each thread on CPUs and its
// switches are those that regular expressions count over the lines.
func TestRealRecordingsCountAsTheirLinesDo(t *testing.T) {
	files, err := recordtest.Files(2)
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 14)
	for _, f := range files {
		name := filepath.Base(f)
		text, err := recordtest.Read(f)
		require.NoError(t, err)
		tr, err := read(t, text, 1<<16)
		if says, ok := refused[name]; ok {
			require.ErrorContains(t, err, says, name)
			continue
		}
		require.NoError(t, err, name)
		r, err := recorded.New(tr, recorded.Options{Name: name})
		require.NoError(t, err, name)
		require.NoError(t, r.AdvanceTo(r.End()), name)
		require.NoError(t, r.Finish(), name)
		if strings.Contains(name, "timehist") || strings.Contains(name, "map") || strings.Contains(name, ".dat") || strings.Contains(name, "schedviz") {
			continue // see below
		}
		want := recordtest.Count(text)
		for _, c := range tr.Events {
			if c.Name != "(no event)" {
				assert.Equal(t, want.Events[c.Name], c.N, "%s: %s", name, c.Name)
				delete(want.Events, c.Name)
			}
		}
		assert.Empty(t, want.Events, name)
		assert.Equal(t, want.First, tr.Base, name)
		assert.Equal(t, want.Last-want.First, tr.End(), name)
		ran, switches := map[int]int64{}, map[int]int64{}
		for _, x := range r.Frame().Threads {
			if x.Ran > 0 {
				ran[int(x.PID)] += int64(x.Ran)
			}
			if n := r.Stat(int(x.ID)).Switches; n > 0 {
				switches[int(x.PID)] += n
			}
		}
		if name == "trappy_trace_sched.txt" {
			continue // it has no switches: those who woke others ran all the time
		}
		for pid, n := range want.Ran {
			if n == 0 {
				delete(want.Ran, pid)
			}
		}
		assert.Equal(t, want.Ran, ran, name)
		assert.Equal(t, want.Switches, switches, name)
	}
}

// perf sched timehist and perf sched map are other views of the recording that perf sched
// script has: each thread was on a CPU as long, but for perf itself, which the events lose
// when it goes from CPU to CPU.
func TestOtherViewsAgreeWithTheEventsOfTheSameRecording(t *testing.T) {
	files, err := recordtest.Files(2)
	require.NoError(t, err)
	ran := map[string]map[int32]clock.Duration{}
	for _, f := range files {
		view := filepath.Base(f)
		if !strings.HasPrefix(view, "perf_6.1_sched_") || strings.Contains(view, "latency") {
			continue
		}
		text, err := recordtest.Read(f)
		require.NoError(t, err)
		ran[view] = map[int32]clock.Duration{}
		for _, x := range whole(t, text, recorded.Options{}).Frame().Threads {
			ran[view][x.PID] += x.Ran
		}
	}
	require.GreaterOrEqual(t, len(ran), 2)
	events := ran["perf_6.1_sched_script.txt.gz"]
	if events == nil {
		events = ran["perf_6.1_sched_timehist.txt.gz"] // the copy has no more
	}
	for view, list := range ran {
		require.Len(t, list, len(events), view)
		for pid, d := range events {
			if pid != 117 {
				// Stays of timehist are cut to microseconds, a hundred of them to a thread.
				assert.InDelta(t, int64(d), int64(list[pid]), 250_000, "%s: pid %d", view, pid)
			}
		}
	}
}

// trace.dat is the recording that trace-cmd report made its texts of: the same records, to
// the microsecond that texts have.
func TestATraceDatIsWhatItsReportSays(t *testing.T) {
	files, err := recordtest.Files(2)
	require.NoError(t, err)
	said := map[string][]string{}
	for _, f := range files {
		if !strings.Contains(f, "trace_6.1_v") && !strings.Contains(f, "trace_6.1_cmd_report") {
			continue
		}
		text, err := recordtest.Read(f)
		require.NoError(t, err)
		tr, err := read(t, text, 1000)
		require.NoError(t, err)
		assert.Empty(t, tr.Notes.List, f)
		assert.Equal(t, 4, tr.CPUs)
		for i := range tr.Len() {
			x := tr.At(i)
			who := func(th int32) string {
				if th == record.None {
					return "idle"
				}
				return fmt.Sprintf("%s %d", tr.Threads[th].First, tr.Threads[th].PID)
			}
			if x.State == record.Preempted {
				x.State = record.Runnable // trace-cmd's plugins write no plus
			}
			said[filepath.Base(f)] = append(said[filepath.Base(f)],
				fmt.Sprintf("%d cpu%d %d %s %s %d %d %d", (tr.Base+x.At+500)/1000, x.CPU, x.Kind, who(x.Thread), who(x.Other), x.Prio, x.OtherPrio, x.State))
		}
	}
	dat := said["trace_6.1_v6.dat.gz"]
	require.NotEmpty(t, dat)
	require.Len(t, said, 4)
	for name, list := range said {
		require.Len(t, list, len(dat), name)
		slices.Sort(list)
	}
	for name, list := range said {
		for i := range dat {
			require.Equal(t, dat[i], list[i], name)
		}
	}
}

func TestARunGoesForwardsInPiecesAndBackTheSame(t *testing.T) {
	files, err := recordtest.Files(2)
	require.NoError(t, err)
	for _, f := range files {
		if !strings.Contains(f, "fork_exec_exit") && !strings.Contains(f, "lisa") {
			continue
		}
		text, err := recordtest.Read(f)
		require.NoError(t, err)
		straight := whole(t, text, recorded.Options{})
		tr, err := read(t, text, 777)
		require.NoError(t, err)
		r, err := recorded.New(tr, recorded.Options{})
		require.NoError(t, err)
		for i := 0; r.Now() < r.End(); i++ {
			_, err := r.AdvanceUpTo(r.Now().Add(3*clock.Millisecond), 5)
			require.NoError(t, err)
			require.Less(t, i, 100_000)
		}
		require.NoError(t, r.AdvanceTo(r.End()))
		assert.Equal(t, straight.Digest(), r.Digest(), f)
		require.NoError(t, r.SeekTo(r.End()/3))
		third := r.Digest()
		require.NoError(t, r.StepDecisionBack())
		assert.Less(t, r.Now(), r.End()/3)
		require.NoError(t, r.SeekTo(r.End()/3))
		assert.Equal(t, third, r.Digest())
		require.NoError(t, r.SeekTo(r.End()))
		assert.Equal(t, straight.Digest(), r.Digest(), f)
	}
}

func TestNamesThatBreakNaiveParsersAreReadWhole(t *testing.T) {
	files, err := recordtest.Files(2)
	require.NoError(t, err)
	n := 0
	for _, f := range files {
		if !strings.Contains(f, "odd_names") {
			continue
		}
		n++
		text, err := recordtest.Read(f)
		require.NoError(t, err)
		names := map[string]bool{}
		for _, x := range whole(t, text, recorded.Options{}).Frame().Threads {
			names[x.Name] = true
		}
		for _, want := range []string{"my task: 1", "a=b ==> c", "x-12345", "<...>", "[007] d..2."} {
			assert.Contains(t, names, want, f)
		}
	}
	assert.Positive(t, n)
}

func TestAFrameIsThatOfTheRecording(t *testing.T) {
	text := "a-5     [001] d..2.    10.000000: sched_switch: prev_comm=a prev_pid=5 prev_prio=120 prev_state=R ==> next_comm=b next_pid=6 next_prio=125\n" +
		"b-6     [001] dNh2.    10.001000: sched_wakeup: comm=c pid=7 prio=49 target_cpu=001\n" +
		"b-6     [001] d..2.    10.001500: sched_switch: prev_comm=b prev_pid=6 prev_prio=125 prev_state=R+ ==> next_comm=c next_pid=7 next_prio=49\n" +
		"c-7     [001] d..2.    10.002000: sched_switch: prev_comm=c prev_pid=7 prev_prio=49 prev_state=D ==> next_comm=b next_pid=6 next_prio=125\n" +
		"b-6     [001] d..2.    10.003000: sched_switch: prev_comm=b prev_pid=6 prev_prio=125 prev_state=Z ==> next_comm=a next_pid=5 next_prio=120\n"
	r := whole(t, []byte(text), recorded.Options{Name: "x.txt"})
	f := r.Frame()
	require.Len(t, f.Threads, 3)
	assert.Equal(t, clock.Time(3*clock.Millisecond), f.Now)
	assert.Equal(t, []sched.State{sched.Running, sched.Gone, sched.Sleeping}, []sched.State{f.Threads[0].State, f.Threads[1].State, f.Threads[2].State})
	assert.Equal(t, []int{0, 5, 0}, []int{f.Threads[0].Nice, f.Threads[1].Nice, f.Threads[2].Nice})
	assert.Equal(t, "RT", f.Threads[2].Class)
	assert.Equal(t, clock.Duration(500_000), r.Stat(2).Latency)
	assert.Equal(t, int64(1), r.Wakes().Count)
	assert.Len(t, f.CPUs, 2)
	assert.Equal(t, "x.txt", f.Scenario.Title)
	assert.Equal(t, clock.Duration(3_000_000), f.Timeline.Sums[1].Busy())
	require.NoError(t, r.SeekTo(clock.Time(1_200_000)))
	a := r.WhyThread(2)
	assert.Equal(t, "Why is c 7 waiting?", a.Title)
	assert.Contains(t, a.Lines, "It was woken from an interrupt.")
	assert.Contains(t, a.Lines, "cpu1 runs b 6.")
}

// A damaged line may say that the idle loop followed itself where a thread ran.
func TestASwitchFromIdleToIdleLeavesTheCPUIdle(t *testing.T) {
	text := "a-5     [000] d..2.    10.000000: sched_switch: prev_comm=a prev_pid=5 prev_prio=120 prev_state=R ==> next_comm=b next_pid=6 next_prio=120\n" +
		"b-6     [000] d..2.    10.001000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=swapper/0 next_pid=0 next_prio=120\n" +
		"b-6     [000] d..2.    10.004000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=b next_pid=6 next_prio=120\n"
	f := whole(t, []byte(text), recorded.Options{}).Frame()
	assert.Equal(t, clock.Duration(1_000_000), f.Timeline.Sums[0].Busy())
}

// odd is the recording of odd names.
func odd(t *testing.T) []byte {
	t.Helper()
	files, err := recordtest.Files(2)
	require.NoError(t, err)
	for _, f := range files {
		if strings.Contains(f, "ftrace_6.1_odd_names") {
			text, err := recordtest.Read(f)
			require.NoError(t, err)
			return text
		}
	}
	t.Fatal("no recording of odd names")
	return nil
}
