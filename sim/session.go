// Package sim is the door to the simulation: Session opens a scenario, lets time
// pass and gives Frames, which are all that the renderer, the page and the
// commands ever see.
//
// It wires the packages below it: scenario and workload say what is to be run,
// policy which rules decide, engine lets time pass, stats and check watch.
// It imports nothing that draws.
package sim

import (
	"cmp"
	"fmt"
	"slices"

	"strandscope/sim/clock"
	"strandscope/sim/console"
	"strandscope/sim/engine"
	"strandscope/sim/policy"
	"strandscope/sim/scenario"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
	"strandscope/sim/trace"
	"strandscope/sim/workload"
)

// Session is one run of one scenario: the only door to the simulation for the
// renderer, the page and the commands. It is not safe for concurrent use.
type Session struct {
	sc     *scenario.Scenario // not changed while it runs
	info   Info               // what frames say of it
	kernel policy.Kernel
	pol    sched.Policy
	eng    *engine.Engine
	watch  *watchers
	frames [2]Frame
	turn   int
	fields fieldIndex
	look   Look

	probes *probes      // nil: the scenario has none
	curve  []CurvePoint // those that were run
	ages   *ages        // nil: nobody asked to compare the kernels
	top    topWatch

	quiet bool             // the console does not tell of jobs
	con   *console.Console // nil: nothing was typed yet
	ear   *ear             // nil: nobody listens for exits
	shell sched.ThreadID   // one more than the shell's thread; 0: not asked for yet

	nextCommand int // of the scenario's commands
	typed       []scenario.Command
	nextTyped   int      // of those: after going back some are still to come
	redo        []undone // the last one first in turn

	past      *history // nil: it keeps no checkpoints
	compares  bool     // sums are kept for Compared
	everyTick bool     // no clock tick is skipped
	failed    error    // what the first line that failed said
	watched   bool     // by an observer of somebody else's
}

// Setting is one change to a scenario, as `-set key=value` gives it.
type Setting struct{ Key, Value string }

// Choice is one value of a selector.
type Choice struct {
	Value string
	Label string // "TS — time sharing"
	Hint  string // "12 of 32 run"; may be empty
	Help  string // one sentence for a tooltip
}

// Choices are what the selectors of the page offer for the present scenario.
type Choices struct {
	Scenarios    []Choice
	Classes      []Choice // values of the setting "class"
	Explanations []Choice // values of the setting "explanation"; empty where there is no choice
	Kernels      []Choice // values of the setting "kernel"; empty where there is no choice
}

// Open starts a built-in scenario. An unknown id is an error that names the
// nearest match.
func Open(id string, settings ...Setting) (*Session, error) {
	sc, err := scenario.Builtin(id)
	if err != nil {
		return nil, err
	}
	return open(sc, settings)
}

// OpenDocument starts a scenario from its JSON text; name is used in messages.
func OpenDocument(name string, text []byte, settings ...Setting) (*Session, error) {
	sc, err := scenario.Read(name, text)
	if err != nil {
		return nil, err
	}
	if sc.Title == "" {
		sc.Title = name
	}
	return open(sc, settings)
}

func open(sc *scenario.Scenario, settings []Setting) (*Session, error) {
	for _, x := range settings {
		if err := sc.Apply(x.Key, x.Value); err != nil {
			return nil, err
		}
	}
	s := &Session{past: &history{most: mostBytes}}
	if err := s.start(sc); err != nil {
		return nil, err
	}
	return s, nil
}

// Library lists the built-in scenarios in the order shown to users.
func Library() []Info {
	list := make([]Info, 0, len(scenario.Library))
	for _, id := range scenario.Library {
		sc, err := scenario.Builtin(id)
		if err != nil {
			panic(err) // part of the program, read by its tests
		}
		list = append(list, describe(sc))
	}
	return list
}

