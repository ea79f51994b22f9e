package sim

import (
	"fmt"
	"slices"

	"strandscope/sim/clock"
	"strandscope/sim/console"
	"strandscope/sim/scenario"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// Do runs a command line on the simulated machine, now and apart from what is
// typed at its prompt, and returns what it printed. On an error nothing has changed,
// also where a part of the line was obeyed; only in a run that cannot go back that part
// stays. Rewind and whoever goes back run it again at the same time; Reset forgets it.
// What was typed for later times is forgotten: this makes another history.
func (s *Session) Do(line string) (string, error) {
	run, before := s.eng, point{at: s.eng.Now(), done: s.eng.Done()}
	typed, command := s.nextTyped, s.nextCommand
	if s.past != nil && !s.watched {
		s.past.takeNear(s) // for who undoes it
	}
	defer func() {
		if r := recover(); r != nil {
			s.note(scenario.Command{Line: line}) // whoever replays the run comes here again
			panic(r)
		}
	}()
	out, err := s.Console().Do(line)
	switch {
	case s.eng != run: // it booted the machine: a new run has begun
	case err == nil:
		s.past.forgetAfter(s, before.at)
		s.note(scenario.Command{Line: line})
	default:
		if s.goBack(func(p *point) bool {
			return p.done <= before.done && p.at <= before.at && p.kept.nextTyped <= typed && p.kept.nextCommand <= command
		}) == nil {
			if broken := s.AdvanceTo(before.at); broken != nil {
				return out, broken
			}
		}
	}
	return out, err
}

// interrupt is the line that stands for Ctrl-C.
const interrupt = "\x03"

// Type types a line at the machine's prompt, now. It runs at once, or after the
// command that is in front; what it prints is in the console's log. Rewind types
// it again at the same time; Reset forgets it.
func (s *Session) Type(line string) {
	if s.fits(line) {
		s.past.forgetAfter(s, s.Now())
		s.note(scenario.Command{Line: line, Typed: true})
	}
	s.enter(line)
}

// Interrupt is Ctrl-C at the machine's prompt.
func (s *Session) Interrupt() { s.Type(interrupt) }

// Remark puts a sentence of ours into the console's log, now. Rewind puts it there
// again; Reset forgets it.
func (s *Session) Remark(text string) {
	s.past.forgetAfter(s, s.Now())
	s.note(scenario.Command{Line: text, Remark: true})
	s.Console().Remark(text)
}

// Shell is the console if anything was typed yet, else nil.
func (s *Session) Shell() *console.Console { return s.con }

// Complete offers what the last word of a line typed at the prompt may become.
func (s *Session) Complete(line string) []string { return s.Console().Complete(line) }

// Rebooted reports whether the machine was booted from its own console, so that
// it is no longer the scenario as it was opened.
func (s *Session) Rebooted() bool { return s.sc.Booted }

// fits reports whether a line is worth remembering: one that is refused for its
// length is not.
func (s *Session) fits(line string) bool { return len(line) <= console.MaxLine }

func (s *Session) note(c scenario.Command) {
	s.redo = nil // another history
	c.At = clock.Duration(s.eng.Now())
	s.typed = append(s.typed[:s.nextTyped:s.nextTyped], c)
	s.nextTyped++
}

func (s *Session) enter(line string) {
	con := s.Console()
	if line == interrupt {
		con.Interrupt()
		return
	}
	con.Enter(line)
}

// Console is the shell of the simulated machine.
func (s *Session) Console() *console.Console {
	if s.con == nil {
		s.con = console.New(s.kernel.Shell, (*machineOps)(s))
		s.con.Notices = !s.quiet
	}
	s.listen()
	return s.con
}

// listen lets the console hear of processes that exit.
func (s *Session) listen() {
	if s.ear == nil {
		s.ear = &ear{s}
		s.eng.Observe(s.ear)
	}
}

// ear wakes the console when a process has exited and it waits for one, and stops
// the engine after that instant so that it can go on.
type ear struct{ s *Session }

// Observe implements trace.Observer.
func (e *ear) Observe(ev *trace.Event) {
	if ev.Kind == trace.Off && ev.Cause == sched.Exited && e.s.con != nil && e.s.con.Listens() {
		e.s.con.Wake()
		e.s.eng.Halt()
	}
}

// Typed are the settings that would do again what Do, Type and Remark did: do@TIME,
// type@TIME and remark@TIME; before them, reboot where the machine was booted from
// its console.
func (s *Session) Typed() []Setting {
	var set []Setting
	if s.sc.Booted {
		set = append(set, Setting{"reboot", s.sc.Scheduler.DefaultClass})
	}
	for _, c := range s.typed {
		what := "do"
		switch {
		case c.Typed:
			what = "type"
		case c.Remark:
			what = "remark"
		}
		set = append(set, Setting{fmt.Sprintf("%s@%dns", what, int64(c.At)), c.Line})
	}
	return set
}

// Rewind starts the run again at zero, with the same settings and what Do and
// Type did at their times.
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

// runCommands runs the commands that are due by now and lets the console go on:
// the scenario's first, then those that were typed before time went back. At one
// time they were typed after the scenario's had run. there is false while time is
// still before what was asked for.
func (s *Session) runCommands(there bool) {
	run := s.eng
	for there {
		list, next := s.sc.Commands, &s.nextCommand
		if !s.due(list, *next) {
			list, next = s.typed, &s.nextTyped
		}
		if !s.due(list, *next) {
			break
		}
		c := list[*next]
		*next++
		s.again(c)
		if s.eng != run {
			return
		}
	}
	if s.consoleDue() {
		s.con.Poll()
	}
}

func (s *Session) due(list []scenario.Command, next int) bool {
	return next < len(list) && clock.Time(list[next].At) <= s.eng.Now()
}

// again does what a command of the past did.
func (s *Session) again(c scenario.Command) {
	switch {
	case c.Remark:
		s.Console().Remark(c.Line)
	case c.Typed:
		s.enter(c.Line)
	default:
		if _, err := s.Console().Do(c.Line); err != nil {
			// The machine may no longer be what its author thought: whom a line names was
			// killed, say. That is told, and the run goes on, as a real machine would.
			s.Console().Remark(fmt.Sprintf("The scenario's line failed at %v: %s: %v", clock.Time(c.At), console.Shorten(c.Line), err))
			if s.failed == nil {
				s.failed = fmt.Errorf("at %v: %w", clock.Time(c.At), err)
			}
		}
	}
}

// AdvanceToNext lets time pass until a command at the console goes on: to the time
// that it waits for, a second at most since it may wait for a process, and at most
// to end.
func (s *Session) AdvanceToNext(end clock.Time) error {
	to := min(end, s.Now().Add(clock.Second))
	if at, ok := s.Console().Next(); ok && at > s.Now() {
		to = min(to, at)
	}
	return s.AdvanceTo(to)
}

// consoleDue reports whether a command at the console wants to go on now.
func (s *Session) consoleDue() bool {
	if s.con == nil {
		return false
	}
	at, ok := s.con.Next()
	return ok && at <= s.eng.Now()
}

// commandBy is the time of what happens next at the console, if that is before t.
func (s *Session) commandBy(t clock.Time) clock.Time {
	if s.nextCommand < len(s.sc.Commands) {
		t = min(t, clock.Time(s.sc.Commands[s.nextCommand].At))
	}
	if s.nextTyped < len(s.typed) {
		t = min(t, clock.Time(s.typed[s.nextTyped].At))
	}
	if s.con != nil {
		if at, ok := s.con.Next(); ok {
			t = min(t, max(at, s.eng.Now()))
		}
	}
	return t
}

// reboot starts the machine anew with a default class; the console stays.
func (s *Session) reboot(class string) error {
	sc := s.original().Rebooted(class)
	sc.Boot.Clock = (sc.Boot.Clock + int(s.eng.Now()/clock.Time(clock.Minute))) % (24 * 60)
	con := s.con
	if err := s.start(sc); err != nil {
		return err
	}
	s.con = con
	s.listen()
	return nil
}

// shellOf finds the process that the scenario says the shell is.
func (s *Session) shellOf() sched.ThreadID {
	name := s.sc.Console.Task
	i := slices.IndexFunc(s.eng.Threads(), func(t *sched.Thread) bool {
		return name != "" && t.Name == name && !t.Kernel && t.State != sched.Gone
	})
	return sched.ThreadID(i)
}
