package control

import (
	"errors"
	"fmt"
	"slices"

	"strandscope/render/act"
	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/compare"
)

// side is the run of a comparison that is not in focus, with what State keeps of
// the one that is. To give it the focus is to exchange the two.
type side struct {
	run      Run
	settings []sim.Setting
	choices  sim.Choices
	again    func() (Run, error)
	term     terminal
}

// compareCommand obeys what concerns comparisons; mine is false for the rest.
func (s *State) compareCommand(c act.Command) (mine bool, err error) {
	switch c := c.(type) {
	case act.Compare:
		err = s.compareWith(c)
	case act.Fork:
		err = s.fork(c)
	case act.Swap:
		if err = s.compared(); err == nil {
			s.right = !s.right
		}
	case act.Focus:
		if err = s.compared(); err == nil && c.Right != s.right {
			s.exchange()
			s.right = c.Right
		}
	case act.Uncompare:
		if err = s.compared(); err == nil {
			s.end()
		}
	default:
		return false, nil
	}
	return true, err
}

func (s *State) compared() error {
	if s.beside == nil {
		return errors.New("there is only one run: compare it with another first")
	}
	return nil
}

// end leaves the left run.
func (s *State) end() {
	if s.right {
		s.exchange()
	}
	s.beside, s.right = nil, false
	s.pacer.forget()
}

// compareWith opens the right side. It begins at zero and catches up.
func (s *State) compareWith(c act.Compare) error {
	if s.Fault != "" {
		return errStopped
	}
	left := s.left()
	open, settings := left.again, withoutTyped(left.settings)
	if c.Scenario != "" {
		open = func() (Run, error) { return s.opener.Open(c.Scenario) }
	}
	if c.Scenario != "" || c.Alone {
		settings = nil
	}
	for _, x := range c.Settings {
		settings = with(settings, x)
	}
	return s.openRight(open, settings)
}

// with adds a setting; one of the same key is replaced, typed lines are not.
func with(settings []sim.Setting, x sim.Setting) []sim.Setting {
	if i := slices.IndexFunc(settings, func(y sim.Setting) bool { return y.Key == x.Key }); i >= 0 && !isAgain(x.Key) {
		settings[i].Value = x.Value
		return settings
	}
	return append(settings, x)
}

func (s *State) openRight(open func() (Run, error), settings []sim.Setting) error {
	run, err := open()
	if err == nil {
		err = run.KeepSums()
	}
	if err != nil {
		return err
	}
	for _, x := range settings {
		if err := run.Set(x.Key, x.Value); err != nil {
			return err
		}
	}
	return s.putRight(&side{run: run, settings: settings, again: open})
}

// putRight makes a run the right side, and gives it the focus: it is the one that
// one is about to change. What the left one has not summed up yet it does again.
func (s *State) putRight(x *side) error {
	if s.beside != nil {
		s.end()
	}
	now := s.Run.Now()
	if err := s.Run.KeepSums(); err != nil {
		return err
	}
	if err := x.run.KeepSums(); err != nil {
		return err
	}
	if s.Run.Now() < now && (s.goal == noGoal || s.until != nil) {
		s.setGoal(now, nil)
	}
	x.choices = x.run.Choices()
	x.term = terminal{told: Told{Step: -1}, finish: noGoal}
	s.beside = x
	s.exchange()
	s.right = true
	return nil
}

// fork makes the right side from the run in focus.
func (s *State) fork(c act.Fork) error {
	switch {
	case s.Fault != "":
		return errStopped
	case s.Seeking():
		return errors.New("fork: the run is on its way to another time, fork it when it has come there")
	case c.Line != "" && c.Key != "":
		return fmt.Errorf("fork: it changes line %q and setting %q, want one of them", c.Line, c.Key)
	case c.Key != "":
		settings := with(withoutTyped(s.Settings), sim.Setting{Key: c.Key, Value: c.Value})
		for _, l := range s.Typed() {
			if l.Key != reboot || c.Key != "class" {
				settings = append(settings, sim.Setting{Key: l.Key, Value: l.Do})
			}
		}
		return s.openRight(s.again, settings)
	case s.opener.Fork == nil:
		return errors.New("fork: runs cannot be forked here")
	}
	run, err := s.opener.Fork(s.Run)
	if err != nil {
		return err
	}
	if c.Line != "" {
		if _, err := run.Do(c.Line); err != nil {
			return err
		}
	}
	x := &side{run: run, settings: slices.Clone(s.Settings), again: s.again}
	if s.right { // the fork of the right side is compared with that
		s.right = false
	}
	return s.putRight(x)
}

