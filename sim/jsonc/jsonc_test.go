package jsonc_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tailscale/hujson"

	"strandscope/sim/jsonc"
)

var (
	plain     = jsonc.Dialect{Depth: 50}
	commented = jsonc.Dialect{Depth: 50, Comments: true}
)

func TestAValueIsATreeOfTheText(t *testing.T) {
	v, err := commented.Parse([]byte(`
// a scenario
{"a": [1, -2.5e+3, /* none */ ], "b": {"c": null,}, "a": "x\ty\u00e9\ud83d\ude00"} `))
	require.NoError(t, err)
	require.Len(t, v.Members, 3)
	assert.Equal(t, byte('{'), v.Kind())
	a, b, again := v.Members[0], v.Members[1], v.Members[2]
	assert.Equal(t, "a", a.Name)
	require.Len(t, a.Value.Elements, 2)
	assert.Equal(t, byte('0'), a.Value.Elements[1].Kind())
	assert.Equal(t, "-2.5e+3", string(a.Value.Elements[1].Raw))
	assert.Equal(t, byte('n'), b.Value.Members[0].Value.Kind())
	assert.Equal(t, `{"c": null,}`, string(b.Value.Raw))
	assert.Equal(t, "a", again.Name)
	assert.Equal(t, "x\tyé😀", again.Value.Text())
	assert.Zero(t, jsonc.Value{}.Kind())
}

func TestAFaultIsToldWhereItIs(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "line 1, column 1: the text ends, want a value",
		"{\"a\": 1\n  x":        "line 2, column 3: 'x', want ',' or '}'",
		`{a: 1}`:                "line 1, column 2: 'a', want a name in quotes",
		`{"a" 1}`:               "line 1, column 6: '1', want a colon after the name",
		`[1 2]`:                 "line 1, column 4: '2', want ',' or ']'",
		`[,]`:                   "line 1, column 2: ',', want a value",
		`[1] 2`:                 "line 1, column 5: '2', want nothing more",
		`"a`:                    "line 1, column 3: the text ends, want a closing quote",
		"\"a\nb\"":              `line 1, column 3: '\n', want a closing quote`,
		`"\x"`:                  `line 1, column 3: 'x', want one of "\/bfnrtu after \`,
		`"\u12g4"`:              `line 1, column 6: 'g', want four hexadecimal digits after \u`,
		`-`:                     "line 1, column 2: the text ends, want a digit",
		`1.e2`:                  "line 1, column 3: 'e', want a digit",
		`1e`:                    "line 1, column 3: the text ends, want a digit",
		`012`:                   "line 1, column 2: '1', want nothing more",
		`truth`:                 "line 1, column 1: 't', want a value",
		"\xff":                  "line 1, column 1: byte 0xff, want a value",
		"// no\n/* end":         "line 2, column 1: a comment that does not end",
		"1 / 2":                 "line 1, column 3: '/', want nothing more",
		strings.Repeat("[", 51): "line 1, column 51: nested more than 50 deep",
	} {
		_, err := commented.Parse([]byte(text))
		require.EqualError(t, err, want, text)
	}
	for _, text := range []string{"// c\n1", "/* c */1", "[1,]", `{"a":1,}`} {
		_, err := commented.Parse([]byte(text))
		require.NoError(t, err, text)
		_, err = plain.Parse([]byte(text))
		require.Error(t, err, text)
	}
}

// FuzzParse: without comments Parse takes what encoding/json takes, with them what
// hujson takes, and reads the same out of it.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		`{"a": [1, -0.5e-7, true, false, null, {}], "b": "\ud83d\ude00\ud800\u0041\"\\\/\b"}`,
		"// c\n[1, /* * */ 2,]", "[1 /**/]//\n", `"\ud800\ud800\udc00"`, "\"\xff\xe2\x82\"", "-", "01", "1.", `{"a":1,"a":2,}`, "[[[]]]", "tru", "{,}", "/",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := plain.Parse(text)
		if deep(err) {
			return
		}
		require.Equal(t, json.Valid(text), err == nil, "%v", err)
		if err == nil {
			var want any
			d := json.NewDecoder(bytes.NewReader(text))
			d.UseNumber()
			require.NoError(t, d.Decode(&want))
			assert.Equal(t, want, tree(v))
		}

		v, err = commented.Parse(text)
		// hujson wants more of comments: UTF-8 and none of JavaScript's other ends
		// of a line. In texts it does not.
		if deep(err) || !utf8.Valid(text) || bytes.ContainsAny(text, "\u2028\u2029") {
			return
		}
		standard, herr := hujson.Standardize(bytes.Clone(text))
		require.Equal(t, herr == nil, err == nil, "%v, hujson: %v", err, herr)
		if err == nil {
			same, err := plain.Parse(standard)
			require.NoError(t, err)
			assert.Equal(t, tree(same), tree(v))
		}
	})
}

func deep(err error) bool { return err != nil && strings.Contains(err.Error(), "nested") }

// tree is the value as encoding/json has it.
func tree(v jsonc.Value) any {
	switch v.Kind() {
	case '{':
		m := map[string]any{}
		for _, member := range v.Members {
			m[member.Name] = tree(member.Value)
		}
		return m
	case '[':
		list := []any{}
		for _, e := range v.Elements {
			list = append(list, tree(e))
		}
		return list
	case '"':
		return v.Text()
	case '0':
		return json.Number(v.Raw)
	case 't', 'f':
		return v.Kind() == 't'
	}
	return nil
}

func TestACommentMayBeTheLastThing(t *testing.T) {
	_, err := jsonc.Dialect{Depth: 2, Comments: true}.Parse([]byte("{} // so much for that"))
	require.NoError(t, err)
	_, err = jsonc.Dialect{Depth: 2, Comments: true}.Parse([]byte("{} /* but this"))
	require.ErrorContains(t, err, "does not end")
}
