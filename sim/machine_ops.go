package sim

import (
	"fmt"
	"slices"
	"strconv"

	"strandscope/sim/console"
	"strandscope/sim/scenario"
	"strandscope/sim/sched"
)

// machineOps is the session as commands see it.
type machineOps Session

var _ console.Machine = (*machineOps)(nil)

func (m *machineOps) thread(id sched.ThreadID) *sched.Thread { return m.eng.Threads()[id] }

// Find implements console.Machine. Live user threads only.
func (m *machineOps) Find(idtype string, ids []string) ([]sched.ThreadID, error) {
	key, ok := map[string]func(t *sched.Thread) string{
		"pid":    func(t *sched.Thread) string { return strconv.Itoa(int(t.PID)) },
		"class":  func(t *sched.Thread) string { return m.Class(t.ID) },
		"projid": func(t *sched.Thread) string { return strconv.Itoa(int(t.Group)) },
		"psetid": func(t *sched.Thread) string { return strconv.Itoa(t.Set) },
		"name":   func(t *sched.Thread) string { return t.Name },
		"ppid":   func(t *sched.Thread) string { return strconv.Itoa(int(m.ppid(t))) },
		"uid":    func(*sched.Thread) string { return "0" },
		"all":    func(*sched.Thread) string { return "" },
	}[idtype]
	if !ok {
		return nil, fmt.Errorf("id type %q, want pid, ppid, class, projid, psetid, name, uid or all", idtype)
	}
	if idtype == "all" {
		ids = []string{""}
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("which process? no %s is given", idtype)
	}
	var found []sched.ThreadID
	seen := make([]bool, len(ids))
	for _, t := range m.eng.Threads() {
		if t.Kernel || t.State == sched.Gone {
			continue
		}
		if i := slices.Index(ids, key(t)); i >= 0 {
			seen[i] = true
			found = append(found, t.ID)
		}
	}
	// A set without processes is no mistake; anything else without one is.
	if i := slices.Index(seen, false); i >= 0 && idtype != "psetid" {
		return nil, fmt.Errorf("no process has %s %q", idtype, ids[i])
	}
	return found, nil
}

func (m *machineOps) Class(id sched.ThreadID) string {
	if c, ok := m.pol.(sched.Classer); ok {
		return c.ClassOf(m.thread(id))
	}
	return ""
}

func (m *machineOps) Change(id sched.ThreadID, p sched.Params) error {
	if p.Class != "" {
		if p.Class == scenario.Unset {
			return fmt.Errorf("class %q is no class of a process", p.Class)
		}
		if err := m.kernel.CheckClass(p.Class); err != nil {
			return err
		}
	}
	return m.eng.Set(m.thread(id), &p)
}

func (m *machineOps) NiceOf(id sched.ThreadID) int {
	if m.fields.inspect == nil {
		return 0
	}
	m.fields.inspect.Values(m.thread(id), m.fields.row)
	return m.fields.get(m.fields.nice)
}

func (m *machineOps) Nice(id sched.ThreadID, incr int) (int, error) {
	return m.eng.Nice(m.thread(id), incr)
}

// Kill implements console.Machine.
func (m *machineOps) Kill(id sched.ThreadID) error          { return m.eng.Kill(m.thread(id)) }
func (m *machineOps) Bind(id sched.ThreadID, cpu int) error { return m.eng.Bind(m.thread(id), cpu) }
func (m *machineOps) Join(id sched.ThreadID, set int) error { return m.eng.Join(m.thread(id), set) }
func (m *machineOps) CPUs() int                             { return len(m.eng.CPUs()) }
func (m *machineOps) SetOf(cpu int) int                     { return m.eng.CPUs()[cpu].Set }
func (m *machineOps) Assign(cpu, set int) error             { return m.eng.Assign(cpu, set) }
func (m *machineOps) SetOnline(cpu int, online bool) error  { return m.eng.SetOnline(cpu, online) }

// SetShares finds a project by name or number.
func (m *machineOps) SetShares(project string, shares int) error {
	g, err := m.findProject(project)
	if err != nil {
		return err
	}
	return m.eng.SetShares(g, shares)
}
