package sim

import (
	"errors"

	"strandscope/sim/clock"
	"strandscope/sim/trace"
)

// Session is one run of one scenario: the only door to the simulation for the
// renderer, the page and the commands. It is not safe for concurrent use.
type Session struct{}

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
}

// Answer is what Why says of a strand or a thread.
type Answer struct {
	Title string
	Lines []string // whole sentences, most important first
}

var errStub = errors.New("not built yet")

// Open starts a built-in scenario. An unknown id is an error that names the
// nearest match.
func Open(id string, settings ...Setting) (*Session, error) { return nil, errStub }

// OpenDocument starts a scenario from its JSON text; name is used in messages.
func OpenDocument(name string, text []byte, settings ...Setting) (*Session, error) {
	return nil, errStub
}

// Library lists the built-in scenarios in the order shown to users.
func Library() []Info { return nil }

// Set changes a setting. Settings that count at boot start the run again at
// zero. On an error the session is as it was.
func (s *Session) Set(key, value string) error { return errStub }

// Reset starts the present scenario again, with its settings.
func (s *Session) Reset() error { return errStub }

// Now is the time reached.
func (s *Session) Now() clock.Time { return 0 }

// Advance lets d of simulated time pass. However d is cut into pieces, the
// same events happen. An error means a broken invariant; the run has stopped.
func (s *Session) Advance(d clock.Duration) error { return errStub }

// AdvanceUpTo is Advance in slices: it goes on until the given time or until
// about so many events have happened, and reports whether it got there.
func (s *Session) AdvanceUpTo(t clock.Time, events int) (bool, error) { return false, errStub }

// Step advances to just after the next clock tick.
func (s *Session) Step() error { return errStub }

// Frame returns the picture of the run as it stands.
func (s *Session) Frame() *Frame { return nil }

// Choices returns the selectors' values for the present scenario.
func (s *Session) Choices() Choices { return Choices{} }

// WhyStrand answers why a strand runs what it runs, or idles.
func (s *Session) WhyStrand(cpu int) Answer { return Answer{} }

// WhyThread answers why a thread runs, waits or sleeps.
func (s *Session) WhyThread(id int) Answer { return Answer{} }

// Observe adds an observer from now on.
func (s *Session) Observe(o trace.Observer) {}
