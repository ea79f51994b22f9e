// Package builtinshader joins strings to the sources of Ebitengine's built-in
// shaders. It stands in for the package of the same name, which fills in a
// text/template: that looks methods up by name, so the linker has to keep every
// exported method of the whole program.
//
// Names and values are those of the package it replaces, and so is each shader
// but for its comments; the tests of scripts/slim compare them.
package builtinshader

// A Filter is how texels are mixed where the picture is scaled.
type Filter int

const (
	FilterNearest Filter = iota
	FilterLinear
)

// FilterCount is the number of filters.
const FilterCount = 2

// An Address is what is read beside the source image.
type Address int

const (
	AddressUnsafe Address = iota // whatever is there
	AddressClampToZero
	AddressRepeat
)

// AddressCount is the number of addresses.
const AddressCount = 3

// The uniform variables of the shaders with a color matrix.
const (
	UniformColorMBody        = "ColorMBody"
	UniformColorMTranslation = "ColorMTranslation"
)

const head = "//kage:unit pixels\n\npackage main\n\n"

// ScreenShaderSource is the shader that scales the finished picture up to the
// screen: each texel stays a square, only the seams are mixed.
var ScreenShaderSource = []byte(head + `func Fragment(dstPos vec4, srcPos vec2) vec4 {
	scale := imageDstSize()/imageSrc0Size()
	pos := srcPos
	p0 := pos - 1/2.0/scale
	p1 := pos + 1/2.0/scale
` + corners("imageSrc0UnsafeAt") + `	rate := clamp(fract(p1)*scale, 0, 1)
	return ` + blend + `
}
`)

// ClearShaderSource is the shader that makes everything transparent.
var ClearShaderSource = []byte(head + "func Fragment() vec4 {\n\treturn vec4(0)\n}\n")

// blend weighs the four corners.
const blend = "mix(mix(c0, c1, rate.x), mix(c2, c3, rate.x), rate.y)"

// corners reads the texels around the rectangle from p0 to p1.
func corners(read string) string {
	return "\tc0 := " + read + "(p0)\n" +
		"\tc1 := " + read + "(vec2(p1.x, p0.y))\n" +
		"\tc2 := " + read + "(vec2(p0.x, p1.y))\n" +
		"\tc3 := " + read + "(p1)\n"
}

// ShaderSource returns the shader that draws an image.
func ShaderSource(filter Filter, address Address, useColorM bool) []byte {
	read := "imageSrc0At"
	if address == AddressUnsafe {
		read = "imageSrc0UnsafeAt"
	}

	s := head
	if useColorM {
		s += "var " + UniformColorMBody + " mat4\nvar " + UniformColorMTranslation + " vec4\n"
	}
	const wrap = "adjustTexelForAddressRepeat"
	if address == AddressRepeat {
		s += "func " + wrap + `(p vec2) vec2 {
	origin := imageSrc0Origin()
	size := imageSrc0Size()
	return mod(p - origin, size) + origin
}
`
	}

	s += "func Fragment(dstPos vec4, srcPos vec2, color vec4) vec4 {\n"
	switch {
	case filter == FilterLinear:
		s += "\tp0 := srcPos - 1/2.0\n\tp1 := srcPos + 1/2.0\n"
		if address == AddressRepeat {
			s += "\tp0 = " + wrap + "(p0)\n\tp1 = " + wrap + "(p1)\n"
		}
		s += corners(read) + "\trate := fract(p1)\n\tclr := " + blend + "\n"
	case address == AddressRepeat:
		s += "\tclr := " + read + "(" + wrap + "(srcPos))\n"
	default:
		s += "\tclr := " + read + "(srcPos)\n"
	}

	if useColorM {
		// The matrix is for colors that are not multiplied by their alpha. Where
		// that is 0, the sum below is 1, so that nothing is divided by 0.
		s += "\tclr.rgb /= clr.a + (1-sign(clr.a))\n" +
			"\tclr = (" + UniformColorMBody + " * clr) + " + UniformColorMTranslation + "\n" +
			"\tclr.rgb *= clr.a\n"
	}
	s += "\tclr *= color\n"
	if useColorM {
		s += "\tclr.rgb = min(clr.rgb, clr.a)\n"
	}
	return []byte(s + "\treturn clr\n}\n")
}

// AppendShaderSources appends the sources of all shaders.
func AppendShaderSources(sources [][]byte) [][]byte {
	for filter := range Filter(FilterCount) {
		for address := range Address(AddressCount) {
			sources = append(sources, ShaderSource(filter, address, false), ShaderSource(filter, address, true))
		}
	}
	return append(sources, ScreenShaderSource, ClearShaderSource)
}
