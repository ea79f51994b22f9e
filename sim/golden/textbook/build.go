package textbook

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"strandscope/sim/check"
	"strandscope/sim/clock"
	"strandscope/sim/engine"
	"strandscope/sim/machine"
	"strandscope/sim/policy/fcfs"
	"strandscope/sim/policy/hrrn"
	"strandscope/sim/policy/lottery"
	"strandscope/sim/policy/mlfq"
	"strandscope/sim/policy/multi"
	"strandscope/sim/policy/periodic"
	"strandscope/sim/policy/prio"
	"strandscope/sim/policy/procrun"
	"strandscope/sim/policy/rr"
	"strandscope/sim/policy/sjf"
	"strandscope/sim/policy/srtf"
	"strandscope/sim/policy/stride"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
	"strandscope/sim/trace"
	"strandscope/sim/workload"
)

// policy makes the policy of a header.
func (f *recorded) policy() (sched.Policy, error) {
	p := &f.Params
	requeue := p.Tie == "requeue_first"
	switch p.Tie {
	case "", "arrivals_first", "requeue_first", "task", "running_then_task":
	default:
		return nil, fmt.Errorf("tie %q is not modelled", p.Tie)
	}
	if p.OnMiss != "" && p.OnMiss != "continue" {
		return nil, fmt.Errorf("on_miss %q is not modelled", p.OnMiss)
	}
	var q clock.Duration
	if len(p.Quantum) > 0 {
		q = p.Quantum[0].duration()
	}
	switch f.Policy {
	case "FIFO", "FCFS":
		return &fcfs.Policy{}, nil
	case "SJF":
		return &sjf.Policy{}, nil
	case "SRTF":
		return &srtf.Policy{}, nil
	case "PRIO":
		return &prio.Policy{Kind: prio.Plain}, nil
	case "PRIO-P":
		return &prio.Policy{Kind: prio.Preemptive}, nil
	case "PRIO-RR":
		return &prio.Policy{Kind: prio.RoundRobin, Quantum: q, RequeueFirst: requeue}, nil
	case "RR":
		return &rr.Policy{Quantum: q, RequeueFirst: requeue}, nil
	case "HRRN":
		return &hrrn.Policy{}, nil
	case "STRIDE":
		return &stride.Policy{Quantum: q, Stride1: p.Stride1}, nil
	case "RM":
		return &periodic.Policy{Rule: periodic.RM}, nil
	case "DM":
		return &periodic.Policy{Rule: periodic.DM}, nil
	case "EDF":
		return &periodic.Policy{Rule: periodic.EDF}, nil
	case "LOTTERY":
		draws, err := f.column("draw")
		return &lottery.Policy{Quantum: q, Whole: f.ostep(), Draws: draws}, err
	case "MLFQ":
		return f.mlfq()
	case "MULTI":
		return f.multi(int(q / unit))
	case "PROCESS-RUN":
		return &procrun.Policy{SwitchOnEnd: p.Switch == "SWITCH_ON_END", Immediate: p.IODone == "IO_RUN_IMMEDIATE"}, nil
	}
	return nil, fmt.Errorf("policy %q is not modelled", f.Policy)
}

func (f *recorded) mlfq() (sched.Policy, error) {
	p := &f.Params
	o := mlfq.Options{Allotment: p.Allotment, Boost: clock.Duration(p.Boost) * unit, Stay: p.Stay, Bump: p.IOBump}
	for _, q := range p.Quantum {
		o.Quantum = append(o.Quantum, q.duration())
	}
	if len(o.Quantum) != p.Levels {
		return nil, fmt.Errorf("%d quanta for %d levels", len(o.Quantum), p.Levels)
	}
	return mlfq.New(o)
}

func (f *recorded) multi(quantum int) (sched.Policy, error) {
	p := &f.Params
	o := multi.Options{
		Unit: unit, Quantum: quantum, PerCPU: p.Queues == "per_cpu", Peek: p.Peek,
		Warmup: p.Warmup, Rate: p.WarmRate, CacheSize: p.CacheSize, RandomOrder: p.RandomOrder,
	}
	for _, d := range f.draws {
		switch {
		case len(d) == 6 && d[2] == "peek":
			o.Peeks = append(o.Peeks, int(d[4].(float64)))
		case len(d) == 4 && d[2] == "order":
			var order []int
			for _, c := range d[3].([]any) {
				order = append(order, int(c.(float64)))
			}
			if len(order) != f.CPUs {
				return nil, fmt.Errorf("an order of %d CPUs, there are %d", len(order), f.CPUs)
			}
			o.Orders = append(o.Orders, order)
		default:
			return nil, fmt.Errorf("a draw that is not known: %v", d)
		}
	}
	return multi.New(o)
}

// run is a replay.
type run struct {
	f    *recorded
	pol  sched.Policy
	e    *engine.Engine
	jobs *stats.Jobs
	past *check.History
	list []*sched.Thread
	code []string // process-run: one letter for each unit of CPU

	cpus   []lane
	slices []slice
	events []event
	peeks  [][]any
	orders [][]any
	ticks  []tick
	boosts int64
	ios    []int64
	inIO   []bool
}

