package stats

import (
	"fmt"
	"math/bits"

	"strandscope/sim/clock"
	"strandscope/sim/trace"
)

// Listing is what a report has printed. With To set, each line goes there and
// none is kept.
type Listing struct {
	Lines []string
	// Keep bounds Lines: older ones are dropped; 0 keeps all.
	Keep int
	To   func(line string)
	// Marks are set around what is decoration.
	Marks Marks
}

func (l *Listing) printf(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if l.To != nil {
		l.To(line)
		return
	}
	l.Lines = append(l.Lines, line)
	if l.Keep > 0 && len(l.Lines) > l.Keep {
		l.Lines = append(l.Lines[:0], l.Lines[len(l.Lines)-l.Keep:]...)
	}
}

// Marks are written around what is decoration, where whoever shows a report tells
// it from the rest; the zero value writes none.
type Marks struct{ On, Off string }

func (m Marks) around(text string) string { return m.On + text + m.Off }

// interval is every so many seconds from a given one on.
type interval struct{ seconds, from int64 }

// every returns an interval that begins now; below a second it is one second.
func every(seconds int, now clock.Time) interval {
	return interval{max(1, int64(seconds)), int64(now) / int64(clock.Second)}
}

func (i interval) due(e *trace.Event) bool {
	return e.Kind == trace.Second && (int64(e.At)/int64(clock.Second)-i.from)%i.seconds == 0
}

// rounded is a·b/c to the nearest whole number, ties to even, as printf's
// "%.0f" rounds; 0 where c is 0. No figure is negative.
func rounded(a, b, c int64) int64 {
	if c <= 0 || a <= 0 || b <= 0 {
		return 0
	}
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	q, rest := bits.Div64(hi, lo, uint64(c))
	if left := uint64(c) - rest; rest > left || rest == left && q%2 == 1 {
		q++
	}
	return int64(q)
}

// mulDiv is a·b/c, cut.
func mulDiv(a, b, c int64) int64 {
	if c <= 0 || a <= 0 || b <= 0 {
		return 0
	}
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	q, _ := bits.Div64(hi, lo, uint64(c))
	return int64(q)
}

// Percent is part of whole in percent with so many decimals, from 0 to 3.
func Percent(part, whole clock.Duration, decimals int) string {
	return Ratio(100*int64(part), int64(whole), decimals)
}

// Ratio is a/b with so many decimals, from 0 to 3.
func Ratio(a, b int64, decimals int) string {
	scale := [...]int64{1, 10, 100, 1000}[decimals]
	n := rounded(a, scale, b)
	if decimals == 0 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d.%0*d", n/scale, decimals, n%scale)
}

// Seconds writes a duration as seconds with so many decimals, from 0 to 3.
func Seconds(d clock.Duration, decimals int) string {
	return Ratio(int64(d), int64(clock.Second), decimals)
}
