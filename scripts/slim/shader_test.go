package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// dump is what testdata/dump prints.
type dump struct {
	Values  []any
	Shaders []shader
}

type shader struct {
	Name, Kage, Vertex, Fragment string

	Uniforms []string
	Read     []uint32
	Rest     string
}

// The published Ebitengine in one copy, the slim one in another, the same
// program in both.
func TestShadersAreThoseOfThePublishedEbitengine(t *testing.T) {
	from, err := published("../..")
	require.NoError(t, err)

	theirs := filepath.Join(t.TempDir(), "theirs")
	require.NoError(t, copyModule(theirs, from))
	want := dumped(t, theirs)
	got := dumped(t, filepath.Join(prepared(t), "ebiten"))

	assert.Len(t, want.Shaders, 2*3*2+2+1+14, "all of v2.8.8")
	assert.Equal(t, want.Values, got.Values)
	assert.Empty(t, differences(want.Shaders, got.Shaders))

	t.Run("and others would be noticed", func(t *testing.T) {
		other, err := ours.ReadFile(replacements + "/" + shaderSources + "/shader.go")
		require.NoError(t, err)
		changed := strings.Replace(string(other), "srcPos - 1/2.0", "srcPos - 1/3.0", 1)
		require.NotEqual(t, string(other), changed)
		require.NoError(t, os.WriteFile(filepath.Join(theirs, shaderSources, "shader.go"), []byte(changed), 0o644))
		found := differences(want.Shaders, dumped(t, theirs).Shaders)
		assert.Len(t, found, 2*2*6, "source and WebGL, alone and appended, of the six linear shaders: %s", found)
	})
}

func dumped(t *testing.T, ebiten string) (d dump) {
	t.Helper()
	program, err := os.ReadFile("testdata/dump/main.go")
	require.NoError(t, err)
	out, err := runText(ebiten, program)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(out, &d))
	return d
}

// differences names what is not the same.
func differences(want, got []shader) (list []string) {
	if len(want) != len(got) {
		return []string{fmt.Sprintf("%d shaders instead of %d", len(got), len(want))}
	}
	for i, w := range want {
		g := got[i]
		compare := func(what, want, got string) {
			if want != got {
				list = append(list, fmt.Sprintf("%s: %s is\n%s\ninstead of\n%s", w.Name, what, got, want))
			}
		}
		compare("the name", w.Name, g.Name)
		compare("the source", code(w.Kage), code(g.Kage))
		compare("the vertex shader", w.Vertex, g.Vertex)
		compare("the fragment shader", w.Fragment, g.Fragment)
		compare("the list of uniforms", fmt.Sprint(w.Uniforms), fmt.Sprint(g.Uniforms))
		compare("the use of uniforms", fmt.Sprint(w.Read), fmt.Sprint(g.Read))
		compare("the rest", w.Rest, g.Rest)
	}
	return list
}

// code is a Kage source without blank lines, indentation and comments. What
// begins with //kage: is no comment.
func code(kage string) string {
	lines := strings.Split(kage, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
	}
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool {
		return line == "" || strings.HasPrefix(line, "//") && !strings.HasPrefix(line, "//kage:")
	}), "\n")
}

func TestEveryDifferenceCounts(t *testing.T) {
	one := func() []shader {
		return []shader{{
			Name: "n", Kage: "//kage:unit pixels\n\n// why\nfunc F() {\n\tx := 1\n}\n", Vertex: "v", Fragment: "f",
			Uniforms: []string{"u vec2"}, Read: []uint32{1, 1}, Rest: "r",
		}}
	}
	same := one()
	same[0].Kage = "//kage:unit pixels\nfunc F() {\n  x := 1\n\n}"
	assert.Empty(t, differences(one(), same))
	assert.Len(t, differences(one(), nil), 1)
	for name, change := range map[string]func(*shader){
		"name":      func(s *shader) { s.Name += "2" },
		"code":      func(s *shader) { s.Kage = strings.Replace(s.Kage, "1", "2", 1) },
		"spaces":    func(s *shader) { s.Kage = strings.Replace(s.Kage, ":= 1", ":=1", 1) },
		"order":     func(s *shader) { s.Kage = "func F() {\n//kage:unit pixels\nx := 1\n}" },
		"directive": func(s *shader) { s.Kage = strings.Replace(s.Kage, "pixels", "texels", 1) },
		"vertex":    func(s *shader) { s.Vertex = "" },
		"fragment":  func(s *shader) { s.Fragment += " " },
		"uniforms":  func(s *shader) { s.Uniforms[0] = "u vec3" },
		"read":      func(s *shader) { s.Read[1] = 0 },
		"rest":      func(s *shader) { s.Rest = "" },
	} {
		t.Run(name, func(t *testing.T) {
			changed := one()
			change(&changed[0])
			assert.Len(t, differences(one(), changed), 1)
		})
	}
}
