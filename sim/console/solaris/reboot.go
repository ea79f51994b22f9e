package solaris

import (
	"fmt"
	"slices"

	"strandscope/sim/console"
)

const rebootMan = `Everything that runs ends; processor sets, bindings, dispatch tables and shares
that were set by hand are gone, CPUs that were off-line are back. /etc stays, /tmp
does not. The service system/scheduler then reads /etc/dispadmin.conf: where it
names a default class, every process is put into that class, and new ones are
born there.`

var reboot = console.Command{
	Name: "reboot", Synopsis: "reboot", Help: "boots the machine anew", Man: rebootMan,
	Start: func(e *console.Env, args []string) (console.Tool, int) {
		if o, err := getopt(args, "lnqd"); err != nil || len(o.rest) > 0 {
			return nil, misused(e, err, "reboot")
		}
		return e.Reboot(configured(e))
	},
}

var initCommand = console.Command{
	Name: "init", Synopsis: "init 6", Help: "changes the run level; 6 boots the machine anew", Man: rebootMan,
	Start: func(e *console.Env, args []string) (console.Tool, int) {
		switch {
		case len(args) != 1:
			return nil, misused(e, nil, "init 6")
		case args[0] == "6":
			return e.Reboot(configured(e))
		case slices.Contains([]string{"0", "1", "2", "3", "4", "5", "s", "S", "q", "Q"}, args[0]):
			return nil, e.Errorf("run level %s is not modelled: there would be nothing left to see; init 6 reboots", args[0])
		}
		return nil, misused(e, fmt.Errorf("%q is no run level", console.Shown(args[0])), "init 6")
	},
}

var shutdown = console.Command{
	Name: "shutdown", Synopsis: "shutdown [-y] [-g SECONDS] -i6", Help: "boots the machine anew, after a grace period",
	Man:     "-g is the grace period, 60 seconds if not told; -y answers the question that the\nreal command asks. Only run level 6 is modelled.\n" + rebootMan,
	Options: []string{"-y", "-g SECONDS", "-i6"},
	Start:   startShutdown,
}

func startShutdown(e *console.Env, args []string) (console.Tool, int) {
	const use = "shutdown [-y] [-g SECONDS] -i6"
	o, err := getopt(args, "yg:i:")
	if err != nil {
		return nil, misused(e, err, use)
	}
	if level, ok := o.value('i'); !ok || level != "6" {
		return nil, e.Errorf("only -i6, a reboot, is modelled")
	}
	grace := 60
	if text, ok := o.value('g'); ok {
		if grace, err = integer("-g", text, 0, 86_400); err != nil {
			return nil, misused(e, err, use)
		}
	}
	if grace == 0 {
		return e.Reboot(configured(e))
	}
	e.Printf("The system will be shut down in %d seconds.\n", grace)
	p, err := readPace([]string{fmt.Sprint(grace), "1"}, e.Machine.Now())
	if err != nil {
		return nil, e.Errorf("%s", err)
	}
	p.next = p.next.Add(p.every)
	return &gracePeriod{p}, 0
}

// gracePeriod waits and then reboots.
type gracePeriod struct{ pace pace }

// Step implements console.Tool.
func (g *gracePeriod) Step(e *console.Env) console.Wait {
	if g.pace.due(e.Machine.Now()) {
		e.Reboot(configured(e))
	}
	if g.pace.left == 0 {
		return console.Wait{}
	}
	return g.pace.wait()
}
