package console

import (
	"fmt"
	"strings"
)

// maxBuffer bounds what a pipe, a file or a captured output holds, in bytes.
const maxBuffer = 4 << 20

// stream is where output goes: one of the fields is set.
type stream struct {
	log    *logWriter
	buffer *buffer // a pipe, or what a substitution captures
	file   *file
	null   bool
}

// logWriter makes lines of what is written.
type logWriter struct {
	con  *Console
	kind LineKind
	part string // of a line whose end is not written yet
}

// buffer holds what was written and not yet read.
type buffer struct {
	text    string
	ended   bool // nothing more will be written
	ignored bool // nobody will read any more
}

func (s *stream) write(text string) (ok bool) {
	switch {
	case s.log != nil:
		s.log.write(text)
	case s.file != nil:
		if len(s.file.text)+len(text) > maxBuffer {
			return false
		}
		s.file.text += Plain(text)
	case s.buffer != nil:
		if s.buffer.ignored || len(s.buffer.text)+len(text) > maxBuffer {
			return false
		}
		s.buffer.text += text
	}
	return true
}

func (w *logWriter) write(text string) {
	w.part += text
	for {
		line, rest, ok := strings.Cut(w.part, "\n")
		if !ok {
			return
		}
		w.part = rest
		w.con.say(w.kind, line)
	}
}

// flush ends a line that was begun.
func (w *logWriter) flush() {
	if w.part != "" {
		w.con.say(w.kind, w.part)
		w.part = ""
	}
}

// Env is what a command may use while it runs.
type Env struct {
	Machine Machine
	con     *Console
	x       *exec
	name    string // of the command, for messages
}

// Kernel is what uname says of the machine.
func (e *Env) Kernel() string { return e.con.sys.Name }

// Printf writes to standard output.
func (e *Env) Printf(format string, args ...any) { e.Print(fmt.Sprintf(format, args...)) }

// Print writes a text to standard output as it is.
func (e *Env) Print(text string) {
	if !e.x.std[1].write(text) {
		e.x.broken = true
	}
}

// Println writes a line to standard output.
func (e *Env) Println(line string) { e.Print(line + "\n") }

// Errorf writes a line to standard error, headed by the command's name, and
// returns the exit status 1.
func (e *Env) Errorf(format string, args ...any) int {
	e.Complain(e.name + ": " + fmt.Sprintf(format, args...))
	return 1
}

// Complain writes a line to standard error as it is.
func (e *Env) Complain(line string) { e.x.std[2].write(line + "\n") }

// Usage writes how a command is used to standard error and returns its status.
func (e *Env) Usage(lines ...string) int {
	for _, l := range lines {
		e.Complain(l)
	}
	return 2
}

// Line takes a line from standard input. more is false at its end; where it is
// true without a line, one is still to come.
func (e *Env) Line() (line string, ok, more bool) {
	b := e.x.in
	if b == nil {
		return "", false, false
	}
	if line, rest, found := strings.Cut(b.text, "\n"); found {
		b.text = rest
		return line, true, true
	}
	if !b.ended {
		return "", false, true
	}
	if b.text != "" {
		line, b.text = b.text, ""
		return line, true, true
	}
	return "", false, false
}

// ReadFile reads a file of the machine's.
func (e *Env) ReadFile(path string) (string, bool) { return e.con.readFile(e, path) }

// Paths are those of all files that ReadFile finds.
func (e *Env) Paths() []string { return e.con.paths(e) }

// WriteFile replaces a file of the machine's.
func (e *Env) WriteFile(path, text string) error { return e.con.files.write(path, text) }

// RemoveFile takes a file away; it reports whether there was one.
func (e *Env) RemoveFile(path string) bool { return e.con.files.remove(path) }

// Foreground reports whether the command runs in front of the user, whose keys it
// gets.
func (e *Env) Foreground() bool { return e.x.fg && e.x.std[1].log != nil }

// Screen shows lines in place of the log, for a program that fills the screen;
// nil gives the log back.
func (e *Env) Screen(lines []string) {
	e.con.screen, e.con.screenOf = lines, e.x
	if lines == nil {
		e.con.screenOf = nil
	}
}

// Key takes a key that was pressed while the command was in front; 0 for none.
func (e *Env) Key() rune {
	if len(e.con.keys) == 0 || !e.Foreground() {
		return 0
	}
	k := e.con.keys[0]
	e.con.keys = e.con.keys[1:]
	return k
}

// Reboot starts the machine anew, with a default class or "" for none, as soon as
// everything of this instant is done. The command that asks for it never ends.
func (e *Env) Reboot(class string) (Tool, int) {
	e.con.rebooting = &class
	return rebooting{}, 0
}

// rebooting waits for the end of the machine's run.
type rebooting struct{}

func (rebooting) Step(*Env) Wait { return Wait{} }

// Get is the value of a shell variable.
func (e *Env) Get(name string) string { return e.x.vars.get(name) }
