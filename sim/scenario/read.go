package scenario

import (
	"fmt"
	"slices"

	"strandscope/sim/clock"
	"strandscope/sim/machine"
	"strandscope/sim/order"
	"strandscope/sim/workload"
)

// The longest time that a document may name, in its unit.
const (
	maxMicroseconds = int64(workload.MaxRun / clock.Microsecond)
	maxSeconds      = int64(366 * 24 * clock.Hour / clock.Second)
)

// Read reads a document; name is put before messages.
func Read(name string, text []byte) (*Scenario, error) {
	s, err := read(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

func read(text []byte) (*Scenario, error) {
	doc, err := parse(text)
	if err != nil {
		return nil, err
	}
	doc.notes.loose = rtApp(doc)
	s := &Scenario{Boot: Boot{Clock: 10 * 60, Users: 1}, Scheduler: Scheduler{Kernel: "solaris10", DefaultClass: Unset}}
	empty := false    // it may have no tasks
	var tasks []value // more than one if the member is repeated
	err = doc.read(fields{
		"title":        intoText(&s.Title),
		"source":       s.readSource,
		"machine":      s.readMachine,
		"scheduler":    s.readScheduler,
		"tasks":        func(v value) error { tasks = append(tasks, v); return nil },
		"jobs":         s.readJobs,
		"printed":      s.readPrinted,
		"printed_note": intoText(&s.PrintedNote),
		"boot": func(v value) error {
			var up int
			err := v.read(fields{
				"clock_minutes": intoInt(&s.Boot.Clock, 0, 24*60-1), "users": intoInt(&s.Boot.Users, 0, 1000),
				"up_seconds": intoInt(&up, 0, maxSeconds),
			}, nil)
			s.Boot.Up = clock.Duration(up) * clock.Second
			return err
		},
		"commands": each(s.readCommand),
		"console": func(v value) error {
			empty, s.Console.Given = true, true // whoever types starts what is to run
			return v.read(fields{"task": intoText(&s.Console.Task), "pset": intoInt(&s.Console.Set, 0, 1<<20)}, nil)
		},
		"questions": each(s.readQuestion),
		"curve":     s.readCurve,
		"document":  s.readDocument,
		"seed": func(v value) error {
			n, err := v.integer(0, 1<<53-1)
			s.Seed = uint64(n)
			return err
		},
		"global": s.readGlobal,
		// Old files list mutexes, timers and conditions here; today each name is
		// created on first use (RTAPP.md §1).
		"resources": func(value) error { return nil },
	}, nil)
	if err != nil {
		return nil, err
	}
	s.setMachine()
	if len(tasks) == 0 && len(s.Jobs) == 0 && !empty {
		return nil, fmt.Errorf("tasks: missing; a scenario needs at least one task")
	}
	for _, v := range tasks {
		if err := s.readTasks(v); err != nil {
			return nil, err
		}
	}
	if err := s.addJobs(); err != nil {
		return nil, err
	}
	if len(s.Tasks) == 0 && !empty {
		return nil, tasks[0].errorf("no task; a scenario needs at least one")
	}
	s.Notes = doc.notes.list
	if n := doc.notes.more; n > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("… and %d more", n))
	}
	return s, s.check()
}

// rtApp reports whether a document is one of rt-app's: it has none of our own keys.
// Such files are read as tolerantly as their readers do (RTAPP.md §4); in ours a key
// that is not known is a slip of the pen.
func rtApp(doc value) bool {
	for _, m := range doc.v.Members {
		if !slices.Contains([]string{"tasks", "global", "resources"}, m.Name) {
			return false
		}
	}
	return len(doc.v.Members) > 0
}

func near(name string, ids []string) string {
	if n := Nearest(name, ids); n != "" {
		return fmt.Sprintf(" (did you mean %q?)", n)
	}
	return ""
}

func sentence(words []string) string {
	out := ""
	for i, w := range words {
		switch {
		case i == 0:
		case i == len(words)-1:
			out += " and "
		default:
			out += ", "
		}
		out += w
	}
	return out
}

func (s *Scenario) readSource(v value) error {
	return v.read(fields{
		"title":  intoText(&s.Source.Title),
		"author": intoText(&s.Source.Author),
		"date":   intoText(&s.Source.Date),
		"link":   intoText(&s.Source.Link),
	}, nil)
}

