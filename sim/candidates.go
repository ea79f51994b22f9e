package sim

import (
	"fmt"
	"sort"
	"strings"

	"strandscope/sim/sched"
)

// Candidate is a thread that was compared with others, and its figure.
type Candidate struct {
	Thread sched.ThreadID
	Name   string // "perl 1204"
	Figure string // "priority 49", "48 = counter 13 + priority 20 + 15 for its last CPU"
	Note   string // why it is no rival, or what it waits for; may be ""
	Winner bool
}

// mostCandidates is how many are told of besides the winner.
const mostCandidates = 5

// rival is a candidate in the making.
type rival struct {
	t     *sched.Thread
	cpu   *sched.CPU
	value int // the greater the better, as far as the policy has such a figure
	note  string
}

func (s *Session) candidate(r rival, winner bool) Candidate {
	return Candidate{r.t.ID, label(r.t), s.dress(r), r.note, winner}
}

// compared says what the figures of candidates are.
func (s *Session) compared() string {
	if sc, ok := s.pol.(sched.Scorer); ok {
		return sc.Scored() + ", as it stands now"
	}
	if _, ok := s.pol.(sched.Prioritizer); ok {
		return "priority, as it stands now"
	}
	return "place in the queue, as it stands now"
}

// rivalAt is a thread's figure on a CPU; its text comes only with dress, since
// few of many are told.
func (s *Session) rivalAt(t *sched.Thread, c *sched.CPU) rival {
	r := rival{t: t, cpu: c}
	if sc, ok := s.pol.(sched.Scorer); ok {
		r.value, _ = sc.Score(t, c)
	} else if p, ok := s.pol.(sched.Prioritizer); ok {
		r.value = p.Priority(t)
	}
	return r
}

// dress puts a figure into words.
func (s *Session) dress(r rival) string {
	if sc, ok := s.pol.(sched.Scorer); ok {
		value, sum := sc.Score(r.t, r.cpu)
		return fmt.Sprintf("%d = %s", value, sum)
	}
	text := ""
	if _, ok := s.pol.(sched.Prioritizer); ok {
		text = fmt.Sprintf("priority %d", r.value)
	}
	if _, ok := s.pol.(sched.Classer); !ok {
		// A textbook policy: its own figures are the keys.
		text = strings.TrimPrefix(text+" · "+s.figures(r.t), " · ")
	}
	return text
}

// queued are the threads that could be taken from the queues: with a Scorer all,
// else the heads, or the first ones of a queue without levels. They are in the
// order in which c would look at them as far as that is known: those that may run
// on it first, then by figure.
func (s *Session) queued(c *sched.CPU) []rival {
	_, scored := s.pol.(sched.Scorer)
	var list []rival
	if s.fields.inspect == nil {
		return nil
	}
	s.fields.inspect.Queues(func(q sched.Queue, waiting []sched.ThreadID) {
		for i, id := range waiting {
			if !scored && (q.Priority >= 0 && i > 0 || i > mostCandidates) {
				break
			}
			r := s.rivalAt(s.eng.Threads()[id], c)
			r.note = queuePlace(q, i, len(waiting))
			if !r.t.May(c) {
				r.note = fmt.Sprintf("may not run on cpu%d; %s", c.ID, r.note)
			}
			list = append(list, r)
		}
	})
	_, prior := s.pol.(sched.Prioritizer)
	sort.SliceStable(list, func(i, j int) bool {
		a, b := &list[i], &list[j]
		if may := a.t.May(c); may != b.t.May(c) {
			return may
		}
		return (scored || prior) && a.value > b.value
	})
	return list
}

func queuePlace(q sched.Queue, i, n int) string {
	where := "in the shared queue"
	if q.CPU >= 0 {
		where = fmt.Sprintf("at cpu%d", q.CPU)
	}
	switch {
	case n == 1:
		return "alone in line " + where
	case i == 0:
		return fmt.Sprintf("first of %d in line %s", n, where)
	}
	return fmt.Sprintf("%d of %d in line %s", i+1, n, where)
}

// contest lists who a strand could run: the winner first, if there is one.
func (s *Session) contest(a *Answer, c *sched.CPU) {
	list := s.queued(c)
	if c.Thread != nil {
		r := s.rivalAt(c.Thread, c)
		r.note = "runs"
		a.Candidates = append(a.Candidates, s.candidate(r, true))
	}
	for _, r := range list[:min(len(list), mostCandidates)] {
		a.Candidates = append(a.Candidates, s.candidate(r, false))
	}
	a.Left = max(0, len(list)-mostCandidates)
	if len(a.Candidates) > 0 {
		a.Compared = s.compared()
	}
	if since := s.watch.ledger.Since[c.ID]; c.Thread != nil && since < s.Now() {
		a.Compared += fmt.Sprintf("; the decision was made %s ago", Span(s.Now().Sub(since)))
	}
}

// opponents lists whom a waiting thread would have to beat: the threads on the
// CPUs that it may use, the weakest first, and before them itself.
func (s *Session) opponents(a *Answer, t *sched.Thread) {
	var list []rival
	var own *sched.CPU
	for _, c := range s.eng.CPUs() {
		if c.Thread == nil || !t.May(c) {
			continue
		}
		r := s.rivalAt(c.Thread, c)
		r.note = fmt.Sprintf("runs on cpu%d", c.ID)
		list = append(list, r)
		if e := s.watch.ledger.Entry(t.ID); own == nil || c.ID == e.At || e.At == sched.NoCPU && c.ID == t.CPU {
			own = c
		}
	}
	if own == nil {
		return
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].value < list[j].value })
	r := s.rivalAt(t, own)
	r.note = fmt.Sprintf("waits; seen from cpu%d", own.ID)
	a.Candidates = append(a.Candidates, s.candidate(r, false))
	for _, r := range list[:min(len(list), mostCandidates)] {
		a.Candidates = append(a.Candidates, s.candidate(r, true))
	}
	a.Left = max(0, len(list)-mostCandidates)
	a.Compared = s.compared()
}
