// Package solaris replays the data recorded from the Solaris kernel's own code:
// per-tick, per-second and multi-CPU scenarios, single class operations,
// dispatch tables and load averages, in the formats that
// shared/reference/solaris/README.md describes. Everything is built from a
// file's header; names and notes are not read.
package solaris

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"strandscope/sim/clock"
	"strandscope/sim/engine"
	"strandscope/sim/golden"
	"strandscope/sim/machine"
	policy "strandscope/sim/policy/solaris"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
	"strandscope/sim/workload"
)

// header is the first line of a scenario file (format 2): the whole scenario.
type header struct {
	everyTick bool // no clock tick is skipped

	Scenario      string
	Format        int
	Kind          string
	HZ            int
	Ticks         int
	NCPU          int
	StrandsPer    int `json:"strands_per_core"`
	PSets         []psetEntry
	ClassSettings map[string]classSetting `json:"class_settings"`
	Dispatcher    struct {
		Rechoose   int    `json:"rechoose_ticks"`
		StealDelay int    `json:"steal_delay_ns"`
		Rules      string `json:"balance_and_halt"`
	}
	ClassUpdate *struct {
		First   int `json:"first_tick"`
		Every   int
		Lists   int
		Pri     int
		LastCPU int `json:"last_cpu"`
	} `json:"class_update"`
	Zones    []struct{ ID, Shares int }
	Projects []struct{ ID, Shares, Zone int }
	Rows     struct {
		First     int `json:"first_tick"`
		Every     int
		Detail    string
		MaxEvents int `json:"max_events"`
	}
	LoadAvg *struct {
		Idle int `json:"idle_seconds_before"`
	}
	StartOrder []int `json:"start_order"`
	Forks      *struct {
		Parent     int
		AfterTicks int `json:"after_ticks"`
		Count      int
		FirstChild int    `json:"first_child"`
		ChildName  string `json:"child_name"`
	}
	Threads []threadEntry
}

type psetEntry struct {
	ID      int
	CPUs    []int
	Threads json.RawMessage // "all" or a list of ids
}

type classSetting struct {
	DPTbl       string
	StartCPUPri *int `json:"start_cpupri"`
	Boost       int
	Quantum     int
	StartUmdpri *int `json:"start_umdpri"`
}

type threadEntry struct {
	ID                  int
	Count               int
	Name, Class         string
	Bind                *int
	RunTicks            *int `json:"run_ticks"`
	SleepTicks          int  `json:"sleep_ticks"`
	Upri, Uprilim, Nice int
	Boost               int
	FXPri               int
	RTPri               int
	Quantum             int
	Project             int
	StartUmdpri         *int `json:"start_umdpri"`
}

// expand writes out entries that stand for many threads.
func (h *header) expand() []threadEntry {
	var all []threadEntry
	for _, t := range h.Threads {
		for i := range max(t.Count, 1) {
			x := t
			x.ID = t.ID + i
			x.Name = strings.ReplaceAll(t.Name, "#", strconv.Itoa(i))
			all = append(all, x)
		}
	}
	return all
}

// machineRun is a scenario built and started.
type machineRun struct {
	h       *header
	e       *engine.Engine
	p       *policy.Policy
	byID    map[int]*sched.Thread
	ids     []int // golden ids in order of creation
	threads map[sched.ThreadID]int
	forked  int
}

func build(h *header, obs ...trace.Observer) (*machineRun, error) {
	if h.Format != 2 || h.HZ != policy.HZ {
		return nil, fmt.Errorf("format %d at %d Hz, want format 2 at %d Hz", h.Format, h.HZ, policy.HZ)
	}
	if h.Dispatcher.StealDelay != 0 || h.Dispatcher.Rules != "2008" {
		return nil, fmt.Errorf("dispatcher rules %q with steal delay %d ns are not modelled", h.Dispatcher.Rules, h.Dispatcher.StealDelay)
	}
	if err := golden.Within("ticks", int64(h.Ticks), 0, golden.MaxTicks); err != nil {
		return nil, err
	}
	for _, t := range h.Threads {
		if err := golden.Within(fmt.Sprintf("count of thread %d", t.ID), int64(t.Count), 0, 10_000); err != nil {
			return nil, err
		}
	}
	m, err := machine.Grid(h.NCPU, h.StrandsPer)
	if err != nil {
		return nil, err
	}
	opt, err := h.options()
	if err != nil {
		return nil, err
	}
	r := &machineRun{h: h, p: policy.New(opt), byID: map[int]*sched.Thread{}, threads: map[sched.ThreadID]int{}}
	var sets []engine.Set
	for _, s := range h.PSets {
		sets = append(sets, engine.Set{ID: s.ID, CPUs: s.CPUs})
	}
	r.e, err = engine.New(engine.Config{
		Machine: m, Policy: r.p, Timing: engine.Clock, HZ: h.HZ, Sets: sets, SleepOnTicks: true, Observers: obs,
		EveryTick: h.everyTick,
	})
	if err != nil {
		return nil, err
	}
	if u := h.ClassUpdate; u != nil && r.e.Threads()[0].CPU != u.LastCPU {
		return nil, fmt.Errorf("class_update: last_cpu %d, the model's thread starts at CPU %d", u.LastCPU, r.e.Threads()[0].CPU)
	}
	for _, t := range h.expand() {
		if err := r.create(t); err != nil {
			return nil, err
		}
	}
	return r, r.start()
}

