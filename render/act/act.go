// Package act holds every intent of a user as a typed value, and Apply, the one
// place where they change anything. Buttons, keys, links, messages from an
// embedding page and tests all send these values.
//
// It imports sim and nothing that draws.
package act

import (
	"fmt"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/sched"
)

// Command is one user intent. The set is closed: see the types below.
type Command interface{ command() }

// The commands.
type (
	// Load replaces the run by a built-in scenario.
	Load struct{ Scenario string }
	// LoadText replaces the run by a scenario document.
	LoadText struct{ Name, Text string }
	// Set changes one setting by key, as `strandsim run -set` does: "class",
	// "explanation". The run starts again where the setting counts at boot.
	Set struct {
		Key, Value string
		Both       bool // sides of a comparison
	}
	// Reset starts the present scenario again.
	Reset struct{}
	// Play lets simulated time pass.
	Play struct{}
	// Pause stops it.
	Pause struct{}
	// Step advances by one clock tick.
	Step struct{}
	// StepBack goes back to the clock tick before.
	StepBack struct{}
	// StepDecision goes to the end of the next instant at which the scheduler
	// decides.
	StepDecision struct{}
	// StepDecisionBack goes back to that of the last one before.
	StepDecisionBack struct{}
	// RunTo goes on until a condition comes true, for at most so long.
	RunTo struct {
		To  sim.Condition
		For clock.Duration
	}
	// Stop ends a RunTo or a Seek where it has come to.
	Stop struct{}
	// Undo takes the last change of the machine that Do made out of the run, which
	// goes on to where it was.
	Undo struct{}
	// Redo puts it back.
	Redo struct{}
	// Seek goes to a point of simulated time, forward or back.
	Seek struct{ At clock.Time }
	// Speed sets simulated seconds per real second, in thousandths.
	Speed struct{ Permille int64 }
	// Select chooses what the Why panel talks about.
	Select struct{ Selection }
	// Do types a command line into the simulated machine's console, now.
	Do struct {
		Line string
		Both bool // sides of a comparison
	}
	// Type types a line at the machine's prompt: it waits for the command in front.
	// To a program that fills the screen it is keys.
	Type struct{ Line string }
	// Interrupt is Ctrl-C at the prompt.
	Interrupt struct{}
	// Finish lets time pass, as fast as it can, until the command in front has
	// ended. Pause and Interrupt end that.
	Finish struct{}
	// Tell does a step of the scenario's document: it types its line, or puts its
	// remark into the console's log.
	Tell struct{ Step int }
	// Theme chooses "dark", "light" or "projector".
	Theme struct{ Name string }
	// Resize tells the canvas's size in device pixels and the device scale in
	// thousandths.
	Resize struct{ Width, Height, ScalePermille int }
	// Zoom lets the timeline show a part of simulated time.
	Zoom struct{ From, To clock.Time }
	// Follow lets the timeline show the last so much time, up to now; 0: the
	// whole run.
	Follow struct{ Last clock.Duration }
	// Point puts the timeline's cursor on a moment of a strand, or takes it away.
	Point struct{ Cursor sim.Cursor }
	// Freeze keeps timeline and plots at what they show while the run goes on.
	Freeze struct{ On bool }
	// Plots chooses what time the plots show.
	Plots struct{ PlotRange }
	// Band marks a part of the timeline while it is being chosen; it has no
	// message, since only the canvas does that.
	Band struct{ From, To clock.Time }
	// Compare puts a second run on the right of the present one: the same scenario,
	// or another built-in one, with settings of its own.
	Compare struct {
		Scenario string // "": the same
		Settings []sim.Setting
		Alone    bool // settings of the present run are not taken over
	}
	// Fork puts a copy of the present run on the right, with the same history. It
	// differs by a line typed now, or by a setting: one that counts at boot, so that
	// side starts again from zero.
	Fork struct{ Line, Key, Value string }
	// Swap exchanges the sides of a comparison.
	Swap struct{}
	// Focus chooses the side that commands are for.
	Focus struct{ Right bool }
	// Uncompare ends a comparison; the left run stays.
	Uncompare struct{}
	// Show tells whether the picture can be seen at all.
	Show struct{ Visible bool }
)

func (Load) command()      {}
func (LoadText) command()  {}
func (Set) command()       {}
func (Reset) command()     {}
func (Play) command()      {}
func (Pause) command()     {}
func (Step) command()      {}
func (Seek) command()      {}
func (StepBack) command()  {}
func (RunTo) command()     {}
func (Speed) command()     {}
func (Select) command()    {}
func (Do) command()        {}
func (Type) command()      {}
func (Interrupt) command() {}
func (Finish) command()    {}
func (Tell) command()      {}
func (Theme) command()     {}
func (Resize) command()    {}
func (Show) command()      {}
func (Zoom) command()      {}
func (Follow) command()    {}
func (Point) command()     {}
func (Freeze) command()    {}
func (Plots) command()     {}
func (Band) command()      {}

func (Stop) command()      {}
func (Undo) command()      {}
func (Redo) command()      {}
func (Compare) command()   {}
func (Fork) command()      {}
func (Swap) command()      {}
func (Focus) command()     {}
func (Uncompare) command() {}

func (StepDecision) command()     {}
func (StepDecisionBack) command() {}

// Online is the line that takes a strand off-line or, if it is, brings it back.
func Online(cpu int, online bool) Do {
	if online {
		return Do{Line: fmt.Sprintf("psradm -f %d", cpu)}
	}
	return Do{Line: fmt.Sprintf("psradm -n %d", cpu)}
}

// Limits of the speed, in simulated seconds per thousand real seconds.
const (
	MinSpeed = 10         // 0.01 ×
	MaxSpeed = 10_000_000 // 10,000 ×
)

// Selection is a strand or a thread. The zero value selects nothing.
type Selection struct {
	Kind   SelectionKind
	CPU    int
	Thread sched.ThreadID
}

// SelectionKind says what is selected.
type SelectionKind uint8

// The kinds of selection.
const (
	NoSelection SelectionKind = iota
	StrandSelection
	ThreadSelection
)

// View is how the run is looked at: everything a panel may depend on besides
// the frame.
type View struct {
	Theme         string // "dark", "light", "projector"
	Playing       bool
	Visible       bool
	SpeedPermille int64
	Selected      Selection
	Hover         Selection
	Width, Height int // device pixels
	ScalePermille int // device pixels per CSS pixel, in thousandths
	// Panels are those shown; Cores: the strands are shown by core.
	Panels Panels
	Cores  bool
	// Quiet: nothing flies. Motion is what moved since the picture before.
	Quiet  bool
	Motion Motion
	// Timeline is what the timeline shows, and Plots what the plots do.
	Timeline Range
	Plots    PlotRange
	// Frozen: both end at FrozenAt instead of now.
	Frozen   bool
	FrozenAt clock.Time
	// Cursor is the timeline's, moved by keys; Pointing is what the pointer is
	// at, which counts more; Band is being chosen.
	Cursor   sim.Cursor
	Pointing Pointing
	Band     Band
	// Sides are those of a comparison, whose frames have a Beside.
	Sides Sides
}

// Sides name the two sides of a comparison.
type Sides struct {
	Right  bool      // it has the focus
	Titles [2]string // left, right
}
