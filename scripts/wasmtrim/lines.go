package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
)

// The table of functions in a program's data, as Go 1.20 to 1.26 lay it out:
// pcHeader in runtime/symtab.go, _func in runtime/runtime2.go, and the linker's
// cmd/link/internal/ld/pcln.go. It begins with these bytes: the layout, code counted
// by 1, words of 8 bytes. Eight words follow, then the parts they tell the place of.
const tableMagic = "\xf1\xff\xff\xff\x00\x00\x01\x08"

// Words of the head, and fields of 4 bytes in a function's entry.
const (
	headFunctions, headNames, headUnits, headPCs, headEntries = 0, 3, 4, 6, 7
	headLength                                                = 8 * 9

	fieldName, fieldStack, fieldFile, fieldLine, fieldTables, fieldUnit, fieldStart = 1, 4, 5, 6, 7, 8, 9
	entryLength                                                                     = 4 * 11
)

var (
	errNoTable = errors.New("the data hold no table of functions in the layout of Go 1.20 to 1.26")
	errTable   = errors.New("the table of functions leads out of the data")
)

// dropLines clears what tells the source file and line of each instruction, and the
// names of functions that are not ours. Only the trace of a crash needs them, which
// then names our functions alone; the tables that the collector and the stack need
// stay. Under gzip they were a seventh of the data.
func dropLines(segments []segment) ([]segment, error) {
	if len(segments) == 0 {
		return nil, errNoTable
	}
	last := segments[len(segments)-1]
	memory := make([]byte, last.at+len(last.bytes))
	for _, s := range segments {
		copy(memory[s.at:], s.bytes)
	}
	at := bytes.Index(memory, []byte(tableMagic))
	if at < 0 {
		return nil, errNoTable
	}
	if err := clearLines(memory[at:]); err != nil {
		return nil, err
	}
	for i, s := range segments {
		segments[i].bytes = memory[s.at : s.at+len(s.bytes)]
	}
	return segments, nil
}

// clearLines works on the table at the front of b.
func clearLines(b []byte) error {
	if len(b) < headLength {
		return errTable
	}
	head := func(i int) int { return int(binary.LittleEndian.Uint64(b[8+8*i:])) }
	pcs, entries := head(headPCs), head(headEntries)
	if pcs < 0 || entries < pcs || entries > len(b) || head(headFunctions) > (len(b)-entries)/8 {
		return errTable
	}
	if err := clearNames(b, head(headNames), head(headUnits)); err != nil {
		return err
	}
	lines := map[int]bool{} // place of each table of files or lines, and of no other use
	for i := range head(headFunctions) {
		at := entries + int(binary.LittleEndian.Uint32(b[entries+8*i+4:]))
		if at > len(b)-entryLength {
			return errTable
		}
		field := func(i int) []byte { return b[at+4*i:] }
		number := func(i int) int { return int(binary.LittleEndian.Uint32(field(i))) }
		tables := number(fieldTables)
		if tables > (len(b)-at-entryLength)/4 {
			return errTable
		}
		for _, f := range []int{fieldFile, fieldLine} {
			if _, used := lines[number(f)]; !used {
				lines[number(f)] = true
			}
		}
		lines[number(fieldStack)] = false
		for j := range tables {
			lines[number(entryLength/4+j)] = false
		}
		for _, f := range []int{fieldFile, fieldLine, fieldUnit, fieldStart} {
			clear(field(f)[:4])
		}
	}
	for place, only := range lines {
		if place == 0 || !only { // 0 is no table
			continue
		}
		if place > entries-pcs {
			return errTable
		}
		table := b[pcs+place : entries]
		n := tableLength(table)
		if n < 0 {
			return errTable
		}
		clear(table[:n])
	}
	return nil
}

// ours begin the names of functions that stay.
var ours = []string{"strandscope/", "main."}

// clearNames clears names of other functions between two places of the table. Each
// ends with a zero.
func clearNames(b []byte, from, to int) error {
	if from < 0 || to < from || to > len(b) {
		return errTable
	}
	for names := b[from:to]; len(names) > 0; {
		n := bytes.IndexByte(names, 0) + 1
		if n == 0 {
			return errTable
		}
		if !slices.ContainsFunc(ours, func(o string) bool { return bytes.HasPrefix(names, []byte(o)) }) {
			clear(names[:n])
		}
		names = names[n:]
	}
	return nil
}

// tableLength returns how long the table of pairs of a changed value and a changed
// place is, each a varint; one whose value does not change ends it. It is -1 when
// the table has no end.
func tableLength(b []byte) int {
	for i := 0; ; {
		value, n := binary.Uvarint(b[i:])
		if n <= 0 {
			return -1
		}
		if value == 0 && i > 0 {
			return i + n
		}
		_, m := binary.Uvarint(b[i+n:])
		if m <= 0 {
			return -1
		}
		i += n + m
	}
}