// start builds a run. On an error the session is as it was.
func (s *Session) start(sc *scenario.Scenario, obs ...trace.Observer) error {
	k, err := policy.Find(sc.Scheduler.Kernel)
	if err != nil {
		return err
	}
	for i, id := range sc.Scheduler.Kernels {
		if _, err := policy.Find(id); err != nil {
			return fmt.Errorf("scheduler.kernels[%d]: %w", i, err)
		}
	}
	if err := k.CheckKeys(sc); err != nil {
		return err
	}
	if k.HZOf != nil {
		k.HZ = k.HZOf(sc)
	}
	if sc.Scheduler.DefaultClass == scenario.Unset && k.CheckClass(scenario.Unset) != nil {
		sc = sc.Clone() // only Solaris knows a class that is not set
		sc.Scheduler.DefaultClass = k.DefaultClass()
	}
	if err := k.CheckClass(sc.Scheduler.DefaultClass); err != nil {
		return err
	}
	for _, t := range sc.Tasks {
		if t.Slice != 0 && !k.Slices {
			return fmt.Errorf("tasks.%s.slice: %s has no slices of a task's own; linux-6.12 and linux-6.18 have", t.Name, k.ID)
		}
		if t.Lag != 0 && !k.Lags {
			return fmt.Errorf("tasks.%s.lag: %s keeps none; Linux 6 does", t.Name, k.ID)
		}
		class := k.TaskClass(&t)
		if class == "" {
			continue
		}
		if err := k.CheckClass(class); err != nil {
			return fmt.Errorf("tasks.%s.policy: %w", t.Name, err)
		}
	}
	for i, c := range sc.Commands {
		if c.Typed || c.Remark {
			continue // what is typed may be wrong
		}
		if err := k.Shell.Check(c.Line); err != nil {
			return fmt.Errorf("commands[%d]: %w", i, err)
		}
	}
	pol, err := k.New(sc)
	if err != nil {
		return err
	}
	w := newWatchers(sc.Machine, k, (*roster)(s))
	if s.compares {
		w.sums = s.newSums(sc)
	}
	if len(sc.Jobs) > 0 {
		w.jobs = newJobWatch(sc)
	}
	cfg := engine.Config{
		Machine: sc.Machine, Policy: pol, Timing: k.Timing, HZ: k.HZ, Seed: sc.Seed,
		SleepOnTicks: k.SleepOnTicks, Observers: append(w.all(), obs...), EveryTick: s.everyTick,
	}
	if k.Configure != nil {
		k.Configure(&cfg)
	}
	for _, set := range sc.ActiveSets() {
		cfg.Sets = append(cfg.Sets, engine.Set{ID: set.ID, CPUs: set.CPUs})
	}
	eng, err := engine.New(cfg)
	if err != nil {
		return err
	}
	w.lookout = lookout{eng: eng, ledger: w.ledger}
	next := Session{sc: sc, info: describe(sc), kernel: k, pol: pol, eng: eng, watch: w, fields: indexFields(pol), look: s.look, compares: s.compares, everyTick: s.everyTick}
	// Observers of the first moment may already ask the session about reasons.
	old := *s
	next.watched = len(obs) > 0
	if old.sc != nil && old.sc.Curve == sc.Curve && old.sc.Scheduler.DefaultClass == sc.Scheduler.DefaultClass && old.sc.Scheduler.Kernel == sc.Scheduler.Kernel && old.sc.Seed == sc.Seed {
		next.curve = old.curve // the same runs
	}
	if old.con != nil {
		next.quiet = !old.con.Notices // whoever types is the same
	}
	*s = next
	s.probes, err = s.watchProbes()
	if err == nil {
		if s.probes != nil {
			eng.Observe(s.probes)
		}
		err = populate(eng, sc, k)
	}
	if err == nil {
		err = s.AdvanceTo(0)
	}
	if err != nil {
		*s = old
	} else if old.past != nil {
		s.past = &history{most: old.past.most}
	}
	return err
}

// firstPID is the process id of the first thread, as in the tip's year of
// process ids that fit four digits. It is shown, never computed with.
const firstPID = 1204

// populate creates the scenario's threads and lets each start at its time.
func populate(eng *engine.Engine, sc *scenario.Scenario, k policy.Kernel) error {
	pid := int32(cmp.Or(sc.Scheduler.FirstPID, firstPID))
	for i := range sc.Tasks {
		t := &sc.Tasks[i]
		as := t.Params()
		as.Class = k.TaskClass(t)
		prog := withChanges(t, k)
		for range t.Instance {
			th, err := eng.Create(engine.Spec{
				Name: t.Name, PID: pid, Set: sc.SetOf(t), Bound: t.CPU, Group: sched.GroupID(t.Project),
				Prog: prog, As: as, CPI: t.CPI,
			})
			if err != nil {
				return fmt.Errorf("tasks.%s: %w", t.Name, err)
			}
			pid++
			eng.StartAt(th, clock.Time(t.Delay))
		}
	}
	return nil
}

// withChanges is a task's program with the parameters that its phases ask for, in the
// kernel's classes. The scenario's own stays as it is: other runs share it.
func withChanges(t *scenario.Task, k policy.Kernel) *workload.Program {
	if len(t.Changes) == 0 {
		return t.Program
	}
	p := *t.Program
	p.Steps = slices.Clone(p.Steps)
	for i := range t.Changes {
		c := &t.Changes[i]
		as := c.As.Params()
		as.Class = k.TaskClass(&c.As)
		p.Steps[c.Step].As = &as
	}
	return &p
}

// Set changes a setting. Settings that count at boot start the run again at
// zero. On an error the session is as it was.
func (s *Session) Set(key, value string) error {
	sc := s.original()
	if err := sc.Apply(key, value); err != nil {
		return err
	}
	return s.start(sc)
}

