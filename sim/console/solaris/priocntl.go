package solaris

import (
	"fmt"
	"strconv"
	"strings"

	"strandscope/sim/console"
	"strandscope/sim/sched"
)

const priocntlUse = "priocntl -l\npriocntl -d [-i IDTYPE] [ID…]\n" +
	"priocntl -s [-c CLASS] [CLASS OPTIONS] [-i IDTYPE] [ID…]\npriocntl -e [-c CLASS] [CLASS OPTIONS] COMMAND [ARGUMENT…]"

var priocntl = console.Command{
	Name: "priocntl", Synopsis: priocntlUse, Help: "shows and sets the class and parameters of processes, or starts a command with some",
	Man: `-l lists the classes and their ranges; -d shows processes, class by class; -s
sets them; -e starts a command with them, which hands them on to its children.
IDTYPE is pid (the default), ppid, class, projid, psetid, uid or all. Beside
those of Solaris there is name, by the name of a process. With -d and no ID the
process is the shell itself.
Class options:
TS, IA, FSS  -p user priority -60..60, which lifts or lowers a process within its
             class; -m the most that -p may reach
IA           -f on|off: in focus or not, a boost of 10. That is this simulator's
             way to say what the window system says on a real machine.
FX           -p 0..60   -m limit   -t quantum
RT           -p 0..59   -t quantum
A quantum is in parts of a second as -r says (1000: milliseconds), rounded up to
clock ticks; INFINITE is one without an end. Signals at the end of a quantum
(-q) are not modelled.`,
	Options: []string{"-l", "-d", "-s", "-e", "-c CLASS", "-p PRI", "-m LIMIT", "-t QUANTUM", "-r RES", "-f on|off", "-i IDTYPE"},
	Complete: func(e *console.Env, args []string) []string {
		switch after(args) {
		case "-c":
			return classNames
		case "-i":
			return []string{"pid", "ppid", "class", "projid", "psetid", "uid", "name", "all"}
		case "-f":
			return []string{"on", "off"}
		case "class":
			return classNames
		case "psetid":
			return completeSets(e, args)
		case "-p", "-m", "-t", "-r":
			return nil
		}
		return console.CompletePIDs(e, args)
	},
	Start: startPriocntl,
}

// hz is the clock rate in which quanta are kept.
const hz = 100

func startPriocntl(e *console.Env, args []string) (console.Tool, int) {
	o, err := getopt(args, "ldsec:p:m:t:r:f:i:q:")
	if err != nil {
		return nil, misused(e, err, priocntlUse)
	}
	what, err := o.one("ldse")
	if err != nil {
		return nil, misused(e, err, priocntlUse)
	}
	switch what {
	case 'l':
		listClasses(e)
		return nil, 0
	case 'd':
		return nil, trying(func(e *console.Env, _ []string) error { return display(e, &o) })(e, nil)
	case 's':
		return nil, trying(func(e *console.Env, _ []string) error { return setParams(e, &o) })(e, nil)
	}
	return execWith(e, &o)
}

func listClasses(e *console.Env) {
	e.Print("CONFIGURED CLASSES\n==================\n\nSYS (System Class)\n")
	for _, c := range classNames {
		e.Printf("\n%s (%s)\n", c, classTitles[c])
		switch c {
		case "RT":
			e.Println("\tMaximum Configured RT Priority: 59")
		case "FX":
			e.Println("\tConfigured FX User Priority Range: 0 through 60")
		default:
			e.Printf("\tConfigured %s User Priority Range: -60 through 60\n", c)
		}
	}
}

// wanted are the class parameters that options name.
type wanted struct {
	class               string
	pri, limit, quantum *int
	boost               int
}

