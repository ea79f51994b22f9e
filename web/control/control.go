package control

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"strandscope/render/act"
	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/compare"
	"strandscope/sim/console"
)

// Run is what control needs of a session.
type Run interface {
	Set(key, value string) error
	Reset() error
	// Do types a line into the machine's console.
	Do(line string) (string, error)
	// Type, Interrupt and Remark are what is typed at the console's prompt, and what
	// is put into its log; Shell is the console, nil while there is nothing in it.
	Type(line string)
	Interrupt()
	Remark(text string)
	Complete(line string) []string
	Shell() *console.Console
	// Rebooted reports whether the machine was booted from its console.
	Rebooted() bool
	// Typed are the settings that would run what was typed again.
	Typed() []sim.Setting
	Now() clock.Time
	AdvanceUpTo(t clock.Time, events int) (bool, error)
	// SeekUpTo is AdvanceUpTo that can also go back; what was typed runs again.
	SeekUpTo(t clock.Time, events int) (bool, error)
	RunTo(c sim.Condition, limit clock.Time, events int) (sim.Outcome, error)
	Step() error
	StepDecisionBack() error
	Frame() *sim.Frame
	// Look tells what the next frames are to hold.
	Look(l sim.Look)
	Choices() sim.Choices
	// Plotting and PlotNext run the points of the scenario's curve.
	Plotting() bool
	PlotNext() error
	WhyStrand(cpu int) sim.Answer
	WhyThread(id int) sim.Answer
	// WhyAt is about a strand at a time, now or before.
	WhyAt(cpu int, at clock.Time) sim.Answer
	// Undo and Redo go to before a change; the caller has to go on from there.
	Undo() (sim.Changed, error)
	Redo() (sim.Changed, error)
	Undoable() string
	Redoable() string
	// Compared and Facts are what runs are compared by. KeepSums lets a run keep what
	// Compared tells: it begins again at zero, unless it does so already.
	KeepSums() error
	Compared() compare.Figures
	Facts() sim.RunFacts
}

// Opener opens scenarios. Sim is the real one.
type Opener struct {
	Open         func(id string) (Run, error)
	OpenDocument func(name string, text []byte) (Run, error)
	// Fork returns a run with the same history that goes its own way.
	Fork func(r Run) (Run, error)
}

// Sim opens real sessions.
var Sim = Opener{
	Open: func(id string) (Run, error) {
		s, err := sim.Open(id)
		if err != nil {
			return nil, err // not s: a nil *Session is not a nil Run
		}
		return s, nil
	},
	OpenDocument: func(name string, text []byte) (Run, error) {
		s, err := sim.OpenDocument(name, text)
		if err != nil {
			return nil, err
		}
		return s, nil
	},
	Fork: func(r Run) (Run, error) {
		of, ok := r.(*sim.Session)
		if !ok {
			return nil, errors.New("this run cannot be forked")
		}
		s, err := of.Fork()
		if err != nil {
			return nil, err
		}
		return s, nil
	},
}

// noGoal is the goal while no point of time is sought.
const noGoal clock.Time = -1

// State is a run and the way it is looked at.
type State struct {
	Run  Run
	View act.View
	// Error is the sentence about the last command, empty when it was obeyed.
	Error string
	// Fault says why the run stopped for good; Reset and Load start afresh.
	Fault string
	// Found says what the last RunTo or StepDecision came to, or what an Undo did.
	Found string
	// Settings were changed since the scenario was loaded, in order.
	Settings []sim.Setting

	// Choices are what the selectors offer. They change with scenario and
	// settings only, and asking for them is dear.
	Choices sim.Choices

	opener Opener
	again  func() (Run, error) // opens the present scenario anew
	goal   clock.Time
	until  *sim.Condition // stop there on the way to the goal; nil: nowhere
	sought time.Duration  // real time when the last slice towards the goal ended; 0: none
	pacer  pacer
	far    clock.Time // the furthest that the run has come to
	term   terminal

	beside *side // nil: no comparison
	right  bool  // the run in focus is on the right
	pair   sim.Pair
}

// DefaultSpeed is ten simulated seconds a second: quanta of 200 ms can still
// be followed, and load averages move within half a minute.
const DefaultSpeed = 10_000

// New opens the first scenario, paused.
func New(opener Opener, scenario string) (*State, error) {
	s := &State{opener: opener, goal: noGoal}
	s.View = act.View{
		Theme: "dark", Visible: true, SpeedPermille: DefaultSpeed,
		ScalePermille: 1000,
	}
	s.Apply(act.Load{Scenario: scenario})
	if s.Run == nil {
		return nil, errors.New(s.Error + s.Fault)
	}
	return s, nil
}

// Apply obeys a command. One that cannot be obeyed leaves the run and the view
// as they were and says why in Error.
func (s *State) Apply(c act.Command) {
	switch c.(type) {
	case act.Resize, act.Show, act.Theme: // not in answer to the sentence
	default:
		s.Error = ""
	}
	if s.Run != nil {
		s.Furthest() // before it goes back
	}
	var err error
	if fault := s.guard(func() { err = s.apply(c) }); fault != "" {
		s.fail(fault)
		return
	}
	if err != nil {
		s.Error = sentence(err)
	}
	s.align()
}

