package scenario_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
	"strandscope/sim/scenario"
	"strandscope/sim/sched"
	"strandscope/sim/workload"
)

const ms = clock.Millisecond

func read(t *testing.T, text string) *scenario.Scenario {
	t.Helper()
	s, err := scenario.Read("test", []byte(text))
	require.NoError(t, err)
	return s
}

// task reads a document with one task of the given members.
func task(t *testing.T, members string) scenario.Task {
	t.Helper()
	s := read(t, `{"tasks": {"x": {`+members+`}}}`)
	require.Len(t, s.Tasks, 1)
	return s.Tasks[0]
}

// steps follows a program's loops for at most so many steps: r for a run, s
// for a sleep, y for a yield, with the duration in ms.
func steps(p *workload.Program, most int) string {
	var list []string
	loops := make([]int64, p.Slots)
	for pc := 0; pc < len(p.Steps) && len(list) < most; {
		in := p.Steps[pc]
		pc++
		switch in.Op {
		case workload.Loop:
			loops[in.Slot]++
			if in.Count < 0 || loops[in.Slot] < in.Count {
				pc = int(in.To)
			} else {
				loops[in.Slot] = 0
			}
		case workload.Run:
			list = append(list, fmt.Sprintf("r%d", in.D/ms))
		case workload.Sleep:
			list = append(list, fmt.Sprintf("s%d", in.D/ms))
		case workload.Yield:
			list = append(list, "y")
		case workload.Spin:
			list = append(list, "spin")
			return strings.Join(list, " ")
		default:
			list = append(list, "?")
		}
	}
	return strings.Join(list, " ")
}

func TestADocumentSaysEverythingAboutARun(t *testing.T) {
	s := read(t, `{
		"title": "T", "source": {"title": "S", "author": "A", "date": "D", "link": "L"},
		"machine": "t1000", "seed": 9007199254740991,
		"global": {"duration": 30, "calibration": "CPU0", "ftrace": false, "logdir": "/tmp", "pi_enabled": true},
		"resources": {"m": {"type": "mutex"}},
		"scheduler": {
			"kernel": "solaris10", "default_class": "FSS",
			"zones": [{"id": 0, "shares": 3}, {"id": 4}],
			"projects": [{"id": 1, "name": "one", "shares": 99, "zone": 4}, {"id": 2}],
			"processor_sets": [{"id": 1, "cpus": [2, 3]}],
			"costs": {"clock_tick": 40, "devices": 2000},
		},
		"tasks": {
			"a": {"instance": 3, "delay": 1500, "policy": "FX", "priority": 7, "project": 1, "pset": 1, "run": 2000, "sleep": 1000},
			"b": {"nice": 5, "cpus": [4], "run": 1000},
		},
		"printed": [{"label": "r", "value": "20", "figure": "r", "class": "unset", "explanation": "pset", "also": ["21"]}],
	}`)
	assert.Equal(t, "T", s.Title)
	assert.Equal(t, scenario.Source{Title: "S", Author: "A", Date: "D", Link: "L"}, s.Source)
	assert.Equal(t, "t1000", s.Machine.ID)
	assert.Equal(t, uint64(1<<53-1), s.Seed)
	assert.Equal(t, 30*clock.Second, s.Duration)
	d := s.Scheduler
	assert.Equal(t, "solaris10", d.Kernel)
	assert.Equal(t, "FSS", d.DefaultClass)
	assert.Equal(t, []scenario.Zone{{ID: 0, Shares: 3}, {ID: 4, Shares: 1}}, d.Zones)
	assert.Equal(t, []scenario.Project{{ID: 1, Name: "one", Shares: 99, Zone: 4}, {ID: 2, Shares: 1}}, d.Projects)
	assert.Equal(t, []int{2, 3}, d.Sets[0].CPUs)
	assert.Equal(t, scenario.Costs{ClockTick: 40 * clock.Microsecond, Devices: 2 * ms}, d.Costs)
	require.Len(t, s.Tasks, 2)
	a, b := s.Tasks[0], s.Tasks[1]
	assert.Equal(t, "a", a.Name)
	assert.Equal(t, 3, a.Instance)
	assert.Equal(t, 1500*clock.Microsecond, a.Delay)
	assert.Equal(t, sched.Params{Class: "FX", Priority: 7, Limit: 7, Keep: true}, a.Params())
	assert.Equal(t, 1, a.Project)
	assert.Equal(t, 1, a.Set)
	assert.Equal(t, sched.NoCPU, a.CPU)
	assert.Equal(t, "a × 3: runs 2 ms, sleeps 1 ms", a.Describe())
	assert.Equal(t, 5, b.Nice)
	assert.Equal(t, 4, b.CPU)
	assert.Equal(t, 4, s.Threads())
	require.Len(t, s.Printed, 1)
	assert.Equal(t, []string{"21"}, s.Printed[0].Also)
}

