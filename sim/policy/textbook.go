package policy

import (
	"fmt"
	"strings"

	"strandscope/sim/clock"
	"strandscope/sim/console"
	"strandscope/sim/engine"
	"strandscope/sim/joblist"
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
	"strandscope/sim/policy/textbook"
	"strandscope/sim/scenario"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
)

// loadTick is the clock tick on which textbook policies sample the load average:
// books have none, so it is Linux's.
const loadTick = clock.Second / 100

// textbookRow describes a textbook policy; keys are those of scheduler that it takes
// beside unit.
type textbookRow struct {
	id, title, help, keys string
	make                  func(b bookOptions) (sched.Policy, error)
}

// books makes the kernels of all rows.
func books() []Kernel {
	list := make([]Kernel, len(textbooks))
	for i, row := range textbooks {
		name := strings.ToUpper(row.id)
		list[i] = Kernel{
			Shell: console.Bare,
			ID:    scenario.BookKernels + row.id, Title: "Textbook: " + row.title, Timing: engine.Unison, HZ: 1, Vmstat: stats.LinuxVmstat,
			Classes: []Class{{name, name + " — " + row.title, row.help}},
			Keys:    append([]string{"unit"}, strings.Fields(row.keys)...),
			HZOf:    func(s *scenario.Scenario) int { return int(clock.Second / s.BookUnit()) },
			New: func(s *scenario.Scenario) (sched.Policy, error) {
				p, err := row.make(bookOptions{&s.Scheduler.Book, s.BookUnit()})
				if err != nil {
					err = fmt.Errorf("scheduler: %w", err)
				}
				return p, err
			},
			NewLoad: func(_ *stats.CPUTime, _ int) stats.LoadAverage { return stats.NewLinuxLoad(loadTick) },
		}
	}
	return list
}

// bookOptions are what a scenario says to a textbook policy.
type bookOptions struct {
	*scenario.Book
	unit clock.Duration
}

// sorted is the part that most policies share.
func (b bookOptions) sorted() textbook.Sorted { return textbook.Sorted{Base: b.base()} }

func (b bookOptions) base() textbook.Base { return textbook.Base{Unit: b.unit} }

// quantum is the only quantum, in simulated time.
func (b bookOptions) quantum(units joblist.Time) (clock.Duration, error) {
	switch len(b.Quantum) {
	case 0:
	case 1:
		units = b.Quantum[0]
	default:
		return 0, fmt.Errorf("quantum: %d of them, want one; only textbook-mlfq has levels", len(b.Quantum))
	}
	return units.In(b.unit), nil
}

func (b bookOptions) requeueFirst() bool { return b.Tie == scenario.TieRequeue }

// or is n where its key was given, else a default.
func (b bookOptions) or(key string, n, otherwise int) int {
	if b.Given(key) {
		return n
	}
	return otherwise
}

