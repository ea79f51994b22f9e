package proto

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/document"
)

// console is what the page is told of a session's console.
func consoleTold(t *testing.T, e *Encoder, s *State) wireConsole {
	t.Helper()
	var m struct{ Console wireConsole }
	require.NoError(t, json.Unmarshal(e.State(s), &m))
	return m.Console
}

func typing(t *testing.T) (*sim.Session, *State) {
	t.Helper()
	s, err := sim.Open("t2000")
	require.NoError(t, err)
	return s, &State{Frame: s.Frame(), Console: Console{Epoch: 1, Log: s.Console().Log(), Prompt: "# "}}
}

func TestOnlyNewLinesOfTheLogAreSent(t *testing.T) {
	run, s := typing(t)
	var e Encoder
	assert.Equal(t, wireConsole{Epoch: 1, Lines: []wireLine{}, Prompt: "# ", Told: wireTold{Found: []wireFound{}}}, consoleTold(t, &e, s))
	run.Type("echo a")
	c := consoleTold(t, &e, s)
	assert.Equal(t, []wireLine{{At: "00:00:00.00", Kind: "input", Text: "# echo a"}, {At: "00:00:00.00", Kind: "output", Text: "a"}}, c.Lines)
	run.Type("nosuch")
	c = consoleTold(t, &e, s)
	assert.Equal(t, 2, c.From)
	require.Len(t, c.Lines, 2)
	assert.Equal(t, "error", c.Lines[1].Kind)
	c = consoleTold(t, &e, s)
	assert.Equal(t, 4, c.From)
	assert.Empty(t, c.Lines)
	s.Console.Epoch = 2
	assert.Len(t, consoleTold(t, &e, s).Lines, 4, "another log is told from its beginning")
	e.Forget()
	assert.Len(t, consoleTold(t, &e, s).Lines, 4)
	run.Type("clear")
	c = consoleTold(t, &e, s)
	assert.Equal(t, c.First, c.From)
	assert.Positive(t, c.First, "lines before it are gone")
}

func TestALongLogIsCut(t *testing.T) {
	run, s := typing(t)
	run.Type("seq 9000")
	var e Encoder
	c := consoleTold(t, &e, s)
	require.Len(t, c.Lines, mostLines)
	assert.Equal(t, "9000", c.Lines[mostLines-1].Text)
	assert.Equal(t, 9001-mostLines, c.From)
}

func TestOffsetsAreThoseOfScripts(t *testing.T) {
	text := "é 𝄞 x"
	at := strings.Index(text, "x")
	assert.Equal(t, []int{0, 1, 2, 4, 5, 6}, units(text, []int{0, 2, 3, 7, at, at + 1}))
	assert.Equal(t, []int{0, 6}, units(text, []int{-1, 99}))
	assert.Nil(t, units(text, nil))
}

func TestDecorationAndMarksStandWhereTheyBelong(t *testing.T) {
	run, s := typing(t)
	run.Type("echo 'é 38'")
	s.Console.Screen = []string{"a \x0e12\x0f 𝄞 5"}
	s.Console.Told = Told{Step: 1, Found: []Found{
		{Step: 0, First: 1, Marks: []document.Mark{{Line: 0, From: 3, To: 5, Printed: "37"}}, Result: "x"},
	}}
	c := consoleTold(t, &Encoder{}, s)
	assert.Equal(t, []wireLine{{Kind: "output", Text: "a 12 𝄞 5", Deco: []int{2, 4}}}, c.Screen)
	assert.Equal(t, []wireMark{{0, 2, 4, "37"}}, c.Told.Found[0].Marks)
}

func TestWhatWasTypedIsToldWhenItChanged(t *testing.T) {
	_, s := typing(t)
	var e Encoder
	tellTyped := func() any {
		var m map[string]any
		require.NoError(t, json.Unmarshal(e.State(s), &m))
		return m["typed"]
	}
	assert.Equal(t, []any{}, tellTyped())
	assert.Nil(t, tellTyped())
	s.Typed = []Typed{{0, "type@0ns", "\x03"}}
	assert.Equal(t, []any{map[string]any{"at": "00:00:00.00", "key": "type@0ns", "line": "\x03"}}, tellTyped())
	assert.Nil(t, tellTyped())
}

func TestOffersAreLimited(t *testing.T) {
	var words []string
	for i := range maxOffers + 3 {
		words = append(words, fmt.Sprint("w", i))
	}
	var m struct {
		N, More int
		Text    string
		Words   []string
	}
	require.NoError(t, json.Unmarshal(Offers(7, "w", words), &m))
	assert.Len(t, m.Words, maxOffers)
	assert.Equal(t, 3, m.More)
	assert.Equal(t, 7, m.N)
	assert.JSONEq(t, `{"v":1,"type":"offers","n":0,"text":"","words":[],"more":0}`, string(Offers(0, "", nil)))
}
