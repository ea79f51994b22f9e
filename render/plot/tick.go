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

// Clock ticks simulated time, from hours to nanoseconds, whichever the step is
// made of. Before, if not 0, is the moment that ticks count back from.
type Clock struct{ Before clock.Time }

var clockSteps = [...]clock.Duration{
	clock.Second, 2 * clock.Second, 5 * clock.Second, 10 * clock.Second, 15 * clock.Second, 30 * clock.Second,
	clock.Minute, 2 * clock.Minute, 5 * clock.Minute, 10 * clock.Minute, 15 * clock.Minute, 30 * clock.Minute,
	clock.Hour, 2 * clock.Hour, 3 * clock.Hour, 6 * clock.Hour, 12 * clock.Hour, 24 * clock.Hour,
}

// Step implements Ticker.
func (Clock) Step(span int64, n int) int64 {
	if span <= int64(clock.Second)/2*int64(n) {
		return Number{}.Step(span, n) // below a second steps are decimal
	}
	for _, s := range clockSteps {
		if span <= int64(s)*int64(n) {
			return int64(s)
		}
	}
	day := int64(24 * clock.Hour)
	return day * Number{}.Step((span+day-1)/day, n)
}

// First is the first tick at a time or after it.
func (t Clock) First(from, step int64) int64 {
	rest := (from - int64(t.Before)) % step
	switch {
	case rest == 0:
		return from
	case rest < 0:
		return from - rest
	}
	return from - rest + step
}

// Label implements Ticker.
func (t Clock) Label(dst []byte, at, step int64) []byte {
	if t.Before == 0 {
		return Moment(dst, at, step)
	}
	if at -= int64(t.Before); at == 0 {
		return append(dst, "now"...)
	}
	return Moment(dst, at, step)
}

// Moment appends a point of simulated time, as finely as a step between points
// needs: "6 h", "5 min", "12.5 s", "20 ms", "1:02:03.25".
func Moment(dst []byte, at, step int64) []byte {
	if at < 0 {
		dst, at = append(dst, "−"...), -at
	}
	const second = int64(clock.Second)
	switch {
	case at == 0:
		return append(dst, '0')
	case step >= int64(clock.Hour):
		return append(strconv.AppendInt(dst, at/int64(clock.Hour), 10), " h"...)
	case step >= int64(clock.Minute):
		return append(strconv.AppendInt(dst, at/int64(clock.Minute), 10), " min"...)
	case at >= 10*int64(clock.Minute):
		if h := at / int64(clock.Hour); h > 0 {
			dst = append(strconv.AppendInt(dst, h, 10), ':')
			dst = twoDigits(dst, at/int64(clock.Minute)%60)
		} else {
			dst = strconv.AppendInt(dst, at/int64(clock.Minute), 10)
		}
		dst = twoDigits(append(dst, ':'), at/second%60)
		return fraction(dst, at%second, second, step)
	}
	for _, u := range [...]struct {
		of   clock.Duration
		name string
	}{{clock.Second, " s"}, {clock.Millisecond, " ms"}, {clock.Microsecond, " µs"}} {
		if of := int64(u.of); at >= of || step >= of {
			dst = strconv.AppendInt(dst, at/of, 10)
			return append(fraction(dst, at%of, of, step), u.name...)
		}
	}
	return append(strconv.AppendInt(dst, at, 10), " ns"...)
}

func twoDigits(dst []byte, n int64) []byte { return append(dst, byte('0'+n/10), byte('0'+n%10)) }

// fraction appends decimals of a unit down to the step, without noughts at the
// end.
func fraction(dst []byte, rest, unit, step int64) []byte {
	n := len(dst)
	dst = append(dst, '.')
	keep := n
	for d := unit / 10; d > 0 && d*10 > step; d /= 10 {
		digit := rest / d % 10
		dst = append(dst, byte('0'+digit))
		if digit > 0 {
			keep = len(dst)
		}
	}
	return dst[:keep]
}
