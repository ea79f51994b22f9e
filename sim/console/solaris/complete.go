package solaris

import (
	"slices"
	"strconv"

	"strandscope/sim/console"
	"strandscope/sim/order"
)

// What completion offers.

// classNames are the classes in the order in which dispadmin lists them.
var classNames = []string{"TS", "FX", "IA", "FSS", "RT"}

func completeClasses(*console.Env, []string) []string { return classNames }

func completeCPUs(e *console.Env, _ []string) []string {
	var list []string
	for c := range e.Machine.CPUs() {
		list = append(list, strconv.Itoa(c))
	}
	return list
}

func completeSets(e *console.Env, _ []string) []string {
	var list []string
	for _, s := range setsOf(e.Machine) {
		list = append(list, strconv.Itoa(s))
	}
	return list
}

func completeProjects(e *console.Env, _ []string) []string {
	var list []string
	for _, p := range e.Machine.Projects() {
		list = append(list, p.Name)
	}
	return list
}

// after returns the word before the last one, to which the last may belong.
func after(args []string) string {
	if len(args) < 2 {
		return ""
	}
	return args[len(args)-2]
}

// setsOf lists the processor sets that were made, by number.
func setsOf(m console.Machine) []int {
	var list []int
	for c := range m.CPUs() {
		if s := m.SetOf(c); s != 0 {
			if i, found := slices.BinarySearch(list, s); !found {
				list = order.Insert(list, i, s)
			}
		}
	}
	return list
}

// cpusOf lists the CPUs of a processor set.
func cpusOf(m console.Machine, set int) []int {
	var list []int
	for c := range m.CPUs() {
		if m.SetOf(c) == set {
			list = append(list, c)
		}
	}
	return list
}
