package stats

import (
	"fmt"
	"math/bits"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// maxRuns is how many stretches on a CPU Jobs keeps for the order in which jobs
// ran; later ones are counted only.
const maxRuns = 1 << 18

// Job is what textbooks ask of one job.
type Job struct {
	Arrived, Started, Finished clock.Time // −1: not yet
	Ran, Waited, Slept         clock.Duration
	Dispatches, Migrations     int64

	state sched.State
	since clock.Time
}

// Response is from arrival to the first time on a CPU; ok is false before.
func (j *Job) Response() (d clock.Duration, ok bool) { return j.Started.Sub(j.Arrived), j.Started >= 0 }

// Turnaround is from arrival to the end; ok is false before.
func (j *Job) Turnaround() (d clock.Duration, ok bool) {
	return j.Finished.Sub(j.Arrived), j.Finished >= 0
}

// Waiting is the time ready but without a CPU, of a job that has ended; ok is false
// before.
func (j *Job) Waiting() (d clock.Duration, ok bool) { return j.Waited, j.Finished >= 0 }

// Run is a stretch of one job on one CPU.
type Run struct {
	Thread   sched.ThreadID
	CPU      int
	From, To clock.Time
}

// Jobs keeps what textbooks ask: response, turnaround and waiting of every job, and
// the order in which they ran.
type Jobs struct {
	rows []Job
	open []Run // by CPU
	runs []Run
	cut  bool
	last clock.Time
}

// NewJobs returns an observer for a machine of so many CPUs.
func NewJobs(cpus int) *Jobs {
	j := &Jobs{open: make([]Run, cpus)}
	for i := range j.open {
		j.open[i].Thread = sched.None
	}
	return j
}

// Observe implements trace.Observer.
func (x *Jobs) Observe(e *trace.Event) {
	x.last = e.At
	switch e.Kind {
	case trace.Created:
		for int(e.Thread) >= len(x.rows) {
			x.rows = append(x.rows, Job{Arrived: -1, Started: -1, Finished: -1})
		}
	case trace.Woke:
		j := x.enter(e, sched.Waiting)
		if j.Arrived < 0 {
			j.Arrived = e.At
		}
	case trace.On:
		j := x.enter(e, sched.Running)
		if j.Started < 0 {
			j.Started = e.At
		} else if e.A != int64(e.CPU) {
			j.Migrations++
		}
		j.Dispatches++
		x.open[e.CPU] = Run{Thread: e.Thread, CPU: int(e.CPU), From: e.At}
	case trace.Off:
		x.off(e)
	default:
	}
}

func (x *Jobs) off(e *trace.Event) {
	state := sched.Waiting
	switch e.Cause {
	case sched.Blocked:
		state = sched.Sleeping
	case sched.Exited:
		state = sched.Gone
		x.rows[e.Thread].Finished = e.At
	default:
	}
	x.enter(e, state)
	r := x.open[e.CPU]
	x.open[e.CPU].Thread = sched.None
	if r.To = e.At; r.To > r.From {
		x.keep(r)
	}
}

// keep adds a stretch; one that goes on where the last ended is joined to it.
func (x *Jobs) keep(r Run) {
	if n := len(x.runs); n > 0 {
		if last := &x.runs[n-1]; last.Thread == r.Thread && last.CPU == r.CPU && last.To == r.From {
			last.To = r.To
			return
		}
	}
	if len(x.runs) == maxRuns {
		x.cut = true
		return
	}
	x.runs = append(x.runs, r)
}

// enter closes the job's present state and opens another.
func (x *Jobs) enter(e *trace.Event, s sched.State) *Job {
	j := &x.rows[e.Thread]
	j.close(e.At)
	j.state, j.since = s, e.At
	return j
}

func (j *Job) close(now clock.Time) {
	d := now.Sub(j.since)
	switch j.state {
	case sched.Running:
		j.Ran += d
	case sched.Waiting:
		j.Waited += d
	case sched.Sleeping:
		j.Slept += d
	default:
	}
}

// Len is the number of jobs.
func (x *Jobs) Len() int { return len(x.rows) }

// At returns what is known of a job by now.
func (x *Jobs) At(id sched.ThreadID, now clock.Time) Job {
	j := x.rows[id]
	j.close(now)
	j.since = now
	return j
}

// Runs lists the stretches on CPUs up to now, in order of their ends; whole is
// false where there were too many to keep.
func (x *Jobs) Runs(now clock.Time) (runs []Run, whole bool) {
	runs = append(runs, x.runs...)
	for _, r := range x.open {
		if r.Thread != sched.None && r.From < now {
			r.To = now
			if n := len(runs); n > 0 && runs[n-1].Thread == r.Thread && runs[n-1].CPU == r.CPU && runs[n-1].To == r.From {
				runs[n-1].To = now
				continue
			}
			runs = append(runs, r)
		}
	}
	return runs, !x.cut
}

// Fraction is an exact mean, never negative. Den 0: there is none.
type Fraction struct{ Num, Den int64 }

// Less compares two means exactly. None is more than any.
func (f Fraction) Less(o Fraction) bool {
	if f.Den == 0 || o.Den == 0 {
		return f.Den != 0
	}
	ahi, alo := bits.Mul64(uint64(f.Num), uint64(o.Den))
	bhi, blo := bits.Mul64(uint64(o.Num), uint64(f.Den))
	return ahi < bhi || ahi == bhi && alo < blo
}

// String writes it as it is: 37/4, 5, "none".
func (f Fraction) String() string {
	switch f.Den {
	case 0:
		return "none"
	case 1:
		return fmt.Sprint(f.Num)
	}
	return fmt.Sprintf("%d/%d", f.Num, f.Den)
}

// Decimal writes it with two decimals, rounded half up.
func (f Fraction) Decimal() string {
	if f.Den == 0 {
		return "none"
	}
	whole, rest := f.Num/f.Den, f.Num%f.Den
	hundredths := whole*100 + (rest*200/f.Den+1)/2
	return fmt.Sprintf("%d.%02d", hundredths/100, hundredths%100)
}

// Mean is the mean of n spans whose sum is given, in units, in lowest terms.
func Mean(sum clock.Duration, n int, unit clock.Duration) Fraction {
	if n == 0 {
		return Fraction{}
	}
	num, den := int64(sum), int64(unit)
	d := gcd(num, den)
	num, den = num/d, den/d
	d = gcd(num, int64(n))
	return Fraction{num / d, den * (int64(n) / d)}
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a, 1)
}

// Means are the means over the jobs that have ended; Unfinished is how many have
// not, and are left out.
type Means struct {
	Response, Turnaround, Waiting Fraction
	Finished, Unfinished          int
}

// Means returns the means over all jobs that count(id) admits, in units.
func (x *Jobs) Means(now clock.Time, unit clock.Duration, count func(id sched.ThreadID) bool) Means {
	var m Means
	var r, t, w clock.Duration
	for i := range x.rows {
		id := sched.ThreadID(i)
		if count != nil && !count(id) {
			continue
		}
		j := x.At(id, now)
		if j.Finished < 0 {
			m.Unfinished++
			continue
		}
		m.Finished++
		r += j.Started.Sub(j.Arrived)
		t += j.Finished.Sub(j.Arrived)
		w += j.Waited
	}
	m.Response, m.Turnaround, m.Waiting = Mean(r, m.Finished, unit), Mean(t, m.Finished, unit), Mean(w, m.Finished, unit)
	return m
}
