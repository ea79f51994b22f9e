package act

import (
	"strandscope/render/geom"
	"strandscope/sim/sched"
)

// Motion is what went from one place to another since the picture before.
type Motion struct {
	Moves []Move
	// Recalculated: the counters of all tasks were, Linux 2.2's way.
	Recalculated bool
	// Fast: more moves than an eye can follow, so that rates are shown instead, of a
	// second of simulated time.
	Fast                            bool
	Switches, Migrations, Recalcs10 int64 // a second; recalculations in tenths
	// Still: nothing flies; arrows say what moved. So it is while the run pauses, and
	// for those who want no motion.
	Still bool
}

// Move is one of them.
type Move struct {
	Thread   sched.ThreadID
	From, To geom.Rect // in device pixels
	Kind     MoveKind
	Progress int // per thousand of its way
}

// MoveKind is where a thread went.
type MoveKind uint8

// The kinds of moves.
const (
	Dispatched MoveKind = iota // from a queue onto a strand
	PutBack                    // from a strand into a queue
	Migrated                   // from a strand to another one
)

// Quiet asks for pictures without motion.
type Quiet struct{ On bool }

func (Quiet) command() {}
