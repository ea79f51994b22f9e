package linux26

import (
	"encoding/json"
	"fmt"
	"hash"
	"hash/fnv"
	"io"
	"strconv"
	"strings"

	"strandscope/sim/sched"
	"strandscope/sim/stats"
)

const none = sched.None

// model is a kernel's core as the replay drives it, and how its rows read.
type model interface {
	setTime(jiffy int64)
	// begin makes a new task; wakeNew is its first wake-up by the current task of a CPU.
	begin(id sched.ThreadID, d *definition)
	fork(child, parent sched.ThreadID)
	wakeNew(id sched.ThreadID, cpu int)
	schedule(cpu int) (next sched.ThreadID, swapped bool)
	tick(cpu int)
	balanceDue(cpu int) bool
	balance(cpu int)
	wake(id sched.ThreadID, cpu int, interrupt, sync bool) int
	sleep(id sched.ThreadID, uninterruptible bool)
	exit(id sched.ThreadID)
	yield(cpu int)
	needResched(cpu int) bool
	current(cpu int) sched.ThreadID
	cpuOf(id sched.ThreadID) int
	active() int64

	headings() map[string]string
	decision(prev, next sched.ThreadID, cpu int, swapped bool) string
	woken(id sched.ThreadID) string
	moved(id sched.ThreadID) string
	state(w io.Writer, jiffy int64, comma string)
	forked(child, parent sched.ThreadID, cpu int) string
	exitRow(id sched.ThreadID, exit func()) string
	final(id sched.ThreadID) string
	running(id sched.ThreadID) bool
	queued(id sched.ThreadID) int
	balanceTotals(cpu int) map[string]any
	queues(cpu int) map[string]any
}

// task is a task's behaviour and what is counted of it.
type task struct {
	definition
	remaining     int64
	quota, forked int
	pending       int
	waiting       bool
	token         bool
	parent        sched.ThreadID
	born          int64
	woken         int64 // jiffy; −1: it ran since
	ticks         []int64
	dispatches    int64
	migrations    int64
	gone          bool
}

type timer struct {
	at int64
	id sched.ThreadID
}

type chargeRun struct {
	pid      int
	first, n int64
}

// run is a replay and everything it writes down.
type run struct {
	s     *summary
	all   map[string]json.RawMessage
	path  string
	m     model
	jiffy int64
	tasks []task
	ids   map[int]sched.ThreadID // by pid
	timer [][]timer              // by CPU, in order of expiry
	ipis  []int

	out                           map[string]*strings.Builder
	charges                       []chargeRun
	hash, stateHash               hash.Hash64
	load                          stats.LinuxLoad
	period                        int64 // of state rows
	latency                       map[int64]int64
	calls, switches, swaps, sent  int64
	timerWakes, partnerWakes      int64
	pulled, forks, exits          int64
	user, nice, idle, mostLatency int64
}