func (h *header) options() (policy.Options, error) {
	o := policy.Options{FSSQuantum: h.ClassSettings["FSS"].Quantum, RechooseTicks: h.Dispatcher.Rechoose}
	if o.RechooseTicks == 0 {
		o.RechooseTicks = policy.NoRechoose
	}
	o.Updates = &policy.Updates{}
	if u := h.ClassUpdate; u != nil {
		if u.Lists != 16 {
			return o, fmt.Errorf("class_update: %d lists, the model has 16", u.Lists)
		}
		o.Updates = &policy.Updates{First: u.First, Every: u.Every, Pri: u.Pri}
	}
	for _, class := range []string{"TS", "IA"} {
		if name := h.ClassSettings[class].DPTbl; name != "" {
			t, err := policy.TSTableNamed(name)
			if err != nil {
				return o, err
			}
			o.Tables.TS = t
		}
	}
	for _, z := range h.Zones {
		o.Zones = append(o.Zones, policy.Zone{ID: z.ID, Shares: z.Shares})
	}
	for _, p := range h.Projects {
		o.Projects = append(o.Projects, policy.Project{ID: sched.GroupID(p.ID), Shares: p.Shares, Zone: p.Zone})
	}
	return o, nil
}

func (r *machineRun) create(t threadEntry) error {
	s := engine.Spec{Name: t.Name, Bound: sched.NoCPU, Group: sched.GroupID(t.Project)}
	if t.Bind != nil {
		s.Bound = *t.Bind
	}
	for _, set := range r.h.PSets {
		in, err := set.holds(t.ID)
		if err != nil {
			return err
		}
		if in {
			s.Set = set.ID
		}
	}
	s.As = sched.Params{Class: t.Class, Nice: t.Nice, Keep: true, Quantum: t.Quantum}
	setting := r.h.ClassSettings[t.Class]
	switch t.Class {
	case "TS", "IA":
		s.As.Priority, s.As.Limit, s.As.Boost = t.Upri, t.Uprilim, t.Boost
		s.As.Start = setting.StartCPUPri
	case "FSS":
		s.As.Start = setting.StartUmdpri
		if t.StartUmdpri != nil {
			s.As.Start = t.StartUmdpri
		}
	case "FX":
		s.As.Priority, s.As.Limit = t.FXPri, t.Uprilim
	case "RT":
		s.As.Priority = t.RTPri
	}
	if t.RunTicks != nil {
		tick := clock.Second / clock.Duration(r.h.HZ)
		var b workload.Builder
		b.Repeat(-1, func() {
			b.Do(workload.Instr{Op: workload.Run, D: clock.Duration(*t.RunTicks) * tick})
			b.Do(workload.Instr{Op: workload.Sleep, D: clock.Duration(t.SleepTicks) * tick})
		})
		prog, err := b.Program()
		if err != nil {
			return err
		}
		s.Prog = prog
	}
	th, err := r.e.Create(s)
	if err != nil {
		return err
	}
	r.know(t.ID, th)
	return nil
}

func (r *machineRun) know(id int, t *sched.Thread) {
	r.byID[id] = t
	r.ids = append(r.ids, id)
	r.threads[t.ID] = id
}

// holds reports whether a thread is in the set.
func (s psetEntry) holds(id int) (bool, error) {
	if string(s.Threads) == `"all"` {
		return true, nil
	}
	var ids []int
	if len(s.Threads) > 0 {
		if err := json.Unmarshal(s.Threads, &ids); err != nil {
			return false, fmt.Errorf("processor set %d: threads: %w", s.ID, err)
		}
	}
	for _, x := range ids {
		if x == id {
			return true, nil
		}
	}
	return false, nil
}

func (r *machineRun) start() error {
	order := r.h.StartOrder
	if order == nil {
		order = r.ids
	}
	for _, id := range order {
		t := r.byID[id]
		if t == nil {
			return fmt.Errorf("start_order names thread %d, which is not defined", id)
		}
		if err := r.e.Start(t); err != nil {
			return err
		}
	}
	return nil
}

// forkDue makes one fork at the end of a tick if the scenario says so.
func (r *machineRun) forkDue(tick int) (child int, due bool) {
	f := r.h.Forks
	if f == nil || tick < f.AfterTicks || r.forked >= f.Count {
		return 0, false
	}
	parent := r.byID[f.Parent]
	if parent.State != sched.Running {
		return 0, false
	}
	return f.FirstChild + r.forked, true
}

func (r *machineRun) fork() error {
	f := r.h.Forks
	id := f.FirstChild + r.forked
	name := strings.ReplaceAll(f.ChildName, "#", strconv.Itoa(r.forked+1))
	r.forked++
	// The child is known before it runs, so that its events can be named.
	r.threads[sched.ThreadID(len(r.e.Threads()))] = id
	child, err := r.e.Fork(r.byID[f.Parent], name, workload.Forever)
	if err != nil {
		return err
	}
	r.know(id, child)
	return nil
}

// running lists the golden id of the thread on each CPU, −1 when idle.
func (r *machineRun) running() []int {
	run := make([]int, 0, r.h.NCPU)
	for _, c := range r.e.CPUs() {
		id := -1
		if c.Thread != nil && !c.Thread.Kernel {
			id = r.threads[c.Thread.ID]
		}
		run = append(run, id)
	}
	return run
}

// stateLetter is a thread's state as the rows write it.
func stateLetter(t *sched.Thread) string {
	switch t.State {
	case sched.Running:
		return "O"
	case sched.Waiting:
		return "R"
	case sched.Sleeping:
		return "S"
	default:
		return "?"
	}
}
