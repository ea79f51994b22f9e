package linux22

import (
	"fmt"
	"slices"
	"strings"

	"strandscope/sim/clock"
	"strandscope/sim/console"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
)

var ps = console.Command{
	Name: "ps", Synopsis: "ps [axulrhw] [PID…]\nps [-e] [-f] [-l] [-p PID[,PID…]]", Help: "lists processes",
	Man: `Without options: those of this terminal. a and x together, or -e, list all; a number
or -p lists some. u, l, -f and -l show more of each, r only those that run or wait
for a CPU, h leaves the heading out.

PRI in "ps l" is what top shows: 20 less half the ticks left; "ps -l" adds 60 to it.
%CPU is the time used of the time since the process started, C the same in whole
percent. TIME counts clock ticks charged. TTY, users, sizes, flags and where a
process sleeps are decoration. ps itself costs the model nothing and is not listed.`,
	Options: []string{"-e", "-f", "-l", "-p PID"},
	Complete: func(e *console.Env, args []string) []string {
		return append(console.CompletePIDs(e, args), "ax", "aux", "axl", "l", "u")
	},
	Run: runPs,
}

// psOptions are what the command line says.
type psOptions struct {
	all, tty, free bool // every one; those with a terminal; those without
	running        bool
	pids           []int32
	bare           bool // no heading
	form           byte // 'u', 'l', 'L' (-l), 'f' (-f), 'x' (BSD's short one) or 0
}

func runPs(e *console.Env, args []string) int {
	var o psOptions
	for i := 0; i < len(args); i++ {
		word, next := args[i], ""
		if i+1 < len(args) {
			next = args[i+1]
		}
		used, err := o.word(word, next)
		if err != "" {
			e.Complain("ERROR: " + err)
			e.Complain("usage: ps [axulrhw] [PID…]   ps [-e] [-f] [-l] [-p PID…]")
			return 1
		}
		if used {
			i++
		}
	}
	list := e.Machine.Processes()
	mine := newSession(e, list)
	if !o.bare {
		e.Println(psHeading[o.form])
	}
	n := 0
	for i := range list {
		p := psRow{&list[i], e, mine.has(list[i].PID)}
		if o.wants(p) {
			e.Println(p.text(o.form))
			n++
		}
	}
	if n == 0 {
		return 1
	}
	return 0
}

// word takes an option, and reports whether it used the next word too.
func (o *psOptions) word(word, next string) (used bool, err string) {
	sysv := strings.HasPrefix(word, "-") && strings.Trim(word[1:], "eAflpw") == "" && len(word) > 1
	letters := strings.TrimPrefix(word, "-")
	switch {
	case sysv && strings.HasSuffix(letters, "p"):
		used = true
	case !sysv:
		if pids, bad := ids(word); bad == nil {
			o.pids = append(o.pids, pids...)
			return false, ""
		}
	}
	for _, c := range letters {
		switch {
		case c == 'w':
		case sysv:
			switch c {
			case 'e', 'A':
				o.all = true
			case 'f':
				o.form = 'f'
			case 'l':
				o.form = 'L'
			}
		case c == 'a', c == 'x':
			o.tty, o.free = o.tty || c == 'a', o.free || c == 'x'
			if o.form == 0 {
				o.form = 'x'
			}
		case c == 'u', c == 'l':
			o.form = byte(c)
		case c == 'r':
			o.running = true
		case c == 'h':
			o.bare = true
		case word[0] == '-':
			return false, "Unsupported SysV option."
		default:
			return false, "Unsupported option (BSD syntax)"
		}
	}
	if used {
		pids, bad := ids(next)
		if bad != nil {
			return false, "List of process IDs must follow -p."
		}
		o.pids = append(o.pids, pids...)
	}
	return used, ""
}

