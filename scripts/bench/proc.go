package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// procDir is where Linux tells of processes. Elsewhere they have no figures.
var procDir = "/proc"

// family is a process and all that it started, and what those started.
func family(pid int) []int {
	children := map[int][]int{}
	names, _ := filepath.Glob(filepath.Join(procDir, "[0-9]*", "stat"))
	for _, name := range names {
		id, err := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		if err != nil {
			continue
		}
		if f := statFields(id); len(f) > 1 {
			if parent, err := strconv.Atoi(f[1]); err == nil {
				children[parent] = append(children[parent], id)
			}
		}
	}
	all := []int{pid}
	for i := 0; i < len(all); i++ {
		all = append(all, children[all[i]]...)
	}
	return all
}

// statFields are those of a process from its state on, which stands behind its name.
func statFields(pid int) []string {
	text, _ := os.ReadFile(filepath.Join(procDir, fmt.Sprint(pid), "stat"))
	end := strings.LastIndex(string(text), ")")
	if end < 0 {
		return nil
	}
	return strings.Fields(string(text)[end+1:])
}

// cpuTime is what a process and its children that are alive have used; Linux counts it
// in hundredths of a second.
func cpuTime(pid int) (sum time.Duration) {
	for _, id := range family(pid) {
		f := statFields(id)
		if len(f) < 13 {
			continue
		}
		for _, ticks := range f[11:13] { // in user mode, in the kernel
			n, _ := strconv.ParseInt(ticks, 10, 64)
			sum += time.Duration(n) * 10 * time.Millisecond
		}
	}
	return sum
}

// memoryOf is the memory of a process and its children in bytes; what several share
// counts once.
func memoryOf(pid int) (sum int64) {
	for _, id := range family(pid) {
		text, _ := os.ReadFile(filepath.Join(procDir, fmt.Sprint(id), "smaps_rollup"))
		for line := range strings.Lines(string(text)) {
			f := strings.Fields(line)
			if len(f) == 3 && f[0] == "Pss:" {
				n, _ := strconv.ParseInt(f[1], 10, 64)
				sum += n * 1024
			}
		}
	}
	return sum
}
