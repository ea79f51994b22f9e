package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/scenario"
)

// Limits of a headless run.
const (
	defaultFor = 10 * clock.Second
	maxFor     = 366 * 24 * clock.Hour
)

func runCommand() *cli.Command {
	return &cli.Command{
		Name:      "run",
		Usage:     "run a scenario without graphics",
		ArgsUsage: "SCENARIO",
		Description: "SCENARIO is a built-in id (see list), a file, or - for standard input.\n" +
			"FORMAT is one of " + formatNames(formats) + "; N is an interval in seconds, as in vmstat:3.",
		Flags: []cli.Flag{
			&cli.DurationFlag{Name: "for", Usage: "simulated `TIME` to run, such as 30s or 1h (default: what the scenario says, or 10s)"},
			&cli.StringSliceFlag{Name: "set", Usage: "change a setting, as in class=FSS, explanation=kernel, seed=7; do@5s=\"psradm -f 3\" types a line at that time"},
			&cli.StringFlag{Name: "o", Value: "summary", Usage: "output `FORMAT`"},
		},
		Action: run,
	}
}

func run(_ context.Context, c *cli.Command) error {
	name, err := oneScenario(c)
	if err != nil {
		return err
	}
	form, arg, err := findFormat(c.String("o"), formats, "")
	if err != nil {
		return err
	}
	s, err := openScenario(name, c.StringSlice("set"))
	if err != nil {
		return err
	}
	if err := form.fits(s); err != nil {
		return err
	}
	span, err := runSpan(s, c, "for")
	if err != nil {
		return err
	}
	if err := form.run(c.Root().Writer, s, span, arg); err != nil {
		return failure{err}
	}
	if err := cmp.Or(s.Finish(), s.Failed()); err != nil {
		return failure{err}
	}
	return nil
}

// oneScenario is the only argument of a command that takes one.
func oneScenario(c *cli.Command) (string, error) {
	if n := c.Args().Len(); n != 1 {
		return "", fmt.Errorf("%s needs one SCENARIO, got %d; see strandsim list", c.Name, n)
	}
	return c.Args().First(), nil
}

// runSpan is how long to run: what a flag says, else the scenario, else ten seconds.
func runSpan(s *sim.Session, c *cli.Command, flag string) (clock.Duration, error) {
	span := cmp.Or(s.Duration(), defaultFor)
	if c.IsSet(flag) {
		span = clock.Duration(c.Duration(flag))
	}
	if span < 0 || span > maxFor {
		return 0, fmt.Errorf("-%s %v, want 0s to %dh", flag, time.Duration(span), maxFor/clock.Hour)
	}
	return span, nil
}

// openScenario opens a built-in scenario, a file, or standard input.
func openScenario(name string, sets []string) (*sim.Session, error) {
	var settings []sim.Setting
	for _, kv := range sets {
		k, v, ok := strings.Cut(kv, "=")
		if !ok {
			return nil, fmt.Errorf("-set %q, want key=value", kv)
		}
		settings = append(settings, sim.Setting{Key: k, Value: v})
	}
	if name != "-" && !strings.ContainsAny(name, "./\\") {
		return sim.Open(name, settings...)
	}
	text, err := readDocument(name)
	if err != nil {
		return nil, err
	}
	return sim.OpenDocument(filepath.Base(name), text, settings...)
}

func readDocument(name string) ([]byte, error) {
	in := io.Reader(os.Stdin)
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			var pe *os.PathError
			if errors.As(err, &pe) {
				return nil, fmt.Errorf("%s: %w", name, pe.Err)
			}
			return nil, err
		}
		defer f.Close()
		in = f
	}
	// One byte more than the limit, so that the reader can tell.
	return io.ReadAll(io.LimitReader(in, scenario.MaxBytes+1))
}

// interval reads the argument of a format such as vmstat:3.
func interval(arg string, def int) (int, error) {
	if arg == "" {
		return def, nil
	}
	n, err := strconv.Atoi(arg)
	if err != nil || n < 1 || n > 86_400 {
		return 0, fmt.Errorf("interval %q, want 1 to 86400 seconds", arg)
	}
	return n, nil
}
