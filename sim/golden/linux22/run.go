package linux22

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"sort"
	"strconv"
	"strings"

	"strandscope/sim/clock"
	"strandscope/sim/engine"
	policy "strandscope/sim/policy/linux22"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
	"strandscope/sim/trace"
)

// run is a replay and everything it writes down.
type run struct {
	s    *summary
	all  map[string]json.RawMessage
	rows map[int]taskRow
	e    *engine.Engine
	p    *policy.Policy

	pids  []int // by thread id
	jiffy int64
	load  stats.LinuxLoad

	out      map[string]*strings.Builder // by kind of file
	charges  []chargeRun                 // by CPU
	ticks    [][]int64                   // by thread: charged, by CPU
	idle     int64
	nice     int64
	user     int64
	flagged  []int
	woken    []wokenTask
	pending  map[sched.ThreadID]int64 // woken at, not yet run
	latency  map[int64]int64
	wakes    int64
	dispatch []int64
	counter0 []int32 // at the start, or at the fork
	born     []int64
	final    []sched.ThreadID
	// Reschedule interrupts sent before the machine first settles are discarded
	// and not counted.
	startInterrupts int64
	everyTick       bool // none is skipped
}

type chargeRun struct {
	pid   int
	first int64
	n     int64
}

type wokenTask struct {
	id                sched.ThreadID
	counter, priority int32
}

// kinds of files that a run writes, with their headings.
var kinds = []string{"decisions.csv", "charge.csv", "counters.csv", "load.csv", "wakes.csv", "forks.csv", "tasks.csv"}

// open builds a scenario from its files.
func open(runPath string, everyTick bool) (*run, error) {
	s, all, err := readSummary(runPath + ".summary.json")
	if err != nil {
		return nil, err
	}
	rows, err := readTasks(runPath + ".tasks.csv")
	if err != nil {
		return nil, err
	}
	r := &run{
		s: s, all: all, rows: rows, everyTick: everyTick,
		out: map[string]*strings.Builder{}, pending: map[sched.ThreadID]int64{}, latency: map[int64]int64{},
	}
	for _, k := range kinds {
		r.out[k] = &strings.Builder{}
	}
	r.jiffy = s.Build.StartJiffy
	return r, r.build()
}

// replay builds and runs a scenario whole.
func replay(runPath string) (*run, error) {
	r, err := open(runPath, false)
	if err != nil {
		return nil, err
	}
	s := r.s
	r.headings()
	r.charges = make([]chargeRun, s.CPUs)
	r.p.Watch, r.p.WatchCharge, r.p.WatchKick = r.decision, r.charge, func(cpu int) { r.flagged = append(r.flagged, cpu) }
	if err := r.start(); err != nil {
		return nil, err
	}
	tick := clock.Time(r.e.Tick())
	for n := int64(1); n <= s.Ticks; n++ {
		r.jiffy = s.Build.StartJiffy + n
		r.sampleLoad()
		if err := r.e.AdvanceTo(clock.Time(n) * tick); err != nil {
			return nil, err
		}
		r.flushWakes()
		r.flagged = r.flagged[:0]
		r.countersRow()
	}
	r.finish()
	return r, nil
}

func (r *run) start() error {
	r.countersRow()
	if err := r.e.StartTogether(slices.Clone(r.e.Threads()), r.s.Build.StartCPU); err != nil {
		return err
	}
	r.startInterrupts = r.p.Stats.Interrupts
	err := r.e.SettleStart()
	r.flagged = r.flagged[:0]
	return err
}

func (r *run) put(kind string, format string, args ...any) {
	fmt.Fprintf(r.out[kind], format+"\n", args...)
}

func (r *run) headings() {
	r.put("decisions.csv", "jiffy,phase,cpu,prev,next,c,evals_select,evals_tail,recalcs,nr_running,prev_counter,next_counter")
	r.put("charge.csv", "cpu,first_jiffy,n,pid")
	h := "jiffy"
	for _, pid := range r.pids {
		h += ",p" + strconv.Itoa(pid)
	}
	r.put("counters.csv", "%s", h)
	r.put("load.csv", "jiffy,active,avenrun0,avenrun1,avenrun2,printed")
	r.put("wakes.csv", "jiffy,pid,event,phase,cpu,counter,priority,latency")
	r.put("forks.csv", "jiffy,cpu,parent,child,child_counter")
	cpus := ""
	for c := range r.s.CPUs {
		cpus += ",ticks_cpu" + strconv.Itoa(c)
	}
	r.put("tasks.csv", "pid,kind,policy,rt_priority,nice_arg,priority,counter_init,burst_ticks,sleep_ms,sleep_jiffies,start_jiffy,ticks%s,counter,last_cpu,running,dispatches,pri,ni", cpus)
}

