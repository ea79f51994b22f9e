package solaris

import (
	"fmt"

	"strandscope/sim/clock"
	"strandscope/sim/console"
	"strandscope/sim/stats"
)

var uptime = console.Command{
	Name: "uptime", Synopsis: "uptime", Help: "tells the time, how long the machine is up, and load averages",
	Man: `The load averages are of 1, 5 and 15 minutes. Solaris makes them from time spent
on CPUs and in run queues, smoothed over ten seconds before that.`,
	Run: func(e *console.Env, args []string) int {
		if len(args) > 0 {
			return misused(e, nil, "uptime")
		}
		e.Println(uptimeLine(e.Machine))
		return 0
	},
}

func uptimeLine(m console.Machine) string {
	const day = 24 * 60
	b := m.Boot()
	// The line reckons with one clock that began at boot.
	began := ((b.Clock-int(b.Up/clock.Minute))%day + day) % day
	return stats.Uptime(m.Now().Add(b.Up), began, b.Users, m.Load())
}

var who = console.Command{
	Name: "w", Synopsis: "w [-h]", Help: "is uptime, and who is logged in",
	Man:     "The rows of users are decoration: nobody is modelled who logs in. -h leaves the\nheading out.",
	Options: []string{"-h"},
	Run: func(e *console.Env, args []string) int {
		o, err := getopt(args, "h")
		if err != nil || len(o.rest) > 0 {
			return misused(e, err, "w [-h]")
		}
		m := e.Machine
		if !o.has('h') {
			e.Println(uptimeLine(m))
			e.Println("User     tty           login@  idle   JCPU   PCPU  what")
		}
		for i := range max(1, m.Boot().Users) {
			tty := "console"
			if i > 0 {
				tty = fmt.Sprintf("pts/%d", i)
			}
			e.Println(console.Decorate(fmt.Sprintf("%-8s %-12s %7s %5s %6s %6s  %s", "root", tty, loginAt(m.Boot()), "", "", "", "-sh")))
		}
		return 0
	},
}

// loginAt is the time of day at which the run began.
func loginAt(b console.Boot) string {
	half, h := "am", b.Clock/60%12
	if b.Clock >= 12*60 {
		half = "pm"
	}
	if h == 0 {
		h = 12
	}
	return fmt.Sprintf("%d:%02d%s", h, b.Clock%60, half)
}
