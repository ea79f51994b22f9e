package scenario_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/scenario"
)

// ok is what a document needs beside the member in question.
const ok = `, "tasks": {"x": {"run": 1}}}`

func TestEveryRefusalNamesTheFieldAndWhatIsAllowed(t *testing.T) {
	task := func(members string) string { return `{"tasks": {"perl": {` + members + `}}}` }
	for _, c := range []struct{ text, want string }{
		// Not a document.
		{``, "not JSON: line 1, column 1: the text ends, want a value"},
		{`{"tasks": `, "not JSON: line 1, column 11: the text ends, want a value"},
		{"{\n  \"title\": tasks\n}", `not JSON: line 2, column 12: 't', want a value`},
		{`[]`, "a list, want an object"},
		{`"x"`, "a text, want an object"},
		{`null`, "null, want an object"},
		// Unknown keys, with a near match and the full path.
		{`{"machin": "up"` + ok, `machin: unknown key; did you mean "machine"?`},
		{`{"sedd": 1` + ok, `sedd: unknown key; did you mean "seed"?`},
		{`{"zzzzzzzz": 1` + ok, `zzzzzzzz: unknown key`},
		{`{"source": {"auhtor": "A"}` + ok, `source.auhtor: unknown key; did you mean "author"?`},
		{`{"scheduler": {"projects": [{"id": 1}, {"share": 3}]}` + ok, `scheduler.projects[1].share: unknown key; did you mean "shares"?`},
		{`{"scheduler": {"costs": {"clock": 3}}` + ok, `scheduler.costs.clock: unknown key`},
		{task(`"run": 1, "instances": 3`), `tasks.perl.instances: unknown key; did you mean "instance"?`},
		{task(`"run": 1, "slep": 3`), `tasks.perl.slep: unknown key; did you mean "sleep"?`},
		{task(`"phases": {"a": {"rum": 3}}`), `tasks.perl.phases.a.rum: unknown key; did you mean "run"?`},
		// The wrong type.
		{`{"title": 3` + ok, "title: a number, want a text"},
		{`{"machine": ["up"]` + ok, "machine: a list, want a text"},
		{`{"seed": "1"` + ok, "seed: a text, want a number"},
		{`{"seed": null` + ok, "seed: null, want a number"},
		{`{"scheduler": []` + ok, "scheduler: a list, want an object"},
		{`{"scheduler": {"projects": {}}` + ok, "scheduler.projects: an object, want a list"},
		{`{"printed": [{"also": "21"}]` + ok, "printed[0].also: a text, want a list"},
		{`{"tasks": []}`, "tasks: a list, want an object"},
		{`{"tasks": {"perl": 3}}`, "tasks.perl: a number, want an object"},
		{task(`"run": true`), "tasks.perl.run: true or false, want a number"},
		{task(`"phases": []`), "tasks.perl.phases: a list, want an object"},
		{task(`"run": 1, "cpus": 3`), "tasks.perl.cpus: a number, want a list"},
		// Out of range.
		{task(`"run": -4`), "tasks.perl.run: -4, want 0 to 8640000000000"},
		{task(`"run": 1, "sleep": -1`), "tasks.perl.sleep: -1, want 0 to 8640000000000"},
		{task(`"run": 1.5`), "tasks.perl.run: 1.5, want a whole number from 0 to 8640000000000"},
		{task(`"run": 1e300`), "tasks.perl.run: 1e300, want a whole number from 0 to 8640000000000"},
		{task(`"run": 8640000000001`), "tasks.perl.run: 8640000000001, want 0 to 8640000000000"},
		{task(`"run": 1, "instance": 100001`), "tasks.perl.instance: 100001, want 0 to 100000"},
		{task(`"run": 1, "instance": -1`), "tasks.perl.instance: -1, want 0 to 100000"},
		{task(`"run": 1, "delay": -15`), "tasks.perl.delay: -15, want 0 to 8640000000000"},
		{task(`"run": 1, "nice": 20`), "tasks.perl.nice: 20, want -20 to 19"},
		{task(`"run": 1, "priority": 20`), "tasks.perl.priority: 20, want a nice value from -20 to 19"},
		{task(`"run": 1, "policy": "SCHED_FIFO", "priority": 0`), "tasks.perl.priority: 0, want 1 to 99 with SCHED_FIFO"},
		{task(`"run": 1, "policy": "SCHED_RR", "priority": 0`), "tasks.perl.priority: 0, want 1 to 99 with SCHED_RR"},
		{task(`"run": 1, "loop": -2`), "tasks.perl.loop: -2, want -1 to 1099511627776"},
		{`{"seed": 9007199254740992` + ok, "seed: 9007199254740992, want 0 to 9007199254740991"},
		{`{"seed": -1` + ok, "seed: -1, want 0 to 9007199254740991"},
		{`{"global": {"duration": -2}` + ok, "global.duration: -2, want -1 to 31622400"},
		{`{"scheduler": {"projects": [{"shares": 65536}]}` + ok, "scheduler.projects[0].shares: 65536, want 0 to 65535"},
		{`{"scheduler": {"costs": {"clock_tick": 1001}}` + ok, "scheduler.costs.clock_tick: 1001, want 0 to 1000"},
		// Loops and events.
		{task(`"run": 1, "loop": 0`), "tasks.perl.loop: 0, want -1 (for ever) or 1 and more"},
		{task(`"phases": {"a": {"loop": 0, "run": 1}}`), "tasks.perl.phases.a.loop: 0, want -1 (for ever) or 1 and more"},
		{task(`"run": 0`), "tasks.perl: an endless loop in which no time passes"},
		{task(`"yield": ""`), "tasks.perl: an endless loop in which no time passes"},
		{task(``), "tasks.perl: an endless loop in which no time passes"},
		{task(`"loop": 1`), "tasks.perl: does nothing; give it run or sleep"},
		{task(`"loop": 1, "phases": {}`), "tasks.perl: does nothing; give it run or sleep"},
		{task(`"phases": {"a": {"loop": 1000000000, "run": 0}, "b": {"sleep": 5}}`), "tasks.perl: more than 10000 steps in a row in which no time passes"},
		{task(`"run": 1, "phases": {"a": {"run": 1}}`), "tasks.perl: events beside phases: run"},
		{task(`"run": 1, "timer": {"ref": "t"}`), "tasks.perl.timer.period: missing, want microseconds"},
		{task(`"run": 1, "timer": {"period": 5}`), "tasks.perl.timer.ref: missing, want a name"},
		{task(`"run": 1, "timer": {"ref": "t", "period": 5, "mode": "abslute"}`), `tasks.perl.timer.mode: "abslute", want relative or absolute`},
		{task(`"run": 1, "wait": {"ref": "c"}`), "tasks.perl.wait.mutex: missing, want the name of a mutex"},
		{task(`"phases": {"a": {"lock2": "m"}}`), "tasks.perl: an endless loop in which no time passes"},
		{task(`"run": 1, "resume": "pearl"`), `tasks.perl.resume: "pearl" is no task; did you mean "perl"?`},
		{task(`"run": 1, "sem_post": ""`), "tasks.perl.sem_post: empty, want a name"},
		{task(`"run": 1, "sem_wait": 3`), "tasks.perl.sem_wait: a number, want a text"},
		{task(`"sem_wait": "s", "sem_post": "s"`), "tasks.perl: an endless loop in which no time passes"},
		// No tasks.
		{`{"title": "x"}`, "tasks: missing; a scenario needs at least one task"},
		{`{"tasks": {}}`, "tasks: no task; a scenario needs at least one"},
		{task(`"instance": 0, "run": 1`), "tasks: no task; a scenario needs at least one"},
		{`{"tasks": {"a": {"instance": 100000, "run": 1}, "b": {"run": 1}}}`, "tasks: 100001 threads; at most 100000 are accepted"},
		// What does not fit together.
		{`{"machine": "t3000"` + ok, `machine: "t3000" is no preset; there are `},
		{`{"machine": 3` + ok, "machine: a number, want a text"},
		{`{"machine": {"chips": 0}` + ok, "machine.chips: 0, want 1 to 4096"},
		{`{"machine": {"chips": 4097}` + ok, "machine.chips: 4097, want 1 to 4096"},
		{`{"machine": {"chips": 64, "cores": 8, "strands": 9}` + ok, "machine: 4608 strands, at most 4096 are accepted"},
		{`{"machine": {"chips": 4096, "cores": 4096, "pipelines": 4096, "strands": 4096}` + ok, "machine: 281474976710656 strands, at most 4096 are accepted"},
		{`{"machine": {"core": 8}` + ok, `machine.core: unknown key; did you mean "cores"?`},
		{`{"machine": {"strands": 5, "issue": true}` + ok, "machine: a pipeline shares its issue slots among 1 to 4 strands"},
		{`{"machine": {"strands": 2, "speeds": [1000, 0]}` + ok, "machine.speeds[1]: 0, want 1 to 1000"},
		{`{"machine": {"strands": 2, "issue": true, "speeds": [1000]}` + ok, "machine: issue and speeds both say how fast the strands of a pipeline are; want one of them"},
		{`{"machine": "up", "tasks": {"x": {"run": 1, "cpus": [1]}}}`, "tasks.x.cpus: CPU 1, the machine has 0 to 0"},
		{`{"tasks": {"x": {"run": 1, "pset": 2}}}`, "tasks.x.pset: processor set 2 is not defined"},
		{`{"scheduler": {"processor_sets": [{"cpus": [1]}]}` + ok, "scheduler.processor_sets[0].id: missing; processor sets are numbered from 1"},
		{`{"scheduler": {"processor_sets": [{"id": 0, "cpus": [1]}]}` + ok, "scheduler.processor_sets[0].id: 0, want 1 to 1048576"},
		{`{"scheduler": {"processor_sets": [{"id": 1}]}` + ok, "scheduler.processor_sets[0].cpus: missing; a processor set needs at least one CPU"},
		{`{"scheduler": {"processor_sets": [{"id": 1, "cpus": [32]}]}` + ok, "scheduler.processor_sets[0]: CPU 32, the machine has 0 to 31"},
		{`{"scheduler": {"processor_sets": [{"id": 1, "cpus": [4096]}]}` + ok, "scheduler.processor_sets[0].cpus[0]: 4096, want 0 to 4095"},
		{`{"scheduler": {"processor_sets": [{"id": 1, "cpus": [3, 3]}]}` + ok, "scheduler.processor_sets[0]: CPU 3 is in set 1 already"},
		{`{"scheduler": {"processor_sets": [{"id": 1, "cpus": [3]}, {"id": 1, "cpus": [4]}]}` + ok, "scheduler.processor_sets[1].id: processor set 1 is defined twice"},
		{`{"machine": "up", "scheduler": {"processor_sets": [{"id": 1, "cpus": [0]}]}` + ok, "scheduler.processor_sets: the default set must keep a CPU"},
		{`{"scheduler": {"processor_sets": [{"id": 1, "cpus": [3], "explanation": "magic"}]}` + ok, `scheduler.processor_sets[0].explanation: "magic", want "pset" or "kernel"`},
		{`{"scheduler": {"kernels": ["linux-2.2.7"]}` + ok, `scheduler.kernels: "solaris10" is not among them; the kernel that runs at first has to be`},
		{`{"scheduler": {"kernels": 3}` + ok, "scheduler.kernels: a number, want a list"},
		{`{"scheduler": {"kernels": [` + strings.Repeat(`"solaris10",`, 17) + `]}` + ok, "scheduler.kernels: 17 kernels, at most 16 are offered"},
		{`{"scheduler": {"unset_explanation": "pset"}` + ok, `scheduler.unset_explanation: "pset"; this scenario has nothing to explain`},
	} {
		_, err := scenario.Read("file.json", []byte(c.text))
		if assert.Error(t, err, c.text) {
			assert.True(t, strings.HasPrefix(err.Error(), "file.json: "+c.want), "%s\n  %v\n  %s", c.text, err, c.want)
		}
	}
}

