package main

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// entry is a function in the table, with the places of its tables within the pairs.
type entry struct {
	stack, file, line int
	tables            []int
}

// table writes what dropLines reads: a head, the pairs and the functions' entries.
func table(pairs []byte, functions ...entry) []byte {
	put := func(b []byte, n ...int) []byte {
		for _, v := range n {
			b = binary.LittleEndian.AppendUint32(b, uint32(v))
		}
		return b
	}
	var list, entries []byte
	for i, f := range functions {
		list = put(list, i, 8*len(functions)+len(entries))
		entries = put(entries, 1, 2, 3, 4, f.stack, f.file, f.line, len(f.tables), 77, 88, 99)
		entries = put(entries, f.tables...)
	}
	head := []byte(tableMagic)
	at := headLength + len(names)
	for _, n := range []int{len(functions), 0, 0, headLength, at, at, at, at + len(pairs)} {
		head = binary.LittleEndian.AppendUint64(head, uint64(n))
	}
	return slices.Concat(head, []byte(names), pairs, list, entries)
}

// names are those of the functions: ours, and others'.
var names = "\x00runtime.main\x00strandscope/sim.run\x00main.main\x00fmt.Sprint\x00"

// pairs holds, from place 1, four tables of three bytes or more each.
var pairs = []byte{
	0xff,
	0, 1, 0, // at 1: the first value may be 0
	2, 0x80, 1, 4, 1, 0, // at 4: with a place of two bytes
	6, 1, 0, // at 10
	8, 1, 0, // at 13
}

func TestLinesAreClearedAndNothingElse(t *testing.T) {
	before := []segment{{5, []byte("front")}, {1000, table(pairs, entry{10, 1, 4, []int{13, 0}}, entry{0, 10, 4, nil})}}
	after, err := dropLines(before)
	require.NoError(t, err)
	assert.Equal(t, before[0], after[0])
	cleared := make([]byte, len(pairs))
	copy(cleared, pairs)
	clear(cleared[1:10])
	want := table(cleared, entry{10, 0, 0, []int{13, 0}}, entry{0, 0, 0, nil})
	for _, at := range []int{len(want) - 12, len(want) - 44 - 8 - 12} { // unit and start line
		clear(want[at : at+8])
	}
	blank := func(name string) string { return strings.Repeat("\x00", len(name)) }
	kept := strings.NewReplacer("runtime.main", blank("runtime.main"), "fmt.Sprint", blank("fmt.Sprint")).Replace(names)
	copy(want[headLength:], kept)
	assert.Equal(t, want, after[1].bytes, "the table at 10 holds one function's files and another's stack")
}

func TestATableOfAnotherLayoutIsRefused(t *testing.T) {
	good := table(pairs, entry{10, 1, 4, []int{13}})
	for name, b := range map[string][]byte{
		"none":             []byte("no table"),
		"newer":            append([]byte("\xf0"), good[1:]...),
		"cut in the head":  good[:20],
		"cut in the names": good[:headLength+4],
		"cut in the pairs": good[:headLength+len(names)+4],
		"cut in an entry":  good[:len(good)-8],
		"far pairs":        table(pairs, entry{10, 1, 4000, nil}),
		"endless pairs":    table([]byte{9, 9, 9, 9}, entry{1, 2, 2, nil}),
	} {
		_, err := dropLines([]segment{{1, b}})
		require.Error(t, err, name)
	}
	_, err := dropLines(nil)
	assert.ErrorIs(t, err, errNoTable)
}
