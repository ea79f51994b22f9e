package render

import (
	"time"

	"strandscope/render/act"
	"strandscope/render/geom"
	"strandscope/render/panel"
	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/sched"
)

// An eye follows so many moves of one picture, and so many under way.
const (
	mostMoves   = 6
	mostFlights = 18
	flightTime  = 350 * time.Millisecond // real time
	calmAfter   = 700 * time.Millisecond // flights come back after so long
	stillSpan   = clock.Second           // simulated: arrows over more would tell nothing
)

// Motion sees pictures go by and tells what moved between two of them. It is about
// the picture, not about the run: it counts real time.
type Motion struct {
	places []place
	rects  []geom.Rect // by thread: its box in the queue in the last picture
	run    string      // id and title of the run
	at     clock.Time

	flights []flight
	busy    time.Duration // when there was too much last
	flash   time.Duration // when a recalculation was seen
	ever    bool          // busy and flash are times

	epoch                         int64 // recalculations by the last frame
	switches, migrations, recalcs int64 // by the moment counted
	counted                       clock.Time
}

type place struct {
	cpu   int16
	state sched.State
}

type flight struct {
	act.Move
	begun time.Duration
}

// See compares a frame with the one before and leaves in v what moved; now is real
// time.
func (m *Motion) See(s *Screen, f *sim.Frame, v *act.View, now time.Duration) {
	moved := &v.Motion
	if !drawable(f) || v.Width == 0 || s.comparing(f) { // two runs at once move too much
		*moved = act.Motion{}
		return
	}
	run := f.Scenario.ID + f.Scenario.Title
	if run != m.run || f.Now < m.at || len(f.Threads) < len(m.places) {
		*m = Motion{run: run}
		*moved = act.Motion{}
	}
	if f.Now != m.at || len(m.places) == 0 {
		placed := s.Layout(f, v)
		if len(m.places) > 0 {
			m.compare(placed, f, v, now)
		}
		m.note(placed, f, v)
	}
	m.fly(v, now)
}

// compare looks for what moved since the last frame.
func (m *Motion) compare(placed []Placed, f *sim.Frame, v *act.View, now time.Duration) {
	paused := !v.Playing
	recalcs := recalculations(f)
	again := recalcs > m.epoch
	m.rates(f, &v.Motion)
	if paused {
		m.flights = m.flights[:0] // arrows are of the last step alone
		v.Motion.Recalculated = again && f.Now.Sub(m.at) <= stillSpan
	}
	if again {
		m.flash, m.ever = now, true
	}
	if paused && f.Now.Sub(m.at) > stillSpan {
		return
	}
	n := 0
	for i := range m.places {
		if was, is := m.places[i], placeOf(&f.Threads[i]); was != is && moves(was, is) {
			n++
		}
	}
	if n > mostMoves || len(m.flights)+n > mostFlights {
		m.flights = m.flights[:0]
		m.busy, m.ever = now, true
		return
	}
	for i := range m.places {
		was, is := m.places[i], placeOf(&f.Threads[i])
		if n == 0 || was == is || !moves(was, is) {
			continue
		}
		move := act.Move{Thread: sched.ThreadID(i), Kind: kindOf(was, is)}
		cell := func(cpu int16) geom.Rect {
			return where(placed, act.Selection{Kind: act.StrandSelection, CPU: int(cpu)}, f, v)
		}
		move.From, move.To = cell(was.cpu), cell(is.cpu)
		if was.state == sched.Waiting {
			move.From = m.rect(i)
		}
		if is.state == sched.Waiting {
			move.To = where(placed, act.Selection{Kind: act.ThreadSelection, CPU: sched.NoCPU, Thread: move.Thread}, f, v)
		}
		if !move.From.Empty() && !move.To.Empty() {
			m.flights = append(m.flights, flight{move, now})
		}
	}
}

// rates counts over at least a fifth of a simulated second.
func (m *Motion) rates(f *sim.Frame, moved *act.Motion) {
	d := f.Now.Sub(m.counted)
	if d < clock.Second/5 {
		return
	}
	per := func(n int64) int64 { return n * int64(clock.Second) / int64(d) }
	switches, migrations, recalcs := f.Totals.Switches, f.Totals.Moves, recalculations(f)
	if m.counted > 0 {
		moved.Switches, moved.Migrations, moved.Recalcs10 = per(switches-m.switches), per(migrations-m.migrations), per(10*(recalcs-m.recalcs))
	}
	m.counted, m.switches, m.migrations, m.recalcs = f.Now, switches, migrations, recalcs
}

// note remembers where everybody is.
func (m *Motion) note(placed []Placed, f *sim.Frame, v *act.View) {
	m.at, m.epoch = f.Now, recalculations(f)
	m.places = m.places[:0]
	for i := range f.Threads {
		m.places = append(m.places, placeOf(&f.Threads[i]))
	}
	clear(m.rects)
	for _, p := range placed {
		if _, ok := p.Panel.(panel.RunQueue); ok {
			for len(m.rects) < len(m.places) {
				m.rects = append(m.rects, geom.Rect{})
			}
			panel.Boxes(f, v, p.Rect, func(id sched.ThreadID, box geom.Rect) { m.rects[id] = box })
		}
	}
}

func (m *Motion) rect(thread int) geom.Rect {
	if thread < len(m.rects) {
		return m.rects[thread]
	}
	return geom.Rect{}
}

// fly moves on what is under way.
func (m *Motion) fly(v *act.View, now time.Duration) {
	moved, paused := &v.Motion, !v.Playing
	moved.Still = paused || v.Quiet
	moved.Fast = !paused && m.ever && m.busy > 0 && now < m.busy+calmAfter
	if !paused {
		moved.Recalculated = m.ever && m.flash > 0 && now < m.flash+2*flightTime
	}
	moved.Moves = moved.Moves[:0]
	kept := m.flights[:0]
	for _, x := range m.flights {
		gone := now - x.begun
		if gone >= flightTime && !paused {
			continue
		}
		x.Progress = int(min(gone, flightTime) * 1000 / flightTime)
		kept = append(kept, x)
		moved.Moves = append(moved.Moves, x.Move)
	}
	m.flights = kept
}

func recalculations(f *sim.Frame) int64 {
	if f.Work == nil {
		return 0
	}
	return f.Work.Recalculations
}

func placeOf(t *sim.Thread) place { return place{int16(t.CPU), t.State} }

// moves reports whether a change of place is one that is shown: onto a strand, off it
// into a queue, or to another strand.
func moves(was, is place) bool {
	if is.state == sched.Running {
		return was.state == sched.Waiting || was.state == sched.Running && was.cpu != is.cpu
	}
	return is.state == sched.Waiting && was.state == sched.Running
}

func kindOf(was, is place) act.MoveKind {
	switch {
	case is.state == sched.Waiting:
		return act.PutBack
	case was.state == sched.Running, was.cpu >= 0 && was.cpu != is.cpu:
		return act.Migrated
	}
	return act.Dispatched
}
