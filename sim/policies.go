package sim

import (
	"fmt"

	"strandscope/sim/clock"
	"strandscope/sim/joblist"
	"strandscope/sim/scenario"
)

// RunJobs runs a job list under a textbook policy for a span, with 0 until all have
// ended; of periodic tasks that is a hyperperiod.
func RunJobs(policy string, jobs []joblist.Job, cpus int, span clock.Duration, settings ...Setting) (JobTable, error) {
	s, err := OpenJobs(scenario.BookKernels+policy, jobs, cpus, settings...)
	if err != nil {
		return JobTable{}, err
	}
	if span == 0 {
		span = s.Span()
	}
	if err = s.Advance(span); err == nil {
		err = s.Finish()
	}
	if err != nil {
		return JobTable{}, &BrokenError{err}
	}
	return s.JobTable(s.watch.jobs), nil
}

// BrokenError is that of a run that stopped, other than of wrong input.
type BrokenError struct{ Err error }

// Error implements error.
func (e *BrokenError) Error() string { return e.Err.Error() }

// Unwrap gives the reason.
func (e *BrokenError) Unwrap() error { return e.Err }

// PolicyRow is what a textbook policy makes of a job list.
type PolicyRow struct {
	Policy string // without "textbook-"
	Note   string // which of its forms, "" where it has one
	Table  JobTable
	Best   Best
	// Of periodic tasks, together.
	Released, Missed int64
}

// Best says in which column no other policy has less.
type Best struct{ Response, Turnaround, Waiting, Missed bool }

// Name is the policy and its form.
func (r *PolicyRow) Name() string {
	if r.Note == "" {
		return r.Policy
	}
	return r.Policy + " (" + r.Note + ")"
}

// candidate is a policy that lists are compared under.
type candidate struct {
	policy, note string
	sliced       bool // it has a quantum
	fits         func(f features) bool
	settings     []Setting
}

// features are what a list asks for.
type features struct{ prio, tickets, periodic, caches bool }

func once(f features) bool       { return !f.periodic }
func withPrio(f features) bool   { return once(f) && f.prio }
func ticketed(f features) bool   { return once(f) && f.tickets }
func withCaches(f features) bool { return once(f) && f.caches }
func periodic(f features) bool   { return f.periodic }

// candidates in the order of the table.
var candidates = []candidate{
	{"fcfs", "", false, once, nil},
	{"sjf", "", false, once, nil},
	{"srtf", "", false, once, nil},
	{"hrrn", "", false, once, nil},
	{"rr", "arrivals first", true, once, []Setting{{"tie", scenario.TieArrivals}}},
	{"rr", "requeue first", true, once, []Setting{{"tie", scenario.TieRequeue}}},
	{"mlfq", "", true, once, nil},
	{"prio", "", false, withPrio, nil},
	{"prio-p", "", false, withPrio, nil},
	{"prio-rr", "", true, withPrio, nil},
	{"lottery", "", true, ticketed, nil},
	{"stride", "", true, ticketed, nil},
	{"multi", "central queue", true, withCaches, nil},
	{"multi", "queue for each CPU", true, withCaches, []Setting{{"queues", "per_cpu"}}},
	{"rm", "", false, periodic, nil},
	{"dm", "", false, periodic, nil},
	{"edf", "", false, periodic, nil},
}

func featuresOf(jobs []joblist.Job) features {
	var f features
	for i := range jobs {
		j := &jobs[i]
		f.prio = f.prio || j.Priority != 0
		f.tickets = f.tickets || j.Tickets != 0
		f.periodic = f.periodic || j.Period != 0
		f.caches = f.caches || j.WorkingSet != 0 || len(j.CPUs) > 0
	}
	return f
}

// ComparePolicies runs a list under every textbook policy that fits it: a row each,
// in a fixed order. An empty quantum is each policy's own; a span of 0 is until all
// have ended.
func ComparePolicies(jobs []joblist.Job, cpus int, quantum string, span clock.Duration) ([]PolicyRow, error) {
	var rows []PolicyRow
	f := featuresOf(jobs)
	for i := range candidates {
		x := &candidates[i]
		if !x.fits(f) {
			continue
		}
		settings := x.settings
		if quantum != "" && x.sliced {
			settings = append(settings[:len(settings):len(settings)], Setting{"quantum", quantum})
		}
		t, err := RunJobs(x.policy, jobs, cpus, span, settings...)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", x.policy, err)
		}
		r := PolicyRow{Policy: x.policy, Note: x.note, Table: t}
		for _, task := range t.Tasks {
			r.Released += task.Released
			r.Missed += task.Missed
		}
		rows = append(rows, r)
	}
	markBest(rows)
	return rows, nil
}

func markBest(rows []PolicyRow) {
	for i := range rows {
		m := &rows[i].Table.Means
		best := Best{Response: m.Response.Den > 0, Turnaround: m.Turnaround.Den > 0, Waiting: m.Waiting.Den > 0, Missed: true}
		for j := range rows {
			o := &rows[j].Table.Means
			best.Response = best.Response && !o.Response.Less(m.Response)
			best.Turnaround = best.Turnaround && !o.Turnaround.Less(m.Turnaround)
			best.Waiting = best.Waiting && !o.Waiting.Less(m.Waiting)
			best.Missed = best.Missed && rows[j].Missed >= rows[i].Missed
		}
		rows[i].Best = best
	}
}

// maxCompared is the longest list that is compared while somebody waits in a page.
const maxCompared = 1000

// Policies compares the textbook policies on the scenario's own job list.
func (s *Session) Policies(quantum string) ([]PolicyRow, error) {
	if len(s.sc.Jobs) == 0 {
		return nil, fmt.Errorf("this scenario has no job list")
	}
	if n := len(s.sc.Jobs); n > maxCompared {
		return nil, fmt.Errorf("the list has %d jobs; at most %d are compared here, strandsim jobs -all takes more", n, maxCompared)
	}
	return ComparePolicies(s.sc.Jobs, len(s.sc.Machine.CPUs), quantum, 0)
}
