package solaris

import (
	"fmt"
	"slices"
	"strings"

	"strandscope/sim/clock"
	"strandscope/sim/console"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
)

const prstatUse = "prstat [-c] [-m | -J] [-n ROWS[,ROWS]] [-p PIDS] [-j PROJECTS] [-P CPUS] [-C SETS]\n" +
	"       [-s KEY | -S KEY] [INTERVAL [COUNT]]"

var prstat = console.Command{
	Name: "prstat", Synopsis: prstatUse, Help: "shows the processes that use most CPU time, again and again",
	Man: `It fills the screen until q is pressed; in a pipe, in the background or with -c
it prints one table under the other. INTERVAL is 5 seconds if it is not given.
CPU is the recent use in percent of all on-line CPUs: a process that never stops
on a machine of 32 has 3.1. STATE is cpuN, run (it waits), sleep or zombie.
-m has microstates in percent instead, LAT the wait for a CPU, VCX and ICX
switches that were voluntary and forced; -J adds a table of projects.
-n bounds the rows (and those of the projects' table); -p, -j, -P and -C pick
processes by id, project, last CPU and processor set, numbers with commas.
-s sorts by cpu, time, pri, size or rss, -S the other way round.
SIZE, RSS, SWAP, MEMORY and the columns that are always 0 are decoration.`,
	Options: []string{"-c", "-m", "-J", "-n ROWS", "-p PIDS", "-j PROJECTS", "-P CPUS", "-C SETS", "-s KEY", "-S KEY"},
	Complete: func(e *console.Env, args []string) []string {
		switch after(args) {
		case "-s", "-S":
			return sortKeys
		case "-p":
			return console.CompletePIDs(e, args)
		case "-j":
			return completeProjects(e, args)
		case "-P":
			return completeCPUs(e, args)
		case "-C":
			return completeSets(e, args)
		}
		return nil
	},
	Start: startPrstat,
}

var sortKeys = []string{"cpu", "pri", "rss", "size", "time"}

// screenRows is how many lines a terminal has.
const screenRows = 24

func startPrstat(e *console.Env, args []string) (console.Tool, int) {
	o, err := getopt(args, "cmJn:p:j:P:C:s:S:vLRatTu:U:z:Z")
	for _, x := range o.set {
		if strings.IndexByte("vLRatTuUzZ", x.letter) >= 0 {
			return nil, e.Errorf("-%c is not modelled: every process has one thread, and all are root's", x.letter)
		}
	}
	t := &prstatTool{seconds: 5}
	if err == nil && o.has('m') && o.has('J') {
		err = fmt.Errorf("-m and -J exclude each other here")
	}
	if err == nil {
		err = t.read(e, &o)
	}
	if err != nil {
		return nil, misused(e, err, prstatUse)
	}
	t.fills = !o.has('c') && e.Foreground()
	if t.fills && t.pick.Rows == 0 {
		t.pick.Rows = screenRows - 2
		if t.view == stats.PrProjects {
			t.pick.Rows, t.pick.Sums = screenRows-9, 6
		}
	}
	return t, 0
}

type prstatTool struct {
	pace    pace
	seconds int
	view    stats.PrstatView
	pick    stats.PrstatPick
	fills   bool
	report  *stats.PrstatReport
}

func (t *prstatTool) read(e *console.Env, o *options) error {
	words := o.rest
	if len(words) == 0 {
		words = []string{"5"}
	}
	var err error
	if t.pace, err = readPace(words, e.Machine.Now()); err != nil {
		return err
	}
	t.seconds = int(t.pace.every / clock.Second)
	switch {
	case o.has('m'):
		t.view = stats.PrMicrostates
	case o.has('J'):
		t.view = stats.PrProjects
	}
	for _, x := range o.set {
		if err := t.pickBy(e, x); err != nil {
			return err
		}
	}
	return nil
}

// pickBy reads an option that narrows the table down.
func (t *prstatTool) pickBy(e *console.Env, x option) error {
	switch x.letter {
	case 's', 'S':
		if !slices.Contains(sortKeys, x.value) {
			return fmt.Errorf("-%c %q, want %s", x.letter, console.Shown(x.value), strings.Join(sortKeys, ", "))
		}
		t.pick.Sort, t.pick.Ascending = x.value, x.letter == 'S'
	case 'n':
		rows, sums, both := strings.Cut(x.value, ",")
		var err error
		if t.pick.Rows, err = integer("-n", rows, 1, 1_000_000); err == nil && both {
			t.pick.Sums, err = integer("-n", sums, 1, 1_000_000)
		}
		return err
	case 'j':
		for _, name := range splitList(x.value) {
			p, ok := findProject(e.Machine, name)
			if !ok {
				return fmt.Errorf("project %q does not exist", console.Shown(name))
			}
			t.pick.Projects = append(t.pick.Projects, sched.GroupID(p.ID))
		}
	case 'p', 'P', 'C':
		ids, err := list("-"+string(x.letter), x.value)
		if err != nil {
			return err
		}
		switch x.letter {
		case 'P':
			t.pick.CPUs = append(t.pick.CPUs, ids...)
		case 'C':
			t.pick.Sets = append(t.pick.Sets, ids...)
		default:
			for _, id := range ids {
				t.pick.PIDs = append(t.pick.PIDs, int32(min(id, 1<<31-1)))
			}
		}
	}
	return nil
}

func splitList(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
}

// Step implements console.Tool.
func (t *prstatTool) Step(e *console.Env) console.Wait {
	now := e.Machine.Now()
	for k := e.Key(); k != 0; k = e.Key() {
		if k == 'q' || k == 'Q' {
			return console.Done(0)
		}
	}
	if t.report == nil {
		if t.report = e.Machine.Prstat(t.seconds, t.view); t.report == nil {
			return console.Done(e.Errorf("this kernel keeps no microstates"))
		}
		t.report.Pick = t.pick
	}
	for t.pace.due(now) {
		t.report.Print(now)
		t.show(e)
		t.report.Lines = t.report.Lines[:0]
	}
	return t.pace.wait()
}

func (t *prstatTool) show(e *console.Env) {
	if !t.fills || t.pace.left == 0 {
		printAll(e, t.report.Lines) // the last table stays to be seen
		return
	}
	lines := slices.Clone(t.report.Lines)
	for i := range lines {
		lines[i] = console.Plain(lines[i])
	}
	e.Screen(lines)
}
