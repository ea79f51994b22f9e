package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/console"
)

func shCommand() *cli.Command {
	return &cli.Command{
		Name:      "sh",
		Usage:     "type commands at a simulated machine",
		ArgsUsage: "SCENARIO",
		Description: "Lines come from standard input, what they print goes to standard output and error.\n" +
			"Simulated time passes while a command waits, and -typing of it before each further\n" +
			"line; from a file or a pipe as fast as it can, at a terminal at -pace. The exit status is that of the last command.",
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "set", Usage: "change a setting, as in class=FSS"},
			&cli.StringFlag{Name: "c", Usage: "run this `LINE` instead of standard input"},
			&cli.DurationFlag{Name: "limit", Value: 24 * time.Hour, Usage: "simulated `TIME` after which a command in front is interrupted"},
			&cli.FloatFlag{Name: "pace", Value: 1, Usage: "at a terminal: simulated seconds in a real one; 0: as fast as it can"},
			&cli.DurationFlag{Name: "typing", Value: 5 * time.Second, Usage: "simulated `TIME` that passes before each line but the first, while somebody types it"},
			&cli.BoolFlag{Name: "echo", Usage: "print each line behind a prompt, as a terminal shows it"},
		},
		Action: runShell,
	}
}

// status is the exit status of the simulated shell.
type status int

func (s status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

func runShell(_ context.Context, c *cli.Command) error {
	name, err := oneScenario(c)
	if err != nil {
		return err
	}
	limit := clock.Duration(c.Duration("limit"))
	if limit <= 0 || limit > maxFor {
		return fmt.Errorf("-limit %v, want more than 0s and at most %dh", time.Duration(limit), maxFor/clock.Hour)
	}
	typing := clock.Duration(c.Duration("typing"))
	if typing < 0 || typing > clock.Hour {
		return fmt.Errorf("-typing %v, want 0s to 1h", time.Duration(typing))
	}
	pace := c.Float("pace")
	if pace < 0 || pace > 1e6 {
		return fmt.Errorf("-pace %v, want 0 to 1000000", pace)
	}
	s, err := openScenario(name, c.StringSlice("set"))
	if err != nil {
		return err
	}
	sh := &shell{s: s, typing: typing, out: c.Root().Writer, err: c.Root().ErrWriter, limit: limit, echo: c.Bool("echo")}
	in := c.Root().Reader
	if c.IsSet("c") {
		in = strings.NewReader(c.String("c"))
	}
	if ran, err := onTerminal(sh, in, pace); ran {
		return wrapped(err)
	}
	s.Console().Notices = sh.echo
	return sh.run(in)
}

func wrapped(err error) error {
	if err != nil {
		return failure{err}
	}
	return nil
}

// shell feeds a console and prints its log.
type shell struct {
	s        *sim.Session
	out, err io.Writer
	limit    clock.Duration
	echo     bool
	typing   clock.Duration
	typed    bool // a line was typed before
	shown    int
}

func (sh *shell) run(in io.Reader) error {
	lines := bufio.NewReader(in)
	for !sh.s.Console().Exited() {
		line, more, err := readLine(lines)
		if err != nil {
			return failure{err}
		}
		if !more {
			break
		}
		if sh.typed {
			if err := sh.s.Advance(sh.typing); err != nil {
				return failure{err}
			}
		}
		sh.typed = sh.typed || strings.TrimSpace(line) != ""
		sh.s.Type(line)
		if err := sh.settle(); err != nil {
			return failure{err}
		}
	}
	if err := sh.leave(); err != nil {
		return failure{err}
	}
	if err := sh.s.Finish(); err != nil {
		return failure{err}
	}
	if n := sh.s.Console().Status(); n != 0 {
		return status(n)
	}
	return nil
}

// leave ends what is still in front when no more input comes: a program that fills
// the screen has time to show it, and a command that was cut off is told so.
func (sh *shell) leave() error {
	con := sh.s.Console()
	if con.Screen() != nil {
		if err := sh.s.Advance(max(sh.typing, clock.Second)); err != nil {
			return err
		}
		sh.s.Interrupt()
	}
	con.End()
	sh.drain()
	return nil
}

// longest is how much of a line is read; the rest is skipped. It is more than a
// console accepts, which then says so.
const longest = console.MaxLine + 1

func readLine(r *bufio.Reader) (line string, more bool, err error) {
	var b strings.Builder
	for {
		part, err := r.ReadSlice('\n')
		b.Write(part[:min(len(part), longest-min(b.Len(), longest))])
		more = more || len(part) > 0
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err == nil, errors.Is(err, io.EOF):
			return strings.TrimRight(b.String(), "\r\n"), more, nil
		default:
			return "", false, err
		}
	}
}

// settle lets time pass until the prompt is shown again.
func (sh *shell) settle() error {
	con := sh.s.Console()
	end := sh.s.Now().Add(sh.limit)
	for {
		sh.drain()
		if !con.Busy() || con.Screen() != nil {
			return nil
		}
		if sh.s.Now() >= end {
			fmt.Fprintf(sh.err, "strandsim: the command has taken %v of simulated time and is interrupted; -limit allows more\n", time.Duration(sh.limit))
			sh.s.Interrupt()
			sh.drain()
			return nil
		}
		if err := sh.s.AdvanceToNext(end); err != nil {
			return err
		}
	}
}

// drain prints what the log has that was not printed yet.
func (sh *shell) drain() {
	lines, from := sh.s.Console().Log().From(sh.shown)
	for _, l := range lines {
		switch {
		case l.Kind == console.Failure:
			fmt.Fprintln(sh.err, l.Text)
		case l.Kind == console.Input && !sh.echo:
		case l.Kind == console.Remark:
			if sh.echo {
				fmt.Fprintln(sh.out, "-- "+l.Text)
			}
		default:
			fmt.Fprintln(sh.out, l.Text)
		}
	}
	sh.shown = from + len(lines)
}
