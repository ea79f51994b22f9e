package scenario

import (
	"fmt"
	"slices"
	"strings"

	"strandscope/sim/clock"
	"strandscope/sim/joblist"
	"strandscope/sim/order"
	"strandscope/sim/sched"
)

// BookKernels is how the names of textbook policies begin.
const BookKernels = "textbook-"

// Unlimited is an allotment that is never used up.
const Unlimited = -1

// Book is what scheduler says to a textbook policy. Times are in units; lists are
// by level, the top first. Zero is the policy's default.
type Book struct {
	Unit          clock.Duration // one unit of the book; one second by default
	Keys          []string       // those given, in order
	Tie           string         // TieArrivals or TieRequeue
	Quantum       []joblist.Time // one, or one for each level
	Levels        int
	Allotment     []int // quanta: one, or one for each level; Unlimited
	Boost         joblist.Time
	Stay, IOBump  bool
	Stride1       int
	WholeQuantum  bool
	PerCPU        bool
	Peek          int
	Warmup        int
	WarmRate      int
	CacheSize     int
	RandomOrder   bool
	SwitchOnEnd   bool
	RunsImmediate bool
}

// What happens when a quantum ends as another job arrives (FACTS §2).
const (
	TieArrivals = "arrivals_first"
	TieRequeue  = "requeue_first"
)

// Given reports whether a key was given.
func (b *Book) Given(key string) bool { return slices.Contains(b.Keys, key) }

// maxUnits is the most units that a figure of the book may have.
const maxUnits = joblist.MaxLength

// bookFields adds the keys of textbook policies to those of scheduler.
func (s *Scenario) bookFields(known fields) fields {
	b := &s.Scheduler.Book
	all := fields{
		"unit": b.readUnit,
		"quantum": oneOrMore(func(v value) error {
			n, err := v.decimal(1, maxUnits*1000)
			b.Quantum = append(b.Quantum, joblist.Time(n))
			return err
		}),
		"levels":    intoInt(&b.Levels, 1, 64),
		"allotment": oneOrMore(b.readAllotment),
		"tie":       intoWord(&b.Tie, TieArrivals, TieRequeue),
		"boost": func(v value) error {
			n, err := v.decimal(0, maxUnits*1000)
			b.Boost = joblist.Time(n)
			return err
		},
		"stay": intoBool(&b.Stay), "io_bump": intoBool(&b.IOBump),
		"stride1":       intoInt(&b.Stride1, 1, 1_000_000_000),
		"whole_quantum": intoBool(&b.WholeQuantum),
		"queues":        isWord(&b.PerCPU, "central", "per_cpu"),
		"peek_interval": intoInt(&b.Peek, 0, maxUnits), "warmup": intoInt(&b.Warmup, 0, maxUnits),
		"warm_rate": intoInt(&b.WarmRate, 1, 1000), "cache_size": intoInt(&b.CacheSize, 0, 1_000_000_000),
		"random_order": intoBool(&b.RandomOrder),
		"switch":       isWord(&b.SwitchOnEnd, "SWITCH_ON_IO", "SWITCH_ON_END"),
		"io_done":      isWord(&b.RunsImmediate, "IO_RUN_LATER", "IO_RUN_IMMEDIATE"),
	}
	for _, key := range order.Keys(all) {
		read := all[key]
		known[key] = func(v value) error {
			b.Keys = append(b.Keys, key)
			return read(v)
		}
	}
	return known
}

func (b *Book) readUnit(v value) error {
	var d clock.Duration
	if err := intoMicroseconds(&d, 1_000_000)(v); err != nil {
		return err
	}
	if d < 100*clock.Microsecond || clock.Second%d != 0 {
		return v.errorf("%d µs, want 100 to 1000000 of which a second is a multiple", d/clock.Microsecond)
	}
	b.Unit = d
	return nil
}

func (b *Book) readAllotment(v value) error {
	n := int64(Unlimited)
	if t, err := v.text(); err == nil {
		if t != "unlimited" {
			return v.errorf("%q, want a number of quanta or \"unlimited\"", clip(t))
		}
	} else if n, err = v.integer(1, maxUnits); err != nil {
		return err
	}
	b.Allotment = append(b.Allotment, int(n))
	return nil
}

// oneOrMore reads a figure or a list of them.
func oneOrMore(read func(v value) error) func(value) error {
	return func(v value) error {
		if v.v.Kind() == '[' {
			return each(read)(v)
		}
		return read(v)
	}
}

// intoWord reads one of two words.
func intoWord(p *string, words ...string) func(value) error {
	return func(v value) error {
		t, err := v.text()
		if err != nil {
			return err
		}
		if !slices.Contains(words, t) {
			return v.errorf("%q, want %s%s", clip(t), strings.Join(words, " or "), near(t, words))
		}
		*p = t
		return nil
	}
}

