package proto

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/render/act"
	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/machine"
	"strandscope/sim/sched"
)

func sample() *State {
	return &State{
		Frame: &sim.Frame{
			Now:      clock.Time(151400 * clock.Millisecond),
			Scenario: sim.Info{ID: "t2000-unset", Class: "unset", Groups: []sim.Group{{Name: "perl hog", Count: 32}}},
			Vmstat:   sim.Vmstat{Runnable: 20, User: 37, Idle: 63},
			Digest:   0xabc,
		},
		View:    act.View{SpeedPermille: 10_000, Selected: act.Selection{Kind: act.StrandSelection, CPU: 14}},
		Choices: sim.Choices{Classes: []sim.Choice{{Value: "FSS", Label: "FSS — fair share"}}},
	}
}

func encode(t *testing.T, e *Encoder, s *State) map[string]any {
	t.Helper()
	var m map[string]any
	require.NoError(t, json.Unmarshal(e.State(s), &m))
	return m
}

func TestStateInThePagesWords(t *testing.T) {
	m := encode(t, &Encoder{}, sample())
	assert.Equal(t, "00:02:31.40", m["now"])
	assert.Equal(t, "151400000000", m["nowNs"])
	assert.Equal(t, "0000000000000abc", m["digest"])
	assert.Equal(t, []any{}, m["printed"], "an empty list, not null")
	assert.Equal(t, map[string]any{
		"strand": 14.0, "thread": -1.0, "online": false, "alive": false, "class": "", "name": "", "nice": 0.0, "pid": 0.0,
	}, m["selected"])
	v := m["vmstat"].(map[string]any)
	assert.EqualValues(t, 20, v["r"])
	assert.EqualValues(t, 63, v["id"])
}

func TestARunsStateIsWrittenAsEncodingJSONDoes(t *testing.T) {
	session, s := typing(t)
	require.NoError(t, session.Advance(3*clock.Second))
	s.Frame = session.Frame()
	var want bytes.Buffer
	enc := json.NewEncoder(&want)
	enc.SetEscapeHTML(false)
	require.NoError(t, enc.Encode((&Encoder{}).wire(s)))
	assert.Equal(t, want.String(), string((&Encoder{}).State(s))+"\n")
	assert.Greater(t, want.Len(), 4_000)
}

func TestThreadsThatCanBeAskedAboutAreListed(t *testing.T) {
	s := sample()
	s.Frame.Threads = []sim.Thread{
		{ID: 0, Name: "fsflush", Kernel: true},
		{ID: 1, Name: "perl", PID: 1204, State: sched.Running},
		{ID: 2, Name: "perl", PID: 1205, State: sched.Gone},
	}
	m := encode(t, &Encoder{}, s)
	assert.Equal(t, []any{map[string]any{"id": 1.0, "label": "perl 1204"}}, m["threads"])
	s.Frame.Threads = make([]sim.Thread, 1000)
	for i := range s.Frame.Threads {
		s.Frame.Threads[i].State = sched.Waiting
	}
	assert.Len(t, encode(t, &Encoder{}, s)["threads"], maxListed)
}

func TestWithoutAPictureEachStrandIsALetter(t *testing.T) {
	s := sample()
	s.Frame.Machine, _ = machine.Find("t2000")
	s.Frame.CPUs = []sim.CPU{
		{Thread: 4, Online: true},
		{Thread: sched.None, Online: true},
		{Thread: sched.None, Online: true, IdleBesideWork: true},
		{Thread: sched.None},
	}
	m := encode(t, &Encoder{}, s)
	assert.Equal(t, "biwx", m["map"])
	assert.Len(t, m["cores"], 8)
	s.Picture = true
	assert.NotContains(t, encode(t, &Encoder{}, s), "map")
}

func TestWhatDidNotChangeIsNotSentAgain(t *testing.T) {
	e, s := &Encoder{}, sample()
	first := encode(t, e, s)
	assert.Contains(t, first, "scenario")
	assert.Contains(t, first, "choices")
	second := encode(t, e, s)
	assert.NotContains(t, second, "scenario")
	assert.NotContains(t, second, "choices")
	s.Frame.Scenario.Class = "FSS"
	third := encode(t, e, s)
	assert.Contains(t, third, "scenario")
	assert.NotContains(t, third, "choices")
	e.Forget()
	assert.Contains(t, encode(t, e, s), "choices")
}

func TestTheRangeIsToldAsOneCouldTypeIt(t *testing.T) {
	s := sample()
	told := func() map[string]any { return encode(t, &Encoder{}, s)["range"].(map[string]any) }
	assert.Equal(t, "last 10 s", told()["text"])
	assert.Equal(t, "latest", told()["kind"])
	assert.Equal(t, "141400000000", told()["fromNs"])
	s.View.Timeline = act.Range{Kind: act.Fixed, From: clock.Time(10 * clock.Second), To: clock.Time(12500 * clock.Millisecond)}
	assert.Equal(t, "10 s – 12.5 s", told()["text"])
	assert.Equal(t, "12500000000", told()["toNs"])
	s.View.Timeline = act.Range{Kind: act.Whole}
	s.View.Plots.Same = true
	assert.Equal(t, "all", told()["text"])
	assert.Equal(t, "0", told()["lastNs"])
	assert.Equal(t, true, told()["plotsSame"])
}
