package recorded

import (
	"fmt"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
)

// A recording says what the kernel decided and not why, so answers are what came before:
// who woke whom, who had the CPU meanwhile, and who took it.

// notRecorded ends every answer.
const notRecorded = "The kernel's figures are not in the recording; the derived run has them."

// mostRan is how many who ran instead are told apart.
const mostRan = 6

// WhyStrand answers about what a CPU runs.
func (r *Run) WhyStrand(cpu int) sim.Answer {
	if cpu < 0 || cpu >= len(r.cpus) {
		return sim.Answer{}
	}
	if th := r.cpus[cpu].thread; th >= 0 {
		return r.whyRunning(th)
	}
	a := sim.Answer{Title: fmt.Sprintf("Why is cpu%d idle?", cpu), CPU: cpu}
	if n := r.waiting(); n > 0 {
		a.Lines = append(a.Lines, fmt.Sprintf("The recording does not say. %d threads could run meanwhile.", n))
	} else {
		a.Lines = append(a.Lines, "Nothing waits anywhere on the machine.")
	}
	a.Lines = append(a.Lines, fmt.Sprintf("Idle since %v.", r.fold.Ledger().Since[cpu]))
	return a
}

func (r *Run) waiting() (n int) {
	for i := range r.state {
		if r.state[i].is == sched.Waiting {
			n++
		}
	}
	return n
}

// WhyThread answers why a thread runs, waits or sleeps.
func (r *Run) WhyThread(id int) sim.Answer {
	if id < 0 || id >= len(r.threads) {
		return sim.Answer{}
	}
	th := int32(id)
	if r.state[id].is == sched.Running {
		return r.whyRunning(th)
	}
	e := r.fold.Ledger().Entry(sched.ThreadID(id))
	a := sim.Answer{Title: fmt.Sprintf("Why is %s %v?", r.label(th), r.state[id].is), Unknown: notRecorded}
	if r.state[id].is == sched.Waiting {
		a.Lines = add(a.Lines, r.Explain(e.Placed))
		if e.At != sched.NoCPU && r.cpus[e.At].thread >= 0 {
			a.Lines = append(a.Lines, fmt.Sprintf("cpu%d runs %s.", e.At, r.label(r.cpus[e.At].thread)))
		}
		a.Lines = append(a.Lines, fmt.Sprintf("It has waited for %s this time.", sim.Span(r.now.Sub(e.Since))))
	}
	r.about(&a, th)
	return a
}

func add(lines []string, line string) []string {
	if line == "" {
		return lines
	}
	return append(lines, line)
}

func (r *Run) whyRunning(th int32) sim.Answer {
	e := r.fold.Ledger().Entry(sched.ThreadID(th))
	a := sim.Answer{Title: fmt.Sprintf("Why is %s on cpu%d?", r.label(th), r.state[th].cpu), CPU: int(r.state[th].cpu), Unknown: notRecorded}
	a.Lines = add(a.Lines, r.Explain(e.Came))
	a.Lines = append(a.Lines, fmt.Sprintf("On this CPU for %s; %s in all.", sim.Span(r.now.Sub(e.Since)), sim.Span(e.Ran(r.now))))
	r.about(&a, th)
	return a
}

// about adds what was counted of a thread, its last wait, and who took CPUs from it.
func (r *Run) about(a *sim.Answer, th int32) {
	s := &r.state[th]
	if s.Wakes > 0 {
		a.Lines = append(a.Lines, fmt.Sprintf("%d recorded wake-ups took %s to get a CPU, the longest %s.",
			s.Wakes, sim.Span(s.Latency/clock.Duration(s.Wakes)), sim.Span(s.Longest)))
	}
	a.Waited = r.waited(th)
	list, full := r.fold.Culprits().Of(sched.ThreadID(th), r.now)
	for _, c := range list {
		name := "others"
		if c.Thread != sched.None {
			name = r.label(int32(c.Thread))
		}
		a.Culprits = append(a.Culprits, sim.Culprit{Thread: c.Thread, Name: name, Times: c.Times, For: c.For})
	}
	if full {
		a.Unknown = "Who preempted it was not counted: too many other threads had been preempted before."
	}
}

