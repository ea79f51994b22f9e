package linux22

import (
	"strings"

	"strandscope/sim/console"
)

// Pages of man whose remarks on the kernel hold for 2.2 alone, as they are for 6.1 and
// later.
const (
	laterChrt = `-f is SCHED_FIFO, -r SCHED_RR, both with a PRIORITY of 1 to 99, -o the ordinary
SCHED_OTHER. With -p it is a process that runs already; without a class its class
is shown.
A real-time task beats every ordinary one; RR tasks of equal priority take turns of
100 ms. The 5 % of time that a real kernel keeps for the others are not modelled.`
	laterNice = `The nice value goes from -20, which gets most, to 19; 20 is 19. A process inherits
it. Each step is a quarter more or less of weight, and CPU time is shared by weight.
Without a command nice prints its own value.`
	laterRenice = `PRIORITY is the new value itself, -20 to 19; beyond that it is cut, and 20 is 19.
The new weight counts at once. -g and -u, groups of processes and users, are not
modelled.`
	laterUptime = `The load averages count the tasks that are queued for a CPU, one sample every
five seconds and a tick, over about 1, 5 and 15 minutes. The kernel rounds up while
they rise, so that n hogs come to n. Under EEVDF a sleeper whose dequeue is delayed
counts until it has left. Minutes are cut.`
)

// Later is the same shell on a later kernel: what such a box of today prints in other
// columns is not modelled. PRI is 20 + nice, or -1 less the real-time priority.
func Later(release string) *console.System {
	s := *System
	s.Name = "Linux box " + release + " #1 SMP PREEMPT_DYNAMIC x86_64 GNU/Linux"
	s.Intro = "This is the simulated machine's own shell, on Linux " + release + ", with commands as of\n" +
		"2.2. Time passes only while a command waits, or while the animation runs. top, ps and\n" +
		"vmstat look at the machine, ./loop & gives it work, and ping shows how soon it answers."
	s.Commands = nil
	for _, c := range System.Commands {
		switch c.Name {
		case "date", "free": // they print the day and the memory of 1999
			continue
		case "chrt":
			c.Man = laterChrt
		case "nice":
			c.Man = laterNice
		case "renice":
			c.Man = laterRenice
		case "uptime":
			c.Man = laterUptime
		}
		s.Commands = append(s.Commands, c)
	}
	s.Read = laterRead
	return &s
}

// laterRead is read with the kernel's own version.
func laterRead(e *console.Env, path string) (string, bool) {
	if path == "/proc/version" {
		return console.Decorate("Linux version "+strings.Fields(e.System())[2]) + "\n", true
	}
	return read(e, path)
}
