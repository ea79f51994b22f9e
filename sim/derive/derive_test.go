package derive_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/derive"
	"strandscope/sim/record"
	"strandscope/sim/record/recordtest"
	"strandscope/sim/recorded"
)

const tick = 4_000_000

// open reads a recording and runs it to its end.
func open(t testing.TB, text []byte, kernel string) *recorded.Run {
	t.Helper()
	r := record.NewReader()
	r.KeepAccounts(true)
	require.NoError(t, r.Feed(text))
	tr, err := r.Close()
	require.NoError(t, err)
	run, err := recorded.New(tr, recorded.Options{Name: "x", Kernel: kernel})
	require.NoError(t, err)
	require.NoError(t, run.AdvanceTo(run.End()))
	return run
}

// recording is a file of the folder, by a part of its name.
func recording(t testing.TB, part string) []byte {
	t.Helper()
	files, err := recordtest.Files(2)
	require.NoError(t, err)
	for _, f := range files {
		if strings.Contains(filepath.Base(f), part) {
			text, err := recordtest.Read(f)
			require.NoError(t, err)
			return text
		}
	}
	t.Fatalf("no recording %s", part)
	return nil
}

func always() bool { return true }

// The traces of one CPU: driven by what was recorded, the models make every choice, keep
// every task and ask for every reschedule as the kernels did, which is what
// shared/reference/linux6/FACTS.md, section 12, reports of the kernels' own code. What
// FACTS counts as choices leaves out those beside real-time tasks.
func TestTheModelsDecideAsTheRecordedKernelsDid(t *testing.T) {
	for version, want := range map[string]struct{ choices, kept, ticks, unfitted int }{
		"6.1": {716, 37, 625, 716}, "6.12": {752, 32, 625, 640}, "6.18": {783, 51, 625, 380},
	} {
		run := open(t, recording(t, "ftrace_"+version+"_one_cpu_4hogs_sleeper"), "linux-"+version)
		require.True(t, derive.CanDrive(run.Trace(), "linux-"+version))
		phase, known := derive.Phase(run.Trace(), tick)
		require.True(t, known)
		d := derive.Drive(run.Trace(), "linux-"+version, tick, phase)
		assert.GreaterOrEqual(t, d.Choices, want.choices, version)
		assert.Equal(t, d.Choices, d.Agree, version)
		assert.Equal(t, want.kept, d.Kept, version)
		assert.Equal(t, d.Kept, d.KeptAgree, version)
		assert.GreaterOrEqual(t, d.Ticks, want.ticks, version)
		assert.Equal(t, d.Ticks, d.TicksAgree, version)
		assert.GreaterOrEqual(t, d.Unfitted, want.unfitted, version)
		assert.Equal(t, version != "6.1", d.Fitted, version)
		assert.Negative(t, d.First, version)
		assert.True(t, d.Exact)

		// The derived workload, on its own from the first moment to the last.
		w, err := derive.From(run.Trace(), derive.Options{Kernel: "linux-" + version})
		require.NoError(t, err)
		w.Owe(&d)
		f, s, err := w.Run(run, "linux-"+version, "", always)
		require.NoError(t, err)
		require.NoError(t, s.Finish())
		assert.GreaterOrEqual(t, f.Order(), int64(900), version)
		assert.GreaterOrEqual(t, f.Time(), int64(998), version)
		t.Logf("%s: %d of %d choices, %d without a fit; by itself %d of %d in order, %d ‰ of the time", version, d.Agree, d.Choices, d.Unfitted, f.InOrder, f.Switches, f.Time())
	}
}

// The wrong kernel's model makes other choices: the figure tells kernels apart.
func TestAnotherKernelsModelDecidesOtherwise(t *testing.T) {
	run := open(t, recording(t, "ftrace_6.1_one_cpu_4hogs_sleeper"), "linux-6.1")
	phase, _ := derive.Phase(run.Trace(), tick)
	d := derive.Drive(run.Trace(), "linux-6.18", tick, phase)
	assert.Less(t, d.Agree, d.Choices*9/10)
	assert.Less(t, d.TicksAgree, d.Ticks)
}

// Every recording gives a workload that runs, under its own kernel and others.
func TestEveryRecordingGivesAWorkloadThatRuns(t *testing.T) {
	files, err := recordtest.Files(2)
	require.NoError(t, err)
	n := 0
	for _, f := range files {
		text, err := recordtest.Read(f)
		require.NoError(t, err)
		r := record.NewReader()
		_ = r.Feed(text)
		tr, err := r.Close()
		if err != nil {
			continue
		}
		n++
		run, err := recorded.New(tr, recorded.Options{})
		require.NoError(t, err)
		require.NoError(t, run.AdvanceTo(run.End()))
		for _, relative := range []bool{false, true} {
			w, err := derive.From(tr, derive.Options{Kernel: "linux-6.12", Relative: relative})
			require.NoError(t, err, f)
			for _, kernel := range []string{"linux-6.12", "linux-2.2.8", "solaris10", "linux-2.6.24", "textbook-rr"} {
				x, _, err := w.Run(run, kernel, "", always)
				require.NoError(t, err, "%s under %s", f, kernel)
				if strings.Contains(kernel, "6.12") && x.Switches > 0 {
					least := int64(880)
					if strings.Contains(f, "schedviz") {
						least = 700 // of another kernel, with more than a fork a millisecond
					}
					assert.GreaterOrEqual(t, x.Time(), least, f)
				}
			}
		}
	}
	assert.GreaterOrEqual(t, n, 13)
}

