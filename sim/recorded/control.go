package recorded

import (
	"errors"
	"fmt"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/console"
	"strandscope/sim/record"
	"strandscope/sim/sched"
)

// What the page asks of a session besides frames. A recording has no scheduler that
// could be told anything, so what would change the run is refused with a sentence.

var errFixed = errors.New("a recording cannot be changed; run what was derived from it instead")

// Set is refused.
func (r *Run) Set(_, _ string) error { return errFixed }

// Do is refused: a recording has no console.
func (r *Run) Do(string) (string, error) { return "", errFixed }

// Type does nothing, for the same reason.
func (r *Run) Type(string) {}

// Interrupt does nothing.
func (r *Run) Interrupt() {}

// Remark does nothing.
func (r *Run) Remark(string) {}

// Complete has nothing to offer.
func (r *Run) Complete(string) []string { return nil }

// Shell is none.
func (r *Run) Shell() *console.Console { return nil }

// Rebooted is false: nobody boots a recording anew.
func (r *Run) Rebooted() bool { return false }

// Typed is nothing.
func (r *Run) Typed() []sim.Setting { return nil }

// Undo is refused.
func (r *Run) Undo() (c sim.Changed, err error) { return c, errFixed }

// Redo is refused.
func (r *Run) Redo() (c sim.Changed, err error) { return c, errFixed }

// Undoable is nothing.
func (r *Run) Undoable() string { return "" }

// Redoable is nothing.
func (r *Run) Redoable() string { return "" }

// Plotting is false: a recording has no curve.
func (r *Run) Plotting() bool { return false }

// PlotNext has no point to run.
func (r *Run) PlotNext() error { return nil }

// Settings are none.
func (r *Run) Settings() []sim.Setting { return nil }

// Duration is how long the recording is.
func (r *Run) Duration() clock.Duration { return clock.Duration(r.End()) }

// Facts are what tells it from another side of a comparison.
func (r *Run) Facts() sim.RunFacts {
	return sim.RunFacts{Scenario: r.info.Title, Machine: r.m.Title, Kernel: r.k.ID, Class: "as recorded"}
}

// Choices offers the built-in scenarios, to leave the recording for.
func (r *Run) Choices() (c sim.Choices) {
	for _, i := range sim.Library() {
		c.Scenarios = append(c.Scenarios, sim.Choice{Value: i.ID, Label: i.Title, Help: i.SourceTitle})
	}
	return c
}

// Step goes on to just after the next clock tick.
func (r *Run) Step() error {
	tick := clock.Time(r.tick)
	return r.AdvanceTo((r.now/tick + 1) * tick)
}

// SeekTo goes to a time, forwards or back.
func (r *Run) SeekTo(t clock.Time) error {
	_, err := r.SeekUpTo(t, 1<<40)
	return err
}

// decision reports whether a record is one: a switch, or that somebody was queued.
func decision(k record.Kind) bool {
	return k == record.Switch || k == record.In || k == record.Out || k == record.Wakeup || k == record.Waking || k == record.WakeupNew
}

// StepDecisionBack goes back to the last moment at which something was decided.
func (r *Run) StepDecisionBack() error {
	for i := r.pos - 1; i >= 0; i-- {
		if x := r.tr.At(i); decision(x.Kind) && clock.Time(x.At) < r.now {
			return r.SeekTo(clock.Time(x.At))
		}
	}
	return r.SeekTo(0)
}

// RunTo goes forward to the end of the first instant at which a condition comes true, at
// most to the limit and for about so many events, as Session.RunTo does.
func (r *Run) RunTo(c sim.Condition, limit clock.Time, events int) (sim.Outcome, error) {
	if c.Kind == sim.AtTime && c.At <= r.now {
		return sim.Outcome{}, fmt.Errorf("run to: the time %v is over, it is %v", c.At, r.now)
	}
	if c.Kind == sim.OnSwitch && !r.process(c.PID) {
		return sim.Outcome{}, fmt.Errorf("run to: there is no process %d", c.PID)
	}
	limit = min(limit, r.End())
	held := r.holds(c)
	for stop := r.events + int64(events); ; {
		switch {
		case r.now >= limit:
			return sim.Outcome{Result: sim.AtLimit, At: r.now}, nil
		case r.events >= stop:
			return sim.Outcome{At: r.now}, nil
		}
		from, next := r.pos, limit
		if r.pos < r.tr.Len() {
			next = min(limit, max(r.now, clock.Time(r.tr.At(r.pos).At)))
		}
		if c.Kind == sim.AtTime {
			next = min(limit, c.At)
		}
		if c.Kind == sim.OnWait {
			if since, ok := r.longest(); ok && since.Add(c.Wait) > r.now {
				next = min(next, since.Add(c.Wait))
			}
		}
		before := r.moves()
		if err := r.AdvanceTo(next); err != nil {
			return sim.Outcome{}, err
		}
		text := r.met(c, from, before)
		if holds := r.holds(c); text == "" && holds && !held {
			text = r.tells(c)
		} else {
			held = holds
		}
		if text != "" {
			return sim.Outcome{Result: sim.Found, At: r.now, Text: text}, nil
		}
	}
}