func (r *Run) waited(th int32) *sim.Waited {
	e := r.fold.Ledger().Entry(sched.ThreadID(th))
	w := &sim.Waited{From: e.WaitFrom, To: e.WaitTo, CPUs: len(r.cpus)}
	if r.state[th].is == sched.Waiting {
		w.From, w.To, w.Now = e.Since, r.now, true
	}
	if w.To <= w.From {
		return nil
	}
	on := make([]bool, len(r.cpus))
	for i := range on {
		on[i] = true
	}
	list, since := r.fold.Timeline().Ran(on, w.From, w.To)
	w.Since = since
	for _, x := range list {
		if x.Thread == sched.ThreadID(th) {
			continue
		}
		if len(w.Ran) == mostRan {
			w.Rest++
			w.RestTime += x.For
			continue
		}
		name := "idle"
		if x.Thread >= 0 {
			name = r.label(int32(x.Thread))
		}
		w.Ran = append(w.Ran, sim.RanInstead{Thread: x.Thread, Name: name, For: x.For, Stays: x.Stays})
	}
	return w
}

// WhyAt answers about what a CPU ran at a time.
func (r *Run) WhyAt(cpu int, at clock.Time) sim.Answer {
	if cpu < 0 || cpu >= len(r.cpus) || at < 0 || at > r.now {
		return sim.Answer{}
	}
	p := r.fold.Timeline().SpanAt(cpu, at, r.now)
	if p.Known && p.Open {
		return r.WhyStrand(cpu)
	}
	a := sim.Answer{Past: true, CPU: cpu, At: p.From, Unknown: notRecorded}
	switch {
	case !p.Known:
		a.Title = fmt.Sprintf("Why was cpu%d as it was at %v?", cpu, at)
		a.Lines = append(a.Lines, fmt.Sprintf("Only sums are kept of that time: it was busy for %s of %s.", sim.Span(p.Sums.Busy()), sim.Span(p.To.Sub(p.From))))
		a.At = at
		return a
	case p.Thread < 0:
		a.Title = fmt.Sprintf("Why did cpu%d idle at %v?", cpu, p.From)
		if p.Sums.Beside > 0 {
			a.Lines = append(a.Lines, fmt.Sprintf("For %s of it threads waited elsewhere on the machine.", sim.Span(p.Sums.Beside)))
		} else {
			a.Lines = append(a.Lines, "Nothing waited anywhere on the machine meanwhile.")
		}
		if p.Next >= 0 {
			a.Lines = append(a.Lines, fmt.Sprintf("It ended when %s came.", r.label(int32(p.Next))))
		}
	default:
		r.whyRan(&a, &p)
	}
	a.Lines = append(a.Lines, fmt.Sprintf("From %v for %s.", p.From, sim.Span(p.To.Sub(p.From))))
	return a
}

// whyRan is about a switch: who came, whom it took the CPU from, and how it ended.
func (r *Run) whyRan(a *sim.Answer, p *stats.Span) {
	a.Title = fmt.Sprintf("Why did cpu%d turn to %s at %v?", p.CPU, r.label(int32(p.Thread)), p.From)
	if p.Came != sched.NoCause {
		a.Lines = append(a.Lines, fmt.Sprintf("It was runnable because it was %v.", p.Came))
	}
	if p.From > 0 {
		before := r.fold.Timeline().SpanAt(p.CPU, p.From-1, r.now)
		if before.Known && before.Thread >= 0 && before.Left == sched.Preempted {
			a.Lines = append(a.Lines, fmt.Sprintf("The CPU was taken from %s.", r.label(int32(before.Thread))))
		}
	}
	switch {
	case p.Left == sched.Preempted && p.Next >= 0:
		a.Lines = append(a.Lines, fmt.Sprintf("It ended because %s took the CPU.", r.label(int32(p.Next))))
	case p.Left != sched.NoCause:
		a.Lines = append(a.Lines, fmt.Sprintf("It ended: %v.", p.Left))
	}
}
