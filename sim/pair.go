package sim

import (
	"fmt"

	"strandscope/sim/clock"
)

// Mover is a run as Pair moves it; a Session is one.
type Mover interface {
	Now() clock.Time
	AdvanceUpTo(t clock.Time, events int) (bool, error)
	SeekUpTo(t clock.Time, events int) (bool, error)
	RunTo(c Condition, limit clock.Time, events int) (Outcome, error)
}

var _ Mover = (*Session)(nil)

// Pair moves two runs on one clock. Neither knows of the other: each has the events,
// and the digest, that it has alone. Where one is behind, because it has just begun
// or was booted anew, it catches up before time passes for both.
//
// Time passes in stretches that end at the same time on both sides. They are as long
// as each side can do in about one slice of events, so that a busy side does not keep
// the picture of an idle one waiting.
type Pair struct {
	// Lead is the side that conditions of RunTo are about.
	Lead, Other Mover

	stretch clock.Duration
}

// Bounds of a stretch.
const (
	leastStretch = clock.Millisecond
	mostStretch  = 10 * clock.Second
)

// Level reports whether both sides are at the same time.
func (p *Pair) Level() bool { return p.Lead.Now() == p.Other.Now() }

// AdvanceUpTo is Session.AdvanceUpTo for both: it does one stretch, or a slice of
// what the side that is behind has to catch up with.
func (p *Pair) AdvanceUpTo(t clock.Time, events int) (bool, error) {
	if !p.Level() {
		return false, p.catchUp(events)
	}
	goal := p.goal(t)
	slices, err := p.bring(p.Lead, goal, events)
	if err != nil {
		return false, err
	}
	more, err := p.bring(p.Other, goal, events)
	if err != nil {
		return false, p.others(err)
	}
	p.adapt(max(slices, more))
	return p.Level() && p.Lead.Now() >= t, nil
}

// goal is the end of the next stretch.
func (p *Pair) goal(t clock.Time) clock.Time {
	p.stretch = max(leastStretch, min(p.stretch, mostStretch))
	return min(t, p.Lead.Now().Add(p.stretch))
}

func (p *Pair) adapt(slices int) {
	if slices > 1 {
		p.stretch /= 2
	} else {
		p.stretch *= 2
	}
}

// bring lets a side go on to a time and counts the slices. A side that boots anew
// meanwhile is left behind.
func (p *Pair) bring(side Mover, goal clock.Time, events int) (slices int, err error) {
	for there := false; !there; slices++ {
		if there, err = side.AdvanceUpTo(goal, events); err != nil {
			return slices, err
		}
	}
	return slices, nil
}

// catchUp lets the side that is behind do a slice.
func (p *Pair) catchUp(events int) error {
	if p.Lead.Now() < p.Other.Now() {
		_, err := p.Lead.AdvanceUpTo(p.Other.Now(), events)
		return err
	}
	_, err := p.Other.AdvanceUpTo(p.Lead.Now(), events)
	return p.others(err)
}

func (p *Pair) others(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("on the other side: %w", err)
}

// AdvanceTo lets time pass on both sides up to and including a point of time.
func (p *Pair) AdvanceTo(t clock.Time) error {
	for {
		if there, err := p.AdvanceUpTo(t, 1024); there || err != nil {
			return err
		}
	}
}

// SeekUpTo is Session.SeekUpTo for both. On the way the sides may be at different
// times.
func (p *Pair) SeekUpTo(t clock.Time, events int) (bool, error) {
	there, err := p.Lead.SeekUpTo(t, events)
	if err != nil {
		return false, err
	}
	other, err := p.Other.SeekUpTo(t, events)
	return there && other && p.Level(), p.others(err)
}

// SeekTo goes to a time on both sides, back or forward.
func (p *Pair) SeekTo(t clock.Time) error {
	for {
		if there, err := p.SeekUpTo(t, 1<<20); there || err != nil {
			return err
		}
	}
}

// RunTo is Session.RunTo for the side that leads; the other comes along.
func (p *Pair) RunTo(c Condition, limit clock.Time, events int) (Outcome, error) {
	if !p.Level() {
		return Outcome{At: p.Lead.Now()}, p.catchUp(events)
	}
	goal := p.goal(limit)
	o, err := p.Lead.RunTo(c, goal, events)
	if err != nil {
		return o, err
	}
	slices, err := p.bring(p.Other, p.Lead.Now(), events)
	p.adapt(slices)
	if o.Result == AtLimit && goal < limit {
		o.Result = OnTheWay
	}
	return o, p.others(err)
}
