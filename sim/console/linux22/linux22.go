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

// The kernels' releases, as uname and /proc/version give them.
const (
	release    = "2.2.8-pre5"
	oldRelease = "2.2.7"
)

// System is a distribution of 1999 with the kernel 2.2.8-pre5, Old with 2.2.7.
var (
	System = Box("2.2", release+" #1 SMP i686 unknown", oldVersion(release))
	Old    = Box("2.2", oldRelease+" #1 SMP i686 unknown", oldVersion(oldRelease))
)

// Box is such a box with a kernel of a series, what uname says of it, and what
// /proc/version does; the manual's pages describe 2.2.
func Box(series, uname, version string) *console.System {
	return &console.System{
		Name: "Linux box " + uname,
		Intro: "This is the simulated machine's own shell, on Linux " + series + ". Time passes only while\n" +
			"a command waits, or while the animation runs. top, ps and vmstat look at the\n" +
			"machine, ./loop & gives it work, and ping shows how soon it answers.",
		Commands: []console.Command{
			chrt, date, free, hostname, kill, ls, nice, ping, ps, reboot, renice, shutdown, top, uptime, vmstat, w,
		},
		Paths: paths,
		Read: func(e *console.Env, path string) (string, bool) {
			if path == "/proc/version" {
				return version, true
			}
			return read(e, path)
		},
	}
}
