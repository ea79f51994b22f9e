package panel

import (
	"fmt"

	"strandscope/render/act"
	"strandscope/sim"
	"strandscope/sim/sched"
)

// DescribeSelection tells what is selected, "" if nothing is.
func DescribeSelection(f *sim.Frame, v *act.View) string {
	switch sel := v.Selected; {
	case sel.Kind == act.StrandSelection && sel.CPU >= 0 && sel.CPU < len(f.CPUs):
		return fmt.Sprintf("Selected: cpu%d, %s.", sel.CPU, strandState(f, sel.CPU))
	case sel.Kind == act.ThreadSelection:
		if t := thread(f, sel.Thread); t != nil {
			return fmt.Sprintf("Selected: %s %d, %s.", t.Name, t.PID, threadState(t))
		}
	}
	return ""
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
