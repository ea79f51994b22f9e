package derive

import (
	"fmt"
	"strings"

	"strandscope/sim/record"
)

// Options say how a workload is derived.
type Options struct {
	// Kernel is the kernel of the recording, and of the document.
	Kernel string
	// Tick is the length of the kernel's clock tick in ns; 0: 4 ms.
	Tick int64
	// Relative: what wakes a thread from an interrupt comes so long after the thread
	// began to sleep, as timers of most programs do. Else it comes when it was recorded.
	Relative bool
}

// Owe gives the threads what they are owed when they begin.
func (w *Workload) Owe(d *Driven) {
	for i, lag := range d.Lags {
		w.Threads[i].Owed = lag
	}
}

// What is recorded after so many steps, or so long a document, is left out: a scenario has
// at most 16 MB.
const (
	MaxSteps = 400_000
	maxText  = 14 << 20
)

// Workload is what was derived.
type Workload struct {
	Threads []Thread
	CPUs    int
	// Duration is how much of the recording it covers, in ns, and Shift how much later
	// than there everything happens, so that ticks of the clock fall as they did.
	Duration, Shift int64
	Notes           []string

	opt Options
}

// Thread is a thread of it.
type Thread struct {
	Name      string // a key of the document; unique
	PID       int32
	Nice      int
	Realtime  int   // SCHED_FIFO priority, 0: it is none
	Bound     int   // the only CPU it may use, −1: any
	From      int64 // when it begins
	Owed      int64 // what the kernel owes it when it begins, in ns of virtual time; 0: not known
	Forked    bool  // by another, in a step
	Steps     []Step
	Wakes     int // recorded wake-ups of it that became steps
	ByThreads int // of those, from thread code
}

// StepKind is what a step does.
type StepKind uint8

// The kinds of steps.
const (
	Compute StepKind = iota // for Ns
	Until                   // sleeps until At; Ns after it began
	Await                   // sleeps until it is posted to
	Post                    // wakes thread Other
	Fork                    // begins thread Other
	Exit
	Spin  // for ever
	Block // for ever
)

// Step is a step of a thread.
type Step struct {
	Kind  StepKind
	Ns    int64
	At    int64
	Other int32
}

// deriving is what is known of a thread on the way.
type deriving struct {
	on      int   // the CPU it is on, −1
	since   int64 // what it computed since is in no step yet
	rest    int64 // computed before, in no step yet
	asleep  bool
	fell    int64 // when it fell asleep
	alive   bool
	prios   int // changes of priority
	prio    int16
	cpu     int16 // the only one it ran on, −1: several, −2: none yet
	runs    int
	waiting int64 // since when it waits, −1
	idle    int64 // idle time of others as of then
	beside  int64 // how long it waited beside an idle CPU
	waker   int32
}

// maker derives.
type maker struct {
	tr    *record.Trace
	w     *Workload
	th    []deriving
	cpus  []int32 // who is on each
	steps int
	text  int  // about how long the document is
	known bool // when the clock ticks

	idle, idleAt int64 // how long some CPU idled, up to when
	busy         int
	pairs        []int32 // who wakes a thread, by it; None: nobody in particular
}

// From derives a workload. It is an error if nothing runs in the recording.
func From(tr *record.Trace, o Options) (*Workload, error) {
	if strings.HasPrefix(tr.Simulated, "169 -") {
		return nil, fmt.Errorf("prio: the file's are those of Solaris, and workloads are derived from Linux' only")
	}
	if o.Tick == 0 {
		o.Tick = 4_000_000
	}
	m := &maker{tr: tr, w: &Workload{CPUs: tr.CPUs, opt: o, Duration: tr.End()}}
	phase, known := Phase(tr, o.Tick)
	m.known = known
	m.w.Shift = (o.Tick - phase) % o.Tick
	if !known {
		m.w.note("the clock ticks when the recording begins: nothing in it tells otherwise")
	}
	m.w.Threads = make([]Thread, len(tr.Threads))
	m.th = make([]deriving, len(tr.Threads))
	m.cpus = make([]int32, tr.CPUs)
	for i := range m.cpus {
		m.cpus[i] = record.None
	}
	for i := range m.th {
		m.th[i] = deriving{on: -1, cpu: -2, waiting: -1, prio: tr.Threads[i].Prio, waker: record.None}
		m.w.Threads[i].Bound = -1
	}
	m.names()
	m.findPairs()
	m.start()
	for i := range tr.Len() {
		r := tr.At(i)
		if m.steps >= MaxSteps || m.text >= maxText {
			m.w.Duration = r.At
			m.w.note("only the first %d.%03d s of %d.%03d s: the rest would make the workload too long", r.At/1e9, r.At/1e6%1000, tr.End()/1e9, tr.End()/1e6%1000)
			break
		}
		m.record(&r)
	}
	m.finish()
	if m.steps == 0 {
		return nil, fmt.Errorf("no thread runs in the recording, so there is no workload")
	}
	return m.w, nil
}

