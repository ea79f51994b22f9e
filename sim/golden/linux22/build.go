// Package linux22 replays the data recorded from the Linux 2.2 scheduler's own
// code: decisions, charges, counters, loads, wakes, forks, totals and hashes of
// whole runs, and single-function vectors, in the formats that
// shared/reference/linux22/README.md describes. A run is built from its
// summary.json and tasks.csv alone.
package linux22

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"strandscope/sim/engine"
	"strandscope/sim/golden"
	"strandscope/sim/machine"
	policy "strandscope/sim/policy/linux22"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
	"strandscope/sim/workload"
)

// summary is what a run is built from.
type summary struct {
	CPUs  int
	Ticks int64
	Build struct {
		Kernel        string
		SMP           bool `json:"smp_kernel"`
		HZ            int
		StartJiffy    int64  `json:"start_jiffy"`
		StartCPU      int    `json:"start_cpu"`
		TimerCPU      int    `json:"timer_cpu"`
		LocalOrder    []int  `json:"local_tick_cpu_order"`
		Counter       int    `json:"counter_at_start"`
		Priority      int    `json:"priority_at_start"`
		LastCPU       int    `json:"last_cpu_at_start"`
		LockDepth     int    `json:"lock_depth"`
		AddressSpace  string `json:"address_space"`
		SleepersStart string `json:"sleepers_start_with"`
		Yielders      []yielder
		Forkers       []forker
		StartOrder    []int `json:"start_order"`
	}
}

type yielder struct {
	PID     int
	AtStart int `json:"yields_at_start"`
	PerTick int `json:"yields_per_charged_tick"`
}

type forker struct {
	PID       int
	Children  int
	AtStart   int    `json:"forks_at_start"`
	PerTick   int    `json:"forks_per_charged_tick"`
	First     int    `json:"first_child_pid"`
	ChildKind string `json:"child_kind"`
	Then      string
}

// taskRow is the definition of a task in tasks.csv.
type taskRow struct {
	pid                   int
	kind                  string
	policy, rtPri, nice   int
	burst, sleepMS, sleep int64
}

// readTasks reads the definitions of a tasks.csv by pid.
func readTasks(path string) (map[int]taskRow, error) {
	f, err := golden.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	c := csv.NewReader(f)
	names, err := c.Read()
	if err != nil {
		return nil, err
	}
	col := map[string]int{}
	for i, n := range names {
		col[n] = i
	}
	rows := map[int]taskRow{}
	for line := 2; ; line++ {
		rec, err := c.Read()
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			return nil, err
		}
		var bad error
		num := func(name string) int64 {
			i, ok := col[name]
			if !ok {
				bad = fmt.Errorf("no column %q", name)
				return 0
			}
			n, err := strconv.ParseInt(rec[i], 10, 64)
			if err != nil {
				bad = fmt.Errorf("column %s: %w", name, err)
			}
			return n
		}
		r := taskRow{
			pid: int(num("pid")), policy: int(num("policy")), rtPri: int(num("rt_priority")), nice: int(num("nice_arg")),
			burst: num("burst_ticks"), sleepMS: num("sleep_ms"), sleep: num("sleep_jiffies"),
		}
		if i, ok := col["kind"]; ok {
			r.kind = rec[i]
		}
		if bad != nil {
			return nil, fmt.Errorf("line %d: %w", line, bad)
		}
		rows[r.pid] = r
	}
}

