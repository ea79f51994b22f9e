package solaris

import (
	"fmt"
	"strconv"

	"strandscope/sim/clock"
	"strandscope/sim/console"
	"strandscope/sim/stats"
)

// maxInterval is the longest interval of a report, in seconds: some eleven days.
const maxInterval = 1_000_000

// pace is when a report prints: [interval [count]].
type pace struct {
	every clock.Duration
	left  int // tables still to come; −1: without an end
	next  clock.Time
}

// readPace reads the operands. Without any there is one table.
func readPace(words []string, now clock.Time) (pace, error) {
	p := pace{left: 1}
	if len(words) > 2 {
		return p, fmt.Errorf("%q is too much", console.Shown(words[2]))
	}
	if len(words) > 0 {
		n, err := integer("interval", words[0], 1, maxInterval)
		if err != nil {
			return p, err
		}
		p.every, p.left = clock.Duration(n)*clock.Second, -1
	}
	if len(words) > 1 {
		n, err := integer("count", words[1], 1, 1<<30)
		if err != nil {
			return p, err
		}
		p.left = n
	}
	p.next = now
	return p, nil
}

// due reports whether a table is due now, and notes that it has been printed.
func (p *pace) due(now clock.Time) bool {
	if p.left == 0 || now < p.next {
		return false
	}
	p.next = p.next.Add(p.every)
	if p.left > 0 {
		p.left--
	}
	return true
}

// wait is for the next table.
func (p *pace) wait() console.Wait {
	if p.left == 0 {
		return console.Done(0)
	}
	return console.Until(p.next)
}

const vmstatUse = "vmstat [INTERVAL [COUNT]]"

var vmstat = console.Command{
	Name: "vmstat", Synopsis: vmstatUse, Help: "tells how busy the machine is: run queue, user, system and idle time",
	Man: `The first line is about the time since boot, each further one about the last
INTERVAL seconds; without COUNT it goes on until Ctrl-C.
r is how many threads waited for a CPU, sampled once a second, those that run not
counted; us, sy and id are the time of all on-line CPUs in percent, rounded, so
that they need not add up to 100. cs counts switches of threads a second. The
processor sets do not matter here: it is always the whole machine. Memory, disks
and faults are decoration.`,
	Start: func(e *console.Env, args []string) (console.Tool, int) {
		o, err := getopt(args, "")
		if err != nil {
			return nil, misused(e, fmt.Errorf("%w; of its options none is modelled", err), vmstatUse)
		}
		p, err := readPace(o.rest, e.Machine.Now())
		if err != nil {
			return nil, misused(e, err, vmstatUse)
		}
		return &vmstatTool{pace: p}, 0
	},
}

type vmstatTool struct {
	pace   pace
	report *stats.VmstatReport
}

// Step implements console.Tool.
func (t *vmstatTool) Step(e *console.Env) console.Wait {
	now := e.Machine.Now()
	for t.pace.due(now) {
		if t.report == nil {
			t.report = e.Machine.Vmstat()
		} else {
			t.report.Print(now)
		}
		printAll(e, t.report.Lines)
		t.report.Lines = t.report.Lines[:0]
	}
	return t.pace.wait()
}

func printAll(e *console.Env, lines []string) {
	for _, l := range lines {
		e.Println(l)
	}
}

const mpstatUse = "mpstat [-a] [-p] [-q] [INTERVAL [COUNT]]"

var mpstat = console.Command{
	Name: "mpstat", Synopsis: mpstatUse, Help: "tells of each CPU how busy it is and what switches there",
	Man: `The first block is about the time since boot, each further one about the last
INTERVAL seconds. csw counts switches, icsw those that were forced, migr threads
that came from another CPU, each a second; usr, sys and idl are percent.
-a has a row for each processor set instead (sze: its CPUs), -p tells each CPU's
set. CPUs that are off-line are left out. minf, mjf, xcal, intr, ithr, smtx, srw and
syscl are decoration. -q, no messages in between, is always so here.`,
	Options: []string{"-a", "-p", "-q"},
	Start: func(e *console.Env, args []string) (console.Tool, int) {
		o, err := getopt(args, "apq")
		if err != nil {
			return nil, misused(e, err, mpstatUse)
		}
		p, err := readPace(o.rest, e.Machine.Now())
		if err != nil {
			return nil, misused(e, err, mpstatUse)
		}
		t := &mpstatTool{pace: p}
		switch {
		case o.has('a'):
			t.view = stats.PerSet
		case o.has('p'):
			t.view = stats.PerCPUWithSet
		}
		return t, 0
	},
}

type mpstatTool struct {
	pace   pace
	view   stats.MpstatView
	report *stats.MpstatReport
}

// Step implements console.Tool.
func (t *mpstatTool) Step(e *console.Env) console.Wait {
	m := e.Machine
	for t.pace.due(m.Now()) {
		if t.report == nil {
			t.report = m.Mpstat(t.view)
		} else {
			sets := make([]int, m.CPUs())
			for c := range sets {
				sets[c] = m.SetOf(c)
			}
			t.report.Print(m.Now(), sets)
		}
		printAll(e, t.report.Lines)
		t.report.Lines = t.report.Lines[:0]
	}
	return t.pace.wait()
}

// list reads numbers with commas between them, as prstat -p takes them.
func list(what, text string) ([]int, error) {
	var ids []int
	for _, w := range splitList(text) {
		n, err := strconv.Atoi(w)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("%s %q, want numbers with commas between them", what, console.Shown(text))
		}
		ids = append(ids, n)
	}
	return ids, nil
}
