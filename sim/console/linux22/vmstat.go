package linux22

import (
	"strconv"

	"strandscope/sim/clock"
	"strandscope/sim/console"
	"strandscope/sim/stats"
)

var vmstat = console.Command{
	Name: "vmstat", Synopsis: "vmstat [-n] [DELAY [COUNT]]", Help: "prints how busy the CPUs were, every DELAY seconds",
	Man: `The first line is about the time since the machine was booted, each further one
about the time since the line before. Without DELAY there is the first line only,
without COUNT it goes on until Ctrl-C. -n prints the heading once.
r counts the tasks that run as well as those that wait, at the moment of the
line; us, sy and id are shares of all CPUs together; cs is switches a second.
Memory, swap, io and interrupts are decoration.`,
	Options: []string{"-n", "-V"},
	Start:   startVmstat,
}

// vmstatTool prints a line, sleeps and prints the next.
type vmstatTool struct {
	report *stats.VmstatReport
	delay  clock.Duration
	left   int // lines; −1: no end
	once   bool
	lines  int
	next   clock.Time
}

// maxDelay is the longest delay of vmstat and top, in seconds.
const maxDelay = 1_000_000

func startVmstat(e *console.Env, args []string) (console.Tool, int) {
	usage := func() int {
		return version(e, args, "usage: vmstat [-V] [-n] [delay [count]]",
			"              -V prints version.", "              -n causes the headers not to be reprinted regularly.",
			"              delay is the delay between updates in seconds.", "              count is the number of updates.")
	}
	t := &vmstatTool{left: 1}
	if len(args) > 0 && args[0] == "-n" {
		t.once, args = true, args[1:]
	}
	if len(args) > 2 {
		return nil, usage()
	}
	for i, a := range args {
		n, err := strconv.ParseUint(a, 10, 31)
		switch {
		case err != nil:
			return nil, usage()
		case i == 0:
			t.delay, t.left = clock.Duration(min(n, maxDelay))*clock.Second, -1
		default:
			t.left = int(n)
		}
	}
	if len(args) > 0 && t.delay == 0 {
		// As the original has it: no delay is no repetition either.
		t.left = 1
	}
	t.report = e.Machine.Vmstat()
	return t, 0
}

// Step implements console.Tool.
func (t *vmstatTool) Step(e *console.Env) console.Wait {
	now := e.Machine.Now()
	if t.lines > 0 {
		if now < t.next {
			return console.Until(t.next)
		}
		t.report.Print(now)
	}
	lines := t.report.Lines
	if t.once && t.lines > 0 {
		lines = lines[len(lines)-1:]
	}
	for _, l := range lines {
		e.Println(l)
	}
	t.report.Lines = t.report.Lines[:0]
	t.lines++
	if t.lines == t.left {
		return console.Done(0)
	}
	t.next = now.Add(t.delay)
	return console.Until(t.next)
}
