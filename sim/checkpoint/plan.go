package checkpoint

import "reflect"

// plan is what is to be known of a type to copy its values.
type plan struct {
	typ   reflect.Type
	many  reflect.Type // the type of a slice of it
	flat  bool         // it holds no pointer of any kind, not even a string
	slots []slot       // where its values hold what must be looked at
}

// slotKind is what a slot holds.
type slotKind uint8

const (
	pointerSlot slotKind = iota
	sliceSlot
	interfaceSlot
	mapSlot
	funcSlot
	refusedSlot // channels and bare pointers: unless nil, the graph cannot be copied
)

// slot is one place in a value.
type slot struct {
	off  uintptr
	kind slotKind
	typ  reflect.Type // of the place itself
	elem *plan        // of what a pointer points to, or a slice holds
}

// planOf returns the plan of a type. Types refer to themselves, so a plan is
// known before its slots are.
func (c *Copier) planOf(t reflect.Type) *plan {
	if p := c.plans[t]; p != nil {
		return p
	}
	p := &plan{typ: t, many: reflect.SliceOf(t), flat: flat(t)}
	c.plans[t] = p
	p.slots = c.slots(nil, t, 0)
	return p
}

// slots appends those of a value of type t that begins at off.
func (c *Copier) slots(list []slot, t reflect.Type, off uintptr) []slot {
	if c.shared[t] {
		return list
	}
	switch t.Kind() {
	case reflect.Pointer:
		if !c.shared[t.Elem()] {
			list = append(list, slot{off, pointerSlot, t, c.planOf(t.Elem())})
		}
	case reflect.Slice:
		list = append(list, slot{off, sliceSlot, t, c.planOf(t.Elem())})
	case reflect.Interface:
		list = append(list, slot{off: off, kind: interfaceSlot, typ: t})
	case reflect.Map:
		list = append(list, slot{off: off, kind: mapSlot, typ: t})
	case reflect.Func:
		list = append(list, slot{off: off, kind: funcSlot, typ: t})
	case reflect.Chan, reflect.UnsafePointer:
		list = append(list, slot{off: off, kind: refusedSlot, typ: t})
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			list = c.slots(list, f.Type, off+f.Offset)
		}
	case reflect.Array:
		for i := range t.Len() {
			list = c.slots(list, t.Elem(), off+uintptr(i)*t.Elem().Size())
		}
	default: // numbers and strings, which are never changed in place
	}
	return list
}

// flat reports whether values of a type are bits and nothing else.
func flat(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if !flat(t.Field(i).Type) {
				return false
			}
		}
		return true
	case reflect.Array:
		return flat(t.Elem())
	case reflect.Pointer, reflect.Slice, reflect.Interface, reflect.Map, reflect.Func, reflect.Chan,
		reflect.UnsafePointer, reflect.String:
		return false
	default:
		return true
	}
}
