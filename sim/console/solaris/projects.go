package solaris

import (
	"fmt"
	"strconv"
	"strings"

	"strandscope/sim/console"
	"strandscope/sim/sched"
)

var projects = console.Command{
	Name: "projects", Synopsis: "projects [-l] [PROJECT…]", Help: "lists the projects, to which processes belong",
	Man: `Processes started at this prompt are of project user.root, others as the
scenario says. -l tells a project's number and its shares.`,
	Options: []string{"-l"}, Complete: completeProjects, Run: runProjects,
}

func runProjects(e *console.Env, args []string) int {
	o, err := getopt(args, "l")
	if err != nil {
		return misused(e, err, "projects [-l] [PROJECT…]")
	}
	list := e.Machine.Projects()
	if len(o.rest) > 0 {
		list = nil
		for _, name := range o.rest {
			p, ok := findProject(e.Machine, name)
			if !ok {
				return e.Errorf("project %q does not exist", console.Shown(name))
			}
			list = append(list, p)
		}
	}
	if !o.has('l') {
		var names []string
		for _, p := range list {
			names = append(names, p.Name)
		}
		e.Println(strings.Join(names, " "))
		return 0
	}
	for _, p := range list {
		e.Printf("%s\n\tprojid : %d\n\tcomment: \"\"\n\tusers  : (none)\n\tgroups : (none)\n\tattribs: ", p.Name, p.ID)
		if p.Shares != 1 {
			e.Printf("project.cpu-shares=(privileged,%d,none)", p.Shares)
		}
		e.Println("")
	}
	return 0
}

func findProject(m console.Machine, name string) (console.Project, bool) {
	for _, p := range m.Projects() {
		if p.Name == name || strconv.Itoa(p.ID) == name {
			return p, true
		}
	}
	return console.Project{}, false
}

const newtaskUse = "newtask [-p PROJECT] [-v] COMMAND [ARGUMENT…]\nnewtask [-p PROJECT] [-v] -c PID"

var newtask = console.Command{
	Name: "newtask", Synopsis: newtaskUse, Help: "starts a command in another project, or moves a process there",
	Man: `Under FSS a project's shares say what it gets where CPUs are short. -c moves a
process that runs already; its children stay where they are. A new shell in
another project is not modelled: name a command.`,
	Options: []string{"-p PROJECT", "-c PID", "-v"},
	Complete: func(e *console.Env, args []string) []string {
		if after(args) == "-p" {
			return completeProjects(e, args)
		}
		return console.CompletePIDs(e, args)
	},
	Start: startNewtask,
}

func startNewtask(e *console.Env, args []string) (console.Tool, int) {
	o, err := getopt(args, "p:c:vFl")
	if err != nil {
		return nil, misused(e, err, newtaskUse)
	}
	if o.has('F') || o.has('l') {
		return nil, e.Errorf("-F and -l are not modelled")
	}
	name, ok := o.value('p')
	if ok {
		if _, known := findProject(e.Machine, name); !known {
			return nil, e.Errorf("project %q does not exist", console.Shown(name))
		}
	}
	pid, moves := o.value('c')
	switch {
	case moves && len(o.rest) > 0:
		return nil, misused(e, nil, newtaskUse)
	case moves:
		return nil, moveProcess(e, pid, name)
	case len(o.rest) == 0:
		return nil, e.Errorf("a shell of its own is not modelled: name a command")
	}
	a := e.Attr()
	if ok {
		a.Project = name
	}
	return e.Exec(a, o.rest)
}

func moveProcess(e *console.Env, pid, project string) int {
	found, err := e.Machine.Find("pid", []string{pid})
	if err != nil {
		return e.Errorf("process id %s: No such process", console.Shown(pid))
	}
	for _, t := range found {
		if project == "" {
			continue // another task of the same project: the model has no tasks
		}
		if err := e.Machine.MoveTo(t, project); err != nil {
			return e.Errorf("%s", reason(err))
		}
	}
	return 0
}

const prctlUse = "prctl -n project.cpu-shares [-i project] ID…\nprctl -n project.cpu-shares -v SHARES [-r] -i project PROJECT"

