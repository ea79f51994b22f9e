package linux26

import (
	"fmt"
	"io"

	"strandscope/sim/policy/linuxcfs"
	"strandscope/sim/sched"
)

// cfs is 2.6.24.
type cfs struct {
	r *run
	*linuxcfs.Core
}

func newCFS(r *run) (model, error) {
	b := &r.s.Build
	switch {
	case b.Features != 7 || b.ChildFirst != 1:
		return nil, fmt.Errorf("features %d with child_runs_first %d are not modelled", b.Features, b.ChildFirst)
	case b.Tick != 1_000_000_000/b.HZ:
		return nil, fmt.Errorf("a tick of %d ns at %d Hz is not modelled", b.Tick, b.HZ)
	case b.MinVrun != -1<<20 || b.Clock != 1:
		return nil, fmt.Errorf("min_vruntime %d and clock %d at the start are not modelled", b.MinVrun, b.Clock)
	case b.NrLatency < 1:
		return nil, fmt.Errorf("sched_nr_latency %d, want 1 or more", b.NrLatency)
	}
	t := linuxcfs.Tunables{Latency: b.Latency, WakeGran: b.WakeGran, Migration: b.Migration, NrLatency: b.NrLatency, NrMigrate: b.NrMigrate}
	m := &cfs{r: r}
	m.Core = linuxcfs.NewCore(r.s.CPUs, b.HZ, !b.SMP, t, b.StartJiffy, r)
	return m, nil
}

func (m *cfs) setTime(jiffy int64) {
	m.Jiffies, m.Now = jiffy, jiffy*(1_000_000_000/m.HZ)
}

func (m *cfs) begin(id sched.ThreadID, d *definition) {
	m.Begin(id, int32(d.nice), uint8(d.policy), int32(d.rtPri), m.r.s.Build.Vruntime, d.startCPU)
}
func (m *cfs) fork(child, parent sched.ThreadID)       { m.Fork(child, parent) }
func (m *cfs) wakeNew(id sched.ThreadID, cpu int)      { m.WakeNew(id, cpu) }
func (m *cfs) schedule(cpu int) (sched.ThreadID, bool) { return m.Schedule(cpu) }
func (m *cfs) tick(cpu int)                            { m.Tick(cpu) }
func (m *cfs) balanceDue(cpu int) bool                 { return m.BalanceDue(cpu) }
func (m *cfs) balance(cpu int)                         { m.Balance(cpu) }
func (m *cfs) exit(id sched.ThreadID)                  { m.Exit(id) }
func (m *cfs) yield(cpu int)                           { m.Yield(cpu) }
func (m *cfs) needResched(cpu int) bool                { return m.NeedResched(cpu) }
func (m *cfs) current(cpu int) sched.ThreadID          { return m.Cur(cpu) }
func (m *cfs) cpuOf(id sched.ThreadID) int             { return int(m.At(id).CPU) }
func (m *cfs) active() int64                           { return m.Active() }
func (m *cfs) running(id sched.ThreadID) bool          { return m.Cur(m.cpuOf(id)) == id }
func (m *cfs) queued(id sched.ThreadID) int            { return bit(m.At(id).OnRQ) }

func (m *cfs) wake(id sched.ThreadID, cpu int, interrupt, sync bool) int {
	return m.Wake(id, cpu, interrupt, sync)
}

func (m *cfs) sleep(id sched.ThreadID, uninterruptible bool) {
	m.At(id).State = linuxcfs.Interruptible
	if uninterruptible {
		m.At(id).State = linuxcfs.Uninterruptible
	}
}

