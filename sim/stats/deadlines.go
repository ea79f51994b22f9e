package stats

import (
	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// Periodic is what is known of one periodic task. Each release of it is a job.
type Periodic struct {
	Period, Deadline           clock.Duration // relative
	Released, Finished, Missed int64
	Worst                      clock.Duration // longest response of those that finished

	release clock.Time
	open    bool // its latest job is not finished
}

// Deadlines counts jobs of periodic tasks, and which of them missed their deadlines.
type Deadlines struct {
	late uint16 // code of the policy's note that a late job begins at once
	rows []Periodic
}

// NewDeadlines returns an observer of tasks by thread; a Period of 0 is not
// periodic. late is the code of the policy's note for a job that begins when the one
// before it ends, after its release.
func NewDeadlines(tasks []Periodic, late uint16) *Deadlines { return &Deadlines{late, tasks} }

// Observe implements trace.Observer.
func (d *Deadlines) Observe(e *trace.Event) {
	if e.Thread < 0 || int(e.Thread) >= len(d.rows) || d.rows[e.Thread].Period == 0 {
		return
	}
	p := &d.rows[e.Thread]
	switch {
	case e.Kind == trace.Woke:
		p.release, p.open = e.At, true
		p.Released++
	case e.Kind == trace.Off && (e.Cause == sched.Blocked || e.Cause == sched.Exited):
		p.finish(e.At)
	case e.Kind == trace.Note && e.Why.Code == d.late:
		p.finish(e.At)
		p.release, p.open = p.release.Add(p.Period), true
		p.Released++
	}
}

func (p *Periodic) finish(at clock.Time) {
	p.open = false
	p.Finished++
	response := at.Sub(p.release)
	p.Worst = max(p.Worst, response)
	if response > p.Deadline {
		p.Missed++
	}
}

// At returns what is known of a task by now. Jobs that are not finished and whose
// deadlines are not later have missed them, also those that wait for one before.
func (d *Deadlines) At(id sched.ThreadID, now clock.Time) Periodic {
	p := d.rows[id]
	if p.open && p.release == now {
		p.Released-- // it belongs to what comes after now
	} else if p.open {
		p.Released += max(0, int64(now.Sub(p.release)-1)/int64(p.Period))
		if overdue := now.Sub(p.release) - p.Deadline; overdue >= 0 {
			p.Missed += 1 + min(int64(overdue)/int64(p.Period), max(0, int64(now.Sub(p.release)-1)/int64(p.Period)))
		}
	}
	return p
}
