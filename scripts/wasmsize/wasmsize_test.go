package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sized puts its length before what it holds; all here is shorter than 128.
func sized(parts ...string) string {
	s := strings.Join(parts, "")
	return string(rune(len(s))) + s
}

const magic = "\x00asm\x01\x00\x00\x00"

// module has two imports and functions of 3, 5, 2 and 4 bytes.
func module() string {
	return magic +
		"\x02" + sized("\x02", sized("gojs"), sized("a"), "\x00\x00", sized("gojs"), sized("b"), "\x00\x00") +
		"\x0a" + sized("\x04", sized("..."), sized("....."), sized(".."), sized("....")) +
		"\x0b" + sized("data") +
		"\x00" + sized(sized("producers"), "x") +
		"\x00" + sized(sized("name"),
		"\x00"+sized(sized("module")),
		"\x01"+sized("\x04",
			"\x02"+sized("math.Sin"), "\x03"+sized("math_big.__Int_.Add"),
			"\x04"+sized("type_.eq.x"), "\x05"+sized("math.Max_go.shape.int_")))
}

func TestReport(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.wasm")
	require.NoError(t, os.WriteFile(name, []byte(module()), 0o644))
	var b strings.Builder
	require.NoError(t, report(&b, name, strings.NewReader("math\nmath/big\n"), 40, false))
	assert.Equal(t, `      155  whole file
       19  code
        4  data (tables of functions and types, constants, embedded files)

        7  50.0 %  math
        5  35.7 %  math/big
        2  14.3 %  (made by the linker)
`, b.String())
}

func TestTableSumsUpTheRest(t *testing.T) {
	var b strings.Builder
	table(&b, []entry{{"a", 6}, {"b", 3}, {"c", 1}}, 1)
	assert.Equal(t, "        6  60.0 %  a\n        4  40.0 %  2 more\n", b.String())
	b.Reset()
	table(&b, nil, 1)
	assert.Empty(t, b.String())
}

func TestPackageOf(t *testing.T) {
	paths := map[string]string{"main": "main"}
	for _, p := range []string{"strandscope/sim", "strandscope/sim/clock", "github.com/a-b/c", "go.yaml.in/yaml/v3", "gopkg.in/yaml.v3"} {
		paths[linkName(p)] = p
	}
	for function, want := range map[string]string{
		"strandscope_sim.New":                   "strandscope/sim",
		"strandscope_sim_clock.__Queue_.Push":   "strandscope/sim/clock",
		"github.com_a_b_c.F.func1.2":            "github.com/a-b/c",
		"github.com_a_b_c.F_go.shape.x.y_.Less": "github.com/a-b/c",
		"go.yaml.in_yaml_v3.Marshal":            "go.yaml.in/yaml/v3",
		"gopkg.in_yaml_2ev3.Marshal":            "gopkg.in/yaml.v3",
		"main.main":                             "main",
		"type_.hash.main.point":                 other,
		"_rt0_wasm_js":                          other,
		"":                                      other,
	} {
		assert.Equal(t, want, packageOf(function, paths), function)
	}
}

func TestNoFileMakesItPanic(t *testing.T) {
	whole := module()
	for i := range whole {
		_, err := parse([]byte(whole[:i]))
		// Between two sections the file is well-formed, but has no names.
		require.Error(t, err, "cut after %d bytes", i)
		for _, b := range []byte{0, 1, 0x7f, 0x80, 0xff} {
			_, _ = parse([]byte(whole[:i] + string([]byte{b}) + whole[i+1:]))
		}
	}
	_, err := parse([]byte("hello, world"))
	require.ErrorContains(t, err, "not a WebAssembly module")
	_, err = parse([]byte(magic))
	require.ErrorContains(t, err, "-ldflags=-w")
	_, err = parse([]byte(magic + "\x0a\xff\xff\xff\xff\xff\xff"))
	require.ErrorContains(t, err, "32 bits")
	_, err = parse([]byte(magic + "\x02" + sized("\x01", sized("m"), sized("n"), "\x02\x00")))
	require.ErrorContains(t, err, "kind 2")
	assert.Error(t, report(&strings.Builder{}, filepath.Join(t.TempDir(), "missing"), strings.NewReader(""), 1, false))
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(module()))
	f.Fuzz(func(_ *testing.T, b []byte) { _, _ = parse(b) })
}

func TestReportListsFunctionsWhereAsked(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.wasm")
	require.NoError(t, os.WriteFile(name, []byte(module()), 0o644))
	var b strings.Builder
	require.NoError(t, report(&b, name, strings.NewReader("math\nmath/big\n"), 2, true))
	_, functions, _ := strings.Cut(b.String(), "\n\n")
	assert.Equal(t, []string{"math_big.__Int_.Add", "math.Max_go.shape.int_"}, namesOf(functions)[:2])
}

// namesOf are the last words of lines.
func namesOf(lines string) (names []string) {
	for _, l := range strings.Split(strings.TrimSpace(lines), "\n") {
		f := strings.Fields(l)
		names = append(names, f[len(f)-1])
	}
	return names
}
