package control

import (
	"fmt"
	"time"

	"strandscope/render/act"
	"strandscope/sim"
	"strandscope/sim/clock"
)

// seek only notes the goal, and goes back at once where it lies behind: Advance
// goes on to it slice by slice, so that a far goal never makes the page stand
// still.
func (s *State) seek(at clock.Time) error {
	if at < 0 {
		return fmt.Errorf("seek: the time is %d, want 0 or later", at)
	}
	if at < s.Run.Now() {
		if _, err := s.Run.SeekUpTo(at, 0); err != nil {
			return err
		}
		s.Fault = ""
	}
	s.setGoal(at, nil)
	return nil
}

func (s *State) setGoal(at clock.Time, until *sim.Condition) {
	s.goal, s.until, s.sought, s.Found = at, until, 0, ""
	s.term.finish = noGoal
	s.pacer.forget()
}

// stepBack goes back to the clock tick before, also after a fault.
func (s *State) stepBack() error {
	s.View.Playing = false
	now, tick := s.Run.Now(), clock.Time(s.Run.Frame().Tick)
	if now == 0 {
		s.setGoal(noGoal, nil)
		return nil
	}
	return s.seek((now - 1) / tick * tick)
}

func (s *State) stepDecisionBack() error {
	s.View.Playing = false
	s.setGoal(noGoal, nil)
	if err := s.Run.StepDecisionBack(); err != nil {
		return err
	}
	s.Fault = ""
	s.follow()
	return nil
}

// runTo notes a condition as the goal.
func (s *State) runTo(c act.RunTo) error {
	s.View.Playing = false
	if s.Fault != "" {
		return errStopped
	}
	if c.For <= 0 {
		return fmt.Errorf("run to: for %d ns, want more than 0", c.For)
	}
	limit := s.Run.Now().Add(c.For)
	// No step is made yet, but a condition that cannot be is refused.
	if _, err := s.Run.RunTo(c.To, limit, 0); err != nil {
		return err
	}
	s.setGoal(limit, &c.To)
	return nil
}

// slice goes on towards a goal for about so many events.
func (s *State) slice(t clock.Time, events int) (reached bool, err error) {
	switch {
	case s.goal == noGoal:
		return s.mover().AdvanceUpTo(t, events)
	case s.until == nil:
		return s.mover().SeekUpTo(t, events)
	}
	o, err := s.mover().RunTo(*s.until, t, events)
	switch o.Result {
	case sim.Found:
		s.Found = o.Text
	case sim.AtLimit:
		s.Found = fmt.Sprintf("%v was not met by %v.", s.until, o.At)
	case sim.OnTheWay:
		return false, err
	}
	return true, err
}

// advanceTo goes on until a time or real time is reached.
func (s *State) advanceTo(t clock.Time, deadline time.Duration, now func() time.Duration) bool {
	for {
		var reached bool
		var err error
		fault := s.guard(func() { reached, err = s.slice(t, sliceEvents) })
		if fault == "" && err != nil {
			fault = err.Error()
		}
		if fault != "" {
			s.fail(fault)
			return false
		}
		if reached {
			return true
		}
		if now() >= deadline {
			return false
		}
	}
}

// stop ends what is sought, where it has come to.
func (s *State) stop() {
	if !s.Seeking() {
		return
	}
	s.setGoal(noGoal, nil)
	s.Found = fmt.Sprintf("Stopped at %v.", s.Run.Now())
}

// travel undoes or redoes a change, and goes on to the present. It works after a
// fault, too: the change may have been what led to it.
func (s *State) travel(what string, how func() (sim.Changed, error)) error {
	goal := s.Run.Now()
	if s.goal != noGoal && s.until == nil {
		goal = max(goal, s.goal)
	}
	c, err := how()
	if err != nil {
		return err
	}
	s.Fault = ""
	s.setGoal(goal, nil)
	s.Found = fmt.Sprintf("%s, as of %v: %s.", what, c.At, c.Line)
	return nil
}

// Furthest is how far the run has come, or is going to.
func (s *State) Furthest() clock.Time {
	s.far = max(s.far, s.Run.Now())
	if s.goal != noGoal && s.until == nil {
		s.far = max(s.far, s.goal)
	}
	return s.far
}

// Undoable and Redoable are the lines that Undo and Redo are about; "" if there is
// none.
func (s *State) Undoable() string { return s.Run.Undoable() }

// Redoable is the line that Redo would do again.
func (s *State) Redoable() string { return s.Run.Redoable() }
