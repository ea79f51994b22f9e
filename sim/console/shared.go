package console

import (
	"fmt"
	"strconv"
	"strings"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
)

// shared are commands that every kernel's shell has, in one form.
func shared() []Command {
	return []Command{
		{
			Name: "sleep", Synopsis: "sleep SECONDS", Help: "waits for so many seconds of simulated time",
			Man:   "SECONDS may have a fraction, and m, h or d behind it. Nothing runs for it on\nthe simulated machine.",
			Start: startSleep,
		},
		{
			Name: "seq", Synopsis: "seq [FIRST [STEP]] LAST", Help: "prints whole numbers", Run: runSeq,
		},
		{
			Name: "cat", Synopsis: "cat FILE…", Help: "prints files",
			Man: "There are files that the kernel makes up, and those you write with >.", Start: startCat, Complete: completePaths,
		},
		{Name: "head", Synopsis: "head [-n LINES] [FILE]", Help: "prints the first lines, 10 if not told", Start: startHead, Options: []string{"-n"}},
		{Name: "tail", Synopsis: "tail [-n LINES | +LINE] [FILE]", Help: "prints the last lines, 10 if not told", Start: startTail, Options: []string{"-n"}},
		{
			Name: "grep", Synopsis: "grep [-vicnwq] TEXT [FILE…]", Help: "prints the lines in which a text occurs", Start: startGrep,
			Man:     "TEXT may begin with ^ and end with $; . is any character, * repeats the one\nbefore it, [abc] is one of several, and | parts alternatives.\n-v the other lines   -i capitals or not   -c counts   -n numbers lines   -w whole words",
			Options: []string{"-v", "-i", "-c", "-n", "-w", "-q"},
		},
		{Name: "wc", Synopsis: "wc [-lwc] [FILE]", Help: "counts lines, words and bytes", Start: startWc, Options: []string{"-l", "-w", "-c"}},
		{
			Name: "sort", Synopsis: "sort [-nru] [-k FIELD] [FILE]", Help: "sorts lines", Start: startSort,
			Man: "-n by number   -r backwards   -u each once   -k N by field N", Options: []string{"-n", "-r", "-u", "-k"},
		},
		{Name: "tee", Synopsis: "tee [-a] FILE…", Help: "copies what passes through into files", Start: startTee},
		{Name: "rm", Synopsis: "rm [-f] FILE…", Help: "removes files that were written", Run: runRm, Complete: completePaths},
		runCommand,
		{Name: "clear", Synopsis: "clear", Help: "empties the log", Run: func(e *Env, _ []string) int { e.con.log.clear(); return 0 }},
		{Name: "uname", Synopsis: "uname [-a]", Help: "names the kernel", Run: runUname, Options: []string{"-a"}},
		{
			Name: "nice", Synopsis: "nice [-n INCREMENT | -INCREMENT] COMMAND", Help: "starts a command with another nice value, 10 more if not told",
			Man:   "The nice value goes from -20, which gets most, to 19. A process inherits it.",
			Start: startNice, Options: []string{"-n"},
		},
		{
			Name: "renice", Synopsis: "renice [-n INCREMENT | VALUE] [-p] PID…", Help: "changes the nice values of processes",
			Man: "With -n the number is added; without, it is the new value, from -20 to 19.\nThe quantum or counter that a process has left is not touched.",
			Run: runRenice, Options: []string{"-n", "-p"}, Complete: CompletePIDs,
		},
		{
			Name: "kill", Synopsis: "kill [-SIGNAL] PID|%JOB…\nkill -l", Help: "ends processes",
			Man: "A sleeper is woken to exit; one that waits for a CPU exits when it gets one.\nSignals that do not end a process are not modelled. %N is job N, with all that\nit has forked.",
			Run: runKill, Complete: CompletePIDs,
		},
		{Name: "pkill", Synopsis: "pkill [-SIGNAL] [-x] NAME", Help: "ends processes by name", Run: runPkill, Complete: completeNames},
		{Name: "pgrep", Synopsis: "pgrep [-l] [-x] [-c] NAME", Help: "lists the process ids of a name", Run: runPgrep, Options: []string{"-l", "-x", "-c"}, Complete: completeNames},
	}
}

