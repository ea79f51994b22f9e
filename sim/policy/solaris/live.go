package solaris

import (
	"fmt"
	"strings"

	"strandscope/sim/sched"
)

// What dispadmin and priocntl ask of a running kernel.

// inParts is a quantum in ticks as units of 1/res second, rounded up.
func inParts(ticks, res int) int { return int((int64(ticks)*int64(res) + HZ - 1) / HZ) }

// Table prints a class's dispatch table as `dispadmin -c CLASS -g -r RES` does.
func (p *Policy) Table(class string, res int) (string, error) {
	if res < 1 || res > maxRes {
		return "", fmt.Errorf("resolution %d, want 1 to %d", res, maxRes)
	}
	switch class {
	case "TS":
		return p.opt.Tables.TS.Dispadmin(res), nil
	case "IA":
		return p.opt.Tables.TS.dispadmin("Interactive", res), nil
	case "FX":
		return p.opt.Tables.FX.dispadmin("Fixed Priority", "fx", res), nil
	case "RT":
		return p.opt.Tables.RT.dispadmin("Real Time", "rt", res), nil
	case "FSS":
		return fmt.Sprintf("#\n# Fair Share Scheduler Configuration\n#\nRES=%d\n#\n# Time Quantum\n#\nQUANTUM=%d\n",
			res, inParts(p.opt.FSSQuantum, res)), nil
	}
	return "", fmt.Errorf("class %q has no dispatch table", class)
}

func (t RTTable) dispadmin(title, short string, res int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s Dispatcher Configuration\nRES=%d\n\n", title, res)
	fmt.Fprintf(&b, "# TIME QUANTUM                    PRIORITY\n# (%s_quantum)                      LEVEL\n", short)
	for l, q := range t {
		fmt.Fprintf(&b, "%10d                    #      %3d\n", inParts(q, res), l)
	}
	return b.String()
}

// SetTable replaces a class's dispatch table by such a text, as `dispadmin -c
// CLASS -s` does; TS and IA share theirs. Quanta that have begun go on as they
// are. A table that is refused changes nothing.
func (p *Policy) SetTable(class, text string) error {
	parsed, err := ParseDispadmin(text)
	if err != nil {
		return err
	}
	o := p.opt
	if err := parsed.Apply(class, &o); err != nil {
		return err
	}
	if o.FSSQuantum < 1 || o.FSSQuantum >= HZ {
		return fmt.Errorf("QUANTUM of %d ticks, want 1 to %d", o.FSSQuantum, HZ-1)
	}
	p.opt = o
	for _, c := range p.classes {
		switch c := c.(type) {
		case *timeShare:
			c.table = o.Tables.TS
		case *fixedPriority:
			c.table = o.Tables.FX
		case *realTime:
			c.table = o.Tables.RT
		case *fairShare:
			c.quantum = o.FSSQuantum
		}
	}
	return nil
}

// Params are a thread's class and the parameters that priocntl -d prints.
func (p *Policy) Params(t *sched.Thread) sched.Params {
	c := p.disp.th.At(t.ID).class
	var s Shown
	c.Show(t, &s)
	par := sched.Params{Class: c.Name(), Priority: s.Upri, Limit: s.Uprilim, Nice: s.Nice, Keep: true}
	switch c := c.(type) {
	case *timeShare:
		if c.interactive {
			par.Boost = c.th.At(t.ID).boost
		}
	case *fixedPriority:
		par.Quantum = c.th.At(t.ID).quantum
	case *realTime:
		par.Quantum = c.th.At(t.ID).quantum
	}
	return par
}
