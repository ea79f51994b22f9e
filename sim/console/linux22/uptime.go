package linux22

import (
	"fmt"

	"strandscope/sim/console"
	"strandscope/sim/stats"
)

var uptime = console.Command{
	Name: "uptime", Synopsis: "uptime [-V]", Help: "tells how long the machine has been up, and its load averages",
	Man: `The load averages count the tasks that run or wait for a CPU, one sample every
five seconds, over about 1, 5 and 15 minutes. The kernel keeps them as whole
numbers that are cut with every sample: n hogs never quite come to n, and the
third average is 3 % slow. Minutes are cut too.`,
	Options: []string{"-V"},
	Run: func(e *console.Env, args []string) int {
		if len(args) > 0 {
			return version(e, args, "usage: uptime [-V]")
		}
		e.Println(header(e))
		return 0
	},
}

// version answers -V, and anything else with how the command is used.
func version(e *console.Env, args []string, usage ...string) int {
	if len(args) == 1 && args[0] == "-V" {
		e.Println(console.Decorate("procps version 2.0.2"))
		return 0
	}
	e.Usage(usage...)
	return 1
}

var w = console.Command{
	Name: "w", Synopsis: "w [-hsV]", Help: "tells who is logged in, below what uptime prints",
	Man: `-h leaves the head out, -s the times. The model knows how many users there are
and nothing of who they are: all lines about them are decoration, except the
command of the first, who is you.`,
	Options: []string{"-h", "-s", "-V"},
	Run:     runW,
}

func runW(e *console.Env, args []string) int {
	const usage = "usage: w -hsV"
	head, times := true, true
	for _, a := range args {
		switch a {
		case "-h":
			head = false
		case "-s":
			times = false
		default:
			return version(e, args, usage)
		}
	}
	b := e.Machine.Boot()
	if head {
		e.Println(header(e))
		if times {
			e.Println("USER     TTY      FROM              LOGIN@   IDLE   JCPU   PCPU  WHAT")
		} else {
			e.Println("USER     TTY      FROM               IDLE  WHAT")
		}
	}
	login := stats.DayTime(0, b.Clock)
	for i := range b.Users {
		idle, cpu, what := "5:00", "0.05s", "-bash"
		if i == 0 {
			idle, cpu, what = "0.00s", "0.03s", "w"
		}
		line := fmt.Sprintf("%-8s pts/%-4d -                ", "root", i)
		if times {
			line += fmt.Sprintf("%8s %6s %6s %6s  ", login, idle, cpu, "0.02s")
		} else {
			line += fmt.Sprintf("%7s  ", idle)
		}
		e.Println(console.Decorate(line) + what)
	}
	return 0
}