func startSleep(e *Env, args []string) (Tool, int) {
	if len(args) != 1 {
		return nil, e.Usage("usage: sleep SECONDS")
	}
	d, ok := seconds(args[0])
	if !ok {
		return nil, e.Errorf("bad character in argument: %s", Shown(args[0]))
	}
	return e.Sleeper(d), 0
}

// seconds reads 3, 0.5, 2m, 1h or 1d.
func seconds(text string) (clock.Duration, bool) {
	unit := clock.Second
	if text != "" {
		if u, ok := map[byte]clock.Duration{'s': clock.Second, 'm': clock.Minute, 'h': clock.Hour, 'd': 24 * clock.Hour}[text[len(text)-1]]; ok {
			unit, text = u, text[:len(text)-1]
		}
	}
	whole, frac, _ := strings.Cut(text, ".")
	if whole == "" && frac == "" || len(whole) > 9 || len(frac) > 9 {
		return 0, false
	}
	n, err := strconv.ParseUint("0"+whole, 10, 64)
	f, err2 := strconv.ParseUint((frac + "000000000")[:9], 10, 64)
	if err != nil || err2 != nil || n > uint64(maxSleep/unit) {
		return 0, false
	}
	return clock.Duration(n)*unit + clock.Duration(f)*unit/1e9, true
}

// maxSleep is the longest sleep.
const maxSleep = 366 * 24 * clock.Hour

func runSeq(e *Env, args []string) int {
	n := []int{1, 1, 1}
	if len(args) < 1 || len(args) > 3 {
		return e.Usage("usage: seq [FIRST [STEP]] LAST")
	}
	for i, a := range args {
		v, err := strconv.Atoi(a)
		if err != nil {
			return e.Errorf("%s: not a whole number", Shown(a))
		}
		n[2] = v
		if i < len(args)-1 {
			n[i] = v
		}
	}
	if n[1] == 0 || (n[2]-n[0])/n[1] > maxRange {
		return e.Errorf("more than %d numbers, or a step of 0", maxRange)
	}
	var b strings.Builder
	for v := n[0]; n[1] > 0 && v <= n[2] || n[1] < 0 && v >= n[2]; v += n[1] {
		writef(&b, "%d\n", v)
	}
	e.Print(b.String())
	return 0
}

func runRm(e *Env, args []string) int {
	set, rest, ok := flagsOf(e, args, "rf")
	if !ok {
		return 2
	}
	bad := 0
	for _, name := range rest {
		if !e.RemoveFile(name) && !strings.Contains(set, "f") {
			bad = e.Errorf("%s: No such file or directory", Shown(name))
		}
	}
	return bad
}

// System is the machine's system as uname -a prints it.
func (e *Env) System() string { return e.con.sys.Name }

func runUname(e *Env, args []string) int {
	if len(args) > 0 && args[0] == "-a" {
		e.Println(e.con.sys.Name)
		return 0
	}
	first, _, _ := strings.Cut(e.con.sys.Name, " ")
	e.Println(first)
	return 0
}

func startNice(e *Env, args []string) (Tool, int) {
	incr := 10
	if len(args) > 0 && strings.HasPrefix(args[0], "-") {
		text := strings.TrimPrefix(args[0], "-n")
		if text == args[0] {
			text = args[0][1:]
		}
		args = args[1:]
		if text == "" && len(args) > 0 {
			text, args = args[0], args[1:]
		}
		var err error
		if incr, err = strconv.Atoi(text); err != nil {
			return nil, e.Errorf("argument %s must be numeric", Shown(text))
		}
	}
	if len(args) == 0 {
		return nil, e.Usage("usage: nice [-n INCREMENT] COMMAND")
	}
	a := e.Attr()
	a.Nice = max(-40, min(40, a.Nice+incr))
	return e.Exec(a, args)
}

