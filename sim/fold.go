package sim

import (
	"strandscope/sim/check"
	"strandscope/sim/clock"
	"strandscope/sim/compare"
	"strandscope/sim/machine"
	"strandscope/sim/policy"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
	"strandscope/sim/trace"
)

// Fold is the observers behind a session's frames without a session: for runs that no
// engine makes, such as recorded ones. Whoever has one gives it every event and fills
// the parts of a frame that events do not tell: threads, CPUs, queues and totals.
type Fold struct {
	w     *watchers
	m     *machine.Machine
	look  Look
	tally *stats.Tally
}

// NewFold returns the observers of a machine. Of the kernel it takes ID, HZ, Vmstat,
// Microstates and NewLoad.
func NewFold(m *machine.Machine, k policy.Kernel, r stats.Roster) *Fold {
	return &Fold{w: newWatchers(m, k, r), m: m, tally: stats.NewTally(r, m)}
}

// Observers are all of it, in the order in which they must see each event.
func (x *Fold) Observers() []trace.Observer { return append(x.w.all(), x.tally) }

// Check is what rejects impossible histories.
func (x *Fold) Check() *check.History { return x.w.check }

// Ledger has what the run did with each thread.
func (x *Fold) Ledger() *stats.Ledger { return x.w.ledger }

// Timeline has what each CPU did.
func (x *Fold) Timeline() *stats.Timeline { return x.w.spans }

// Culprits are who took CPUs from whom.
func (x *Fold) Culprits() *stats.Culprits { return x.w.who }

// Vmstat has the figures of each second.
func (x *Fold) Vmstat() *stats.Vmstat { return x.w.vmstat }

// Load is the load average so far.
func (x *Fold) Load() stats.LoadAverage { return x.w.load }

// Mode is what a CPU's time is counted as now.
func (x *Fold) Mode(cpu int) trace.CPUMode { return x.w.time.Mode(cpu) }

// Digest is the hash over all events so far.
func (x *Fold) Digest() uint64 { return x.w.digest.Sum() }

// Look tells what the next frames are to hold, as Session.Look does.
func (x *Fold) Look(l Look) {
	cpus := len(x.m.CPUs)
	if q := &l.Timeline; q.Rows != nil && len(q.Rows) != cpus {
		q.Rows, q.Columns = nil, 0
	}
	if l.Cursor.CPU < 0 || l.Cursor.CPU >= cpus {
		l.Cursor = Cursor{}
	}
	x.look = l
}

// Fill fills the rest of a frame whose Now, Totals and CPUs are there. explain puts a
// reason into a sentence.
func (x *Fold) Fill(f *Frame, explain func(sched.Reason) string) {
	w := x.w
	f.Machine, f.Digest = x.m, w.digest.Sum()
	x.catchUp(f.Now)
	f.Load = Load{Avg: w.load.Avenrun(), Text: w.loadText()}
	f.Vmstat = w.vmstatFrame(&f.Totals)
	f.Pointed = w.past(f, x.look, explain)
	f.Plots.Printed = f.Plots.Printed[:0]
}

func (x *Fold) catchUp(now clock.Time) {
	if l, ok := x.w.load.(interface{ CatchUp(now clock.Time) }); ok {
		l.CatchUp(now)
	}
}

// Figures are those by which the run is compared with another. work is that of all
// threads in time at full speed.
func (x *Fold) Figures(now clock.Time, work clock.Duration) compare.Figures {
	x.catchUp(now)
	f := figuresOf(x.w, x.tally, x.m, now)
	f.Work = work
	return f
}
