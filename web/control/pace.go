package control

import (
	"math/bits"
	"time"

	"strandscope/sim/clock"
)

const (
	// sliceEvents is how much is done between two looks at the clock. Browser
	// clocks are coarse (0.1 to 1 ms), and 1,024 events take about 0.2 ms.
	sliceEvents = 1024
	// frameBudget leaves half a frame of 60 Hz to drawing and the browser.
	// Where drawing takes longer than that (no graphics card), a third of the
	// frame may go to the run instead, up to slowBudget.
	frameBudget = 8 * time.Millisecond
	slowBudget  = 100 * time.Millisecond
	// seekBudget may be larger: nothing moves on the screen meanwhile. Where
	// drawing takes longer than that, the run takes as long as the drawing did,
	// up to slowSeek.
	seekBudget = 40 * time.Millisecond
	slowSeek   = 250 * time.Millisecond
	// longestFrame is what a frame may take before it counts as a pause: tabs
	// are put to sleep, and nobody wants to see an hour pass at once.
	longestFrame = 500 * time.Millisecond
	// measureSpan is how long the speed reached is averaged.
	measureSpan = time.Second
)

// pacer turns real time into simulated time. What it decides never changes
// what happens in the run, only when it is shown.
type pacer struct {
	last time.Duration // real time of the last frame; 0: none yet
	rest int64         // thousandths of a nanosecond not yet passed on

	spanReal      time.Duration
	spanSimulated clock.Duration
	late          bool
	effective     int64 // 0: not measured yet
}

func (p *pacer) forget() { *p = pacer{} }

// step returns the simulated time that the real time since the last frame is
// worth, and that real time.
func (p *pacer) step(now time.Duration, permille int64) (clock.Duration, time.Duration) {
	if p.last == 0 || now < p.last {
		p.last = now
		return 0, 0
	}
	passed := min(now-p.last, longestFrame)
	p.last = now
	// 128 bits: half a second at 10,000 × is 5·10^15 thousandths only, but the
	// product has to hold for any speed that is ever allowed.
	hi, lo := bits.Mul64(uint64(passed), uint64(permille))
	lo, carry := bits.Add64(lo, uint64(p.rest), 0)
	d, rest := bits.Div64((hi+carry)%1000, lo, 1000)
	p.rest = int64(rest)
	return clock.Duration(d), passed
}

// measure notes what a frame achieved.
func (p *pacer) measure(simulated clock.Duration, passed time.Duration, late bool) {
	p.spanReal += passed
	p.spanSimulated += simulated
	p.late = p.late || late
	if p.spanReal < measureSpan {
		return
	}
	if p.late {
		p.effective = int64(p.spanSimulated) / max(1, int64(p.spanReal)/1000)
	} else {
		p.effective = 0
	}
	p.spanReal, p.spanSimulated, p.late = 0, 0, false
}

// Moving reports whether simulated time passes by itself.
func (s *State) Moving() bool {
	return s.Fault == "" && (s.goal != noGoal || s.term.finish != noGoal || s.View.Playing && s.View.Visible)
}

// Plotting reports whether points of a curve are still to be run.
func (s *State) Plotting() bool { return s.Fault == "" && s.Run.Plotting() }

// Plot runs one of them. It may take some tenths of a second.
func (s *State) Plot() {
	var err error
	fault := s.guard(func() { err = s.Run.PlotNext() })
	if err != nil {
		fault = err.Error()
	}
	if fault != "" {
		s.fail(fault)
	}
	s.pacer.forget()
}

// Seeking reports whether the run is on its way to a time asked for.
func (s *State) Seeking() bool { return s.goal != noGoal || s.term.finish != noGoal }

// Effective is the speed reached, in thousandths: the speed asked for, or less
// where the computer cannot keep up.
func (s *State) Effective() int64 {
	if s.pacer.effective == 0 || !s.View.Playing {
		return s.View.SpeedPermille
	}
	return min(s.pacer.effective, s.View.SpeedPermille)
}

// finish lets time pass towards the end of the command in front.
func (s *State) finish(start time.Duration, now func() time.Duration) {
	deadline := start + seekBudget
	for s.term.finish != noGoal && now() < deadline {
		if !s.advanceTo(s.finishBy(), deadline, now) {
			break
		}
		s.settle()
	}
	s.pacer.forget()
}

// Advance lets simulated time pass for one frame; now is real time on any
// monotonic scale, read again between slices. When the computer is behind, the
// rest of the frame's time is dropped and the effective speed falls: no event
// is ever skipped.
func (s *State) Advance(now func() time.Duration) {
	start := now()
	defer s.settle()
	if s.term.finish != noGoal {
		s.finish(start, now)
		return
	}
	if s.goal != noGoal {
		drawing := time.Duration(0)
		if s.sought > 0 {
			drawing = max(0, start-s.sought)
		}
		there := s.advanceTo(s.goal, start+min(max(seekBudget, drawing), slowSeek), now)
		s.sought = now()
		if there || s.Fault != "" {
			s.goal, s.sought = noGoal, 0
		}
		s.pacer.forget()
		return
	}
	if !s.Moving() {
		s.pacer.last = 0
		return
	}
	d, passed := s.pacer.step(start, s.View.SpeedPermille)
	if d == 0 {
		return
	}
	before := s.Run.Now()
	budget := max(frameBudget, min(passed/3, slowBudget))
	reached := s.advanceTo(before.Add(d), start+budget, now)
	s.pacer.measure(s.Run.Now().Sub(before), passed, !reached)
}
