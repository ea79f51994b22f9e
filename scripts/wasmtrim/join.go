package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

const (
	magic       = "\x00asm\x01\x00\x00\x00"
	sectionData = 11
)

// Instructions of the only kind of address Go's linker writes: a constant.
const (
	opConst = 0x41
	opEnd   = 0x0b
)

// segment is bytes that memory holds at an address when the program starts.
type segment struct {
	at    int
	bytes []byte
}

// step is a change of a program's data: of all segments, by address.
type step func([]segment) ([]segment, error)

// change returns the program with its data changed by the steps, in their order. All
// other sections stay as they are.
func change(wasm []byte, steps ...step) ([]byte, error) {
	rest, ok := bytes.CutPrefix(wasm, []byte(magic))
	if !ok {
		return nil, errors.New("not a WebAssembly module of version 1")
	}
	out := []byte(magic)
	r := reader{b: rest}
	for len(r.b) > 0 {
		id := r.byte()
		body := r.take(r.number())
		if r.err == nil && id == sectionData {
			body, r.err = changeSection(body, steps)
		}
		if r.err != nil {
			return nil, r.err
		}
		out = append(binary.AppendUvarint(append(out, id), uint64(len(body))), body...)
	}
	return out, nil
}

func changeSection(section []byte, steps []step) ([]byte, error) {
	segments, err := parse(section)
	// The linker's segments come section by section, which is not by address.
	slices.SortStableFunc(segments, func(a, b segment) int { return a.at - b.at })
	for _, s := range steps {
		if err == nil {
			segments, err = s(segments)
		}
	}
	return encode(segments), err
}

// join joins segments that at most mostZeros bytes part.
func join(segments []segment) (joined []segment, err error) {
	for i, s := range segments {
		if i == 0 {
			joined = append(joined, segment{s.at, slices.Clone(s.bytes)})
			continue
		}
		last := &joined[len(joined)-1]
		switch gap := s.at - last.at - len(last.bytes); {
		case gap < 0: // the later one would have the last word
			return nil, fmt.Errorf("data segments overlap at address %d", s.at)
		case gap <= mostZeros:
			last.bytes = append(append(last.bytes, make([]byte, gap)...), s.bytes...)
		default:
			joined = append(joined, segment{s.at, slices.Clone(s.bytes)})
		}
	}
	return joined, nil
}

func parse(section []byte) ([]segment, error) {
	r := reader{b: section}
	var list []segment
	for range r.number() {
		if kind := r.byte(); r.err == nil && kind != 0 {
			return nil, fmt.Errorf("a data segment of kind %d; Go's linker writes kind 0 only", kind)
		}
		if op := r.byte(); r.err == nil && op != opConst {
			return nil, fmt.Errorf("a data segment's address begins with instruction %#x, not with a constant", op)
		}
		at := r.signed()
		if op := r.byte(); r.err == nil && op != opEnd {
			return nil, fmt.Errorf("instruction %#x in a data segment's address of %d", op, at)
		}
		data := r.take(r.number())
		if r.err != nil {
			return nil, r.err
		}
		list = append(list, segment{at, data})
	}
	return list, r.err
}

func encode(segments []segment) []byte {
	out := binary.AppendUvarint(nil, uint64(len(segments)))
	for _, s := range segments {
		out = appendSigned(append(out, 0, opConst), s.at)
		out = binary.AppendUvarint(append(out, opEnd), uint64(len(s.bytes)))
		out = append(out, s.bytes...)
	}
	return out
}

// appendSigned writes a signed LEB128.
func appendSigned(b []byte, n int) []byte {
	for n < -64 || n > 63 {
		b = append(b, byte(n&0x7f)|0x80)
		n >>= 7
	}
	return append(b, byte(n&0x7f))
}

// reader takes values off the front of b until one is not there.
type reader struct {
	b   []byte
	err error
}

func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.b) {
		r.b, r.err = nil, errors.New("the file ends too early")
		return nil
	}
	taken := r.b[:n]
	r.b = r.b[n:]
	return taken
}

func (r *reader) byte() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

// number reads an unsigned LEB128; of one that is not there take has to say so.
func (r *reader) number() int {
	v, n := binary.Uvarint(r.b)
	if n <= 0 || v > 1<<32-1 {
		r.take(len(r.b) + 1)
		return 0
	}
	r.take(n)
	return int(v)
}

// signed reads a signed LEB128 of at most 64 bits.
func (r *reader) signed() (v int) {
	for shift := 0; shift < 63; shift += 7 {
		b := r.byte()
		v |= int(b&0x7f) << shift
		if b < 0x80 {
			if b&0x40 != 0 {
				v |= -1 << (shift + 7)
			}
			return v
		}
	}
	r.take(len(r.b) + 1)
	return 0
}
