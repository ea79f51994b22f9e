package sim

import (
	"fmt"

	"strandscope/sim/clock"
	"strandscope/sim/engine"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
	"strandscope/sim/trace"
)

// Outcome says how a RunTo ended.
type Outcome struct {
	Result Result
	At     clock.Time // the time reached
	Text   string     // what was found, in a sentence; "" if nothing was
}

// Result is how a RunTo ended.
type Result uint8

// The results.
const (
	// OnTheWay: the events ran out; call again to go on.
	OnTheWay Result = iota
	// Found: the condition came true at the end of this instant.
	Found
	// AtLimit: the limit was reached before.
	AtLimit
)

// lookout watches for the events that conditions ask for. It is one of the
// session's observers all the time and looks only while a condition is sought.
type lookout struct {
	eng    *engine.Engine
	ledger *stats.Ledger

	cond    Condition // with on set
	on      bool
	hits    int            // since it was set
	hit     trace.Event    // the first of them
	longest sched.ThreadID // of those that wait
	// line are threads by when they began to wait; some do no longer.
	line clock.Queue[sched.ThreadID]
}

// Kinds implements trace.Chooser.
func (*lookout) Kinds() trace.Kinds {
	return trace.Of(trace.Woke, trace.Queued, trace.On, trace.Off, trace.Idle, trace.Preempt)
}

// Observe implements trace.Observer.
func (l *lookout) Observe(e *trace.Event) {
	if !l.on {
		return
	}
	if l.cond.Kind == OnWait && (e.Kind == trace.Woke || e.Kind == trace.Off) {
		l.line.Push(e.At, 0, 0, e.Thread)
	}
	if !l.wanted(e) {
		return
	}
	if l.hits++; l.hits == 1 {
		l.hit = *e
	}
}

func (l *lookout) wanted(e *trace.Event) bool {
	switch l.cond.Kind {
	case OnDecision:
		return e.Kind == trace.On || e.Kind == trace.Idle || e.Kind == trace.Queued || e.Kind == trace.Preempt
	case OnMigration:
		// A thread's first CPU is none that it moved to.
		return e.Kind == trace.On && e.A != int64(e.CPU) && l.ledger.Entry(e.Thread).Switches > 1
	case OnSwitch:
		return (e.Kind == trace.On || e.Kind == trace.Off) && l.eng.Threads()[e.Thread].PID == l.cond.PID
	default:
		return false
	}
}

// set begins to look for a condition, and forgets what was seen.
func (l *lookout) set(c Condition) {
	*l = lookout{eng: l.eng, ledger: l.ledger, cond: c, on: true}
}

// RunTo goes forward to the end of the first instant at which a condition comes
// true, at most to the limit and for about so many events. Conditions that hold
// already, such as a load above a value, must cease to hold first.
func (s *Session) RunTo(c Condition, limit clock.Time, events int) (Outcome, error) {
	if err := c.check(); err != nil {
		return Outcome{}, err
	}
	if c.Kind == AtTime && c.At <= s.Now() {
		return Outcome{}, fmt.Errorf("run to: the time %s is over, it is %s", durationText(clock.Duration(c.At)), durationText(clock.Duration(s.Now())))
	}
	if c.Kind == OnSwitch && !s.process(c.PID) {
		return Outcome{}, fmt.Errorf("run to: there is no process %d", c.PID)
	}
	l := &s.watch.lookout
	l.set(c)
	if c.Kind == OnWait {
		s.lineUp(l)
	}
	defer func() { s.watch.lookout.on = false }()
	end := s.eng.Done() + int64(events)
	held := s.holds(c)
	for {
		if s.Now() >= limit {
			return Outcome{Result: AtLimit, At: s.Now()}, nil
		}
		if s.eng.Done() >= end {
			return Outcome{At: s.Now()}, nil
		}
		if err := s.AdvanceTo(min(s.nextStop(c), limit)); err != nil {
			return Outcome{}, err
		}
		text := ""
		switch holds := s.holds(c); {
		case l.hits > 0 || c.Kind == AtTime && s.Now() >= c.At || c.Kind == OnWait && s.overdue(l):
			text = s.found(c, l)
		case holds && !held:
			text = s.found(c, l)
		default:
			held = holds
			continue
		}
		return Outcome{Found, s.Now(), text}, nil
	}
}

// process reports whether there is a thread of a process.
func (s *Session) process(pid int32) bool {
	for _, t := range s.eng.Threads() {
		if t.PID == pid {
			return true
		}
	}
	return false
}

// nextStop is the next time at which a condition may come true: that of the next
// instant or command, or a wait's.
func (s *Session) nextStop(c Condition) clock.Time {
	next := s.commandBy(s.eng.Next())
	switch c.Kind {
	case AtTime:
		if c.At > s.Now() {
			next = c.At
		}
	case OnWait:
		if since, ok := s.longest(&s.watch.lookout); ok {
			next = min(next, since.Add(c.Wait))
		}
	default:
	}
	return next
}

// lineUp lists the threads that wait already, but not those that have waited too
// long: they must be served first.
func (s *Session) lineUp(l *lookout) {
	for _, t := range s.eng.Threads() {
		since := s.watch.ledger.Entry(t.ID).Since
		if s.waitsSince(t.ID, since) && since.Add(l.cond.Wait) > s.Now() {
			l.line.Push(since, 0, 0, t.ID)
		}
	}
}

func (s *Session) waitsSince(id sched.ThreadID, since clock.Time) bool {
	t := s.eng.Threads()[id]
	return t.State == sched.Waiting && !t.Kernel && s.watch.ledger.Entry(id).Since == since
}

