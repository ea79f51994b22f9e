package sim

import (
	"strandscope/sim/clock"
	"strandscope/sim/joblist"
	"strandscope/sim/stats"
)

// Book is what a textbook asks of a job list: its table and its chart.
type Book struct {
	JobTable
	// Runs are the stretches on CPUs so far, in order of their ends; Whole is false
	// where there were too many to keep.
	Runs  []stats.Run
	Whole bool
	// End is where the chart ends: when the last job has ended or, before that, when
	// the jobs would have if no CPU idled from the last arrival on; of periodic tasks
	// a hyperperiod.
	End clock.Time
}

// fillBook tells of the jobs, where the scenario has a job list.
func (s *Session) fillBook(f *Frame) {
	f.Book = nil
	if s.watch.jobs == nil {
		return
	}
	b := &Book{JobTable: s.JobTable(s.watch.jobs)}
	b.Runs, b.Whole = s.watch.jobs.jobs.Runs(s.eng.Now())
	b.End = max(b.Until, clock.Time(s.work()))
	if b.Means.Unfinished == 0 && len(b.Tasks) == 0 {
		b.End = b.Until
	}
	f.Book = b
}

// work is when all jobs would have ended if no CPU idled from the last arrival on.
func (s *Session) work() clock.Duration {
	last, sum, cycle := s.demand(func(*joblist.Job) clock.Duration { return 0 })
	n := clock.Duration(len(s.sc.Machine.CPUs))
	return max(last+(sum+n-1)/n, cycle)
}
