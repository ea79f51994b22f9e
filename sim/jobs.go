package sim

import (
	"cmp"
	"fmt"
	"strings"

	"strandscope/sim/clock"
	"strandscope/sim/joblist"
	"strandscope/sim/policy/textbook"
	"strandscope/sim/scenario"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
	"strandscope/sim/trace"
)

// OpenJobs starts a job list under a textbook policy, on CPUs of one strand.
func OpenJobs(kernel string, jobs []joblist.Job, cpus int, settings ...Setting) (*Session, error) {
	sc, err := scenario.WithJobs(kernel, jobs, cpus)
	if err != nil {
		return nil, err
	}
	return open(sc, settings)
}

// JobRow is what textbooks ask of one job. Times are spans of simulated time; those
// that are not known yet are −1.
type JobRow struct {
	Name                          string
	Arrived, Ran, Started, Ended  clock.Duration
	Response, Turnaround, Waiting clock.Duration
	Dispatches, Migrations        int64
}

// JobTable is what textbooks ask of a run.
type JobTable struct {
	Unit  clock.Duration // one unit of the book's time
	Rows  []JobRow
	Means stats.Means // over those that have ended
	Busy  clock.Duration
	Idle  clock.Duration // of all CPUs together, up to Until
	Until clock.Time     // the last end, or now if some have not ended
	Order []string       // by CPU: who ran, unit by unit
	Tasks []TaskRow      // periodic ones
}

// TaskRow is what is known of a periodic task.
type TaskRow struct {
	Name string
	stats.Periodic
}

// JobWatch sees what textbooks ask; give it to ResetWith.
type JobWatch struct {
	jobs  *stats.Jobs
	dates *stats.Deadlines
}

// Observe implements trace.Observer.
func (w *JobWatch) Observe(e *trace.Event) {
	w.jobs.Observe(e)
	w.dates.Observe(e)
}

// Unit is one unit of the scenario's book, a second by default.
func (s *Session) Unit() clock.Duration { return s.sc.BookUnit() }

// NewJobs returns an observer of what textbooks ask of jobs.
func (s *Session) NewJobs() *JobWatch { return newJobWatch(s.sc) }

func newJobWatch(sc *scenario.Scenario) *JobWatch {
	var tasks []stats.Periodic
	for i := range sc.Tasks {
		t := &sc.Tasks[i]
		for range t.Instance {
			tasks = append(tasks, stats.Periodic{Period: t.Period, Deadline: cmp.Or(t.Deadline, t.Period)})
		}
	}
	return &JobWatch{stats.NewJobs(len(sc.Machine.CPUs)), stats.NewDeadlines(tasks, textbook.WhyNextJob)}
}

// periodic reports whether a thread is a periodic task. Threads are in the order of
// tasks where no kernel thread comes first, as under textbook policies.
func (s *Session) periodic(id sched.ThreadID) bool {
	for i := range s.sc.Tasks {
		if id -= sched.ThreadID(s.sc.Tasks[i].Instance); id < 0 {
			return s.sc.Tasks[i].Period > 0
		}
	}
	return false
}

// Done reports whether every thread has ended.
func (s *Session) Done() bool {
	for _, t := range s.eng.Threads() {
		if !t.Kernel && t.State != sched.Gone {
			return false
		}
	}
	return true
}

// JobTable sums up what w has seen of this session.
func (s *Session) JobTable(w *JobWatch) JobTable {
	j := w.jobs
	now := s.eng.Now()
	threads := s.eng.Threads()
	table := JobTable{Unit: s.Unit(), Until: now}
	last := clock.Time(0)
	for _, t := range threads {
		if t.Kernel || int(t.ID) >= j.Len() {
			continue
		}
		x := j.At(t.ID, now)
		r := JobRow{
			Name: t.Name, Arrived: clock.Duration(x.Arrived), Ran: x.Ran, Started: clock.Duration(x.Started), Ended: clock.Duration(x.Finished),
			Response: -1, Turnaround: -1, Waiting: -1, Dispatches: x.Dispatches, Migrations: x.Migrations,
		}
		if d, ok := x.Response(); ok {
			r.Response = d
		}
		if d, ok := x.Turnaround(); ok {
			r.Turnaround, r.Waiting = d, x.Waited
		}
		table.Busy += x.Ran
		last = max(last, x.Finished)
		table.Rows = append(table.Rows, r)
		if s.periodic(t.ID) {
			table.Tasks = append(table.Tasks, TaskRow{t.Name, w.dates.At(t.ID, now)})
		}
	}
	table.Means = j.Means(now, table.Unit, func(id sched.ThreadID) bool { return !threads[id].Kernel })
	if table.Means.Unfinished == 0 && len(table.Rows) > 0 {
		table.Until = last
	}
	table.Idle = clock.Duration(table.Until)*clock.Duration(len(s.eng.CPUs())) - table.Busy
	table.Order = s.order(j, table)
	return table
}

