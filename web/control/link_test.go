package control_test

import (
	"bufio"
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/web/control"
	"strandscope/web/proto"
)

// reader is the page's own reader of links, run by Node.
type reader struct {
	mu  sync.Mutex
	in  *json.Encoder
	out *bufio.Reader
}

var startReader = sync.OnceValues(func() (*reader, error) {
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(node, "testdata/link.mjs")
	in, err := cmd.StdinPipe() // closed, and with it the process, when the tests end
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &reader{in: json.NewEncoder(in), out: bufio.NewReader(out)}, cmd.Start()
})

func links(t testing.TB) *reader {
	r, err := startReader()
	if err != nil {
		t.Skipf("links are read by the page's script, for which there is no Node here: %v", err)
	}
	return r
}

// said is what the page makes of a link.
type said struct {
	Error, Name string
	Messages    []string
}

func (r *reader) read(t testing.TB, hash string) said {
	r.mu.Lock()
	defer r.mu.Unlock()
	require.NoError(t, r.in.Encode(hash))
	line, err := r.out.ReadBytes('\n')
	require.NoError(t, err, "Node died of %q", hash[:min(len(hash), 200)])
	var s said
	require.NoError(t, json.Unmarshal(line, &s))
	return s
}

// linked puts content into a link as web/address.js does.
func linked(content []byte, packed bool) string {
	body := "1j" + base64.RawURLEncoding.EncodeToString(content)
	if packed {
		var b bytes.Buffer
		w, _ := flate.NewWriter(&b, flate.BestCompression)
		_, _ = w.Write(content)
		_ = w.Close()
		body = "1z" + base64.RawURLEncoding.EncodeToString(b.Bytes())
	}
	h := fnv.New32a()
	h.Write([]byte(body))
	return fmt.Sprintf("#%s%08x", body, h.Sum32())
}

// obey gives a fresh program the messages of a page.
func obey(t testing.TB, messages []string) *control.State {
	s, err := control.New(control.Sim, "ts-lone-hog")
	require.NoError(t, err)
	for _, text := range messages {
		m, err := proto.Decode([]byte(text))
		if err != nil {
			s.Refuse(err)
		} else if m.Command != nil {
			s.Apply(m.Command)
		}
		require.Less(t, len(s.Error), 1500)
		require.Empty(t, s.Fault, text)
	}
	return s
}

func TestALinkMadeByHandIsReadAndObeyed(t *testing.T) {
	r := links(t)
	for _, packed := range []bool{false, true} {
		got := r.read(t, linked([]byte(`{"s": "t2000-fss", "c": [["class", "TS"], ["do@1s", "kill 1204"]], "t": 2500000000, "x": 20}`), packed))
		require.Empty(t, got.Error)
		s := obey(t, got.Messages)
		require.Empty(t, s.Error)
		require.True(t, s.Seeking())
		for at := time.Duration(1); s.Seeking(); at += 10 * time.Millisecond {
			s.Advance(func() time.Duration { at += time.Millisecond; return at })
		}
		f := s.Run.Frame()
		assert.Equal(t, "t2000-fss 00:00:02.50 TS", fmt.Sprint(f.Scenario.ID, " ", f.Now, " ", f.Scenario.Class))
	}
}

func TestALinkThatUnpacksToVeryMuchIsRefused(t *testing.T) {
	r := links(t)
	big := linked([]byte(`{"s": "t2000", "z": "`+strings.Repeat("x", 100<<20)+`"}`), true)
	require.Less(t, len(big), 512_000, "the link itself is short enough")
	got := r.read(t, big)
	assert.Equal(t, "its content has more than 16777216 bytes", got.Error)
}

// A document that is loaded stays part of the link although the run before it is told of
// once more; it is forgotten when another scenario is chosen.
func TestALoadedDocumentIsNotForgottenForTheRunBeforeIt(t *testing.T) {
	got := links(t).read(t, "late")
	require.Empty(t, got.Error)
	assert.Equal(t, []string{"mine", "mine", "none"}, got.Messages)
}

// FuzzLink: whatever stands behind the # of an address, the page says in one sentence
// why not or tells the program something that it obeys or refuses in one. The content is
// in a link of the right form, or else is the link.
func FuzzLink(f *testing.F) {
	r := links(f)
	for _, text := range []string{
		`{"s": "t2000-unset", "c": [["class", "FSS"], ["type@1500000000ns", "vmstat 1 3"]], "t": 3000000000, "g": "0123456789abcdef", "p": 1}`,
		`{"d": ["mine.json", "{\"tasks\": {\"x\": {\"run\": 1000}}}"], "t": 1, "x": 10000000, "e": ["thread", 0], "m": [0, 5]}`,
		`{"s": "linux22", "r": ["fixed", 0, 9000000], "o": 60000000000, "k": {"settings": [{"key": "class", "value": "TS"}], "focus": true}}`,
		`{"s": "t2000-ts", "k": {"scenario": "t2000-fss", "alone": true, "settings": []}, "o": "same", "r": ["last", 0]}`,
		`{"s": 5}`, `{"t": -1, "s": ""}`, `[]`, `null`, `{"s": "x", "c": [["a"]]}`, `{"s": "t2000", "e": ["strand", 1e15], "v": {"x": [[[]]]}}`, "\xff",
	} {
		f.Add([]byte(text), uint8(0))
		f.Add([]byte(text), uint8(1))
	}
	f.Add([]byte("1jeyJzIjoidDIwMDAifQ00000000"), uint8(2))
	f.Add([]byte("2"), uint8(2))
	f.Fuzz(func(t *testing.T, content []byte, how uint8) {
		var hash string
		switch how % 3 {
		case 0, 1:
			hash = linked(content, how%3 == 1)
		case 2:
			hash = "#" + strings.ToValidUTF8(string(content), "?")
		}
		got := r.read(t, hash)
		if got.Error != "" {
			require.Less(t, len(got.Error), 600)
			require.NotContains(t, []string{"TypeError", "ReferenceError", "SyntaxError"}, got.Name, got.Error)
			return
		}
		obey(t, got.Messages)
	})
}
