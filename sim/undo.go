package sim

import (
	"errors"
	"slices"

	"strandscope/sim/clock"
	"strandscope/sim/order"
	"strandscope/sim/scenario"
)

// Changed is a change of the machine that was undone or redone.
type Changed struct {
	Line string     // of the console, as Do was given it
	At   clock.Time // when it was done
	// Back is the time to go on to: the present as it was. The session is at a
	// checkpoint before the change until SeekTo goes there.
	Back clock.Time
}

// undone is a change that can be redone, and its place in the list of what was
// typed.
type undone struct {
	place int
	what  scenario.Command
}

var (
	errNothingToUndo = errors.New("there is nothing to undo: nothing was changed since the run began here")
	errNothingToRedo = errors.New("there is nothing to redo")
)

// Undo takes the last line that Do ran out of the run: it goes back to a checkpoint
// before it and forgets it. What was typed at the prompt stays and is typed again
// at its times, on the way to Changed.Back, where the caller has to go; only then
// is the present there again, as it would be without the change. On an error
// nothing has changed. Sessions that cannot go back cannot undo.
func (s *Session) Undo() (Changed, error) {
	i := s.lastChange()
	if i < 0 {
		return Changed{}, errNothingToUndo
	}
	c := s.typed[i]
	done := Changed{c.Line, clock.Time(c.At), s.Now()}
	if err := s.goBefore(done.At, i); err != nil {
		return Changed{}, err
	}
	s.typed = slices.Delete(slices.Clone(s.typed), i, i+1)
	s.redo = append(s.redo, undone{i, c})
	return done, nil
}

// Redo puts the change that was undone last back into the run, at its own time; see
// Undo. Whatever is typed or done after an Undo makes another history, to which
// nothing can be put back.
func (s *Session) Redo() (Changed, error) {
	if len(s.redo) == 0 {
		return Changed{}, errNothingToRedo
	}
	u := s.redo[len(s.redo)-1]
	done := Changed{u.what.Line, clock.Time(u.what.At), s.Now()}
	if err := s.goBefore(done.At, u.place); err != nil {
		return Changed{}, err
	}
	s.typed = order.Insert(slices.Clone(s.typed), u.place, u.what)
	s.redo = s.redo[:len(s.redo)-1]
	return done, nil
}

// Undoable and Redoable are the lines that Undo and Redo are about; "" if there is
// none.
func (s *Session) Undoable() string {
	if i := s.lastChange(); i >= 0 {
		return s.typed[i].Line
	}
	return ""
}

// Redoable is the line that Redo would do again.
func (s *Session) Redoable() string {
	if n := len(s.redo); n > 0 {
		return s.redo[n-1].what.Line
	}
	return ""
}

// lastChange is the place of the last line that Do ran, −1 if there is none. After
// going back it may still be to come.
func (s *Session) lastChange() int {
	for i := len(s.typed) - 1; i >= 0; i-- {
		if !s.typed[i].Typed && !s.typed[i].Remark {
			return i
		}
	}
	return -1
}

// goBefore makes the present one in which the line of a place, which belongs to a
// time, has not been run, and drops the checkpoints in which it has. Where the
// present is one already nothing has to be gone back.
func (s *Session) goBefore(at clock.Time, place int) error {
	before := func(p *point) bool { return p.at <= at && p.kept.nextTyped <= place }
	if s.nextTyped > place || s.Now() > at {
		if err := s.goBack(before); err != nil {
			return err
		}
	}
	if h := s.past; h != nil {
		for i := len(h.points) - 1; i >= 0; i-- {
			if !before(&h.points[i]) {
				h.drop(i)
			}
		}
	}
	return nil
}
