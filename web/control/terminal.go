package control

import (
	"errors"
	"fmt"
	"strings"

	"strandscope/render/act"
	"strandscope/sim/clock"
	"strandscope/sim/console"
	"strandscope/sim/document"
)

// longestFinish is how much simulated time Finish lets pass: a command may have no
// end.
const longestFinish = 2 * clock.Hour

var errStopped = errors.New("the run has stopped: reset it or choose a scenario")

// Terminal is the machine's console as the page sees it.
type Terminal struct {
	Epoch  int64        // another number: the log began anew
	Log    *console.Log // nil: nothing was shown yet
	Prompt string
	Busy   bool
	Front  string // the line in front, shortened
	Screen []string
	Told   Told
}

// Told says how far the scenario's document was told.
type Told struct {
	Step    int // the last one; −1: none yet
	Pending bool
	Found   []Found
}

// Found is the result of comparing a step's lines with the document's.
type Found struct {
	Step   int
	First  int // number of the first line of the log that was compared
	Marks  []document.Mark
	Result string
}

// terminal is what State remembers of the console.
type terminal struct {
	epoch  int64
	con    *console.Console // whose log epoch counts
	told   Told
	from   int        // number of the log's line at which the step began that is to be compared
	of     int        // that step
	finish clock.Time // Finish goes no further; noGoal: it was not asked for
}

// anew begins another log.
func (t *terminal) anew() {
	*t = terminal{epoch: t.epoch + 1, told: Told{Step: -1}, finish: noGoal}
}

// shell is the console, nil before anything was typed.
func (s *State) shell() *console.Console {
	con := s.Run.Shell()
	if con != s.term.con {
		s.term.con = con
		s.term.epoch++
	}
	return con
}

// Terminal is how the console looks now.
func (s *State) Terminal() Terminal {
	t := Terminal{Prompt: (&console.Console{}).Prompt(), Told: s.term.told}
	if con := s.shell(); con != nil {
		t.Log, t.Prompt, t.Busy, t.Screen = con.Log(), con.Prompt(), con.Busy(), con.Screen()
		if h := con.History(); t.Busy && len(h) > 0 {
			t.Front = console.Shorten(h[len(h)-1])
		}
	}
	t.Epoch = s.term.epoch
	return t
}

// Complete offers what the last word of a line may become.
func (s *State) Complete(line string) (words []string) {
	if fault := s.guard(func() { words = s.Run.Complete(line) }); fault != "" {
		s.fail(fault)
	}
	return words
}

// terminalCommand obeys what concerns the console; mine is false for the rest.
func (s *State) terminalCommand(c act.Command) (mine bool, err error) {
	switch c.(type) {
	case act.Type, act.Interrupt, act.Finish, act.Tell:
	default:
		return false, nil
	}
	if s.Fault != "" {
		return true, errStopped
	}
	switch c := c.(type) {
	case act.Type:
		s.Run.Type(c.Line)
	case act.Interrupt:
		s.Run.Interrupt()
	case act.Finish:
		s.term.finish = s.Run.Now().Add(longestFinish)
	case act.Tell:
		err = s.tell(c.Step)
	}
	s.settle()
	return true, err
}

// tell does a step of the document.
func (s *State) tell(i int) error {
	steps := s.Run.Frame().Scenario.Document
	if i < 0 || i >= len(steps) {
		return fmt.Errorf("step %d of the document does not exist: it has %d", i, len(steps))
	}
	step := steps[i]
	if step.Remark != "" {
		s.term.told.Step, s.term.told.Pending = i, false
		s.Run.Remark(step.Remark)
		return nil
	}
	con := s.shell()
	switch {
	case con != nil && con.Screen() != nil && s.term.told.Pending:
		// Keys for the program that fills the screen: its own step goes on.
	case con != nil:
		s.term.from, s.term.of = con.Log().Next(), i
	default:
		s.term.from, s.term.of = 0, i
	}
	s.term.told.Step, s.term.told.Pending = i, true
	s.Run.Type(step.Type)
	return nil
}

// settle notes what a command at the console has come to.
func (s *State) settle() {
	con := s.shell()
	if con == nil {
		s.term.finish = noGoal
		return
	}
	if s.term.finish != noGoal && (!con.Busy() || con.Screen() != nil || s.Run.Now() >= s.term.finish) {
		s.term.finish = noGoal
		s.pacer.forget()
	}
	s.compare()
}

// compare compares a step's lines with the document's once its command has ended.
func (s *State) compare() {
	con, told := s.shell(), &s.term.told
	if con == nil || !told.Pending || con.Busy() {
		return
	}
	told.Pending = false
	step := s.Run.Frame().Scenario.Document[s.term.of]
	if len(step.Prints) == 0 {
		return
	}
	lines, from := con.Log().From(s.term.from + 1) // after the line typed
	found := Found{Step: s.term.of, First: from}
	var ours []document.Line
	for _, l := range lines {
		if l.Kind == console.Remark {
			l.Text = "" // ours, and no output
		}
		ours = append(ours, document.Line{Text: l.Text, Decoration: l.Decoration})
	}
	r := document.Compare(step.Prints, ours)
	found.Marks, found.Result = r.Marks, r.Summary()
	told.Found = append(told.Found, found)
	name, _, _ := strings.Cut(step.Type, " ")
	s.Run.Remark("Beside the document, " + name + ": " + found.Result)
}

// Finishing reports whether time passes until the command in front has ended.
func (s *State) Finishing() bool { return s.term.finish != noGoal }

// finishBy is the next point of time at which the command in front may have ended.
func (s *State) finishBy() clock.Time {
	t := s.Run.Now().Add(100 * clock.Millisecond)
	if con := s.shell(); con != nil {
		if at, ok := con.Next(); ok {
			t = min(max(at, s.Run.Now()), s.Run.Now().Add(clock.Second))
		}
	}
	return min(t, s.term.finish)
}