func TestWhatIsLeftOutHasItsDefault(t *testing.T) {
	s := read(t, `{"tasks": {"x": {"run": 1}}}`)
	assert.Equal(t, "t2000", s.Machine.ID)
	assert.Equal(t, "solaris10", s.Scheduler.Kernel)
	assert.Equal(t, scenario.Unset, s.Scheduler.DefaultClass)
	assert.Empty(t, s.Scheduler.Explanation)
	assert.False(t, s.HasChoice())
	assert.Zero(t, s.Duration)
	x := s.Tasks[0]
	assert.Equal(t, 1, x.Instance)
	assert.Equal(t, sched.Params{}, x.Params())
	assert.Zero(t, read(t, `{"global": {"duration": -1}, "tasks": {"x": {"run": 1}}}`).Duration, "until all threads end")
}

// RTAPP.md §4: public files are not strict JSON.
func TestFilesThatAreNotStrictJSONAreRead(t *testing.T) {
	x := read(t, `
		/* a "comment" with { brackets [ and a lone " mark */
		{
			// another one, "
			"tasks": {
				"thread0": { /*inside*/ "run": 10000, "sleep": 40000, },
			},
		}
	`).Tasks[0]
	assert.Equal(t, "r10 s40 r10", steps(x.Program, 3), "a fifth of a CPU, as tutorial example 1")
}

func TestRepeatedMembersAreSeparateEventsInFileOrder(t *testing.T) {
	x := task(t, `"loop": 1, "run": 1000, "sleep": 2000, "run": 3000, "run": 4000, "sleep": 5000`)
	assert.Equal(t, "r1 s2 r3 r4 s5", steps(x.Program, 9))
	s := read(t, `{"tasks": {"x": {"run": 1000}, "x": {"sleep": 1000}}}`)
	require.Len(t, s.Tasks, 2, "and so are tasks of one name")
	assert.NotEqual(t, s.Tasks[0].Text, s.Tasks[1].Text)
	s = read(t, `{"tasks": {"x": {"run": 1000}}, "tasks": {"y": {"run": 1000}}}`)
	assert.Len(t, s.Tasks, 2, "and what stands in two objects")
	x = task(t, `"loop": 1, "phases": {"a": {"run": 1000}}, "phases": {"b": {"sleep": 2000}}`)
	assert.Equal(t, "r1 s2", steps(x.Program, 9))
	x = task(t, `"loop": 1, "phases": {"a": {"run": 1000}, "a": {"run": 2000}}`)
	assert.Equal(t, "r1 r2", steps(x.Program, 9))
}

func TestAMemberIsAnEventWhenItsNameBeginsWithOne(t *testing.T) {
	x := task(t, `"loop": 1, "run1": 1000, "run_b": 2000, "sleep2": 3000, "running": 4000, "yield": "", "yield9": "who"`)
	assert.Equal(t, "r1 r2 s3 r4 y y", steps(x.Program, 9))
}

func TestLoopsAndPhasesMeanWhatTheyMeanInRtApp(t *testing.T) {
	for _, c := range []struct{ name, members, want string }{
		{"without phases and loop: for ever", `"run": 1000, "sleep": 2000`, "r1 s2 r1 s2 r1 s2 r1"},
		{"without phases, an explicit loop is that of the one phase", `"loop": 2, "run": 1000, "sleep": 2000`, "r1 s2 r1 s2"},
		{"the list of phases runs for ever", `"phases": {"a": {"run": 1000}, "b": {"sleep": 2000}}`, "r1 s2 r1 s2 r1 s2 r1"},
		{"a phase runs once by default", `"loop": 1, "phases": {"a": {"run": 1000}, "b": {"sleep": 2000}}`, "r1 s2"},
		{"or as often as it says", `"loop": 1, "phases": {"a": {"loop": 3, "run": 1000}, "b": {"sleep": 2000}}`, "r1 r1 r1 s2"},
		{"loops count anew in each round", `"loop": 2, "phases": {"a": {"loop": 2, "run": 1000}, "b": {"sleep": 2000}}`, "r1 r1 s2 r1 r1 s2"},
		{"a phase that never ends", `"phases": {"a": {"run": 1000}, "b": {"loop": -1, "run": 5000, "sleep": 2000}}`, "r1 r5 s2 r5 s2 r5 s2"},
	} {
		assert.Equal(t, c.want, steps(task(t, c.members).Program, 7), c.name)
	}
}

