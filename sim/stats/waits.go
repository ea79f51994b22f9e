package stats

import (
	"slices"
	"sort"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/trace"
)

// Waits is who made whom wait: for each two names of threads, how long those of
// the first waited in the queue of a CPU while one of the second ran there. A
// wait in a queue that CPUs share is divided equally among the CPUs of the
// processor set. Time in which the CPU ran nothing is its own row, Nobody.
//
// It tells who held the CPU, not who was preferred: a thread that was taken from
// another CPU's queue waited for what ran there.
type Waits struct {
	naming
	cpus   []waitCPU
	th     []waitThread
	shared []waitQueue // one for each processor set with a shared queue
	cells  [][]cell    // by victim, then by culprit + 1; 0 is nobody
	now    clock.Time
}

// Nobody is the culprit while a CPU is idle.
const Nobody = "(nobody: the CPU idled)"

const nobody = -1

type waitCPU struct {
	runner  int // name; nobody
	thread  sched.ThreadID
	since   clock.Time // what came before is in the cells
	set     int        // its processor set; −1: off-line; unasked
	waiting []waitCount
}

// waitCount is how many threads of a name wait.
type waitCount struct{ name, n int }

// waitQueue is a shared queue of a processor set.
type waitQueue struct {
	set     int
	waiting []waitCount
}

type waitThread struct {
	in  int // CPU, shared, or nowhere
	set int // of the shared queue
	at  int // where it was placed last: CPU or shared
}

const (
	nowhere = -2
	shared  = -1
	unasked = -2
)

// cell is a sum of waits; rest is what is less than a nanosecond of a divided
// one, in parts of the last divisor.
type cell struct {
	d    clock.Duration
	rest int64
	of   int64
}

// NewWaits returns an empty account for so many CPUs. It must see a run from its
// first event on.
func NewWaits(r Roster, cpus int) *Waits {
	w := &Waits{naming: newNaming(r), cpus: make([]waitCPU, cpus)}
	for i := range w.cpus {
		w.cpus[i] = waitCPU{runner: nobody, thread: sched.None, set: unasked}
	}
	return w
}

// Observe implements trace.Observer.
func (w *Waits) Observe(e *trace.Event) {
	w.now = e.At
	switch e.Kind {
	case trace.Queued:
		t := w.row(e.Thread)
		t.at = int(e.CPU)
		if !w.runs(e.Thread) {
			w.leave(e.Thread)
			w.join(e.Thread)
		}
	case trace.On:
		w.leave(e.Thread)
		w.flush(int(e.CPU))
		w.cpus[e.CPU].runner, w.cpus[e.CPU].thread = w.name(e.Thread), e.Thread
	case trace.Off:
		w.flush(int(e.CPU))
		w.cpus[e.CPU].runner, w.cpus[e.CPU].thread = nobody, sched.None
		if waits(e.Cause) {
			// It was queued just before it left.
			w.leave(e.Thread)
			w.join(e.Thread)
		}
	case trace.Changed:
		// Shared waits are divided among the CPUs of a set as it was until now.
		w.flushAll()
		w.cpus[e.CPU].set = int(e.A)
	default:
	}
}

func (w *Waits) row(id sched.ThreadID) *waitThread {
	w.th = grown(w.th, id, waitThread{in: nowhere})
	return &w.th[id]
}

func (w *Waits) runs(id sched.ThreadID) bool {
	t := w.roster.Thread(id)
	return t.CPU >= 0 && w.cpus[t.CPU].thread == id
}

// leave takes a thread out of the queue where it waits, if it waits.
func (w *Waits) leave(id sched.ThreadID) {
	t := w.row(id)
	switch t.in {
	case nowhere:
		return
	case shared:
		w.flushAll()
		q := w.queue(t.set)
		q.waiting = counted(q.waiting, w.name(id), -1)
	default:
		w.flush(t.in)
		c := &w.cpus[t.in]
		c.waiting = counted(c.waiting, w.name(id), -1)
	}
	w.row(id).in = nowhere
}

