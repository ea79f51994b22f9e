// Package multi is scheduling on several CPUs with caches of their own, as OSTEP's
// chapter 10 has it: one central queue, or one for each CPU with peeking, affinity,
// and jobs that run faster where their working set is warm.
//
// It goes by whole units. At each: when the quantum divides the time, every running
// job goes to the tail of its queue, CPU by CPU upward. When the peek interval does,
// each CPU whose queue is empty, even if it runs a job, looks at the queue of another
// at random and takes over the first job without an affinity. Then idle CPUs, upward
// or in a drawn order, take the first job of their queue that may run there. Jobs
// are dealt to the queues in turn.
//
// What it is good for: seeing what affinity is worth, and what balance costs. Where
// it is bad: slices of all CPUs are cut at the same units, however late one began; a
// queue can be empty while another is long, until somebody looks.
//
// Source: shared/reference/textbook/FACTS.md §5; OSTEP, chapter 10.
//
// Where it differs: no job with an affinity is moved by peeking (the simulator lets
// some through by a slip). Jobs may arrive late or do I/O; they are dealt when they
// become ready, and wait for the next whole unit. It asks sched.Oracle only whether a
// burst ends at this very instant.
package multi

import (
	"errors"
	"fmt"
	"slices"

	"strandscope/sim/clock"
	"strandscope/sim/machine"
	"strandscope/sim/policy/textbook"
	"strandscope/sim/sched"
)

// Options are the knobs.
type Options struct {
	Unit    clock.Duration
	Quantum int  // units
	PerCPU  bool // a queue for each CPU
	Peek    int  // units between looks at other queues; 0: never
	// Warmup is how many units a job runs on a CPU until it is warm there; then it
	// computes Rate times as fast. Working sets share CacheSize.
	Warmup, Rate, CacheSize int
	RandomOrder             bool // idle CPUs are served in a drawn order
	// Peeks and Orders are taken first where there are any; then chance decides.
	Peeks  []int
	Orders [][]int
}

// Limits of the knobs.
const (
	MaxRate  = 1000
	MaxCache = 1_000_000_000
)

// check refuses knobs that make no schedule.
func (o *Options) check() error {
	switch {
	case o.Unit <= 0:
		return errors.New("unit: want more than 0")
	case o.Quantum < 1:
		return fmt.Errorf("quantum: %d, want at least 1", o.Quantum)
	case o.Peek < 0:
		return fmt.Errorf("peek: %d, want 0 (never) or more", o.Peek)
	case o.Warmup < 0:
		return fmt.Errorf("warmup: %d, want 0 or more", o.Warmup)
	case o.Rate < 1 || o.Rate > MaxRate:
		return fmt.Errorf("warm_rate: %d, want 1 to %d", o.Rate, MaxRate)
	case o.CacheSize < 0 || o.CacheSize > MaxCache:
		return fmt.Errorf("cache_size: %d, want 0 to %d", o.CacheSize, MaxCache)
	}
	return nil
}

// Peeked is one look at another queue; Job is sched.None if nothing was taken.
type Peeked struct {
	CPU, Other int
	Job        sched.ThreadID
}

// Policy is the scheduler.
type Policy struct {
	textbook.Base
	o      Options
	jobs   sched.Table[job]
	fresh  []sched.ThreadID // not yet dealt
	dealTo int
	queues [][]sched.ThreadID // one, or one for each CPU
	cpus   []strand
	units  int64
	stops  int  // CPUs that are still to stop at this instant
	looked bool // at this instant
	peeks  []Peeked
	order  []int
	// picking is the CPU whose Pick is being answered, or sched.NoCPU.
	picking int
}

type job struct {
	set  int
	may  []int // CPUs; none: all
	warm int64 // units run warm
	ran  int64 // units run
}

// job is a job's row. (Inlined, the growing of tables would be there at each use.)
//
//go:noinline
func (p *Policy) job(id sched.ThreadID) *job { return p.jobs.At(id) }

// strand is what the policy knows of a CPU.
type strand struct {
	on, plan, stopped sched.ThreadID
	cache             cache
}

