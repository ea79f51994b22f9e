package main

import (
	"bytes"
	"errors"
	"fmt"
)

// Sections, as the WebAssembly core specification numbers them.
const (
	sectionCustom = 0
	sectionImport = 2
	sectionCode   = 10
	sectionData   = 11
)

// program is what is of interest of a module.
type program struct {
	section   [16]int // size by number
	functions []entry // with their code's size
}

var errShort = errors.New("the file ends too early")

func parse(wasm []byte) (*program, error) {
	rest, ok := bytes.CutPrefix(wasm, []byte("\x00asm\x01\x00\x00\x00"))
	if !ok {
		return nil, errors.New("not a WebAssembly module of version 1")
	}
	var (
		p       program
		sizes   []int
		imports int
		names   map[int]string
		r       = reader{b: rest}
	)
	for len(r.b) > 0 && r.err == nil {
		id := r.byte()
		body := reader{b: r.take(r.number())}
		if int(id) < len(p.section) {
			p.section[id] += len(body.b)
		}
		switch id {
		case sectionImport:
			imports = body.imports()
		case sectionCode:
			for range body.count() {
				n := body.number()
				body.take(n)
				sizes = append(sizes, n)
			}
		case sectionCustom:
			if string(body.take(body.number())) == "name" {
				names = body.functionNames()
			}
		}
		if r.err == nil {
			r.err = body.err
		}
	}
	switch {
	case r.err != nil:
		return nil, r.err
	case names == nil:
		return nil, errors.New("no names; build without -ldflags=-w")
	}
	for i, size := range sizes {
		p.functions = append(p.functions, entry{names[imports+i], size})
	}
	return &p, nil
}

// reader takes values off the front of b until one is not there.
type reader struct {
	b   []byte
	err error
}

func (r *reader) take(n int) []byte {
	if r.err != nil || n < 0 || n > len(r.b) {
		r.fail(errShort)
		return nil
	}
	taken := r.b[:n]
	r.b = r.b[n:]
	return taken
}

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
	r.b = nil
}

func (r *reader) byte() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

// number reads an unsigned LEB128 of at most 32 bits.
func (r *reader) number() (n int) {
	for shift := 0; shift < 35; shift += 7 {
		b := r.byte()
		n |= int(b&0x7f) << shift
		if b < 0x80 {
			return n
		}
	}
	r.fail(errors.New("a number of more than 32 bits"))
	return 0
}

// count is a number of things of at least a byte each.
func (r *reader) count() int {
	n := r.number()
	if n > len(r.b) {
		r.fail(errShort)
		return 0
	}
	return n
}

// imports counts imported functions: they come before the program's own.
func (r *reader) imports() (functions int) {
	for range r.count() {
		r.take(r.number()) // module
		r.take(r.number()) // name
		if kind := r.byte(); kind != 0 {
			r.fail(fmt.Errorf("an import of kind %d; Go imports functions only", kind))
			return 0
		}
		r.number() // type
		functions++
	}
	return functions
}

// functionNames reads the part of the name section that is about functions.
func (r *reader) functionNames() map[int]string {
	const ofFunctions = 1
	names := map[int]string{}
	for len(r.b) > 0 && r.err == nil {
		kind := r.byte()
		part := reader{b: r.take(r.number())}
		if kind != ofFunctions {
			continue
		}
		for range part.count() {
			index := part.number()
			names[index] = string(part.take(part.number()))
		}
		if part.err != nil {
			r.fail(part.err)
		}
	}
	return names
}
