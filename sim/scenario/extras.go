package scenario

import (
	"fmt"
	"slices"

	"strandscope/sim/machine"
)

// Curve asks what scheduling costs against the number of a task's threads: a run
// of so many seconds for each number.
type Curve struct {
	Title     string
	Task      string
	Instances []int
	Seconds   int
}

// maxCurve bounds the points of a curve.
const maxCurve = 50

func (s *Scenario) readCurve(v value) error {
	c := Curve{Seconds: 60}
	err := v.read(fields{
		"title": intoText(&c.Title), "seconds": intoInt(&c.Seconds, 1, 3600),
		"task": intoName(&c.Task),
		"instances": each(func(v value) error {
			n, err := v.integer(1, MaxThreads)
			c.Instances = append(c.Instances, int(n))
			return err
		}),
	}, nil)
	switch {
	case err != nil:
		return err
	case c.Task == "":
		return v.errorf("task: missing; a curve varies the instances of one task")
	case len(c.Instances) < 2 || len(c.Instances) > maxCurve:
		return v.errorf("instances: %d, want 2 to %d numbers", len(c.Instances), maxCurve)
	case !slices.IsSorted(c.Instances):
		return v.errorf("instances: not in rising order")
	}
	s.Curve = &c
	return nil
}

// checkCurve is for when the tasks are known.
func (s *Scenario) checkCurve() error {
	if s.Curve == nil || s.taskAt(s.Curve.Task) >= 0 {
		return nil
	}
	names := map[string]bool{}
	for _, t := range s.Tasks {
		names[t.Name] = true
	}
	return fmt.Errorf("curve.task: %q is no task%s", s.Curve.Task, hint(s.Curve.Task, names, nil))
}

func (s *Scenario) taskAt(name string) int {
	return slices.IndexFunc(s.Tasks, func(t Task) bool { return t.Name == name })
}

// With is the scenario with another number of a task's threads, which must
// exist.
func (s *Scenario) With(task string, instances int) *Scenario {
	c := s.Clone()
	c.Tasks = slices.Clone(s.Tasks)
	c.Tasks[c.taskAt(task)].Instance = instances
	return c
}

// Probes are the tasks whose wake-ups are to be shown.
func (s *Scenario) Probes() []Task {
	var probes []Task
	for _, t := range s.Tasks {
		if t.Probe {
			probes = append(probes, t)
		}
	}
	return probes
}

// Alone is the scenario with nothing but its probes, and nobody to disturb them.
func (s *Scenario) Alone() *Scenario {
	c := s.Clone()
	c.Tasks, c.Commands, c.Questions, c.Printed, c.Curve = s.Probes(), nil, nil, nil, nil
	return c
}

// gridOf is a machine of so many CPUs with one strand each.
func gridOf(cpus int) (*machine.Machine, error) {
	if cpus < 1 || cpus > machine.MaxStrands {
		return nil, fmt.Errorf("cpus: %d, want 1 to %d", cpus, machine.MaxStrands)
	}
	return machine.Grid(cpus, 1)
}
