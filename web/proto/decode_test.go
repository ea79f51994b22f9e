package proto

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/render/act"
	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/console"
)

func TestEachCommandIsRead(t *testing.T) {
	strand := act.Select{}
	strand.Kind, strand.CPU = act.StrandSelection, 14
	thread := act.Select{}
	thread.Kind, thread.Thread = act.ThreadSelection, 40
	tests := []struct {
		text string
		want act.Command
	}{
		{`{"v":1,"cmd":"load","scenario":"t2000-fss"}`, act.Load{Scenario: "t2000-fss"}},
		{`{"v":1,"cmd":"loadText","name":"a.json","text":"{}"}`, act.LoadText{Name: "a.json", Text: "{}"}},
		{`{"v":1,"cmd":"set","key":"class","value":"FSS"}`, act.Set{Key: "class", Value: "FSS"}},
		{`{"v":1,"cmd":"reset"}`, act.Reset{}},
		{`{"v":1,"cmd":"play"}`, act.Play{}},
		{`{"v":1,"cmd":"pause"}`, act.Pause{}},
		{`{"v":1,"cmd":"step"}`, act.Step{}},
		{`{"v":1,"cmd":"stepBack"}`, act.StepBack{}},
		{`{"v":1,"cmd":"stepDecision"}`, act.StepDecision{}},
		{`{"v":1,"cmd":"stepDecisionBack"}`, act.StepDecisionBack{}},
		{`{"v":1,"cmd":"runTo","to":"migration"}`, act.RunTo{To: sim.Condition{Kind: sim.OnMigration}, For: clock.Hour}},
		{
			`{"v":1,"cmd":"runTo","to":"load1 > 3.5","forNs":"2000000000"}`,
			act.RunTo{To: sim.Condition{Kind: sim.OnLoad, Minutes: 1, Load: 3500}, For: 2 * clock.Second},
		},
		{`{"v":1,"cmd":"seek","atNs":"10000000000"}`, act.Seek{At: clock.Time(10 * clock.Second)}},
		{`{"v":1,"cmd":"speed","permille":10}`, act.Speed{Permille: 10}},
		{`{"v":1,"cmd":"do","line":"psradm -f 14"}`, act.Do{Line: "psradm -f 14"}},
		{`{"v":1,"cmd":"type","line":"vmstat 3 3"}`, act.Type{Line: "vmstat 3 3"}},
		{`{"v":1,"cmd":"type","line":""}`, act.Type{}},
		{`{"v":1,"cmd":"type","line":"\u0000\ud800"}`, act.Type{Line: "\x00\ufffd"}},
		{`{"v":1,"cmd":"interrupt"}`, act.Interrupt{}},
		{`{"v":1,"cmd":"finish"}`, act.Finish{}},
		{`{"v":1,"cmd":"tell","step":3}`, act.Tell{Step: 3}},
		{`{"v":1,"cmd":"select","strand":14}`, strand},
		{`{"v":1,"cmd":"select","thread":40}`, thread},
		{`{"v":1,"cmd":"select"}`, act.Select{}},
		{`{"v":1,"cmd":"theme","name":"light"}`, act.Theme{Name: "light"}},
		{`{"v":1,"cmd":"resize","width":950,"height":450,"scale":1500}`, act.Resize{Width: 950, Height: 450, ScalePermille: 1500}},
		{`{"v":1,"cmd":"show","visible":false}`, act.Show{}},
		{`{"v":1,"cmd":"zoom","fromNs":"10000000000","toNs":"12500000000"}`, act.Zoom{From: clock.Time(10 * clock.Second), To: clock.Time(12500 * clock.Millisecond)}},
		{`{"v":1,"cmd":"follow","lastNs":"20000000"}`, act.Follow{Last: 20 * clock.Millisecond}},
		{`{"v":1,"cmd":"follow","lastNs":"0"}`, act.Follow{}},
		{`{"v":1,"cmd":"freeze","on":true}`, act.Freeze{On: true}},
		{`{"v":1,"cmd":"point","strand":3,"atNs":"7"}`, act.Point{Cursor: sim.Cursor{On: true, CPU: 3, At: 7}}},
		{`{"v":1,"cmd":"point"}`, act.Point{}},
		{`{"v":1,"cmd":"plots","lastNs":"60000000000"}`, act.Plots{PlotRange: act.PlotRange{Last: clock.Minute}}},
		{`{"v":1,"cmd":"plots","same":true}`, act.Plots{PlotRange: act.PlotRange{Same: true}}},
	}
	for _, tt := range tests {
		m, err := Decode([]byte(tt.text))
		require.NoError(t, err, tt.text)
		assert.Equal(t, tt.want, m.Command, tt.text)
	}
}

