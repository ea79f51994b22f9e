package graphics

import (
	"errors"

	"github.com/hajimehoshi/ebiten/v2/internal/shaderir"
	"github.com/hajimehoshi/ebiten/v2/internal/shaderir/glsl"
)

// CompileShader finds what the file this one replaces compiles.
func CompileShader(source []byte) (*shaderir.Program, error) {
	if p := glsl.Find(source); p != nil {
		return p, nil
	}
	return nil, errors.New("graphics: the slim build has only Ebitengine's built-in shaders; `make wasm-plain` has a compiler for others")
}