// Reset starts the present scenario again, with its settings.
func (s *Session) Reset() error { return s.start(s.original()) }

// ResetWith is Reset with an observer that sees every event from the first on.
func (s *Session) ResetWith(o trace.Observer) error { return s.start(s.original(), o) }

// Vmstat starts a vmstat report of the given interval in seconds; its first
// line is since boot. It sees the run from now on, which cannot go back then.
func (s *Session) Vmstat(seconds int) *stats.VmstatReport {
	r := stats.NewVmstatReportIn(s.kernel.Vmstat, s.watch.vmstat, seconds)
	s.Observe(r)
	return r
}

// Now is the time reached.
func (s *Session) Now() clock.Time { return s.eng.Now() }

// Advance lets d of simulated time pass. However d is cut into pieces, the
// same events happen. An error means a broken invariant; the run has stopped.
func (s *Session) Advance(d clock.Duration) error { return s.AdvanceTo(s.eng.Now().Add(d)) }

// AdvanceTo is Advance up to and including a point of time.
func (s *Session) AdvanceTo(t clock.Time) error {
	_, err := s.AdvanceUpTo(t, 1<<40)
	return err
}

// AdvanceUpTo is Advance in slices: it goes on until the given time or until
// about so many events have happened, and reports whether it got there.
func (s *Session) AdvanceUpTo(t clock.Time, events int) (bool, error) {
	end := s.eng.Done() + int64(events)
	for {
		room := s.keep(end)
		// A command runs after everything else of its time, however the time
		// is cut into pieces.
		stop := s.lookBy(s.commandBy(t))
		there, err := s.eng.AdvanceSome(stop, room)
		if err == nil {
			err = s.watch.check.Err()
		}
		if err != nil {
			return false, err
		}
		run := s.eng
		s.runCommands(there)
		if s.eng != run {
			return true, nil // the machine was booted anew: its time begins at zero
		}
		if there {
			s.topLooks()
		}
		switch {
		case there && stop == t && !s.consoleDue():
			return true, nil
		case s.eng.Done() >= end:
			return false, nil
		}
	}
}

// Step advances to just after the next clock tick.
func (s *Session) Step() error {
	tick := clock.Time(s.eng.Tick())
	return s.AdvanceTo((s.eng.Now()/tick + 1) * tick)
}

// Digest is the hash over all events so far.
func (s *Session) Digest() uint64 { return s.watch.digest.Sum() }

// Duration is how long the scenario says it runs; 0: until stopped.
func (s *Session) Duration() clock.Duration { return s.sc.Duration }

// Settings are the present values of what Set can change.
func (s *Session) Settings() []Setting {
	set := []Setting{{"class", s.sc.Scheduler.DefaultClass}}
	if s.sc.HasChoice() {
		set = append(set, Setting{"explanation", s.sc.Scheduler.Explanation})
	}
	if len(s.sc.Scheduler.Kernels) > 0 {
		set = append(set, Setting{"kernel", s.sc.Scheduler.Kernel})
	}
	return append(set, Setting{"seed", fmt.Sprint(s.sc.Seed)})
}

// Choices returns the selectors' values for the present scenario.
func (s *Session) Choices() Choices {
	var c Choices
	for _, i := range Library() {
		c.Scenarios = append(c.Scenarios, Choice{Value: i.ID, Label: i.Title, Help: sourceLine(i)})
	}
	for _, k := range s.kernel.Classes {
		ch := Choice{Value: k.Value, Label: k.Label, Help: k.Help}
		if k.Value == scenario.Unset && s.sc.HasChoice() {
			ch.Hint = "the tip: 12 of 32 run"
		}
		c.Classes = append(c.Classes, ch)
	}
	if s.sc.HasChoice() {
		c.Explanations = slices.Clone(explanations)
	}
	for _, id := range s.sc.Scheduler.Kernels {
		if k, err := policy.Find(id); err == nil { // checked at the start
			c.Kernels = append(c.Kernels, Choice{Value: id, Label: k.Title})
		}
	}
	return c
}

// Observe adds an observer from now on. Time cannot go back from then on: nobody
// could make the observer forget.
func (s *Session) Observe(o trace.Observer) {
	s.watched = true
	s.eng.Observe(o)
}

// Explain puts an event's reason into a sentence; "" where it has none.
func (s *Session) Explain(r sched.Reason) string { return s.pol.Explain(r) }

// Failed is what the first of the scenario's lines that failed said; nil: none did. The
// console's log has all of them.
func (s *Session) Failed() error { return s.failed }

// Finish checks what must hold at the end of a run.
func (s *Session) Finish() error { return s.watch.check.Finish(s.eng.Now()) }
