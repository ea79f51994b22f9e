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

func TestTheTablesHeadingsAreToldOnceAndItsValuesEachTime(t *testing.T) {
	e, s := &Encoder{}, sample()
	assert.Nil(t, encode(t, e, s)["compare"], "null, so that the page forgets it")
	known := func(n int64) compare.Value { return compare.Value{N: n, Known: true} }
	s.Compare = &Comparison{
		Right: true, Level: true, Differs: "All.",
		Sides: [2]Side{{Title: "TS"}, {Title: "FSS", Scenario: "x", Settings: []sim.Setting{{Key: "class", Value: "FSS"}}}},
		Rows:  []compare.Row{{ID: "r", Name: "waiting", Left: known(20), Right: known(0)}, {ID: "p50", Name: "latency", Unit: "ms"}},
	}
	c := encode(t, e, s)["compare"].(map[string]any)
	assert.Equal(t, []any{[]any{"20", "0", "−20"}, []any{"–", "–", "–"}}, c["values"])
	assert.Equal(t, "latency, ms", c["rows"].([]any)[1].(map[string]any)["label"])
	assert.Equal(t, "right", c["focus"])
	assert.Equal(t, []any{}, c["left"].(map[string]any)["settings"], "an empty list, not null")
	again := encode(t, e, s)["compare"].(map[string]any)
	assert.NotContains(t, again, "rows")
	assert.Contains(t, again, "values")
	s.Compare = nil
	encode(t, e, s)
	s.Compare = &Comparison{Rows: []compare.Row{{ID: "r"}}}
	assert.Contains(t, encode(t, e, s)["compare"], "rows")
}
