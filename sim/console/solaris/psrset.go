package solaris

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"strandscope/sim/console"
	"strandscope/sim/sched"
)

const psrsetUse = "psrset [-i] [SET…]\npsrset -c [CPU…]\npsrset -d SET…\npsrset -a SET CPU…\npsrset -r CPU…\n" +
	"psrset -p [CPU…]\npsrset -b SET PID…\npsrset -u PID…\npsrset -q [PID…]\npsrset -e SET COMMAND [ARGUMENT…]"

var psrset = console.Command{
	Name: "psrset", Synopsis: psrsetUse, Help: "makes processor sets and binds processes to them",
	Man: `A processor set is some CPUs that only the processes bound to it may use; they
use no others. Children are bound as their parents are. What belongs to no set is
the default set, which must keep a CPU. Sets do not survive a reboot.
-c makes a set of CPUs; -d removes sets and frees what is bound to them; -a puts
CPUs into a set, -r takes them out; -p tells each CPU's set; -b binds processes to
a set, -u frees them, -q tells who is bound; -e starts a command in a set. Without
an option, or with -i, the sets are listed. CPUs are numbers and ranges: 0 4-7.
Here a set always has a CPU: one that loses its last is gone.`,
	Options: []string{"-a", "-b", "-c", "-d", "-e", "-i", "-p", "-q", "-r", "-u"},
	Complete: func(e *console.Env, args []string) []string {
		switch args[0] {
		case "-c", "-r", "-p":
			return completeCPUs(e, args)
		case "-d", "-i":
			return completeSets(e, args)
		case "-u", "-q":
			return console.CompletePIDs(e, args)
		}
		switch {
		case len(args) == 2:
			return completeSets(e, args)
		case args[0] == "-a":
			return completeCPUs(e, args)
		}
		return console.CompletePIDs(e, args)
	},
	Start: startPsrset,
}

func startPsrset(e *console.Env, args []string) (console.Tool, int) {
	o, err := getopt(args, "abcdeipqrun:FM")
	if err == nil && (o.has('F') || o.has('M') || o.has('n')) {
		return nil, e.Errorf("-F, -M and -n are not modelled: interrupts go where they go, and nothing is moved by force")
	}
	what := byte('i')
	if err == nil && len(o.set) > 0 {
		what, err = o.one("abcdeipqru")
	}
	if err != nil {
		return nil, misused(e, err, psrsetUse)
	}
	needs := map[byte]int{'a': 2, 'b': 2, 'd': 1, 'e': 2, 'r': 1, 'u': 1}[what]
	if len(o.rest) < needs {
		return nil, misused(e, nil, psrsetUse)
	}
	if what == 'e' {
		set, err := aSet(e.Machine, o.rest[0])
		if err != nil {
			return nil, e.Errorf("%s", err)
		}
		a := e.Attr()
		a.Set, a.InSet = set, true
		return e.Exec(a, o.rest[1:])
	}
	run := map[byte]func(*console.Env, []string) int{
		'a': psrAssign, 'b': psrBind, 'c': psrCreate, 'd': psrDestroy, 'i': psrInfo, 'p': psrOfCPUs, 'q': psrOfProcesses,
		'r': psrRemove, 'u': psrUnbind,
	}[what]
	return nil, run(e, o.rest)
}

// aSet reads the number of a processor set that exists.
func aSet(m console.Machine, text string) (int, error) {
	if n, err := strconv.Atoi(text); err == nil && slices.Contains(setsOf(m), n) {
		return n, nil
	}
	return 0, fmt.Errorf("processor set %s does not exist", console.Shown(text))
}

// freeSet is the lowest number that no processor set has.
func freeSet(m console.Machine) int {
	set, used := 1, setsOf(m)
	for slices.Contains(used, set) {
		set++
	}
	return set
}

// setText is a set in the lines that tell of a change.
func setText(set int, none string) string {
	if set == 0 {
		return none
	}
	return strconv.Itoa(set)
}

func psrCreate(e *console.Env, args []string) int {
	if len(args) == 0 {
		return e.Errorf("a set without a processor is not modelled: name the processors that it is to have")
	}
	set := freeSet(e.Machine)
	cpus, err := numbers(args, e.Machine.CPUs())
	if err != nil {
		return e.Errorf("%s", err)
	}
	made := false
	bad := assign(e, cpus, set, func() {
		if !made {
			e.Printf("created processor set %d\n", set)
		}
		made = true
	})
	return bad
}

// assign moves CPUs into a set and tells of each; before is called as soon as one
// was moved.
func assign(e *console.Env, cpus []int, set int, before func()) int {
	bad := 0
	for _, c := range cpus {
		was := e.Machine.SetOf(c)
		if err := e.Machine.Assign(c, set); err != nil {
			bad = e.Errorf("processor %d: %s", c, reason(err))
			continue
		}
		before()
		e.Printf("processor %d: was %s, now %s\n", c, setText(was, "not assigned"), setText(set, "not assigned"))
	}
	return bad
}

func psrAssign(e *console.Env, args []string) int {
	set, err := aSet(e.Machine, args[0])
	if err != nil {
		return e.Errorf("%s", err)
	}
	return assignAll(e, args[1:], set)
}