func TestWhatOnlyRunsForEverSpins(t *testing.T) {
	for _, members := range []string{
		`"run": 1000`, `"run": 1, "run": 5`, `"loop": -1, "run": 7`, `"phases": {"a": {"loop": 3, "run": 10}}`,
		`"phases": {"a": {"loop": -1, "run": 10}}`,
	} {
		x := task(t, members)
		assert.Same(t, workload.Forever, x.Program, members)
		assert.Equal(t, "spins", x.Text)
	}
	for _, members := range []string{`"loop": 1, "run": 1000`, `"run": 1000, "sleep": 1`, `"run": 1000, "yield": ""`} {
		assert.NotSame(t, workload.Forever, task(t, members).Program, members)
	}
}

func TestTaskTextsAreWrittenAsPeopleWould(t *testing.T) {
	for members, want := range map[string]string{
		`"run": 5000, "sleep": 20000`:        "runs 5 ms, sleeps 20 ms",
		`"run": 1500000, "sleep": 2500`:      "runs 1.5 s, sleeps 2.5 ms",
		`"run": 999, "sleep": 1001`:          "runs 999 µs, sleeps 1001 µs",
		`"run": 1000000, "yield": ""`:        "runs 1 s, yields",
		`"loop": 1, "run": 0, "sleep": 1000`: "runs 0 µs, sleeps 1 ms",
	} {
		assert.Equal(t, want, task(t, members).Text)
	}
}

func TestRtAppPoliciesAndClassNamesAreUnderstood(t *testing.T) {
	for members, want := range map[string]sched.Params{
		``:                                       {},
		`"policy": "SCHED_OTHER",`:               {},
		`"priority": -20,`:                       {Nice: -20},
		`"policy": "SCHED_BATCH", "priority":9,`: {Nice: 9},
		`"policy": "SCHED_FIFO",`:                {Class: "RT", Priority: 10},
		`"policy": "SCHED_RR", "priority": 59,`:  {Class: "RT", Priority: 59},
		`"policy": "IA", "nice": 3,`:             {Class: "IA", Nice: 3},
		`"policy": "RT", "priority": 0,`:         {Class: "RT", Keep: true},
		`"policy": "TS", "priority": -20,`:       {Class: "TS", Priority: -20, Keep: true},
		`"policy": "IA", "priority": 20,`:        {Class: "IA", Priority: 20, Limit: 20, Keep: true},
	} {
		assert.Equal(t, want, func() sched.Params { x := task(t, members+`"run": 1`); return x.Params() }(), members)
	}
}

func TestATaskOfNoInstancesIsDefinedButNotStarted(t *testing.T) {
	s := read(t, `{"tasks": {"later": {"instance": 0, "run": 1}, "x": {"run": 1}}}`)
	require.Len(t, s.Tasks, 1)
	assert.Equal(t, "x", s.Tasks[0].Name)
}

func TestWholeNumbersMayBeWrittenWithAnExponent(t *testing.T) {
	assert.Equal(t, "r2", steps(task(t, `"loop": 1, "run": 2e3`).Program, 3))
	assert.Equal(t, "r2", steps(task(t, `"loop": 1.0, "run": 2000.0`).Program, 3))
}

func TestADocumentAsLargeAsTheLimitsAllowIsRead(t *testing.T) {
	s := read(t, `{"tasks": {`+strings.Repeat(`"x": {"run": 1, "sleep": 5, "sleep": 6},`, 100_000)+`}}`)
	assert.Equal(t, scenario.MaxThreads, s.Threads())
	deep := strings.Repeat("[", 190) + strings.Repeat("]", 190)
	read(t, `{"resources": `+deep+`, "tasks": {"x": {"run": 1}}}`)
}
