package joblist

import (
	"fmt"
	"strings"

	"strandscope/sim/clock"
)

// columns are the names that CSV columns go by.
var columns = map[string]string{ // looked up only
	"name": "name", "job": "name", "process": "name", "pid": "name", "id": "name", "task": "name",
	"arrival": "offset", "arrivaltime": "offset", "at": "offset", "start": "offset", "offset": "offset",
	"burst": "burst", "bursttime": "burst", "bt": "burst", "length": "burst", "cpu": "burst", "servicetime": "burst", "service": "burst", "wcet": "burst",
	"priority": "prio", "prio": "prio", "tickets": "tickets", "ioevery": "io_every", "iotime": "io_time",
	"workingset": "ws", "ws": "ws", "affinity": "cpus", "cpus": "cpus", "period": "period", "deadline": "deadline",
}

// ParseCSV reads a table: a line of column names, then a line for each job. Fields
// are apart by commas, semicolons or tabs, whichever the first line has; quotes
// around a field are dropped. An empty field is not given. Names of columns are
// those of spread sheets (Process, Arrival Time, Burst Time) or of golden data.
func ParseCSV(text string) ([]Job, error) {
	lines := strings.Split(strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r", ""), "\n")
	sep := ","
	for _, s := range []string{";", "\t"} {
		if strings.Contains(lines[0], s) {
			sep = s
		}
	}
	var names []string
	for _, c := range cells(lines[0], sep) {
		plain := strings.NewReplacer(" ", "", "_", "", "-", "").Replace(strings.ToLower(c))
		name, ok := columns[plain]
		if !ok {
			return nil, fmt.Errorf("line 1: column %q is not known; there are name, arrival, burst, priority, tickets, io_every, io_time, working_set, affinity, period, deadline", clip(c))
		}
		names = append(names, name)
	}
	var jobs []Job
	for n, line := range lines[1:] {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if len(jobs) == MaxJobs {
			return nil, fmt.Errorf("more than %d jobs", MaxJobs)
		}
		row := cells(line, sep)
		if len(row) != len(names) {
			return nil, fmt.Errorf("line %d: %d fields, line 1 has %d", n+2, len(row), len(names))
		}
		j := Job{Name: Letters(len(jobs))}
		for i, v := range row {
			switch {
			case names[i] == "name":
				j.Name = v
			case v == "":
			default:
				if err := j.set(names[i], v); err != nil {
					return nil, fmt.Errorf("line %d: %w", n+2, err)
				}
			}
		}
		jobs = append(jobs, j)
	}
	return jobs, check(jobs)
}

func cells(line, sep string) []string {
	row := strings.Split(line, sep)
	for i := range row {
		row[i] = strings.Trim(strings.TrimSpace(row[i]), `"`)
	}
	return row
}

// ParseAny reads a list in either form: a table with a line of column names, or the
// compact text.
func ParseAny(text string) ([]Job, error) {
	first, _, more := strings.Cut(strings.TrimSpace(text), "\n")
	if more && strings.Contains(strings.ToLower(first), "burst") && strings.ContainsAny(first, ",;\t") {
		return ParseCSV(strings.TrimSpace(text))
	}
	return Parse(text)
}

// Random draws n jobs: bursts of 1 to 10 units, priorities of 1 to 5, 1 to 100
// tickets; each arrives up to five units after the one before. Equal seeds give
// equal lists.
func Random(n int, seed uint64) ([]Job, error) {
	if n < 1 || n > MaxJobs {
		return nil, fmt.Errorf("%d jobs, want 1 to %d", n, MaxJobs)
	}
	r := clock.NewRand(seed, 1)
	jobs := make([]Job, n)
	var at Time
	for i := range jobs {
		jobs[i] = Job{
			Name: Letters(i), Arrival: at, Length: Time(1+r.Int63n(10)) * one,
			Priority: int(1 + r.Int63n(5)), Tickets: int(1 + r.Int63n(100)),
		}
		at += Time(r.Int63n(6)) * one
	}
	return jobs, nil
}

// Text writes a list so that Parse reads it.
func Text(jobs []Job) string {
	var b strings.Builder
	for i := range jobs {
		j := &jobs[i]
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s %v %v", j.Name, j.Arrival, j.Length)
		for _, f := range []struct {
			name  string
			given bool
			v     any
		}{
			{"prio", j.Priority != 0, j.Priority},
			{"tickets", j.Tickets != 0, j.Tickets},
			{"io", j.Every > 0, fmt.Sprintf("%v/%v", j.Every, j.IO)},
			{"ws", j.WorkingSet != 0, j.WorkingSet},
			{"cpus", len(j.CPUs) > 0, strings.Trim(strings.Join(strings.Fields(fmt.Sprint(j.CPUs)), "."), "[]")},
			{"T", j.Period > 0, j.Period},
			{"D", j.Deadline > 0, j.Deadline},
		} {
			if f.given {
				fmt.Fprintf(&b, " %s=%v", f.name, f.v)
			}
		}
	}
	return b.String()
}