func TestALineOfAnyLengthReachesTheConsole(t *testing.T) {
	line := strings.Repeat("x", 1<<20)
	m, err := Decode([]byte(`{"v":1,"cmd":"type","line":"` + line + `"}`))
	require.NoError(t, err)
	assert.Equal(t, act.Type{Line: line}, m.Command, "which says itself that it is too long")
	_, err = Decode([]byte(`{"v":1,"cmd":"type","line":"` + strings.Repeat("x", MaxMessage) + `"}`))
	require.ErrorContains(t, err, "at most 16777216 are accepted")
	_, err = Decode([]byte(`{"v":1,"cmd":"set","key":"type@1s","value":"` + line[:console.MaxLine] + `"}`))
	require.NoError(t, err, "what was typed can be typed again")
}

func TestACompletionIsAQuestion(t *testing.T) {
	m, err := Decode([]byte(`{"v":1,"n":4,"cmd":"complete","text":"vms"}`))
	require.NoError(t, err)
	assert.Equal(t, Message{Seq: 4, Ask: AskComplete, Text: "vms"}, m)
	_, err = Decode([]byte(`{"v":1,"cmd":"complete","text":"` + strings.Repeat("x", console.MaxLine+1) + `"}`))
	require.ErrorContains(t, err, `message "complete": text has 65537 bytes, want text of at most 65536 bytes`)
}

// How many exercises is not the number of the message, for which its sender waits.
func TestExercisesAreAQuestionWithACountBesideItsNumber(t *testing.T) {
	m, err := Decode([]byte(`{"v":1,"n":266,"cmd":"exercises","seed":7,"count":4}`))
	require.NoError(t, err)
	assert.Equal(t, Message{Seq: 266, Ask: AskExercises, Seed: 7, N: 4}, m)
	_, err = Decode([]byte(`{"v":1,"n":266,"cmd":"exercises","seed":7,"count":51}`))
	require.ErrorContains(t, err, "count")
}

func TestTheNumberOfAMessageComesBackEvenWithAnError(t *testing.T) {
	m, err := Decode([]byte(`{"v":1,"n":7,"cmd":"play"}`))
	require.NoError(t, err)
	assert.EqualValues(t, 7, m.Seq)
	m, err = Decode([]byte(`{"v":1,"n":8,"cmd":"fly"}`))
	require.Error(t, err)
	assert.EqualValues(t, 8, m.Seq)
}

func TestInputFromTheCanvas(t *testing.T) {
	m, err := Decode([]byte(`{"v":1,"cmd":"input","kind":"tap","x":12,"y":34}`))
	require.NoError(t, err)
	assert.Equal(t, &Input{Kind: Tap, X: 12, Y: 34}, m.Input)
	m, err = Decode([]byte(`{"v":1,"cmd":"input","kind":"key","key":"ArrowLeft"}`))
	require.NoError(t, err)
	assert.Equal(t, &Input{Kind: Key, Key: "ArrowLeft"}, m.Input)
	m, err = Decode([]byte(`{"v":1,"cmd":"input","kind":"key","key":"ArrowLeft","shift":true}`))
	require.NoError(t, err)
	assert.Equal(t, &Input{Kind: Key, Key: "ArrowLeft", Shift: true}, m.Input)
	m, err = Decode([]byte(`{"v":1,"cmd":"input","kind":"drag","fromX":1,"fromY":2,"x":3,"y":4,"dx":-5,"shift":true,"done":true}`))
	require.NoError(t, err)
	assert.Equal(t, &Input{Kind: Drag, FromX: 1, FromY: 2, X: 3, Y: 4, DX: -5, Shift: true, On: true}, m.Input)
	m, err = Decode([]byte(`{"v":1,"cmd":"input","kind":"turn","x":3,"y":4,"notches":-2}`))
	require.NoError(t, err)
	assert.Equal(t, &Input{Kind: Turn, X: 3, Y: 4, Notches: -2}, m.Input)
}

