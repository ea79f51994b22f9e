// Package linux22 is the commands of a Linux 2.2 box of 1999 on the simulated
// machine: a distribution of that spring with procps 2.0. What they print follows
// shared/reference/linux22/FACTS.md §13 and §14 and, in layout, what such boxes
// printed in mails of the time; pages of man are in our own words.
//
// A real shell runs for each fork, loses half of its counter with each and soon
// waits for the next recalculation with its children: 250 of them take it a minute
// or more (FACTS §10). The simulated prompt types from outside the machine. Its
// children halve the shell's counter all the same, but all those of one line exist
// at once, the later ones with nothing left; the first recalculation makes them
// equal. The scenario linux22-250-hogs has a shell that forks as a real one does.
package linux22

import "strandscope/sim/console"

// name228 is what uname says of the box of 1999.
const name228 = "Linux box 2.2.8-pre5 #1 SMP i686 unknown"

// commands of all these boxes.
var commands = []console.Command{
	chrt, date, free, hostname, kill, ls, nice, ping, ps, reboot, renice, shutdown, top, uptime, vmstat, w,
}

// System is a distribution of 1999 with a 2.2 kernel.
var System = &console.System{Name: name228, Intro: intro("2.2"), Commands: commands, Read: read, Paths: paths}

// Later is the same box with a later kernel, release and the rest of its uname, which
// the manual's pages on 2.2 do not describe.
func Later(series, uname string) *console.System {
	return &console.System{Name: "Linux box " + uname, Intro: intro(series), Commands: commands, Read: read, Paths: paths}
}

func intro(series string) string {
	return "This is the simulated machine's own shell, on Linux " + series + ". Time passes only while\n" +
		"a command waits, or while the animation runs. top, ps and vmstat look at the\n" +
		"machine, ./loop & gives it work, and ping shows how soon it answers."
}
