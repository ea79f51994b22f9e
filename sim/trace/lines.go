package trace

import (
	"bufio"
	"io"

	"strandscope/sim/jsonc"
	"strandscope/sim/sched"
)

// Lines writes a run as JSON Lines: each event is an object on a line of its own, with
// all that the digest is made of but for the figures of its reason, which is told as a
// sentence.
type Lines struct {
	w    *bufio.Writer
	tell Teller
	text []byte // of one line, used again and again
	err  error
}

// lineEvent is an event as a line.
type lineEvent struct {
	At     int64  `json:"t_ns"`
	Kind   string `json:"ev"`
	CPU    *int16 `json:"cpu,omitempty"`
	Thread *int32 `json:"thread,omitempty"`
	Other  *int32 `json:"other,omitempty"`
	Pri    *int16 `json:"pri,omitempty"`
	Cause  string `json:"cause,omitempty"`
	A      int64  `json:"a,omitempty"`
	Why    string `json:"why,omitempty"`
}

// NewLines begins a file of lines.
func NewLines(w io.Writer, tell Teller) *Lines { return &Lines{w: bufio.NewWriter(w), tell: tell} }

// Observe implements Observer.
func (l *Lines) Observe(e *Event) {
	if l.err != nil {
		return
	}
	j := lineEvent{At: int64(e.At), Kind: e.Kind.String(), Cause: e.Cause.String(), A: e.A, Why: l.tell.Explain(e.Why)}
	if e.CPU != sched.NoCPU {
		j.CPU = &e.CPU
	}
	if e.Thread != sched.None {
		id := int32(e.Thread)
		j.Thread, j.Pri = &id, &e.Pri
	}
	if e.Other != sched.None {
		id := int32(e.Other)
		j.Other = &id
	}
	l.text = append(jsonc.Append(l.text[:0], &j), '\n')
	_, l.err = l.w.Write(l.text)
}

// Close writes what is left.
func (l *Lines) Close() error {
	if l.err == nil {
		l.err = l.w.Flush()
	}
	return l.err
}