// New returns a policy with the given knobs.
func New(o Options) (*Policy, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	return &Policy{o: o, picking: sched.NoCPU}, nil
}

// Boot implements sched.Policy.
func (p *Policy) Boot(k sched.Kernel) error {
	p.Unit = p.o.Unit
	n := len(k.CPUs())
	for range n {
		p.cpus = append(p.cpus, strand{on: sched.None, plan: sched.None, stopped: sched.None})
	}
	p.queues = make([][]sched.ThreadID, 1)
	if p.o.PerCPU {
		p.queues = make([][]sched.ThreadID, n)
	}
	if err := p.Base.Boot(k); err != nil {
		return err
	}
	return k.Every(p.o.Unit, p.o.Unit, "unit", nil, (*uniter)(p))
}

// Grain implements sched.Grainer.
func (p *Policy) Grain() clock.Duration { return p.o.Unit }

// Pace implements sched.Pacer.
func (p *Policy) Pace(c *sched.CPU) machine.Permille {
	if p.cpus[c.ID].cache.count(c.Thread.ID).warm {
		return machine.Permille(1000 * p.o.Rate)
	}
	return 1000
}

// Admit implements sched.Policy.
func (p *Policy) Admit(t *sched.Thread, as *sched.Params) error {
	j := job{}
	switch {
	case as != nil:
		j.set, j.may = as.WorkingSet, as.CPUs
	case t.Parent != sched.None:
		j.set, j.may = p.job(t.Parent).set, p.job(t.Parent).may
	}
	if j.set < 0 || j.set > MaxCache {
		return fmt.Errorf("working_set: %d, want 0 to %d", j.set, MaxCache)
	}
	for _, c := range j.may {
		if c < 0 || c >= len(p.cpus) {
			return fmt.Errorf("affinity: CPU %d, the machine has 0 to %d", c, len(p.cpus)-1)
		}
	}
	*p.job(t.ID) = j
	return nil
}

// may reports whether a job may run on a CPU.
func (p *Policy) may(id sched.ThreadID, c *sched.CPU) bool {
	a := p.job(id).may
	return (len(a) == 0 || slices.Contains(a, c.ID)) && p.K.Thread(id).May(c)
}

// UnitsRun tells how many units t ran, and how many of these warm.
func (p *Policy) UnitsRun(t *sched.Thread) (ran, warm int64) {
	j := p.job(t.ID)
	return j.ran, j.warm
}

// Drawn is what chance decided at the present instant.
func (p *Policy) Drawn() (peeks []Peeked, order []int) { return p.peeks, p.order }

// Explain implements sched.Policy.
func (p *Policy) Explain(r sched.Reason) string {
	switch r.Code {
	case textbook.WhyTurn:
		return "It was the first in the queue that may run here."
	case textbook.WhyMoved:
		return fmt.Sprintf("CPU %d had nobody waiting, looked here and took it over.", r.A)
	case textbook.WhyQuantum:
		return "The quantum of all CPUs is over; it goes to the tail of its queue."
	}
	return textbook.Common(r)
}

// Fields implements sched.Inspector.
func (p *Policy) Fields() []sched.Field {
	return []sched.Field{
		{Name: "units", Help: "units run so far"},
		{Name: "warm", Help: "of these, with a warm cache"},
		{Name: "set", Help: "its working set"},
	}
}

// Values implements sched.Inspector.
func (p *Policy) Values(t *sched.Thread, row []int64) {
	j := p.job(t.ID)
	row[0], row[1], row[2] = j.ran, j.warm, int64(j.set)
}

// Queues implements sched.Inspector.
func (p *Policy) Queues(visit func(q sched.Queue, waiting []sched.ThreadID)) {
	for i, ids := range p.queues {
		if len(ids) == 0 {
			continue
		}
		q := sched.Queue{CPU: sched.NoCPU, Priority: -1, Name: "central queue"}
		if p.o.PerCPU {
			q.CPU, q.Name = i, fmt.Sprintf("queue of CPU %d", i)
		}
		visit(q, ids)
	}
	if len(p.fresh) > 0 {
		visit(sched.Queue{CPU: sched.NoCPU, Priority: -1, Name: "not yet dealt"}, p.fresh)
	}
}
