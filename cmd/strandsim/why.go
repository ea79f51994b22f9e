package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v3"

	"strandscope/sim"
)

func whyCommand() *cli.Command {
	return &cli.Command{
		Name:      "why",
		Usage:     "tell why a strand runs what it runs, or why a task waits",
		ArgsUsage: "SCENARIO",
		Description: "Runs SCENARIO, as run does, up to a time, and asks about a strand or a process:\n" +
			"the rule, whom it compared with what figures, and who ran while the task waited.",
		Flags: []cli.Flag{
			&cli.DurationFlag{Name: "at", Usage: "simulated `TIME` to ask at, such as 12.5s (default: the scenario's duration, or 10s)"},
			&cli.IntFlag{Name: "cpu", Usage: "ask about this `STRAND`"},
			&cli.IntFlag{Name: "task", Usage: "ask about the process of this `PID`"},
			&cli.StringSliceFlag{Name: "set", Usage: "change a setting, as in run"},
		},
		Action: why,
	}
}

func why(_ context.Context, c *cli.Command) error {
	name, err := oneScenario(c)
	if err != nil {
		return err
	}
	if c.IsSet("cpu") == c.IsSet("task") {
		return errors.New("why needs either -cpu STRAND or -task PID")
	}
	s, err := openScenario(name, c.StringSlice("set"))
	if err != nil {
		return err
	}
	at, err := runSpan(s, c, "at")
	if err != nil {
		return err
	}
	if err := s.Advance(at); err != nil {
		return failure{err}
	}
	if c.IsSet("cpu") {
		cpu, n := c.Int("cpu"), len(s.Frame().CPUs)
		if cpu < 0 || cpu >= n {
			return fmt.Errorf("-cpu %d, want 0 to %d", cpu, n-1)
		}
		return printAnswer(c.Root().Writer, s.WhyStrand(cpu))
	}
	f := s.Frame()
	for i := range f.Threads {
		if t := &f.Threads[i]; !t.Kernel && int(t.PID) == c.Int("task") {
			return printAnswer(c.Root().Writer, s.WhyThread(i))
		}
	}
	return fmt.Errorf("-task %d: there is no such process at %v", c.Int("task"), f.Now)
}

// printAnswer writes an answer as text.
func printAnswer(w io.Writer, a sim.Answer) error {
	for _, line := range a.Text() {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return failure{err}
		}
	}
	return nil
}
