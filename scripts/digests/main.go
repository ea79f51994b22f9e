// Digests prints the digest of every built-in scenario after some simulated seconds, 5
// unless its argument says otherwise. Built for another processor it must print the same.
package main

import (
	"fmt"
	"io"
	"os"
	"strconv"

	"strandscope/sim"
	"strandscope/sim/clock"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "digests:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	seconds := 5
	if len(args) > 0 {
		n, err := strconv.Atoi(args[0])
		if err != nil || n < 0 || n > 1000 {
			return fmt.Errorf("%q, want seconds from 0 to 1000", args[0])
		}
		seconds = n
	}
	return list(os.Stdout, clock.Time(seconds)*clock.Time(clock.Second), func(s *sim.Session, end clock.Time) error { return s.AdvanceTo(end) })
}

// list runs each scenario to a time in a given way.
func list(w io.Writer, end clock.Time, to func(s *sim.Session, end clock.Time) error) error {
	for _, i := range sim.Library() {
		s, err := sim.Open(i.ID)
		if err == nil {
			err = to(s, end)
		}
		if err == nil {
			err = s.Finish()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", i.ID, err)
		}
		fmt.Fprintf(w, "%s %v %d events %016x\n", i.ID, s.Now(), s.Frame().Events, s.Digest())
	}
	return nil
}
