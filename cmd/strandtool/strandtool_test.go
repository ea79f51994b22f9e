package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/cmd/internal/tracefile"
	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/scenario"
)

// sink is a page that keeps what it gets.
type sink struct {
	file   []byte
	chunks []int // by their sizes
	told   []clock.Time
}

func (s *sink) chunk(b []byte)                 { s.file, s.chunks = append(s.file, b...), append(s.chunks, len(b)) }
func (s *sink) progress(now clock.Time, _ int) { s.told = append(s.told, now) }

func TestAFileIsThatOfTheCommandLineWithTheDigestOfItsRun(t *testing.T) {
	const document = `{"machine": "t1000", /* one's own */ "tasks": {"hog": {"instance": 40, "run": 1000, "sleep": 300}}}`
	open := func(s *sim.Session, err error) *sim.Session { require.NoError(t, err); return s }
	settings := []sim.Setting{{Key: "class", Value: "FSS"}, {Key: "do@1s", Value: "psradm -f 3"}, {Key: "type@1500ms", Value: "vmstat 1 2"}}
	list, err := json.Marshal([]map[string]string{
		{"key": "class", "value": "FSS"}, {"key": "do@1s", "value": "psradm -f 3"}, {"key": "type@1500ms", "value": "vmstat 1 2"},
	})
	require.NoError(t, err)
	for _, f := range []tracefile.Format{tracefile.Events, tracefile.Perfetto, tracefile.Ftrace} {
		for what, s := range map[string]*sim.Session{
			`"scenario": "t2000-unset"`:                               open(sim.Open("t2000-unset", settings...)),
			fmt.Sprintf(`"name": "m.json", "document": %q`, document): open(sim.OpenDocument("m.json", []byte(document), settings...)),
		} {
			var want bytes.Buffer
			require.NoError(t, f.Write(&want, s, clock.Time(2*clock.Second), nil))
			var got sink
			digest, err := write(fmt.Appendf(nil, `{%s, "settings": %s, "untilNs": "2000000000", "format": %q}`, what, list, f.Name), &got)
			require.NoError(t, err, what)
			assert.Equal(t, fmt.Sprintf("%016x", s.Digest()), digest, what)
			assert.Equal(t, want.String(), string(got.file), what)
			assert.Greater(t, want.Len(), 10_000)
		}
	}
}

func TestALongFileComesInChunksAndTellsHowFarItIs(t *testing.T) {
	var got sink
	_, err := write([]byte(`{"scenario": "linux22-250-hogs", "untilNs": "1200000000000", "format": "events"}`), &got)
	require.NoError(t, err)
	require.Greater(t, len(got.chunks), 3)
	for _, n := range got.chunks[:len(got.chunks)-1] {
		assert.Equal(t, chunkSize, n)
	}
	assert.Greater(t, len(got.told), 3)
	assert.IsIncreasing(t, got.told)
}

func TestAFileThatWouldBeTooLargeIsRefusedAndNoMoreIsSent(t *testing.T) {
	var got sink
	f := &file{to: &got, chunk: make([]byte, 0, 100), most: 1 << 20}
	block := make([]byte, 1000)
	var err error
	for err == nil {
		_, err = f.Write(block)
	}
	require.EqualError(t, err, "the file would have more than 1 MB, the most that the page writes; an earlier time gives a smaller one, and the command line has no limit")
	assert.LessOrEqual(t, len(got.file), 1<<20)
	assert.Greater(t, len(got.file), 1<<20-1100)
}

func TestARequestThatIsWrongGetsASentence(t *testing.T) {
	const rest = `"untilNs": "1", "format": "events"`
	for _, x := range []struct{ text, want string }{
		{``, "request: line 1, column 1: the text ends, want a value"},
		{`[]`, "request: it is [], want an object"},
		{`{"scenario": "t2000-fs", ` + rest + `}`, `did you mean "t2000-fss"?`},
		{`{` + rest + `}`, "request: it wants either a scenario or a document"},
		{`{"scenario": "t2000", "document": "{}", ` + rest + `}`, "request: it wants either a scenario or a document"},
		{`{"scenario": "t2000", "sets": [], ` + rest + `}`, `request: key "sets" is not known`},
		{`{"scenario": 7, ` + rest + `}`, "request: scenario is 7, want text"},
		{`{"scenario": "t2000", "settings": {}, ` + rest + `}`, "request: settings is {}, want a list of at most 10000"},
		{`{"scenario": "t2000", "settings": [{"value": "x"}], ` + rest + `}`, `request: settings[0] is {"value": "x"}, want a key and a value, both texts`},
		{`{"scenario": "t2000", "settings": [{"key": "class", "value": 1}], ` + rest + `}`, "want a key and a value, both texts"},
		{`{"scenario": "t2000", "settings": [{"key": "klass", "value": "FSS"}], ` + rest + `}`, `setting "klass" is unknown`},
		{`{"scenario": "t2000", "settings": [{"key": "class", "value": "XX"}], ` + rest + `}`, `class "XX" is not loaded`},
		{`{"name": "m.json", "document": "{\"machin\": 1}", ` + rest + `}`, `did you mean "machine"?`},
		{`{"name": "m.json", "document": "` + strings.Repeat(" ", scenario.MaxBytes) + `{}", ` + rest + `}`, "at most 16777216 are accepted"},
		{`{"scenario": "t2000", "untilNs": "2592000000000001", "format": "events"}`, `untilNs is "2592000000000001", want a whole number from 0 to 2592000000000000`},
		{`{"scenario": "t2000", "untilNs": "-1", "format": "events"}`, `untilNs is "-1"`},
		{`{"scenario": "t2000", "untilNs": "1", "format": "event"}`, `request: format: "event" is no kind of file, there are events, perfetto, ftrace; did you mean "events"?`},
		{`{"scenario": "t2000", "settings": [{"key": "reboot", "value": "TS"}, {"key": "type@1s", "value": "reboot"}], "untilNs": "2000000000", "format": "events"}`, "the machine was booted anew at its console"},
	} {
		text, want := x.text, x.want
		_, err := write([]byte(text), &sink{})
		if assert.Error(t, err, text[:min(len(text), 200)]) {
			assert.Contains(t, err.Error(), want)
			assert.Less(t, len(err.Error()), 1000)
		}
	}
}

func FuzzRequest(f *testing.F) {
	f.Add([]byte(`{"scenario": "t2000", "settings": [{"key": "class", "value": "FSS"}], "untilNs": "5000000000", "format": "events"}`))
	f.Add([]byte(`{"name": "a", "document": "{}", "untilNs": "0", "format": "ftrace"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		q, err := readRequest(text)
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		require.NotEqual(t, q.Scenario == "", q.Document == "")
		require.LessOrEqual(t, clock.Duration(q.Until), maxUntil)
	})
}
