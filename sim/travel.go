package sim

import (
	"errors"
	"fmt"
	"reflect"

	"strandscope/sim/checkpoint"
	"strandscope/sim/clock"
	"strandscope/sim/console"
	"strandscope/sim/engine"
	"strandscope/sim/machine"
	"strandscope/sim/policy"
	"strandscope/sim/scenario"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
	"strandscope/sim/workload"
)

// moment is all of a run that changes while time passes. What is not in it stays
// as it is when time goes back: settings, curve, what was typed.
type moment struct {
	pol                    sched.Policy
	eng                    *engine.Engine
	watch                  *watchers
	fields                 fieldIndex
	probes                 *probes
	top                    topWatch
	con                    *console.Console
	ear                    *ear
	shell                  sched.ThreadID
	nextCommand, nextTyped int
}

// copier copies moments. The types it is given are never changed once a run has
// begun.
var copier = checkpoint.New(append(sealed(),
	reflect.TypeFor[machine.Machine](), reflect.TypeFor[policy.Kernel](), reflect.TypeFor[scenario.Scenario](),
	reflect.TypeFor[stats.VmstatForm](), reflect.TypeFor[workload.Program](), reflect.TypeFor[console.System](),
)...)

// sealed are the blocks of observers' stores that never change once they are full.
func sealed() (types []reflect.Type) {
	for _, p := range stats.Sealed() {
		types = append(types, reflect.TypeOf(p).Elem())
	}
	return types
}

// copyMoment copies the present.
func (s *Session) copyMoment() (*moment, checkpoint.Size, error) {
	return checkpoint.Copy(copier, &moment{
		s.pol, s.eng, s.watch, s.fields, s.probes, s.top, s.con, s.ear, s.shell, s.nextCommand, s.nextTyped,
	}, s)
}

// restore makes a copy of a moment the present.
func (s *Session) restore(kept *moment) error {
	m, _, err := checkpoint.Copy(copier, kept, s)
	if err != nil {
		return err
	}
	s.pol, s.eng, s.watch, s.fields, s.probes, s.top = m.pol, m.eng, m.watch, m.fields, m.probes, m.top
	s.con, s.ear, s.shell = m.con, m.ear, m.shell
	s.nextCommand, s.nextTyped = m.nextCommand, m.nextTyped
	s.watch.lookout.on = false
	s.frames = [2]Frame{} // frames remember the stores that they were made from
	return nil
}

// The room of a history: so many checkpoints and so much memory, but never so
// few that all the past would have to be run again.
const (
	mostPoints  = 48
	leastPoints = 6
	mostBytes   = 24 << 20
)

// What a checkpoint costs, in events of a run, which take about 0.1 µs. Fitted to
// BenchmarkCheckpoint and BenchmarkRunning, the collector's work included; when it
// is wrong, only speed suffers.
const (
	eventsPerObject = 4
	bytesPerEvent   = 50
)

// How far checkpoints are apart, in costs of one: a run that goes on spends a
// 48th of its time on them. A run on its way to a goal spends a twelfth, because
// who went back once is likely to go back again.
const (
	sparse = 48
	dense  = 12
)

// history is what a session keeps of its past: checkpoints, fewer the further
// they are from the present, and never without the first.
type history struct {
	points []point // by time
	bytes  int
	most   int   // of bytes
	cost   int64 // of the last one, in events
	goal   bool  // a time is being sought
	err    error // why there are none
}

// point is a checkpoint.
type point struct {
	at    clock.Time
	done  int64 // what the engine had done by then
	bytes int
	kept  *moment
	brief bool // its timeline has no marks any more
}

// KeepPast bounds the memory of checkpoints, in bytes; 24 MiB unless told. With 0
// none are kept, and time cannot go back.
func (s *Session) KeepPast(bytes int) {
	if bytes <= 0 {
		s.past = nil
		return
	}
	if s.past == nil {
		s.past = &history{}
	}
	s.past.most = bytes
}

// keep takes a checkpoint where one is due, and returns how much may be done
// until the next one is, at most up to end.
func (s *Session) keep(end int64) int64 {
	done := s.eng.Done()
	room := max(0, end-done)
	h := s.past
	if h == nil || h.err != nil || s.watched {
		return room
	}
	left := h.left(done)
	if left == 0 {
		h.take(s)
		left = max(1, h.left(done))
	}
	return min(room, left)
}

// left is how much is to be done until the next checkpoint is due.
func (h *history) left(done int64) int64 {
	i := h.before(func(p *point) bool { return p.done <= done })
	if i < 0 {
		return 0
	}
	apart := max(1, h.cost) * sparse
	if h.goal {
		apart = max(1, h.cost) * dense
	}
	if left := h.points[i].done + apart - done; left > 0 {
		return left
	}
	// It goes through its past once more: there may be one just ahead.
	if i+1 < len(h.points) && h.points[i+1].done-done < apart {
		return h.points[i+1].done - done
	}
	return 0
}

// before is the index of the last checkpoint that fits, −1 if none does. Those
// that fit come first.
func (h *history) before(fits func(p *point) bool) int {
	i := len(h.points) - 1
	for i >= 0 && !fits(&h.points[i]) {
		i--
	}
	return i
}