func (m *cfs) headings() map[string]string {
	return map[string]string{
		"decisions.csv": "jiffy,phase,cpu,prev,next,nr_running,cfs_nr_running,cfs_load,min_vruntime,prev_vruntime,prev_sum_exec,next_vruntime,next_sum_exec",
		"state.csv":     "jiffy,pid,vruntime,sum_exec,time_slice,cpu,on_rq",
		"wakes.csv":     "jiffy,pid,event,phase_or_waking_cpu,cpu,vruntime,latency_or_resched",
		"moves.csv":     "jiffy,kind,src,dst,pid,vruntime_before",
		"forks.csv":     "jiffy,cpu,parent,child,child_cpu,parent_vruntime,child_vruntime,min_vruntime",
		"exits.csv":     "jiffy,cpu,pid,vruntime,sum_exec",
		"task":          "weight,vruntime,sum_exec,time_slice,cpu,running,on_rq,dispatches,migrations",
	}
}

func (m *cfs) pair(id sched.ThreadID) string {
	if id == none {
		return "0,0"
	}
	t := m.At(id)
	return fmt.Sprintf("%d,%d", t.Vruntime, t.SumExec)
}

func (m *cfs) final(id sched.ThreadID) string {
	t := m.At(id)
	return fmt.Sprintf("%d,%s,%d", t.Weight, m.pair(id), t.Slice)
}

func (m *cfs) decision(prev, next sched.ThreadID, cpu int, _ bool) string {
	nr, load, minV, _ := m.Fair(cpu)
	return fmt.Sprintf("%d,%d,%d,%d,%s,%s", m.CPUs[cpu].NR, nr, load, minV, m.pair(prev), m.pair(next))
}

func (m *cfs) woken(id sched.ThreadID) string { return fmt.Sprint(m.At(id).Vruntime) }
func (m *cfs) moved(id sched.ThreadID) string { return fmt.Sprint(m.At(id).Vruntime) }

func (m *cfs) state(w io.Writer, jiffy int64, comma string) {
	for i := range m.r.tasks {
		id := sched.ThreadID(i)
		t := m.At(id)
		fmt.Fprintf(w, "%d,%d,%s,%d,%d,%d\n", jiffy, m.r.tasks[i].pid, m.pair(id), t.Slice, t.CPU, m.queued(id))
	}
	for cpu := range m.CPUs {
		_, load, minV, clock := m.Fair(cpu)
		fmt.Fprintf(w, "%d,c%d,%d,%d,%d,%d%s\n", jiffy, cpu, minV, load, m.CPUs[cpu].NR, clock, comma)
	}
}

func (m *cfs) forked(child, parent sched.ThreadID, cpu int) string {
	c, p := m.At(child), m.At(parent)
	_, _, minV, _ := m.Fair(cpu)
	return fmt.Sprintf("%d,%d,%d,%d", c.CPU, p.Vruntime, c.Vruntime, minV)
}

func (m *cfs) exitRow(id sched.ThreadID, exit func()) string {
	exit()
	return m.pair(id)
}

func (m *cfs) balanceTotals(cpu int) map[string]any {
	d := &m.CPUs[cpu]
	sums := [3]uint32{}
	for i, n := range d.Imbalance {
		sums[i] = uint32(n)
	}
	return map[string]any{
		"cpu": cpu, "calls": d.Calls, "balanced": d.Balanced, "failed": d.Failures, "gained": d.Gained, "imbalance_sum_mod_2_32": sums,
		"active_tries": 0, "active_pushed": 0, "wake_remote": d.WakeRemote, "wake_affine": d.WakeAffine,
		"balance_interval_ms": d.Interval, "nr_balance_failed": d.Failed, "load": d.Raw, "cpu_load": d.Smooth,
	}
}

func (m *cfs) queues(cpu int) map[string]any {
	rt, tree := [][2]int{}, []int{}
	m.Realtime(cpu, func(prio int32, id sched.ThreadID) { rt = append(rt, [2]int{int(prio), m.r.pid(id)}) })
	for _, id := range m.Tree(cpu) {
		tree = append(tree, m.r.pid(id))
	}
	_, _, minV, _ := m.Fair(cpu)
	return map[string]any{"cpu": cpu, "current": m.r.pid(m.Cur(cpu)), "rt": rt, "tree": tree, "min_vruntime": minV}
}
