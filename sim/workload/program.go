package workload

import (
	"errors"
	"fmt"

	"strandscope/sim/clock"
)

// Op is what a step does.
type Op uint8

// The steps of a program.
const (
	// Run computes for D at full speed: a fixed amount of work, which takes
	// longer on a slower or shared pipeline (rt-app's run).
	Run Op = iota
	// Spin computes for ever.
	Spin
	// Sleep blocks for D, from the moment it is reached.
	Sleep
	// Fork creates a child that runs Child.
	Fork
	// Loop goes back to step To until it has been passed Count times in all;
	// Count < 0 means for ever. Slot numbers its counter.
	Loop
	// Yield gives the CPU up without sleeping.
	Yield
	// Exit ends the thread. A program that runs out of steps exits too.
	Exit
)

// Instr is one step.
type Instr struct {
	Op    Op
	D     clock.Duration
	To    int32
	Slot  int32
	Count int64
	Child *Program
}

// Program is a list of steps. It is immutable and may be shared by threads.
type Program struct {
	Steps []Instr
	Slots int // loop counters that a thread needs
}

// Forever is a program that spins.
var Forever = &Program{Steps: []Instr{{Op: Spin}}}

// Builder makes a Program.
type Builder struct{ p Program }

// Do appends a step.
func (b *Builder) Do(i Instr) { b.p.Steps = append(b.p.Steps, i) }

// Repeat appends what body adds, count times over; count < 0 means for ever.
func (b *Builder) Repeat(count int64, body func()) {
	start := int32(len(b.p.Steps))
	body()
	if count == 1 {
		return
	}
	slot := b.p.Slots
	b.p.Slots++
	b.Do(Instr{Op: Loop, To: start, Slot: int32(slot), Count: count})
}

// Program returns what was built. It refuses a loop that would never let time
// pass.
func (b *Builder) Program() (*Program, error) {
	p := b.p
	for i, s := range p.Steps {
		if s.D < 0 {
			return nil, fmt.Errorf("step %d: negative duration", i)
		}
		if s.Op == Loop && s.Count < 0 && !passesTime(p.Steps[s.To:i]) {
			return nil, errors.New("an endless loop in which no time passes")
		}
	}
	return &p, nil
}

// passesTime reports whether one pass through steps must take time. A run of 0
// before a sleep counts: the sleep takes it.
func passesTime(steps []Instr) bool {
	for _, s := range steps {
		switch s.Op {
		case Spin, Exit:
			return true
		case Run, Sleep:
			if s.D > 0 {
				return true
			}
		case Fork, Loop, Yield:
		}
	}
	return false
}
