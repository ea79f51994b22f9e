package sim

import (
	"fmt"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
)

// Waited tells what a thread's last or present wait was spent on.
type Waited struct {
	From, To clock.Time
	Now      bool // it waits still
	// Since is From, or later where no more is kept of the time before.
	Since clock.Time
	CPUs  int // that it may use
	// Ran lists who ran on those instead, the longest first, and Rest how many more
	// there were and for how long.
	Ran      []RanInstead
	Rest     int
	RestTime clock.Duration
}

// RanInstead is a thread that ran while another waited. Idle and off-line time are
// rows too, of no thread.
type RanInstead struct {
	Thread sched.ThreadID
	Name   string
	For    clock.Duration
	Stays  int64
}

// Culprit is a thread that took CPUs from another.
type Culprit struct {
	Thread sched.ThreadID // None: all others together
	Name   string
	Times  int64
	For    clock.Duration // how long it then ran, in all
}

// mostRan is how many who ran instead are told apart.
const mostRan = 6

// waited finds out what a thread's last or present wait was spent on; nil: it has
// not waited yet, or got a CPU at once.
func (s *Session) waited(t *sched.Thread) *Waited {
	e := s.watch.ledger.Entry(t.ID)
	w := &Waited{From: e.WaitFrom, To: e.WaitTo}
	if t.State == sched.Waiting {
		w.From, w.To, w.Now = e.Since, s.Now(), true
	}
	if w.To <= w.From {
		return nil
	}
	on := make([]bool, len(s.eng.CPUs()))
	for i, c := range s.eng.CPUs() {
		if on[i] = t.May(c); on[i] {
			w.CPUs++
		}
	}
	list, since := s.watch.spans.Ran(on, w.From, w.To)
	w.Since = since
	for _, r := range list {
		if r.Thread == t.ID {
			continue
		}
		if len(w.Ran) == mostRan {
			w.Rest++
			w.RestTime += r.For
			continue
		}
		w.Ran = append(w.Ran, RanInstead{r.Thread, s.nameOf(r.Thread), r.For, r.Stays})
	}
	return w
}

func (s *Session) nameOf(id sched.ThreadID) string {
	switch {
	case id == stats.OffLine:
		return "off-line"
	case id < 0:
		return "idle"
	}
	return label(s.eng.Threads()[id])
}

// head says what the wait was.
func (w *Waited) head() string {
	verb := "Its last wait took"
	if w.Now {
		verb = "It has waited for"
	}
	text := fmt.Sprintf("%s %s, from %v.", verb, Span(w.To.Sub(w.From)), w.From)
	if w.CPUs == 0 {
		return text + " There is no CPU that it may use."
	}
	text += fmt.Sprintf(" Meanwhile on the %s that it may use", counted(w.CPUs, "CPU"))
	if w.Since > w.From {
		text = fmt.Sprintf("%s, since %v (before that too much happened to be told)", text, w.Since)
	}
	return text
}

// culprits lists who took CPUs from a thread.
func (s *Session) culprits(a *Answer, t *sched.Thread) {
	list, full := s.watch.who.Of(t.ID, s.Now())
	for _, c := range list {
		name := "others"
		if c.Thread != sched.None {
			name = label(s.eng.Threads()[c.Thread])
		}
		a.Culprits = append(a.Culprits, Culprit{c.Thread, name, c.Times, c.For})
	}
	if full {
		a.Unknown = "Who preempted it was not counted: too many other threads had been preempted before."
	}
}
