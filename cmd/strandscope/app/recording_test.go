package app

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/render/act"
	"strandscope/sim"
	"strandscope/web/control"
)

// heard are the messages of a type, decoded.
func heard(all [][]byte, kind string) (list []map[string]any) {
	for _, b := range all {
		m := map[string]any{}
		if json.Unmarshal(b, &m) == nil && m["type"] == kind {
			list = append(list, m)
		}
	}
	return list
}

// A file in pieces becomes the run; what if derives a workload beside it, tells how far it
// is to be trusted, and gives a document that opens. A file that is none changes nothing.
func TestAFileInPiecesIsShownAndAskedWhatIf(t *testing.T) {
	f, err := os.Open("../../../sim/record/testdata/real/traces/ftrace_6.1_one_cpu_4hogs_sleeper.txt.gz")
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	text, err := io.ReadAll(z)
	require.NoError(t, err)

	state, err := control.New(control.Sim, "t2000-unset")
	require.NoError(t, err)
	var sent [][]byte
	began := time.Now()
	a := New(state, wordy{}, func(b []byte) { sent = append(sent, b) }, func() time.Duration { return time.Since(began) + 1 })
	ask := func(n int, rest string) {
		a.Receive(fmt.Sprintf(`{"v":1,"n":%d,"cmd":"recording",%s}`, n, rest))
		a.take()
	}
	ask(1, `"do":"derive"`)
	assert.Equal(t, "There is no recording; open one first.", state.Error)

	_, err = a.Read("x", "linux-9")
	require.Error(t, err)
	bad, err := a.Read("tale.txt", "")
	require.NoError(t, err)
	require.NoError(t, bad.Feed([]byte(strings.Repeat("once upon a time\n", 100))))
	before := state.Run
	require.Error(t, bad.Close())
	assert.Same(t, before, state.Run)

	x, err := a.Read("trace.txt", "linux-6.1")
	require.NoError(t, err)
	for i := 0; i < len(text); i += 1000 {
		require.NoError(t, x.Feed(text[i:min(i+1000, len(text))]))
	}
	// What the page said before the file ended comes before the recording.
	a.Receive(`{"v":1,"n":2,"cmd":"load","scenario":"t2000-fss"}`)
	a.Receive(`{"v":1,"n":3,"cmd":"follow","lastNs":"10000000000"}`)
	require.NoError(t, x.Close())
	a.take()
	assert.Equal(t, act.Range{Kind: act.Fixed, To: 2_550_027_000}, state.View.Timeline, "all of it")
	for state.Moving() {
		state.Advance(a.clock)
	}
	facts := heard(sent, "recording")[0]["facts"].(map[string]any)
	assert.Equal(t, "trace.txt linux-6.1 ftrace text 2246", fmt.Sprint(facts["name"], " ", facts["kernel"], " ", facts["format"], " ", facts["records"]))
	assert.InDelta(t, x.Records(), facts["records"], 0)
	assert.Equal(t, facts["endNs"], fmt.Sprint(int64(state.Run.Now())))

	ask(2, `"do":"document","kernel":"linux-6.12","machine":"up"`)
	assert.Equal(t, "What if: nothing has been derived yet.", state.Error)
	whatIf := func() map[string]any {
		for range 600 {
			a.take()
			if all := heard(sent, "whatIf"); len(all) > 0 {
				if w := all[len(all)-1]["what"].(map[string]any); w["doing"] == "" {
					return w
				}
			}
			time.Sleep(20 * time.Millisecond)
		}
		require.Fail(t, "no answer")
		return nil
	}
	ask(4, `"do":"derive"`)
	w := whatIf()
	assert.Empty(t, w["error"])
	assert.Contains(t, w["driven"].([]any)[0], "721 of 721 choices")
	assert.Contains(t, w["own"].([]any)[0], "run by itself under linux-6.1: 99.9 %")
	assert.Len(t, w["derived"], 3)

	ask(5, `"do":"document","kernel":"linux-6.12","machine":"smp3000000"`)
	all := heard(sent, "whatIf")
	assert.Equal(t, `Machine "smp3000000" is not known.`, sentenceOf(all[len(all)-1]))
	ask(6, `"do":"document","kernel":"linux-6.12","machine":"smp4"`)
	all = heard(sent, "whatIf")
	doc := all[len(all)-1]["what"].(map[string]any)["document"].(string)
	s, err := sim.OpenDocument("x", []byte(doc))
	require.NoError(t, err)
	assert.Equal(t, "linux-6.12", s.Facts().Kernel)
	assert.Len(t, s.Frame().CPUs, 4)

	// Another kernel's recording has to be derived anew.
	ask(7, `"do":"kernel","kernel":"linux-6.18"`)
	assert.Equal(t, "linux-6.18", state.Run.Facts().Kernel)
	assert.Nil(t, a.rec.work)
	ask(8, `"do":"derive"`)
	ask(9, `"do":"stop"`)
	assert.Nil(t, a.rec.work)
	ask(10, `"do":"dance"`)
	assert.Contains(t, state.Error, "dance")
}

func sentenceOf(m map[string]any) string {
	s := m["what"].(map[string]any)["error"].(string)
	return strings.ToUpper(s[:1]) + strings.TrimSuffix(s[1:], ".") + "."
}
