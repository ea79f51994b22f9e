package textbook

import (
	"errors"
	"fmt"
	"math"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
)

// Base is the part of a textbook policy that is the same in all.
type Base struct {
	K      sched.Kernel
	Oracle sched.Oracle
	// Unit is the length of one unit of the book's time, in which figures are
	// given; 0: one second.
	Unit clock.Duration
}

// Boot implements sched.Policy.
func (b *Base) Boot(k sched.Kernel) error {
	b.K = k
	if b.Unit == 0 {
		b.Unit = clock.Second
	}
	return nil
}

// Foresee implements sched.Foreseer.
func (b *Base) Foresee(o sched.Oracle) { b.Oracle = o }

// Admit implements sched.Policy.
func (b *Base) Admit(_ *sched.Thread, _ *sched.Params) error { return nil }

// Set implements sched.Policy: books know no way to change a job in mid-run.
func (b *Base) Set(_ *sched.Thread, _ *sched.Params) error {
	return errors.New("a textbook policy takes a job's parameters when it arrives and never changes them")
}

// Dequeue implements sched.Policy.
func (b *Base) Dequeue(_ *sched.Thread, _ sched.Cause) {}

// Tick implements sched.Policy.
func (b *Base) Tick(_ *sched.CPU) {}

// Quiet implements sched.Skipper.
func (b *Base) Quiet(_ *sched.CPU) int64 { return sched.AllQuiet }

// Skip implements sched.Skipper.
func (b *Base) Skip(_ *sched.CPU, _ int64) {}

// Units gives a span in thousandths of a unit, as reasons carry it.
func (b *Base) Units(d clock.Duration) int32 {
	return Clip(int64(d / max(1, b.Unit/1000)))
}

// Clip fits a figure into a reason.
func Clip(n int64) int32 { return int32(max(math.MinInt32, min(n, math.MaxInt32))) }

// InUnits writes what Units made: 2500 is 2.5.
func InUnits(thousandths int32) string {
	s := fmt.Sprintf("%d.%03d", thousandths/1000, thousandths%1000)
	for s[len(s)-1] == '0' {
		s = s[:len(s)-1]
	}
	if s[len(s)-1] == '.' {
		s = s[:len(s)-1]
	}
	return s
}

// WakeIdle kicks the first free CPU that t may use.
func (b *Base) WakeIdle(t *sched.Thread) bool {
	for _, c := range b.K.CPUs() {
		if c.Free() && t.May(c) {
			b.K.Kick(c)
			return true
		}
	}
	return false
}

// Ending reports whether c's thread has come to the end of its burst at this very
// instant: it leaves by itself, and c then picks.
func (b *Base) Ending(c *sched.CPU) bool {
	return c.Thread != nil && !c.Kicked && b.Oracle.Left(c.Thread) == 0
}

// Why a policy decided. Each has its sentences; these codes are common to all.
// Values are part of the digest: append only.
const (
	WhyChosen    uint16 = iota + 1 // A: its score
	WhyDisplaced                   // A: its score, B: that of the job it took the CPU from
	WhyNothing                     // nobody waits
	WhyArrived                     // it waits: it arrived, or its I/O is complete
	WhyQueuedAgain
	WhyQuantum // its quantum is over; it keeps its level
	WhyDemoted // A: the level it comes to
	WhyIO      // it starts an I/O
	WhyBoost
	WhyNextJob // the next job of a periodic task begins late; A: its number
	WhyDraw    // A: the ticket drawn, B: of how many
	WhyTurn    // it was first in the queue; A: the quantum
	WhyMoved   // taken over from another CPU's queue; A: that CPU
)

// Common explains the codes that mean the same in every policy; "" for others.
func Common(r sched.Reason) string {
	switch r.Code {
	case WhyNothing:
		return "Nobody waits."
	case WhyArrived:
		return "It became ready: it arrived, or its I/O is complete."
	case WhyQueuedAgain:
		return "The CPU was taken from it; it waits in its place."
	case WhyQuantum:
		return "Its quantum is over; it goes to the tail of its queue."
	case WhyIO:
		return "It starts an I/O and leaves the queue."
	}
	return ""
}
