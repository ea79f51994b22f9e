package console

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/workload"
)

// The command run is none of a kernel: it is ours, so that tasks can be added while a
// run goes on. What it does is in the log like any other line.

const runUse = "run [-n COUNT] [-t NAME] [-c CLASS] [-i NICE] [-j PROJECT] [-s SET] [-b CPU] 'PROGRAM'"

var runCommand = Command{
	Name: "run", Synopsis: runUse, Help: "starts tasks that spin, or run and sleep in turn (a command of this simulator)",
	Man: `PROGRAM is spin, or steps that are repeated for ever: run TIME, sleep TIME and
yield, with a semicolon between them. TIME is a number with s, ms, us or ns.
    run -n 3 spin
    run -t editor -i -5 'run 5ms; sleep 20ms'
    run -t ping 'run 100us; sleep 990ms'
-n how many, 1 to 1000   -t their name   -c scheduling class   -i nice value added
-j project, by name or number   -s processor set   -b the only CPU they may use
Either all of them are started or, with a message, none.`,
	Options: []string{"-n COUNT", "-t NAME", "-c CLASS", "-i NICE", "-j PROJECT", "-s SET", "-b CPU"},
	Run:     runRun,
}

// Limits of run.
const (
	mostStarted   = 1000
	mostProcesses = 100_000 // of a machine in all its time
)

// toStart is what run is asked to start.
type toStart struct {
	count int
	name  string
	bound int
	prog  *workload.Program
	attr  Attr
}

func runRun(e *Env, args []string) int {
	w, err := readRun(e, args)
	if err != nil {
		return e.Errorf("%s", err)
	}
	if len(args) == 0 || w.prog == nil {
		return e.Usage("usage: " + runUse)
	}
	e.x.attr = w.attr
	var begun []sched.ThreadID
	for range w.count {
		tool, status := e.Spawn(w.name, w.prog)
		if tool == nil {
			return e.takeBack(begun, status)
		}
		t, _ := Thread(tool)
		begun = append(begun, t)
		if w.bound == sched.NoCPU {
			continue
		}
		if err := e.Machine.Bind(t, w.bound); err != nil {
			return e.takeBack(begun, e.Errorf("%s", err))
		}
	}
	first := e.Machine.Process(begun[0]).PID
	if w.count == 1 {
		e.Printf("%s %d started\n", w.name, first)
	} else {
		e.Printf("%s %d to %d started\n", w.name, first, e.Machine.Process(begun[len(begun)-1]).PID)
	}
	return 0
}

// takeBack ends the tasks that were started before one could not be.
func (e *Env) takeBack(begun []sched.ThreadID, status int) int {
	for _, t := range begun {
		_ = e.Machine.Kill(t)
	}
	return status
}

func readRun(e *Env, args []string) (toStart, error) {
	w := toStart{count: 1, bound: sched.NoCPU, attr: e.Attr()}
	for len(args) > 1 && len(args[0]) == 2 && args[0][0] == '-' {
		if err := w.option(e.Machine, args[0][1], args[1]); err != nil {
			return w, err
		}
		args = args[2:]
	}
	switch {
	case len(args) == 0:
		return w, nil
	case len(args) > 1:
		return w, fmt.Errorf("%q is one word too many; put the program between quotes", Shorten(args[1]))
	case strings.HasPrefix(args[0], "-"):
		return w, fmt.Errorf("option %q needs a value and a program behind it", Shorten(args[0]))
	}
	prog, spins, err := ReadProgram(args[0])
	if err != nil {
		return w, err
	}
	w.prog = prog
	if w.name == "" {
		w.name = map[bool]string{true: "spinner", false: "sleeper"}[spins]
	}
	if p := e.Machine.LastPID(); int(p)+w.count > mostProcesses {
		return w, fmt.Errorf("the machine takes process ids up to %d, and %d is in use", mostProcesses, p)
	}
	return w, nil
}