func TestHostileDocumentsAreRefusedAtOnceAndInAFewWords(t *testing.T) {
	long := strings.Repeat("long", 1<<20)
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for name, c := range map[string]struct{ text, want string }{
		"too large":                         {strings.Repeat(" ", scenario.MaxBytes) + "{}", "16777218 bytes; at most 16777216 are accepted"},
		"too deep":                          {`{"resources": ` + deep(200) + ok, "not JSON: line 1, column 214: nested more than 200 deep"},
		"deep after a mark in a comment":    {`/* " */ {"resources": ` + deep(1<<20) + ok, "not JSON: line 1, column 222: nested more than 200 deep"},
		"deep after a mark in another":      {"// 5\"\n" + strings.Repeat("[", 8<<20), "not JSON: line 2, column 201: nested more than 200 deep"},
		"deep after a comment of two stars": {`/*/ " */` + deep(1<<20), "not JSON: line 1, column 209: nested more than 200 deep"},
		"deep after an escaped mark":        {`{"a\"": ` + deep(1<<20), "not JSON: line 1, column 208: nested more than 200 deep"},
		"a comment without an end":          {`/* {"tasks"`, "not JSON: "},
		"a lone slash":                      {strings.Repeat("/", 1<<20), "not JSON: "},
		"a long key":                        {`{"` + long + `": 1` + ok, "long"},
		"a long key of a task":              {`{"tasks": {"` + long + `": {"` + long + `": 1}}}`, "tasks.long"},
		"a long machine":                    {`{"machine": "` + long + `"` + ok, "machine: 4194304 bytes long, want a name of at most 64"},
		"a long kernel":                     {`{"scheduler": {"kernel": "` + long + `"}` + ok, "scheduler.kernel: 4194304 bytes long"},
		"a long class":                      {`{"tasks": {"x": {"policy": "` + long + `"}}}`, "tasks.x.policy: 4194304 bytes long"},
		"a long number":                     {`{"seed": 1` + strings.Repeat("0", 1<<22) + ok, "seed: 1000"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := scenario.Read("x", []byte(c.text))
			require.Error(t, err)
			assert.True(t, strings.HasPrefix(err.Error(), "x: "+c.want), "%.200s", err.Error())
			assert.Less(t, len(err.Error()), 600, "the message stays readable")
		})
	}
}

func TestBracketsInCommentsAndTextsDoNotCountAsDepth(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("// { [\n", 300) + `{"tasks": {"x": {"run": 1}}}`,
		`/*` + strings.Repeat("{", 300) + `*/{"tasks": {"x": {"run": 1}}}`,
		`{"title": "` + strings.Repeat("[", 300) + `"` + ok,
		`{"title": "\\", "source": {"title": "\"` + strings.Repeat("[", 300) + `"}` + ok,
	} {
		_, err := scenario.Read("x", []byte(text))
		require.NoError(t, err, "%.60s", text)
	}
}

func TestNearestFindsWhatIsMeant(t *testing.T) {
	names := []string{"machine", "scheduler", "seed", "source", "tasks", "title"}
	for name, want := range map[string]string{
		"machin": "machine", "MACHINE": "machine", "shceduler": "scheduler", "sed": "seed", "task": "tasks", "titel": "title",
		"colour": "", "": "", strings.Repeat("m", 65): "",
	} {
		assert.Equal(t, want, scenario.Nearest(name, names), name)
	}
	assert.Equal(t, "aab", scenario.Nearest("aaa", []string{"aac", "aab"}), "of equally near ones the first in the alphabet")
	assert.Empty(t, scenario.Nearest("x", nil))
}
