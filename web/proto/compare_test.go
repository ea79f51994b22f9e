package proto

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/render/act"
	"strandscope/sim"
	"strandscope/sim/compare"
)

func TestCommandsOfAComparison(t *testing.T) {
	for text, want := range map[string]act.Command{
		`{"v":1,"cmd":"compare","settings":[{"key":"class","value":"FSS"}]}`:        act.Compare{Settings: []sim.Setting{{Key: "class", Value: "FSS"}}},
		`{"v":1,"cmd":"compare","scenario":"t2000-fss","settings":[],"alone":true}`: act.Compare{Scenario: "t2000-fss", Alone: true},
		`{"v":1,"cmd":"fork"}`:                                      act.Fork{},
		`{"v":1,"cmd":"fork","line":"psradm -f 3"}`:                 act.Fork{Line: "psradm -f 3"},
		`{"v":1,"cmd":"fork","key":"class","value":"FX"}`:           act.Fork{Key: "class", Value: "FX"},
		`{"v":1,"cmd":"swap"}`:                                      act.Swap{},
		`{"v":1,"cmd":"focus","side":"right"}`:                      act.Focus{Right: true},
		`{"v":1,"cmd":"focus","side":"left"}`:                       act.Focus{},
		`{"v":1,"cmd":"uncompare"}`:                                 act.Uncompare{},
		`{"v":1,"cmd":"set","key":"class","value":"X","both":true}`: act.Set{Key: "class", Value: "X", Both: true},
		`{"v":1,"cmd":"do","line":"x","both":false}`:                act.Do{Line: "x"},
	} {
		m, err := Decode([]byte(text))
		require.NoError(t, err, text)
		assert.Equal(t, want, m.Command, text)
	}
	for text, want := range map[string]string{
		`{"v":1,"cmd":"compare"}`:                                              `message "compare": settings is missing, want a list of settings`,
		`{"v":1,"cmd":"compare","settings":[{"key":"a"}]}`:                     `settings[0] is not a setting`,
		`{"v":1,"cmd":"compare","settings":{"class":"FSS"}}`:                   `settings is {"class":"FSS"}, want a list of at most 10000 settings`,
		`{"v":1,"cmd":"compare","settings":[{"key":"a","value":1}]}`:           `settings[0] is not a setting`,
		`{"v":1,"cmd":"focus","side":"up"}`:                                    `side is "up", want one of left, right`,
		`{"v":1,"cmd":"fork","line":"x","key":"class","value":"FSS"}`:          `key "key" is not known`,
		`{"v":1,"cmd":"do","line":"x","both":1}`:                               `both is 1, want true or false`,
		`{"v":1,"cmd":"compare","settings":[{"key":"a","value":"b","c":"d"}]}`: `settings[0] is not a setting`,
	} {
		_, err := Decode([]byte(text))
		require.ErrorContains(t, err, want, text)
	}
}

func TestTheSidesOfAComparisonAreTold(t *testing.T) {
	e, s := &Encoder{}, sample()
	assert.Nil(t, encode(t, e, s)["compare"], "null, so that the page forgets it")
	s.Compare = &Comparison{
		Right: true, Level: true, Titles: [2]string{"TS", "FSS"},
		Facts:    [2]sim.RunFacts{{Scenario: "X"}, {ID: "x", Scenario: "X", Class: "FSS"}},
		Settings: [2][]sim.Setting{nil, {{Key: "class", Value: "FSS"}}},
		Typed:    [2][]Typed{nil, {{At: 4_000_000_000, Key: "do@4s", Do: "psradm -f 3"}}},
	}
	s.Compare.Figures[1] = compare.Figures{
		Now: 1, OnlineTime: 1<<63 - 1, P99: 7, Projects: []compare.Project{{ID: 3, Name: "a", Fair: true, Shares: 5, Entitled: 6, Received: 8}},
	}
	c := encode(t, e, s)["compare"].(map[string]any)
	assert.Equal(t, "right", c["focus"])
	left, right := c["left"].(map[string]any), c["right"].(map[string]any)
	assert.Equal(t, []any{}, left["settings"], "an empty list, not null")
	assert.Equal(t, []any{}, left["projects"])
	assert.Equal(t, "FSS", right["title"])
	assert.Equal(t, "x", right["scenario"])
	assert.Equal(t, []any{"X", "", "", "FSS", ""}, right["facts"])
	assert.Equal(t, []any{map[string]any{"at": "00:00:04.00", "key": "do@4s", "line": "psradm -f 3"}}, right["typed"])
	assert.Equal(t, "1 0 0 0 0 0 0 0 9223372036854775807 0 0 0 0 0 0 0 0 0 0 0 0 0 7 ", right["figures"], "to the last digit")
	assert.Equal(t, []any{map[string]any{"name": "a", "figures": "3 1 5 6 8 "}}, right["projects"])
}
