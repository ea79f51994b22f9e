package jsonc_test

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/jsonc"
)

type inner struct {
	Text string `json:"text"`
	Deco []int  `json:"deco,omitempty"`
}

type outer struct {
	On     bool      `json:"on"`
	Small  int8      `json:"small"`
	Number int64     `json:"number,omitempty"`
	Name   string    `json:"name,omitempty"`
	List   []inner   `json:"list"`
	Pair   [2]string `json:"pair,omitempty"`
	One    *inner    `json:"one,omitempty"`
	Empty  inner     `json:"empty,omitempty"`
	Many   *[]string `json:"many,omitempty"`
	Left   *bool     `json:"left"`
}

// standard is what encoding/json writes, < and > as they are.
func standard(t *testing.T, v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	require.NoError(t, e.Encode(v))
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

func TestStructsAreWrittenAsEncodingJSONDoes(t *testing.T) {
	none := []string{}
	for _, v := range []any{
		outer{},
		&outer{
			On: true, Small: -128, Number: math.MinInt64, Name: "a\"b\\c/<é😀\x00\x1f\n\t\b\x7f",
			List: []inner{{"", []int{1, -2}}, {"x", nil}, {"y", []int{}}}, Pair: [2]string{"", "p"},
			One: &inner{}, Many: &none, Left: new(bool),
		},
		[]int(nil), []int{}, [0]int{}, "", true, named(3),
	} {
		assert.Equal(t, standard(t, v), string(jsonc.Append(nil, v)))
	}
	assert.Equal(t, `[1`, string(jsonc.Append([]byte("["), 1)))
}

type named int

func TestAValueThatCannotBeWrittenPanics(t *testing.T) {
	assert.PanicsWithValue(t, "jsonc: cannot write a value of type float64", func() { jsonc.Append(nil, []float64{1}) })
	assert.PanicsWithValue(t, "jsonc: field Bare of struct { Bare int } has no tag with a name",
		func() { jsonc.Append(nil, struct{ Bare int }{}) })
}

func FuzzAppend(f *testing.F) {
	f.Add("a\u2028\ufffd\"\\", int64(5))
	f.Add("\xff\xed\xa0\x80", int64(-1))
	f.Fuzz(func(t *testing.T, text string, n int64) {
		v := outer{Name: text, Number: n, Many: &[]string{text, ""}}
		var got, want outer
		require.NoError(t, json.Unmarshal(jsonc.Append(nil, v), &got))
		require.NoError(t, json.Unmarshal([]byte(standard(t, v)), &want))
		assert.Equal(t, want, got)
	})
}
