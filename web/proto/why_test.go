package proto

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/render/act"
	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/sched"
)

func TestAnAnswerGoesWithItsTables(t *testing.T) {
	s := sample()
	s.Why = sim.Answer{
		Title: "Why?", Lines: []string{"So."}, Source: "disp.c: disp", Compared: "priority", Left: 2, Unknown: "The rest.",
		Candidates: []sim.Candidate{{Thread: 7, Name: "perl 1211", Figure: "priority 49", Winner: true}},
		Culprits:   []sim.Culprit{{Thread: sched.None, Name: "others", Times: 3, For: 20 * clock.Millisecond}},
		Past:       true, At: 1500, CPU: 3,
	}
	w := encode(t, &Encoder{}, s)["why"].(map[string]any)
	assert.Equal(t, "disp.c: disp", w["source"])
	assert.Equal(t, "The rest.", w["unknown"])
	assert.Equal(t, "1500", w["atNs"])
	assert.EqualValues(t, 3, w["strand"])
	tables := w["tables"].([]any)
	require.Len(t, tables, 2)
	assert.Equal(t, map[string]any{
		"title": "Compared by priority", "columns": []any{"task", "figure", "where"}, "more": "and 2 more",
		"rows": []any{map[string]any{"cells": []any{"perl 1211", "priority 49", ""}, "winner": true, "thread": 7.0}},
	}, tables[0])
	assert.Equal(t, []any{map[string]any{"cells": []any{"others", "3 times", "for 20 ms"}, "thread": -1.0}}, tables[1].(map[string]any)["rows"])
	s.Why = sim.Answer{}
	w = encode(t, &Encoder{}, s)["why"].(map[string]any)
	assert.Equal(t, []any{}, w["tables"])
	assert.Empty(t, w["atNs"])
}

func TestStartedTasksAreThoseOfNoGroup(t *testing.T) {
	s := sample()
	s.Frame.Scenario.Groups = []sim.Group{{Name: "perl"}}
	s.Frame.Threads = []sim.Thread{
		{PID: 1, Name: "perl"},
		{PID: 2, Name: "sh", State: sched.Sleeping},
		{PID: 3, Name: "editor", Class: "TS", Nice: 5},
		{PID: 4, Name: "editor", Class: "FX", Nice: 5},
		{PID: 5, Name: "sched", Kernel: true},
		{PID: 6, Name: "gone", State: sched.Gone},
	}
	s.View.Selected = act.Selection{Kind: act.ThreadSelection, Thread: 2}
	m := encode(t, &Encoder{}, s)
	assert.Equal(t, []any{map[string]any{"name": "editor", "alive": 2.0, "nice": 5.0, "pids": []any{3.0, 4.0}}}, m["started"])
	sel := m["selected"].(map[string]any)
	assert.Equal(t, []any{"editor", "TS", 5.0, 3.0, true}, []any{sel["name"], sel["class"], sel["nice"], sel["pid"], sel["alive"]})
}

func TestTravelIsTold(t *testing.T) {
	s := sample()
	s.Furthest, s.Undo, s.Redo = 9_000_000_000, "psradm -f 3", "kill 7"
	m := encode(t, &Encoder{}, s)
	assert.Equal(t, []any{"9000000000", "psradm -f 3", "kill 7"}, []any{m["furthestNs"], m["undo"], m["redo"]})
	for cmd, want := range map[string]act.Command{"undo": act.Undo{}, "redo": act.Redo{}, "stop": act.Stop{}} {
		got, err := Decode([]byte(`{"v":1,"cmd":"` + cmd + `"}`))
		require.NoError(t, err)
		assert.Equal(t, want, got.Command)
	}
}
