package linux22

import (
	"fmt"
	"strconv"
	"strings"

	"strandscope/sim/console"
)

var nice = console.Command{
	Name: "nice", Synopsis: "nice [-n ADJUSTMENT | -ADJUSTMENT] [COMMAND [ARG]…]", Help: "starts a command with another nice value, 10 more if not told",
	Man: `The nice value goes from -20, which gets most, to 19; 20 is 19. A process inherits
it. In this kernel it sets how many ticks a recalculation adds: 20 less the nice
value, at least 1. Without a command nice prints its own value.`,
	Options: []string{"-n ADJUSTMENT", "--adjustment"},
	Start:   startNice,
}

func startNice(e *console.Env, args []string) (console.Tool, int) {
	incr, given := 10, false
	if len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		text, long := strings.CutPrefix(args[0], "--adjustment=")
		if !long {
			text = strings.TrimPrefix(args[0][1:], "n")
		}
		args = args[1:]
		if text == "" && len(args) > 0 {
			text, args = args[0], args[1:]
		}
		n, err := strconv.Atoi(text)
		if err != nil {
			return nil, e.Errorf("invalid priority `%s'", console.Shorten(text))
		}
		incr, given = max(-40, min(40, n)), true
	}
	a := e.Attr()
	if len(args) == 0 {
		if given {
			e.Errorf("a command must be given with an adjustment")
			e.Complain("Try `nice --help' for more information.")
			return nil, 1
		}
		e.Println(strconv.Itoa(own(e, a.Nice)))
		return nil, 0
	}
	a.Nice = max(-40, min(40, a.Nice+incr))
	return e.Exec(a, args)
}

// own is the nice value that a process started now would have.
func own(e *console.Env, incr int) int {
	base := 0
	if shell, err := e.Machine.Shell(); err == nil {
		base = e.Machine.NiceOf(shell)
	}
	return max(-20, min(19, base+incr))
}

var renice = console.Command{
	Name: "renice", Synopsis: "renice PRIORITY [[-p] PID…]", Help: "sets the nice values of running processes",
	Man: `PRIORITY is the new value itself, -20 to 19; beyond that it is cut, and 20 is 19.
The kernel leaves the ticks that a process has left alone: a hog that is reniced
first uses those up, at most 39, and its next slice is the new one.
-g and -u, groups of processes and users, are not modelled.`,
	Options: []string{"-p PID"}, Complete: console.CompletePIDs,
	Run: runRenice,
}

func runRenice(e *console.Env, args []string) int {
	const usage = "usage: renice priority [ [ -p ] pids ] [ [ -g ] pgrps ] [ [ -u ] users ]"
	if len(args) < 2 {
		e.Usage(usage)
		return 1
	}
	prio, err := strconv.Atoi(args[0])
	if err != nil {
		e.Usage(usage)
		return 1
	}
	prio = max(-20, min(20, prio))
	bad := 0
	for _, word := range args[1:] {
		if word == "-p" {
			continue
		}
		if word == "-g" || word == "-u" {
			return e.Errorf("%s: only process ids are modelled", word)
		}
		pid, err := strconv.ParseInt(word, 10, 32)
		if err != nil || pid < 0 {
			bad = e.Errorf("%s: bad value", console.Shorten(word))
			continue
		}
		found, err := e.Machine.Find("pid", []string{strconv.Itoa(int(pid))})
		if err != nil {
			bad = e.Errorf("%d: getpriority: No such process", pid)
			continue
		}
		for _, t := range found {
			old := e.Machine.NiceOf(t)
			now, err := e.Machine.Nice(t, min(prio, 19)-old)
			if err != nil {
				bad = e.Errorf("%d: setpriority: %s", pid, err)
				continue
			}
			e.Println(fmt.Sprintf("%d: old priority %d, new priority %d", pid, old, now))
		}
	}
	return bad
}
