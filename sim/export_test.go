package sim

import "strandscope/sim/clock"

// Checkpoint takes a checkpoint now.
func (s *Session) Checkpoint() error {
	s.past.take(s)
	return s.past.err
}

// Checkpoints are the times of the checkpoints, and how much the engine had done.
func (s *Session) Checkpoints() (at []clock.Time, done []int64) {
	for _, p := range s.past.points {
		at, done = append(at, p.at), append(done, p.done)
	}
	return at, done
}

// Spin copies the present and throws the copy away.
func (s *Session) Spin() (bytes, objects int, err error) {
	_, size, err := s.copyMoment()
	return size.Bytes, size.Objects, err
}

// SetWaker puts a listener in the place of the ledger's.
func (s *Session) SetWaker(f func()) { s.watch.ledger.Waker = waker(f) }

type waker func()

// Served implements stats.Waker.
func (w waker) Served(clock.Duration, clock.Time) { w() }

// CopyWhole is how Fork copies a session where that is possible.
func (s *Session) CopyWhole() error {
	_, err := s.copyWhole()
	return err
}