// build makes the engine and the tasks of the start. Nothing has run yet.
func (r *run) build() error {
	b := &r.s.Build
	switch {
	case b.Kernel != "2.2.8-pre5" && b.Kernel != "2.2.7":
		return fmt.Errorf("kernel %q is not modelled", b.Kernel)
	case b.HZ != policy.HZ:
		return fmt.Errorf("%d Hz, the model has %d", b.HZ, policy.HZ)
	case b.LockDepth != -1 || b.AddressSpace != "own":
		return fmt.Errorf("lock depth %d and address space %q are not modelled in runs", b.LockDepth, b.AddressSpace)
	case b.LastCPU != 255 || b.Priority != 20:
		return fmt.Errorf("tasks that start with last CPU %d and priority %d are not modelled", b.LastCPU, b.Priority)
	case b.SleepersStart != "" && b.SleepersStart != "burst":
		return fmt.Errorf("sleepers that start with %q are not modelled", b.SleepersStart)
	}
	m, err := machine.Grid(r.s.CPUs, 1)
	if err != nil {
		return err
	}
	r.p = policy.New(policy.Options{Old: b.Kernel == "2.2.7", UP: !b.SMP})
	cfg := engine.Config{
		Machine: m, Policy: r.p, Timing: engine.Clock, HZ: b.HZ, ClockCPU: b.TimerCPU, NewestFirst: true,
		LocalOrder: b.LocalOrder, Observers: []trace.Observer{r}, EveryTick: r.everyTick,
	}
	if b.SMP {
		cfg.Timing = engine.Local
	}
	if r.e, err = engine.New(cfg); err != nil {
		return err
	}
	for _, pid := range b.StartOrder {
		row, ok := r.rows[pid]
		if !ok {
			return fmt.Errorf("start_order names pid %d, tasks.csv does not", pid)
		}
		if err := r.create(row); err != nil {
			return fmt.Errorf("pid %d: %w", pid, err)
		}
	}
	return nil
}

func (r *run) create(row taskRow) error {
	prog, err := r.program(row)
	if err != nil {
		return err
	}
	counter := r.s.Build.Counter
	as := sched.Params{Nice: row.nice, Priority: row.rtPri, Start: &counter}
	switch row.policy {
	case 0:
	case 1:
		as.Class = "FIFO"
	case 2:
		as.Class = "RR"
	default:
		return fmt.Errorf("policy %d", row.policy)
	}
	r.pids = append(r.pids, row.pid)
	_, err = r.e.Create(engine.Spec{Name: row.kind, PID: int32(row.pid), Bound: sched.NoCPU, Prog: prog, As: as})
	return err
}

func (r *run) program(row taskRow) (*workload.Program, error) {
	var b workload.Builder
	tick := workload.Instr{Op: workload.Run, Ticks: 1}
	switch row.kind {
	case "hog":
		return workload.Forever, nil
	case "sleeper":
		b.Repeat(-1, func() {
			if row.burst > 0 {
				b.Do(workload.Instr{Op: workload.Run, Ticks: row.burst})
			}
			b.Do(workload.Instr{Op: workload.Sleep, Ticks: row.sleep})
		})
	case "yielder":
		y, ok := find(r.s.Build.Yielders, func(y yielder) bool { return y.PID == row.pid })
		if !ok {
			return nil, fmt.Errorf("build lists no such yielder")
		}
		yields := func(n int) {
			for range n {
				b.Do(workload.Instr{Op: workload.Yield})
			}
		}
		yields(y.AtStart)
		b.Repeat(-1, func() { b.Do(tick); yields(y.PerTick) })
	case "forker":
		f, ok := find(r.s.Build.Forkers, func(f forker) bool { return f.PID == row.pid })
		if !ok || f.ChildKind != "hog" || f.Then != "sleep_forever" {
			return nil, fmt.Errorf("build lists no such forker, or children of kind %q", f.ChildKind)
		}
		quota := f.AtStart
		for i := 0; i < f.Children; {
			for ; quota > 0 && i < f.Children; quota-- {
				b.Do(workload.Instr{Op: workload.Fork, Name: f.ChildKind, Child: workload.Forever})
				i++
			}
			if i < f.Children {
				b.Do(tick)
				quota = f.PerTick
				if quota < 1 {
					return nil, fmt.Errorf("a forker that never gets to fork")
				}
			}
		}
		b.Do(workload.Instr{Op: workload.Block})
	default:
		return nil, fmt.Errorf("kind %q", row.kind)
	}
	return b.Program()
}

func find[T any](list []T, is func(T) bool) (T, bool) {
	for _, x := range list {
		if is(x) {
			return x, true
		}
	}
	var zero T
	return zero, false
}

// readSummary reads what a run is built from, and all members for comparison.
func readSummary(path string) (*summary, map[string]json.RawMessage, error) {
	var s summary
	all, err := golden.ReadSummary(path, &s)
	return &s, all, cmp.Or(err, golden.Within("ticks", s.Ticks, 0, golden.MaxTicks), golden.Within("cpus", int64(s.CPUs), 1, golden.MaxCPUs))
}
