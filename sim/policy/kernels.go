package policy

import (
	"fmt"
	"slices"
	"strings"

	"strandscope/sim/console"
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
	// HZOf, if set, is the clock rate of a scenario.
	HZOf func(s *scenario.Scenario) int
	// Keys are those of scheduler that only textbook policies have and this one takes.
	Keys []string
	// Classes are the default scheduling classes it offers, in the order shown.
	Classes []Class
	New     func(s *scenario.Scenario) (sched.Policy, error)
	// Configure, if set, finishes the engine's configuration.
	Configure func(cfg *engine.Config)
	// ClassOf, if set, is the class that a task asks for; "" is the default.
	ClassOf func(t *scenario.Task) string
	// Slices: a task may ask for slices of its own length. Lags: it may begin with what it
	// is owed.
	Slices, Lags bool
	Vmstat       stats.VmstatForm
	// Shell is what is typed at its machines.
	Shell *console.System
	// Microstates: the kernel accounts each thread's time by what it did.
	Microstates bool
	// NewLoad makes the kernel's load average. It reads the accounts given.
	NewLoad func(time *stats.CPUTime, cpus int) stats.LoadAverage
}

// Class is a default scheduling class as selectors show it.
type Class struct {
	Value, Label, Help string
}

// Kernels in the order shown to users; textbook policies come last, as in their own
// list (textbooks).
var Kernels = append([]Kernel{
	solaris10,
	linux22Kernel("linux-2.2.8", "Linux 2.2.8-pre5", false),
	linux22Kernel("linux-2.2.7", "Linux 2.2.7", true),
}, append(Later(), books()...)...)

// laterIDs are those of Later: what is unknown is told beside all that there is, also
// where the program lacks them.
var laterIDs = []string{"linux-2.6.22", "linux-2.6.24", "linux-6.1", "linux-6.12", "linux-6.18"}

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
	if len(Later()) == 0 {
		ids = append(ids, laterIDs...)
	}
	hint := ""
	if n := scenario.Nearest(id, ids); n != "" {
		hint = fmt.Sprintf("; did you mean %q?", n)
	}
	return Kernel{}, fmt.Errorf("scheduler.kernel: %q is unknown; there is %v%s", id, ids, hint)
}

// TaskClass is the class that a task asks for; "" is the default.
func (k Kernel) TaskClass(t *scenario.Task) string {
	if k.ClassOf != nil {
		return k.ClassOf(t)
	}
	return t.Class
}

// DefaultClass is the class in force where a scenario names none.
func (k Kernel) DefaultClass() string { return k.Classes[0].Value }

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

// CheckKeys refuses keys of textbook policies that this kernel does not take.
func (k Kernel) CheckKeys(s *scenario.Scenario) error {
	for _, key := range s.Scheduler.Book.Keys {
		if slices.Contains(k.Keys, key) || key == "unit" && len(s.Jobs) > 0 { // a real kernel may run a book's jobs
			continue
		}
		if len(k.Keys) == 0 {
			return fmt.Errorf("scheduler.%s: %s has none; it belongs to textbook policies", key, k.ID)
		}
		return fmt.Errorf("scheduler.%s: %s has none; it takes %s", key, k.ID, strings.Join(k.Keys, ", "))
	}
	return nil
}
