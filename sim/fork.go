package sim

import (
	"slices"

	"strandscope/sim/checkpoint"
	"strandscope/sim/clock"
)

// Fork returns a second session with the same history: the same scenario, settings
// and typed commands, at the same time and with the same digest, and free to go
// another way from here. It is a copy of this one, its checkpoints included; a run
// that cannot be copied, or that is watched by an observer of somebody else's, is run
// again from zero, which may take as long as it took.
func (s *Session) Fork() (*Session, error) {
	if !s.watched {
		if c, err := s.copyWhole(); err == nil {
			return c, nil
		}
	}
	c := &Session{look: s.look}
	if s.past != nil {
		c.past = &history{most: s.past.most}
	}
	if err := c.start(s.original()); err != nil {
		return nil, err
	}
	c.quiet, c.typed = s.quiet, slices.Clone(s.typed)
	if s.con != nil {
		c.quiet = !s.con.Notices
	}
	return c, c.reach(s.Now(), s.nextTyped)
}

// reach runs up to a time at which so many typed commands had run.
func (s *Session) reach(t clock.Time, typed int) error {
	if err := s.AdvanceTo(t); err != nil {
		return err
	}
	s.nextTyped = max(s.nextTyped, min(typed, len(s.typed)))
	return nil
}

// copyWhole copies the session and all that it leads to, except what never changes.
func (s *Session) copyWhole() (*Session, error) {
	frames := s.frames
	s.frames = [2]Frame{} // pictures of the past, and large
	defer func() { s.frames = frames }()
	var nobody struct{ byte } // nothing stays: pointers to s must lead to the copy
	c, _, err := checkpoint.Copy(copier, s, &nobody)
	return c, err
}