// maxOrder is the most units that the order is written out for.
const maxOrder = 2000

// order writes who ran on each CPU: a letter for each unit and - for an idle one,
// where names are single letters and all stretches whole units; else stretches.
func (s *Session) order(j *stats.Jobs, table JobTable) []string {
	now := s.eng.Now()
	runs, whole := j.Runs(now)
	threads := s.eng.Threads()
	letters := int64(table.Until) <= maxOrder*int64(table.Unit)
	for _, r := range runs {
		letters = letters && len(threads[r.Thread].Name) == 1 && clock.Duration(r.From)%table.Unit == 0 && clock.Duration(r.To)%table.Unit == 0
	}
	lines := make([]string, len(s.eng.CPUs()))
	for c := range lines {
		var b strings.Builder
		at := clock.Time(0)
		stretch := func(name string, to clock.Time) {
			switch {
			case to <= at:
			case letters:
				b.WriteString(strings.Repeat(name, int(to.Sub(at)/table.Unit)))
			case b.Len() < maxOrder:
				fmt.Fprintf(&b, "%s %s–%s  ", name, InUnits(clock.Duration(at), table.Unit), InUnits(clock.Duration(to), table.Unit))
			}
			at = max(at, to)
		}
		for _, r := range runs {
			if r.CPU == c {
				stretch("-", r.From)
				stretch(threads[r.Thread].Name, r.To)
			}
		}
		stretch("-", table.Until)
		lines[c] = strings.TrimRight(b.String(), " ")
		if !whole || !letters && b.Len() >= maxOrder {
			lines[c] += " …"
		}
	}
	return lines
}

// InUnits writes a span in units, with as many decimals as it needs, at most six.
func InUnits(d, unit clock.Duration) string {
	millionths := int64(d/unit)*1_000_000 + int64(d%unit)*1000/(int64(unit)/1000)
	s := fmt.Sprintf("%d.%06d", millionths/1_000_000, millionths%1_000_000)
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

// maxSpan is the longest hyperperiod, in units, that periodic tasks are run for.
const maxSpan = 10_000

// Span is how long to run the scenario until every job has ended, or, of periodic
// tasks, for a hyperperiod. From the last arrival on a CPU idles for I/O only.
func (s *Session) Span() clock.Duration {
	unit := s.Unit()
	slack := unit
	for _, q := range s.sc.Scheduler.Book.Quantum {
		slack = max(slack, q.In(unit))
	}
	last, sum, cycle := s.demand(func(j *joblist.Job) clock.Duration {
		if j.Every == 0 {
			return slack
		}
		return slack + clock.Duration(j.Length/j.Every)*j.IO.In(unit)
	})
	return last + sum + cycle
}

// demand is the last arrival, what all jobs that run once take, each with more beside
// its length, and the common period of the others.
func (s *Session) demand(more func(j *joblist.Job) clock.Duration) (last, sum, cycle clock.Duration) {
	unit := s.Unit()
	for i := range s.sc.Jobs {
		j := &s.sc.Jobs[i]
		last = max(last, j.Arrival.In(unit))
		if j.Period > 0 {
			cycle = commonPeriod(cycle, j.Period.In(unit), maxSpan*unit)
			continue
		}
		sum += j.Length.In(unit) + more(j)
	}
	return last, sum, cycle
}

// commonPeriod is the least common multiple of two periods, or most if it is more;
// it never overflows.
func commonPeriod(a, b, most clock.Duration) clock.Duration {
	if a == 0 {
		return min(b, most)
	}
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	if a/x > most/b {
		return most
	}
	return a / x * b
}

// Jobs is the scenario's job list, in its order.
func (s *Session) Jobs() []joblist.Job { return s.sc.Jobs }
