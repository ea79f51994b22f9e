package clock

import "fmt"

// Time is a point of simulated time: nanoseconds since the run began.
type Time int64

// Duration is a span of simulated time in nanoseconds. It is not
// time.Duration so that no wall clock can slip into the model by accident.
type Duration int64

// Units of simulated time.
const (
	Nanosecond  Duration = 1
	Microsecond          = 1000 * Nanosecond
	Millisecond          = 1000 * Microsecond
	Second               = 1000 * Millisecond
	Minute               = 60 * Second
	Hour                 = 60 * Minute
)

// Never is later than every event.
const Never Time = 1<<63 - 1

// Add returns t+d.
func (t Time) Add(d Duration) Time { return t + Time(d) }

// Sub returns the span from u to t.
func (t Time) Sub(u Time) Duration { return Duration(t - u) }

// String gives hours, minutes, seconds and hundredths, as the page's clock does.
func (t Time) String() string {
	cs := int64(t) / int64(10*Millisecond)
	if t < 0 {
		// −t would not do: the earliest time has no opposite.
		return "-" + Time(-cs*int64(10*Millisecond)).String()
	}
	return fmt.Sprintf("%02d:%02d:%02d.%02d", cs/360000, cs/6000%60, cs/100%60, cs%100)
}
