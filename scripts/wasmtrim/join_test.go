package main

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// module has sections of code and names around that of the data.
func module(data []byte) []byte {
	out := []byte(magic + "\x0a\x03abc" + "\x0b")
	out = append(binary.AppendUvarint(out, uint64(len(data))), data...)
	return append(out, "\x00\x05\x04name"...)
}

func dataOf(t require.TestingT, wasm []byte) []segment {
	head := len(magic + "\x0a\x03abc" + "\x0b")
	r := reader{b: wasm[head:]}
	segments, err := parse(r.take(r.number()))
	require.NoError(t, err)
	assert.Equal(t, "\x00\x05\x04name", string(r.b))
	return segments
}

func TestSegmentsWithFewZerosBetweenThemAreJoined(t *testing.T) {
	wasm := module(encode([]segment{
		{100, []byte("ab")}, {104, []byte("cd")}, {139, []byte("ef")}, {10, []byte("front")},
	}))
	joined, err := change(wasm, join)
	require.NoError(t, err)
	assert.Equal(t, []segment{
		{10, []byte("front")}, {100, []byte("ab\x00\x00cd")}, {139, []byte("ef")},
	}, dataOf(t, joined))
	again, err := change(joined, join)
	require.NoError(t, err)
	assert.Equal(t, joined, again)
}

func TestMemoryStartsWithTheSameBytes(t *testing.T) {
	const size = 1 << 12
	for seed := range uint64(200) {
		var (
			random   = rand.New(rand.NewPCG(seed, 0))
			segments []segment
			want     [size]byte
		)
		for at := random.IntN(100); at < size-200; at += random.IntN(100) {
			data := make([]byte, 1+random.IntN(100))
			for i := range data {
				data[i] = byte(random.Uint32())
			}
			segments = append(segments, segment{at, data})
			copy(want[at:], data)
			at += len(data)
		}
		random.Shuffle(len(segments), func(i, j int) { segments[i], segments[j] = segments[j], segments[i] })
		joined, err := change(module(encode(segments)), join)
		require.NoError(t, err)
		var got [size]byte
		end := math.MinInt / 2
		for _, s := range dataOf(t, joined) {
			assert.Greater(t, s.at, end+32, "is near enough to be joined")
			copy(got[s.at:], s.bytes)
			end = s.at + len(s.bytes)
		}
		assert.Equal(t, want, got, "seed %d", seed)
	}
}

func TestSignedNumbersComeBack(t *testing.T) {
	for _, n := range []int{0, 1, 63, 64, -1, -64, -65, 8191, 8192, math.MaxInt32, math.MinInt32} {
		r := reader{b: appendSigned(nil, n)}
		assert.Equal(t, n, r.signed())
		require.NoError(t, r.err)
		assert.Empty(t, r.b)
	}
}

func TestWhatTheLinkerDoesNotWriteIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		wasm []byte
		want string
	}{
		"no module":        {[]byte("wasm"), "not a WebAssembly module of version 1"},
		"cut short":        {module(encode([]segment{{1, []byte("ab")}}))[:18], "the file ends too early"},
		"passive":          {module([]byte("\x01\x01\x01a")), "a data segment of kind 1; Go's linker writes kind 0 only"},
		"from a global":    {module([]byte("\x01\x00\x23\x00\x0b\x01a")), "a data segment's address begins with instruction 0x23, not with a constant"},
		"computed":         {module([]byte("\x01\x00\x41\x05\x6a\x01a")), "instruction 0x6a in a data segment's address of 5"},
		"overlapping":      {module(encode([]segment{{5, []byte("abc")}, {7, []byte("d")}})), "data segments overlap at address 7"},
		"segment too long": {module([]byte("\x01\x00\x41\x05\x0b\x02a")), "the file ends too early"},
		"endless number":   {module([]byte("\x01\x00\x41" + strings.Repeat("\x80", 12))), "the file ends too early"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := change(c.wasm, join)
			assert.EqualError(t, err, c.want)
		})
	}
}

func TestTheFileIsReplaced(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.wasm")
	require.NoError(t, os.WriteFile(name, module(encode([]segment{{1, []byte("a")}, {9, []byte("b")}})), 0o755))
	require.NoError(t, rewrite(name, join))
	wasm, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, []segment{{1, []byte("a\x00\x00\x00\x00\x00\x00\x00b")}}, dataOf(t, wasm))

	require.NoError(t, os.WriteFile(name, []byte("no"), 0o755))
	require.Error(t, rewrite(name, join))
	kept, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, "no", string(kept))
}
