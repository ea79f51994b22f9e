package scenario_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/scenario"
	"strandscope/sim/workload"
)

// A file of ours in the style of those that RTAPP.md §4 describes: comments, commas
// before brackets, repeated names, a name without a value, words in capitals, old keys.
const tolerant = `{
	/* two threads and a lock */
	"tasks" : {
		"producer" : {
			"loop" : 3,
			"run" : 1000, "lock" : "m", "run" : 2000, "signal" : "c", "unlock" : "m",
			"timer" : { "ref" : "unique", "period" : 20000 },
		},
		"consumer" : {
			"loop" : 3, "priority" : -5,
			"phases" : {
				"p1" : { "lock" : "m", "wait" : { "ref" : "c", "mutex" : "m" }, "run" : 500, "unlock" : "m", },
				"p2" : { "loop" : 2, "cpus" : [ 0 ], "run" : 100, "suspend", "mem" : 4096, },
			},
		},
		"waker" : { "loop" : 10, "resume" : "consumer", "sleep" : 5000, "util_min" : 100, },
	},
	"resources" : { "m" : { "type" : "mutex" } },
	"global" : { "duration" : 2, "default_policy" : "SCHED_OTHER", "calibration" : "CPU0", "lock_pages" : True, "colour" : "red", },
}`

func TestFilesOfRtAppAreReadAsTolerantlyAsTheirReadersDo(t *testing.T) {
	s, err := scenario.Read("rt.json", []byte(tolerant))
	require.NoError(t, err)
	require.Len(t, s.Tasks, 3)
	var ops []workload.Op
	for _, step := range s.Tasks[0].Program.Steps {
		ops = append(ops, step.Op)
	}
	assert.Equal(t, []workload.Op{
		workload.Run, workload.Lock, workload.Run, workload.Signal, workload.Unlock, workload.Period, workload.Loop,
	}, ops, "both runs, in order")
	assert.Equal(t, -5, s.Tasks[1].Nice)
	assert.ElementsMatch(t, []string{
		"tasks.consumer.phases.p2.mem: 4096 bytes memory written are read as a run of 5 µs: memory and devices are not modelled",
		"tasks.waker.util_min: left out: clock rates are not modelled",
		"global.colour: not known here, and left out",
	}, s.Notes)
}

func TestAKeyThatIsNearlyKnownIsASlipInAnyDocument(t *testing.T) {
	for text, want := range map[string]string{
		`{"tasks": {"a": {"run": 1, "slep": 3}}}`:                          `did you mean "sleep"?`,
		`{"tasks": {"a": {"run": 1, "colour": 3}}, "machine": "up"}`:       "unknown key",
		`{"tasks": {"a": {"loop": 1, "run"}}}`:                             "null, want a number",
		`{"tasks": {"a": {"run": 1, "resume": "b"}}}`:                      `"b" is no task`,
		`{"tasks": {"a": {"timer": {"ref": "unique", "period": 1000}}}}`:   "an endless loop in which no time passes",
		`{"tasks": {"a": {"loop": 1, "phases": {"x": {"cpus": 3}}}}}`:      "cpus",
		`{"tasks": {"a": {"run": 1, "barrier": ""}}}`:                      "empty, want a name",
		`{"tasks": {"a": {"phases": {"x": {"run": 1, "priority": 200}}}}}`: "priority",
	} {
		_, err := scenario.Read("rt.json", []byte(text))
		require.ErrorContains(t, err, want, text)
	}
}

func TestABarrierWaitsForAllWhoNameIt(t *testing.T) {
	s, err := scenario.Read("rt.json", []byte(`{"tasks": {
		"a": {"instance": 3, "loop": 2, "run": 10, "barrier": "b"},
		"b": {"loop": 2, "run": 10, "barrier": "b", "barrier": "own"}}}`))
	require.NoError(t, err)
	for _, task := range s.Tasks {
		for _, step := range task.Program.Steps {
			if step.Op == workload.Barrier {
				assert.Equal(t, map[string]int64{"b": 4, "own": 1}[step.Name], step.Count)
			}
		}
	}
}
