package sim

import (
	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
)

// Look says which parts of the past frames are to hold. The zero value is the
// last TimelineSpan in sums, and the whole run in the plots.
type Look struct {
	Timeline stats.Query // To 0: the last TimelineSpan
	Cursor   Cursor
	// Plots are shown from PlotFrom to PlotTo; PlotTo 0: the whole run.
	PlotFrom, PlotTo clock.Time
}

// Cursor points at a moment of a CPU. The zero value points nowhere.
type Cursor struct {
	On  bool
	CPU int
	At  clock.Time
}

// Pointed is what a CPU did at the cursor, and why.
type Pointed struct {
	stats.Span
	At   clock.Time
	Pick string // why the thread was picked, or none: a sentence, or ""
}

// Look tells what the next frames are to hold. What does not fit the machine is
// left out.
func (s *Session) Look(l Look) {
	cpus := len(s.eng.CPUs())
	if q := &l.Timeline; q.Rows != nil && len(q.Rows) != cpus {
		q.Rows, q.Columns = nil, 0
	}
	if l.Cursor.CPU < 0 || l.Cursor.CPU >= cpus {
		l.Cursor = Cursor{}
	}
	s.look = l
}

// past copies the parts of the past that are looked at.
func (w *watchers) past(f *Frame, l Look, explain func(sched.Reason) string) (at *Pointed) {
	q := l.Timeline
	if q.To == 0 {
		q.From, q.To = f.Now.Add(-TimelineSpan), f.Now
	}
	w.spans.Window(&f.Timeline, q, f.Now)
	if c := l.Cursor; c.On && c.At >= 0 && c.At <= f.Now {
		p := Pointed{Span: w.spans.SpanAt(c.CPU, c.At, f.Now), At: c.At}
		if p.Known && p.Thread != stats.OffLine {
			p.Pick = explain(p.Why)
		}
		at = &p
	}
	from, to := l.PlotFrom, l.PlotTo
	if to == 0 {
		from, to = 0, f.Now
	}
	w.plots.snapshot(&f.Plots, from, to)
	return at
}

func (s *Session) fillPast(f *Frame) {
	f.Pointed = s.watch.past(f, s.look, s.pol.Explain)
	f.Plots.Printed = f.Plots.Printed[:0]
	for _, p := range s.sc.Printed {
		curve := map[string]int{"load1": 0, "load5": 1, "load15": 2}
		i, ok := curve[p.Figure]
		v, number := thousandths(p.Value)
		if ok && number && p.At > 0 && s.prints(&p) {
			f.Plots.Printed = append(f.Plots.Printed, PrintedLoad{i, clock.Time(p.At), int32((v*256 + 500) / 1000), p.Value})
		}
	}
}

// PrintedLoad is a load average that the scenario's source prints.
type PrintedLoad struct {
	Average int // 0: one minute, 1: five, 2: fifteen
	At      clock.Time
	Value   int32 // in 1/256
	Text    string
}

// idealLoad is the load average without the kernel's rounding: each second it
// comes closer to the number of runnable threads by the exact part. Values are
// in 1/2^32 threads, good to one in 2^31.
type idealLoad [3]int64

// idealParts are 1 − e^(−1/60), 1 − e^(−1/300) and 1 − e^(−1/900), times 2^32.
var idealParts = [3]int64{70989565, 14292723, 4769536}

func (l *idealLoad) second(runnable int) {
	for i, part := range idealParts {
		gap := int64(runnable)<<32 - l[i]
		// In two parts, since the product has up to 80 bits.
		l[i] += gap>>16*part>>16 + gap&(1<<16-1)*part>>32
	}
}

// in256 is an average in 1/256 threads.
func (l *idealLoad) in256(i int) int32 { return int32(l[i] >> 24) }
