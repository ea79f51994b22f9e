package jsonc

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// Append writes a value after b as encoding/json does: bools, whole numbers, texts,
// lists, pointers, and structs by the tags `json:"name"` and `json:"name,omitempty"`
// that each of their fields has. It panics at a value of any other type, whatever the
// value, so that the first test that writes one finds it.
func Append(b []byte, v any) []byte { return appendValue(b, reflect.ValueOf(v)) }

func appendValue(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Bool:
		return strconv.AppendBool(b, v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.AppendInt(b, v.Int(), 10)
	case reflect.String:
		return appendText(b, v.String())
	case reflect.Slice:
		if v.IsNil() {
			return append(b, "null"...)
		}
		return appendList(b, v)
	case reflect.Array:
		return appendList(b, v)
	case reflect.Pointer:
		if v.IsNil() {
			return append(b, "null"...)
		}
		return appendValue(b, v.Elem())
	case reflect.Struct:
		return appendStruct(b, v)
	}
	panic("jsonc: cannot write a value of type " + v.Type().String())
}

func appendList(b []byte, v reflect.Value) []byte {
	b = append(b, '[')
	for i := range v.Len() {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendValue(b, v.Index(i))
	}
	return append(b, ']')
}

// field is how a field of a struct is written.
type field struct {
	key       string // with quotes and colon
	omitEmpty bool
}

// fields holds the fields of each type written so far: reading tags takes longer
// than writing what they are about.
var fields sync.Map // of []field by reflect.Type

func fieldsOf(t reflect.Type) []field {
	if known, ok := fields.Load(t); ok {
		return known.([]field)
	}
	list := make([]field, t.NumField())
	for i := range list {
		name, option, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if name == "" {
			panic(fmt.Sprintf("jsonc: field %s of %s has no tag with a name", t.Field(i).Name, t))
		}
		list[i] = field{string(appendText(nil, name)) + ":", option == "omitempty"}
	}
	fields.Store(t, list)
	return list
}

func appendStruct(b []byte, v reflect.Value) []byte {
	b = append(b, '{')
	first := true
	for i, f := range fieldsOf(v.Type()) {
		value := v.Field(i)
		if f.omitEmpty && empty(value) {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = appendValue(append(b, f.key...), value)
	}
	return append(b, '}')
}

// empty is what omitempty leaves out.
func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct, reflect.Array:
		return false
	}
	return v.IsZero()
}

// appendText writes a text in quotes. What is no UTF-8 becomes U+FFFD.
func appendText(b []byte, s string) []byte {
	const digits = "0123456789abcdef"
	b = append(b, '"')
	for i, r := range s {
		if r >= ' ' && r != '"' && r != '\\' {
			b = utf8.AppendRune(b, r)
		} else if n := strings.IndexByte(escaped, s[i]); n >= 0 {
			b = append(b, '\\', escapes[n])
		} else {
			b = append(b, '\\', 'u', '0', '0', digits[r>>4], digits[r&15])
		}
	}
	return append(b, '"')
}
