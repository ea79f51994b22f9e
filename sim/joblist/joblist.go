package joblist

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"strandscope/sim/clock"
	"strandscope/sim/workload"
)

// Limits of a list.
const (
	MaxJobs    = 100_000
	MaxLength  = 1_000_000   // units of one burst or I/O
	MaxArrival = 100_000_000 // units
	MaxTotal   = 1_000_000_000
	MaxName    = 32 // bytes
	maxFigure  = 1_000_000_000
	maxIOs     = 1_000_000
)

// Time is a time or a span in thousandths of a unit.
type Time int64

// one unit.
const one Time = 1000

// Units is a whole number of units.
func Units(n int64) Time { return Time(n) * one }

// In gives a span in simulated time, for a unit of the given length.
func (t Time) In(unit clock.Duration) clock.Duration { return clock.Duration(t) * (unit / 1000) }

func (t Time) String() string {
	s := strconv.FormatInt(int64(t/one), 10)
	if part := t % one; part != 0 {
		s += strings.TrimRight(fmt.Sprintf(".%03d", part), "0")
	}
	return s
}

// Job is one job, or with a Period one periodic task.
type Job struct {
	Name            string
	Arrival, Length Time
	Priority        int
	Tickets         int  // 0: not given
	Every, IO       Time // an I/O of IO each Every units of CPU; Every 0: none
	WorkingSet      int
	CPUs            []int // allowed; none: all
	Period          Time  // 0: it runs once
	Deadline        Time  // relative; 0: the period
}

// Program is what the job does. At the end it issues no I/O, even if one is due.
func (j *Job) Program(unit clock.Duration) (*workload.Program, error) {
	var b workload.Builder
	if j.Period > 0 {
		b.Repeat(-1, func() {
			b.Do(workload.Instr{Op: workload.Run, D: j.Length.In(unit)})
			b.Do(workload.Instr{Op: workload.Timer, D: j.Period.In(unit)})
		})
		return b.Program()
	}
	rest := j.Length
	if j.Every > 0 {
		rounds := (j.Length - 1) / j.Every
		b.Repeat(int64(rounds), func() {
			b.Do(workload.Instr{Op: workload.Run, D: j.Every.In(unit)})
			if j.IO == 0 {
				b.Do(workload.Instr{Op: workload.Yield})
			} else {
				b.Do(workload.Instr{Op: workload.Sleep, D: j.IO.In(unit)})
			}
		})
		rest -= rounds * j.Every
	}
	b.Do(workload.Instr{Op: workload.Run, D: rest.In(unit)})
	return b.Program()
}

// figures are what may follow name, arrival and burst, by name.
var figures = []struct {
	names []string // the first is the one that help gives
	set   func(j *Job, v string) error
}{
	{[]string{"prio", "priority", "p"}, func(j *Job, v string) error { return whole(&j.Priority, v, -maxFigure, maxFigure) }},
	{[]string{"tickets"}, func(j *Job, v string) error { return whole(&j.Tickets, v, 1, maxFigure) }},
	{[]string{"io"}, setIO},
	{[]string{"ws", "working_set"}, func(j *Job, v string) error { return whole(&j.WorkingSet, v, 0, maxFigure) }},
	{[]string{"cpus", "affinity"}, setCPUs},
	{[]string{"C", "wcet"}, func(j *Job, v string) error { return span(&j.Length, v, 1, MaxLength) }},
	{[]string{"T", "period"}, func(j *Job, v string) error { return span(&j.Period, v, 1, MaxLength) }},
	{[]string{"D", "deadline"}, func(j *Job, v string) error { return span(&j.Deadline, v, 1, MaxLength) }},
	{[]string{"offset", "arrival"}, func(j *Job, v string) error { return span(&j.Arrival, v, 0, MaxArrival) }},
	{[]string{"burst", "length"}, func(j *Job, v string) error { return span(&j.Length, v, 1, MaxLength) }},
	{[]string{"io_every"}, func(j *Job, v string) error { return span(&j.Every, v, 0, MaxLength) }},
	{[]string{"io_time"}, func(j *Job, v string) error { return span(&j.IO, v, 0, MaxLength) }},
}

// set sets the figure of a name; it is told from a misspelt one.
func (j *Job) set(name, v string) error {
	var known []string
	for _, f := range figures {
		known = append(known, f.names[0])
		for _, n := range f.names {
			if n == name || len(n) > 1 && strings.EqualFold(n, name) {
				if err := f.set(j, v); err != nil {
					return fmt.Errorf("%s: %w", f.names[0], err)
				}
				return nil
			}
		}
	}
	return fmt.Errorf("%q is no figure of a job; there are %s", clip(name), strings.Join(known, ", "))
}

func setIO(j *Job, v string) error {
	every, took, both := strings.Cut(v, "/")
	if !both {
		return fmt.Errorf("%q, want EVERY/TIME such as 5/10", clip(v))
	}
	if err := span(&j.Every, every, 1, MaxLength); err != nil {
		return err
	}
	return span(&j.IO, took, 0, MaxLength)
}

func setCPUs(j *Job, v string) error {
	for _, c := range strings.FieldsFunc(v, func(r rune) bool { return r == '.' || r == '+' || r == ' ' }) {
		n := 0
		if err := whole(&n, c, 0, 4095); err != nil {
			return err
		}
		j.CPUs = append(j.CPUs, n)
	}
	return nil
}

