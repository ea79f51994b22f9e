// Package shaderir is what Ebitengine knows of a compiled shader. It stands in
// for the file of the same name, where a program is code that can be compiled
// further; here that has been done, see package glsl.
package shaderir

import "hash/fnv"

// A Unit is what positions in a shader are measured in.
type Unit int

const (
	Texels Unit = iota
	Pixels
)

// A SourceHash tells shaders apart.
type SourceHash [16]byte

// CalcSourceHash returns the hash of a shader's source.
func CalcSourceHash(source []byte) (hash SourceHash) {
	h := fnv.New128a()
	h.Write(source)
	h.Sum(hash[:0])
	return hash
}

// A Program is a compiled shader without its code.
type Program struct {
	UniformNames []string
	Uniforms     []Type
	TextureCount int
	Attributes   []Type
	Varyings     []Type
	Unit         Unit
	SourceHash   SourceHash

	Read []uint32 // for each word of the uniforms: 1 if the code reads it, else 0
}

// FilterUniformVariables sets what the code does not read to 0: draws that
// differ in nothing else can be made one.
func (p *Program) FilterUniformVariables(uniforms []uint32) {
	for i, read := range p.Read {
		uniforms[i] *= read
	}
}
