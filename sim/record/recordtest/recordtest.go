// Package recordtest finds and unpacks recordings for tests, and counts their lines by
// regular expressions, apart from sim/record and in another way.
package recordtest

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Files are the recordings of shared/reference/real if that exists, seen from a package
// so many folders below the module's root, else the copies in sim/record/testdata.
func Files(up int) ([]string, error) {
	root := strings.Repeat("../", up)
	dir := filepath.Join(root, "../shared/reference/real")
	if _, err := os.Stat(dir); err != nil {
		dir = filepath.Join(root, "sim/record/testdata/real")
	}
	var all []string
	for _, sub := range []string{"traces", "public"} {
		list, err := filepath.Glob(filepath.Join(dir, sub, "*"))
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no recordings in %s", dir)
	}
	return all, nil
}

// Read reads a file, unpacked.
func Read(path string) ([]byte, error) {
	b, err := os.ReadFile(path)
	if err != nil || !strings.HasSuffix(path, ".gz") {
		return b, err
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// Sums are what a recording comes to, counted line by line.
type Sums struct {
	Events map[string]int64
	// By process id: nanoseconds on CPUs, and how often it came onto one.
	Ran      map[int]int64
	Switches map[int]int64
	First    int64 // time of the first line of scheduling, and of the last
	Last     int64
}

var (
	// A line of any of the formats: the CPU, the time, and the event.
	lineOf = regexp.MustCompile(`^ *.+?[- ](\d+) +(?:\( *[\d-]+\) +)?\[(\d+)\] +(?:[A-Za-z.\d#]{4,5} +)?(\d+)\.(\d+): +(?:[a-z]+:)?([\w]+): +(.*)$`)
	long   = regexp.MustCompile(`^prev_comm=(.*) prev_pid=(\d+) prev_prio=\d+ prev_state=(\S+) (?:==> )?next_comm=(.*) next_pid=(\d+) next_prio=\d+`)
	short  = regexp.MustCompile(`^(.*):(\d+) \[\d+\] (\S+) ==> (.*):(\d+) \[\d+\]$`)
)

// scheduling are the events that count for when a recording begins and ends.
var scheduling = map[string]bool{
	"sched_switch": true, "sched_wakeup": true, "sched_wakeup_new": true, "sched_migrate_task": true,
	"sched_process_fork": true, "sched_process_exit": true, "sched_process_exec": true,
}

// Count counts the lines of ftrace's or perf's text. A thread is on a CPU from the line
// that says so to the one that takes it off; the one that a CPU's first switch takes off
// has been there from the beginning, unless it was seen elsewhere before. A CPU that
// never switches ran the thread that its lines name.
func Count(text []byte) Sums {
	s := Sums{Events: map[string]int64{}, Ran: map[int]int64{}, Switches: map[int]int64{}, First: -1}
	type on struct {
		pid   int
		since int64
	}
	cpus := map[string]*on{}
	var order []string // of CPUs, as they are met
	seen := map[int]bool{}
	heads := map[string]int{} // whom the first line about a CPU names
	wakes := bytes.Contains(text, []byte("sched_wakeup:"))
	for _, line := range strings.Split(string(text), "\n") {
		m := lineOf.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		head, _ := strconv.Atoi(m[1])
		m = m[1:]
		s.Events[m[4]]++
		at := nanos(m[2], m[3])
		if _, ok := heads[m[1]]; !ok {
			heads[m[1]] = head
			order = append(order, m[1])
		}
		if scheduling[m[4]] || m[4] == "sched_waking" && !wakes {
			if s.First < 0 {
				s.First = at
			}
			s.Last = at
		}
		if m[4] != "sched_switch" {
			continue
		}
		x := long.FindStringSubmatch(m[5])
		if x == nil {
			x = short.FindStringSubmatch(m[5])
		}
		if x == nil {
			continue
		}
		prev, _ := strconv.Atoi(x[2])
		next, _ := strconv.Atoi(x[5])
		c := cpus[m[1]]
		if c == nil {
			c = &on{prev, s.First}
			if seen[prev] {
				c.since = at
			}
			cpus[m[1]] = c
		}
		if c.pid == prev {
			s.Ran[prev] += at - c.since
		}
		for _, other := range order { // a thread is in one place at a time
			if o := cpus[other]; o != nil && o.pid == next && o != c && next != 0 {
				s.Ran[next] += at - o.since
				o.pid = 0
			}
		}
		*c = on{next, at}
		if next != prev {
			s.Switches[next]++
		}
		seen[prev], seen[next] = true, true
	}
	for _, cpu := range order {
		if c := cpus[cpu]; c != nil {
			s.Ran[c.pid] += s.Last - c.since
		} else if pid := heads[cpu]; !seen[pid] {
			s.Ran[pid] += s.Last - s.First // it never switched
		}
	}
	delete(s.Ran, 0)
	delete(s.Switches, 0)
	return s
}

func nanos(sec, part string) int64 {
	n, _ := strconv.ParseInt(sec+(part + "000000000")[:9], 10, 64)
	return n
}
