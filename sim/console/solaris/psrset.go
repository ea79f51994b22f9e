package solaris

import (
	"errors"
	"fmt"
	"strconv"

	"strandscope/sim/console"
	"strandscope/sim/sched"
)

var psrset = console.Command{
	Name:     "psrset",
	Synopsis: "psrset -c CPU… | -a SET CPU… | -r CPU… | -d SET | -b SET PID… | -u PID…",
	Help:     "makes processor sets, moves CPUs into and out of them, and processes onto them",
	Run:      trying(runPsrset),
}

func runPsrset(e *console.Env, args []string) error {
	m := e.Machine
	f := flags("psrset")
	create := f.Bool("c", false, "")
	assign := f.Int("a", 0, "")
	remove := f.Bool("r", false, "")
	destroy := f.Int("d", 0, "")
	bind := f.Int("b", 0, "")
	unbind := f.Bool("u", false, "")
	if err := f.Parse(args); err != nil {
		return err
	}
	switch {
	case *create:
		set := freeSet(m)
		if err := assignAll(m, f.Args(), set); err != nil {
			return err
		}
		e.Printf("created processor set %d\n", set)
		return nil
	case *assign > 0:
		return assignAll(m, f.Args(), *assign)
	case *remove:
		return assignAll(m, f.Args(), 0)
	case *destroy > 0:
		return destroySet(m, *destroy)
	case *bind > 0:
		return each(m, "pid", f.Args(), func(t sched.ThreadID) error { return m.Join(t, *bind) })
	case *unbind:
		return each(m, "pid", f.Args(), func(t sched.ThreadID) error { return m.Join(t, 0) })
	}
	return errors.New("one of -c, -a, -r, -d, -b and -u is needed")
}

// freeSet is the lowest number that no processor set has.
func freeSet(m console.Machine) int {
	used := map[int]bool{}
	for c := range m.CPUs() {
		used[m.SetOf(c)] = true
	}
	set := 1
	for used[set] {
		set++
	}
	return set
}

func assignAll(m console.Machine, words []string, set int) error {
	cpus, err := numbers(words, m.CPUs())
	if err != nil {
		return err
	}
	for _, c := range cpus {
		if err := m.Assign(c, set); err != nil {
			return err
		}
	}
	return nil
}

// destroySet frees a set's processes and gives its CPUs back to the default set.
func destroySet(m console.Machine, set int) error {
	found := false
	for c := range m.CPUs() {
		found = found || m.SetOf(c) == set
	}
	if !found {
		return fmt.Errorf("processor set %d does not exist", set)
	}
	err := each(m, "psetid", []string{strconv.Itoa(set)}, func(t sched.ThreadID) error { return m.Join(t, 0) })
	if err != nil {
		return err
	}
	for c := range m.CPUs() {
		if m.SetOf(c) == set {
			if err := m.Assign(c, 0); err != nil {
				return err
			}
		}
	}
	return nil
}

var pbind = console.Command{
	Name:     "pbind",
	Synopsis: "pbind -b CPU PID… | -u PID…",
	Help:     "binds processes to one processor, or frees them",
	Run: trying(func(e *console.Env, args []string) error {
		m := e.Machine
		f := flags("pbind")
		bind := f.Int("b", sched.NoCPU, "")
		unbind := f.Bool("u", false, "")
		if err := f.Parse(args); err != nil {
			return err
		}
		if !*unbind && *bind < 0 {
			return errors.New("-b CPU or -u is needed")
		}
		if *unbind {
			*bind = sched.NoCPU
		}
		return each(m, "pid", f.Args(), func(t sched.ThreadID) error { return m.Bind(t, *bind) })
	}),
}

var psradm = console.Command{
	Name:     "psradm",
	Synopsis: "psradm -f CPU… | -n CPU…",
	Help:     "takes processors off-line (-f) or brings them back (-n)",
	Run: trying(func(e *console.Env, args []string) error {
		m := e.Machine
		f := flags("psradm")
		off := f.Bool("f", false, "")
		on := f.Bool("n", false, "")
		if err := f.Parse(args); err != nil {
			return err
		}
		if *off == *on {
			return errors.New("either -f or -n is needed")
		}
		cpus, err := numbers(f.Args(), m.CPUs())
		if err != nil {
			return err
		}
		for _, c := range cpus {
			if err := m.SetOnline(c, *on); err != nil {
				return err
			}
		}
		return nil
	}),
}

var prctl = console.Command{
	Name:     "prctl",
	Synopsis: "prctl -n project.cpu-shares -v SHARES [-r] -i project PROJECT",
	Help:     "changes a project's shares: a ratio, not CPUs and not a cap",
	Run: trying(func(e *console.Env, args []string) error {
		m := e.Machine
		f := flags("prctl")
		name := f.String("n", "", "")
		v := f.Int("v", -1, "")
		f.Bool("r", false, "")
		idtype := f.String("i", "", "")
		if err := f.Parse(args); err != nil {
			return err
		}
		if *name == "project.cpu-cap" || *name == "zone.cpu-cap" {
			return fmt.Errorf("%s: CPU caps are not modelled; shares divide the CPUs among those who want them and limit nobody who is alone", *name)
		}
		if *name != "project.cpu-shares" || *idtype != "project" || f.NArg() != 1 {
			return errors.New("want -n project.cpu-shares -v SHARES -i project PROJECT")
		}
		return m.SetShares(f.Arg(0), *v)
	}),
}