// exchange gives the focus to the other run.
func (s *State) exchange() {
	b := s.beside
	epoch := max(s.term.epoch, b.term.epoch) + 1 // the page has to begin a log anew
	s.Run, b.run = b.run, s.Run
	s.Settings, b.settings = b.settings, s.Settings
	s.Choices, b.choices = b.choices, s.Choices
	s.again, b.again = b.again, s.again
	s.term, b.term = b.term, s.term
	s.term.epoch, s.term.con = epoch, s.Run.Shell()
	s.term.finish, b.term.finish = noGoal, noGoal
	s.pair = sim.Pair{Lead: s.Run, Other: b.run}
	s.View.Selected, s.View.Hover = act.Selection{}, act.Selection{}
	s.View.Cursor, s.View.Pointing = sim.Cursor{}, act.Pointing{}
	s.settle()
}

// onSides does something to the run in focus, or to both: then to the other first.
func (s *State) onSides(both bool, do func() error) error {
	if both && s.beside != nil {
		s.exchange()
		err := do()
		s.exchange()
		if err != nil {
			return fmt.Errorf("on the other side: %w", err)
		}
	}
	return do()
}

// align lets a side that is behind catch up, also while the run is paused.
func (s *State) align() {
	if s.beside == nil || s.Fault != "" || s.goal != noGoal {
		return
	}
	s.mover()
	if !s.pair.Level() {
		s.setGoal(max(s.pair.Lead.Now(), s.pair.Other.Now()), nil)
	}
}

// follow lets the other side go where the run in focus went, back too.
func (s *State) follow() {
	if s.beside != nil && s.Fault == "" && s.beside.run.Now() != s.Run.Now() {
		s.setGoal(s.Run.Now(), nil)
	}
}

// mover is what moves in time: the run, or both.
func (s *State) mover() sim.Mover {
	if s.beside == nil {
		return s.Run
	}
	// Set may have opened a run anew.
	s.pair.Lead, s.pair.Other = s.Run, s.beside.run
	return &both{&s.pair}
}

// both is a pair as a run.
type both struct{ *sim.Pair }

// Now is the time that both reached.
func (b *both) Now() clock.Time { return min(b.Lead.Now(), b.Other.Now()) }

// left is the left side.
func (s *State) left() side {
	if s.right {
		return *s.beside
	}
	return side{run: s.Run, settings: s.Settings, again: s.again}
}

// Comparison is what the page is told of one: left, right.
type Comparison struct {
	Right    bool // has the focus
	Level    bool // both are at the same time
	Titles   [2]string
	Facts    [2]sim.RunFacts
	Figures  [2]compare.Figures
	Settings [2][]sim.Setting // without what was typed
	Typed    [2][]Line
}

// Comparison is nil while there is only one run.
func (s *State) Comparison() *Comparison {
	if s.beside == nil {
		return nil
	}
	c := &Comparison{Right: s.right, Level: s.Run.Now() == s.beside.run.Now()}
	for i := range c.Facts {
		run, settings := s.Run, s.Settings
		if (i == 1) != s.right {
			run, settings = s.beside.run, s.beside.settings
		}
		c.Figures[i], c.Facts[i] = run.Compared(), facts(run, settings)
		c.Settings[i], c.Typed[i] = withoutTyped(settings), typedInto(run, settings)
	}
	c.Titles = sim.Titles(&c.Facts[0], &c.Facts[1])
	return c
}

// facts are a run's, with what was typed before it was brought back by its settings.
func facts(run Run, settings []sim.Setting) sim.RunFacts {
	f := run.Facts()
	f.Typed = nil
	for _, l := range typedInto(run, settings) {
		f.Typed = append(f.Typed, sim.Setting{Key: l.Key, Value: l.Do})
	}
	return f
}

// Beside is the run that is not in focus; nil: there is none.
func (s *State) Beside() Run {
	if s.beside == nil {
		return nil
	}
	return s.beside.run
}

// Sides are the sides as the picture names them.
func (s *State) Sides() (v act.Sides) {
	if s.beside == nil {
		return v
	}
	l, r := facts(s.Run, s.Settings), facts(s.beside.run, s.beside.settings)
	if s.right {
		l, r = r, l
	}
	return act.Sides{Right: s.right, Titles: sim.Titles(&l, &r)}
}