func TestBadMessagesAreRefusedByName(t *testing.T) {
	tests := []struct{ text, want string }{
		{``, `message: want one JSON object`},
		{`[]`, `message: want one JSON object`},
		{`{"v":1,"cmd":"play"} x`, `message: want one JSON object`},
		{"{\"v\":1,\"cmd\":\"\xff\"}", `not UTF-8`},
		{`null`, `message: want one JSON object, not null`},
		{`{}`, `v is missing, want 1`},
		{`{"cmd":"play"}`, `v is missing, want 1`},
		{`{"v":2,"cmd":"play"}`, `v is 2, want 1`},
		{`{"v":1}`, `cmd is missing`},
		{`{"v":1,"cmd":7}`, `cmd is 7, want text`},
		{`{"v":1,"cmd":"paly"}`, `cmd "paly" is not known (did you mean "play"?)`},
		{`{"v":1,"cmd":"explode"}`, `cmd "explode" is not known, want one of cells, compare, complete, cores, do, exercises, export, finish, focus, follow`},
		{`{"v":1,"CMD":"play"}`, `cmd is missing`},
		{`{"v":1,"cmd":"play","now":true}`, `message "play": key "now" is not known`},
		{`{"v":1,"cmd":"set","key":"class","vaule":"FSS"}`, `message "set": value is missing`},
		{`{"v":1,"cmd":"load","scenario":null}`, `message "load": scenario is null, want text`},
		{`{"v":1,"cmd":"speed","permille":0}`, `permille is 0, want a whole number from 10 to 10000000`},
		{`{"v":1,"cmd":"speed","permille":1e3}`, `permille is 1e3, want a whole number`},
		{`{"v":1,"cmd":"speed","permille":99999999999999999999}`, `want a whole number`},
		{`{"v":1,"cmd":"runTo","to":"switch init"}`, `message "runTo": run to: switch "init", want a process id of 1 or more`},
		{`{"v":1,"cmd":"runTo"}`, `to is missing, want text`},
		{`{"v":1,"cmd":"runTo","to":"decision","forNs":5}`, `forNs is 5, want text`},
		{`{"v":1,"cmd":"stepBack","ticks":2}`, `message "stepBack"`},
		{`{"v":1,"cmd":"seek","atNs":"-1"}`, `atNs is "-1", want whole nanoseconds`},
		{`{"v":1,"cmd":"seek","atNs":12}`, `atNs is 12, want text`},
		{`{"v":1,"cmd":"type"}`, `message "type": line is missing`},
		{`{"v":1,"cmd":"interrupt","now":1}`, `message "interrupt": key "now" is not known`},
		{`{"v":1,"cmd":"tell","step":-1}`, `step is -1, want a whole number from 0 to 999`},
		{`{"v":1,"cmd":"select","strand":4096}`, `strand is 4096`},
		{`{"v":1,"cmd":"select","strand":1,"thread":2}`, `key "thread" is not known`},
		{`{"v":1,"cmd":"theme","name":"pink"}`, `name is "pink", want one of dark, light`},
		{`{"v":1,"cmd":"resize","width":0,"height":1,"scale":1000}`, `width is 0`},
		{`{"v":1,"cmd":"show","visible":"no"}`, `visible is "no", want true or false`},
		{`{"v":1,"cmd":"input","kind":"sneeze"}`, `kind is "sneeze"`},
		{`{"v":1,"cmd":"input","kind":"turn","x":3,"y":4,"notches":101}`, `notches is 101, want a whole number from -100 to 100`},
		{`{"v":1,"cmd":"input","kind":"drag","x":3,"y":4}`, `is missing`},
		{`{"v":1,"cmd":"zoom","fromNs":"5"}`, `message "zoom": toNs is missing`},
		{`{"v":1,"cmd":"zoom","fromNs":"5","toNs":"2592000000000001"}`, `toNs is "2592000000000001", want whole nanoseconds from 0 to 2592000000000000`},
		{`{"v":1,"cmd":"point","strand":1}`, `message "point": atNs is missing`},
		{`{"v":1,"cmd":"plots","same":true,"lastNs":"5"}`, `key "lastNs" is not known`},
	}
	for _, tt := range tests {
		_, err := Decode([]byte(tt.text))
		require.ErrorContains(t, err, tt.want, tt.text)
	}
}

func TestErrorsStayShortHoweverLongTheValue(t *testing.T) {
	_, err := Decode([]byte(`{"v":1,"cmd":"` + strings.Repeat("x", 200) + `"}`))
	require.Error(t, err)
	assert.Less(t, len(err.Error()), 600)
	_, err = Decode([]byte(`{"v":1,"cmd":"theme","name":"` + strings.Repeat("é", 5000) + `"}`))
	require.Error(t, err)
	assert.Less(t, len(err.Error()), 600)
}

func TestAMessageBeyondTheLimitIsRefused(t *testing.T) {
	_, err := Decode(make([]byte, MaxMessage+1))
	require.ErrorContains(t, err, "at most 16777216 are accepted")
}

func FuzzDecode(f *testing.F) {
	f.Add(`{"v":1,"n":1,"cmd":"set","key":"class","value":"FSS"}`)
	f.Add(`{"v":1,"cmd":"seek","atNs":"9223372036854775807"}`)
	f.Add(`{"v":1,"cmd":"input","kind":"tap","x":1,"y":2}`)
	f.Add(`{"v":1,"cmd":"zoom","fromNs":"1","toNs":"2000000"}`)
	f.Add(`{"v":1,"cmd":"resize","width":1,"height":1,"scale":100}`)
	f.Add(`{"v":[[[[]]]],"cmd":{}}`)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Decode([]byte(text))
		set := 0
		for _, is := range []bool{m.Command != nil, m.Input != nil, m.Ask != AskNothing} {
			if is {
				set++
			}
		}
		if err != nil {
			assert.Zero(t, set, "a refused message must ask for nothing")
			assert.Less(t, len(err.Error()), 1000)
			return
		}
		assert.Equal(t, 1, set)
		if s, ok := m.Command.(act.Seek); ok {
			assert.LessOrEqual(t, s.At, MaxSeek)
		}
	})
}