// wants: without a choice, those of this terminal; root owns all, so that x alone
// lists all too.
func (o *psOptions) wants(p psRow) bool {
	switch {
	case o.running && letter(p.Process) != 'R':
		return false
	case len(o.pids) > 0:
		return slices.Contains(o.pids, p.PID)
	case o.all || o.free:
		return true
	}
	return p.mine
}

var psHeading = map[byte]string{
	0:   "  PID TTY          TIME CMD",
	'x': "  PID TTY      STAT   TIME COMMAND",
	'u': "USER       PID %CPU %MEM   VSZ  RSS TTY      STAT START   TIME COMMAND",
	'l': "  F   UID   PID  PPID PRI  NI   VSZ  RSS WCHAN  STAT TTY        TIME COMMAND",
	'L': "  F S   UID   PID  PPID  C PRI  NI ADDR    SZ WCHAN  TTY          TIME CMD",
	'f': "UID        PID  PPID  C STIME TTY          TIME CMD",
}

// psRow is a process as ps writes it.
type psRow struct {
	*console.Process
	e    *console.Env
	mine bool // of the shell's terminal
}

func (p psRow) text(form byte) string {
	deco := console.Decorate
	tty, wchan := deco("?       "), deco("nanosl")
	if p.mine {
		tty = deco("pts/0   ")
	}
	if letter(p.Process) != 'S' {
		wchan = deco("-     ")
	}
	minutes := stats.MinutesText(p.Ticks)
	share := p.percent()
	switch form {
	case 'x':
		return fmt.Sprintf("%5d %s %-4s %6s %s", p.PID, tty, p.stat(), minutes, p.command())
	case 'u':
		return fmt.Sprintf("%s %5d %4s %s %s %-4s %s %6s %s", deco("root    "), p.PID, fmt.Sprintf("%d.%d", share/10, share%10),
			deco(" 0.0  1064  216"), tty, p.stat(), p.start(), minutes, p.command())
	case 'l':
		return fmt.Sprintf("%s %5d %5d %3d %3d %s %s %-4s %s %6s %s", deco("000     0"), p.PID, p.PPID, p.Priority, p.Nice,
			deco(" 1064  216"), wchan, p.stat(), tty, minutes, p.command())
	case 'L':
		return fmt.Sprintf("%s %c %s %5d %5d %2d %3d %3d %s %s %s %8s %s", deco("000"), letter(p.Process), deco("    0"), p.PID, p.PPID,
			min(share/10, 99), 60+p.Priority, p.Nice, deco("   -   266"), wchan, tty, p.hours(), p.command())
	case 'f':
		return fmt.Sprintf("%s %5d %5d %2d %s %s %8s %s", deco("root    "), p.PID, p.PPID, min(share/10, 99), p.start(), tty, p.hours(), p.command())
	}
	return fmt.Sprintf("%5d %s %8s %s", p.PID, tty, p.hours(), p.command())
}

// stat is the state as ps writes it.
func (p psRow) stat() string {
	s := string(letter(p.Process))
	switch {
	case p.Nice > 0:
		s += "N"
	case p.Nice < 0:
		s += "<"
	}
	return s
}

func (p psRow) command() string {
	if p.Zombie {
		return p.Name + " <defunct>"
	}
	return p.Name
}

// percent is the share of its life that it was charged, in tenths of a percent.
func (p psRow) percent() int64 {
	seconds := int64(p.e.Machine.Now().Sub(p.Started) / clock.Second)
	if seconds <= 0 || p.State == sched.Gone {
		return 0
	}
	return min(p.Ticks*1000/hz/seconds, 999)
}

// start is the time of the day at which it started.
func (p psRow) start() string {
	m := int64(p.e.Machine.Boot().Clock) + int64(p.Started)/int64(clock.Minute)
	return fmt.Sprintf("%02d:%02d", m/60%24, m%60)
}

func (p psRow) hours() string {
	s := p.Ticks / hz
	return fmt.Sprintf("%02d:%02d:%02d", s/3600, s/60%60, s%60)
}
