package shaderir

import "fmt"

// A BasicType is a type, or what kind of a composite one.
type BasicType int

const (
	None BasicType = iota
	Bool
	Int
	Float
	Vec2
	Vec3
	Vec4
	IVec2
	IVec3
	IVec4
	Mat2
	Mat3
	Mat4
	Texture
	Array
	Struct
)

// A Type is that of a uniform variable.
type Type struct {
	Main   BasicType
	Sub    []Type // of an array: its elements' type alone
	Length int
}

var basic = [...]struct {
	name  string
	words int
}{
	Int: {"int", 1}, Float: {"float", 1},
	Vec2: {"vec2", 2}, Vec3: {"vec3", 3}, Vec4: {"vec4", 4},
	IVec2: {"ivec2", 2}, IVec3: {"ivec3", 3}, IVec4: {"ivec4", 4},
	Mat2: {"mat2", 4}, Mat3: {"mat3", 9}, Mat4: {"mat4", 16},
	Struct: {}, // the last one
}

// String returns the type as Kage has it.
func (t Type) String() string {
	if t.Main == Array {
		return fmt.Sprintf("[%d]%s", t.Length, t.Sub[0])
	}
	return basic[t.Main].name
}

// Uint32Count returns how many words a value takes.
func (t Type) Uint32Count() int {
	if t.Main == Array {
		return t.Length * t.Sub[0].Uint32Count()
	}
	return basic[t.Main].words
}
