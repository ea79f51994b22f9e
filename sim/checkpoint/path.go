package checkpoint

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"unsafe"
)

// fail keeps the first error, with the path to a place in a region.
func (w *walk) fail(in int32, place unsafe.Pointer, format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf("%s: "+format, append([]any{w.path(in, place)}, args...)...)
	}
}

// path is how a place in a region is reached from the root: eng.timers[1].fn.
func (w *walk) path(in int32, place unsafe.Pointer) string {
	r := &w.found[in]
	path := ""
	if r.parent >= 0 {
		path = w.path(r.parent, r.from)
	}
	size := r.plan.typ.Size()
	off := uintptr(place) - uintptr(r.at)
	if r.parent >= 0 && r.n > 1 {
		path += fmt.Sprintf("[%d]", off/size)
	}
	return strings.TrimPrefix(path+within(r.plan.typ, off%size), ".")
}

// within names the field of a type at an offset.
func within(t reflect.Type, off uintptr) string {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if off >= f.Offset && off < f.Offset+f.Type.Size() {
				return "." + f.Name + within(f.Type, off-f.Offset)
			}
		}
	case reflect.Array:
		size := t.Elem().Size()
		return fmt.Sprintf("[%d]", off/size) + within(t.Elem(), off%size)
	default:
	}
	return ""
}

// isStatic reports whether a func holds no variables for certain: it is declared
// at the top level, or written in the initial value of a package's variable.
// What is written in another func may hold its variables, a method value holds
// its receiver, a generic func its types.
func (c *Copier) isStatic(entry uintptr) bool {
	static, known := c.static[entry]
	if !known {
		static = staticName(funcName(entry))
		c.static[entry] = static
	}
	return static
}

func funcName(entry uintptr) string {
	if f := runtime.FuncForPC(entry); f != nil {
		return f.Name()
	}
	return "?"
}

func staticName(name string) bool {
	name = name[strings.LastIndexByte(name, '/')+1:] // of the last folder on
	_, name, ok := strings.Cut(name, ".")
	if !ok || strings.HasSuffix(name, "-fm") || strings.ContainsAny(name, "[]") {
		return false
	}
	for _, prefix := range []string{"init.func", "glob..func"} {
		if number, found := strings.CutPrefix(name, prefix); found {
			return strings.Trim(number, "0123456789") == ""
		}
	}
	return !strings.Contains(name, ".func") && !strings.Contains(name, ".gowrap")
}
