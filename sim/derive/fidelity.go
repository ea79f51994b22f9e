package derive

import (
	"fmt"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/compare"
	"strandscope/sim/record"
	"strandscope/sim/recorded"
	"strandscope/sim/trace"
)

// Fidelity is how far a derived run is like the recording.
type Fidelity struct {
	// Switches is the number of recorded times that a thread came onto a CPU, Derived that
	// of the derived run, and InOrder how many of both are the same threads in the same
	// order: the longest common subsequence of the first Compared of each.
	Switches, Derived, Compared, InOrder int
	// Busy is the recorded time on CPUs in ns, Same how much of it the derived run gave to
	// the same thread.
	Busy, Same int64
	// Figures of both, for compare.Table.
	Recorded, Ran compare.Figures
	// Wakes are the figures of wake-up latency that follow recorded wake-ups only.
	Events int64
	Digest uint64
}

// mostCompared is how many switches are compared in their order: the comparison takes
// the square of that.
const mostCompared = 50_000

// Order is InOrder in thousandths of the recorded switches that were compared, Time is
// Same in thousandths of Busy.
func (f *Fidelity) Order() int64 {
	return thousandths(int64(f.InOrder), int64(min(f.Switches, f.Compared)))
}

// Time is the time given to the same threads.
func (f *Fidelity) Time() int64 { return thousandths(f.Same, f.Busy) }

func thousandths(a, b int64) int64 {
	if b <= 0 {
		return 0
	}
	return a * 1000 / b
}

// Session opens the derived workload under a kernel, with the sums that comparisons need,
// its settings as strandsim's.
func (w *Workload) Session(title, kernel, machine string, set ...sim.Setting) (*sim.Session, error) {
	s, err := sim.OpenDocument(title, w.Document(title, kernel, machine), set...)
	if err != nil {
		return nil, fmt.Errorf("derived workload: %w", err)
	}
	s.KeepPast(0)
	return s, s.KeepSums()
}

// order notes which threads come onto CPUs, by the number of their name, and for how long.
type order struct {
	tell  trace.Teller
	of    map[string]int32 // looked up only
	list  []int32
	ran   []int64
	since []clock.Time // by CPU
	on    []int32
	all   int
	from  clock.Time
}

func (o *order) Observe(e *trace.Event) {
	switch e.Kind {
	case trace.On:
		i, ok := o.of[o.tell.Thread(e.Thread).Name]
		if !ok {
			i = -1
		}
		o.since[e.CPU], o.on[e.CPU] = max(e.At, o.from), i
		if e.At < o.from {
			return // how threads came to be as they are when the recording begins
		}
		o.all++
		if len(o.list) < mostCompared {
			o.list = append(o.list, i)
		}
	case trace.Off:
		o.leave(int(e.CPU), e.At)
	default:
	}
}

func (o *order) leave(cpu int, at clock.Time) {
	if i := o.on[cpu]; i >= 0 && at > o.since[cpu] {
		o.ran[i] += int64(at.Sub(o.since[cpu]))
	}
	o.on[cpu] = -1
}

// Run lets a derived workload run under a kernel for as long as the recording, and
// compares it. r is at its end. go on is asked now and then, and ends it with false.
func (w *Workload) Run(r *recorded.Run, kernel, machine string, goOn func() bool) (Fidelity, *sim.Session, error) {
	s, err := w.Session(r.Facts().Scenario, kernel, machine)
	if err != nil {
		return Fidelity{}, nil, err
	}
	_, cpus, _ := s.About()
	o := &order{tell: s.Teller(), of: map[string]int32{}, ran: make([]int64, len(w.Threads)), from: clock.Time(w.Shift)}
	o.since, o.on = make([]clock.Time, cpus), make([]int32, cpus)
	for i := range o.on {
		o.on[i] = -1
	}
	for i := range w.Threads {
		o.of[w.Threads[i].Name] = int32(i)
	}
	if err := s.ResetWith(o); err != nil {
		return Fidelity{}, nil, err
	}
	end := clock.Time(w.Duration + w.Shift)
	for {
		there, err := s.AdvanceUpTo(end, 100_000)
		if err != nil {
			return Fidelity{}, nil, err
		}
		if there {
			break
		}
		if !goOn() {
			return Fidelity{}, nil, fmt.Errorf("cancelled at %v of the derived run", s.Now())
		}
	}
	for cpu := range o.on {
		o.leave(cpu, end)
	}
	f := Fidelity{Derived: o.all, Recorded: r.Compared(), Ran: s.Compared(), Digest: s.Digest()}
	_, _, f.Events = s.About()
	list := w.recordedOrder(r.Trace(), &f)
	f.Compared = min(mostCompared, len(list))
	f.InOrder = common(list, o.list, len(w.Threads)+1)
	frame := r.Frame()
	for i := range w.Threads {
		ran := int64(frame.Threads[i].Ran)
		f.Busy += ran
		f.Same += min(ran, o.ran[i])
	}
	return f, s, nil
}

// recordedOrder is which threads came onto CPUs in the recording.
func (w *Workload) recordedOrder(tr *record.Trace, f *Fidelity) (list []int32) {
	for i := range tr.Len() {
		r := tr.At(i)
		th := r.Other
		if r.Kind == record.In {
			th = r.Thread
		}
		if r.Kind != record.Switch && r.Kind != record.In || th == record.None || r.At > w.Duration {
			continue
		}
		f.Switches++
		if len(list) < mostCompared {
			list = append(list, th)
		}
	}
	return list
}

// common is the length of the longest common subsequence, 64 places at a time: a row of
// the usual table is bits that say where it grows (Hyyrö 2004).
func common(a, b []int32, symbols int) int {
	words := (len(a) + 63) / 64
	if words == 0 {
		return 0
	}
	places := make([][]uint64, symbols) // of a symbol in a
	for i, s := range a {
		if places[s] == nil {
			places[s] = make([]uint64, words)
		}
		places[s][i/64] |= 1 << (i % 64)
	}
	row := make([]uint64, words)
	for i := range row {
		row[i] = ^uint64(0)
	}
	for _, s := range b {
		if s < 0 || places[s] == nil {
			continue
		}
		carry := uint64(0)
		for i, p := range places[s] {
			u := row[i] & p
			sum := row[i] + u
			over := sum < row[i]
			sum += carry
			over = over || sum < carry
			row[i] = sum | row[i]&^p
			carry = 0
			if over {
				carry = 1
			}
		}
	}
	n := 0
	for i := range len(a) {
		if row[i/64]&(1<<(i%64)) == 0 {
			n++
		}
	}
	return n
}
