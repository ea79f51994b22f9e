package console

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"strandscope/sim/clock"
)

// builtins are commands of the shell itself.
func builtins() []Command {
	return []Command{
		{Name: ":", Synopsis: ":", Help: "does nothing, successfully", Run: status(0)},
		{Name: "true", Synopsis: "true", Help: "succeeds", Run: status(0)},
		{Name: "false", Synopsis: "false", Help: "fails with status 1", Run: status(1)},
		{Name: "echo", Synopsis: "echo [-n] [WORD…]", Help: "prints its words", Run: runEcho},
		{Name: "jobs", Synopsis: "jobs [-l|-p]", Help: "lists the commands in the background", Run: runJobs},
		{Name: "fg", Synopsis: "fg [%JOB]", Help: "waits for a background job as if it had been started in front", Start: startFg},
		{Name: "wait", Synopsis: "wait [PID|%JOB]…", Help: "waits until background jobs have ended", Start: startWait},
		{Name: "exit", Synopsis: "exit [STATUS]", Help: "leaves the shell, or a subshell", Run: runExit},
		{Name: "break", Synopsis: "break [N]", Help: "leaves N loops", Run: jump('b')},
		{Name: "continue", Synopsis: "continue [N]", Help: "goes on with the next turn of a loop", Run: jump('c')},
		{Name: "unset", Synopsis: "unset NAME…", Help: "forgets variables", Run: runUnset},
		{Name: "export", Synopsis: "export NAME[=VALUE]…", Help: "sets variables; here every command sees all of them anyway", Run: runExport},
		{Name: "set", Synopsis: "set", Help: "lists the variables", Run: runSet},
		{Name: "history", Synopsis: "history [N]", Help: "lists the lines that were typed", Run: runHistory},
		{Name: "help", Synopsis: "help [COMMAND]", Help: "lists the commands of this machine", Run: runHelp},
		{Name: "man", Synopsis: "man COMMAND", Help: "explains a command, in our words", Run: runMan},
		{Name: "type", Synopsis: "type COMMAND…", Help: "tells whether a command exists here", Run: runType},
		{Name: "cd", Synopsis: "cd [DIR]", Help: "there is one directory only", Run: status(0)},
		{Name: "pwd", Synopsis: "pwd", Help: "prints /", Run: func(e *Env, _ []string) int { e.Println("/"); return 0 }},
		{Name: "test", Synopsis: "test EXPRESSION, [ EXPRESSION ]", Help: "compares texts and whole numbers", Run: runTest},
		{Name: "[", Synopsis: "[ EXPRESSION ]", Help: "is test", Run: runBracket},
	}
}

func status(n int) func(*Env, []string) int { return func(*Env, []string) int { return n } }

func runEcho(e *Env, args []string) int {
	end := "\n"
	if len(args) > 0 && args[0] == "-n" {
		args, end = args[1:], ""
	}
	e.Print(strings.Join(args, " ") + end)
	return 0
}

func runJobs(e *Env, args []string) int {
	for i, j := range e.con.jobs {
		switch {
		case len(args) > 0 && args[0] == "-p":
			e.Println(j.pidText())
		case len(args) > 0 && args[0] == "-l":
			e.Printf("[%d]  %s %s\n", j.id, j.pidText(), strings.TrimSpace(j.line(false)[4:]))
		default:
			e.Println(j.line(i == len(e.con.jobs)-1))
		}
	}
	return 0
}

// forJobs waits for jobs.
type forJobs struct{ jobs []*job }

func (f *forJobs) Step(*Env) Wait {
	status := 0
	for _, j := range f.jobs {
		if j.running() {
			w := j.x.wait
			w.Event = true
			return w
		}
		j.told = true
		status = j.x.status
	}
	return Done(status)
}

func startFg(e *Env, args []string) (Tool, int) {
	spec := ""
	if len(args) > 0 {
		spec = args[0]
	}
	j, err := e.con.jobOf(spec)
	if err != nil {
		if spec == "" {
			err = fmt.Errorf("current: no such job")
		}
		return nil, e.Errorf("%s", err)
	}
	e.Println(j.text)
	e.x.threads = append(e.x.threads, j.threads...)
	return &forJobs{[]*job{j}}, 0
}

func startWait(e *Env, args []string) (Tool, int) {
	if len(args) == 0 {
		return &forJobs{slices.Clone(e.con.jobs)}, 0
	}
	f := &forJobs{}
	for _, a := range args {
		if strings.HasPrefix(a, "%") {
			j, err := e.con.jobOf(a)
			if err != nil {
				return nil, e.Errorf("%s", err)
			}
			f.jobs = append(f.jobs, j)
			continue
		}
		i := slices.IndexFunc(e.con.jobs, func(j *job) bool { return j.pidText() == a })
		if i < 0 {
			e.Errorf("pid %s is not a child of this shell", Shown(a))
			return nil, 127
		}
		f.jobs = append(f.jobs, e.con.jobs[i])
	}
	return f, 0
}

func runExit(e *Env, args []string) int {
	n := e.x.status
	if len(args) > 0 {
		var err error
		if n, err = strconv.Atoi(args[0]); err != nil {
			e.Errorf("%s: numeric argument required", Shown(args[0]))
			n = 2
		}
	}
	e.x.jump = 'x'
	return n & 255
}

