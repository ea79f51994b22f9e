package sim

import (
	"fmt"
	"slices"
	"strconv"

	"strandscope/sim/clock"
	"strandscope/sim/console"
	"strandscope/sim/scenario"
	"strandscope/sim/sched"
)

// Do runs a command line on the simulated machine, now, and returns what it
// printed. On an error nothing that it names has changed. Rewind and whoever goes
// back run it again at the same time; Reset forgets it. Commands of a later time
// are forgotten: this one makes another history.
func (s *Session) Do(line string) (string, error) {
	out, err := console.Do((*machineOps)(s), line)
	if err == nil {
		s.past.forgetAfter(s)
		s.typed = append(s.typed[:s.nextTyped:s.nextTyped], scenario.Command{At: clock.Duration(s.eng.Now()), Line: line})
		s.nextTyped++
	}
	return out, err
}

// Typed are the settings that would run the commands of Do again: do@TIME.
func (s *Session) Typed() []Setting {
	var set []Setting
	for _, c := range s.typed {
		set = append(set, Setting{fmt.Sprintf("do@%dns", int64(c.At)), c.Line})
	}
	return set
}

// Rewind starts the run again at zero, with the same settings and the commands
// of Do at their times.
func (s *Session) Rewind() error {
	typed := s.typed
	if err := s.start(s.original()); err != nil {
		return err
	}
	s.typed = typed
	return s.AdvanceTo(0)
}

// original is the scenario, to be changed by whoever asks.
func (s *Session) original() *scenario.Scenario { return s.sc.Clone() }

// runCommands runs the commands that are due by now: the scenario's, then those
// that were typed before time went back. At one time they were typed after the
// scenario's had run.
func (s *Session) runCommands() error {
	for {
		list, next, name := s.sc.Commands, &s.nextCommand, "commands"
		if !s.due(list, *next) {
			list, next, name = s.typed, &s.nextTyped, "typed"
		}
		if !s.due(list, *next) {
			return nil
		}
		c := list[*next]
		*next++
		if _, err := console.Do((*machineOps)(s), c.Line); err != nil {
			return fmt.Errorf("%s[%d] at %v: %w", name, *next-1, clock.Time(c.At), err)
		}
	}
}

func (s *Session) due(list []scenario.Command, next int) bool {
	return next < len(list) && clock.Time(list[next].At) <= s.eng.Now()
}

// commandBy is the time of the next command, if that is before t.
func (s *Session) commandBy(t clock.Time) clock.Time {
	if s.nextCommand < len(s.sc.Commands) {
		t = min(t, clock.Time(s.sc.Commands[s.nextCommand].At))
	}
	if s.nextTyped < len(s.typed) {
		t = min(t, clock.Time(s.typed[s.nextTyped].At))
	}
	return t
}

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
		"all":    func(*sched.Thread) string { return "" },
	}[idtype]
	if !ok {
		return nil, fmt.Errorf("id type %q, want pid, class, projid, psetid, name or all", idtype)
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
	if c, ok := m.pol.(interface{ ClassOf(t *sched.Thread) string }); ok {
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
func (m *machineOps) Kill(id sched.ThreadID) error          { return m.eng.Kill(m.thread(id)) }
func (m *machineOps) Bind(id sched.ThreadID, cpu int) error { return m.eng.Bind(m.thread(id), cpu) }
func (m *machineOps) Join(id sched.ThreadID, set int) error { return m.eng.Join(m.thread(id), set) }
func (m *machineOps) CPUs() int                             { return len(m.eng.CPUs()) }
func (m *machineOps) SetOf(cpu int) int                     { return m.eng.CPUs()[cpu].Set }
func (m *machineOps) Assign(cpu, set int) error             { return m.eng.Assign(cpu, set) }
func (m *machineOps) SetOnline(cpu int, online bool) error  { return m.eng.SetOnline(cpu, online) }

// SetShares finds a project by name or number.
func (m *machineOps) SetShares(project string, shares int) error {
	for _, p := range m.sc.Scheduler.Projects {
		if p.Name == project || strconv.Itoa(p.ID) == project {
			return m.eng.SetShares(sched.GroupID(p.ID), shares)
		}
	}
	return fmt.Errorf("project %q is not defined in this scenario", project)
}