// readGlobal reads rt-app's run-wide settings. Those that concern its logs and
// its own start are read and have no effect here.
func (s *Scenario) readGlobal(v value) error {
	ignore := func(value) error { return nil }
	known := fields{"duration": func(v value) error {
		n, err := v.integer(-1, maxSeconds)
		if n > 0 {
			s.Duration = clock.Duration(n) * clock.Second
		}
		return err
	}, "default_policy": intoName(&s.defaultPolicy)}
	for _, k := range []string{
		"calibration", "lock_pages", "pi_enabled", "logdir", "log_basename", "log_size",
		"gnuplot", "ftrace", "io_device", "mem_buffer_size", "cumulative_slack", "frag", "spacing",
	} {
		known[k] = ignore
	}
	return v.read(known, nil)
}

func (s *Scenario) readScheduler(v value) error {
	d := &s.Scheduler
	return v.read(s.bookFields(fields{
		"kernel": intoName(&d.Kernel),
		"kernels": each(func(v value) error {
			var id string
			err := intoName(&id)(v)
			d.Kernels = append(d.Kernels, id)
			return err
		}),
		"default_class":     intoName(&d.DefaultClass),
		"unset_explanation": intoName(&d.Explanation),
		"first_pid":         intoInt(&d.FirstPID, 2, 1<<20),
		"zones": each(func(v value) error {
			z := Zone{Shares: 1}
			err := v.read(fields{"id": intoInt(&z.ID, 0, 1<<20), "shares": intoInt(&z.Shares, 0, 65535)}, nil)
			d.Zones = append(d.Zones, z)
			return err
		}),
		"projects": each(func(v value) error {
			p := Project{Shares: 1}
			err := v.read(fields{
				"id": intoInt(&p.ID, 0, 1<<20), "name": intoText(&p.Name),
				"shares": intoInt(&p.Shares, 0, 65535), "zone": intoInt(&p.Zone, 0, 1<<20),
			}, nil)
			d.Projects = append(d.Projects, p)
			return err
		}),
		"processor_sets":  each(s.readSet),
		"dispatch_tables": s.readTables,
		"costs": func(v value) error {
			return v.read(fields{
				"clock_tick": intoMicroseconds(&d.Costs.ClockTick, 1000),
				"devices":    intoMicroseconds(&d.Costs.Devices, 100_000),
				"evaluation_ns": func(v value) error {
					n, err := v.integer(0, 1_000_000)
					d.Costs.Evaluation, d.Costs.Given = clock.Duration(n), true
					return err
				},
			}, nil)
		},
	}), nil)
}

func intoMicroseconds(p *clock.Duration, hi int64) func(value) error {
	return func(v value) error {
		n, err := v.integer(0, hi)
		*p = clock.Duration(n) * clock.Microsecond
		return err
	}
}

func each(f func(v value) error) func(value) error {
	return func(v value) error {
		list, err := v.list()
		if err != nil {
			return err
		}
		for _, e := range list {
			if err := f(e); err != nil {
				return err
			}
		}
		return nil
	}
}

func (s *Scenario) readSet(v value) error {
	set := Set{}
	err := v.read(fields{
		"id":          intoInt(&set.ID, 1, 1<<20),
		"explanation": intoName(&set.Explanation),
		"cpus": each(func(v value) error {
			n, err := v.integer(0, machine.MaxStrands-1)
			set.CPUs = append(set.CPUs, int(n))
			return err
		}),
	}, nil)
	if err != nil {
		return err
	}
	if set.ID == 0 {
		return v.under("id").errorf("missing; processor sets are numbered from 1")
	}
	if len(set.CPUs) == 0 {
		return v.under("cpus").errorf("missing; a processor set needs at least one CPU")
	}
	if x := set.Explanation; x != "" && x != ExplainPset && x != ExplainKernel {
		return v.under("explanation").errorf("%q, want %q or %q", x, ExplainPset, ExplainKernel)
	}
	if s.defines(set.ID) {
		return v.under("id").errorf("processor set %d is defined twice", set.ID)
	}
	s.Scheduler.Sets = append(s.Scheduler.Sets, set)
	return nil
}

// readTables reads {"TS": "text of dispadmin -c TS -g"}; the text may be a list
// of lines as well.
func (s *Scenario) readTables(v value) error {
	ms, err := v.members()
	if err != nil {
		return err
	}
	for _, m := range ms {
		t := Table{Class: m.name}
		if lines, err := m.val.list(); err == nil {
			for _, l := range lines {
				text, err := l.text()
				if err != nil {
					return err
				}
				t.Text += text + "\n"
			}
		} else if t.Text, err = m.val.text(); err != nil {
			return m.val.errorf("%s, want a text or a list of lines", m.val.kind())
		}
		s.Scheduler.Tables = append(s.Scheduler.Tables, t)
	}
	return nil
}