const chain = `
     a-5     [000] d..2.     1.000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=5 next_prio=120
     a-5     [000] d..3.     1.002000: sched_wakeup: comm=b pid=6 prio=125 target_cpu=000
     a-5     [000] d..2.     1.003000: sched_switch: prev_comm=a prev_pid=5 prev_prio=120 prev_state=S ==> next_comm=b next_pid=6 next_prio=125
     b-6     [000] dNh2.     1.007000: sched_wakeup: comm=r pid=7 prio=49 target_cpu=000
     b-6     [000] d..2.     1.007000: sched_switch: prev_comm=b prev_pid=6 prev_prio=125 prev_state=R ==> next_comm=r next_pid=7 next_prio=49
     r-7     [000] d..2.     1.008000: sched_wakeup_new: comm=c pid=8 prio=49 target_cpu=000
     r-7     [000] d..2.     1.009000: sched_switch: prev_comm=r prev_pid=7 prev_prio=49 prev_state=S ==> next_comm=c next_pid=8 next_prio=49
     c-8     [000] d..2.     1.010500: sched_switch: prev_comm=c prev_pid=8 prev_prio=49 prev_state=Z ==> next_comm=b next_pid=6 next_prio=125
     b-6     [000] d..2.     1.013500: sched_switch: prev_comm=b prev_pid=6 prev_prio=125 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
`

// What each thread computes, who wakes whom and what comes from outside are told apart.
func TestAWorkloadHasWhatTheRecordingSays(t *testing.T) {
	run := open(t, []byte(chain), "linux-6.12")
	w, err := derive.From(run.Trace(), derive.Options{Kernel: "linux-6.12"})
	require.NoError(t, err)
	kinds := map[string][]derive.StepKind{}
	for _, x := range w.Threads {
		for _, s := range x.Steps {
			kinds[x.Name] = append(kinds[x.Name], s.Kind)
		}
	}
	assert.Equal(t, map[string][]derive.StepKind{
		"a": {derive.Compute, derive.Post, derive.Compute, derive.Block},
		"b": {derive.Await, derive.Compute, derive.Block},
		"r": {derive.Until, derive.Compute, derive.Fork, derive.Compute, derive.Block},
		"c": {derive.Compute, derive.Exit},
	}, kinds)
	assert.Equal(t, []int64{2_000_000, 0, 1_000_000, 0}, []int64{w.Threads[0].Steps[0].Ns, w.Threads[0].Steps[1].Ns, w.Threads[0].Steps[2].Ns, 0})
	assert.Equal(t, int64(7_000_000), w.Threads[1].Steps[1].Ns, "what interrupts it is not its own computing")
	assert.Equal(t, 5, w.Threads[1].Nice)
	assert.Equal(t, 50, w.Threads[2].Realtime)
	doc := string(w.Document("t", "linux-6.12", ""))
	assert.Contains(t, doc, `"a": {"loop": 1, "run0": 2000, "sem_post1": "b", "run2": 1000, "suspend3": ""}`)
	assert.Contains(t, doc, `"policy": "SCHED_FIFO", "priority": 50, "loop": 1, "timer0": {"ref": "unique", "period": 7000, "mode": "absolute"}`)
	assert.Contains(t, doc, `"c": {"instance": 0`)
	s, err := w.Session("t", "linux-6.12", "")
	require.NoError(t, err)
	require.NoError(t, s.AdvanceTo(clock.Time(20*clock.Millisecond)))
	ran := map[string]clock.Duration{}
	for _, x := range s.Frame().Threads {
		ran[x.Name] = x.Ran
	}
	for name, ms := range map[string]clock.Duration{"a": 3000, "b": 7000, "r": 2000, "c": 1500} {
		assert.Equal(t, ms*clock.Microsecond, ran[name], name)
	}
}

func TestALagIsOfLinux6Only(t *testing.T) {
	doc := `{"title": "t", "machine": "smp3", "scheduler": {"kernel": %q}, "tasks": {"a": {"lag": 1000, "run": 1000}}}`
	_, err := sim.OpenDocument("x", []byte(strings.Replace(doc, "%q", `"linux-2.2.8"`, 1)))
	require.EqualError(t, err, "tasks.a.lag: linux-2.2.8 keeps none; Linux 6 does")
	s, err := sim.OpenDocument("x", []byte(strings.Replace(doc, "%q", `"linux-6.1"`, 1)))
	require.NoError(t, err)
	assert.Len(t, s.Frame().CPUs, 3)
}

func TestWorkloadsOfSolarisAreRefused(t *testing.T) {
	run := open(t, []byte("# simulated; prio is 169 - the global priority, 170 for the idle loop\n"+chain), "")
	_, err := derive.From(run.Trace(), derive.Options{})
	require.ErrorContains(t, err, "prio: the file's are those of Solaris")
}