func (r *run) pid(id sched.ThreadID) int {
	if id == sched.None {
		return 0
	}
	return r.pids[id]
}

// phase is the letter of the README for why schedule was called.
func (r *run) phase(d *policy.Decision) string {
	switch {
	case d.Cause == sched.Blocked || d.Cause == sched.Exited:
		return "S"
	case d.Cause == sched.Yielded:
		return "Y"
	case d.Context == sched.InBoot:
		return "B"
	case !r.s.Build.SMP:
		return "T"
	case d.Context == sched.InTimer:
		return "P"
	case d.Context == sched.InTick:
		return "L"
	}
	return "I"
}

// decision is called after each schedule().
func (r *run) decision(d *policy.Decision) {
	r.flushWakes()
	phase := r.phase(d)
	r.put("decisions.csv", "%d,%s,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d", r.jiffy, phase, d.CPU, r.pid(d.Prev), r.pid(d.Next), d.Value,
		d.EvalsSelect, d.EvalsTail, d.Recalculations, d.Running, d.PrevCounter, d.NextCounter)
	if d.Next == sched.None {
		return
	}
	if d.Next != d.Prev {
		r.dispatch[d.Next]++
	}
	if at, ok := r.pending[d.Next]; ok {
		delete(r.pending, d.Next)
		t := r.p.TaskOf(r.e.Threads()[d.Next])
		r.put("wakes.csv", "%d,%d,run,%s,%d,%d,%d,%d", r.jiffy, r.pid(d.Next), phase, d.CPU, t.Counter, t.Priority, r.jiffy-at)
		r.latency[r.jiffy-at]++
	}
}

func (r *run) charge(cpu int, id sched.ThreadID) {
	r.flushWakes() // on SMP, charging may flag further CPUs
	c := &r.charges[cpu]
	pid := r.pid(id)
	if c.n == 0 || c.pid != pid {
		r.flushCharge(cpu)
		*c = chargeRun{pid, r.jiffy, 0}
	}
	c.n++
	if id == sched.None {
		r.idle++
		return
	}
	r.ticks[id][cpu]++
	if r.p.TaskOf(r.e.Threads()[id]).Priority < 20 {
		r.nice++
	} else {
		r.user++
	}
}

func (r *run) flushCharge(cpu int) {
	if c := r.charges[cpu]; c.n > 0 {
		r.put("charge.csv", "%d,%d,%d,%d", cpu, c.first, c.n, c.pid)
	}
}

// Observe implements trace.Observer.
func (r *run) Observe(e *trace.Event) {
	r.load.Observe(e)
	switch {
	case e.Kind == trace.Created:
		r.ticks = append(r.ticks, make([]int64, r.s.CPUs))
		r.dispatch = append(r.dispatch, 0)
		r.counter0 = append(r.counter0, int32(r.s.Build.Counter))
		r.born = append(r.born, r.jiffy)
		if e.Cause == sched.Forked {
			f, _ := find(r.s.Build.Forkers, func(f forker) bool { return f.PID == r.pid(e.Other) })
			r.pids = append(r.pids, f.First+r.forksOf(e.Other))
		}
	case e.Kind == trace.Woke && e.Cause == sched.Woken:
		t := r.p.TaskOf(r.e.Threads()[e.Thread])
		r.woken = append(r.woken, wokenTask{e.Thread, t.Counter, t.Priority})
		r.wakes++
	case e.Kind == trace.Woke && e.Cause == sched.Forked && e.Other != sched.None:
		c := r.p.TaskOf(r.e.Threads()[e.Thread]).Counter
		r.counter0[e.Thread] = c
		r.put("forks.csv", "%d,%d,%d,%d,%d", r.jiffy, e.CPU, r.pid(e.Other), r.pid(e.Thread), c)
	}
}

// forksOf is how many children a parent has made before.
func (r *run) forksOf(parent sched.ThreadID) int {
	n := -1 // the one being made is there already
	for _, t := range r.e.Threads() {
		if t.Parent == parent {
			n++
		}
	}
	return n
}

