package console

import "slices"

// vars are shell variables, in the order in which they were first set.
type vars struct{ all []variableValue }

type variableValue struct{ name, value string }

// maxVars bounds how many variables there may be.
const maxVars = 1000

func (v *vars) get(name string) string {
	if i := v.index(name); i >= 0 {
		return v.all[i].value
	}
	return ""
}

func (v *vars) index(name string) int {
	return slices.IndexFunc(v.all, func(x variableValue) bool { return x.name == name })
}

// set reports whether there was room.
func (v *vars) set(name, value string) bool {
	if i := v.index(name); i >= 0 {
		v.all[i].value = value
		return true
	}
	if len(v.all) >= maxVars {
		return false
	}
	v.all = append(v.all, variableValue{name, value})
	return true
}

func (v *vars) unset(name string) {
	v.all = slices.DeleteFunc(v.all, func(x variableValue) bool { return x.name == name })
}

func (v *vars) clone() *vars { return &vars{all: slices.Clone(v.all)} }
