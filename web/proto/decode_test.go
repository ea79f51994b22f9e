package proto

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/render/act"
	"strandscope/sim"
	"strandscope/sim/clock"
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
		{`{"v":1,"cmd":"select","strand":14}`, strand},
		{`{"v":1,"cmd":"select","thread":40}`, thread},
		{`{"v":1,"cmd":"select"}`, act.Select{}},
		{`{"v":1,"cmd":"theme","name":"light"}`, act.Theme{Name: "light"}},
		{`{"v":1,"cmd":"resize","width":950,"height":450,"scale":1500}`, act.Resize{Width: 950, Height: 450, ScalePermille: 1500}},
		{`{"v":1,"cmd":"show","visible":false}`, act.Show{}},
	}
	for _, tt := range tests {
		m, err := Decode([]byte(tt.text))
		require.NoError(t, err, tt.text)
		assert.Equal(t, tt.want, m.Command, tt.text)
	}
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
}

func TestBadMessagesAreRefusedByName(t *testing.T) {
	tests := []struct{ text, want string }{
		{``, `message: want one JSON object`},
		{`[]`, `message: want one JSON object`},
		{`{"v":1,"cmd":"play"} x`, `message: want one JSON object`},
		{"{\"v\":1,\"cmd\":\"\xff\"}", `not UTF-8`},
		{`null`, `v is missing, want 1`},
		{`{"cmd":"play"}`, `v is missing, want 1`},
		{`{"v":2,"cmd":"play"}`, `v is 2, want 1`},
		{`{"v":1}`, `cmd is missing`},
		{`{"v":1,"cmd":7}`, `cmd is 7, want text`},
		{`{"v":1,"cmd":"paly"}`, `cmd "paly" is not known (did you mean "play"?)`},
		{`{"v":1,"cmd":"explode"}`, `cmd "explode" is not known, want one of cells, do, hello`},
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
		{`{"v":1,"cmd":"select","strand":4096}`, `strand is 4096`},
		{`{"v":1,"cmd":"select","strand":1,"thread":2}`, `key "thread" is not known`},
		{`{"v":1,"cmd":"theme","name":"pink"}`, `name is "pink", want one of dark, light`},
		{`{"v":1,"cmd":"resize","width":0,"height":1,"scale":1000}`, `width is 0`},
		{`{"v":1,"cmd":"show","visible":"no"}`, `visible is "no", want true or false`},
		{`{"v":1,"cmd":"input","kind":"sneeze"}`, `kind is "sneeze"`},
	}
	for _, tt := range tests {
		_, err := Decode([]byte(tt.text))
		require.ErrorContains(t, err, tt.want, tt.text)
	}
}

func TestErrorsStayShortHoweverLongTheValue(t *testing.T) {
	_, err := Decode([]byte(`{"v":1,"cmd":"` + strings.Repeat("x", 200) + `"}`))
	require.Error(t, err)
	assert.Less(t, len(err.Error()), 400)
	_, err = Decode([]byte(`{"v":1,"cmd":"theme","name":"` + strings.Repeat("é", 5000) + `"}`))
	require.Error(t, err)
	assert.Less(t, len(err.Error()), 400)
}

func TestAMessageBeyondTheLimitIsRefused(t *testing.T) {
	_, err := Decode(make([]byte, MaxMessage+1))
	require.ErrorContains(t, err, "at most 16777216 are accepted")
}

func FuzzDecode(f *testing.F) {
	f.Add(`{"v":1,"n":1,"cmd":"set","key":"class","value":"FSS"}`)
	f.Add(`{"v":1,"cmd":"seek","atNs":"9223372036854775807"}`)
	f.Add(`{"v":1,"cmd":"input","kind":"tap","x":1,"y":2}`)
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
