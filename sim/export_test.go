package sim

import (
	"strandscope/sim/clock"
	"strandscope/sim/engine"
	"strandscope/sim/policy"
	"strandscope/sim/scenario"
	"strandscope/sim/trace"
)

// OpenScenario starts a scenario that no document can be, on a machine of its own.
func OpenScenario(sc *scenario.Scenario) (*Session, error) { return open(sc, nil) }

// OpenEveryTick starts a built-in scenario whose engine skips no tick.
func OpenEveryTick(id string) (*Session, error) {
	sc, err := scenario.Builtin(id)
	if err != nil {
		return nil, err
	}
	s := &Session{past: &history{most: mostBytes}, everyTick: true}
	return s, s.start(sc)
}

// Bare is the engine of a scenario with nobody to watch it but the digest.
func Bare(sc *scenario.Scenario) (*engine.Engine, error) {
	k, err := policy.Find(sc.Scheduler.Kernel)
	if err != nil {
		return nil, err
	}
	if sc.Scheduler.DefaultClass == scenario.Unset && k.CheckClass(scenario.Unset) != nil {
		sc = sc.Clone()
		sc.Scheduler.DefaultClass = k.DefaultClass()
	}
	pol, err := k.New(sc)
	if err != nil {
		return nil, err
	}
	var digest trace.Digest
	cfg := engine.Config{
		Machine: sc.Machine, Policy: pol, Timing: k.Timing, HZ: k.HZ, Seed: sc.Seed,
		SleepOnTicks: k.SleepOnTicks, Observers: []trace.Observer{&digest},
	}
	if k.Configure != nil {
		k.Configure(&cfg)
	}
	e, err := engine.New(cfg)
	if err != nil {
		return nil, err
	}
	return e, populate(e, sc, k)
}

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