func jump(kind byte) func(*Env, []string) int {
	return func(e *Env, args []string) int {
		n := 1
		if len(args) > 0 {
			var err error
			if n, err = strconv.Atoi(args[0]); err != nil || n < 1 {
				return e.Errorf("%s: loop count out of range", Shown(args[0]))
			}
		}
		e.x.jump, e.x.levels = kind, n
		return 0
	}
}

func runUnset(e *Env, args []string) int {
	for _, a := range args {
		e.x.vars.unset(a)
	}
	return 0
}

func runExport(e *Env, args []string) int {
	for _, a := range args {
		name, value, given := strings.Cut(a, "=")
		if p := (&parser{src: name}); p.name() != name || name == "" {
			return e.Errorf("`%s': not a valid identifier", Shown(a))
		}
		if given && !e.x.vars.set(name, value) {
			return e.Errorf("more than %d variables", maxVars)
		}
	}
	return 0
}

func runSet(e *Env, _ []string) int {
	for _, v := range e.x.vars.all {
		e.Printf("%s=%s\n", v.name, v.value)
	}
	return 0
}

func runHistory(e *Env, args []string) int {
	from := 0
	if len(args) > 0 {
		n, err := strconv.Atoi(args[0])
		if err != nil || n < 0 {
			return e.Errorf("%s: numeric argument required", Shown(args[0]))
		}
		from = max(0, len(e.con.history)-n)
	}
	for i, h := range e.con.history[from:] {
		e.Printf("%5d  %s\n", from+i+1, strings.ReplaceAll(h, "\n", "; "))
	}
	return 0
}

func runHelp(e *Env, args []string) int {
	if len(args) > 0 {
		return runMan(e, args)
	}
	for _, l := range strings.Split(strings.TrimSpace(e.con.sys.Intro), "\n") {
		e.Println(l)
	}
	e.Println("")
	for _, c := range e.con.Commands() {
		e.Printf("  %-11s %s\n", c.Name, c.Help)
	}
	e.Println("")
	e.Println("man COMMAND tells more. Grey figures are decoration: the model has no figure for them, and they are constant.")
	return 0
}

func runMan(e *Env, args []string) int {
	if len(args) == 0 {
		e.Println("What manual page do you want?")
		return 1
	}
	for _, a := range args {
		c, ok := e.con.sys.find(a)
		if !ok {
			e.Complain("No manual entry for " + Shown(a) + ".")
			return 1
		}
		e.Printf("NAME\n    %s - %s\n\nSYNOPSIS\n", c.Name, c.Help)
		for _, l := range strings.Split(c.Synopsis, "\n") {
			e.Println("    " + l)
		}
		if c.Man != "" {
			e.Println("\nDESCRIPTION")
			for _, l := range strings.Split(strings.TrimSpace(c.Man), "\n") {
				e.Println(strings.TrimRight("    "+l, " "))
			}
		}
	}
	return 0
}

func runType(e *Env, args []string) int {
	bad := 0
	for _, a := range args {
		if _, ok := e.con.sys.find(a); !ok {
			bad = e.Errorf("%s: not found", Shown(a))
			continue
		}
		e.Printf("%s is a command of this machine\n", a)
	}
	return bad
}

func runBracket(e *Env, args []string) int {
	if len(args) == 0 || args[len(args)-1] != "]" {
		e.Errorf("missing `]'")
		return 2
	}
	return runTest(e, args[:len(args)-1])
}

func runTest(e *Env, args []string) int {
	truth := func(is bool) int {
		if is {
			return 0
		}
		return 1
	}
	if len(args) > 0 && args[0] == "!" {
		switch runTest(e, args[1:]) {
		case 0:
			return 1
		case 1:
			return 0
		}
		return 2
	}
	switch len(args) {
	case 0:
		return 1
	case 1:
		return truth(args[0] != "")
	case 2:
		switch args[0] {
		case "-n":
			return truth(args[1] != "")
		case "-z":
			return truth(args[1] == "")
		case "-f", "-e", "-r":
			_, ok := e.ReadFile(args[1])
			return truth(ok)
		}
	case 3:
		switch args[1] {
		case "=", "==":
			return truth(args[0] == args[2])
		case "!=":
			return truth(args[0] != args[2])
		}
		a, err := strconv.ParseInt(args[0], 10, 64)
		b, err2 := strconv.ParseInt(args[2], 10, 64)
		is, ok := map[string]bool{
			"-eq": a == b, "-ne": a != b, "-lt": a < b, "-le": a <= b, "-gt": a > b, "-ge": a >= b,
		}[args[1]]
		switch {
		case !ok:
			e.Errorf("%s: unknown operator", Shown(args[1]))
			return 2
		case err != nil || err2 != nil:
			e.Errorf("integer expression expected")
			return 2
		}
		return truth(is)
	}
	e.Errorf("this expression is not understood")
	return 2
}

// sleeping is sleep: a tool that ends at a point of time.
type sleeping struct {
	to clock.Time
}

func (s *sleeping) Step(e *Env) Wait {
	if e.Machine.Now() >= s.to {
		return Done(0)
	}
	return Until(s.to)
}

// Sleeper returns a tool that ends after d.
func (e *Env) Sleeper(d clock.Duration) Tool {
	return &sleeping{to: e.Machine.Now().Add(d)}
}
