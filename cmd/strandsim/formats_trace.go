package main

import (
	"io"

	"strandscope/cmd/internal/tracefile"
	"strandscope/sim"
	"strandscope/sim/clock"
)

// writeTrace writes every event, from the first on.
func writeTrace(f tracefile.Format) func(io.Writer, *sim.Session, clock.Duration, int) error {
	return func(w io.Writer, s *sim.Session, span clock.Duration, _ int) error {
		return f.Write(w, s, clock.Time(span), nil)
	}
}