func (h *history) take(s *Session) {
	kept, size, err := s.copyMoment()
	if err != nil {
		h.err = fmt.Errorf("this run cannot go back: %w", err)
		return
	}
	h.cost = eventsPerObject*int64(size.Objects) + int64(size.Bytes)/bytesPerEvent
	p := point{at: s.eng.Now(), done: s.eng.Done(), bytes: size.Bytes, kept: kept}
	i := h.before(func(q *point) bool { return q.done <= p.done })
	h.points = append(h.points, p)
	copy(h.points[i+2:], h.points[i+1:])
	h.points[i+1] = p
	h.bytes += size.Bytes
	h.brief(s.watch.spans.Whole())
	for len(h.points) > mostPoints || h.bytes > h.most && len(h.points) > leastPoints {
		h.drop(h.leastMissed(p.done))
	}
}

// brief lets old checkpoints forget the marks of their timelines, which the present
// has dropped as well: else each would keep blocks that nobody else needs.
func (h *history) brief(before clock.Time) {
	for i := range h.points {
		switch p := &h.points[i]; {
		case p.brief:
		case p.at < before:
			p.kept.watch.spans.Forget()
			p.brief = true
		default:
			p.kept.watch.spans.ForgetBefore(before)
		}
	}
}

// takeNear takes a checkpoint unless there is one close by.
func (h *history) takeNear(s *Session) {
	done := s.eng.Done()
	i := h.before(func(p *point) bool { return p.done <= done })
	if h.err == nil && i >= 0 && done-h.points[i].done > 2*h.cost {
		h.take(s)
	}
}

// leastMissed is the checkpoint without which the gap is smallest beside how far
// it is from the present. The first one is missed most, and the present one.
func (h *history) leastMissed(done int64) int {
	best, least := len(h.points)-1, int64(1)<<62
	for i := 1; i < len(h.points); i++ {
		p := &h.points[i]
		if p.done == done {
			continue
		}
		after := max(p.done, done)
		if i+1 < len(h.points) {
			after = h.points[i+1].done
		}
		distance := max(p.done-done, done-p.done)
		if missed := (after - h.points[i-1].done) * 1000 / (distance + h.cost); missed < least {
			best, least = i, missed
		}
	}
	return best
}

func (h *history) drop(i int) {
	h.bytes -= h.points[i].bytes
	h.points = append(h.points[:i], h.points[i+1:]...)
	h.points[:len(h.points)+1][len(h.points)] = point{} // for the collector
}

// forgetAfter drops what will not come to pass: the present is about to change.
func (h *history) forgetAfter(s *Session, now clock.Time) {
	if h == nil {
		return
	}
	for n := len(h.points); n > 0; n-- {
		if p := &h.points[n-1]; p.at > now || p.kept.nextTyped > s.nextTyped {
			h.drop(n - 1)
		}
	}
}

// errWatched is said to who wants to go back and cannot.
var errWatched = errors.New("time cannot go back: an observer that was added has seen what came since")

// goBack restores the last checkpoint that fits; there must be one.
func (s *Session) goBack(fits func(p *point) bool) error {
	switch {
	case s.watched:
		return errWatched
	case s.past == nil || len(s.past.points) == 0:
		return errors.New("time cannot go back: no checkpoints are kept")
	case s.past.err != nil:
		return s.past.err
	}
	return s.restore(s.past.points[max(0, s.past.before(fits))].kept)
}

// SeekTo goes to a time, back or forward. Going back restores the last checkpoint
// before it and runs from there: the same events happen, with the same digest,
// and commands that were typed meanwhile run again at their times. Those of
// later times are not lost; going forward runs them again, until another command
// is typed. Sessions with observers added by Observe, ResetWith, Vmstat or Mpstat
// cannot go back; on such an error nothing has changed.
func (s *Session) SeekTo(t clock.Time) error {
	_, err := s.SeekUpTo(t, 1<<40)
	return err
}

// SeekUpTo is SeekTo in slices of about so many events: it reports whether it got
// there. Called again with the same time it goes on.
func (s *Session) SeekUpTo(t clock.Time, events int) (bool, error) {
	if t < 0 {
		return false, fmt.Errorf("seek: the time is %d ns, want 0 or later", t)
	}
	reached := func(p *point) bool { return p.at <= t }
	switch {
	case t < s.Now():
		if err := s.goBack(reached); err != nil {
			return false, err
		}
	case s.past != nil && !s.watched:
		// What has happened once need not be run again.
		i := s.past.before(reached)
		if i >= 0 && s.past.points[i].done > s.eng.Done()+s.past.cost {
			if err := s.restore(s.past.points[i].kept); err != nil {
				return false, err
			}
		}
	}
	if s.past == nil || s.watched {
		return s.AdvanceUpTo(t, events)
	}
	s.past.goal = true
	defer func() { s.past.goal = false }()
	end := s.eng.Done() + int64(events)
	if near := t.Add(-nearTicks * s.eng.Tick()); s.Now() < near {
		if there, err := s.AdvanceUpTo(near, events); !there || err != nil {
			return false, err
		}
		s.past.takeNear(s)
	}
	return s.AdvanceUpTo(t, int(end-s.eng.Done()))
}

// nearTicks before a goal a checkpoint is taken, for who goes on to step back.
const nearTicks = 16

// StepBack goes back to just after the clock tick before the present: what Step
// undoes. At the beginning it does nothing.
func (s *Session) StepBack() error {
	now, tick := s.Now(), clock.Time(s.eng.Tick())
	if now == 0 {
		return nil
	}
	return s.SeekTo((now - 1) / tick * tick)
}
