package sim

import (
	"fmt"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
)

// WhyAt answers why a strand ran what it ran at a time, or idled: about the present
// as WhyStrand does, about the past as far as it is kept. The answer is empty where
// there is no such strand or time.
func (s *Session) WhyAt(cpu int, at clock.Time) Answer {
	if cpu < 0 || cpu >= len(s.eng.CPUs()) || at < 0 || at > s.Now() {
		return Answer{}
	}
	p := s.watch.spans.SpanAt(cpu, at, s.Now())
	if p.Known && p.Open {
		return s.WhyStrand(cpu)
	}
	a := Answer{Past: true, CPU: cpu, At: p.From}
	switch {
	case !p.Known:
		a.Title = fmt.Sprintf("Why was cpu%d as it was at %v?", cpu, at)
		a.add(fmt.Sprintf("Only sums are kept of that time: it was busy for %s of %s.", Span(p.Sums.Busy()), Span(p.To.Sub(p.From))))
		a.At = at
	case p.Thread == stats.OffLine:
		a.Title = fmt.Sprintf("Why did cpu%d run nothing at %v?", cpu, at)
		a.add("It was off-line.")
	case p.Thread < 0:
		s.whyIdled(&a, &p)
	default:
		s.whyRan(&a, &p)
	}
	if p.Known {
		a.add(fmt.Sprintf("From %v for %s.", p.From, Span(p.To.Sub(p.From))))
	}
	a.Unknown = "Who else waited then, and with what figures, is not kept. Going to that moment makes the run again up to it, and the figures are there."
	return a
}

// whyIdled is about a gap.
func (s *Session) whyIdled(a *Answer, p *stats.Span) {
	a.Title = fmt.Sprintf("Why did cpu%d idle at %v?", p.CPU, p.From)
	s.because(a, p.Why)
	if p.Sums.Beside > 0 {
		a.add(fmt.Sprintf("For %s of it threads waited elsewhere on the machine.", Span(p.Sums.Beside)))
	} else {
		a.add("Nothing waited anywhere on the machine meanwhile.")
	}
	if p.Next >= 0 {
		a.add(fmt.Sprintf("It ended when %s came.", s.nameOf(p.Next)))
	}
}

// whyRan is about a switch: who came, whom it took the CPU from, and how it ended.
func (s *Session) whyRan(a *Answer, p *stats.Span) {
	t := s.eng.Threads()[p.Thread]
	a.Title = fmt.Sprintf("Why did cpu%d turn to %s at %v?", p.CPU, label(t), p.From)
	if p.Came != sched.NoCause {
		a.add(fmt.Sprintf("It was runnable because it was %v.", p.Came))
	}
	s.because(a, p.Why)
	winner := Candidate{Thread: t.ID, Name: label(t), Figure: figureThen(p), Winner: true}
	if p.From > 0 {
		before := s.watch.spans.SpanAt(p.CPU, p.From-1, s.Now())
		if before.Known && before.Thread >= 0 {
			lost := Candidate{Thread: before.Thread, Name: s.nameOf(before.Thread), Figure: figureThen(&before), Note: fmt.Sprintf("left: %v", before.Left)}
			if before.Left == sched.Preempted {
				a.add(fmt.Sprintf("The CPU was taken from %s.", lost.Name))
			}
			a.Candidates = []Candidate{winner, lost}
			a.Compared = "priority when each came onto the CPU"
		}
	}
	switch p.Left {
	case sched.Preempted:
		a.add(fmt.Sprintf("It ended because %s took the CPU.", s.nameOf(p.Next)))
	case sched.NoCause:
	default:
		a.add(fmt.Sprintf("It ended: %v.", p.Left))
	}
}

func figureThen(p *stats.Span) string {
	if p.Pri < 0 {
		return "no figure was recorded"
	}
	return fmt.Sprintf("priority %d", p.Pri)
}

// source notes the source of a reason, if it is the first that has one.
func (a *Answer) source(s *Session, r sched.Reason) {
	if src, ok := s.pol.(sched.Sourcer); ok && a.Source == "" {
		a.Source = src.Source(r)
	}
}

// because adds a reason's sentence, and its source.
func (s *Session) because(a *Answer, r sched.Reason) {
	a.add(s.pol.Explain(r))
	a.source(s, r)
}
