package panel

import (
	"fmt"

	"strandscope/render/act"
	"strandscope/sim"
	"strandscope/sim/sched"
)

// DescribeSelection tells what is selected, "" if nothing is.
func DescribeSelection(f *sim.Frame, v *act.View) string {
	name, state := Name(f, v.Selected)
	if name == "" {
		return ""
	}
	return fmt.Sprintf("Selected: %s, %s.", name, state)
}

// Name gives the name and the state of a strand or a thread, "" if there is
// none such.
func Name(f *sim.Frame, sel act.Selection) (name, state string) {
	switch {
	case sel.Kind == act.StrandSelection && sel.CPU >= 0 && sel.CPU < len(f.CPUs):
		return fmt.Sprintf("cpu%d", sel.CPU), strandState(f, sel.CPU)
	case sel.Kind == act.ThreadSelection:
		if t := thread(f, sel.Thread); t != nil {
			return fmt.Sprintf("%s %d", t.Name, t.PID), threadState(t)
		}
	}
	return "", ""
}

func strandState(f *sim.Frame, cpu int) string {
	c := &f.CPUs[cpu]
	t := thread(f, c.Thread)
	switch {
	case !c.Online:
		return "off-line"
	case t != nil:
		return fmt.Sprintf("runs %s %d", t.Name, t.PID)
	case c.IdleBesideWork && !c.MayHelp:
		return "idle while threads wait that may not run on it"
	case c.IdleBesideWork:
		return "idle while threads wait"
	}
	return "idle"
}

func threadState(t *sim.Thread) string {
	if t.State == sched.Running {
		return fmt.Sprintf("running on cpu%d", t.CPU)
	}
	return t.State.String()
}
