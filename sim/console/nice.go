package console

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"strandscope/sim/sched"
)

var nice = Command{
	Name:     "nice",
	Synopsis: "nice -n INCREMENT -p PID…",
	Help:     "adds to the nice value of running processes",
	Run: func(m Machine, _ io.Writer, args []string) error {
		f := flags("nice")
		n := f.Int("n", 10, "")
		ofPIDs := f.Bool("p", false, "")
		if err := f.Parse(args); err != nil {
			return err
		}
		if !*ofPIDs {
			return errors.New("starting a command is not supported here; use -p with process ids")
		}
		return each(m, "pid", f.Args(), func(t sched.ThreadID) error { _, err := m.Nice(t, *n); return err })
	},
}

var renice = Command{
	Name:     "renice",
	Synopsis: "renice [-n INCREMENT | VALUE] [-p] PID…",
	Help:     "changes nice values: by an increment with -n, else to a value",
	Run: func(m Machine, _ io.Writer, args []string) error {
		f := flags("renice")
		incr := f.String("n", "", "")
		f.Bool("p", true, "")
		if len(args) > 0 {
			// A bare value comes first and may be negative, which looks like a flag.
			if v, err := strconv.Atoi(args[0]); err == nil {
				return reniceTo(m, v, args[1:])
			}
		}
		if err := f.Parse(args); err != nil {
			return err
		}
		n, err := strconv.Atoi(*incr)
		if err != nil {
			return fmt.Errorf("-n %q, want a number from -39 to 39", *incr)
		}
		return each(m, "pid", f.Args(), func(t sched.ThreadID) error { _, err := m.Nice(t, n); return err })
	},
}

func reniceTo(m Machine, v int, pids []string) error {
	if v < -20 || v > 19 {
		return fmt.Errorf("nice value %d, want -20 to 19", v)
	}
	if len(pids) > 0 && pids[0] == "-p" {
		pids = pids[1:]
	}
	return each(m, "pid", pids, func(t sched.ThreadID) error {
		_, err := m.Nice(t, v-m.NiceOf(t))
		return err
	})
}

var kill = Command{
	Name:     "kill",
	Synopsis: "kill [-9] PID…",
	Help:     "ends processes: a sleeper is woken to exit, a waiter exits when it gets a strand",
	Run: func(m Machine, _ io.Writer, args []string) error {
		f := flags("kill")
		f.Bool("9", false, "")
		if err := f.Parse(args); err != nil {
			return err
		}
		return each(m, "pid", f.Args(), m.Kill)
	},
}
