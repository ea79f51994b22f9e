package solaris

import (
	"strconv"

	"strandscope/sim/console"
	"strandscope/sim/sched"
)

const pbindUse = "pbind -b CPU PID…\npbind -u PID…\npbind -q [PID…]"

var pbind = console.Command{
	Name: "pbind", Synopsis: pbindUse, Help: "binds processes to one processor, or frees them",
	Man: `A process that is bound runs on that CPU and on no other, whatever waits or
idles elsewhere; what it forks is bound there too. The CPU must be of the
process's processor set and on-line. -q tells which processes are bound.`,
	Options: []string{"-b CPU", "-u", "-q"},
	Complete: func(e *console.Env, args []string) []string {
		if after(args) == "-b" {
			return completeCPUs(e, args)
		}
		return console.CompletePIDs(e, args)
	},
	Run: runPbind,
}

func runPbind(e *console.Env, args []string) int {
	o, err := getopt(args, "b:uqQU")
	var what byte
	if err == nil {
		what, err = o.one("buqQU")
	}
	if err != nil || what != 'q' && what != 'Q' && len(o.rest) == 0 {
		return misused(e, err, pbindUse)
	}
	cpuText := func(cpu int) string {
		if cpu == sched.NoCPU {
			return ""
		}
		return strconv.Itoa(cpu)
	}
	was := func(p console.Process) string {
		if p.Bound == sched.NoCPU {
			return "not bound"
		}
		return cpuText(p.Bound)
	}
	switch what {
	case 'b':
		text, _ := o.value('b')
		cpu, err := number(text, e.Machine.CPUs())
		if err != nil {
			return e.Errorf("%s", err)
		}
		return bindAll(e, o.rest, func(p console.Process) (string, string, error) {
			return was(p), strconv.Itoa(cpu), e.Machine.Bind(p.ID, cpu)
		})
	case 'u':
		return bindAll(e, o.rest, func(p console.Process) (string, string, error) {
			return was(p), "not bound", e.Machine.Bind(p.ID, sched.NoCPU)
		})
	case 'q':
		return tellBound(e, o.rest, func(p console.Process) string { return cpuText(p.Bound) })
	}
	return e.Errorf("-Q and -U are of a later release; use -q and -u")
}

const psradmUse = "psradm -f|-n [-v] CPU…\npsradm -a -f|-n [-v]"

var psradm = console.Command{
	Name: "psradm", Synopsis: psradmUse, Help: "takes processors off-line (-f) or brings them back (-n)",
	Man: `What ran or waited on a CPU that goes off-line runs elsewhere in its processor
set. One to which a process is bound cannot go, nor the last of a set with
processes. -a is all CPUs; -v tells of each. CPUs are numbers and ranges: 0 4-7.
-i (no interrupts), -s (spare) and -F (by force) are not modelled. All are back
after a reboot.`,
	Options: []string{"-f", "-n", "-a", "-v"}, Complete: completeCPUs, Run: runPsradm,
}

func runPsradm(e *console.Env, args []string) int {
	o, err := getopt(args, "fnisavF")
	switch {
	case err != nil:
		return misused(e, err, psradmUse)
	case o.has('F'):
		return e.Errorf("%s", errNoForce)
	case o.has('i'), o.has('s'):
		return e.Errorf("-i and -s are not modelled: a processor is on-line or off-line here")
	}
	what, err := o.one("fn")
	if err != nil || o.has('a') == (len(o.rest) > 0) {
		return misused(e, err, psradmUse)
	}
	words := o.rest
	if o.has('a') {
		words = []string{"0-" + strconv.Itoa(e.Machine.CPUs()-1)}
	}
	cpus, err := numbers(words, e.Machine.CPUs())
	if err != nil {
		return e.Errorf("%s", err)
	}
	bad := 0
	for _, c := range cpus {
		was := stateText(e.Machine.CPU(c).Online)
		if err := e.Machine.SetOnline(c, what == 'n'); err != nil {
			bad = e.Errorf("processor %d: %s", c, reason(err))
			continue
		}
		if now := stateText(what == 'n'); o.has('v') {
			e.Printf("processor %d: was %s, now %s\n", c, was, now)
		}
	}
	return bad
}

func stateText(online bool) string {
	if online {
		return "on-line"
	}
	return "off-line"
}
