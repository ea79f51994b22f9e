package main

import (
	"bufio"
	"encoding/json"
	"io"
	"strings"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// jsonEvent is an event as a JSON line.
type jsonEvent struct {
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

type eventWriter struct {
	s   *sim.Session
	enc *json.Encoder
	err error
}

// Observe implements trace.Observer.
func (w *eventWriter) Observe(e *trace.Event) {
	if w.err != nil {
		return
	}
	j := jsonEvent{At: int64(e.At), Kind: e.Kind.String(), Cause: e.Cause.String(), A: e.A}
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
	j.Why = w.s.Explain(e.Why)
	w.err = w.enc.Encode(j)
}

// writeEvents writes every event as a JSON line, from the first on.
func writeEvents(w io.Writer, s *sim.Session, span clock.Duration, _ int) error {
	b := bufio.NewWriter(w)
	ew := &eventWriter{s: s, enc: json.NewEncoder(b)}
	ew.enc.SetEscapeHTML(false)
	if err := s.ResetWith(ew); err != nil {
		return err
	}
	err := s.Advance(span)
	if err == nil {
		err = ew.err
	}
	if err == nil {
		err = b.Flush()
	}
	return err
}

// writePerfetto writes Chrome trace JSON, from the first event on.
func writePerfetto(w io.Writer, s *sim.Session, span clock.Duration, _ int) error {
	f := s.Frame()
	p := trace.NewPerfetto(w, s.Teller(), f.Scenario.MachineTitle, len(f.CPUs))
	if err := s.ResetWith(p); err != nil {
		return err
	}
	err := s.Advance(span)
	// What was recorded is whole even where the run was stopped.
	if cerr := p.Close(s.Now()); err == nil {
		err = cerr
	}
	return err
}

// writeFtrace writes the text of a Linux trace file, from the first event on.
func writeFtrace(w io.Writer, s *sim.Session, span clock.Duration, _ int) error {
	frame := s.Frame()
	prio := trace.SolarisPrio
	if strings.HasPrefix(frame.Scenario.Kernel, "linux") {
		prio = trace.LinuxPrio
	}
	f := trace.NewFtrace(w, s.Teller(), prio, len(frame.CPUs))
	if err := s.ResetWith(f); err != nil {
		return err
	}
	err := s.Advance(span)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}