func runRenice(e *Env, args []string) int {
	usage := func() int { return e.Usage("usage: renice [-n INCREMENT | VALUE] [-p] PID…") }
	if len(args) == 0 {
		return usage()
	}
	relative := args[0] == "-n"
	if relative {
		args = args[1:]
	}
	if len(args) == 0 {
		return usage()
	}
	n, err := strconv.Atoi(args[0])
	if err != nil {
		return usage()
	}
	pids := args[1:]
	if len(pids) > 0 && pids[0] == "-p" {
		pids = pids[1:]
	}
	if len(pids) == 0 {
		return usage()
	}
	if !relative && (n < -20 || n > 20) {
		return e.Errorf("nice value %d, want -20 to 19", n)
	}
	bad := 0
	for _, pid := range pids {
		found, err := e.Targets(pid)
		if err != nil {
			bad = e.Errorf("%s: no such process", Shown(pid))
			continue
		}
		for _, t := range found {
			incr := n
			if !relative {
				incr = min(n, 19) - e.Machine.NiceOf(t)
			}
			if _, err := e.Machine.Nice(t, incr); err != nil {
				bad = e.Errorf("%s: %s", Shorten(pid), err)
			}
		}
	}
	return bad
}

// signals that end a process, by name and number.
var signals = map[string]bool{
	"1": true, "2": true, "3": true, "9": true, "15": true, "HUP": true, "INT": true, "QUIT": true, "KILL": true, "TERM": true,
}

// signal takes -SIGNAL from the front of args.
func signal(e *Env, args []string) (rest []string, null, ok bool) {
	if len(args) == 0 || len(args[0]) < 2 || args[0][0] != '-' {
		return args, false, true
	}
	name := strings.TrimPrefix(strings.ToUpper(args[0][1:]), "SIG")
	args = args[1:]
	if name == "S" && len(args) > 0 {
		name, args = strings.TrimPrefix(strings.ToUpper(args[0]), "SIG"), args[1:]
	}
	switch {
	case name == "0":
		return args, true, true
	case signals[name]:
		return args, false, true
	}
	e.Errorf("%s: signals that do not end a process are not modelled; want HUP, INT, QUIT, KILL, TERM or 0", Shown(name))
	return nil, false, false
}

func runKill(e *Env, args []string) int {
	if len(args) == 1 && args[0] == "-l" {
		e.Println("HUP INT QUIT KILL TERM")
		return 0
	}
	rest, null, ok := signal(e, args)
	if !ok {
		return 1
	}
	if len(rest) == 0 {
		return e.Usage("usage: kill [-SIGNAL] PID|%JOB…")
	}
	bad := 0
	for _, w := range rest {
		found, err := e.Targets(w)
		if err != nil {
			bad = e.Errorf("%s", err)
			continue
		}
		for _, t := range found {
			if null {
				continue
			}
			e.Killed(t)
			if err := e.Machine.Kill(t); err != nil {
				bad = e.Errorf("%s", err)
			}
		}
	}
	return bad
}

// named are the live processes whose names a pattern fits.
func named(e *Env, pattern string, exact bool) []Process {
	m := newMatcher(pattern, false, false)
	var list []Process
	for _, p := range e.Machine.Processes() {
		if p.State != sched.Gone && (exact && p.Name == pattern || !exact && m.match(p.Name)) {
			list = append(list, p)
		}
	}
	return list
}

func runPkill(e *Env, args []string) int {
	exact := false
	for len(args) > 0 && args[0] == "-x" {
		exact, args = true, args[1:]
	}
	rest, null, ok := signal(e, args)
	if !ok || len(rest) != 1 {
		return e.Usage("usage: pkill [-SIGNAL] [-x] NAME")
	}
	list := named(e, rest[0], exact)
	for _, p := range list {
		if !null {
			e.Killed(p.ID)
			_ = e.Machine.Kill(p.ID)
		}
	}
	if len(list) == 0 {
		return 1
	}
	return 0
}

func runPgrep(e *Env, args []string) int {
	set, rest, ok := flagsOf(e, args, "lxc")
	if !ok || len(rest) != 1 {
		return e.Usage("usage: pgrep [-l] [-x] [-c] NAME")
	}
	list := named(e, rest[0], strings.Contains(set, "x"))
	switch {
	case strings.Contains(set, "c"):
		e.Printf("%d\n", len(list))
	case strings.Contains(set, "l"):
		for _, p := range list {
			e.Printf("%5d %s\n", p.PID, p.Name)
		}
	default:
		for _, p := range list {
			e.Println(fmt.Sprint(p.PID))
		}
	}
	if len(list) == 0 {
		return 1
	}
	return 0
}