// isWord reads one of two words and tells whether it is the second.
func isWord(p *bool, no, yes string) func(value) error {
	return func(v value) error {
		word := ""
		err := intoWord(&word, no, yes)(v)
		*p = word == yes
		return err
	}
}

// BookUnit is the length of a unit.
func (s *Scenario) BookUnit() clock.Duration {
	if s.Scheduler.Book.Unit == 0 {
		return clock.Second
	}
	return s.Scheduler.Book.Unit
}

// readJobs reads a job list: a text, a list of texts, or how to draw one.
func (s *Scenario) readJobs(v value) error {
	if v.v.Kind() == '{' {
		return s.drawJobs(v)
	}
	text := ""
	err := oneOrMore(func(v value) error {
		t, err := v.text()
		text += t + "\n"
		return err
	})(v)
	if err != nil {
		return err
	}
	jobs, err := joblist.ParseAny(text)
	if err != nil {
		return v.errorf("%v", err)
	}
	s.Jobs = append(s.Jobs, jobs...)
	return nil
}

// drawJobs draws a list.
func (s *Scenario) drawJobs(v value) error {
	n, seed := 4, 1
	err := v.read(fields{
		"random": intoInt(&n, 1, joblist.MaxJobs),
		"seed":   intoInt(&seed, 0, 1<<31-1),
	}, nil)
	if err != nil {
		return err
	}
	jobs, err := joblist.Random(n, uint64(seed))
	if err != nil {
		return v.errorf("%v", err)
	}
	s.Jobs = append(s.Jobs, jobs...)
	return nil
}

// addJobs turns the job list into tasks. Units are known by now.
func (s *Scenario) addJobs() error {
	unit := s.BookUnit()
	for i := range s.Jobs {
		j := &s.Jobs[i]
		p, err := j.Program(unit)
		if err != nil {
			return fmt.Errorf("jobs: job %d (%s): %w", i+1, clip(j.Name), err)
		}
		s.Tasks = append(s.Tasks, Task{
			Name: j.Name, Instance: 1, Delay: j.Arrival.In(unit), Program: p, Text: words(j), CPU: sched.NoCPU, Project: rootProject,
			Priority: j.Priority, Tickets: j.Tickets, WorkingSet: j.WorkingSet, Affinity: j.CPUs,
			Period: j.Period.In(unit), Deadline: j.Deadline.In(unit),
		})
	}
	return nil
}

// words says in a few words what a job does.
func words(j *joblist.Job) string {
	switch {
	case j.Period > 0 && j.Deadline > 0:
		return fmt.Sprintf("runs %v every %v, due after %v", j.Length, j.Period, j.Deadline)
	case j.Period > 0:
		return fmt.Sprintf("runs %v every %v", j.Length, j.Period)
	case j.Every > 0:
		return fmt.Sprintf("arrives at %v, runs %v, each %v an I/O of %v", j.Arrival, j.Length, j.Every, j.IO)
	}
	return fmt.Sprintf("arrives at %v, runs %v", j.Arrival, j.Length)
}

// WithJobs is a scenario of a job list for a textbook policy, on CPUs of one strand.
func WithJobs(kernel string, jobs []joblist.Job, cpus int) (*Scenario, error) {
	s, err := Read("jobs", []byte(`{"tasks": {"x": {"run": 1}}}`))
	if err != nil {
		return nil, err
	}
	s.Title, s.Tasks, s.Jobs = "A job list", nil, jobs
	s.Scheduler.Kernel = kernel
	if s.Machine, err = gridOf(cpus); err != nil {
		return nil, err
	}
	return s, s.addJobs()
}

// setBook changes a key of a textbook policy. On an error nothing has changed.
func (s *Scenario) setBook(key, val string) error {
	if val == "" {
		return fmt.Errorf("%s: empty", key)
	}
	text := val
	if strings.Contains(val, ",") {
		text = "[" + val + "]"
	}
	v, err := parse([]byte(text))
	if err != nil {
		v, err = parse([]byte(`"` + val + `"`)) // a word
	}
	if err != nil {
		return fmt.Errorf("%s: %q makes no sense", key, clip(val))
	}
	v.path = key
	c := *s
	b := &c.Scheduler.Book
	b.Keys = slices.Clone(b.Keys)
	switch key {
	case "quantum":
		b.Quantum = nil
	case "allotment":
		b.Allotment = nil
	}
	if err := c.bookFields(fields{})[key](v); err != nil {
		return err
	}
	s.Scheduler.Book = *b
	return nil
}
