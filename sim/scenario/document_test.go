package scenario

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
)

func withDocument(steps string) string { return `{"console": {}, "document": ` + steps + `}` }

func TestADocumentIsReadInItsOrder(t *testing.T) {
	s, err := Read("x", []byte(withDocument(`[
		{"remark": "We look first."},
		{"type": "vmstat 3 3", "prints": [" r b w", " 0 0 0"]},
		{"type": "top", "watch": 11},
	]`)))
	require.NoError(t, err)
	assert.Equal(t, []Step{
		{Remark: "We look first.", Watch: 6 * clock.Second},
		{Type: "vmstat 3 3", Prints: []string{" r b w", " 0 0 0"}, Watch: 6 * clock.Second},
		{Type: "top", Watch: 11 * clock.Second},
	}, s.Document)
	assert.Equal(t, s.Document, s.Rebooted("FSS").Document, "the document goes on after a reboot")
}

func TestABadDocumentIsRefusedByName(t *testing.T) {
	long := strings.Repeat("x", 5000)
	for _, tt := range []struct{ steps, want string }{
		{`{}`, `document: an object, want a list`},
		{`[{}]`, `document[0]: type: missing; a step has a remark or a line that is typed`},
		{`[{"type": 7}]`, `document[0].type: a number, want a text`},
		{`[{"type": "a", "remark": "b"}]`, `document[0]: both a remark and a line that is typed; want two steps`},
		{`[{"remark": "b", "prints": ["a"]}]`, `document[0]: prints: a remark prints nothing`},
		{`[{"remark": "b", "watch": 3}]`, `document[0]: watch: a remark is no program`},
		{`[{"type": "a"}, {"tipe": "a"}]`, `document[1].tipe: unknown key; did you mean "type"?`},
		{`[{"type": "a\nb"}]`, `document[0].type: more than one line, want one`},
		{`[{"type": "` + long + `"}]`, `document[0].type: 5000 bytes long, want at most 4096`},
		{`[{"type": "a", "prints": ["` + long + `"]}]`, `document[0].prints[0]: 5000 bytes long, want at most 4096`},
		{`[{"type": "a", "prints": "b"}]`, `document[0].prints: a text, want a list`},
		{`[{"type": "a", "watch": 0}]`, `document[0].watch: 0, want 1 to 3600`},
		{`[{"type": "a", "prints": [` + strings.Repeat(`"",`, 501) + `]}]`, `document[0].prints: 501 lines; at most 500 are accepted`},
		{`[` + strings.Repeat(`{"remark": "a"},`, 201) + `]`, `document: 201 steps; at most 200 are accepted`},
	} {
		_, err := Read("x", []byte(withDocument(tt.steps)))
		require.EqualError(t, err, "x: "+tt.want, tt.want)
	}
}

func TestTypedLinesAndRemarksAreSettings(t *testing.T) {
	s, err := Builtin("t2000")
	require.NoError(t, err)
	require.NoError(t, s.Apply("type@5s", ""), "Enter alone")
	require.NoError(t, s.Apply("remark@4s", "We wait."))
	require.EqualError(t, s.Apply("do@5s", ""), "do@5s: an empty command line")
	require.EqualError(t, s.Apply("remark@soon", "x"), `remark@soon: "soon" is no time in the run; want such as remark@5s`)
	assert.Equal(t, []Command{
		{At: 4 * clock.Second, Line: "We wait.", Remark: true},
		{At: 5 * clock.Second, Typed: true},
	}, s.Commands)
	require.NoError(t, s.Apply("reboot", "FSS"))
	assert.True(t, s.Booted)
	assert.Empty(t, s.Commands)
	assert.Equal(t, "FSS", s.Scheduler.DefaultClass)
}
