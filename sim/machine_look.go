package sim

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"

	"strandscope/sim/clock"
	"strandscope/sim/console"
	"strandscope/sim/engine"
	"strandscope/sim/scenario"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
	"strandscope/sim/trace"
	"strandscope/sim/workload"
)

// What a session tells its console, and how it starts processes for it.

func (m *machineOps) Now() clock.Time      { return m.eng.Now() }
func (m *machineOps) Tick() clock.Duration { return m.eng.Tick() }

// initPID is the parent of what nobody here has started.
const initPID = 1

func (m *machineOps) ppid(t *sched.Thread) int32 {
	if t.Parent == sched.None || m.thread(t.Parent).State == sched.Gone {
		return initPID
	}
	return m.thread(t.Parent).PID
}

// Processes implements console.Machine. A process that has exited is a zombie
// while its parent lives, unless that is the shell, which waits for its children.
func (m *machineOps) Processes() []console.Process {
	var list []console.Process
	for _, t := range m.eng.Threads() {
		if t.Kernel || t.State == sched.Embryo {
			continue
		}
		p := m.Process(t.ID)
		if t.State != sched.Gone || p.Zombie {
			list = append(list, p)
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].PID < list[j].PID })
	return list
}

// Process implements console.Machine.
func (m *machineOps) Process(id sched.ThreadID) console.Process {
	t, now := m.thread(id), m.eng.Now()
	st := (*roster)(m).Standing(id)
	e := m.watch.ledger.Entry(id)
	p := console.Process{
		ID: id, PID: t.PID, PPID: m.ppid(t), Name: t.Name, Class: st.Class, State: t.State, CPU: t.CPU, Set: t.Set,
		Bound: t.Bound, Project: int(t.Group), Priority: st.Priority, Nice: st.Nice, Waited: e.Waited(now), User: e.Ran(now),
		Started: e.Born,
	}
	p.Zombie = t.State == sched.Gone && t.Parent != sched.None && m.thread(t.Parent).State != sched.Gone && !m.isShell(t.Parent)
	if w := m.watch.micro; w != nil && e.Started() {
		p.User, p.System = w.Micro(id, stats.MicroUser, now), w.Micro(id, stats.MicroSystem, now)
		p.Started = w.Born(id)
	}
	if i := m.fields.ticks; i >= 0 {
		p.Ticks = m.Values(id)[i]
	}
	return p
}

func (m *machineOps) isShell(id sched.ThreadID) bool { return m.shell == id+1 }

// Fields implements console.Machine.
func (m *machineOps) Fields() []sched.Field { return m.fields.names }

// Values implements console.Machine.
func (m *machineOps) Values(id sched.ThreadID) []int64 {
	if m.fields.inspect == nil {
		return nil
	}
	m.fields.inspect.Values(m.thread(id), m.fields.row)
	return slices.Clone(m.fields.row)
}

// CPU implements console.Machine.
func (m *machineOps) CPU(id int) console.CPU {
	c, at := m.eng.CPUs()[id], m.sc.Machine.CPUs[id]
	return console.CPU{ID: id, Core: at.Core, Chip: at.Chip, Set: c.Set, Online: c.Online, Since: m.watch.vmstat.ChangedAt(id)}
}

// Hardware implements console.Machine.
func (m *machineOps) Hardware() console.Hardware {
	x := m.sc.Machine
	h := console.Hardware{Title: x.Title, Chips: x.Chips, Cores: len(x.Cores)}
	h.CPUModel, h.MHz = processorOf(x.ID)
	return h
}

// processorOf names the processor of a preset machine, and its clock in MHz as
// the makers' data sheets give it; others are taken for a T1 of 1 GHz.
func processorOf(machine string) (model string, mhz int) {
	switch machine {
	case "t5120":
		return "UltraSPARC-T2", 1165
	case "t5240":
		return "UltraSPARC-T2+", 1165
	case "xeon-smp4-1999":
		return "Pentium III (Katmai)", 500
	}
	return "UltraSPARC-T1", 1000
}

// standardProjects are those that every Solaris 10 has in its /etc/project.
const standardProjects = 4