var prctl = console.Command{
	Name: "prctl", Synopsis: prctlUse, Help: "shows and changes a project's shares: a ratio, not CPUs and not a cap",
	Man: `Without -v the control is shown: of a project, or with -i process (the default)
of the project of a process. With -v the project gets so many shares, at once;
FSS reckons with them from its next second on. -r, which replaces a value that
is there, may be left out: there is one value. CPU caps are not modelled.`,
	Options: []string{"-n NAME", "-v SHARES", "-r", "-i IDTYPE", "-t TYPE"},
	Complete: func(e *console.Env, args []string) []string {
		switch after(args) {
		case "-n":
			return []string{"project.cpu-shares"}
		case "-i":
			return []string{"process", "project"}
		case "-v":
			return nil
		case "process":
			return console.CompletePIDs(e, args)
		}
		return completeProjects(e, args)
	},
	Run: runPrctl,
}

func runPrctl(e *console.Env, args []string) int {
	o, err := getopt(args, "n:v:rt:i:e:d:Px")
	if err != nil {
		return misused(e, err, prctlUse)
	}
	name, named := o.value('n')
	idtype, _ := o.value('i')
	switch {
	case named && (name == "project.cpu-cap" || name == "zone.cpu-cap"):
		return e.Errorf("%s: CPU caps are not modelled; shares divide the CPUs among those who want them and limit nobody who is alone", name)
	case named && name != "project.cpu-shares":
		return e.Errorf("%s: of the resource controls only project.cpu-shares is modelled", console.Shown(name))
	case o.has('x') || o.has('e') || o.has('d') || o.has('P'):
		return e.Errorf("-x, -e, -d and -P are not modelled")
	case len(o.rest) == 0:
		return misused(e, nil, prctlUse)
	case idtype != "" && idtype != "project" && idtype != "process" && idtype != "pid":
		return e.Errorf("id type %q, want process or project", console.Shown(idtype))
	}
	text, change := o.value('v')
	if !change {
		return showShares(e, idtype, o.rest)
	}
	if idtype != "project" || len(o.rest) != 1 || !named {
		return misused(e, nil, prctlUse)
	}
	shares, err := strconv.Atoi(text)
	if err != nil {
		return e.Errorf("-v %q, want a number of shares", console.Shown(text))
	}
	if err := e.Machine.SetShares(o.rest[0], shares); err != nil {
		return e.Errorf("%s", reason(err))
	}
	return 0
}

func showShares(e *console.Env, idtype string, ids []string) int {
	bad := 0
	for _, id := range ids {
		p, title, err := project(e, idtype, id)
		if err != nil {
			bad = e.Errorf("%s", err)
			continue
		}
		e.Println(title)
		e.Println("NAME    PRIVILEGE       VALUE    FLAG   ACTION                       RECIPIENT")
		e.Println("project.cpu-shares")
		e.Printf("        privileged      %5d       -   none                                 -\n", p.Shares)
		e.Println("        system          65.5K     max   none                                 -")
	}
	return bad
}

// project finds the project that an id of prctl's means, and how it is headed.
func project(e *console.Env, idtype, id string) (console.Project, string, error) {
	if idtype == "project" {
		p, ok := findProject(e.Machine, id)
		if !ok {
			return p, "", fmt.Errorf("project %q does not exist", console.Shown(id))
		}
		return p, fmt.Sprintf("project: %d: %s", p.ID, p.Name), nil
	}
	found, err := e.Machine.Find("pid", []string{id})
	if err != nil || len(found) == 0 {
		return console.Project{}, "", fmt.Errorf("process %s: No such process", console.Shown(id))
	}
	return ofProcess(e.Machine, found[0])
}

func ofProcess(m console.Machine, t sched.ThreadID) (console.Project, string, error) {
	x := m.Process(t)
	p, ok := findProject(m, strconv.Itoa(x.Project))
	if !ok {
		p = console.Project{ID: x.Project, Name: "-", Shares: 1}
	}
	return p, fmt.Sprintf("process: %d: %s", x.PID, x.Name), nil
}