func (f *recorded) build() (*run, error) {
	pol, err := f.policy()
	if err != nil {
		return nil, err
	}
	m, err := machine.Grid(f.CPUs, 1)
	if err != nil {
		return nil, err
	}
	r := &run{f: f, pol: pol, jobs: stats.NewJobs(f.CPUs), cpus: make([]lane, f.CPUs)}
	for i := range r.cpus {
		r.cpus[i].id = sched.None
	}
	cfg := engine.Config{Machine: m, Policy: pol, Timing: engine.Unison, HZ: 1}
	r.past = check.New(f.CPUs)
	cfg.Observers = []trace.Observer{r.past, r.jobs, r}
	if r.e, err = engine.New(cfg); err != nil {
		return nil, err
	}
	for i := range f.Jobs {
		if err := r.create(&f.Jobs[i]); err != nil {
			return nil, fmt.Errorf("job %d: %w", i, err)
		}
	}
	r.ios, r.inIO = make([]int64, len(f.Jobs)), make([]bool, len(f.Jobs))
	return r, nil
}

func (r *run) create(j *jobRow) error {
	var b workload.Builder
	at := j.Arrival.duration()
	switch {
	case r.f.Policy == "PROCESS-RUN":
		code, err := r.process(&b, j.Program)
		if err != nil {
			return err
		}
		r.code = append(r.code, code)
	case j.Task != nil:
		at = j.Offset.duration()
		b.Repeat(-1, func() {
			b.Do(workload.Instr{Op: workload.Run, D: j.WCET.duration()})
			b.Do(workload.Instr{Op: workload.Timer, D: j.Period.duration()})
		})
	default:
		r.burst(&b, j)
	}
	prog, err := b.Program()
	if err != nil {
		return err
	}
	t, err := r.e.Create(engine.Spec{Name: j.Name, Bound: sched.NoCPU, Prog: prog, As: sched.Params{
		Priority: j.Priority, Tickets: j.Tickets, WorkingSet: j.WorkingSet, CPUs: j.Affinity,
		Period: j.Period.duration(), Deadline: j.Deadline.duration(),
	}})
	if err != nil {
		return err
	}
	r.list = append(r.list, t)
	r.e.StartAt(t, clock.Time(at))
	return nil
}

// burst is a job's computing: whole, or with an I/O each so many units. At the end
// no I/O is issued, even if it is due.
func (r *run) burst(b *workload.Builder, j *jobRow) {
	left, every := j.Length.duration(), j.IOEvery.duration()
	if left == 0 && r.f.Policy == "MULTI" {
		left = 1 // a job of length 0 still takes one unit
	}
	for every > 0 && left > every {
		b.Do(workload.Instr{Op: workload.Run, D: every})
		b.Do(ioStep(r.f.Params.IOTime.duration()))
		left -= every
	}
	b.Do(workload.Instr{Op: workload.Run, D: left})
}

// ioStep is an I/O; one that takes no time is a yield.
func ioStep(d clock.Duration) workload.Instr {
	if d == 0 {
		return workload.Instr{Op: workload.Yield}
	}
	return workload.Instr{Op: workload.Sleep, D: d}
}

// process reads a program such as c3,i,c1 and returns the letters of its units.
func (r *run) process(b *workload.Builder, program string) (string, error) {
	code := ""
	for _, step := range strings.Split(program, ",") {
		n := 1
		var err error
		if len(step) > 1 && step[0] == 'c' {
			n, err = strconv.Atoi(step[1:])
		}
		switch {
		case err != nil || n < 1 || step == "":
			return "", fmt.Errorf("program %q: %q", program, step)
		case step == "i":
			b.Do(workload.Instr{Op: workload.Run, D: unit})
			b.Do(ioStep(clock.Duration(r.f.Params.IOLength) * unit))
			b.Do(workload.Instr{Op: workload.Run, D: unit})
			code += "IW"
		case step[0] == 'c':
			b.Do(workload.Instr{Op: workload.Run, D: clock.Duration(n) * unit})
			code += strings.Repeat("C", n)
		default:
			return "", fmt.Errorf("program %q: %q", program, step)
		}
	}
	return code, nil
}

// known is what a switch or an I/O behaviour may be called.
func (f *recorded) checkNames() error {
	if f.Policy == "PROCESS-RUN" {
		if !slices.Contains([]string{"SWITCH_ON_IO", "SWITCH_ON_END"}, f.Params.Switch) {
			return fmt.Errorf("switch %q is not modelled", f.Params.Switch)
		}
		if !slices.Contains([]string{"IO_RUN_LATER", "IO_RUN_IMMEDIATE"}, f.Params.IODone) {
			return fmt.Errorf("io_done %q is not modelled", f.Params.IODone)
		}
	}
	if q := f.Params.Queues; q != "" && q != "central" && q != "per_cpu" {
		return fmt.Errorf("queues %q is not modelled", q)
	}
	return nil
}
