package console

import (
	"strings"

	"strandscope/sim/clock"
)

// LineKind says whose a line of the log is.
type LineKind uint8

// The kinds of lines.
const (
	Output LineKind = iota
	Failure
	Input  // a line typed, with its prompt
	Remark // ours, not the machine's
)

func (k LineKind) String() string {
	return [...]string{"output", "error", "input", "remark"}[k]
}

// Line is one line of the log.
type Line struct {
	At   clock.Time
	Kind LineKind
	Text string
	// Decoration marks what the model has no figure for: pairs of byte offsets.
	Decoration []int
}

// Decoration is marked in what a command prints by these two, which no terminal
// shows: figures that the model does not have and that are constant.
const (
	DecorationOn  = "\x0e"
	DecorationOff = "\x0f"
)

// Decorate marks a text as decoration.
func Decorate(text string) string { return DecorationOn + text + DecorationOff }

// Plain is a text without the marks of decoration.
func Plain(text string) string {
	return strings.NewReplacer(DecorationOn, "", DecorationOff, "").Replace(text)
}

// Marked takes the marks of decoration out of a text that is shown and says where
// they were: pairs of byte offsets.
func Marked(text string) (string, []int) {
	text, at := marked(text)
	return Printable(text), at
}

// marked takes the marks out of a text and says where they were.
func marked(text string) (string, []int) {
	if !strings.ContainsAny(text, DecorationOn+DecorationOff) {
		return text, nil
	}
	var b strings.Builder
	var at []int
	for _, r := range text {
		switch {
		case r == 0x0e && len(at)%2 == 0, r == 0x0f && len(at)%2 == 1:
			at = append(at, b.Len())
		case r != 0x0e && r != 0x0f:
			b.WriteRune(r)
		}
	}
	if len(at)%2 == 1 {
		at = append(at, b.Len())
	}
	return b.String(), at
}

// keepLines is how many lines a log remembers.
const keepLines = 5000

// Log is what a console has shown. Lines are numbered from 0; the oldest are
// forgotten.
type Log struct {
	lines []Line
	first int // number of the oldest line
}

func (l *Log) add(x Line) {
	if len(l.lines) >= 2*keepLines {
		l.lines = append(l.lines[:0], l.lines[keepLines:]...)
		l.first += keepLines
	}
	x.Text, x.Decoration = marked(x.Text)
	x.Text = Printable(x.Text)
	l.lines = append(l.lines, x)
}

// Next is the number that the next line will have.
func (l *Log) Next() int { return l.first + len(l.lines) }

// From returns the lines from a number on, and the number of the first of them.
func (l *Log) From(n int) ([]Line, int) {
	n = min(max(n, l.first), l.Next())
	return l.lines[n-l.first:], n
}

// Printable replaces what is no text.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r == 0x7f || r == '\uFFFD' {
			return '?'
		}
		return r
	}, text)
}

// clear forgets what was shown.
func (l *Log) clear() {
	l.first = l.Next()
	l.lines = nil
}