func whole(p *int, v string, lo, hi int) error {
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil || n < int64(lo) || n > int64(hi) {
		return fmt.Errorf("%q, want a whole number from %d to %d", clip(v), lo, hi)
	}
	*p = int(n)
	return nil
}

// span reads units with up to three decimals. lo is in thousandths, hi in units.
func span(p *Time, v string, lo Time, hi int64) error {
	sign, digits := int64(1), v
	if rest, ok := strings.CutPrefix(v, "-"); ok {
		sign, digits = -1, rest
	}
	w, part, point := strings.Cut(digits, ".")
	n, err := strconv.ParseUint(w, 10, 40)
	if err == nil && point {
		if len(part) < 1 || len(part) > 3 {
			err = errors.New("decimals")
		} else {
			var m uint64
			m, err = strconv.ParseUint(part+"000"[len(part):], 10, 16)
			n = n*1000 + m
		}
	} else {
		n *= 1000
	}
	t := Time(sign * int64(min(n, math.MaxInt64/2)))
	if err != nil || t < lo || t > Time(hi)*one {
		least := "from " + lo.String()
		if lo == 1 {
			least = "more than 0"
		}
		return fmt.Errorf("%q, want %s to %d, with at most three decimals", clip(v), least, hi)
	}
	*p = t
	return nil
}

func clip(s string) string {
	if len(s) <= MaxName {
		return s
	}
	return strings.ToValidUTF8(s[:MaxName], "") + "…"
}

// Parse reads the compact form: jobs apart by commas, semicolons or lines; fields
// apart by blanks. Where names are left out, jobs are A, B, C … A fourth plain
// figure is the priority.
func Parse(text string) ([]Job, error) {
	var jobs []Job
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' || r == '\n' })
	for _, part := range parts {
		fields := strings.Fields(part)
		if len(fields) == 0 {
			continue
		}
		if len(jobs) == MaxJobs {
			return nil, fmt.Errorf("more than %d jobs", MaxJobs)
		}
		j, err := parseJob(fields, len(jobs))
		if err != nil {
			return nil, at(len(jobs), j.Name, err)
		}
		jobs = append(jobs, j)
	}
	return jobs, check(jobs)
}

// at says which job an error is about.
func at(n int, name string, err error) error {
	if name == "" {
		return fmt.Errorf("job %d: %w", n+1, err)
	}
	return fmt.Errorf("job %d (%s): %w", n+1, clip(name), err)
}

// Letters is the n-th name of jobs that have none: A … Z, A1, B1 …
func Letters(n int) string {
	name := string(rune('A' + n%26))
	if n >= 26 {
		name += strconv.Itoa(n / 26)
	}
	return name
}

func parseJob(fields []string, n int) (Job, error) {
	j := Job{Name: Letters(n)}
	if _, err := strconv.ParseFloat(fields[0], 64); err != nil && !strings.Contains(fields[0], "=") {
		j.Name, fields = fields[0], fields[1:]
	}
	place := []string{"arrival", "burst", "prio"}
	for _, f := range fields {
		name, v, named := strings.Cut(f, "=")
		if !named {
			if len(place) == 0 {
				return j, fmt.Errorf("%q is one figure too many; name it, as in tickets=%s", clip(f), clip(f))
			}
			name, v, place = place[0], f, place[1:]
			if name == "arrival" { // under the name lecturers use, not offset
				if err := span(&j.Arrival, v, 0, MaxArrival); err != nil {
					return j, fmt.Errorf("arrival: %w", err)
				}
				continue
			}
		}
		if err := j.set(name, v); err != nil {
			return j, err
		}
	}
	return j, nil
}

// check refuses what makes no schedule.
func check(jobs []Job) error {
	seen := map[string]int{} // looked up only
	var total, last Time
	for i := range jobs {
		j := &jobs[i]
		if err := j.check(); err != nil {
			return at(i, j.Name, err)
		}
		if first, twice := seen[j.Name]; twice {
			return at(i, j.Name, fmt.Errorf("the name is taken by job %d", first+1))
		}
		seen[j.Name] = i
		total += j.Length
		if j.Every > 0 {
			total += (j.Length / j.Every) * j.IO
		}
		if last = max(last, j.Arrival); total+last > MaxTotal*one {
			return at(i, j.Name, fmt.Errorf("all bursts and I/Os together are more than %d units", MaxTotal))
		}
	}
	return nil
}

func (j *Job) check() error {
	switch {
	case j.Name == "" || len(j.Name) > MaxName:
		return fmt.Errorf("name: %d bytes, want 1 to %d", len(j.Name), MaxName)
	case j.Length <= 0:
		return errors.New("burst: missing; write NAME ARRIVAL BURST, such as A 0 5")
	case j.Every > 0 && j.Length/j.Every > maxIOs:
		return fmt.Errorf("io: %d of them, at most %d are accepted", j.Length/j.Every, maxIOs)
	case j.Period > 0 && j.Every > 0:
		return errors.New("io: a periodic task does none")
	case j.Deadline > 0 && j.Period == 0:
		return errors.New("deadline: only a periodic task has one; give T=PERIOD too")
	}
	return nil
}
