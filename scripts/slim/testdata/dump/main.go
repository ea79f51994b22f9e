// Command dump runs inside a copy of Ebitengine, as published or slim, and
// prints all that package builtinshader offers and what WebGL gets of it.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/hajimehoshi/ebiten/v2/internal/builtinshader"
	"github.com/hajimehoshi/ebiten/v2/internal/graphics"
	"github.com/hajimehoshi/ebiten/v2/internal/shaderir/glsl"
)

type shader struct {
	Name, Kage, Vertex, Fragment string

	Uniforms []string // name and type
	Read     []uint32 // for each word of the uniforms: 1 if it is used
	Rest     string   // of the program
}

func main() {
	dump := struct {
		Values  []any
		Shaders []shader
	}{
		Values: []any{
			builtinshader.FilterNearest, builtinshader.FilterLinear, builtinshader.FilterCount,
			builtinshader.AddressUnsafe, builtinshader.AddressClampToZero, builtinshader.AddressRepeat,
			builtinshader.AddressCount,
			builtinshader.UniformColorMBody, builtinshader.UniformColorMTranslation,
			glsl.GLSLVersionDefault, glsl.GLSLVersionES300,
		},
	}
	add := func(name string, source []byte) {
		dump.Shaders = append(dump.Shaders, compile(name, source))
	}
	for filter := range builtinshader.Filter(builtinshader.FilterCount) {
		for address := range builtinshader.Address(builtinshader.AddressCount) {
			for _, useColorM := range []bool{false, true} {
				add(fmt.Sprintf("filter %d, address %d, color matrix %v", filter, address, useColorM),
					builtinshader.ShaderSource(filter, address, useColorM))
			}
		}
	}
	add("screen", builtinshader.ScreenShaderSource)
	add("clear", builtinshader.ClearShaderSource)
	for i, source := range builtinshader.AppendShaderSources([][]byte{builtinshader.ClearShaderSource}) {
		add(fmt.Sprintf("appended %d", i), source)
	}
	if err := json.NewEncoder(os.Stdout).Encode(dump); err != nil {
		fail(err)
	}
}

func compile(name string, source []byte) shader {
	s := shader{Name: name, Kage: string(source)}
	// Twice: what Ebitengine notes in a program must not reach the next one.
	for range 2 {
		program, err := graphics.CompileShader(source)
		if err != nil {
			fail(fmt.Errorf("%s: %w", name, err))
		}
		s.Vertex, s.Fragment = glsl.Compile(program, glsl.GLSLVersionES300)
		s.Uniforms, s.Read = nil, nil
		for i, u := range program.Uniforms {
			s.Uniforms = append(s.Uniforms, program.UniformNames[i]+" "+u.String())
			for range u.Uint32Count() {
				s.Read = append(s.Read, 1)
			}
		}
		program.FilterUniformVariables(s.Read)
		s.Rest = fmt.Sprint(program.TextureCount, program.Attributes, program.Varyings, program.Unit)
	}
	return s
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
