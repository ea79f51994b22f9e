package solaris

import (
	"errors"
	"fmt"
	"strconv"

	"strandscope/sim/console"
	"strandscope/sim/sched"
)

var priocntl = console.Command{
	Name:     "priocntl",
	Synopsis: "priocntl -s [-c CLASS] [-p PRI] [-m LIMIT] [-t QUANTUM [-r RES]] [-i IDTYPE] [ID…]",
	Help:     "sets class and class parameters of processes; IDTYPE is pid, class, projid or all",
	Run:      trying(runPriocntl),
}

// hz is the clock rate in which quanta are kept.
const hz = 100

func runPriocntl(e *console.Env, args []string) error {
	m := e.Machine
	f := flags("priocntl")
	set := f.Bool("s", false, "")
	class := f.String("c", "", "")
	pri := f.String("p", "", "")
	limit := f.String("m", "", "")
	quantum := f.String("t", "", "")
	res := f.Int("r", 1000, "")
	boost := f.String("f", "", "")
	idtype := f.String("i", "pid", "")
	if err := f.Parse(args); err != nil {
		return err
	}
	if !*set {
		return errors.New("only -s, setting parameters, is supported here")
	}
	p := sched.Params{Class: *class, Keep: true}
	var err error
	given := func(text string, into *int) {
		if text != "" && err == nil {
			*into, err = strconv.Atoi(text)
		}
	}
	given(*pri, &p.Priority)
	p.Limit = p.Priority
	given(*limit, &p.Limit)
	if err != nil {
		return err
	}
	if *quantum != "" {
		if p.Quantum, err = ticks(*quantum, *res); err != nil {
			return err
		}
	}
	switch *boost {
	case "":
	case "on":
		p.Boost = 10
	case "off":
		p.Boost = -10
	default:
		return fmt.Errorf("-f %q, want on or off", *boost)
	}
	return each(m, *idtype, f.Args(), func(t sched.ThreadID) error { return m.Change(t, p) })
}

// ticks turns a quantum in units of 1/res second into clock ticks, rounded up.
func ticks(text string, res int) (int, error) {
	if text == "INFINITE" {
		return -2, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || res < 1 || res > 1_000_000_000 || n > 1<<30 {
		return 0, fmt.Errorf("quantum %q of 1/%d s, want a positive number or INFINITE", text, res)
	}
	return int((int64(n)*hz + int64(res) - 1) / int64(res)), nil
}
