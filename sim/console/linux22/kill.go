package linux22

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"strandscope/sim/console"
)

var kill = console.Command{
	Name: "kill", Synopsis: "kill [-s SIGNAL | -SIGNAL] PID|%JOB…\nkill -l", Help: "sends signals that end processes",
	Man: `TERM is sent if nothing else is said. A process that sleeps is woken to exit; one
that waits for a CPU exits when it gets one, which takes a while on a box full of
hogs. It gives nothing of its ticks back to its parent. %N is job N, with all that
it has forked. Signals that do not end a process are not modelled; 0 looks whether
there is one.`,
	Options: []string{"-l", "-s SIGNAL", "-9", "-TERM", "-HUP", "-INT", "-KILL", "-0"}, Complete: console.CompletePIDs,
	Run: runKill,
}

// signals end a process that has not arranged for them; they stand at their
// numbers, "" where there is one that does something else or nothing.
var signals = [...]string{
	"EXIT", "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE", "ALRM", "TERM",
}

// others stop a process, let it go on, or do nothing to it by default.
var others = []string{"CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "17", "18", "19", "20", "21", "22", "URG", "WINCH"}

func bare(word string) string { return strings.TrimPrefix(strings.ToUpper(word), "SIG") }

func signalNumber(word string) int {
	if n, err := strconv.Atoi(word); err == nil && n >= 0 && n < len(signals) {
		return n
	}
	return slices.Index(signals[:], bare(word))
}

func runKill(e *console.Env, args []string) int {
	const usage = "usage: kill [-s sigspec | -n signum | -sigspec] [pid | job]... or kill -l [sigspec]"
	number := 15
	if len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		word := args[0][1:]
		args = args[1:]
		switch word {
		case "l":
			listSignals(e)
			return 0
		case "s", "n":
			if len(args) == 0 {
				e.Usage("bash: kill: " + usage)
				return 1
			}
			word, args = args[0], args[1:]
		}
		if slices.Contains(others, bare(word)) {
			e.Complain("bash: kill: " + bare(word) + ": signals that do not end a process are not modelled")
			return 1
		}
		if number = signalNumber(word); number < 0 {
			e.Complain("bash: kill: bad signal spec `" + console.Shorten(word) + "'")
			return 1
		}
	}
	if len(args) == 0 {
		e.Usage("bash: kill: " + usage)
		return 1
	}
	bad := 0
	for _, word := range args {
		found, err := e.Targets(word)
		if err != nil {
			e.Complain("bash: kill: " + err.Error())
			bad = 1
			continue
		}
		for _, t := range found {
			if number == 0 {
				continue
			}
			e.Killed(t)
			if err := e.Machine.Kill(t); err != nil {
				e.Complain("bash: kill: " + err.Error())
				bad = 1
			}
		}
	}
	return bad
}

func listSignals(e *console.Env) {
	for i := 1; i < len(signals); i += 4 {
		var line []string
		for n := i; n < min(i+4, len(signals)); n++ {
			line = append(line, fmt.Sprintf("%2d) SIG%-8s", n, signals[n]))
		}
		e.Println(strings.TrimRight(strings.Join(line, ""), " "))
	}
}
