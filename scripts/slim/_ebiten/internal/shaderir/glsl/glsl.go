// Package glsl has Ebitengine's built-in shaders ready for WebGL. It stands in
// for the package of the same name, which translates any shader.
//
// The page uses no shader but the built-in ones, so they are compiled when the
// program is: by Ebitengine's own compiler, of which nothing is left in the
// page (go/parser, math/big, regexp and the compiler itself).
package glsl

import "github.com/hajimehoshi/ebiten/v2/internal/shaderir"

// A GLSLVersion is a dialect.
type GLSLVersion int

const (
	GLSLVersionDefault GLSLVersion = iota
	GLSLVersionES300               // the one of WebGL 2, and the only one here
)

// ready is a shader and what the compiler made of it.
type ready struct {
	kage             shaderir.SourceHash // of the source as package builtinshader has it
	program          shaderir.Program
	vertex, fragment string
}

// Find returns the program compiled from the source, or nil.
func Find(source []byte) *shaderir.Program {
	hash := shaderir.CalcSourceHash(source)
	for i := range shaders {
		if shaders[i].kage == hash {
			return &shaders[i].program
		}
	}
	return nil
}

// Compile returns the shaders of a program from Find.
func Compile(p *shaderir.Program, version GLSLVersion) (vertex, fragment string) {
	if version != GLSLVersionES300 {
		panic("glsl: this build has shaders for WebGL 2 only")
	}
	for i := range shaders {
		if shaders[i].program.SourceHash == p.SourceHash {
			return shaders[i].vertex, shaders[i].fragment
		}
	}
	panic("glsl: this build has only Ebitengine's built-in shaders")
}