func (w *Workload) note(format string, args ...any) {
	w.Notes = append(w.Notes, fmt.Sprintf(format, args...))
}

// Phase is when the first tick of the clock comes in a recording, in ns: where the kernel
// charges running threads in interrupts, else where it takes CPUs from them. known: there
// are enough of those.
func Phase(tr *record.Trace, tick int64) (phase int64, known bool) {
	// What is charged comes within a microsecond or two of the tick, a switch a few later,
	// and not always as many.
	for _, by := range []struct{ late, width int64 }{{0, 1000}, {4000, 8000}} {
		counts := make([]int32, tick/by.width+1)
		least := make([]int64, len(counts)) // where a bin's first one is
		all, best := int32(0), 0
		for i := range tr.Len() {
			r := tr.At(i)
			account := r.Kind == record.Account && r.Flags&record.FromInterrupt != 0
			taken := r.Kind == record.Switch && r.Thread != record.None && (r.State == record.Runnable || r.State == record.Preempted)
			if by.late == 0 && account || by.late > 0 && taken {
				at := r.At % tick
				b := int(at / by.width)
				if counts[b]++; counts[b] == 1 || at < least[b] {
					least[b] = at
				}
				all++
				if counts[b] > counts[best] {
					best = b
				}
			}
		}
		if all >= 8 && counts[best]*8 >= all {
			return (least[best] + tick - by.late) % tick, true
		}
	}
	return 0, false
}

// names gives each thread a key of its own.
func (m *maker) names() {
	used := map[string]int{}
	for i := range m.tr.Threads {
		used[m.tr.Threads[i].Name]++
	}
	given := map[string]bool{}
	for i := range m.tr.Threads {
		x, t := &m.tr.Threads[i], &m.w.Threads[i]
		t.Name, t.PID = x.Name, x.PID
		if used[x.Name] > 1 || x.Name == "" {
			t.Name = fmt.Sprintf("%s %d", x.Name, x.PID)
		}
		for n := 2; given[t.Name]; n++ {
			t.Name = fmt.Sprintf("%s %d %d", x.Name, x.PID, n)
		}
		given[t.Name] = true
		switch p := x.Prio; {
		case p >= 100 && p < 140:
			t.Nice = int(p) - 120
		case p >= 0 && p < 99:
			t.Realtime = 99 - int(p)
		case p >= 0 && p < 100:
			t.Realtime = 1
		}
	}
}

// findPairs looks who wakes whom where the recording does not say whether a thread or an
// interrupt did.
func (m *maker) findPairs() {
	n := len(m.tr.Threads)
	m.pairs = make([]int32, n)
	most, count, all := make([]int32, n), make([]int32, n), make([]int32, n)
	blocks := make([]bool, n)
	for i := range most {
		most[i], m.pairs[i] = record.None, record.None
	}
	for i := range m.tr.Len() {
		switch r := m.tr.At(i); r.Kind {
		case record.Wakeup, record.Waking:
			if r.Flags&record.ContextKnown != 0 {
				continue
			}
			all[r.Thread]++
			switch {
			case count[r.Thread] == 0:
				most[r.Thread], count[r.Thread] = r.Other, 1
			case most[r.Thread] == r.Other:
				count[r.Thread]++
			default:
				count[r.Thread]--
			}
		case record.Switch, record.Out:
			if r.Thread != record.None && r.State.Blocked() {
				blocks[r.Thread] = true
			}
		default:
		}
	}
	for i := range m.pairs {
		if w := most[i]; w != record.None && all[i] >= 3 && count[i]*10 >= all[i]*8 && blocks[w] && w != int32(i) {
			m.pairs[i] = w
		}
	}
}
