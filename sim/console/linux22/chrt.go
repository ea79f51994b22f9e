package linux22

import (
	"fmt"
	"strconv"
	"strings"

	"strandscope/sim/console"
	"strandscope/sim/sched"
)

var chrt = console.Command{
	Name: "chrt", Synopsis: "chrt -f|-r PRIORITY COMMAND [ARG]…\nchrt -o [0] COMMAND [ARG]…\nchrt -f|-r|-o [PRIORITY] -p PID\nchrt -p PID",
	Help: "sets and shows the real-time class of processes",
	Man: `-f is SCHED_FIFO, -r SCHED_RR, both with a PRIORITY of 1 to 99, -o the ordinary
SCHED_OTHER. With -p it is a process that runs already; without a class its class
is shown.
A real-time task beats every ordinary one. In this kernel equal RR tasks do not
take turns: whoever runs is compared first and keeps its CPU until it sleeps. Four
of them that never do hold all of a box with four CPUs.
The box of 1999 had the system call, but no such command: this one came years
later.`,
	Options:  []string{"-f", "-r", "-o", "-p"},
	Complete: console.CompletePIDs,
	Start:    startChrt,
}

func startChrt(e *console.Env, args []string) (console.Tool, int) {
	usage := func() (console.Tool, int) {
		e.Usage("usage: chrt -f|-r PRIORITY COMMAND…", "       chrt -o [0] COMMAND…", "       chrt [-f|-r|-o] [PRIORITY] -p PID")
		return nil, 1
	}
	class, onProcess := "", false
	priority, given := 0, false
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		for _, o := range args[0][1:] {
			switch o {
			case 'f':
				class = "FIFO"
			case 'r':
				class = "RR"
			case 'o':
				class = "OTHER"
			case 'p':
				onProcess = true
			default:
				return usage()
			}
		}
		args = args[1:]
		if len(args) > 0 && !given && class != "" && (!onProcess || len(args) > 1) {
			if n, err := strconv.Atoi(args[0]); err == nil {
				priority, given, args = n, true, args[1:]
			}
		}
	}
	if len(args) == 0 || class == "" && !onProcess {
		return usage()
	}
	if class != "" && !allowed(class, priority) {
		return nil, e.Errorf("priority %d is out of range for SCHED_%s; want %s", priority, class, rangeOf(class))
	}
	if onProcess {
		if len(args) != 1 {
			return usage()
		}
		return nil, chrtProcess(e, class, priority, args[0])
	}
	a := e.Attr()
	a.Params = &sched.Params{Class: class, Priority: priority, Nice: own(e, 0)}
	return e.Exec(a, args)
}

func allowed(class string, priority int) bool {
	if class == "OTHER" {
		return priority == 0
	}
	return priority >= 1 && priority <= 99
}

func rangeOf(class string) string {
	if class == "OTHER" {
		return "0"
	}
	return "1 to 99"
}

func chrtProcess(e *console.Env, class string, priority int, pid string) int {
	found, err := e.Machine.Find("pid", []string{pid})
	if err != nil {
		return e.Errorf("failed to get pid %s's policy: No such process", console.Shorten(pid))
	}
	for _, t := range found {
		if class == "" {
			e.Println(fmt.Sprintf("pid %s's current scheduling policy: SCHED_%s", pid, e.Machine.Class(t)))
			e.Println(fmt.Sprintf("pid %s's current scheduling priority: %d", pid, value(e, t, "rt_priority")))
			continue
		}
		p := sched.Params{Class: class, Priority: priority, Nice: e.Machine.NiceOf(t)}
		if err := e.Machine.Change(t, p); err != nil {
			return e.Errorf("failed to set pid %s's policy: %s", pid, reason(err))
		}
	}
	return 0
}

// reason is an error without the name of the scheduler that it begins with.
func reason(err error) string {
	name, rest, ok := strings.Cut(err.Error(), ": ")
	if ok && strings.HasPrefix(name, "linux") {
		return rest
	}
	return err.Error()
}

// value is a figure of the policy's about a process.
func value(e *console.Env, t sched.ThreadID, name string) int64 {
	values := e.Machine.Values(t)
	for i, f := range e.Machine.Fields() {
		if f.Name == name {
			return values[i]
		}
	}
	return 0
}