// textbooks are the textbook policies in the order shown to users.
var textbooks = []textbookRow{
	{"fcfs", "first come, first served", "Who came first runs until it stops by itself.", "", func(b bookOptions) (sched.Policy, error) {
		return &fcfs.Policy{Sorted: b.sorted()}, nil
	}},
	{"sjf", "shortest job first", "Of those that wait, the shortest burst runs until it stops by itself. It knows the future.", "", func(b bookOptions) (sched.Policy, error) {
		return &sjf.Policy{Sorted: b.sorted()}, nil
	}},
	{"srtf", "shortest remaining time first", "An arrival takes the CPU if it is shorter than what the running job has left. It knows the future.", "", func(b bookOptions) (sched.Policy, error) {
		return &srtf.Policy{Sorted: b.sorted()}, nil
	}},
	{"prio", "priorities", "The smallest number runs until it stops by itself.", "", func(b bookOptions) (sched.Policy, error) {
		return b.priorities(prio.Plain)
	}},
	{"prio-p", "priorities, preemptive", "A smaller number takes the CPU.", "", func(b bookOptions) (sched.Policy, error) {
		return b.priorities(prio.Preemptive)
	}},
	{"prio-rr", "priorities with round robin", "A smaller number takes the CPU; equal numbers take turns.", "quantum tie", func(b bookOptions) (sched.Policy, error) {
		return b.priorities(prio.RoundRobin)
	}},
	{"rr", "round robin", "One queue; each runs for a quantum, then goes to the tail.", "quantum tie", func(b bookOptions) (sched.Policy, error) {
		q, err := b.quantum(1000)
		return &rr.Policy{Sorted: b.sorted(), Quantum: q, RequeueFirst: b.requeueFirst()}, err
	}},
	{"hrrn", "highest response ratio next", "The largest (waited + length) / length runs until it stops by itself. It knows the future.", "", func(b bookOptions) (sched.Policy, error) {
		return &hrrn.Policy{Base: b.base()}, nil
	}},
	{"mlfq", "multi-level feedback queue", "Who uses up its allotment goes down a level; a boost puts all back on top.", "quantum levels allotment boost stay io_bump", bookMLFQ},
	{"lottery", "lottery", "One draw for each quantum; tickets are chances.", "quantum whole_quantum", func(b bookOptions) (sched.Policy, error) {
		q, err := b.quantum(1000)
		return &lottery.Policy{Base: b.base(), Quantum: q, Whole: b.WholeQuantum}, err
	}},
	{"stride", "stride", "The smallest pass runs for a quantum; tickets are shares.", "quantum stride1", func(b bookOptions) (sched.Policy, error) {
		q, err := b.quantum(1000)
		return &stride.Policy{Sorted: b.sorted(), Quantum: q, Stride1: int64(b.or("stride1", b.Stride1, 10_000))}, err
	}},
	{
		"multi", "several CPUs with caches", "One queue or one for each CPU, with peeking, affinity and warm caches.",
		"quantum queues peek_interval warmup warm_rate cache_size random_order", bookMulti,
	},
	{"rm", "rate monotonic", "The shortest period first.", "", func(b bookOptions) (sched.Policy, error) {
		return &periodic.Policy{Sorted: b.sorted(), Rule: periodic.RM}, nil
	}},
	{"dm", "deadline monotonic", "The shortest relative deadline first.", "", func(b bookOptions) (sched.Policy, error) {
		return &periodic.Policy{Sorted: b.sorted(), Rule: periodic.DM}, nil
	}},
	{"edf", "earliest deadline first", "The job whose deadline comes first.", "", func(b bookOptions) (sched.Policy, error) {
		return &periodic.Policy{Sorted: b.sorted(), Rule: periodic.EDF}, nil
	}},
	{"process-run", "process states", "Who has the CPU keeps it until its I/O or its end.", "switch io_done", func(b bookOptions) (sched.Policy, error) {
		return &procrun.Policy{Base: b.base(), SwitchOnEnd: b.SwitchOnEnd, Immediate: b.RunsImmediate}, nil
	}},
}

func (b bookOptions) priorities(kind prio.Kind) (sched.Policy, error) {
	q, err := b.quantum(1000)
	return &prio.Policy{Sorted: b.sorted(), Kind: kind, Quantum: q, RequeueFirst: b.requeueFirst()}, err
}

// bookMLFQ reads the knobs of each level. As OSTEP has it: three levels, a quantum of
// ten units, an allotment of one, no boost.
func bookMLFQ(b bookOptions) (sched.Policy, error) {
	levels := max(len(b.Quantum), len(b.Allotment))
	if levels <= 1 {
		levels = b.or("levels", b.Levels, 3)
	} else if b.Given("levels") && b.Levels != levels {
		return nil, fmt.Errorf("levels: %d, the lists name %d", b.Levels, levels)
	}
	o := mlfq.Options{Boost: b.Boost.In(b.unit), Stay: b.Stay, Bump: b.IOBump}
	for _, x := range []struct {
		key string
		n   int
	}{{"quantum", len(b.Quantum)}, {"allotment", len(b.Allotment)}} {
		if x.n > 1 && x.n != levels {
			return nil, fmt.Errorf("%s: %d of them for %d levels", x.key, x.n, levels)
		}
	}
	for level := range levels {
		quantum, allotment := joblist.Time(10_000), 1
		if n := len(b.Quantum); n > 0 {
			quantum = b.Quantum[max(0, n-1-level)] // lists begin at the top
		}
		if n := len(b.Allotment); n > 0 {
			allotment = b.Allotment[max(0, n-1-level)]
		}
		o.Quantum, o.Allotment = append(o.Quantum, quantum.In(b.unit)), append(o.Allotment, allotment)
	}
	p, err := mlfq.New(o)
	if err != nil {
		return nil, err
	}
	p.Unit = b.unit
	return p, nil
}

// bookMulti reads the knobs of CPUs with caches; the defaults are OSTEP's.
func bookMulti(b bookOptions) (sched.Policy, error) {
	q, err := b.quantum(10_000)
	if err != nil {
		return nil, err
	}
	if q%b.unit != 0 {
		return nil, fmt.Errorf("quantum: %v, want whole units", b.Quantum[0])
	}
	return multi.New(multi.Options{
		Unit: b.unit, Quantum: int(q / b.unit), PerCPU: b.PerCPU, Peek: b.or("peek_interval", b.Peek, 30),
		Warmup: b.or("warmup", b.Warmup, 10), Rate: b.or("warm_rate", b.WarmRate, 2), CacheSize: b.or("cache_size", b.CacheSize, 100),
		RandomOrder: b.RandomOrder,
	})
}