// Projects implements console.Machine.
func (m *machineOps) Projects() []console.Project {
	r := (*roster)(m)
	var list []console.Project
	if _, ok := m.pol.(sharer); ok {
		for id := range standardProjects {
			if r.project(sched.GroupID(id)) == nil {
				list = append(list, m.asProject(id, r.ProjectName(sched.GroupID(id)), 1))
			}
		}
	}
	for _, p := range m.sc.Scheduler.Projects {
		list = append(list, m.asProject(p.ID, r.ProjectName(sched.GroupID(p.ID)), p.Shares))
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].ID < list[j].ID })
	return list
}

// sharer is a policy whose projects own shares.
type sharer interface{ SharesOf(g sched.GroupID) int }

func (m *machineOps) asProject(id int, name string, shares int) console.Project {
	if s, ok := m.pol.(sharer); ok {
		shares = s.SharesOf(sched.GroupID(id))
	}
	return console.Project{ID: id, Name: name, Shares: shares}
}

// Load implements console.Machine.
func (m *machineOps) Load() [3]int64 {
	if l, ok := m.watch.load.(interface{ CatchUp(now clock.Time) }); ok {
		l.CatchUp(m.eng.Now())
	}
	return m.watch.load.Avenrun()
}

// LoadText implements console.Machine.
func (m *machineOps) LoadText() [3]string {
	var text [3]string
	for i, a := range m.Load() {
		text[i] = stats.LoadText(a)
	}
	if l, ok := m.watch.load.(interface{ Texts() [3]string }); ok {
		text = l.Texts()
	}
	return text
}

// Boot implements console.Machine.
func (m *machineOps) Boot() console.Boot {
	b := m.sc.Boot
	return console.Boot{Clock: b.Clock, Up: b.Up, Users: b.Users}
}

// decoration marks what the console is to show as such.
var decoration = stats.Marks{On: console.DecorationOn, Off: console.DecorationOff}

// Vmstat implements console.Machine.
func (m *machineOps) Vmstat() *stats.VmstatReport {
	return stats.NewVmstatReportSince(m.kernel.Vmstat, m.watch.vmstat, 1, m.sc.Boot.Up, m.Now(), decoration)
}

// Mpstat implements console.Machine.
func (m *machineOps) Mpstat(view stats.MpstatView) *stats.MpstatReport {
	sets := make([]int, m.CPUs())
	for i := range sets {
		sets[i] = m.SetOf(i)
	}
	return stats.NewMpstatReportSince(m.watch.vmstat, 1, view, sets, m.sc.Boot.Up, m.Now(), stats.Listing{Marks: decoration})
}

// Prstat implements console.Machine; nil where the kernel keeps no microstates.
func (m *machineOps) Prstat(seconds int, view stats.PrstatView) *stats.PrstatReport {
	if m.watch.micro == nil {
		return nil
	}
	return stats.NewPrstatReportOn(m.watch.micro, seconds, view, (*loads)(m), stats.Listing{Marks: decoration})
}

// Watch implements console.Machine.
func (m *machineOps) Watch(o trace.Observer) { m.eng.Observe(o) }

// Unwatch implements console.Machine.
func (m *machineOps) Unwatch(o trace.Observer) { m.eng.Unobserve(o) }

// Rouse implements console.Machine.
func (m *machineOps) Rouse() {
	if m.con != nil {
		m.con.Wake()
		m.eng.Halt()
	}
}

// CPUTime implements console.Machine.
func (m *machineOps) CPUTime(cpu int) (idle, user, system clock.Duration) {
	at := func(mode trace.CPUMode) clock.Duration { return m.watch.time.Time(cpu, mode, m.eng.Now()) }
	return at(trace.IdleMode), at(trace.UserMode), at(trace.SystemMode)
}

// Switches implements console.Machine.
func (m *machineOps) Switches() int64 { return m.watch.vmstat.Switches() }

// LastPID implements console.Machine.
func (m *machineOps) LastPID() int32 { return m.nextPID() - 1 }

// DefaultClass implements console.Machine.
func (m *machineOps) DefaultClass() string {
	if c := m.sc.Scheduler.DefaultClass; c != scenario.Unset {
		return c
	}
	return ""
}

// CheckClass implements console.Machine.
func (m *machineOps) CheckClass(class string) error {
	if class == scenario.Unset {
		return fmt.Errorf("class %q is not loaded", class)
	}
	return m.kernel.CheckClass(class)
}