// longest is since when the thread waits that waits longest; false: none waits.
// It is at the head of the line then.
func (s *Session) longest(l *lookout) (clock.Time, bool) {
	if l.line.Len() > 2*len(s.eng.Threads()) {
		old := l.line
		for l.line = (clock.Queue[sched.ThreadID]{}); old.Len() > 0; {
			if key, id := old.Pop(); s.waitsSince(id, key.At) {
				l.line.Push(key.At, 0, 0, id)
			}
		}
	}
	for l.line.Len() > 0 {
		key, id := l.line.Pop()
		if s.waitsSince(id, key.At) {
			l.line.Push(key.At, 0, -1, id) // before those who came then too
			l.longest = id
			return key.At, true
		}
	}
	return 0, false
}

// overdue reports whether the thread that waits longest has waited so long.
func (s *Session) overdue(l *lookout) bool {
	since, ok := s.longest(l)
	return ok && s.Now().Sub(since) >= l.cond.Wait
}

// holds reports whether a condition holds that holds for a while.
func (s *Session) holds(c Condition) bool {
	switch c.Kind {
	case OnIdleBesideWork:
		return s.idleBesideWork() != sched.NoCPU
	case OnLoad:
		return c.Of(s.loadNow())*1000 > c.Load*256
	default:
		return false
	}
}

// Of is the average that a condition asks for, of those over 1, 5 and 15 minutes.
func (c Condition) Of(load [3]int64) int64 {
	switch c.Minutes {
	case 1:
		return load[0]
	case 5:
		return load[1]
	}
	return load[2]
}

// idleBesideWork is the first CPU that idles while a user thread waits; NoCPU if
// there is none.
func (s *Session) idleBesideWork() int {
	if s.watch.vmstat.Waiting() == 0 || s.waiting() == 0 {
		return sched.NoCPU
	}
	for _, c := range s.eng.CPUs() {
		if c.Online && c.Thread == nil {
			return c.ID
		}
	}
	return sched.NoCPU
}

// waiting counts the user threads that wait.
func (s *Session) waiting() int {
	n := 0
	for _, t := range s.eng.Threads() {
		if t.State == sched.Waiting && !t.Kernel {
			n++
		}
	}
	return n
}

// found says what came true.
func (s *Session) found(c Condition, l *lookout) string {
	e := &l.hit
	switch c.Kind {
	case AtTime:
		return "The time is reached."
	case OnDecision:
		text := decisionText(e)
		if e.Kind != trace.Idle {
			text = s.nameOf(e.Thread) + " " + text
		}
		if l.hits > 1 {
			return fmt.Sprintf("%d decisions; the first: %s.", l.hits, text)
		}
		return text + "."
	case OnMigration:
		return fmt.Sprintf("%s moved from cpu%d to cpu%d.", s.nameOf(e.Thread), e.A, e.CPU)
	case OnSwitch:
		if e.Kind == trace.On {
			return fmt.Sprintf("%s came onto cpu%d.", s.nameOf(e.Thread), e.CPU)
		}
		return fmt.Sprintf("%s left cpu%d: %v.", s.nameOf(e.Thread), e.CPU, e.Cause)
	case OnIdleBesideWork:
		return fmt.Sprintf("%s waiting beside cpu%d, which idles.", count(s.waiting(), "thread"), s.idleBesideWork())
	case OnLoad:
		return fmt.Sprintf("The load average of %d min is %s.", c.Minutes, decimal(c.Of(s.loadNow())*1000/256, 3))
	default:
		return fmt.Sprintf("%s has waited for %s.", s.nameOf(l.longest), durationText(c.Wait))
	}
}

func decisionText(e *trace.Event) string {
	switch {
	case e.Kind == trace.On:
		return fmt.Sprintf("came onto cpu%d", e.CPU)
	case e.Kind == trace.Idle:
		return fmt.Sprintf("cpu%d found no thread and idles", e.CPU)
	case e.Kind == trace.Preempt:
		return fmt.Sprintf("was preempted on cpu%d", e.CPU)
	case e.CPU == sched.NoCPU:
		return "was put into the shared queue"
	}
	return fmt.Sprintf("was put into the queue of cpu%d", e.CPU)
}

// StepDecision goes forward to the end of the next instant at which the policy
// decides: see OnDecision. The limit is where it gives up.
func (s *Session) StepDecision(limit clock.Time) (Outcome, error) {
	return s.RunTo(Condition{Kind: OnDecision}, limit, 1<<40)
}

// StepDecisionBack goes back to the end of the last instant before the present
// at which the policy decided, or to the beginning if there was none.
func (s *Session) StepDecisionBack() error {
	for to := s.Now() - 1; to >= 0; {
		if err := s.goBack(func(p *point) bool { return p.at < to }); err != nil {
			return err
		}
		from := s.Now()
		last, err := s.lastDecision(to)
		if err != nil {
			return err
		}
		if last >= 0 {
			return s.SeekTo(last)
		}
		// What was decided in the checkpoint's own instant comes before it.
		if to = from; from == 0 {
			break
		}
	}
	return s.SeekTo(0)
}

// lastDecision goes on to a time and returns when the policy decided last on the
// way, −1 if never.
func (s *Session) lastDecision(to clock.Time) (clock.Time, error) {
	last := clock.Time(-1)
	for {
		o, err := s.StepDecision(to)
		if err != nil || o.Result != Found {
			return last, err
		}
		last = o.At
	}
}