func (s *Scenario) readPrinted(v value) error {
	return each(func(v value) error {
		var p Printed
		err := v.read(fields{
			"label": intoText(&p.Label), "value": intoText(&p.Value), "figure": intoText(&p.Figure), "pid": intoInt(&p.PID, 0, 1<<30),
			"class": intoText(&p.Class), "explanation": intoText(&p.Explanation), "kernel": intoText(&p.Kernel),
			"within_permille": intoInt(&p.Within, 0, 1000), "at": intoMicroseconds(&p.At, maxMicroseconds),
			"also": each(func(v value) error {
				t, err := v.text()
				p.Also = append(p.Also, t)
				return err
			}),
		}, nil)
		if err == nil && p.Figure != "" && !slices.Contains(Figures, p.Figure) {
			err = v.under("figure").errorf("%q, want one of %v", p.Figure, Figures)
		}
		s.Printed = append(s.Printed, p)
		return err
	})(v)
}

// readCommand reads {"at": µs, "do": "line"}.
func (s *Scenario) readCommand(v value) error {
	var c Command
	err := v.read(fields{"at": intoMicroseconds(&c.At, maxMicroseconds), "do": intoText(&c.Line)}, nil)
	if err != nil {
		return err
	}
	if c.Line == "" {
		return v.errorf("do: missing; a command needs a line")
	}
	s.Insert(c)
	return nil
}

// Insert adds a command in order of time; lines of one time keep their order.
func (s *Scenario) Insert(c Command) {
	i := len(s.Commands)
	for i > 0 && s.Commands[i-1].At > c.At {
		i--
	}
	s.Commands = order.Insert(s.Commands, i, c)
}

func (s *Scenario) readQuestion(v value) error {
	var q Question
	err := v.read(fields{
		"ask": intoText(&q.Ask), "why": intoText(&q.Why), "answer": intoInt(&q.Answer, 0, 9),
		"choices": each(func(v value) error {
			t, err := v.text()
			q.Choices = append(q.Choices, t)
			return err
		}),
	}, nil)
	if err != nil {
		return err
	}
	if q.Answer >= len(q.Choices) {
		return v.errorf("answer: %d, want 0 to %d", q.Answer, len(q.Choices)-1)
	}
	s.Questions = append(s.Questions, q)
	return nil
}

// check refuses what does not fit together.
func (s *Scenario) check() error {
	if n := s.Threads(); n > MaxThreads {
		return fmt.Errorf("tasks: %d threads; at most %d are accepted", n, MaxThreads)
	}
	n := len(s.Machine.CPUs)
	owner := map[int]int{}
	for i, set := range s.Scheduler.Sets {
		for _, c := range set.CPUs {
			at := fmt.Sprintf("scheduler.processor_sets[%d]", i)
			if c >= n {
				return fmt.Errorf("%s: CPU %d, the machine has 0 to %d", at, c, n-1)
			}
			if o, taken := owner[c]; taken {
				return fmt.Errorf("%s: CPU %d is in set %d already", at, c, o)
			}
			owner[c] = set.ID
		}
	}
	if len(owner) == n {
		return fmt.Errorf("scheduler.processor_sets: the default set must keep a CPU")
	}
	for _, t := range s.Tasks {
		if t.Set != 0 && !s.defines(t.Set) {
			return fmt.Errorf("tasks.%s.pset: processor set %d is not defined", t.Name, t.Set)
		}
		if t.CPU >= n {
			return fmt.Errorf("tasks.%s.cpus: CPU %d, the machine has 0 to %d", t.Name, t.CPU, n-1)
		}
	}
	if err := s.checkExplanation(s.Scheduler.Explanation); err != nil {
		return fmt.Errorf("scheduler.unset_%w", err)
	}
	if d := &s.Scheduler; len(d.Kernels) > maxKernels {
		return fmt.Errorf("scheduler.kernels: %d kernels, at most %d are offered", len(d.Kernels), maxKernels)
	} else if len(d.Kernels) > 0 && !slices.Contains(d.Kernels, d.Kernel) {
		return fmt.Errorf("scheduler.kernels: %q is not among them; the kernel that runs at first has to be", d.Kernel)
	}
	return s.checkCurve()
}

func (s *Scenario) defines(set int) bool {
	for _, x := range s.Scheduler.Sets {
		if x.ID == set {
			return true
		}
	}
	return false
}

func (s *Scenario) checkExplanation(name string) error {
	if !s.HasChoice() {
		if name != "" {
			return fmt.Errorf("explanation: %q; this scenario has nothing to explain", name)
		}
		return nil
	}
	if name == "" {
		s.Scheduler.Explanation = ExplainPset
		return nil
	}
	if name != ExplainPset && name != ExplainKernel {
		return fmt.Errorf("explanation: %q, want %q or %q", name, ExplainPset, ExplainKernel)
	}
	return nil
}
