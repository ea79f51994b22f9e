package proto

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/sched"
)

func TestGroupsAsTheyStandNow(t *testing.T) {
	s := sample()
	s.Frame.Scenario = sim.Info{
		Groups:   []sim.Group{{Name: "perl", Project: 7}, {Name: "batch"}, {Name: "gone"}},
		Projects: []sim.Project{{ID: 7, Name: "web", Shares: 2}, {ID: 8, Name: "rest", Shares: 5}},
		Questions: []sim.Question{
			{Ask: "How many run?", Choices: []string{"12", "32"}, Answer: 1, Why: "Each has a strand."},
		},
	}
	s.Frame.Threads = []sim.Thread{
		{Name: "perl", PID: 1204, Class: "FSS", Nice: 3, Project: 7, Shares: 9},
		{Name: "perl", PID: 1205, Class: "TS", Nice: 3},
		{Name: "batch", PID: 1206, Class: "TS"},
		{Name: "batch", PID: 1207, Class: "TS", Nice: 10},
		{Name: "batch", PID: 1208, Class: "RT", State: sched.Gone},
		{Name: "perl", PID: 1, Kernel: true},
	}
	s.Typed = []Typed{{clock.Time(10 * clock.Second), "do@10s", "renice 3 -p 1204"}}
	e := &Encoder{}
	m := encode(t, e, s)
	assert.Equal(t, []any{
		map[string]any{"alive": 2.0, "nice": 3.0, "pids": []any{1204.0, 1205.0}},
		map[string]any{"alive": 2.0, "class": "TS", "pids": []any{1206.0, 1207.0}},
		map[string]any{"alive": 0.0, "pids": []any{}},
	}, m["tasks"])
	assert.Equal(t, []any{
		map[string]any{"name": "web", "shares": 9.0}, map[string]any{"name": "rest", "shares": 5.0},
	}, m["projects"], "those in force, or else the scenario's")
	assert.Equal(t, []any{map[string]any{"at": "00:00:10.00", "key": "do@10s", "line": "renice 3 -p 1204"}}, m["typed"])
	scenario := m["scenario"].(map[string]any)
	assert.Equal(t, "web", scenario["groups"].([]any)[0].(map[string]any)["project"])
	assert.Len(t, scenario["questions"], 1)
	assert.NotContains(t, encode(t, e, s), "tasks", "what did not change is not sent again")
	s.Frame.Threads[1].Class = "FSS"
	again := encode(t, e, s)
	assert.Equal(t, "FSS", again["tasks"].([]any)[0].(map[string]any)["class"])
	assert.NotContains(t, again, "scenario", "a class changed in mid-run is no other scenario")
}