// flushWakes writes the wakes of a tick, in task order, once all of them are
// done and before anything is decided.
func (r *run) flushWakes() {
	if len(r.woken) == 0 {
		return
	}
	cpu := -1
	for _, c := range r.flagged {
		if cpu < 0 || c < cpu {
			cpu = c
		}
	}
	sort.Slice(r.woken, func(i, j int) bool { return r.woken[i].id < r.woken[j].id })
	phase := "P"
	for _, w := range r.woken {
		r.put("wakes.csv", "%d,%d,wake,%s,%d,%d,%d,", r.jiffy, r.pid(w.id), phase, cpu, w.counter, w.priority)
		r.pending[w.id] = r.jiffy
	}
	r.woken = r.woken[:0]
}

func (r *run) countersRow() {
	if !r.s.wantsCounters() {
		return
	}
	row := strconv.FormatInt(r.jiffy, 10)
	for _, t := range r.e.Threads() {
		row += "," + strconv.Itoa(int(r.p.TaskOf(t).Counter))
	}
	r.put("counters.csv", "%s", row)
}

// wantsCounters: such rows are recorded for small runs only.
func (s *summary) wantsCounters() bool {
	return len(s.Build.StartOrder) <= 32 && len(s.Build.Forkers) == 0
}

// sampleLoad writes the load sample of this jiffy, if there is one.
func (r *run) sampleLoad() {
	if r.jiffy <= 500 || (r.jiffy-1)%500 != 0 {
		return
	}
	r.load.Sample()
	a := r.load.Raw()
	r.put("load.csv", "%d,%d,%d,%d,%d,%s", r.jiffy, r.load.Active(), a[0], a[1], a[2], r.load.String())
}

func (r *run) finish() {
	for c := range r.charges {
		r.flushCharge(c)
	}
	for id, t := range r.e.Threads() {
		r.taskRow(sched.ThreadID(id), t)
	}
	r.final = r.p.RunQueue()
}

func (r *run) taskRow(id sched.ThreadID, t *sched.Thread) {
	x := r.p.TaskOf(t)
	row, ok := r.rows[r.pid(id)]
	if !ok || t.Parent != sched.None {
		row = taskRow{kind: "hog"}
	}
	var total int64
	cpus := ""
	for _, n := range r.ticks[id] {
		total += n
		cpus += "," + strconv.FormatInt(n, 10)
	}
	running := 0
	if t.State == sched.Running {
		running = 1
	}
	r.put("tasks.csv", "%d,%s,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d%s,%d,%d,%d,%d,%d,%d",
		r.pid(id), row.kind, row.policy, row.rtPri, row.nice, x.Priority, r.counter0[id], row.burst, row.sleepMS, row.sleep, r.born[id],
		total, cpus, x.Counter, x.CPU, running, r.dispatch[id], policy.ProcPRI(x.Counter), policy.ProcNI(x.Priority))
}

// totals are the members of summary.json that are results.
func (r *run) totals() map[string]any {
	h := fnv.New64a()
	for i, line := range strings.Split(strings.TrimSuffix(r.out["decisions.csv"].String(), "\n"), "\n") {
		if i == 0 {
			continue
		}
		f := strings.Split(line, ",")
		fmt.Fprintf(h, "%s,%s,%s,%s\n", f[0], f[2], f[3], f[4])
	}
	st := r.p.Stats
	hist := map[string]int64{}
	most := int64(0)
	for l, n := range r.latency {
		hist[strconv.FormatInt(l, 10)] = n
		most = max(most, l)
	}
	queue := []int{}
	for _, id := range r.final {
		queue = append(queue, r.pid(id))
	}
	return map[string]any{
		"schedule_calls": st.Calls, "context_switches": st.Switches, "recalculations": st.Recalculations,
		"goodness_evals_select": st.EvalsSelect, "goodness_evals_tail": st.EvalsTail, "goodness_evals_wakeup": st.EvalsWakeup,
		"ipis": st.Interrupts - r.startInterrupts, "timer_wakeups": r.wakes, "decision_fnv1a64": fmt.Sprintf("%016x", h.Sum64()),
		"kstat_user": r.user, "kstat_nice": r.nice, "kstat_system": 0,
		"latency_ticks_hist": hist, "latency_ticks_max": most, "run_queue_final_head_to_tail": queue,
		"tasks": len(r.e.Threads()), "sum_task_ticks": r.user + r.nice, "idle_ticks": r.idle,
	}
}
