// Package linux26 replays the data recorded from the code of Linux 2.6.22 (O(1))
// and 2.6.24 (the first CFS): decisions, charges, states, loads, wakes, moves, forks,
// exits, totals and hashes of whole runs, and single-function vectors, in the formats
// that shared/reference/linux26/README.md describes. A run is built from its
// summary.json and the definitions in tasks.csv alone, by the conventions of that
// page: its ticks go from CPU to CPU, which no engine is needed for. What decides is
// the same core that the engine's policies drive.
package linux26

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"

	"strandscope/sim/golden"
)

// summary is what a run is built from.
type summary struct {
	CPUs  int
	Ticks int64
	Build build
}

type build struct {
	Kernel        string
	SMP           bool   `json:"smp_kernel"`
	WordBits      int    `json:"word_bits"`
	HZ            int64  `json:"hz"`
	StartJiffy    int64  `json:"start_jiffy"`
	TimerCPU      int    `json:"timer_cpu"`
	Order         []int  `json:"tick_cpu_order"`
	SleepersStart string `json:"sleepers_start_with"`
	AddressSpace  string `json:"address_space"`
	Yielders      []yielder
	Forkers       []forker
	StartOrder    []int `json:"start_order"`
	// O(1)
	SleepAvg   int64           `json:"sleep_avg_at_start"`
	Slice      json.RawMessage `json:"time_slice_at_start"`
	FirstSlice int             `json:"first_time_slice_at_start"`
	Hot        int64           `json:"cache_hot_ns"`
	// CFS
	Tick       int64 `json:"tick_nsec"`
	Latency    int64 `json:"sched_latency_ns"`
	MinGran    int64 `json:"sched_min_granularity_ns"`
	NrLatency  int64 `json:"sched_nr_latency"`
	WakeGran   int64 `json:"sched_wakeup_granularity_ns"`
	Migration  int64 `json:"sched_migration_cost_ns"`
	NrMigrate  int   `json:"sched_nr_migrate"`
	ChildFirst int   `json:"child_runs_first"`
	Features   int
	Vruntime   int64 `json:"vruntime_at_start"`
	MinVrun    int64 `json:"min_vruntime_at_start"`
	Clock      int64 `json:"rq_clock_at_start"`
}

type yielder struct {
	PID     int
	AtStart int `json:"pending_at_start"`
	PerTick int `json:"pending_after_charged_tick"`
}

type forker struct {
	PID        int
	Children   int
	AtStart    int    `json:"forks_at_start"`
	PerTick    int    `json:"forks_per_charged_tick"`
	First      int    `json:"first_child_pid"`
	ChildKind  string `json:"child_kind"`
	ChildBurst int64  `json:"child_burst_ticks"`
	Then       string
}

// definition is what tasks.csv says of a task.
type definition struct {
	pid                 int
	kind                string
	policy, rtPri, nice int
	burst, sleep        int64
	startCPU, wakeCPU   int
	peer                int
	sync                bool
}

// readTasks reads the definitions of a tasks.csv by pid.
func readTasks(path string) (map[int]definition, error) {
	f, err := golden.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows := map[int]definition{}
	_, err = golden.EachRow(csv.NewReader(f), func(f *golden.Fields) {
		d := definition{
			pid: int(f.Int("pid")), kind: f.Text("kind"), policy: int(f.Int("policy")), rtPri: int(f.Int("rt_priority")), nice: int(f.Int("nice")),
			burst: f.Int("burst_ticks"), sleep: f.Int("sleep_jiffies"), startCPU: int(f.Int("start_cpu")), wakeCPU: int(f.Int("wake_cpu")),
			peer: int(f.Int("peer")), sync: f.Int("sync") != 0,
		}
		rows[d.pid] = d
	})
	return rows, err
}

// readSummary reads what a run is built from, and all members for comparison.
func readSummary(path string) (*summary, map[string]json.RawMessage, error) {
	var s summary
	all, err := golden.ReadSummary(path, &s)
	return &s, all, cmp.Or(err, golden.Within("ticks", s.Ticks, 0, golden.MaxTicks), golden.Within("cpus", int64(s.CPUs), 1, golden.MaxCPUs))
}

// check refuses what is not modelled.
func (s *summary) check() error {
	b := &s.Build
	if b.HZ < 1 || b.HZ > 10_000 {
		return fmt.Errorf("%d Hz, want 1 to 10000", b.HZ)
	}
	if s.CPUs < 1 || !b.SMP && s.CPUs != 1 {
		return fmt.Errorf("%d CPUs, SMP %v", s.CPUs, b.SMP)
	}
	if b.WordBits != 64 {
		return fmt.Errorf("words of %d bits are not modelled", b.WordBits)
	}
	if b.SleepersStart != "burst" || b.AddressSpace != "own" {
		return fmt.Errorf("sleepers that start with %q and address space %q are not modelled", b.SleepersStart, b.AddressSpace)
	}
	if len(b.Order) != s.CPUs {
		return fmt.Errorf("tick_cpu_order has %d of %d CPUs", len(b.Order), s.CPUs)
	}
	if b.TimerCPU != b.Order[0] {
		return fmt.Errorf("timer_cpu %d does not tick first", b.TimerCPU)
	}
	for _, f := range b.Forkers {
		if f.Then != "sleep_forever" {
			return fmt.Errorf("pid %d: a forker that ends with %q is not modelled", f.PID, f.Then)
		}
		if f.ChildKind != "hog" && f.ChildKind != "mortal" {
			return fmt.Errorf("pid %d: children of kind %q are not modelled", f.PID, f.ChildKind)
		}
	}
	return nil
}