func readParams(m console.Machine, o *options) (w wanted, err error) {
	w.class, _ = o.value('c')
	if w.class != "" {
		if err := checkClass(m, w.class); err != nil {
			return w, err
		}
		if w.class == "SYS" {
			return w, fmt.Errorf("SYS: no class for processes")
		}
	}
	if o.has('q') {
		return w, fmt.Errorf("-q: signals at the end of a quantum are not modelled")
	}
	number := func(letter byte) *int {
		text, ok := o.value(letter)
		if !ok || err != nil {
			return nil
		}
		var n int
		n, err = integer("-"+string(letter), text, -1_000_000, 1_000_000)
		return &n
	}
	w.pri, w.limit = number('p'), number('m')
	res := 1000
	if text, ok := o.value('r'); ok && err == nil {
		res, err = integer("-r", text, 1, 1_000_000_000)
	}
	if text, ok := o.value('t'); ok && err == nil {
		var q int
		q, err = ticks(text, res)
		w.quantum = &q
	}
	if text, ok := o.value('f'); ok && err == nil {
		switch text {
		case "on":
			w.boost = 10
		case "off":
			w.boost = -10
		default:
			err = fmt.Errorf("-f %q, want on or off", console.Shown(text))
		}
	}
	return w, err
}

// none reports whether no parameter beside the class is named.
func (w *wanted) none() bool {
	return w.pri == nil && w.limit == nil && w.quantum == nil && w.boost == 0
}

// of are the parameters of a process that has some: what is not named stays, in
// the same class; in another, or where nothing but a class is named, it is the
// class's default.
func (w *wanted) of(now sched.Params) (sched.Params, error) {
	class := w.class
	if class == "" {
		class = now.Class
	}
	if err := w.fits(class); err != nil {
		return now, err
	}
	p := sched.Params{Class: w.class, Keep: true}
	if class == now.Class && !w.none() {
		p.Priority, p.Limit, p.Quantum = now.Priority, now.Limit, now.Quantum
	}
	if w.pri != nil {
		p.Priority = *w.pri
		p.Limit = p.Priority
	}
	if w.limit != nil {
		p.Limit = *w.limit
	}
	if w.quantum != nil {
		p.Quantum = *w.quantum
	}
	p.Boost = w.boost
	return p, nil
}

// fits refuses options that a class does not have.
func (w *wanted) fits(class string) error {
	switch {
	case w.boost != 0 && class != "IA":
		return fmt.Errorf("-f is of class IA; the process is %s", class)
	case w.quantum != nil && class != "FX" && class != "RT":
		return fmt.Errorf("-t is of classes FX and RT; class %s takes its quanta from its table", class)
	case w.limit != nil && class == "RT":
		return fmt.Errorf("-m is not of class RT")
	}
	return nil
}

func setParams(e *console.Env, o *options) error {
	w, err := readParams(e.Machine, o)
	if err != nil {
		return err
	}
	idtype, ok := o.value('i')
	if !ok {
		idtype = "pid"
	}
	return each(e.Machine, idtype, o.rest, func(t sched.ThreadID) error {
		p, err := w.of(e.Machine.Params(t))
		if err != nil {
			return err
		}
		return e.Machine.Change(t, p)
	})
}

func execWith(e *console.Env, o *options) (console.Tool, int) {
	if len(o.rest) == 0 {
		return nil, misused(e, nil, priocntlUse)
	}
	w, err := readParams(e.Machine, o)
	if err != nil {
		return nil, e.Errorf("%s", err)
	}
	shell, err := e.Machine.Shell()
	if err != nil {
		return nil, e.Errorf("%s", reason(err))
	}
	p, err := w.of(e.Machine.Params(shell))
	if err != nil {
		return nil, e.Errorf("%s", err)
	}
	a := e.Attr()
	a.Params = &p
	return e.Exec(a, o.rest)
}

// ticks turns a quantum in units of 1/res second into clock ticks, rounded up.
func ticks(text string, res int) (int, error) {
	if strings.EqualFold(text, "INFINITE") {
		return -2, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 1<<30 {
		return 0, fmt.Errorf("quantum %q of 1/%d s, want a positive number or INFINITE", console.Shown(text), res)
	}
	return int((int64(n)*hz + int64(res) - 1) / int64(res)), nil
}
