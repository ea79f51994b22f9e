package console

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/agnivade/levenshtein"

	"strandscope/sim/clock"
)

// Command is one command of the simulated machine.
type Command struct {
	Name     string
	Synopsis string
	// Help is one line; Man is the whole page, in our own words.
	Help, Man string
	// Options are offered by completion: "-l", "-c CLASS".
	Options []string
	// Complete, if set, offers words for the last of args.
	Complete func(e *Env, args []string) []string
	// Either Run, for a command that takes no time: it returns the exit status …
	Run func(e *Env, args []string) int
	// … or Start, for one that does. A nil Tool has ended with the status.
	Start func(e *Env, args []string) (Tool, int)
}

// Tool is a command that goes on while time passes.
type Tool interface {
	// Step does what is due now.
	Step(e *Env) Wait
}

// Interrupted is a Tool that has something to say when Ctrl-C ends it.
type Interrupted interface{ Interrupt(e *Env) }

// Wait says when a process wants to go on. The zero value is never.
type Wait struct {
	Done   bool
	Status int
	Until  clock.Time // 0: no time
	Event  bool       // when a process has exited, or something watched has happened
	Input  bool       // when a pipe has something to read
}

// Done is the Wait of a process that has ended.
func Done(status int) Wait { return Wait{Done: true, Status: status} }

// Until is the Wait of a process that sleeps to a point of time.
func Until(t clock.Time) Wait { return Wait{Until: t} }

// System is what a kernel's shell has: its commands, what files hold, its ways.
type System struct {
	// Name as uname gives it.
	Name string
	// Commands of this kernel beside those that all have.
	Commands []Command
	// Read gives a file that the kernel makes up, such as /proc/loadavg; ok is
	// false where there is none. Paths are those, for completion.
	Read  func(e *Env, path string) (text string, ok bool)
	Paths func(e *Env) []string
	// Installed are the files that are on the disk from the first, path and text;
	// unlike those of Read they can be written and removed.
	Installed func(m Machine) [][2]string
	// Intro is what help says first about this machine.
	Intro string
}

// Bare is the shell of a machine whose policy is no kernel's: it has the commands
// that all have.
var Bare = &System{
	Name: "textbook",
	Intro: "This is a shell on a machine whose scheduler is out of a textbook. Time passes only\n" +
		"while a command waits, or while the animation runs.",
}

// find looks a command up.
func (s *System) find(name string) (Command, bool) {
	for _, all := range [][]Command{s.Commands, shared(), builtins()} {
		if i := slices.IndexFunc(all, func(c Command) bool { return c.Name == name }); i >= 0 {
			return all[i], true
		}
	}
	return Command{}, false
}

// all lists all commands of such a machine by name.
func (s *System) all() []Command {
	all := slices.Concat(s.Commands, shared(), builtins())
	sort.SliceStable(all, func(i, j int) bool { return all[i].Name < all[j].Name })
	// A kernel's own form of a command hides the shared one.
	return slices.CompactFunc(all, func(a, b Command) bool { return a.Name == b.Name })
}

// near is a known command that a mistyped one may mean; "" if none is close.
func (s *System) near(name string) string {
	best, d := "", 3
	for _, x := range s.all() {
		if n := levenshtein.ComputeDistance(x.Name, name); n < d {
			best, d = x.Name, n
		}
	}
	return best
}

// Check reports whether a line can be read and each command in it is known.
func (s *System) Check(line string) error {
	_, err := s.read(line)
	return err
}

// read parses a line that runs by itself: it may not be empty, cut off, or name a
// command that there is not.
func (s *System) read(line string) (*list, error) {
	if len(line) > MaxLine {
		return nil, fmt.Errorf("a command line of %d bytes; at most %d are accepted", len(line), MaxLine)
	}
	l, err := parse(line)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", Shorten(line), err)
	}
	if len(l.items) == 0 {
		return nil, fmt.Errorf("an empty command line")
	}
	visit(l, func(cmd *simple) {
		if err == nil && len(cmd.words) > 0 {
			err = s.known(cmd.words[0])
		}
	})
	return l, err
}

// known refuses the name of a command that there is not. One that is only known
// when the line runs may be right.
func (s *System) known(w word) error {
	name, ok := w.constant()
	if !ok || strings.Contains(name, "/") {
		return nil
	}
	if _, ok := s.find(name); ok {
		return nil
	}
	if n := s.near(name); n != "" {
		return fmt.Errorf("%s: command not found; did you mean %s?", Shorten(name), n)
	}
	return fmt.Errorf("%s: command not found", Shorten(name))
}

// Shown is a word that somebody typed, as it may stand in a message: shortened, and
// without what is no text.
func Shown(word string) string { return Shorten(Printable(word)) }

// Shorten cuts a text for a message.
func Shorten(text string) string {
	const most = 60
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
