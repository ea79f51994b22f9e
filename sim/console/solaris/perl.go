package solaris

import (
	"errors"
	"strings"

	"strandscope/sim/console"
	"strandscope/sim/console/solaris/perl"
	"strandscope/sim/sched"
)

const perlUse = "perl [-w] -e SCRIPT… [ARGUMENT…]"

var perlCommand = console.Command{
	Name: "perl", Synopsis: perlUse, Help: "runs a one-liner that forks, spins, sleeps and exits",
	Man: `A small part of Perl is followed: whole numbers, scalars and @ARGV, while, until,
for, foreach, if, unless, last, next, the modifiers of these, and or not && || ! ?:,
arithmetic and comparison, fork, sleep, exit, shift, defined, int. The rest is
refused in a sentence.
A loop that changes nothing which decides anything, as in while () {}, spins. A
fork costs 2 ms of the parent's CPU time (a model, that of the scenario
t2000-perl-fork); arithmetic costs none. fork never fails.
The tip's one-liner starts 32 processes, the first included, which all spin:
    perl -e 'while (--$ARGV[0] and fork) {}; while () {}' 32 &`,
	Options: []string{"-e SCRIPT", "-w"},
	Start:   startPerl,
}

// maxProcesses is how many processes a machine takes in all its time.
const maxProcesses = 100_000

func startPerl(e *console.Env, args []string) (console.Tool, int) {
	o, err := getopt(args, "e:wlnpaiM:I:cvV")
	switch {
	case err != nil && strings.HasPrefix(err.Error(), "option requires"):
		e.Complain("No code specified for -e.")
		return nil, 2
	case err != nil:
		e.Complain("Unrecognized switch: " + strings.TrimPrefix(err.Error(), "illegal option -- ") + "  (-e SCRIPT is what is followed here).")
		return nil, 29
	case o.has('v'), o.has('V'):
		return nil, e.Errorf("-v: there is no Perl here; what one-liners do is followed, see man perl")
	case !o.has('e'):
		if len(o.rest) > 0 {
			e.Complain("Can't open perl script \"" + console.Shown(o.rest[0]) + "\": No such file or directory")
			return nil, 2
		}
		return nil, misused(e, nil, perlUse)
	}
	var lines []string
	for _, x := range o.set {
		switch x.letter {
		case 'e':
			lines = append(lines, x.value)
		case 'w', 'l':
		default:
			return nil, e.Errorf("-%c is not followed; -e and -w are", x.letter)
		}
	}
	return runPerl(e, strings.Join(lines, "\n"), o.rest)
}

func runPerl(e *console.Env, src string, args []string) (console.Tool, int) {
	s, err := perl.Compile(src, args, maxProcesses-started(e.Machine))
	var refused perl.Unmodelled
	switch {
	case errors.As(err, &refused):
		e.Errorf("%s", err)
		return nil, 255
	case err != nil && !strings.Contains(err.Error(), "-e line"):
		e.Errorf("%s", err)
		return nil, 255
	case err != nil && strings.HasPrefix(err.Error(), "syntax error"):
		e.Complain(err.Error())
		e.Complain("Execution of -e aborted due to compilation errors.")
		return nil, 255
	case err != nil:
		e.Complain(err.Error())
		return nil, 255
	}
	t, status := e.Spawn("perl", s.Program)
	if t == nil {
		return nil, status
	}
	return &exiting{t, s.Status}, 0
}

// started is how many threads there have been: ids follow each other.
func started(m console.Machine) int {
	last := sched.ThreadID(0)
	for _, p := range m.Processes() {
		last = max(last, p.ID)
	}
	return int(last) + 1
}

// exiting waits for a process whose exit status is known.
type exiting struct {
	tool   console.Tool
	status int
}

// Step implements console.Tool.
func (x *exiting) Step(e *console.Env) console.Wait {
	w := x.tool.Step(e)
	if w.Done && w.Status == 0 {
		w.Status = x.status
	}
	return w
}
