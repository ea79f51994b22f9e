package linux22

import (
	"fmt"
	"slices"
	"strings"

	"strandscope/sim/clock"
	"strandscope/sim/console"
	"strandscope/sim/order"
)

// hostName is what the box is called; the mail does not say.
const hostName = "box"

var hostname = console.Command{
	Name: "hostname", Synopsis: "hostname", Help: "prints the machine's name",
	Man: "The name is decoration, and it cannot be set.",
	Run: func(e *console.Env, args []string) int {
		if len(args) > 0 {
			return e.Errorf("you must be root to change the host name, and here it is not modelled")
		}
		e.Println(console.Decorate(hostName))
		return 0
	},
}

var date = console.Command{
	Name: "date", Synopsis: "date", Help: "prints the time of the simulated clock",
	Man: `The time of the day is the scenario's time of boot and what has passed since;
the day is the one of the mail. It cannot be set, and formats are not modelled.`,
	Run: func(e *console.Env, args []string) int {
		if len(args) > 0 {
			return e.Errorf("invalid date `%s'", console.Shorten(args[0]))
		}
		e.Println(console.Decorate("Mon May 10 ") + timeOfDay(e) + console.Decorate(" CEST 1999"))
		return 0
	},
}

// timeOfDay is the simulated clock with seconds.
func timeOfDay(e *console.Env) string {
	s := int64(e.Machine.Boot().Clock)*60 + int64(e.Machine.Now())/int64(clock.Second)
	return fmt.Sprintf("%02d:%02d:%02d", s/3600%24, s/60%60, s%60)
}

var free = console.Command{
	Name: "free", Synopsis: "free [-b|-k|-m] [-o] [-t]", Help: "prints how much memory there is",
	Man: `All of it is decoration: the model has no memory. The figures are those of the
mail, in kilobytes, or in bytes (-b) or megabytes (-m). -o leaves the line about
buffers out, -t adds a total.`,
	Options: []string{"-b", "-k", "-m", "-o", "-t"},
	Run:     runFree,
}

// memory of the mail's box, in KB.
const (
	memTotal, memUsed, memFree, memShared, memBuffers, memCached = 515636, 301564, 214072, 63356, 244364, 7400
	swapTotal                                                    = 80320
)

func runFree(e *console.Env, args []string) int {
	scale := func(kb int) int { return kb }
	old, total := false, false
	for _, a := range args {
		if len(a) < 2 || a[0] != '-' || strings.Trim(a[1:], "bkmot") != "" {
			return e.Usage("usage: free [-b|-k|-m] [-o] [-s delay] [-t] [-V]")
		}
		for _, o := range a[1:] {
			switch o {
			case 'b':
				scale = func(kb int) int { return kb << 10 }
			case 'm':
				scale = func(kb int) int { return kb >> 10 }
			case 'o':
				old = true
			case 't':
				total = true
			}
		}
	}
	row := func(name string, kb ...int) {
		line := fmt.Sprintf("%-7s", name)
		for _, v := range kb {
			line += fmt.Sprintf(" %10d", scale(v))
		}
		e.Println(console.Decorate(line))
	}
	e.Println("             total       used       free     shared    buffers     cached")
	row("Mem:", memTotal, memUsed, memFree, memShared, memBuffers, memCached)
	if !old {
		const used = memUsed - memBuffers - memCached
		e.Println(console.Decorate(fmt.Sprintf("-/+ buffers/cache: %10d %10d", scale(used), scale(memTotal-used))))
	}
	row("Swap:", swapTotal, 0, swapTotal)
	if total {
		row("Total:", memTotal+swapTotal, memUsed, memFree+swapTotal)
	}
	return 0
}

var ls = console.Command{
	Name: "ls", Synopsis: "ls [PATH…]", Help: "lists files: what was written, programs, and /proc",
	Man: `There are the files that you write with >, the programs that can be started as
./NAME, and what the kernel makes up below /proc. Options are not modelled.`,
	Complete: func(e *console.Env, _ []string) []string { return append(e.Paths(), "/proc") },
	Run:      runLs,
}

func runLs(e *console.Env, args []string) int {
	if len(args) == 0 {
		args = []string{"."}
	}
	bad := 0
	for _, a := range args {
		if len(a) > 1 && a[0] == '-' {
			e.Errorf("options are not modelled: %s", console.Shorten(a))
			return 1
		}
		names, ok := entries(e, a)
		if !ok {
			bad = e.Errorf("%s: No such file or directory", console.Shorten(a))
		}
		for _, n := range names {
			e.Println(n)
		}
	}
	return bad
}

// entries are what a path holds: itself where it is a file.
func entries(e *console.Env, path string) ([]string, bool) {
	if _, ok := e.ReadFile(path); ok {
		return []string{path}, true
	}
	dir := strings.TrimSuffix(path, "/") + "/"
	here := path == "." || path == "./" || path == "/"
	if here {
		dir = ""
	}
	var names []string
	for _, p := range e.Paths() {
		if rest, ok := strings.CutPrefix(p, dir); ok {
			name, _, _ := strings.Cut(strings.TrimPrefix(rest, "/"), "/")
			names = append(names, name)
		}
	}
	if here {
		names = append(names, "loop")
		names = append(names, e.Machine.Programs()...)
	}
	names = slices.Compact(order.Strings(names))
	return names, len(names) > 0
}