func (w *toStart) option(m Machine, letter byte, value string) error {
	number := func(what string, low, high int) (int, error) {
		n, err := strconv.Atoi(value)
		if err != nil || n < low || n > high {
			return 0, fmt.Errorf("%s %q, want %d to %d", what, Shorten(value), low, high)
		}
		return n, nil
	}
	var err error
	switch letter {
	case 'n':
		w.count, err = number("-n", 1, mostStarted)
	case 't':
		if w.name = value; value == "" || len(value) > 32 || strings.ContainsAny(value, " /\t\n'\"") || Printable(value) != value {
			err = fmt.Errorf("-t %q, want a name of at most 32 letters without blanks", Shorten(value))
		}
	case 'c':
		if err = m.CheckClass(value); err == nil {
			w.attr.Params = &sched.Params{Class: value}
		}
	case 'i':
		var n int
		n, err = number("-i", -40, 40)
		w.attr.Nice += n
	case 'j':
		w.attr.Project = value
	case 's':
		w.attr.Set, err = number("-s", 0, 1<<20)
		w.attr.InSet = true
	case 'b':
		w.bound, err = number("-b", 0, m.CPUs()-1)
	default:
		err = fmt.Errorf("option -%c is not known; usage: %s", letter, runUse)
	}
	return err
}

// ReadProgram reads the text form of a simple program: spin, or steps that are
// repeated for ever. spins says that it never sleeps.
func ReadProgram(text string) (prog *workload.Program, spins bool, err error) {
	if strings.TrimSpace(text) == "spin" {
		return workload.Forever, true, nil
	}
	var steps []workload.Instr
	spins = true
	for _, part := range strings.Split(text, ";") {
		step, err := readStep(part)
		if err != nil {
			return nil, false, err
		}
		spins = spins && step.Op != workload.Sleep
		steps = append(steps, step)
	}
	b := &workload.Builder{}
	b.Repeat(-1, func() {
		for _, s := range steps {
			b.Do(s)
		}
	})
	prog, err = b.Program()
	return prog, spins, err
}

func readStep(text string) (workload.Instr, error) {
	want := errors.New("want spin, or steps such as 'run 5ms; sleep 20ms'")
	f := strings.Fields(text)
	switch {
	case len(f) == 1 && f[0] == "yield":
		return workload.Instr{Op: workload.Yield}, nil
	case len(f) == 2 && (f[0] == "run" || f[0] == "sleep"):
		d, ok := span(f[1])
		if !ok {
			return workload.Instr{}, fmt.Errorf("%s %q, want a time of 1us to 1h with s, ms, us or ns, such as 5ms", f[0], Shorten(f[1]))
		}
		op := workload.Run
		if f[0] == "sleep" {
			op = workload.Sleep
		}
		return workload.Instr{Op: op, D: d}, nil
	}
	return workload.Instr{}, fmt.Errorf("step %q is not known: %w", Shorten(strings.TrimSpace(text)), want)
}

// span reads a time such as 5ms or 0.5s, from 1 µs to 1 h.
func span(text string) (clock.Duration, bool) {
	for _, u := range []struct {
		name string
		d    clock.Duration
	}{{"ms", clock.Millisecond}, {"us", clock.Microsecond}, {"ns", clock.Nanosecond}, {"s", clock.Second}} {
		number, found := strings.CutSuffix(text, u.name)
		if !found {
			continue
		}
		whole, part, dot := strings.Cut(number, ".")
		if whole == "" || dot && part == "" || len(whole) > 12 || len(part) > 9 || strings.Trim(whole+part, "0123456789") != "" {
			return 0, false
		}
		n, _ := strconv.ParseInt(whole, 10, 64)
		if n > int64(clock.Hour/u.d) {
			return 0, false
		}
		d := clock.Duration(n) * u.d
		one := u.d
		for _, digit := range part {
			one /= 10
			d += one * clock.Duration(digit-'0')
		}
		return d, d >= clock.Microsecond && d <= clock.Hour
	}
	return 0, false
}
