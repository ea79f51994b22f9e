package solaris

import (
	"fmt"
	"strconv"
	"strings"

	"strandscope/sim/console"
)

const psrinfoUse = "psrinfo [-v] [CPU…]\npsrinfo -p [-v] [CPU…]\npsrinfo -s CPU"

var psrinfo = console.Command{
	Name: "psrinfo", Synopsis: psrinfoUse, Help: "lists the processors and since when they are on-line",
	Man: `-v tells more of each; -p counts physical processors, or chips, and -pv says which
CPUs each has; -s prints 1 for a CPU that is on-line and 0 for one that is not.
CPUs are numbers and ranges: 0 4-7. Dates follow from the scenario's clock, whose
first day is the 14th of April 2008.`,
	Options: []string{"-p", "-s", "-v"}, Complete: completeCPUs, Run: runPsrinfo,
}

func runPsrinfo(e *console.Env, args []string) int {
	o, err := getopt(args, "vps")
	if err != nil || o.has('s') && (len(o.rest) != 1 || o.has('v') || o.has('p')) {
		return misused(e, err, psrinfoUse)
	}
	words := o.rest
	if len(words) == 0 {
		words = []string{"0-" + strconv.Itoa(e.Machine.CPUs()-1)}
	}
	cpus, err := numbers(words, e.Machine.CPUs())
	if err != nil {
		return e.Errorf("%s", err)
	}
	switch {
	case o.has('s'):
		e.Println(map[bool]string{true: "1", false: "0"}[e.Machine.CPU(cpus[0]).Online])
	case o.has('p'):
		chips(e, cpus, o.has('v'))
	default:
		for _, c := range cpus {
			cpuInfo(e, c, o.has('v'))
		}
	}
	return 0
}

func cpuInfo(e *console.Env, id int, long bool) {
	c, b := e.Machine.CPU(id), e.Machine.Boot()
	since := c.Since
	if since == 0 {
		since = bootedAt(b)
	}
	when := momentOf(b, since).us()
	if !long {
		e.Printf("%d\t%-9s since %s\n", id, stateText(c.Online), when)
		return
	}
	e.Printf("Status of virtual processor %d as of: %s\n", id, momentOf(b, e.Machine.Now()).us())
	e.Printf("  %s since %s.\n", stateText(c.Online), when)
	e.Printf("  The sparcv9 processor operates at %d MHz,\n", e.Machine.Hardware().MHz)
	e.Println("        and has a sparcv9 floating point processor.")
}

// chips is psrinfo -p.
func chips(e *console.Env, cpus []int, long bool) {
	h := e.Machine.Hardware()
	of := make([][]int, h.Chips)
	n := 0
	for _, c := range cpus {
		chip := e.Machine.CPU(c).Chip
		if len(of[chip]) == 0 {
			n++
		}
		of[chip] = append(of[chip], c)
	}
	if !long {
		e.Println(strconv.Itoa(n))
		return
	}
	for _, ids := range of {
		if len(ids) == 0 {
			continue
		}
		plural := "s"
		if len(ids) == 1 {
			plural = ""
		}
		e.Printf("The physical processor has %d virtual processor%s (%s)\n", len(ids), plural, ranges(ids))
		e.Printf("  %s (cpuid %d clock %d MHz)\n", h.CPUModel, ids[0], h.MHz)
	}
}

// ranges writes ascending numbers as 0-3 5.
func ranges(ids []int) string {
	var list []string
	for i := 0; i < len(ids); {
		j := i
		for j+1 < len(ids) && ids[j+1] == ids[j]+1 {
			j++
		}
		text := strconv.Itoa(ids[i])
		if j > i {
			text = fmt.Sprintf("%d-%d", ids[i], ids[j])
		}
		list = append(list, text)
		i = j + 1
	}
	return strings.Join(list, " ")
}