// MoveTo implements console.Machine.
func (m *machineOps) MoveTo(id sched.ThreadID, project string) error {
	g, err := m.findProject(project)
	if err != nil {
		return err
	}
	return m.eng.Regroup(m.thread(id), g)
}

// findProject finds a project by name or number.
func (m *machineOps) findProject(name string) (sched.GroupID, error) {
	for _, p := range m.Projects() {
		if p.Name == name || strconv.Itoa(p.ID) == name {
			return sched.GroupID(p.ID), nil
		}
	}
	return 0, fmt.Errorf("project %q is not defined in this scenario", name)
}

// Params implements console.Machine.
func (m *machineOps) Params(id sched.ThreadID) sched.Params {
	if p, ok := m.pol.(interface {
		Params(t *sched.Thread) sched.Params
	}); ok {
		return p.Params(m.thread(id))
	}
	return sched.Params{Class: m.Class(id), Nice: m.NiceOf(id)}
}

// tabler is a policy whose dispatch tables can be looked at and replaced.
type tabler interface {
	Table(class string, res int) (string, error)
	SetTable(class, text string) error
}

var errNoTables = errors.New("this kernel has no dispatch tables")

// Table implements console.Machine.
func (m *machineOps) Table(class string, res int) (string, error) {
	if t, ok := m.pol.(tabler); ok {
		return t.Table(class, res)
	}
	return "", errNoTables
}

// SetTable implements console.Machine.
func (m *machineOps) SetTable(class, text string) error {
	if t, ok := m.pol.(tabler); ok {
		return t.SetTable(class, text)
	}
	return errNoTables
}

// Reboot implements console.Machine.
func (m *machineOps) Reboot(class string) error {
	if class == "" {
		class = scenario.Unset
	}
	return (*Session)(m).reboot(class)
}

// Shell implements console.Machine.
func (m *machineOps) Shell() (sched.ThreadID, error) {
	if m.shell == 0 {
		id := (*Session)(m).shellOf()
		if id < 0 {
			t, err := m.newShell()
			if err != nil {
				return 0, err
			}
			id = t.ID
		}
		m.shell = id + 1
	}
	return m.shell - 1, nil
}

// newShell makes a process that sleeps all the time: what is typed acts from
// outside, and costs the machine nothing.
func (m *machineOps) newShell() (*sched.Thread, error) {
	b := &workload.Builder{}
	b.Do(workload.Instr{Op: workload.Block})
	prog, err := b.Program()
	if err != nil {
		return nil, err
	}
	set := m.sc.SetOf(&scenario.Task{Set: m.sc.Console.Set})
	t, err := m.eng.Create(engine.Spec{
		Name: "sh", PID: m.nextPID(), Set: set, Bound: sched.NoCPU, Group: rootProject, Prog: prog,
	})
	if err != nil {
		return nil, err
	}
	return t, m.eng.Start(t)
}

// nextPID is the process id of the next thread: ids follow threads, as they do
// when a process forks.
func (m *machineOps) nextPID() int32 {
	all := m.eng.Threads()
	for _, t := range all {
		if !t.Kernel {
			return t.PID + int32(len(all)) - int32(t.ID)
		}
	}
	return int32(cmp.Or(m.sc.Scheduler.FirstPID, firstPID))
}

// rootProject is user.root, the project of what root starts by hand.
const rootProject sched.GroupID = 1

// Spawn implements console.Machine.
func (m *machineOps) Spawn(parent sched.ThreadID, name string, prog *workload.Program) (sched.ThreadID, error) {
	t, err := m.eng.Spawn(m.thread(parent), name, prog)
	if err != nil {
		return sched.None, err
	}
	return t.ID, nil
}

// Program implements console.Machine.
func (m *machineOps) Program(name string) (*workload.Program, bool) {
	for i := range m.sc.Tasks {
		if m.sc.Tasks[i].Name == name {
			return m.sc.Tasks[i].Program, true
		}
	}
	return nil, false
}

// Programs implements console.Machine.
func (m *machineOps) Programs() []string {
	var names []string
	for i := range m.sc.Tasks {
		names = append(names, m.sc.Tasks[i].Name)
	}
	return names
}
