// Package linux6 replays the data recorded from the fair schedulers of Linux 6.1, 6.12
// and 6.18: decisions, events, wakes, tasks, totals and hashes of whole runs, and
// vectors of single functions, in the formats that
// shared/reference/linux6/README.md describes. A run is built from the member build of
// its summary.json alone.
package linux6

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"strandscope/sim/golden"
	"strandscope/sim/policy/linuxcfs6"
	"strandscope/sim/policy/linuxeevdf"
	fair "strandscope/sim/policy/linuxfair"
)

// build is what a run is made of. Times are in ns.
type build struct {
	Kernel   string
	Tick     int64 `json:"tick_ns"`
	Duration int64 `json:"duration_ns"`
	Tunables struct {
		Base      int64 `json:"base_slice_ns"`
		Latency   int64 `json:"latency_ns"`
		MinGran   int64 `json:"min_granularity_ns"`
		Wakeup    int64 `json:"wakeup_granularity_ns"`
		NrLatency int   `json:"nr_latency"`
	}
	StartOrder []int `json:"start_order"`
	Tasks      []struct {
		PID      int
		Nice     int
		Slice    int64 `json:"slice_ns"`
		Program  []step
		LoopFrom int `json:"loop_from"`
	}
}

// step is one of a program: its name and up to two numbers.
type step struct {
	op   string
	a, b int64
}

// UnmarshalJSON reads ["nice", 3, -5].
func (s *step) UnmarshalJSON(raw []byte) error {
	var parts []json.RawMessage
	if err := json.Unmarshal(raw, &parts); err != nil {
		return err
	}
	args := map[string]int{"run": 1, "sleep": 1, "fork": 1, "nice": 2, "yield": 0, "exit": 0}
	if len(parts) == 0 || json.Unmarshal(parts[0], &s.op) != nil {
		return fmt.Errorf("step %s has no name", raw)
	}
	n, ok := args[s.op]
	if !ok || len(parts) != n+1 {
		return fmt.Errorf("step %s is none of run, sleep, yield, fork, nice, exit", raw)
	}
	for i, to := range []*int64{&s.a, &s.b}[:n] {
		if err := json.Unmarshal(parts[i+1], to); err != nil {
			return fmt.Errorf("step %s: %w", raw, err)
		}
	}
	if s.a < 0 {
		return fmt.Errorf("step %s: %d, want 0 or more", raw, s.a)
	}
	return nil
}

// readSummary reads what a run is built from, and all members for comparison.
func readSummary(path string) (*build, map[string]json.RawMessage, error) {
	var s struct{ Build build }
	all, err := golden.ReadSummary(path, &s)
	b := &s.Build
	return b, all, cmp.Or(err, golden.Within("tick_ns", b.Tick, 1, 1e9), golden.Within("duration_ns", b.Duration, 0, golden.MaxTicks*b.Tick))
}

// kernelOf tells the version from the kernel's name; cfs is 6.1.
func kernelOf(name string) (cfs bool, v linuxeevdf.Version, err error) {
	release := func(r string) bool { return name == r || strings.HasPrefix(name, r+".") }
	switch {
	case release("6.1"):
		return true, 0, nil
	case release("6.12"):
		return false, linuxeevdf.V612, nil
	case release("6.18"):
		return false, linuxeevdf.V618, nil
	}
	return false, 0, fmt.Errorf("kernel %q is not modelled", name)
}

// make prepares the queue and the tasks; nothing has run yet.
func (r *run) make() error {
	cfs, v, err := kernelOf(r.b.Kernel)
	if err != nil {
		return err
	}
	t := &r.b.Tunables
	if r.b.Tick <= 0 || r.b.Duration < 0 {
		return fmt.Errorf("tick_ns %d and duration_ns %d: want more than 0, and 0 or more", r.b.Tick, r.b.Duration)
	}
	slice := t.Base
	if cfs {
		if t.Latency <= 0 || t.MinGran <= 0 || t.Wakeup < 0 || t.NrLatency < 1 {
			return fmt.Errorf("tunables of 6.1 are missing or not positive")
		}
		r.cfs = linuxcfs6.New(linuxcfs6.Tunables{Latency: t.Latency, MinGranularity: t.MinGran, WakeupGranularity: t.Wakeup, NrLatency: t.NrLatency})
		r.q = r.cfs
		// What 6.1 does not use; the recorder shows 6.12's for as many CPUs.
		slice = linuxeevdf.BaseSlice(max(1, t.Latency/6_000_000))
	} else {
		if t.Base <= 0 {
			return fmt.Errorf("base_slice_ns %d, want more than 0", t.Base)
		}
		r.v = v
		r.eevdf = linuxeevdf.New(v, t.Base)
		r.q = r.eevdf
	}
	r.s = r.q.Base()
	r.byPID = map[int64]*task{}
	for i := range r.b.Tasks {
		d := &r.b.Tasks[i]
		if d.Nice < -20 || d.Nice > 19 {
			return fmt.Errorf("pid %d: nice %d, want -20 to 19", d.PID, d.Nice)
		}
		if d.PID <= 0 || r.byPID[int64(d.PID)] != nil {
			return fmt.Errorf("pid %d is not positive or there twice", d.PID)
		}
		if d.LoopFrom < -1 || d.LoopFrom > len(d.Program) {
			return fmt.Errorf("pid %d: loop_from %d, the program has %d steps", d.PID, d.LoopFrom, len(d.Program))
		}
		x := &task{pid: int64(d.PID), prog: d.Program, loop: d.LoopFrom, e: &fair.Entity{ID: int32(d.PID), Slice: slice}}
		x.e.SetNice(d.Nice, false)
		if d.Slice > 0 {
			x.e.Slice, x.e.Custom = d.Slice, true
		}
		r.tasks = append(r.tasks, x)
		r.byPID[x.pid] = x
	}
	for _, pid := range r.b.StartOrder {
		if r.byPID[int64(pid)] == nil {
			return fmt.Errorf("start_order names pid %d, tasks do not", pid)
		}
	}
	return nil
}