func (s *State) apply(c act.Command) error {
	if mine, err := s.terminalCommand(c); mine {
		return err
	}
	if mine, err := s.compareCommand(c); mine {
		return err
	}
	switch c := c.(type) {
	case act.Load:
		return s.load(func() (Run, error) { return s.opener.Open(c.Scenario) })
	case act.LoadText:
		return s.load(func() (Run, error) { return s.opener.OpenDocument(c.Name, []byte(c.Text)) })
	case act.Set:
		return s.onSides(c.Both, func() error { return s.set(c) })
	case act.Reset:
		return s.onSides(true, s.reset)
	case act.Play:
		s.View.Playing = s.Fault == ""
	case act.Pause:
		s.View.Playing = false
		s.term.finish = noGoal
	case act.Step:
		return s.step(s.Run.Step)
	case act.StepBack:
		return s.stepBack()
	case act.StepDecision:
		return s.runTo(act.RunTo{To: sim.Condition{Kind: sim.OnDecision}, For: clock.Hour})
	case act.StepDecisionBack:
		return s.stepDecisionBack()
	case act.RunTo:
		return s.runTo(c)
	case act.Stop:
		s.stop()
	case act.Undo:
		return s.travel("Undone", s.Run.Undo)
	case act.Redo:
		return s.travel("Done again", s.Run.Redo)
	case act.Do:
		return s.onSides(c.Both, func() error { return s.do(c.Line) })
	case act.Seek:
		return s.seek(c.At)
	case act.Speed:
		if c.Permille < act.MinSpeed || c.Permille > act.MaxSpeed {
			return fmt.Errorf("speed is %d, want %d to %d thousandths", c.Permille, act.MinSpeed, act.MaxSpeed)
		}
		s.View.SpeedPermille = c.Permille
		s.pacer.forget()
	case act.Select:
		return s.selectThing(c.Selection)
	case act.Theme:
		s.View.Theme = c.Name
	case act.Resize:
		s.View.Width, s.View.Height, s.View.ScalePermille = c.Width, c.Height, c.ScalePermille
	case act.Show:
		s.View.Visible = c.Visible
		s.pacer.forget()
	default:
		mine, err := s.View.Apply(c, s.Run.Now(), len(s.Run.Frame().CPUs))
		if !mine {
			err = fmt.Errorf("command %T is not known here", c)
		}
		return err
	}
	return nil
}

func (s *State) restarted() {
	s.View.Restarted()
	s.Choices = s.Run.Choices()
	s.goal, s.Found, s.far = noGoal, "", 0
	s.term.anew()
	s.pacer.forget()
}

func (s *State) step(how func() error) error {
	s.View.Playing = false
	s.goal, s.term.finish, s.Found = noGoal, noGoal, ""
	if s.Fault != "" {
		return errStopped
	}
	if err := how(); err != nil {
		s.fail(err.Error())
	}
	s.follow()
	s.settle()
	return nil
}

func (s *State) selectThing(sel act.Selection) error {
	f := s.Run.Frame()
	switch sel.Kind {
	case act.NoSelection:
	case act.StrandSelection:
		if sel.CPU < 0 || sel.CPU >= len(f.CPUs) {
			return fmt.Errorf("strand %d does not exist, want 0 to %d", sel.CPU, len(f.CPUs)-1)
		}
	case act.ThreadSelection:
		if sel.Thread < 0 || int(sel.Thread) >= len(f.Threads) {
			return fmt.Errorf("thread %d does not exist, want 0 to %d", sel.Thread, len(f.Threads)-1)
		}
	}
	s.View.Selected = sel
	if sel.Kind != act.NoSelection {
		s.View.Cursor = sim.Cursor{} // what was asked about last counts
	}
	return nil
}

// Why answers about the moment at the timeline's cursor, else about the selection,
// or about nothing.
func (s *State) Why() (a sim.Answer) {
	fault := s.guard(func() {
		if c := s.View.Cursor; c.On {
			a = s.Run.WhyAt(c.CPU, c.At)
			return
		}
		switch sel := s.View.Selected; sel.Kind {
		case act.NoSelection:
		case act.StrandSelection:
			a = s.Run.WhyStrand(sel.CPU)
		case act.ThreadSelection:
			a = s.Run.WhyThread(int(sel.Thread))
		}
	})
	if fault != "" {
		s.fail(fault)
	}
	return a
}

// guard turns a panic of the simulation into words: a broken engine must not
// take the page along.
func (s *State) guard(f func()) (fault string) {
	defer func() {
		if r := recover(); r != nil {
			fault = fmt.Sprint(r)
		}
	}()
	f()
	return ""
}

// fail stops the run and says enough to replay it.
func (s *State) fail(what string) {
	s.View.Playing, s.goal, s.term.finish = false, noGoal, noGoal
	where := "before any scenario was loaded"
	if s.Run != nil {
		lost := s.guard(func() { where = s.whereabouts() })
		if lost != "" {
			where = "at a point that cannot be told any more"
		}
	}
	s.Fault = "The run stopped: " + strings.TrimSuffix(what, ".") + ", " + where + ". Reset starts it again."
}

func (s *State) whereabouts() string {
	f := s.Run.Frame()
	name := f.Scenario.ID
	if name == "" {
		name = f.Scenario.Title
	}
	parts := []string{"scenario " + name}
	for _, v := range withoutTyped(s.Settings) {
		parts = append(parts, v.Key+"="+v.Value)
	}
	for _, l := range s.Typed() {
		parts = append(parts, fmt.Sprintf("%s=%q", l.Key, l.Do))
	}
	parts = append(parts, "time "+f.Now.String(), fmt.Sprintf("event %d", f.Events))
	return strings.Join(parts, ", ")
}

// Refuse notes why a message was refused before it became a command.
func (s *State) Refuse(err error) { s.Error = sentence(err) }

// sentence gives an error the shape of one.
func sentence(err error) string {
	text := err.Error()
	if text == "" {
		return "Something was refused without a reason."
	}
	if text[0] >= 'a' && text[0] <= 'z' {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	if !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, "?") {
		text += "."
	}
	return text
}