// join puts a thread into the queue at which it was placed last.
func (w *Waits) join(id sched.ThreadID) {
	t := w.row(id)
	if t.in = t.at; t.in == shared {
		w.flushAll()
		t.set = w.roster.Thread(id).Set
		q := w.queue(t.set)
		q.waiting = counted(q.waiting, w.name(id), 1)
		return
	}
	w.flush(t.in)
	c := &w.cpus[t.in]
	c.waiting = counted(c.waiting, w.name(id), 1)
}

func (w *Waits) queue(set int) *waitQueue {
	i := slices.IndexFunc(w.shared, func(q waitQueue) bool { return q.set == set })
	if i < 0 {
		i = len(w.shared)
		w.shared = append(w.shared, waitQueue{set: set})
	}
	return &w.shared[i]
}

func counted(list []waitCount, name, by int) []waitCount {
	i := slices.IndexFunc(list, func(c waitCount) bool { return c.name == name })
	if i < 0 {
		return append(list, waitCount{name, by})
	}
	list[i].n += by
	if list[i].n == 0 {
		return slices.Delete(list, i, i+1)
	}
	return list
}

// flush adds what was waited at a CPU since it was last looked at.
func (w *Waits) flush(cpu int) {
	c := &w.cpus[cpu]
	d := int64(w.now.Sub(c.since))
	c.since = w.now
	if d == 0 {
		return
	}
	for _, x := range c.waiting {
		w.add(x.name, c.runner, d*int64(x.n), 1)
	}
	for i := range w.shared {
		q := &w.shared[i]
		if len(q.waiting) == 0 || w.set(cpu) != q.set {
			continue
		}
		n := int64(0)
		for id := range w.cpus {
			if w.set(id) == q.set {
				n++
			}
		}
		for _, x := range q.waiting {
			w.add(x.name, c.runner, d*int64(x.n), n)
		}
	}
}

func (w *Waits) set(cpu int) int {
	c := &w.cpus[cpu]
	if c.set == unasked {
		c.set = w.roster.SetOf(cpu)
	}
	return c.set
}

func (w *Waits) flushAll() {
	for cpu := range w.cpus {
		w.flush(cpu)
	}
}

func (w *Waits) add(victim, culprit int, d, of int64) {
	for victim >= len(w.cells) {
		w.cells = append(w.cells, nil)
	}
	row := w.cells[victim]
	for culprit+1 >= len(row) {
		row = append(row, cell{of: 1})
	}
	w.cells[victim] = row
	c := &row[culprit+1]
	if c.of != of {
		c.rest, c.of = 0, of
	}
	c.rest += d
	c.d += clock.Duration(c.rest / of)
	c.rest %= of
}

// Wait is how long threads of a name waited up to now because those of another
// name, or Nobody, held the CPU.
func (w *Waits) Wait(victim, culprit string, now clock.Time) clock.Duration {
	w.now = now
	w.flushAll()
	for v, row := range w.cells {
		for c, x := range row {
			if w.list[v] == victim && w.culprit(c) == culprit {
				return x.d
			}
		}
	}
	return 0
}

func (w *Waits) culprit(column int) string {
	if column == 0 {
		return Nobody
	}
	return w.list[column-1]
}

// Report prints the account: for each name, who made it wait, worst first.
func (w *Waits) Report(to *Listing, now clock.Time) {
	w.now = now
	w.flushAll()
	to.printf("who made whom wait: time in a queue while the culprit held the CPU")
	wide := width(append(slices.Clone(w.list), Nobody), "culprit")
	to.printf("%-*s  %-*s  %14s  %9s", wide, "waited", wide, "culprit", "seconds", "share %")
	for v, row := range w.cells {
		var all clock.Duration
		var order []int
		for c, x := range row {
			if x.d > 0 {
				order = append(order, c)
				all += x.d
			}
		}
		sort.SliceStable(order, func(i, j int) bool { return row[order[i]].d > row[order[j]].d })
		for _, c := range order {
			to.printf("%-*s  %-*s  %14s  %9s", wide, w.list[v], wide, w.culprit(c), Seconds(row[c].d, 3), Percent(row[c].d, all, 1))
		}
		if all > 0 {
			to.printf("%-*s  %-*s  %14s  %9s", wide, w.list[v], wide, "in all", Seconds(all, 3), "100.0")
		}
	}
}
