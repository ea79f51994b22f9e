package linux26

import (
	"fmt"
	"io"

	"strandscope/sim/policy/linuxo1"
	"strandscope/sim/sched"
)

// newModel makes the core of a run's kernel.
func newModel(r *run) (model, error) {
	b := &r.s.Build
	switch b.Kernel {
	case "2.6.22.6":
		if string(b.Slice) != `"full"` || b.FirstSlice != 0 {
			return nil, fmt.Errorf("tasks that start with time slice %s, first %d, are not modelled", b.Slice, b.FirstSlice)
		}
		return &o1{r, linuxo1.NewCore(r.s.CPUs, b.HZ, !b.SMP, b.Hot, b.StartJiffy, r)}, nil
	case "2.6.24":
		return newCFS(r)
	}
	return nil, fmt.Errorf("kernel %q is not modelled", b.Kernel)
}

// o1 is 2.6.22.
type o1 struct {
	r *run
	*linuxo1.Core
}

func (m *o1) setTime(jiffy int64) {
	m.Jiffies, m.Now = jiffy, jiffy*(1_000_000_000/m.HZ)
}

func (m *o1) begin(id sched.ThreadID, d *definition) {
	m.Begin(id, int32(d.nice), uint8(d.policy), int32(d.rtPri), m.r.s.Build.SleepAvg, d.startCPU)
}
func (m *o1) fork(child, parent sched.ThreadID)       { m.Fork(child, parent) }
func (m *o1) wakeNew(id sched.ThreadID, cpu int)      { m.WakeNew(id, cpu) }
func (m *o1) schedule(cpu int) (sched.ThreadID, bool) { return m.Schedule(cpu) }
func (m *o1) tick(cpu int)                            { m.Tick(cpu) }
func (m *o1) balanceDue(cpu int) bool                 { return m.BalanceDue(cpu) }
func (m *o1) balance(cpu int)                         { m.Balance(cpu) }
func (m *o1) exit(id sched.ThreadID)                  { m.Exit(id) }
func (m *o1) yield(cpu int)                           { m.Yield(cpu) }
func (m *o1) needResched(cpu int) bool                { return m.NeedResched(cpu) }
func (m *o1) current(cpu int) sched.ThreadID          { return m.Cur(cpu) }
func (m *o1) cpuOf(id sched.ThreadID) int             { return int(m.At(id).CPU) }
func (m *o1) active() int64                           { return m.Active() }
func (m *o1) running(id sched.ThreadID) bool          { return m.Cur(m.cpuOf(id)) == id }

func (m *o1) wake(id sched.ThreadID, cpu int, interrupt, sync bool) int {
	return m.Wake(id, cpu, interrupt, sync)
}

func (m *o1) sleep(id sched.ThreadID, uninterruptible bool) {
	m.At(id).State = linuxo1.Interruptible
	if uninterruptible {
		m.At(id).State = linuxo1.Uninterruptible
	}
}

func (m *o1) headings() map[string]string {
	return map[string]string{
		"decisions.csv": "jiffy,phase,cpu,prev,next,arrays_switched,nr_running,nr_active,nr_expired,prev_prio,prev_slice,prev_sleep_avg,next_prio,next_slice,next_sleep_avg",
		"state.csv":     "jiffy,pid,prio,time_slice,sleep_avg,cpu,array",
		"wakes.csv":     "jiffy,pid,event,phase_or_waking_cpu,cpu,prio,sleep_avg,latency_or_resched",
		"moves.csv":     "jiffy,kind,src,dst,pid,array",
		"forks.csv":     "jiffy,cpu,parent,child,child_cpu,parent_slice,child_slice,child_prio,parent_sleep_avg,child_sleep_avg",
		"exits.csv":     "jiffy,cpu,pid,slice,first_time_slice,sleep_avg,same_cpu_as_parent,parent_slice_before,parent_slice_after,parent_sleep_avg_after",
		"task":          "prio,time_slice,sleep_avg,cpu,running,array,dispatches,migrations",
	}
}

func (m *o1) triple(id sched.ThreadID) string {
	if id == none {
		return "140,0,0"
	}
	return m.final(id)
}

func (m *o1) final(id sched.ThreadID) string {
	t := m.At(id)
	return fmt.Sprintf("%d,%d,%d", t.Prio, t.Slice, t.SleepAvg)
}

func (m *o1) decision(prev, next sched.ThreadID, cpu int, swapped bool) string {
	s := 0
	if swapped {
		s = 1
	}
	active, expired := m.Counts(cpu)
	return fmt.Sprintf("%d,%d,%d,%d,%s,%s", s, m.CPUs[cpu].NR, active, expired, m.triple(prev), m.triple(next))
}

func (m *o1) woken(id sched.ThreadID) string {
	t := m.At(id)
	return fmt.Sprintf("%d,%d", t.Prio, t.SleepAvg)
}

// moved names the array that the task is in now, which is the kind it came from.
func (m *o1) moved(id sched.ThreadID) string {
	if m.Expired(id) {
		return "e"
	}
	return "a"
}

func (m *o1) queued(id sched.ThreadID) int {
	t := m.At(id)
	switch {
	case t.Array < 0:
		return -1
	case m.Expired(id):
		return 1
	}
	return 0
}

func (m *o1) state(w io.Writer, jiffy int64, _ string) {
	for i := range m.r.tasks {
		id := sched.ThreadID(i)
		fmt.Fprintf(w, "%d,%d,%s,%d,%d\n", jiffy, m.r.tasks[i].pid, m.final(id), m.cpuOf(id), m.queued(id))
	}
}

func (m *o1) forked(child, parent sched.ThreadID, _ int) string {
	c, p := m.At(child), m.At(parent)
	return fmt.Sprintf("%d,%d,%d,%d,%d,%d", c.CPU, p.Slice, c.Slice, c.Prio, p.SleepAvg, c.SleepAvg)
}

func (m *o1) exitRow(id sched.ThreadID, exit func()) string {
	t := m.At(id)
	p := &linuxo1.Task{CPU: -1} // of a task of the start, whose parent is none of these
	if t.Parent != none {
		p = m.At(t.Parent)
	}
	first, same := 0, 0
	if t.FirstSlice {
		first = 1
	}
	if t.CPU == p.CPU {
		same = 1
	}
	row := fmt.Sprintf("%d,%d,%d,%d,%d", t.Slice, first, t.SleepAvg, same, p.Slice)
	exit()
	return row + fmt.Sprintf(",%d,%d", p.Slice, p.SleepAvg)
}

func (m *o1) balanceTotals(cpu int) map[string]any {
	d := &m.CPUs[cpu]
	return map[string]any{
		"cpu": cpu, "calls": d.Calls, "balanced": d.Balanced, "failed": d.Failures, "gained": d.Gained, "imbalance_sum": d.Imbalance,
		"active_tries": 0, "active_pushed": 0, "wake_remote": d.WakeRemote, "wake_affine": d.WakeAffine,
		"balance_interval_ms": d.Interval, "nr_balance_failed": d.Failed, "raw_weighted_load": d.Raw, "cpu_load": d.Smooth[:3],
	}
}

func (m *o1) queues(cpu int) map[string]any {
	list := func(expired bool) [][2]int {
		l := [][2]int{}
		m.Queue(cpu, expired, func(prio int32, id sched.ThreadID) { l = append(l, [2]int{int(prio), m.r.pid(id)}) })
		return l
	}
	return map[string]any{"cpu": cpu, "active": list(false), "expired": list(true)}
}
