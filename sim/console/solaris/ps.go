package solaris

import (
	"fmt"
	"slices"
	"strings"

	"strandscope/sim/console"
	"strandscope/sim/sched"
)

const psUse = "ps [-aAdefclPyZ] [-o FORMAT]… [-p PIDS] [-u USERS] [-t TERMINALS] [-j PROJECTS]"

var ps = console.Command{
	Name: "ps", Synopsis: psUse, Help: "lists processes",
	Man: `Without options: those of this prompt; -e (or -A) all; -p, -u, -t some.
-f more of each; -l still more; -c the class and the global priority in place of
what is left of the old scheme (so ps -ecl or ps -efc is what shows scheduling);
-P the CPU on which each ran last; -Z the zone; -o chooses columns:
  ` + strings.Join(columnNames(), " ") + `
NAME=HEADING gives a column a heading, NAME= none. -L is not modelled: each process
has one thread. -j, which lists by projects, is of prstat's kind here.
S is O (on a CPU), R (waits for one), S (sleeps) or Z (zombie). PRI without -c is
on the old scale, where small is good. ADDR, SZ and WCHAN are decoration. ps itself
and the shell's helpers are no processes of the simulated machine.`,
	Options: []string{"-a", "-A", "-c", "-d", "-e", "-f", "-l", "-o FORMAT", "-p PIDS", "-P", "-t TERMINALS", "-u USERS", "-y", "-Z"},
	Complete: func(e *console.Env, args []string) []string {
		switch after(args) {
		case "-o":
			return columnNames()
		case "-u":
			return []string{"root"}
		case "-p":
			return console.CompletePIDs(e, args)
		}
		return nil
	},
	Run: runPs,
}

// terminal is where what is typed here belongs.
const terminal = "pts/1"

// psRow is a process and what ps tells of it beside what the machine does.
type psRow struct {
	console.Process
	tty   string
	boot  console.Boot
	stime string
}

func runPs(e *console.Env, args []string) int {
	o, err := getopt(args, "aAdefclPyZLo:p:u:U:t:j:g:")
	if err != nil || len(o.rest) > 0 {
		return misused(e, err, psUse)
	}
	if o.has('L') || o.has('g') {
		return e.Errorf("-L and -g are not modelled: each process has one thread and no group")
	}
	rows, err := psRows(e, &o)
	if err != nil {
		return e.Errorf("%s", err)
	}
	cols, err := psColumns(&o)
	if err != nil {
		return misused(e, err, psUse)
	}
	if slices.ContainsFunc(cols, func(c psColumn) bool { return c.heading != "" }) {
		e.Println(psLine(cols, func(c psColumn) string { return c.heading }))
	}
	for i := range rows {
		e.Println(psLine(cols, func(c psColumn) string {
			if c.decoration {
				return console.Decorate(c.pad(c.of(&rows[i])))
			}
			return c.pad(c.of(&rows[i]))
		}))
	}
	if len(rows) == 0 {
		return 1
	}
	return 0
}

// psLine joins columns. Marks of decoration have no width, so text comes padded.
func psLine(cols []psColumn, text func(c psColumn) string) string {
	parts := make([]string, len(cols))
	for i, c := range cols {
		parts[i] = c.pad(text(c))
	}
	return strings.TrimRight(strings.Join(parts, " "), " ")
}

// psRows are the processes that options ask for.
func psRows(e *console.Env, o *options) ([]psRow, error) {
	want, err := psWanted(e, o)
	if err != nil {
		return nil, err
	}
	all := e.Machine.Processes()
	mine := []int32{}
	if t, err := e.Machine.Shell(); err == nil {
		all = e.Machine.Processes() // the shell is one of them
		mine = append(mine, e.Machine.Process(t).PID)
	}
	boot := e.Machine.Boot()
	now := momentOf(boot, e.Machine.Now())
	var rows []psRow
	for _, p := range all {
		r := psRow{Process: p, tty: "?", boot: boot}
		// Children have higher process ids than their parents.
		if slices.Contains(mine, p.PID) || slices.Contains(mine, p.PPID) {
			mine, r.tty = append(mine, p.PID), terminal
		}
		m := momentOf(boot, p.Started)
		r.stime = m.clock()
		if m.day != now.day || m.month != now.month {
			r.stime = fmt.Sprintf("%s %02d", months[m.month-1], m.day)
		}
		if want(&r) {
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// psWanted says which rows are shown: each option adds some.
func psWanted(e *console.Env, o *options) (func(r *psRow) bool, error) {
	var pids, groups []int
	var ttys []string
	every, users, chosen := o.has('e') || o.has('A') || o.has('d'), false, false
	for _, x := range o.set {
		switch x.letter {
		case 'p':
			ids, err := list("-p", x.value)
			if err != nil {
				return nil, err
			}
			pids, chosen = append(pids, ids...), true
		case 'u', 'U':
			for _, u := range splitList(x.value) {
				if u != "root" && u != "0" {
					return nil, fmt.Errorf("unknown user %s; all processes are root's", console.Shown(u))
				}
			}
			users, chosen = true, true
		case 't':
			ttys, chosen = append(ttys, splitList(x.value)...), true
		case 'j':
			for _, name := range splitList(x.value) {
				p, ok := findProject(e.Machine, name)
				if !ok {
					return nil, fmt.Errorf("unknown project %s", console.Shown(name))
				}
				groups = append(groups, p.ID)
			}
			chosen = true
		}
	}
	return func(r *psRow) bool {
		return every || users || slices.Contains(pids, int(r.PID)) || slices.Contains(groups, r.Project) ||
			slices.Contains(ttys, r.tty) || !chosen && r.tty == terminal
	}, nil
}

func psState(p *psRow) string {
	switch p.State {
	case sched.Gone:
		return "Z"
	case sched.Running:
		return "O"
	case sched.Sleeping:
		return "S"
	default:
	}
	return "R"
}