// replay builds and runs a scenario whole.
func replay(path string) (*run, error) {
	s, all, err := readSummary(path + ".summary.json")
	if err != nil {
		return nil, err
	}
	rows, err := readTasks(path + ".tasks.csv")
	if err != nil {
		return nil, err
	}
	r := &run{
		load: stats.LinuxLoad{Wide: true},
		s:    s, all: all, path: path, jiffy: s.Build.StartJiffy, ids: map[int]sched.ThreadID{}, timer: make([][]timer, s.CPUs),
		out: map[string]*strings.Builder{}, charges: make([]chargeRun, s.CPUs), hash: fnv.New64a(), stateHash: fnv.New64a(), latency: map[int64]int64{},
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	if r.m, err = newModel(r); err != nil {
		return nil, err
	}
	for _, k := range kinds {
		r.out[k] = &strings.Builder{}
	}
	if err := r.findPeriod(); err != nil {
		return nil, err
	}
	r.headings()
	if err := r.start(rows); err != nil {
		return nil, err
	}
	for n := int64(1); n <= s.Ticks; n++ {
		r.tick(s.Build.StartJiffy + n)
	}
	for c := range r.charges {
		r.flushCharge(c)
	}
	for id := range r.tasks {
		r.taskRow(sched.ThreadID(id))
	}
	return r, nil
}

func (r *run) put(kind, format string, args ...any) { fmt.Fprintf(r.out[kind], format+"\n", args...) }

func (r *run) headings() {
	r.put("charge.csv", "cpu,first_jiffy,n,pid")
	r.put("load.csv", "jiffy,active,avenrun0,avenrun1,avenrun2,printed")
	h := r.m.headings()
	for _, k := range kinds {
		if h[k] != "" {
			r.put(k, "%s", h[k])
		}
	}
	cpus := ""
	for c := range r.s.CPUs {
		cpus += ",ticks_cpu" + strconv.Itoa(c)
	}
	r.put("tasks.csv", "pid,kind,policy,rt_priority,nice,burst_ticks,sleep_jiffies,start_cpu,wake_cpu,peer,sync,start_jiffy,ticks%s,%s", cpus, h["task"])
}

func (r *run) pid(id sched.ThreadID) int {
	if id == none {
		return 0
	}
	return r.tasks[id].pid
}

// Interrupt implements the cores' Env.
func (r *run) Interrupt(cpu, from int) {
	if cpu != from {
		r.ipis = append(r.ipis, cpu)
		r.sent++
	}
}

// Pulled implements it, too.
func (r *run) Pulled(kind byte, from, to int, id sched.ThreadID) {
	r.tasks[id].migrations++
	if kind != 'W' {
		r.pulled++
		r.put("moves.csv", "%d,%c,%d,%d,%d,%s", r.jiffy, kind, from, to, r.pid(id), r.m.moved(id))
	}
}

func (r *run) add(d definition, parent sched.ThreadID) sched.ThreadID {
	id := sched.ThreadID(len(r.tasks))
	t := task{definition: d, remaining: d.burst, parent: parent, born: r.jiffy, woken: -1, ticks: make([]int64, r.s.CPUs)}
	if y := r.yielder(d.pid); y != nil {
		t.pending = y.AtStart
	}
	if f := r.forker(d.pid); f != nil {
		t.quota = f.AtStart
	}
	r.ids[d.pid] = id
	r.tasks = append(r.tasks, t)
	return id
}

func (r *run) yielder(pid int) *yielder {
	for i := range r.s.Build.Yielders {
		if r.s.Build.Yielders[i].PID == pid {
			return &r.s.Build.Yielders[i]
		}
	}
	return nil
}

func (r *run) forker(pid int) *forker {
	for i := range r.s.Build.Forkers {
		if r.s.Build.Forkers[i].PID == pid {
			return &r.s.Build.Forkers[i]
		}
	}
	return nil
}

// start is the start of a run: README, conventions.
func (r *run) start(rows map[int]definition) error {
	r.m.setTime(r.jiffy)
	for _, pid := range r.s.Build.StartOrder {
		d, ok := rows[pid]
		if !ok {
			return fmt.Errorf("start_order names pid %d, tasks.csv does not", pid)
		}
		if err := r.acceptable(&d, rows); err != nil {
			return fmt.Errorf("pid %d: %w", pid, err)
		}
		id := r.add(d, none)
		r.m.begin(id, &d)
		r.m.wakeNew(id, d.startCPU)
	}
	for c := range r.s.CPUs {
		r.ipis = r.ipis[:0]
		r.schedule(c, "B")
	}
	r.ipis, r.sent = r.ipis[:0], 0
	for c := range r.s.CPUs {
		r.settle(c, "B")
		r.drain()
	}
	return nil
}

func (r *run) acceptable(d *definition, rows map[int]definition) error {
	switch d.kind {
	case "hog", "sleeper", "iosleeper", "mortal":
	case "partner":
		if rows[d.peer].kind != "partner" {
			return fmt.Errorf("its peer %d is no partner", d.peer)
		}
	case "yielder":
		if r.yielder(d.pid) == nil {
			return fmt.Errorf("build lists no such yielder")
		}
	case "forker":
		if r.forker(d.pid) == nil {
			return fmt.Errorf("build lists no such forker")
		}
	default:
		return fmt.Errorf("kind %q", d.kind)
	}
	if d.policy < 0 || d.policy > 2 {
		return fmt.Errorf("policy %d", d.policy)
	}
	if d.startCPU < 0 || d.startCPU >= r.s.CPUs || d.wakeCPU >= r.s.CPUs {
		return fmt.Errorf("start_cpu %d, wake_cpu %d, there are %d CPUs", d.startCPU, d.wakeCPU, r.s.CPUs)
	}
	return nil
}

// tick is one jiffy: the clock interrupt of each CPU, one after the other.
func (r *run) tick(jiffy int64) {
	r.jiffy = jiffy
	for i, c := range r.s.Build.Order {
		if i == 0 {
			r.sampleLoad()
			r.m.setTime(jiffy)
		}
		r.charge(c)
		r.m.tick(c)
		due := r.m.balanceDue(c)
		r.fire(c)
		if due {
			r.m.balance(c)
		}
		r.settle(c, "T")
		r.drain()
	}
	r.stateRows()
}

// fire wakes those whose timers on a CPU are due.
func (r *run) fire(c int) {
	for len(r.timer[c]) > 0 && r.timer[c][0].at <= r.jiffy {
		id := r.timer[c][0].id
		r.timer[c] = r.timer[c][1:]
		r.tasks[id].remaining = r.tasks[id].burst
		r.timerWakes++
		r.wake(id, c, "wake", false)
	}
}

func (r *run) wake(id sched.ThreadID, c int, event string, sync bool) {
	cpu := r.m.wake(id, c, event == "wake", sync)
	need := 0
	if r.m.needResched(cpu) {
		need = 1
	}
	r.tasks[id].woken = r.jiffy
	r.put("wakes.csv", "%d,%d,%s,%d,%d,%s,%d", r.jiffy, r.pid(id), event, c, cpu, r.m.woken(id), need)
}

func (r *run) charge(c int) {
	id := r.m.current(c)
	pid := r.pid(id)
	ch := &r.charges[c]
	if ch.n == 0 || ch.pid != pid {
		r.flushCharge(c)
		*ch = chargeRun{pid, r.jiffy, 0}
	}
	ch.n++
	if id == none {
		r.idle++
		return
	}
	t := &r.tasks[id]
	t.ticks[c]++
	t.remaining--
	if t.nice > 0 {
		r.nice++
	} else {
		r.user++
	}
	if y := r.yielder(t.pid); y != nil {
		t.pending = y.PerTick
	}
	if f := r.forker(t.pid); f != nil {
		t.quota = f.PerTick
	}
}

func (r *run) flushCharge(c int) {
	if ch := r.charges[c]; ch.n > 0 {
		r.put("charge.csv", "%d,%d,%d,%d", c, ch.first, ch.n, ch.pid)
	}
}

// schedule is one pass of schedule() on a CPU.
func (r *run) schedule(c int, phase string) {
	prev := r.m.current(c)
	next, swapped := r.m.schedule(c)
	r.calls++
	if swapped {
		r.swaps++
	}
	fmt.Fprintf(r.hash, "%d,%d,%d,%d\n", r.jiffy, c, r.pid(prev), r.pid(next))
	r.put("decisions.csv", "%d,%s,%d,%d,%d,%s", r.jiffy, phase, c, r.pid(prev), r.pid(next), r.m.decision(prev, next, c, swapped))
	if next != prev {
		r.switches++
		if next != none {
			r.tasks[next].dispatches++
		}
	}
	if next == none {
		return
	}
	if t := &r.tasks[next]; t.woken >= 0 {
		l := r.jiffy - t.woken
		r.put("wakes.csv", "%d,%d,run,%s,%d,%s,%d", r.jiffy, t.pid, phase, c, r.m.woken(next), l)
		r.latency[l]++
		r.mostLatency = max(r.mostLatency, l)
		t.woken = -1
	}
}

// drain serves reschedule interrupts in the order sent.
func (r *run) drain() {
	for i := 0; i < len(r.ipis); i++ {
		r.settle(r.ipis[i], "I")
	}
	r.ipis = r.ipis[:0]
}