func psrRemove(e *console.Env, args []string) int { return assignAll(e, args, 0) }

func assignAll(e *console.Env, words []string, set int) int {
	cpus, err := numbers(words, e.Machine.CPUs())
	if err != nil {
		return e.Errorf("%s", err)
	}
	return assign(e, cpus, set, func() {})
}

// psrDestroy frees sets' processes and gives their CPUs back to the default set.
func psrDestroy(e *console.Env, args []string) int {
	bad := 0
	for _, a := range args {
		if err := destroySet(e.Machine, a); err != nil {
			bad = e.Errorf("%s", err)
			continue
		}
		e.Printf("removed processor set %s\n", a)
	}
	return bad
}

func destroySet(m console.Machine, text string) error {
	set, err := aSet(m, text)
	if err != nil {
		return err
	}
	for _, c := range cpusOf(m, set) {
		if bound := boundTo(m, c); bound != 0 {
			return fmt.Errorf("processor set %d: process id %d is bound to its processor %d", set, bound, c)
		}
	}
	if err := each(m, "psetid", []string{text}, func(t sched.ThreadID) error { return m.Join(t, 0) }); err != nil {
		return reason(err)
	}
	for _, c := range cpusOf(m, set) {
		if err := m.Assign(c, 0); err != nil {
			return reason(err)
		}
	}
	return nil
}

// boundTo is a process that is bound to a CPU; 0 if none is.
func boundTo(m console.Machine, cpu int) int32 {
	for _, p := range m.Processes() {
		if p.Bound == cpu && p.State != sched.Gone {
			return p.PID
		}
	}
	return 0
}

func psrInfo(e *console.Env, args []string) int {
	sets := setsOf(e.Machine)
	bad := 0
	if len(args) > 0 {
		sets = nil
		for _, a := range args {
			set, err := aSet(e.Machine, a)
			if err != nil {
				bad = e.Errorf("%s", err)
				continue
			}
			sets = append(sets, set)
		}
	}
	for _, set := range sets {
		var ids []string
		for _, c := range cpusOf(e.Machine, set) {
			ids = append(ids, strconv.Itoa(c))
		}
		plural := "s"
		if len(ids) == 1 {
			plural = ""
		}
		e.Printf("user processor set %d: processor%s %s\n", set, plural, strings.Join(ids, " "))
	}
	return bad
}

func psrOfCPUs(e *console.Env, args []string) int {
	all := len(args) == 0
	if all {
		args = []string{"0-" + strconv.Itoa(e.Machine.CPUs()-1)}
	}
	cpus, err := numbers(args, e.Machine.CPUs())
	if err != nil {
		return e.Errorf("%s", err)
	}
	for _, c := range cpus {
		if set := e.Machine.SetOf(c); set != 0 || !all {
			e.Printf("processor %d: %s\n", c, setText(set, "not assigned"))
		}
	}
	return 0
}

func psrBind(e *console.Env, args []string) int {
	set, err := aSet(e.Machine, args[0])
	if err != nil {
		return e.Errorf("%s", err)
	}
	return bindAll(e, args[1:], func(p console.Process) (string, string, error) {
		return setText(p.Set, "not bound"), strconv.Itoa(set), e.Machine.Join(p.ID, set)
	})
}

func psrUnbind(e *console.Env, args []string) int {
	return bindAll(e, args, func(p console.Process) (string, string, error) {
		return setText(p.Set, "not bound"), "not bound", e.Machine.Join(p.ID, 0)
	})
}

// bindAll changes what processes are bound to and tells of each.
func bindAll(e *console.Env, pids []string, change func(p console.Process) (was, now string, err error)) int {
	return eachPID(e, pids, func(pid string, p console.Process) error {
		was, now, err := change(p)
		if err == nil {
			e.Printf("process id %s: was %s, now %s\n", pid, was, now)
		}
		return err
	})
}

// eachPID does something with each of some processes and complains of those that
// there are not, or with which it could not be done.
func eachPID(e *console.Env, pids []string, do func(pid string, p console.Process) error) int {
	bad := 0
	for _, pid := range pids {
		found, err := e.Machine.Find("pid", []string{pid})
		if err != nil {
			bad = e.Errorf("process id %s: No such process", console.Shown(pid))
			continue
		}
		for _, t := range found {
			if err := do(pid, e.Machine.Process(t)); err != nil {
				bad = e.Errorf("process id %s: %s", pid, reason(err))
			}
		}
	}
	return bad
}

func psrOfProcesses(e *console.Env, args []string) int {
	return tellBound(e, args, func(p console.Process) string { return setText(p.Set, "") })
}

// tellBound tells what processes are bound to; without ids, of those that are.
func tellBound(e *console.Env, pids []string, to func(p console.Process) string) int {
	if len(pids) == 0 {
		for _, p := range e.Machine.Processes() {
			if text := to(p); text != "" && p.State != sched.Gone {
				e.Printf("process id %d: %s\n", p.PID, text)
			}
		}
		return 0
	}
	return eachPID(e, pids, func(pid string, p console.Process) error {
		e.Printf("process id %s: %s\n", pid, cmp.Or(to(p), "not bound"))
		return nil
	})
}

var errNoForce = errors.New("-F is not modelled: nothing is unbound by force; free what is bound with pbind -u first")
