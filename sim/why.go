package sim

import (
	"fmt"
	"strings"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
)

// Answer is what Why says of a strand or a thread.
type Answer struct {
	Title string
	Lines []string // whole sentences, most important first
	// Source is the kernel's file and function whose rule it was; "": none.
	Source string
	// Candidates were compared by a figure, which Compared names; Left is how many
	// more there are.
	Candidates []Candidate
	Compared   string
	Left       int
	// Waited tells what a thread's last wait was spent on; nil: it did not wait.
	Waited *Waited
	// Culprits are who took CPUs from a thread so far, the most frequent first.
	Culprits []Culprit
	// Unknown says what is not known any more, "" if nothing is missing.
	Unknown string
	// Past: it is about a moment before the present, At on a CPU.
	Past bool
	At   clock.Time
	CPU  int
}

// WhyStrand answers why a strand runs what it runs, or idles. The CPU must
// exist; the answer is empty otherwise.
func (s *Session) WhyStrand(cpu int) Answer {
	if cpu < 0 || cpu >= len(s.eng.CPUs()) {
		return Answer{}
	}
	c := s.eng.CPUs()[cpu]
	if c.Thread != nil {
		a := s.whyRunning(c.Thread)
		s.contest(&a, c)
		return a
	}
	a := Answer{Title: fmt.Sprintf("Why is cpu%d idle?", cpu)}
	if !c.Online {
		a.add("It is off-line.")
		return a
	}
	waiting, allowed, sets := s.waitingFor(c)
	switch {
	case waiting == 0:
		a.add("Nothing waits anywhere on the machine.")
	case allowed == 0:
		a.add("Its dispatch queue is empty.")
		a.add(fmt.Sprintf("%s may run only %s; cpu%d is outside, so it may not steal from there.",
			count(waiting, "waiting thread"), s.where(sets), cpu))
	default:
		a.add(fmt.Sprintf("%s could run here, but a halted CPU looks for work only when it is told to, and the kernel told another.", count(allowed, "waiting thread")))
	}
	s.because(&a, s.watch.ledger.Chosen[cpu])
	s.contest(&a, c)
	a.add(fmt.Sprintf("Idle since %v.", s.watch.ledger.Since[cpu]))
	return a
}

// WhyThread answers why a thread runs, waits or sleeps. The thread must exist;
// the answer is empty otherwise.
func (s *Session) WhyThread(id int) Answer {
	if id < 0 || id >= len(s.eng.Threads()) {
		return Answer{}
	}
	t := s.eng.Threads()[id]
	if t.State == sched.Running {
		a := s.whyRunning(t)
		s.contest(&a, s.eng.CPUs()[t.CPU])
		return a
	}
	e := s.watch.ledger.Entry(t.ID)
	a := Answer{Title: fmt.Sprintf("Why is %s %v?", label(t), t.State)}
	if t.State == sched.Waiting {
		s.because(&a, e.Placed)
		if e.At != sched.NoCPU {
			if c := s.eng.CPUs()[e.At]; c.Thread != nil {
				a.add(fmt.Sprintf("cpu%d runs %s%s.", e.At, label(c.Thread), s.versus(t, c.Thread)))
			}
		}
		a.add(fmt.Sprintf("It has waited for %s this time.", Span(s.Now().Sub(e.Since))))
	}
	a.add(s.figures(t))
	a.Lines = append(a.Lines, s.probes.why(t.ID, s.pol.Explain)...)
	if t.State == sched.Waiting {
		s.opponents(&a, t)
	}
	a.Waited = s.waited(t)
	s.culprits(&a, t)
	return a
}

func (s *Session) whyRunning(t *sched.Thread) Answer {
	e := s.watch.ledger.Entry(t.ID)
	a := Answer{Title: fmt.Sprintf("Why is %s on cpu%d?", label(t), t.CPU)}
	a.add(s.pol.Explain(e.Came))
	s.because(&a, e.Chosen)
	a.Waited = s.waited(t)
	s.culprits(&a, t)
	if e.Again > 0 {
		a.add(fmt.Sprintf("Since then it gave way %s and was picked again each time.", times(e.Again)))
	}
	a.add(fmt.Sprintf("On this strand for %s; %s in all.", Span(s.Now().Sub(e.Since)), Span(e.Ran(s.Now()))))
	a.add(s.figures(t))
	a.Lines = append(a.Lines, s.probes.why(t.ID, s.pol.Explain)...)
	return a
}

func (a *Answer) add(line string) {
	if line != "" {
		a.Lines = append(a.Lines, line)
	}
}

func label(t *sched.Thread) string {
	if t.PID == 0 {
		return t.Name
	}
	return fmt.Sprintf("%s %d", t.Name, t.PID)
}

// waitingFor counts the user threads that wait, those among them that may run
// on c, and the sets that hold the others.
func (s *Session) waitingFor(c *sched.CPU) (waiting, allowed int, sets []int) {
	for _, t := range s.eng.Threads() {
		if t.State != sched.Waiting || t.Kernel {
			continue
		}
		waiting++
		if t.May(c) {
			allowed++
		} else if len(sets) == 0 || sets[len(sets)-1] != t.Set {
			sets = append(sets, t.Set)
		}
	}
	return waiting, allowed, sets
}

// where names the strands of the first of some sets.
func (s *Session) where(sets []int) string {
	if len(sets) == 0 {
		return "elsewhere"
	}
	n, first, last := 0, -1, -1
	for _, c := range s.eng.CPUs() {
		if c.Set == sets[0] {
			if first < 0 {
				first = c.ID
			}
			n, last = n+1, c.ID
		}
	}
	if last-first+1 == n {
		return fmt.Sprintf("on the %d strands of their processor set (cpu%d–cpu%d)", n, first, last)
	}
	return fmt.Sprintf("on the %d strands of their processor set", n)
}

// versus compares priorities where the policy has them.
func (s *Session) versus(t, other *sched.Thread) string {
	p, ok := s.pol.(sched.Prioritizer)
	if !ok {
		return ""
	}
	return fmt.Sprintf(" at priority %d; this one waits at %d", p.Priority(other), p.Priority(t))
}

// figures lists what the policy keeps of a thread.
func (s *Session) figures(t *sched.Thread) string {
	if s.fields.inspect == nil {
		return ""
	}
	s.fields.inspect.Values(t, s.fields.row)
	text := ""
	for i, f := range s.fields.names {
		if s.fields.row[i] == 0 && i > 3 {
			continue // figures of other classes
		}
		if text != "" {
			text += " · "
		}
		text += fmt.Sprintf("%s %d", f.Name, s.fields.row[i])
		if f.Unit != "" {
			text += " " + f.Unit
		}
	}
	return text
}

// counted is a number of things; count begins a sentence with it.
func counted(n int, what string) string {
	if n == 1 {
		return "one " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func count(n int, what string) string {
	text := counted(n, what)
	return strings.ToUpper(text[:1]) + text[1:]
}

func times(n int64) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// Span writes a duration as people would.
func Span(d clock.Duration) string {
	switch {
	case d < clock.Millisecond:
		return fmt.Sprintf("%d µs", d/clock.Microsecond)
	case d < 10*clock.Second:
		return fmt.Sprintf("%d ms", d/clock.Millisecond)
	}
	return fmt.Sprintf("%d.%d s", d/clock.Second, d/(100*clock.Millisecond)%10)
}