func (r *Run) process(pid int32) bool {
	for i := range r.threads {
		if r.threads[i].PID == pid {
			return true
		}
	}
	return false
}

// moves counts the switches onto another CPU than the last one.
func (r *Run) moves() (n int64) {
	for i := range r.threads {
		n += r.fold.Ledger().Entry(sched.ThreadID(i)).Moves
	}
	return n
}

// met says what came true in the records from an index up to the present.
func (r *Run) met(c sim.Condition, from int, moves int64) string {
	switch c.Kind {
	case sim.AtTime:
		if r.now >= c.At {
			return "The time is reached."
		}
	case sim.OnMigration:
		if r.moves() > moves {
			return "A thread came onto another CPU than its last one."
		}
	case sim.OnDecision, sim.OnSwitch:
		for i := from; i < r.pos; i++ {
			x := r.tr.At(i)
			if c.Kind == sim.OnDecision && decision(x.Kind) {
				return r.says(&x)
			}
			if c.Kind == sim.OnSwitch && (x.Kind == record.Switch || x.Kind == record.In || x.Kind == record.Out) &&
				(r.is(x.Thread, c.PID) || r.is(x.Other, c.PID)) {
				return r.says(&x)
			}
		}
	default:
	}
	return ""
}

func (r *Run) is(th, pid int32) bool { return th >= 0 && r.threads[th].PID == pid }

// says puts a record into a sentence.
func (r *Run) says(x *record.Rec) string {
	switch x.Kind {
	case record.Switch:
		if x.Other == record.None {
			return fmt.Sprintf("cpu%d found no thread and idles after %s.", x.CPU, r.label(x.Thread))
		}
		return fmt.Sprintf("%s came onto cpu%d.", r.label(x.Other), x.CPU)
	case record.In:
		return fmt.Sprintf("%s came onto cpu%d.", r.label(x.Thread), x.CPU)
	case record.Out:
		return fmt.Sprintf("%s left cpu%d.", r.label(x.Thread), x.CPU)
	default:
	}
	return fmt.Sprintf("%s was woken.", r.label(x.Thread))
}

// holds reports whether a condition holds that holds for a while.
func (r *Run) holds(c sim.Condition) bool {
	switch c.Kind {
	case sim.OnIdleBesideWork:
		t := r.Frame().Totals
		return t.Waiting > 0 && t.Busy < t.Strands
	case sim.OnLoad:
		return c.Of(r.Frame().Load.Avg)*1000 > c.Load*256
	case sim.OnWait:
		since, ok := r.longest()
		return ok && r.now.Sub(since) >= c.Wait
	default:
		return false
	}
}

// longest is since when the thread waits that waits longest.
func (r *Run) longest() (since clock.Time, ok bool) {
	for i := range r.state {
		if r.state[i].is == sched.Waiting {
			if e := r.fold.Ledger().Entry(sched.ThreadID(i)); !ok || e.Since < since {
				since, ok = e.Since, true
			}
		}
	}
	return since, ok
}

// tells says what holds.
func (r *Run) tells(c sim.Condition) string {
	switch c.Kind {
	case sim.OnIdleBesideWork:
		return "A CPU idles while a thread waits."
	case sim.OnLoad:
		return fmt.Sprintf("The load average of %d min is %s.", c.Minutes, r.Frame().Load.Text[map[int]int{1: 0, 5: 1, 15: 2}[c.Minutes]])
	default:
		return "A thread has waited that long."
	}
}
