package policy

import (
	"fmt"
	"slices"

	"strandscope/sim/engine"
	"strandscope/sim/scenario"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
)

// Kernel is an operating system's scheduler, ready to be put on a machine.
type Kernel struct {
	ID, Title    string
	Timing       engine.Timing
	HZ           int
	SleepOnTicks bool
	// Classes are the default scheduling classes it offers, in the order shown.
	Classes []Class
	New     func(s *scenario.Scenario) (sched.Policy, error)
	// NewLoad makes the kernel's load average. It reads the accounts given.
	NewLoad func(time *stats.CPUTime, cpus int) stats.LoadAverage
}

// Class is a default scheduling class as selectors show it.
type Class struct {
	Value, Label, Help string
}

// Kernels in the order shown to users.
var Kernels = []Kernel{
	solaris10,
}

// Find returns the kernel of a name.
func Find(id string) (Kernel, error) {
	i := slices.IndexFunc(Kernels, func(k Kernel) bool { return k.ID == id })
	if i >= 0 {
		return Kernels[i], nil
	}
	ids := make([]string, 0, len(Kernels))
	for _, k := range Kernels {
		ids = append(ids, k.ID)
	}
	return Kernel{}, fmt.Errorf("scheduler.kernel: %q is unknown; there is %v", id, ids)
}

// CheckClass refuses a default class that the kernel does not load.
func (k Kernel) CheckClass(class string) error {
	names := make([]string, 0, len(k.Classes))
	for _, c := range k.Classes {
		if c.Value == class {
			return nil
		}
		names = append(names, c.Value)
	}
	hint := ""
	if n := scenario.Nearest(class, names); n != "" {
		hint = fmt.Sprintf("; did you mean %q?", n)
	}
	return fmt.Errorf("class %q is not loaded in %s, want one of %v%s", class, k.ID, names, hint)
}
