package plot

import (
	"strconv"

	"strandscope/sim/clock"
)

// Ticker chooses round figures for an axis.
type Ticker interface {
	// Step is the least round distance at which at most n ticks divide span.
	Step(span int64, n int) int64
	// Label appends what is written at a tick.
	Label(dst []byte, at, step int64) []byte
}

// Number ticks plain whole figures: 1, 2, 5, 10, …; Unit is written after each.
// From ten thousand on, whole thousands are written short: 20k.
type Number struct{ Unit string }

// Step implements Ticker.
func (Number) Step(span int64, n int) int64 {
	for unit := int64(1); ; unit *= 10 {
		for _, m := range [...]int64{1, 2, 5} {
			if span <= unit*m*int64(n) || unit > 1<<58 {
				return unit * m
			}
		}
	}
}

// Label implements Ticker.
func (t Number) Label(dst []byte, at, _ int64) []byte {
	if at >= 10000 && at%1000 == 0 {
		dst = strconv.AppendInt(dst, at/1000, 10)
		return append(append(dst, 'k'), t.Unit...)
	}
	return append(strconv.AppendInt(dst, at, 10), t.Unit...)
}

// Clock ticks simulated time in seconds, minutes or hours, whichever the step
// is made of. Before, if not 0, is the moment that ticks count back from.
type Clock struct{ Before clock.Time }

var clockSteps = [...]clock.Duration{
	clock.Millisecond, 2 * clock.Millisecond, 5 * clock.Millisecond,
	10 * clock.Millisecond, 20 * clock.Millisecond, 50 * clock.Millisecond,
	100 * clock.Millisecond, 200 * clock.Millisecond, 500 * clock.Millisecond,
	clock.Second, 2 * clock.Second, 5 * clock.Second, 10 * clock.Second, 15 * clock.Second, 30 * clock.Second,
	clock.Minute, 2 * clock.Minute, 5 * clock.Minute, 10 * clock.Minute, 15 * clock.Minute, 30 * clock.Minute,
	clock.Hour, 2 * clock.Hour, 3 * clock.Hour, 6 * clock.Hour, 12 * clock.Hour, 24 * clock.Hour,
}

// Step implements Ticker.
func (Clock) Step(span int64, n int) int64 {
	for _, s := range clockSteps {
		if span <= int64(s)*int64(n) {
			return int64(s)
		}
	}
	day := int64(24 * clock.Hour)
	return day * Number{}.Step((span+day-1)/day, n)
}

// Label implements Ticker.
func (t Clock) Label(dst []byte, at, step int64) []byte {
	if t.Before != 0 {
		at -= int64(t.Before)
	}
	if at < 0 {
		dst, at = append(dst, "−"...), -at
	}
	switch {
	case at == 0 && t.Before == 0:
		return append(dst, '0')
	case at == 0:
		return append(dst, "now"...)
	}
	unit, name := clock.Hour, " h"
	switch {
	case step < int64(clock.Second):
		unit, name = clock.Millisecond, " ms"
	case step < int64(clock.Minute):
		unit, name = clock.Second, " s"
	case step < int64(clock.Hour):
		unit, name = clock.Minute, " min"
	}
	return append(strconv.AppendInt(dst, at/int64(unit), 10), name...)
}
